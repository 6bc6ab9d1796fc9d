"""Window functions.

https://numpy.org/doc/2.4/reference/routines.window.html
"""

from __future__ import annotations

import math

import torch

from fastnp._declare import Chapter
from fastnp._routines.creation import arange, array, ones
from fastnp._routines.mathematics import i0
from fastnp._routines.sorting import where
from fastnp._routines.ufuncs import UFUNCS

declare = Chapter("fastnp")

cos, sqrt = UFUNCS["cos"], UFUNCS["sqrt"]

#: Up to so many points, a window is made in the steps that NumPy takes.
MODERATE = 1 << 40


def plain_window(M, shape):
    """Return a symmetric window as NumPy makes it: what `shape` makes of M and of distances from the middle."""
    if type(M) not in (int, float) or not -MODERATE < M < MODERATE:
        return NotImplemented
    if M < 1:
        return array([], float)
    M = float(M)
    return ones(1) if M == 1 else shape(M, arange(1 - M, M, 2))


def plain_bartlett(M):
    return plain_window(M, lambda M, n: where(n <= 0, 1 + n / (M - 1), 1 - n / (M - 1)))


def plain_blackman(M):
    return plain_window(
        M, lambda M, n: 0.42 + 0.5 * cos(math.pi * n / (M - 1)) + 0.08 * cos(2.0 * math.pi * n / (M - 1))
    )


def plain_hamming(M):
    return plain_window(M, lambda M, n: 0.54 + 0.46 * cos(math.pi * n / (M - 1)))


def plain_hanning(M):
    return plain_window(M, lambda M, n: 0.5 + 0.5 * cos(math.pi * n / (M - 1)))


def plain_kaiser(M, beta):
    if type(M) not in (int, float) or type(beta) not in (int, float) or not 1 < M < MODERATE:
        return NotImplemented
    half, beta = (M - 1) / 2.0, float(beta)
    inside = sqrt(1 - ((arange(0, float(M)) - half) / half) ** 2.0)
    return i0(beta * inside) / i0(beta)


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


@declare(host=True, composed=plain_bartlett, container=False, scalars=False)
def bartlett(M):
    return window(M, lambda M, n: torch.where(n <= 0, 1 + n / (M - 1), 1 - n / (M - 1)))


@declare(host=True, composed=plain_blackman, container=False, scalars=False)
def blackman(M):
    return window(M, cosines(0.42, 0.5, 0.08))


@declare(host=True, composed=plain_hamming, container=False, scalars=False)
def hamming(M):
    return window(M, cosines(0.54, 0.46))


@declare(host=True, composed=plain_hanning, container=False, scalars=False)
def hanning(M):
    return window(M, cosines(0.5, 0.5))


@declare(host=True, composed=plain_kaiser, container=False, scalars=False)
def kaiser(M, beta):
    M, beta = float(M), math.nan if beta is None else float(beta)
    if M == 1:
        return torch.ones(1, dtype=torch.float64)
    half = (M - 1) / 2
    inside = torch.sqrt(1 - ((torch.arange(0.0, M, dtype=torch.float64) - half) / half) ** 2)
    return torch.special.i0(beta * inside) / torch.special.i0(torch.tensor(beta, dtype=torch.float64))
