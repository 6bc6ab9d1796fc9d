"""Which arguments the oracle gives to which public function: one strategy for each parameter, by its name.

`PARAMETERS` holds for all functions, `SPECIAL` for one. A parameter of `LEFT_ALONE` keeps its default, a function of
`ELSEWHERE` is tested in another place; both say why.
"""

import numpy
from hypothesis import strategies as st

from tests._oracle import Layout
from tests._tables import ELEMENTARY, edges, moderate

DTYPES = tuple(map(numpy.dtype, ("?", "i1", "u2", "i8", "f4", "f8", "c16")))
REAL = tuple(map(numpy.dtype, ("i8", "f4", "f8", "u1")))
FLOATING = tuple(map(numpy.dtype, ("f8", "f4", "c16")))
INTEGER = tuple(map(numpy.dtype, ("i8", "u1", "i4")))
SHAPES = ((), (3,), (2, 3), (0,), (1, 3), (3, 1), (2, 1, 3), (2, 0), (4,))
REVERSED = (slice(None, None, -1),)
LAYOUTS = ("C", "C", "F", "reversed", "list")


def made(dtype, shape, layout, seed):
    """Return an array, a view (as its recipe), a nested list or a scalar."""
    size = int(numpy.prod(shape, dtype=int))
    source = edges(dtype) if seed % 7 == 0 else moderate(dtype)
    values = numpy.resize(numpy.roll(source, seed), size).astype(dtype).reshape(shape)
    if layout == "list":
        return values.tolist()
    if layout == "F" and values.ndim > 1:
        return Layout(numpy.ascontiguousarray(values.T), (), tuple(range(values.ndim))[::-1])
    if layout == "reversed" and values.ndim:
        return Layout(numpy.ascontiguousarray(values[::-1]), REVERSED)
    return values


def arrays(dtypes=DTYPES, shapes=SHAPES, layouts=LAYOUTS):
    """Return a strategy for array-likes."""
    return st.builds(
        made, st.sampled_from(dtypes), st.sampled_from(shapes), st.sampled_from(layouts), st.integers(0, 40)
    )


def choice(*values):
    """Return a strategy for one of these."""
    return st.sampled_from(values)


def several(strategy, least=0, most=3):
    """Return a strategy for a list."""
    return st.lists(strategy, min_size=least, max_size=most)


VECTORS = ((3,), (4,), (1,), (0,))
LINES = ((3,), (4,), (5,))
MATRICES = ((2, 2), (3, 3), (2, 3), (2, 2, 2), (0, 0), (3,))
SQUARE = ((2, 2), (3, 3), (1, 1), (2, 2, 2), (2, 3))

ANY = arrays()
REALS = arrays(REAL)
FLOATS = arrays(FLOATING)
INTEGERS = arrays(INTEGER)
VECTOR = arrays(shapes=VECTORS)
LINE = arrays(REAL, LINES)
MATRIX = arrays(FLOATING, MATRICES)
SQUARES = arrays(FLOATING, SQUARE)
COEFFICIENTS = arrays(tuple(map(numpy.dtype, ("f8", "i8"))), ((3,), (1,), (4,)), ("C", "list"))
FLAGS = st.booleans()
SMALL = st.integers(-2, 6)
NUMBER = choice(0, 1, -1, 2, 0.5, -1.5, 3.0)
POSITIVE = choice(1, 2, 0.5, 3.5, numpy.array([0.5, 2.0, 3.0]), numpy.array([[1.0], [2.0]]))
SHAPE = choice(3, (2, 3), (), (0,), (2, 1, 2), [2, 2], -1, 2.5, None)
SIZE = choice(None, 3, (2, 3), (), 0, -1)
ABOVE = choice(3, 5, 7, 10)
AXIS = choice(0, -1, 1, 2, -3)
AXES = choice(None, 0, -1, 1, (0,), (0, 1), (), 4, (0, 0), 1.5)
DTYPE = choice(None, "f8", "f4", "i4", "c16", "?", "u1", float, int, "nonsense")
POINTS = choice(0, 1, 2, 5, 8, 1.5, -1)
ORDER = choice("C", "F", "A", "K", "X")
INDICES = choice(0, 1, -1, [0, 1], [1, 1, 0], numpy.array([[0, 1]]), [], 7, [0, 9], numpy.array([True, False]))
DATES = "dates, which only NumPy has"
STATE = "the state of the process: tests/_core/test_printing.py, tests/_core/test_ufunc.py"
FILES = "reads or writes files: tests/_routines/test_io.py"
TEXT = "text by design of NumPy: tests/_core/test_printing.py"
OBJECT = "makes an object, not a value"

PARAMETERS = {
    name: strategy
    for names, strategy in (
        (
            "a x m y arr ary array val c c1 c2 pol z p element test_elements b x1 x2 a1 a2 tensor object f condition",
            ANY,
        ),
        ("v A seq_of_zeros filt ar ar1 ar2", VECTOR),
        ("u roots r off", COEFFICIENTS),
        ("axis axis1 axis2 axisa axisb axisc", AXIS),
        ("axes", choice(None, 0, 1, (0,), (0, 1), (1, 0), (0, 0), 3)),
        ("dtype", DTYPE),
        (
            (
                "keepdims endpoint retstep assume_unique "
                "return_index return_inverse return_counts return_indices equal_nan "
                "subok copy invert hermitian full rowvar bias "
                "returned density increasing sparse sorted stable include_initial "
                "overwrite_input compute_uv full_matrices upper"
            ),
            FLAGS,
        ),
        ("n k N M offset deg shift ndmin minlength decimals", SMALL),
        (
            (
                "initial fill_value ddof correction nan posinf neginf dx "
                "discont period left right to_begin to_end prepend append "
                "a_min a_max min max number"
            ),
            NUMBER,
        ),
        ("order", ORDER),
        ("shape new_shape dims", SHAPE),
        ("size", SIZE),
        ("arrays tup", several(ANY)),
        ("where", choice(True, False, numpy.array([True, False, True]))),
        ("weights", choice(None, numpy.array([1.0, 2.0, 3.0]), [1, 2], numpy.array([1.0, 2.0, 3.0, 4.0]))),
        ("rtol atol tol rcond", choice(0.0, 1e-5, 0.1, 1)),
        ("kind", choice(None, "quicksort", "stable", "heapsort", "nonsense")),
        ("indices_or_sections", choice(1, 2, 3, [1], [1, 2], 0, -1, [5])),
        ("q", choice(0.5, 0, 1, [0.25, 0.75], 50, -1, 0.1)),
        ("method", choice("linear", "lower", "nearest", "hazen", "midpoint", "weibull", "nonsense")),
        ("bins", choice(1, 3, 10, [0, 1, 2], [0.0, 1.5, 3.0], 0, "auto", [2, 1], -1)),
        ("range", choice(None, (0, 3), (-1.0, 1.0), (2, 2), (3, 1))),
        ("mode", choice("raise", "wrap", "clip", "full", "valid", "same", "reduced", "complete", "r", "nonsense")),
        ("side", choice("left", "right", "middle")),
        ("norm", choice(None, "ortho", "forward", "backward", "nonsense")),
        ("UPLO", choice("L", "U", "X")),
        ("start", NUMBER),
        ("stop", NUMBER),
        ("step", NUMBER),
        ("num", POINTS),
        ("indices ind", INDICES),
        ("s", choice(None, (2,), (3, 3), (4, 2))),
        ("values vals", REALS),
        ("indexing", choice("xy", "ij", "k")),
        ("trim", choice("fb", "f", "b", "x")),
        ("bitorder", choice("big", "little", "middle")),
        ("lbnd scl", choice(0, 1, -0.5)),
        ("maxpower pow", choice(0, 1, 2, 3, -1)),
        ("w", choice(None, numpy.array([1.0, 2.0, 1.0]), [1.0, 1.0, 2.0, 2.0])),
    )
    for name in names.split()
}

LEFT_ALONE = {
    "out": "arrays that are written: tests/_core/test_ufunc.py, tests/_routines, tests/_both_paths.py",
    "like": "NumPy's protocol: tests/_core/test_interchange.py",
    "device": "NumPy has one device",
    "casting": "tests/_core/test_promotion.py",
    "ndmax": "new in NumPy 2.4, where it matters for objects only",
    "einsum_call": "as optimize",
    "default": "a letter of a dtype",
    "optimize": "the order of products, not their value",
    "mean": "a mean known before: tests/_routines/test_reductions.py",
    "args": "arguments for the function that is called",
    "sorter": "tests/_routines/test_sorting.py",
    "edge_order": "tests/_routines/test_statistics.py",
    "fweights": "tests/_routines/test_statistics.py",
    "aweights": "tests/_routines/test_statistics.py",
    "typeset": "letters of dtypes",
    "requirements": "flags of memory: tests/_core/test_flags.py",
    "allow_duplicate": "tests/_core/test_reduction.py",
    "argname": "part of an error's text",
    "padding": "text",
    "base": "text",
    "width": "text",
    "sep": FILES,
    "count": FILES,
    "writeable": "a flag: tests/lib/test_stride_tricks.py",
    "check_valid": "warns: tests/random/test_streams.py",
}

# Public functions that another test covers, and where.
ELSEWHERE = {
    name: reason
    for names, reason in (
        ("save savez savez_compressed savetxt loadtxt genfromtxt fromfile fromregex", FILES),
        (
            ("array_repr array_str array2string format_float_positional "
             "format_float_scientific info show_config show_runtime"),
            TEXT,
        ),
        (
            (
                "set_printoptions get_printoptions printoptions seterr "
                "geterr seterrcall geterrcall setbufsize getbufsize "
                "polynomial.set_default_printstyle"
            ),
            STATE,
        ),
        ("busday_count busday_offset is_busday datetime_as_string datetime_data", DATES),
        ("asmatrix bmat", "matrices are NumPy's: no values of ours"),
        ("frompyfunc nested_iters", OBJECT),
        ("empty empty_like", "values that are not set: tests/_routines/test_creation.py"),
        ("shares_memory may_share_memory", "of one array's memory: tests/_core/test_views.py"),
        ("lib.array_utils.byte_bounds", "addresses of memory"),
        ("random.ranf random.sample", "aliases of random.random_sample"),
    )
    for name in names.split()
}
GROUPS_ELSEWHERE = {
    "lib.format": FILES,
    "lib.npyio": FILES,
    "testing": "assertions: tests/test_testing.py",
    "lib": OBJECT,
    "lib.introspect": OBJECT,
}
# A zero that BLAS adds first takes the sign of another, or not, by the place in the matrix.
TOLERANCE = ELEMENTARY | dict.fromkeys(("tensordot", "linalg.tensordot"), "sum")
LAYOUT_DIFFERS = {"mask_indices": "NumPy gives columns of one array of indices; ours are arrays of their own"}
