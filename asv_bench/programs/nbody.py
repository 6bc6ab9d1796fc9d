"""Five bodies under gravity, one pair at a time, positions and velocities as rows of three."""


def run(np):
    position = np.array(
        [[0.0, 0.0, 0.0], [4.84, -1.16, -0.10], [8.34, 4.12, -0.40], [12.89, -15.11, -0.22], [15.38, -25.92, 0.18]]
    )
    velocity = np.array(
        [[0.0, 0.0, 0.0], [0.61, 2.81, -0.02], [-1.01, 1.82, 0.01], [1.08, 0.87, -0.01], [0.98, 0.59, -0.03]]
    )
    mass = np.array([39.478, 0.0377, 0.0113, 0.0017, 0.0020])
    step = 0.01
    for _ in range(40):
        for one in range(5):
            for other in range(one + 1, 5):
                away = position[one] - position[other]
                distance = np.sqrt((away * away).sum())
                force = step / (distance * distance * distance)
                velocity[one] -= away * (mass[other] * force)
                velocity[other] += away * (mass[one] * force)
        position += step * velocity
    return position, velocity
