"""Find the ten digits without being told: principal components and k-means on scikit-learn's handwritten digits.

Usage: python digits_clusters.py [--save OUT.npz]
"""

import argparse
import time

import numpy as np
from sklearn.datasets import load_digits


def principal_components(x, count):
    """Return the scores, the components and the share of the variance that each component explains."""
    centred = x - x.mean(axis=0)
    _, singular, components = np.linalg.svd(centred, full_matrices=False)
    strongest = np.abs(components).argmax(axis=1)
    components *= np.sign(components[np.arange(len(components)), strongest])[:, None]
    share = singular**2 / np.sum(singular**2)
    return centred @ components[:count].T, components[:count], share[:count]


def squared_distances(x, centres):
    return np.sum(x**2, axis=1)[:, None] - 2 * x @ centres.T + np.sum(centres**2, axis=1)


def spread_centres(x, count, rng):
    """Choose the first centres far from each other (k-means++)."""
    chosen = [int(rng.integers(len(x)))]
    nearest = np.full(len(x), np.inf)
    while len(chosen) < count:
        np.minimum(nearest, np.sum((x - x[chosen[-1]]) ** 2, axis=1), out=nearest)
        cumulative = np.cumsum(nearest)
        chosen.append(int(np.searchsorted(cumulative, rng.random() * cumulative[-1])))
    return x[chosen]


def kmeans(x, count, rng, rounds=60):
    centres = spread_centres(x, count, rng)
    for _ in range(rounds):
        label = squared_distances(x, centres).argmin(axis=1)
        totals = np.zeros_like(centres)
        np.add.at(totals, label, x)
        moved = totals / np.maximum(np.bincount(label, minlength=count), 1)[:, None]
        if np.allclose(moved, centres, rtol=0, atol=1e-10):
            break
        centres = moved
    distances = squared_distances(x, centres)
    return distances.min(axis=1).sum(), centres, distances.argmin(axis=1)


def confusion(truth, label, count):
    table = np.zeros((count, count), dtype=int)
    np.add.at(table, (label, truth), 1)
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", metavar="OUT.npz", help="keep the result")
    options = parser.parse_args()

    digits = load_digits()
    pixels = np.array(digits.data, dtype=float)
    truth = np.array(digits.target)

    start = time.perf_counter()
    rng = np.random.default_rng(7)
    scores, components, share = principal_components(pixels, 24)
    attempts = [kmeans(scores, 10, rng) for _ in range(60)]
    inertia, centres, label = min(attempts, key=lambda attempt: attempt[0])

    table = confusion(truth, label, 10)
    order = np.argsort(table.argmax(axis=1), kind="stable")
    table = table[order]
    images = (pixels.mean(axis=0) + centres[order] @ components).reshape(10, 8, 8)
    purity = table.max(axis=1).sum() / len(truth)
    seconds = time.perf_counter() - start

    print(f"{len(pixels)} digits of {pixels.shape[1]} pixels")
    print(f"24 components explain {share.sum():.2%} of the variance, the first three {share[:3].sum():.2%}")
    print(f"best of {len(attempts)} runs of k-means: inertia {inertia:.1f}, purity {purity:.2%}")
    print("digits in each cluster (rows) by what was meant (columns):")
    print(table)
    if options.save:
        np.savez(options.save, images=images, scores=scores[:, :2], label=label, share=share, table=table,
                 seconds=seconds)


if __name__ == "__main__":
    main()
