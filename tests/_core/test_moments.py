"""Means, variances and standard deviations of plain arrays, in NumPy's own steps: equal bit for bit."""

import warnings

import numpy
import pytest

import fastnp
from tests._oracle import Cells, agree
from tests._tables import DTYPES

RNG = numpy.random.default_rng(8)
FUNCTIONS = ["mean", "var", "std"]
WAYS = [
    {},
    {"axis": 0},
    {"axis": 1, "keepdims": True},
    {"axis": (0, 1)},
    {"axis": -1, "dtype": "f8"},
    {"dtype": "f4"},
    {"dtype": "c16"},
    {"dtype": "f2"},
]


def matrix(dtype, shape=(5, 7)):
    """Numbers of a dtype, some of them complex, none of them large."""
    values = RNG.normal(size=shape) * 20
    if numpy.dtype(dtype).kind == "c":
        return (values + 1j * RNG.normal(size=shape)).astype(dtype)
    return numpy.abs(values).astype(dtype) if numpy.dtype(dtype).kind in "bu" else values.astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_axes_and_dtypes(name, dtype):
    for values in (matrix(dtype), matrix(dtype, (3, 1)), matrix(dtype, (40, 33))):
        for keywords in WAYS:
            for turn in (False, True):
                agree(lambda xp, x, name=name, keywords=keywords, turn=turn: getattr(xp, name)(
                    x.T if turn else x, **keywords), values)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["var", "std"])
def test_given_mean(name, dtype):
    """The mean that is given counts, whether it is the array's or another; one that does not fit is NumPy's to read."""
    def body(xp, x, way, kind, shift):
        mean = (x.mean(axis=way.get("axis"), keepdims=True) + shift).astype(kind)
        mask = xp.asarray(x > 3)
        return [getattr(xp, name)(x, mean=mean, **way), getattr(x, name)(mean=mean, **way),
                getattr(xp, name)(x, mean=mean, where=mask, **way), getattr(xp, name)(x, mean=3, **way)]

    for values in (matrix(dtype), matrix(dtype, (40, 33)), matrix(dtype, (3, 1))):
        for way in ({}, {"axis": 0}, {"axis": 1, "keepdims": True}, {"axis": (0, 1), "ddof": 1}, {"dtype": "f8"}):
            for kind, shift in (("f8", 0), ("f8", 2), ("f4", 0), ("c16", 0), (dtype, 1)):
                agree(body, values, way, kind, shift)
    agree(lambda xp, x: getattr(xp, name)(x, axis=0, mean=x.mean(axis=0)), matrix(dtype))
    agree(lambda xp, x: getattr(xp, name)(x, axis=0, mean=x[:1, :3]), matrix(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_axis_and_scalars(name, dtype):
    agree(lambda xp, x: getattr(xp, name)(x), matrix(dtype, ()))
    agree(lambda xp, x: getattr(x[0], name)(), matrix(dtype, (3,)))
    agree(lambda xp, x: getattr(xp, name)(x[0], axis=None, keepdims=True), matrix(dtype, (3,)))
    agree(lambda xp, x: getattr(xp, name)(x[0], axis=0), matrix(dtype, (3,)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_array_that_takes_the_result(name, dtype):
    def body(xp, x, into, axis, asked):
        out = xp.zeros(*into)
        result = getattr(xp, name)(x, axis=axis, dtype=asked, out=out)
        return out, result is out

    for into in ((7, "f8"), (7, "f4"), (7, "c16"), (7, "i8"), (7, "f2"), (5, "f8"), ((1, 7), "f8")):
        for asked in (None, "f8"):
            agree(lambda xp, x, into=into, asked=asked: body(xp, x, into, 0, asked), matrix(dtype))


def test_what_is_written_into_part_of_the_operand():
    def body(xp, x):
        xp.mean(x, axis=0, out=x[1])
        xp.var(x, axis=0, out=x[2, ::-1])
        return x

    agree(body, matrix("f8"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_not_finite(name):
    for special in (numpy.inf, numpy.nan, 1e308, 65504.0):
        for dtype in ("f2", "f4", "f8", "c8", "c16"):
            with numpy.errstate(all="ignore"):
                values = numpy.array([[1, special, 2], [special, 3, 4]]).astype(dtype)
            agree(lambda xp, x, name=name: getattr(xp, name)(x, axis=1), values, warns=True)
            agree(lambda xp, x, name=name: getattr(xp, name)(x), values, warns=True)


@pytest.mark.parametrize("axis", [None, 1])
@pytest.mark.parametrize("dtype", ["c16", "c8"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_warning_of_complex_numbers_is_given_once(name, dtype, axis):
    def messages(xp):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            getattr(xp, name)(xp.array([[1, complex("inf+1j")], [2, 3]]).astype(dtype), axis=axis)
        return sorted(str(record.message) for record in caught)

    assert messages(fastnp) == messages(numpy)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_of_two_errors_the_first_is_numpys(name):
    mask = numpy.array([True, False, True])
    agree(lambda xp, x, mask: getattr(xp, name)(x, dtype="nonsense", where=mask), numpy.array(False), mask)
    agree(lambda xp, x: getattr(xp, name)(x, dtype="nonsense"), numpy.array([1.0, 2.0]))


@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_accumulations(name, dtype):
    def into(xp, x, kind):
        out = xp.zeros(x.shape, kind)
        return getattr(xp, name)(x, axis=0, out=out) is out, out

    agree(lambda xp, x: getattr(xp, name)(x[0, 0]), matrix(dtype))
    for kind in ("f8", "f4", "i8", "c16", "u1"):
        agree(lambda xp, x, kind=kind: getattr(xp, name)(x, dtype=kind), matrix(dtype))
        agree(lambda xp, x, kind=kind: getattr(xp, name)(x, axis=1, dtype=kind), matrix(dtype))
        agree(lambda xp, x, kind=kind: into(xp, x, kind), matrix(dtype))


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_positions_into_an_array(name, dtype):
    def into(xp, x, shape, kind):
        out = xp.zeros(shape, kind)
        return getattr(xp, name)(x, axis=0, out=out) is out, out

    for shape, kind in ((7, "i8"), (7, "i4"), (7, "f8"), (5, "i8")):
        agree(lambda xp, x, shape=shape, kind=kind: into(xp, x, shape, kind), matrix(dtype))


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "any", "all"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions_of_one_number(name, dtype):
    agree(lambda xp, x: getattr(xp, name)(x), matrix(dtype, ()))
    agree(lambda xp, x: getattr(x[0], name)(), matrix(dtype, (3,)))
    agree(lambda xp, x: getattr(x[0], name)(axis=()), matrix(dtype, (3,)))
    agree(lambda xp, x: getattr(x[0], name)(axis=0), matrix(dtype, (3,)))
    agree(lambda xp, x: getattr(x[0], name)(keepdims=True), matrix(dtype, (3,)))


@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_accumulation_into_its_operand(name):
    def body(xp, x, into):
        getattr(xp, name)(x[0], out=x[into] if into is not None else x[0, ::-1])
        return x

    for dtype in ("f8", "i8", "c16"):
        for into in (0, 1, None):
            agree(body, matrix(dtype), into)
    agree(lambda xp, x: xp.cumsum(x, axis=0, out=xp.zeros((5, 6))), matrix("f8"))


@pytest.mark.parametrize("shape", [(1,), (3,), (300,), (5, 4), (2, 3, 4), (40, 50)])
def test_of_what_a_mask_lets_in(shape):
    rng = numpy.random.default_rng(len(shape))
    values = rng.random(shape) * 10
    masks = [rng.random(shape) < 0.5, rng.random(shape) < 0.95, numpy.ones(shape, bool), numpy.zeros(shape, bool)]
    freedoms = ({}, {"ddof": 1}, {"ddof": 0.5})
    ways = {"mean": ({}, {"dtype": "f8"}, {"dtype": "f4"}), "var": freedoms, "std": freedoms}
    with Cells() as cells, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for dtype in ("f8", "f4", "i8", "i4", "u1", "?", "f2", "c16"):
            for number, mask in enumerate(masks):
                for axis in (None, 0, -1, tuple(range(len(shape)))):
                    for name, options in ways.items():
                        for kwargs in options:
                            kwargs = kwargs | {"axis": axis, "keepdims": number % 2 == 0}
                            cells.same(
                                f"{name} {dtype} {number} {kwargs}",
                                lambda xp, a, m, name=name, kwargs=kwargs: getattr(xp, name)(a, where=m, **kwargs),
                                values.astype(dtype), mask)
