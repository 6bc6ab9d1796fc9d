"""What is written past the cache, or asked for ahead where it is written: NumPy's values to the last bit."""

import numpy
import pytest

from .test_large import check_same, values_of

RNG = numpy.random.default_rng(5)

STREAMED = [
    "absolute", "add", "bitwise_and", "bitwise_or", "bitwise_xor", "ceil", "conjugate", "copysign", "divide", "floor",
    "floor_divide", "fmax", "fmin", "invert", "left_shift", "maximum", "minimum", "multiply", "negative", "reciprocal",
    "remainder", "rint", "sign", "sqrt", "square", "subtract", "trunc",
]


def loop_of(name, dtype):
    """Return NumPy's function and the dtype of its result; skip what it has no loop for."""
    function = getattr(numpy, name)
    try:
        *_, result = function.resolve_dtypes((numpy.dtype(dtype),) * function.nin + (None,))
    except TypeError:
        pytest.skip("dtype: NumPy has no such loop")
    return function, result


@pytest.mark.parametrize("dtype", "filDde")
@pytest.mark.parametrize("name", STREAMED)
def test_streams(name, dtype):
    """Above and below the size, at other places in a line of the cache, one operand repeated, into an operand."""
    function, result = loop_of(name, dtype)
    size = (20 << 20) // (function.nin * numpy.dtype(dtype).itemsize + result.itemsize) + 100 if dtype != "e" else 1000
    a, b = values_of(dtype, size), values_of(dtype, size)
    b = abs(b) % 8 if name == "left_shift" else b
    calls = [
        lambda np, f, a, b: f(a, b), lambda np, f, a, b: f(a, b[3]), lambda np, f, a, b: f(a[3], b),
        lambda np, f, a, b: f(a[1:], b[:-1]), lambda np, f, a, b: f(a[:size // 2], b[:size // 2]),
        lambda np, f, a, b: f(np.broadcast_to(a[3], size), b[5]),
        # NumPy: of two zeros the last four of a hundred take the other one.
        lambda np, f, a, b: f(a[:size // 100 * 100].reshape(-1, 100), np.where(b[:100] == 0, b.dtype.type(1), b[:100])),
    ]
    in_place = [
        lambda np, f, a, b: f(a, b, out=a), lambda np, f, a, b: f(a[1:], b[1:], out=a[:-1]),
        lambda np, f, a, b: f(a[:-1], b[1:], out=a[1:]),
    ]
    if function.nin == 1:
        calls = [lambda np, f, a, b: f(a), lambda np, f, a, b: f(a[1:]), lambda np, f, a, b: f(a[:-1])]
        in_place = [
            lambda np, f, a, b: f(a, out=a), lambda np, f, a, b: f(a[1:], out=a[:-1]),
            lambda np, f, a, b: f(a, out=b), lambda np, f, a, b: f(a[:-1], out=b[1:]),
        ]
    with numpy.errstate(all="ignore"):
        for call in calls + in_place if result == dtype else calls:
            check_same(lambda np, a, b, call=call: call(np, getattr(np, name), a, b), a, b)


def test_copies_past_the_cache():
    values = RNG.integers(0, 256, (12 << 20) + 77, dtype="u1")
    check_same(lambda np, a: a.copy(), values)
    check_same(lambda np, a: a[5:].copy(), values)
    check_same(lambda np, a: np.concatenate((a[3:], a)), values)

    def moved(np, a):
        a[7:] = a[:-7]
        return a

    check_same(moved, values)


@pytest.mark.parametrize("dtype", "filDd")
@pytest.mark.parametrize("name", STREAMED)
def test_in_place(name, dtype):
    """Above the size, with a number, an array, itself, rows; what lies beside stays as it was."""
    function, result = loop_of(name, dtype)
    if result != dtype:
        pytest.skip("dtype: the result is another one")
    size = (20 << 20) // result.itemsize + 77
    a, b = values_of(dtype, size), values_of(dtype, size)
    b = abs(b) % 8 if name == "left_shift" else b
    places = [slice(None), slice(1, None), slice(3, -2)]
    calls = [lambda np, f, a, b: f(a, out=a)]
    if function.nin == 2:
        calls = [
            lambda np, f, a, b: f(a, b[3], out=a), lambda np, f, a, b: f(b[3], a, out=a),
            lambda np, f, a, b: f(a, b, out=a), lambda np, f, a, b: f(b, a, out=a), lambda np, f, a, b: f(a, a, out=a),
            lambda np, f, a, b: f(a, a[5:6], out=a), lambda np, f, a, b: f(a[:1], a, out=a),
        ]
        calls = calls[:3] if name == "left_shift" else calls

    def changed(np, a, b, call, place):
        call(np, getattr(np, name), a[place], b[place])
        return a

    def changed_by_rows(np, a, b, width):
        rows = a[1:][:(size - 1) // width * width].reshape(-1, width)
        getattr(np, name)(rows, np.where(b[:width] == 0, b.dtype.type(1), b[:width]), out=rows)
        return a

    with numpy.errstate(all="ignore"):
        for k, call in enumerate(calls):
            check_same(lambda np, a, b, c=call, p=places[k % 3]: changed(np, a, b, c, p), a, b)
        for width in (100, 4_999, 70_000) if function.nin == 2 else ():
            check_same(lambda np, a, b, w=width: changed_by_rows(np, a, b, w), a, b)


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("name", ["fmax", "fmin", "maximum", "minimum"])
def test_zeros_beside_one_number(name, dtype):
    """Of two zeros NumPy takes another one at the end of a line that lies side by side."""
    for size in (*range(1, 70), *range(500, 530), 9_409, 239_523, 303_501):
        zeros = RNG.choice([0.0, -0.0, numpy.nan], size).astype(dtype)
        for one in (0.0, -0.0):
            for np_call in (
                lambda np, f, a, b: f(a, b), lambda np, f, a, b: f(b, a), lambda np, f, a, b: f(a[::-1], b),
                lambda np, f, a, b: f(a[::2], a[:-1:2][:1]) if a.size > 1 else a, lambda np, f, a, b: f(a, b, out=a),
            ):
                check_same(lambda np, a, b, c=np_call: c(np, getattr(np, name), a, b), zeros, numpy.full(1, one, dtype))
