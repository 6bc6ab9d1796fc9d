"""Printing, equal to NumPy's to the byte (row 95).

https://numpy.org/doc/stable/reference/routines.io.html#text-formatting-options
"""

import numpy
import pytest

import fastnp
from tests._oracle import Cells, agree, same_as_numpy
from tests._tables import DTYPES, SHAPES, edges, filled

BATCHES = 20
PER_BATCH = 100


def fuzzed(rng):
    """An array of random dtype, shape, layout and magnitude, with special values strewn in."""
    dtype = DTYPES[rng.integers(len(DTYPES))]
    shape = tuple(int(n) for n in rng.choice([0, 1, 1, 2, 3, 4, 7, 30], size=rng.integers(0, 4)))
    if rng.random() < 0.05:
        shape = ((1001,), (40, 40), (3, 400))[rng.integers(3)]
    size = int(numpy.prod(shape, dtype=int))
    if dtype.kind in "biu":
        info = numpy.iinfo(dtype) if dtype.kind != "b" else None
        high = 2 if info is None else min(int(info.max), 10 ** int(rng.integers(1, 19)))
        low = 0 if dtype.kind in "bu" else -high
        values = rng.integers(low, high, size).astype(dtype)
    else:
        with numpy.errstate(all="ignore"):
            scale = 10.0 ** rng.integers(-12, 13)
            values = (rng.standard_normal(size) * scale).round(int(rng.integers(0, 9)))
            if dtype.kind == "c":
                values = values + 1j * rng.standard_normal(size)
            values = values.astype(dtype)
            if size and rng.random() < 0.3:
                values[rng.integers(size, size=1 + size // 5)] = rng.choice(edges(dtype), size=1 + size // 5)
    array = values.reshape(shape)
    cut = rng.integers(4)
    return array.T if cut == 1 else array[..., ::-1] if cut == 2 and array.ndim else array


@pytest.mark.parametrize("seed", range(BATCHES))
def test_repr_and_str_of_fuzzed_arrays(seed):
    """Row 95: 2,000 arrays in all."""
    rng = numpy.random.default_rng(seed)
    with Cells() as cells:
        for k in range(PER_BATCH):
            x = fuzzed(rng)
            flip = x.ndim > 0 and bool(rng.integers(2))
            for function in (repr, str):
                label = f"{function.__name__} {k} {x.dtype}{x.shape}"
                cells.same(label, lambda xp, x, f=function, flip=flip: f(x[::-1] if flip else x), x)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_repr_of_shapes(shape, dtype):
    agree(lambda xp: [f(xp.array(filled(shape, dtype))) for f in (repr, str)])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_repr_of_edge_values(dtype):
    agree(lambda xp: [(repr(xp.array(edges(dtype))), str(xp.array(edges(dtype))))])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_repr_of_elements(dtype):
    """Row 95: `repr(a[0])` is `np.float64(1.0)`, `str(a[0])` is `1.0`."""
    agree(lambda xp: [(repr(x), str(x), f"{x}") for x in xp.array(edges(dtype))])


def test_repr_of_an_element_names_the_dtype():
    assert repr(fastnp.ones(1)[0]) == repr(numpy.ones(1)[0])
    assert repr(fastnp.ones(1)[0]).startswith("np.float64(")


OPTIONS = [
    {"precision": 3},
    {"precision": 0},
    {"precision": 12, "floatmode": "fixed"},
    {"floatmode": "unique"},
    {"floatmode": "maxprec_equal", "precision": 4},
    {"suppress": True},
    {"threshold": 5},
    {"threshold": 0, "edgeitems": 1},
    {"edgeitems": 2, "threshold": 4},
    {"linewidth": 30},
    {"linewidth": 200},
    {"sign": "+"},
    {"sign": " "},
    {"nanstr": "NaN", "infstr": "Inf"},
    {"formatter": {"float": lambda v: f"<{v:.1f}>"}},
    {"formatter": {"all": lambda v: "x"}},
    {"formatter": {"int_kind": hex}},
    {"legacy": "1.13"},
    {"legacy": "1.25"},
]


def named(options):
    """Return the options as a test's name; a function in them would have its address there, another in each process."""
    return str({name: sorted(value) if name == "formatter" else value for name, value in options.items()})


@pytest.mark.parametrize("options", OPTIONS, ids=named)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "c16", "?", "u1"])
def test_printoptions(options, dtype):
    """Row 95: the context manager and set_printoptions rule arrays and elements."""

    def body(xp):
        x = xp.array((filled((5, 6), dtype) * numpy.array(1.37)).astype(dtype))
        with xp.printoptions(**options):
            inside = [repr(x), str(x), repr(x[0]), repr(x[0, 1]), str(x[::-1]), xp.array2string(x)]
        before = xp.get_printoptions()
        xp.set_printoptions(**options)
        after = repr(x)
        xp.set_printoptions(**before)
        return inside, after, repr(x)

    agree(body)


ARRAY2STRING = [
    {},
    {"separator": ", "},
    {"prefix": "values = ", "separator": ","},
    {"suffix": "    ;", "max_line_width": 40},
    {"precision": 2},
    {"suppress_small": True},
    {"threshold": 3, "edgeitems": 1},
    {"formatter": {"float_kind": lambda v: f"{v:.1e}"}},
    {"floatmode": "fixed", "precision": 1, "sign": "+"},
]


@pytest.mark.parametrize("options", ARRAY2STRING, ids=named)
def test_array2string(options):
    agree(lambda xp: [xp.array2string(xp.array(filled((3, 4), dtype)), **options) for dtype in ("f8", "i8", "c8")])
    agree(lambda xp: [xp.array2string(xp.array(2.5), **options), xp.array2string(xp.zeros((0, 2)), **options)])


@same_as_numpy
def test_array_repr_and_array_str(xp):
    x = xp.array([[1e-10, 1.0], [2.5, 1e10]])
    return xp.array_repr(x, precision=3, suppress_small=True), xp.array_str(x, precision=2), xp.array_repr(x, 30)


@same_as_numpy
def test_format_float(xp):
    x = xp.array([1 / 3, 1e-20, 1e20])
    return [[xp.format_float_positional(v, precision=4), xp.format_float_scientific(v, precision=4)] for v in x]


@same_as_numpy
def test_format_of_arrays(xp):
    x = xp.arange(3.0)
    return f"{x}", f"{x!r}", f"{x!s:>20}", f"{xp.array(2.5):.3f}", f"{xp.array([2.5])}"


@pytest.mark.parametrize("specification", [".2f", "d", ">10"])
def test_format_of_arrays_with_a_specification(specification):
    agree(lambda xp: format(xp.arange(3.0), specification))
    agree(lambda xp: format(xp.array(2), specification))


@same_as_numpy
def test_long_arrays_are_summarized(xp):
    return [repr(xp.arange(n)) for n in (999, 1000, 1001, 5000)] + [str(xp.zeros((60, 60))), repr(xp.zeros((2000, 2)))]


@same_as_numpy
def test_nested_in_containers(xp):
    x = xp.arange(3)
    return repr([x, x[0]]), str({"a": x}), repr((x.sum(), x.mean())), f"{x} {x[1]}"


def test_arrays_with_gradients_print_their_values():
    """Printing is not an operation to differentiate."""
    x = fastnp.asarray(fastnp.arange(3.0).tensor.clone().requires_grad_())
    assert repr(x) == repr(numpy.arange(3.0))
    assert str(x * 2) == str(numpy.arange(3.0) * 2)


def test_bfloat16_prints():
    x = fastnp.array([1.5, 2.25]).astype("bfloat16")
    want = numpy.array([1.5, 2.25]).astype(x.dtype)
    assert repr(x) == repr(want)
    assert str(x) == str(want)
