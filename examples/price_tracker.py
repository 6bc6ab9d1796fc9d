"""Track a share's daily low and high with a Kalman filter: a velocity that fades, 4x4 matrices, days without a quote.

The noise of the model is chosen by its likelihood, and a backward pass smooths the track. The prices are Google's from
2004 to 2008, which matplotlib ships.

Usage: python price_tracker.py [--save OUT.npz]
"""

import argparse
import time

import numpy as np
from matplotlib import cbook

TRANSITION = np.array([[1.0, 0.0, 1.0, 0.0],
                       [0.0, 1.0, 0.0, 1.0],
                       [0.0, 0.0, 0.9, 0.0],
                       [0.0, 0.0, 0.0, 0.9]])
OBSERVATION = np.eye(2, 4)
TOGETHER = np.array([[1.0, 0.8], [0.8, 1.0]])


def process_noise(drift):
    """Covariance of one day's random push on the velocities, felt by the positions as well."""
    push = np.array([[0.25, 0.5], [0.5, 1.0]])
    return drift**2 * np.kron(push, TOGETHER)


def forward(quotes, seen, drift, spread):
    """Filter the quotes; return the states, their covariances and the log likelihood of what was seen."""
    q, r = process_noise(drift), spread**2 * TOGETHER
    state = np.concatenate([quotes[0], np.zeros(2)])
    covariance = np.diag([spread**2, spread**2, 1e-4, 1e-4])
    states, covariances = np.empty((len(quotes), 4)), np.empty((len(quotes), 4, 4))
    likelihood = 0.0
    for day, quote in enumerate(quotes):
        if day:
            state = TRANSITION @ state
            covariance = TRANSITION @ covariance @ TRANSITION.T + q
        if seen[day]:
            surprise = quote - OBSERVATION @ state
            s = OBSERVATION @ covariance @ OBSERVATION.T + r
            precision = np.linalg.inv(s)
            gain = covariance @ OBSERVATION.T @ precision
            state = state + gain @ surprise
            covariance = covariance - gain @ s @ gain.T
            covariance = 0.5 * (covariance + covariance.T)
            likelihood -= 0.5 * (surprise @ precision @ surprise + np.log(np.linalg.det(s)) + 2 * np.log(2 * np.pi))
        states[day], covariances[day] = state, covariance
    return states, covariances, likelihood


def backward(states, covariances, drift):
    """Smooth the track with what was learned later (Rauch, Tung and Striebel)."""
    q = process_noise(drift)
    smooth = states.copy()
    for day in range(len(states) - 2, -1, -1):
        ahead = TRANSITION @ covariances[day] @ TRANSITION.T + q
        gain = np.linalg.solve(ahead, TRANSITION @ covariances[day]).T
        smooth[day] += gain @ (smooth[day + 1] - TRANSITION @ states[day])
    return smooth


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", metavar="OUT.npz", help="keep the result")
    options = parser.parse_args()

    prices = cbook.get_sample_data("goog.npz")["price_data"]
    quotes = np.log(np.column_stack([np.asarray(prices["low"]), np.asarray(prices["high"])]))

    start = time.perf_counter()
    day = np.arange(len(quotes))
    seen = (day % 50 < 42) | (day < 50)

    drifts, spreads = np.geomspace(0.002, 0.03, 6), np.geomspace(0.005, 0.03, 5)
    likelihood = np.array([[forward(quotes, seen, d, s)[2] for s in spreads] for d in drifts])
    best = np.unravel_index(likelihood.argmax(), likelihood.shape)
    drift, spread = drifts[best[0]], spreads[best[1]]

    states, covariances, top = forward(quotes, seen, drift, spread)
    smooth = backward(states, covariances, drift)
    hidden = ~seen
    held = quotes[np.maximum.accumulate(np.where(seen, day, 0))]
    errors = {name: np.sqrt(np.mean((track[hidden, :2] - quotes[hidden]) ** 2))
              for name, track in [("last quote held", held), ("filtered", states), ("smoothed", smooth)]}
    seconds = time.perf_counter() - start

    print(f"{len(quotes)} days, {np.count_nonzero(hidden)} of them hidden from the tracker")
    print(f"most likely noise: drift {drift:.4f}, spread {spread:.4f}, log likelihood {top:.2f}")
    for name, error in errors.items():
        print(f"  {name:<16} off by {error:.2%} on the hidden days")
    if options.save:
        np.savez(options.save, quotes=quotes, seen=seen, states=states, smooth=smooth,
                 deviation=np.sqrt(covariances[:, 0, 0]), likelihood=likelihood, seconds=seconds)


if __name__ == "__main__":
    main()
