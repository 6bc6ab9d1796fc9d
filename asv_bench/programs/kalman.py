"""A Kalman filter that tracks a point in the plane: states of four, matrices of four by four."""


def run(np):
    step = 0.1
    transition = np.eye(4)
    transition[0, 2] = transition[1, 3] = step
    observation = np.zeros((2, 4))
    observation[0, 0] = observation[1, 1] = 1.0
    process = 0.01 * np.eye(4)
    noise = 0.5 * np.eye(2)
    state = np.zeros(4)
    covariance = np.eye(4)
    track = np.empty((120, 4))
    for moment in range(120):
        angle = step * moment
        seen = np.array([np.cos(angle) + 0.1 * np.sin(7.0 * angle), np.sin(angle) + 0.1 * np.cos(5.0 * angle)])
        state = transition @ state
        covariance = transition @ covariance @ transition.T + process
        surprise = seen - observation @ state
        gain = covariance @ observation.T @ np.linalg.inv(observation @ covariance @ observation.T + noise)
        state = state + gain @ surprise
        covariance = (np.eye(4) - gain @ observation) @ covariance
        track[moment] = state
    return track, covariance
