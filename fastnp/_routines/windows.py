"""Window functions.

https://numpy.org/doc/2.4/reference/routines.window.html
"""

from __future__ import annotations

import torch

from fastnp._declare import Chapter

declare = Chapter("fastnp")


def window(make, M, *parameters):
    """Return a symmetric window of M points on the default device; none for less than one."""
    if M < 1:
        return torch.empty(0, dtype=torch.float64)
    return make(int(M), periodic=False, dtype=torch.float64, **dict(parameters))


@declare(host=True, container=False, scalars=False)
def bartlett(M):
    return window(torch.bartlett_window, M)


@declare(host=True, container=False, scalars=False)
def blackman(M):
    return window(torch.blackman_window, M)


@declare(host=True, container=False, scalars=False)
def hamming(M):
    return window(torch.hamming_window, M)


@declare(host=True, container=False, scalars=False)
def hanning(M):
    return window(torch.hann_window, M)


@declare(host=True, container=False, scalars=False)
def kaiser(M, beta):
    return window(torch.kaiser_window, M, ("beta", float(beta)))
