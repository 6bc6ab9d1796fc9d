"""Let it rain on the hills of the Jacksboro fault and watch the water find the valleys (the virtual pipes method).

Each cell of the elevation map that matplotlib ships gives water to its four neighbours through pipes; the pressure
speeds the flow up, and no cell gives more than it has.

Usage: python rain_on_hills.py [--save OUT.npz]
"""

import argparse
import time

import numpy as np
from matplotlib import cbook

GRAVITY, CELL, STEP = 9.81, 80.0, 1.0


def flow(ground, depth, pipes):
    """Advance the flow through the pipes (left, right, up, down) and the water by one step, in place."""
    surface = ground + depth
    fall = STEP * GRAVITY * CELL * np.diff(surface, axis=1)
    pipes[0, :, 1:] += fall
    pipes[1, :, :-1] -= fall
    fall = STEP * GRAVITY * CELL * np.diff(surface, axis=0)
    pipes[2, 1:] += fall
    pipes[3, :-1] -= fall
    pipes *= 0.97
    np.maximum(pipes, 0.0, out=pipes)

    leaving = pipes.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(leaving > 0, depth * CELL**2 / (STEP * leaving), 1.0)
    pipes *= np.minimum(share, 1.0)

    change = -pipes.sum(axis=0)
    change[:, :-1] += pipes[0, :, 1:]
    change[:, 1:] += pipes[1, :, :-1]
    change[:-1] += pipes[2, 1:]
    change[1:] += pipes[3, :-1]
    depth += STEP * change / CELL**2
    np.maximum(depth, 0.0, out=depth)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", metavar="OUT.npz", help="keep the result")
    options = parser.parse_args()

    ground = np.array(cbook.get_sample_data("jacksboro_fault_dem.npz")["elevation"], dtype=float)

    start = time.perf_counter()
    height, width = ground.shape
    depth = np.zeros_like(ground)
    pipes = np.zeros((4, height, width))
    y, x = np.mgrid[0:height, 0:width]
    cloud = 1 + 0.5 * np.sin(2 * np.pi * x / width) * np.cos(np.pi * y / height)
    history = []
    print(f"{height} by {width} cells from {ground.min():.0f} m to {ground.max():.0f} m")
    for minute in range(5):
        for _ in range(60):
            if minute < 3:
                depth += 0.0005 * cloud
            flow(ground, depth, pipes)
        wet = depth > 0.25
        mean, deepest, share = depth.mean(), depth.max(), wet.mean()
        history.append([mean, deepest, share])
        print(f"minute {minute + 1}: {mean * 1000:6.2f} mm on average, {deepest:6.3f} m at the deepest, "
              f"{share:6.2%} under more than 25 cm")
    heights = np.quantile(ground, [0.25, 0.5, 0.75])
    band = np.digitize(ground, heights)
    share = np.bincount(band.ravel(), weights=depth.ravel()) / depth.sum()
    seconds = time.perf_counter() - start

    print("share of the water by quarter of the height, lowest first:", " ".join(f"{part:.2%}" for part in share))
    if options.save:
        np.savez(options.save, ground=ground, depth=depth, speed=pipes.sum(axis=0), history=np.array(history),
                 seconds=seconds)


if __name__ == "__main__":
    main()
