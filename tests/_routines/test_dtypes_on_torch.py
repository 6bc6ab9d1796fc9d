"""Functions beyond the ufuncs over every dtype by torch's functions, which have no kernels for some of them."""

import contextlib

import numpy
import pytest

from tests._core.test_paths import PassingDispatchMode
from tests._oracle import Cells, compare
from tests._tables import DTYPES, filled


def made(dtype, *shape):
    """Return an array of a few different numbers."""
    return filled(shape, dtype)


#: Arguments by dtype: a list of calls.
CALLS = {
    "allclose": lambda d: [(made(d, 4), made(d, 4))],
    "angle": lambda d: [(made(d, 4),)],
    "append": lambda d: [(made(d, 4), made(d, 2))],
    "argsort": lambda d: [(made(d, 5),)],
    "argwhere": lambda d: [(made(d, 5),)],
    "around": lambda d: [(made(d, 4),)],
    "array_equal": lambda d: [(made(d, 4), made(d, 4))],
    "average": lambda d: [(made(d, 4),)],
    "bincount": lambda d: [(numpy.array([1, 2, 2], d),)],
    "block": lambda d: [([made(d, 2), made(d, 3)],)],
    "choose": lambda d: [([0, 1], [made(d, 2), made(d, 2)])],
    "clip": lambda d: [(made(d, 5), numpy.array(1, d), numpy.array(3, d))],
    "compress": lambda d: [([1, 0, 1], made(d, 3))],
    "concatenate": lambda d: [([made(d, 2), made(d, 3)],)],
    "convolve": lambda d: [(made(d, 4), made(d, 3))],
    "corrcoef": lambda d: [(made(d, 2, 4),)],
    "correlate": lambda d: [(made(d, 4), made(d, 3), "full")],
    "count_nonzero": lambda d: [(made(d, 5),)],
    "cov": lambda d: [(made(d, 2, 4),)],
    "cross": lambda d: [(made(d, 2, 3), made(d, 2, 3)[::-1].copy())],
    "cumulative_sum": lambda d: [(made(d, 5),)],
    "delete": lambda d: [(made(d, 4), 1)],
    "diag": lambda d: [(made(d, 3),)],
    "diff": lambda d: [(made(d, 5),)],
    "digitize": lambda d: [(made(d, 5), numpy.sort(numpy.unique(made(d, 4))))],
    "dot": lambda d: [(made(d, 2, 3), made(d, 4, 3, 2))],
    "ediff1d": lambda d: [(made(d, 5),)],
    "einsum": lambda d: [("ij,jk->ik", made(d, 2, 3), made(d, 3, 2))],
    "fft.fft": lambda d: [(made(d, 4),)],
    "fft.fft2": lambda d: [(made(d, 3, 4),)],
    "fft.fftshift": lambda d: [(made(d, 4),)],
    "fft.ifft": lambda d: [(made(d, 4),)],
    "fft.rfft": lambda d: [(made(d, 4),)],
    "fill_diagonal": lambda d: [(made(d, 3, 3), 1)],
    "fix": lambda d: [(made(d, 4),)],
    "flatnonzero": lambda d: [(made(d, 5),)],
    "flip": lambda d: [(made(d, 4),)],
    "full_like": lambda d: [(made(d, 3), 2)],
    "gradient": lambda d: [(made(d, 5),)],
    "histogram": lambda d: [(made(d, 6), 3)],
    "histogram2d": lambda d: [(made(d, 5), made(d, 5), 2)],
    "histogram_bin_edges": lambda d: [(made(d, 5), 3)],
    "i0": lambda d: [(made(d, 4),)],
    "imag": lambda d: [(made(d, 4),)],
    "inner": lambda d: [(made(d, 2, 3), made(d, 4, 3))],
    "insert": lambda d: [(made(d, 4), 1, numpy.array(2, d))],
    "interp": lambda d: [(made(d, 3), numpy.sort(made(d, 4)), made(d, 4))],
    "intersect1d": lambda d: [(made(d, 3), made(d, 4))],
    "isclose": lambda d: [(made(d, 4), made(d, 4))],
    "isin": lambda d: [(made(d, 5), made(d, 2))],
    "kron": lambda d: [(made(d, 2, 2), made(d, 3))],
    "lexsort": lambda d: [((made(d, 4), made(d, 4)),)],
    "linalg.det": lambda d: [(made(d, 2, 2),)],
    "linalg.inv": lambda d: [(made(d, 2, 2) + numpy.eye(2, dtype=d),)],
    "linalg.matrix_power": lambda d: [(made(d, 2, 2), 3)],
    "linalg.matrix_rank": lambda d: [(made(d, 2, 2),)],
    "linalg.multi_dot": lambda d: [([made(d, 2, 3), made(d, 3, 2), made(d, 2, 2)],)],
    "linalg.norm": lambda d: [(made(d, 4),)],
    "linalg.outer": lambda d: [(made(d, 3), made(d, 3))],
    "linalg.solve": lambda d: [(numpy.array([[2, 1], [1, 3]]).astype(d), made(d, 2))],
    "linalg.trace": lambda d: [(made(d, 3, 3),)],
    "linalg.vecdot": lambda d: [(made(d, 3), made(d, 3))],
    "median": lambda d: [(made(d, 5),)],
    "nan_to_num": lambda d: [(made(d, 4),)],
    "nanargmax": lambda d: [(made(d, 5),)],
    "nancumsum": lambda d: [(made(d, 5),)],
    "nanmax": lambda d: [(made(d, 5),)],
    "nanmean": lambda d: [(made(d, 5),)],
    "nanmedian": lambda d: [(made(d, 5),)],
    "nanprod": lambda d: [(made(d, 5),)],
    "nansum": lambda d: [(made(d, 5),)],
    "nanvar": lambda d: [(made(d, 5),)],
    "nonzero": lambda d: [(made(d, 5),)],
    "outer": lambda d: [(made(d, 3), made(d, 2))],
    "packbits": lambda d: [(made(d, 9),)],
    "pad": lambda d: [(made(d, 3), 1), (made(d, 3), 1, "mean"), (made(d, 3), 2, "linear_ramp")],
    "partition": lambda d: [(made(d, 5), 2)],
    "percentile": lambda d: [(made(d, 2, 3), 30, 0)],
    "piecewise": lambda d: [(made(d, 4), [made("?", 4)], [1, 2])],
    "polyadd": lambda d: [(made(d, 3), made(d, 2))],
    "polyder": lambda d: [(made(d, 4),)],
    "polyint": lambda d: [(made(d, 4),)],
    "polymul": lambda d: [(made(d, 3), made(d, 2))],
    "polyval": lambda d: [(made(d, 3), made(d, 4))],
    "ptp": lambda d: [(made(d, 5),)],
    "quantile": lambda d: [(made(d, 5), 0.3)],
    "real": lambda d: [(made(d, 4),)],
    "repeat": lambda d: [(made(d, 3), 2)],
    "roll": lambda d: [(made(d, 5), 2)],
    "rot90": lambda d: [(made(d, 2, 3),)],
    "round": lambda d: [(made(d, 4), 1)],
    "searchsorted": lambda d: [(numpy.sort(made(d, 4)), made(d, 3))],
    "select": lambda d: [([made("?", 3)], [made(d, 3)], 0)],
    "setdiff1d": lambda d: [(made(d, 5), made(d, 2))],
    "setxor1d": lambda d: [(made(d, 5), made(d, 2))],
    "sinc": lambda d: [(made(d, 4),)],
    "sort": lambda d: [(made(d, 5),)],
    "stack": lambda d: [([made(d, 2), made(d, 2)],)],
    "take": lambda d: [(made(d, 5), [0, 3])],
    "tensordot": lambda d: [(made(d, 2, 3), made(d, 3, 2), 1)],
    "tile": lambda d: [(made(d, 3), 2)],
    "trace": lambda d: [(made(d, 3, 3),)],
    "trapezoid": lambda d: [(made(d, 5),)],
    "tri": lambda d: [(3, 3, 0, numpy.dtype(d))],
    "tril": lambda d: [(made(d, 3, 3),)],
    "trim_zeros": lambda d: [(made(d, 4),)],
    "triu": lambda d: [(made(d, 3, 3),)],
    "union1d": lambda d: [(made(d, 3), made(d, 4))],
    "unique": lambda d: [(made(d, 6),)],
    "unique_counts": lambda d: [(made(d, 5),)],
    "unpackbits": lambda d: [(made(d, 2),)],
    "unwrap": lambda d: [(made(d, 6),)],
    "vander": lambda d: [(made(d, 3),)],
    "vdot": lambda d: [(made(d, 4), made(d, 4))],
    "vecdot": lambda d: [(made(d, 3), made(d, 3))],
    "where": lambda d: [(made("?", 4), made(d, 4), made(d, 4)[::-1].copy())],
}
#: What is not computed as NumPy does: name -> dtypes.
OPEN: dict[str, set[str]] = {}
#: The order within a part is nobody's promise.
UNORDERED = ("partition",)


def under_a_mode(xp, name, *arguments):
    """Return the result of a function, called where no operand counts as plain."""
    function = xp
    for part in name.split("."):
        function = getattr(function, part)
    with contextlib.nullcontext() if xp is numpy else PassingDispatchMode():
        result = function(*arguments)
    return result if name not in UNORDERED else xp.sort(result)


@pytest.mark.parametrize("name", CALLS)
def test_every_dtype(name):
    known = OPEN.get(name, set())
    with Cells(tolerance="sum", layout=False) as cells:
        for dtype in DTYPES:
            for arguments in CALLS[name](dtype):
                if dtype.name not in known:
                    cells.same(f"{dtype}", under_a_mode, name, *arguments)
                else:
                    text = compare(under_a_mode, name, *arguments, tolerance="sum", layout=False)
                    cells.require(f"{dtype} is open no more", text is not None)
