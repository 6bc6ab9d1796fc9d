"""Calls that spell their options out: those that say what is the default anyway, and those beside them that do not."""

import itertools
import warnings

import numpy
import pytest

import fastnp
from tests._oracle import agree
from tests._tables import DTYPES

LINE = numpy.array([1.5, 2.5, 4.0])
ELEMENT = numpy.array(2.5)
DEFAULTS = [
    {"where": True},
    {"subok": True},
    {"casting": "same_kind"},
    {"order": "K", "dtype": None},
    {"subok": True, "where": True, "casting": "same_kind"},
]
OTHERS = [
    {"where": False},
    {"casting": "no"},
    {"casting": "unsafe"},
    {"casting": "nonsense"},
    {"order": "F"},
    {"dtype": "f4"},
    {"subok": False},
    {"keepdims": False},
    {"signature": "dd->d"},
    {"signature": None},
    {"sig": None},
    {"nonsense": None},
    {"where": numpy.array([True, False, True])},
]


PAIRS = [(LINE, LINE), (LINE, ELEMENT), (ELEMENT, ELEMENT), (LINE, 2), (ELEMENT, 2.0), (LINE > 2, ELEMENT)]


@pytest.mark.parametrize("a, b", PAIRS)
def test_binary_calls(a, b):
    shape = numpy.broadcast_shapes(a.shape, numpy.shape(b))
    for options, kind in itertools.product([{}, *DEFAULTS, *OTHERS], ["f8", "f4", "i8", "?"]):

        def into(xp, a, b, how, options=options, kind=kind):
            out = xp.ones(shape, kind)
            result = how(xp, out, a, b, options)
            return out, result is out

        ways = [
            lambda xp, out, a, b, options: xp.add(a, b, out, **options),
            lambda xp, out, a, b, options: xp.add(a, b, out=out, **options),
            lambda xp, out, a, b, options: xp.add(a, b, out=(out,), **options),
            lambda xp, out, a, b, options: xp.less(a, b, out=out, **options),
            lambda xp, out, a, b, options: xp.add(a, b, out, out=out, **options),
            lambda xp, out, a, b, options: xp.add(a, b, out=(out, out), **options),
            lambda xp, out, a, b, options: xp.add(a, b, out=(None,), **options) if options in DEFAULTS else out,
        ]
        for way in ways:
            agree(into, a, b, how=way)
    for options in [{}, *DEFAULTS, *[other for other in OTHERS if "where" not in other]]:
        agree(lambda xp, a, b, options=options: xp.add(a, b, **options), a, b)
        agree(lambda xp, a, b, options=options: xp.add(a, b, out=None, **options), a, b)


@pytest.mark.parametrize("a", [LINE, ELEMENT, LINE > 2])
def test_unary_calls(a):
    names = ["sqrt", "isnan", "negative"]
    for options, kind, name in itertools.product([{}, *DEFAULTS, *OTHERS[:-1]], ["f8", "f4", "?"], names):

        def into(xp, a, name=name, options=options, kind=kind):
            out = xp.ones(a.shape, kind)
            return getattr(xp, name)(a, out=out, **options), out, getattr(xp, name)(a, out, **options)

        agree(into, a)


@pytest.mark.parametrize("second", ["itself", "read-only", "part"])
def test_elements_into_others(second):
    def body(xp, a):
        out = {"itself": lambda: a, "read-only": lambda: xp.ones(()), "part": lambda: xp.arange(3.0)[1, ...]}[second]()
        if second == "read-only":
            out.flags.writeable = False
        return xp.divide(a, xp.array(0.0), out=out), out

    agree(body, ELEMENT, warns=True)


THINGS = {
    "range": lambda xp: range(3),
    "list": lambda xp: [1],
    "matrix": lambda xp: [[1, 2], [3, 4]],
    "tuple": lambda xp: (1.5, 2),
    "int": lambda xp: 1,
    "float": lambda xp: 2.5,
    "complex": lambda xp: 1j,
    "truth": lambda xp: True,
    "numpy.int64": lambda xp: numpy.int64(5),
    "numpy.float32": lambda xp: numpy.float32(1.5),
    "numpy.complex64": lambda xp: numpy.complex64(1 + 2j),
    "NaN": lambda xp: numpy.float64("nan"),
    "large": lambda xp: numpy.float64(1e300),
    "negative": lambda xp: numpy.int8(-3),
    "numpy.bool": lambda xp: numpy.True_,
    "array": lambda xp: xp.array([5]),
    "turned": lambda xp: xp.array([[1, 2], [3, 4], [5, 6]]).T,
    "backwards": lambda xp: xp.array([1, 2, 3])[::-1],
    "numpy.ndarray": lambda xp: numpy.array([[1.0, 2], [3, 4], [5, 6]]),
    "element": lambda xp: xp.array(3.0),
    "scalar": lambda xp: xp.array([1.5, 2])[0],
    "nested unevenly": lambda xp: [[1], [2, 3]],
}
CALLS = {
    "array": lambda xp, x, o: xp.array(x, **o),
    "without a copy where possible": lambda xp, x, o: xp.array(x, copy=None, **o),
    "without a copy": lambda xp, x, o: xp.array(x, copy=False, **o),
    "with axes": lambda xp, x, o: xp.array(x, copy=None, subok=False, ndmin=3, **o),
    "asarray": lambda xp, x, o: xp.asarray(x, **o),
    "asanyarray": lambda xp, x, o: xp.asanyarray(x, **o),
    "ascontiguousarray": lambda xp, x, o: xp.ascontiguousarray(x, **o),
    "asfortranarray": lambda xp, x, o: xp.asfortranarray(x, **o),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("thing", THINGS)
def test_arrays_of_anything(call, thing):
    dtypes, orders = [None, "f8", "i8", "f4", "u1", "?", "c16"], [None, "C", "F", "A", "K", "f", "Z"]
    for dtype, order in itertools.product(dtypes, orders):
        options = {name: value for name, value in (("dtype", dtype), ("order", order)) if value is not None}
        if order is not None and call.startswith("as") and call.endswith(("contiguousarray", "fortranarray")):
            continue

        def body(xp, options=options):
            given = THINGS[thing](xp)
            result = CALLS[call](xp, given, options)
            # NumPy's own array is shared here, but it is never ours.
            return result, result is given or thing == "numpy.ndarray"

        agree(body, warns=True)


SPECIAL = numpy.array(
    [0, -0.0, 1.5, -2.5, numpy.nan, numpy.inf, -numpy.inf, 1e5, -7e4, 3e9, 2.0**40, 1e19, 1e300, 255.5]
)


@pytest.mark.parametrize(
    "casting", [numpy.str_("unsafe"), numpy.str_("no"), numpy.array(["no", "safe"]), 5, None, b"no"]
)
def test_rules_for_casts_of_other_types(casting):
    for options in ({}, {"dtype": "f4"}, {"dtype": "i8"}):
        for given in (LINE, LINE.astype("i4")):
            agree(lambda xp, a, o=options: xp.add(a, a, casting=casting, **o), given, warns=True)
            agree(lambda xp, a, o=options: xp.add(a, 2, out=xp.zeros(3), casting=casting, **o), given, warns=True)


@pytest.mark.parametrize("casting", ["unsafe", "no", "equiv", "safe"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("size", [1, 14, 300])
def test_rules_for_casts(size, dtype, casting):
    """Into an array of any dtype, or none: values, errors and warnings, which tell of casts as well."""
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = numpy.resize(SPECIAL if size > 1 else SPECIAL[10:11], size).astype(dtype)
    names = ("add", "true_divide", "less", "sqrt", "maximum")
    for name, second in itertools.product(names, (given, given[::-1], 2, 300)):
        for into in (None, *DTYPES):

            def body(xp, given, second, name=name, into=into):
                operands = (given,) if name == "sqrt" else (given, second)
                out = {} if into is None else {"out": xp.zeros(size, into)}
                return getattr(xp, name)(*operands, **out, casting=casting)

            agree(body, given, second, warns=True)


@pytest.mark.parametrize("name", ["asarray", "asanyarray", "ascontiguousarray", "asfortranarray"])
@pytest.mark.parametrize("shape", [(), (1,), (3,), (1, 3)])
def test_numpys_arrays_share_their_memory(name, shape):
    given = numpy.ones(shape)
    for options in (
        ({}, {"dtype": "f8"})
        if name.endswith(("contiguousarray", "fortranarray"))
        else ({}, {"dtype": "f8"}, {"order": "C"})
    ):
        result = getattr(fastnp, name)(given, **options)
        assert numpy.shares_memory(numpy.asarray(result), given)
        assert result.shape == getattr(numpy, name)(given, **options).shape
    assert numpy.shares_memory(numpy.asarray(fastnp.array(given, copy=None)), given)
    assert not numpy.shares_memory(numpy.asarray(fastnp.array(given)), given)
