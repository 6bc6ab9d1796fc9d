"""Bits packed into bytes.

https://numpy.org/doc/2.4/reference/routines.bitwise.html
"""

from __future__ import annotations

import operator

import torch

from fastnp._core.kernels.packing import BODIES
from fastnp._declare import Chapter
from fastnp._routines.sorting import lines_along
from fastnp._typing import ArrayLike

declare = Chapter("fastnp")


def bit_weights(bitorder, device):
    """Return what each of eight bits counts for."""
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    shifts = torch.arange(8, device=device)
    return (1 << (shifts.flip(0) if bitorder == "big" else shifts)).to(torch.uint8)


@declare(compiled=BODIES["packbits"], host=True)
def packbits(a: ArrayLike, /, axis=None, bitorder="big"):
    if a.is_floating_point() or a.is_complex():
        raise TypeError("Expected an input array of integer or boolean data type")
    weights = bit_weights(bitorder, a.device)
    a, axis = lines_along(a, axis)
    bits = (a != 0).to(torch.uint8).movedim(axis, -1)
    bits = torch.nn.functional.pad(bits, (0, -bits.shape[-1] % 8))
    return (bits.unflatten(-1, (-1, 8)) * weights).sum(-1, dtype=torch.uint8).movedim(-1, axis)


@declare(compiled=BODIES["unpackbits"], host=True)
def unpackbits(a: ArrayLike, /, axis=None, count=None, bitorder="big"):
    if a.dtype != torch.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    weights = bit_weights(bitorder, a.device)
    a, axis = lines_along(a, axis)
    bits = ((a.movedim(axis, -1).unsqueeze(-1) & weights) != 0).to(torch.uint8).flatten(-2)
    if count is not None:
        count = operator.index(count)
        if count < -bits.shape[-1]:
            raise ValueError("-count larger than number of elements")
        bits = bits[..., :count] if count < 0 else torch.nn.functional.pad(bits, (0, count - bits.shape[-1]))
    return bits.movedim(-1, axis)
