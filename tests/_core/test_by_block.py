"""Functions that are computed by the block: what is odd in one that follows another without anything odd."""

import numpy
import pytest

import fastnp as np

BLOCK = 4096
"""Doubles of a block."""


def outcome(function, values):
    """Return the values and the texts of the errors that their flags make."""
    errors = []
    with numpy.errstate(all="call", call=lambda text, _: errors.append(text)):
        result = numpy.asarray(function(values))
    return result, sorted(errors)


@pytest.mark.parametrize("name", ["log", "log2", "log10", "tanh", "arctan"])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("place", [0, BLOCK - 1, BLOCK, 2 * BLOCK + 7, 5 * BLOCK + 2])
def test_one_odd_value(name, dtype, place):
    values = numpy.linspace(0.1, 0.9, 5 * BLOCK + 3).astype(dtype)
    info = numpy.finfo(dtype)
    subnormal = info.tiny / 2
    for odd in (0.0, -0.0, -1.0, 2.0, numpy.inf, -numpy.inf, numpy.nan, info.smallest_subnormal, -subnormal, info.max):
        values[place] = odd
        (ours, reported), (theirs, expected) = (
            outcome(getattr(library, name), library.asarray(values)) for library in (np, numpy))
        assert reported == expected
        numpy.testing.assert_allclose(ours, theirs, rtol=4 * info.eps)
        assert (numpy.signbit(ours) == numpy.signbit(theirs))[~numpy.isnan(theirs)].all()
