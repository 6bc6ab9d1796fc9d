"""The game of life on a small torus, by eight shifted slices."""


def run(np):
    size = 32
    world = np.zeros((size, size), dtype=np.uint8)
    world[2:5, 2] = world[4, 3] = world[3, 4] = 1
    world[10:13, 12] = world[10, 13] = world[11, 11] = 1
    wide = np.zeros((size + 2, size + 2), dtype=np.uint8)
    for _ in range(120):
        wide[1:-1, 1:-1] = world
        wide[0, 1:-1] = world[-1]
        wide[-1, 1:-1] = world[0]
        wide[:, 0] = wide[:, -2]
        wide[:, -1] = wide[:, 1]
        near = (
            wide[:-2, :-2]
            + wide[:-2, 1:-1]
            + wide[:-2, 2:]
            + wide[1:-1, :-2]
            + wide[1:-1, 2:]
            + wide[2:, :-2]
            + wide[2:, 1:-1]
            + wide[2:, 2:]
        )
        world = ((near == 3) | ((world == 1) & (near == 2))).astype(np.uint8)
    return world
