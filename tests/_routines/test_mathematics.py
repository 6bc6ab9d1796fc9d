"""Mathematical functions that are no ufuncs."""

import numpy
import pytest

from tests._both_paths import COMPLEX, VECTOR, WIDE, WITH_NAN, plain_path, rows, torch_path

CASES = {
    "angle": [(COMPLEX,), (VECTOR,), (COMPLEX, True)],
    "around": [(VECTOR, 1)],
    "cumulative_prod": [(VECTOR,)],
    "cumulative_sum": [(VECTOR,), (WIDE, {"axis": 1, "include_initial": True})],
    "diff": [(VECTOR,), (WIDE, 1, 0), (WIDE, 2), (VECTOR, {"prepend": 0}), (WIDE, {"append": WIDE[:, :1]})],
    "ediff1d": [(VECTOR,), (WIDE,), (VECTOR, [1.0, 2], 3.0)],
    "fix": [(VECTOR,)],
    "gradient": [
        (VECTOR,),
        (VECTOR, 2.0),
        (WIDE,),
        (WIDE, {"axis": 0}),
        (WIDE, {"edge_order": 2}),
        (VECTOR, numpy.sort(VECTOR), {"edge_order": 2}),
        (VECTOR, numpy.sort(VECTOR)),
        (WIDE, 1.0, 2.0),
    ],
    "i0": [(VECTOR,)],
    "imag": [(COMPLEX,)],
    "interp": [
        (VECTOR, numpy.linspace(-1, 1, 5), VECTOR[:5]),
        (VECTOR, numpy.linspace(-1, 1, 5), VECTOR[:5], -7.0, 8.0),
        (VECTOR, numpy.linspace(0, 1, 5), VECTOR[:5], {"period": 1.5}),
        (VECTOR, numpy.linspace(-1, 1, 4), COMPLEX[0]),
    ],
    "nan_to_num": [(WITH_NAN,), (WITH_NAN, {"nan": 3.0})],
    "real": [(COMPLEX,), (VECTOR,)],
    "real_if_close": [(COMPLEX,), (VECTOR + 0j,)],
    "round": [(VECTOR,), (VECTOR, 2), (VECTOR * 100, -1), (COMPLEX, 1)],
    "sinc": [(VECTOR,)],
    "trapezoid": [(VECTOR,), (VECTOR, VECTOR**2), (WIDE, {"dx": 0.5}), (WIDE, {"axis": 0}), (WIDE, VECTOR[:5])],
    "unwrap": [(VECTOR * 5,), (WIDE * 4, {"axis": 0}), (VECTOR * 9, {"period": 3.0})],
}


@pytest.mark.parametrize("name, call", rows(CASES))
def test_plain_arrays_give_numpys_numbers(name, call):
    plain_path(name, call)


@pytest.mark.parametrize("name, call", rows(CASES))
def test_gradients_go_through(name, call):
    torch_path(name, call)
