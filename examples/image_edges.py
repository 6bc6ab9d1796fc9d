"""Trace the outlines of a photograph: Gaussian scale space, Sobel gradients, thinning and hysteresis (Canny's method).

Usage: python image_edges.py [--save OUT.npz]
"""

import argparse
import time

import numpy as np
from sklearn.datasets import load_sample_image

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def gaussian(sigma):
    reach = int(np.ceil(3 * sigma))
    weight = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    return weight / weight.sum()


def blur(image, sigma):
    """Convolve rows and then columns, with the border repeated."""
    weight = gaussian(sigma)
    reach = len(weight) // 2
    height, width = image.shape
    padded = np.pad(image, ((0, 0), (reach, reach)), mode="edge")
    rows = np.zeros_like(image)
    for shift, w in enumerate(weight):
        rows += w * padded[:, shift:shift + width]
    padded = np.pad(rows, ((reach, reach), (0, 0)), mode="edge")
    result = np.zeros_like(image)
    for shift, w in enumerate(weight):
        result += w * padded[shift:shift + height]
    return result


def sobel(image):
    p = np.pad(image, 1, mode="edge")
    dx = (p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[1:-1, :-2] + p[2:, :-2])
    dy = (p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[:-2, 1:-1] + p[:-2, 2:])
    return dx, dy


def thin(dx, dy):
    """Keep the gradient's length only where it is largest along the gradient's own direction."""
    length = np.hypot(dx, dy)
    p = np.pad(length, 1)
    height, width = length.shape
    sector = np.round(np.arctan2(dy, dx) / (np.pi / 4)).astype(int) % 4
    steps = [(0, 1), (1, 1), (1, 0), (1, -1)]
    ahead = np.stack([p[1 + r:1 + r + height, 1 + c:1 + c + width] for r, c in steps])
    behind = np.stack([p[1 - r:1 - r + height, 1 - c:1 - c + width] for r, c in steps])
    rival = np.maximum(ahead, behind)
    row, column = np.indices(length.shape)
    return np.where(length >= rival[sector, row, column], length, 0.0)


def hysteresis(strength, low, high):
    """Grow the strong edges along the weak ones until nothing changes."""
    weak = strength > low
    edge = strength > high
    height, width = edge.shape
    while True:
        p = np.pad(edge, 1)
        grown = np.zeros_like(edge)
        for r in range(3):
            for c in range(3):
                grown |= p[r:r + height, c:c + width]
        grown &= weak
        if np.array_equal(grown, edge):
            return edge
        edge = grown


def equalize(image, levels=256):
    """Spread the brightness so that each level is equally common."""
    count, bounds = np.histogram(image, bins=levels, range=(0.0, 1.0))
    share = np.cumsum(count) / image.size
    return np.interp(image, 0.5 * (bounds[:-1] + bounds[1:]), share)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", metavar="OUT.npz", help="keep the result")
    options = parser.parse_args()

    photo = np.array(load_sample_image("china.jpg"))

    start = time.perf_counter()
    grey = equalize(photo / 255.0 @ LUMINANCE)
    print(f"photograph of {photo.shape[1]} by {photo.shape[0]}, mean brightness {grey.mean():.4f}")

    edges = {}
    for sigma in (1.0, 1.5, 2.0, 2.5, 3.0, 4.0):
        strength = thin(*sobel(blur(grey, sigma)))
        low, high = np.quantile(strength[strength > 0], [0.6, 0.9])
        edges[sigma] = hysteresis(strength, low, high)
        print(f"sigma {sigma:.1f}: {np.count_nonzero(edges[sigma]):6d} pixels of edge, "
              f"thresholds {low:.4f} and {high:.4f}")
    stable = np.logical_and.reduce([blur(edge.astype(float), 2.0) > 0.1 for edge in edges.values()])
    row, column = np.nonzero(stable)
    print(f"seen at every scale: {len(row)} pixels around row {row.mean():.2f}, column {column.mean():.2f}")
    seconds = time.perf_counter() - start

    if options.save:
        np.savez(options.save, photo=photo, grey=grey, fine=edges[1.0], coarse=edges[4.0], stable=stable,
                 seconds=seconds)


if __name__ == "__main__":
    main()
