"""Mathematical functions that are no ufuncs."""

import numpy
import pytest
import torch

import fastnp as np
from tests._both_paths import COMPLEX, VECTOR, WIDE, WITH_NAN, plain_path, rows, torch_path
from tests._oracle import agree, same_as_numpy
from tests._tables import DTYPES

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


@same_as_numpy
def test_clip(xp):
    array = xp.array([1.0, -3.0, 5.0, xp.nan])
    whole = xp.array([1, -3, 5, 300])
    return [
        xp.clip(array, 0, 2),
        xp.clip(array, None, xp.array([0.0, 1.0, 2.0, 3.0])),
        xp.clip(whole, min=0, max=4),
        array.clip(0),
        array.clip(max=2.0),
        xp.clip(whole, 0, 4, dtype=xp.float64),
        xp.clip(array, 0, 2, where=array > 2, out=xp.zeros(4)),
    ]


@pytest.mark.parametrize("call", [lambda xp: xp.clip([1], 0), lambda xp: xp.clip([1], 0, 1, min=0),
                                  lambda xp: xp.clip(xp.array([1], "u1"), 0, 300)])
def test_wrong_bounds_raise_numpys_errors(call):
    agree(call)


def test_gradients_go_through_clip():
    tensor = torch.tensor([1.0, -3.0, 5.0], requires_grad=True)
    np.clip(tensor, 0, 2).sum().backward()
    assert tensor.grad.tolist() == [1.0, 0.0, 0.0]
    assert np.clip(tensor, [0.0, 1.0, 2.0], None).tolist() == [1.0, 1.0, 5.0]


@same_as_numpy
def test_infinities_by_sign(xp):
    array = xp.array([xp.inf, -xp.inf, 0.0, xp.nan])
    return [xp.isneginf(array), xp.isposinf(array), xp.isposinf(array, xp.zeros(4, bool))]


@same_as_numpy
def test_conjugate_methods(xp):
    array, real = xp.array([1 + 2j]), xp.array([1.0])
    return [array.conj(), array.conjugate(), real.conj()]


@pytest.mark.parametrize("dtype", DTYPES)
def test_clip_at_one_end(dtype):
    values = (numpy.arange(-2, 5) if numpy.dtype(dtype).kind in "ifc" else numpy.arange(7)).astype(dtype)
    for bound in (0, 2, 3.5, -300, 255, 256, 2**63 - 1, -(2**63), 2**64, float("nan"), True, 1j, numpy.int8(3)):
        agree(lambda xp, x, b=bound: x.clip(min=b), values)
        agree(lambda xp, x, b=bound: x.clip(max=b), values)
        agree(lambda xp, x, b=bound: xp.clip(x, None, b), values)
        agree(lambda xp, x, b=bound: xp.clip(x, b, None), values)
    agree(lambda xp, x: xp.clip(x, None, x[::-1]), values)
    agree(lambda xp, x: xp.clip(x, [1] * 7, None), values)
    agree(lambda xp, x: (x.clip(1, None, out=x[::-1]), x), values)
    agree(lambda xp, x: xp.clip(x, None, None), values)


@pytest.mark.parametrize("dtype", DTYPES)
def test_real_if_close_of_a_scalar_is_an_array(dtype):
    agree(lambda xp, x: xp.real_if_close(x[1]), numpy.arange(3).astype(dtype))
    agree(lambda xp, x: xp.real_if_close(x[1:]), numpy.arange(3).astype(dtype))
