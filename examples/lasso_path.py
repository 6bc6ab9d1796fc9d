"""Which measurements foretell diabetes? The whole path of the lasso by coordinate descent, its strength by validation.

Usage: python lasso_path.py [--save OUT.npz]
"""

import argparse
import time

import numpy as np
from sklearn.datasets import load_diabetes


def standardize(x):
    mean, scale = x.mean(axis=0), x.std(axis=0)
    return (x - mean) / scale, mean, scale


def soften(value, amount):
    return np.sign(value) * np.maximum(np.abs(value) - amount, 0.0)


def lasso_path(x, y, penalties, tolerance=1e-7):
    """Solve for one penalty after the other, each from where the last one ended."""
    count, width = x.shape
    gram, moment = x.T @ x / count, x.T @ y / count
    weight = np.zeros(width)
    path = np.empty((len(penalties), width))
    for row, penalty in enumerate(penalties):
        largest = np.inf
        while largest > tolerance:
            largest = 0.0
            for j in range(width):
                old = weight[j]
                weight[j] = soften(moment[j] - gram[j] @ weight + gram[j, j] * old, penalty) / gram[j, j]
                largest = max(largest, abs(float(weight[j] - old)))
        path[row] = weight
    return path


def validation_errors(x, y, penalties, folds):
    """Mean squared error of each penalty (columns) on each part that was left out (rows)."""
    errors = np.empty((len(folds), len(penalties)))
    for row, left_out in enumerate(folds):
        kept = np.setdiff1d(np.arange(len(x)), left_out)
        scaled, mean, scale = standardize(x[kept])
        path = lasso_path(scaled, y[kept] - y[kept].mean(), penalties)
        guess = (x[left_out] - mean) / scale @ path.T + y[kept].mean()
        errors[row] = np.mean((guess - y[left_out][:, np.newaxis]) ** 2, axis=0)
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", metavar="OUT.npz", help="keep the result")
    options = parser.parse_args()

    patients = load_diabetes()
    x, y = np.array(patients.data), np.array(patients.target)
    names = patients.feature_names

    start = time.perf_counter()
    scaled, _, _ = standardize(x)
    penalties = np.geomspace(np.abs(scaled.T @ (y - y.mean())).max() / len(y), 0.1, 40)
    path = lasso_path(scaled, y - y.mean(), penalties)
    folds = np.array_split(np.random.default_rng(11).permutation(len(x)), 5)
    error = validation_errors(x, y, penalties, folds)
    best = error.mean(axis=0).argmin()
    entered = (path != 0).argmax(axis=0)
    seconds = time.perf_counter() - start

    print(f"{len(y)} patients, {x.shape[1]} measurements, {len(penalties)} penalties")
    print("order of entry:", " ".join(names[j] for j in np.argsort(entered, kind="stable")))
    print(f"best penalty {penalties[best]:.4f}: error {np.sqrt(error.mean(axis=0)[best]):.3f} "
          f"(spread of the measured value {y.std():.3f})")
    for name, value in zip(names, path[best]):
        print(f"  {name:<4}{value + 0.0:9.3f}")
    if options.save:
        np.savez(options.save, penalties=penalties, path=path, error=error, best=best, seconds=seconds)


if __name__ == "__main__":
    main()
