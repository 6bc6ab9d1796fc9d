"""Window functions.

https://numpy.org/doc/2.4/reference/routines.window.html
"""

from __future__ import annotations

import math

import torch

from fastnp._declare import Chapter

declare = Chapter("fastnp")


def window(M, shape):
    """Return a symmetric window of M points: what `shape` makes of M and of twice their distances from its middle."""
    M = float(M)
    if M < 1:
        return torch.empty(0, dtype=torch.float64)
    if M == 1:
        return torch.ones(1, dtype=torch.float64)
    return shape(M, torch.arange(1 - M, M, 2, dtype=torch.float64))


def cosines(*terms):
    """Return a shape that is a sum of cosines, each of a whole multiple of half a turn, by their weights."""
    return lambda M, n: sum(
        weight * torch.cos(math.pi * multiple * n / (M - 1)) if multiple else weight
        for multiple, weight in enumerate(terms)
    )


@declare(host=True, container=False, scalars=False)
def bartlett(M):
    return window(M, lambda M, n: torch.where(n <= 0, 1 + n / (M - 1), 1 - n / (M - 1)))


@declare(host=True, container=False, scalars=False)
def blackman(M):
    return window(M, cosines(0.42, 0.5, 0.08))


@declare(host=True, container=False, scalars=False)
def hamming(M):
    return window(M, cosines(0.54, 0.46))


@declare(host=True, container=False, scalars=False)
def hanning(M):
    return window(M, cosines(0.5, 0.5))


@declare(host=True, container=False, scalars=False)
def kaiser(M, beta):
    M, beta = float(M), math.nan if beta is None else float(beta)
    if M == 1:
        return torch.ones(1, dtype=torch.float64)
    half = (M - 1) / 2
    inside = torch.sqrt(1 - ((torch.arange(0.0, M, dtype=torch.float64) - half) / half) ** 2)
    return torch.special.i0(beta * inside) / torch.special.i0(torch.tensor(beta, dtype=torch.float64))
