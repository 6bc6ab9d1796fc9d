"""Products of vectors, matrices and tensors."""

import itertools
import math
import operator

import numpy
import pytest

import fastnp
from tests._both_paths import COMPLEX, CUBE, POSITIVE, RNG, SQUARE, VECTOR, WIDE, plain_path, rows, torch_path
from tests._oracle import SUMS_OF_FEW, Cells, agree
from tests._tables import DTYPES, FEW_DTYPES

CASES = {
    "cross": [(WIDE[:, :3], WIDE[:, 2:])],
    "dot": [
        (SQUARE, POSITIVE),
        (VECTOR, VECTOR),
        (SQUARE, SQUARE[0]),
        (CUBE, SQUARE[:, 0]),
        (CUBE, RNG.normal(size=(2, 4, 3))),
        (VECTOR, 2.0),
    ],
    "einsum": [
        ("ij,jk->ik", SQUARE, POSITIVE),
        ("ii", SQUARE),
        ("ij->j", SQUARE),
        ("i...->...", CUBE),
        (SQUARE, [0, 1], POSITIVE, [1, 2]),
    ],
    "inner": [(SQUARE, POSITIVE), (VECTOR, VECTOR), (CUBE, SQUARE), (SQUARE, SQUARE.T), (SQUARE, SQUARE[:2]),
              (SQUARE, SQUARE[0]), (SQUARE[0], SQUARE), (SQUARE[::-1, ::-1], SQUARE)],
    "kron": [(SQUARE, POSITIVE), (VECTOR, SQUARE)],
    "outer": [(VECTOR, WIDE)],
    "tensordot": [(SQUARE, POSITIVE), (CUBE, CUBE, ([0, 1], [0, 1])), (SQUARE, POSITIVE, 1)],
    "trace": [(SQUARE,), (SQUARE, 1), (CUBE, 0, 1, 2)],
    "vdot": [(COMPLEX, COMPLEX)],
}


@pytest.mark.parametrize("name, call", rows(CASES))
def test_plain_arrays_give_numpys_numbers(name, call):
    # Contractions of einsum go to BLAS, which adds up in another order.
    plain_path(name, call, tolerance={"einsum": "sum", "inner": SUMS_OF_FEW}.get(name, "exact"))


@pytest.mark.parametrize("name, call", rows(CASES))
def test_gradients_go_through(name, call):
    torch_path(name, call)


SHAPES = [(), (3,), (0,), (2, 3), (3, 2), (0, 3), (2, 3, 2), (3, 2, 2), (2, 0, 2), (0, 2, 0), (1, 2, 3)]
AXES = [0, 1, 2, (0, 0), (1, 0), (-1, 0), ((0,), (0,)), ((1,), (0,)), ((0, 1), (1, 0)), ((-1, 0), (0, 1)), ((), ())]


@pytest.mark.parametrize("where", ["", "linalg"], ids=["numpy", "linalg"])
def test_tensordot_of_any_shapes(where):
    """Axes that stay may be any number on either side, and of any length."""
    with Cells(layout=False) as cells:
        for first, second, axes in itertools.product(SHAPES, SHAPES, AXES):
            a = numpy.arange(numpy.prod(first, dtype=int)).reshape(first)
            b = numpy.arange(numpy.prod(second, dtype=int)).reshape(second)
            cells.same(
                f"{first} {second} {axes}",
                lambda xp, a, b, axes=axes: (getattr(xp, where) if where else xp).tensordot(a, b, axes=axes), a, b,
            )


@pytest.mark.parametrize("where", ["", "linalg"], ids=["numpy", "linalg"])
@pytest.mark.parametrize("dtype", FEW_DTYPES)
def test_tensordot_of_any_layout(where, dtype):
    """Axes are moved to where a product of matrices sums over them, from any order in memory."""
    rng = numpy.random.default_rng(4)
    cube = (rng.normal(size=(3, 4, 5)) * 3 + (1j if dtype.kind == "c" else 0)).astype(dtype)
    layouts = [cube, cube.copy("F"), cube[::-1, :, ::-1], numpy.repeat(cube, 2, 1)[:, ::2]]
    calls = [1, (0, 0), ([0, 1], [0, 1]), ([1, 2], [1, 2]), ([0, 2], [0, 2]), ([0, 1, 2], [0, 1, 2]), (2, -1), 5,
             ([0], [1]), ([0, 0], [0, 1]), ([numpy.int64(2)], [2]), (range(2), (0, 1)), 2.5, "ij", ([7], [0]), ()]
    with Cells(tolerance="sum", layout=False) as cells:
        for (i, first), (j, second), axes in itertools.product(enumerate(layouts), enumerate(layouts), calls):
            cells.same(
                f"{i} {j} {axes}",
                lambda xp, a, b, axes=axes: (getattr(xp, where) if where else xp).tensordot(a, b, axes=axes),
                first, second,
            )


STACKS = [(4,), (1,), (4, 3), (1, 4), (4, 1), (2, 3, 4), (2, 4, 3), (1, 3, 4), (2, 4, 1), (2, 1, 3, 4), (2, 5, 4, 3),
          (0, 3, 4), (2, 3, 0), (5, 2, 3, 4)]
LAYOUTS = {
    "in order": lambda a: a,
    "turned": lambda a: a.copy(order="F"),
    "backwards": lambda a: a[..., ::-1],
    "stack backwards": lambda a: a[::-1],
    "cut": lambda a: numpy.repeat(a, 2, -1)[..., ::2],
}


@pytest.mark.parametrize("name", ["matmul", "dot"])
@pytest.mark.parametrize("dtypes", [("f8", "f8"), ("f4", "f4"), ("i8", "i8"), ("u1", "f8"), ("?", "i4"), ("c16", "c16"),
                                    ("f2", "f2")])
def test_products_of_stacks(name, dtypes):
    """Any number of axes on either side, in any layout."""
    with Cells(tolerance="sum") as cells:
        for first, second in itertools.product(STACKS, STACKS):
            a, b = (RNG.integers(-9, 9, shape).astype(dtype) / 7 if dtype[0] in "fc" else RNG.integers(0, 9, shape)
                    for shape, dtype in zip((first, second), dtypes, strict=True))
            a, b = a.astype(dtypes[0]), b.astype(dtypes[1])
            for label, layout in LAYOUTS.items():
                cells.same(f"{first} {second} {label}", lambda xp, a, b: getattr(xp, name)(a, b), layout(a), layout(b))


@pytest.mark.parametrize("name", ["matmul", "dot"])
def test_products_into_an_array(name):
    """What fits is written; of another dtype, shape, order or right nothing is."""
    shapes = [((3, 4), (4,), (3,)), ((3, 4), (4, 2), (3, 2)), ((2, 3, 4), (4,), (2, 3)), ((4,), (4,), ()),
              ((3, 4), (4,), (4,)), ((3, 4), (4,), (1, 3)), ((3, 3), (4,), (3,))]

    def into(xp, a, b, out, read_only):
        out.flags.writeable = not read_only
        try:
            result = getattr(xp, name)(a, b, out=out)
            return [result is out, out]
        except (TypeError, ValueError) as error:
            return [type(error).__name__, out]

    with Cells(layout=False, tolerance="sum") as cells:
        calls = itertools.product(shapes, ("f8", "f4", "i8", "c16"), (False, True))
        for (first, second, wanted), dtype, read_only in calls:
            a, b = RNG.normal(size=first), RNG.normal(size=second)
            out = numpy.full(wanted, 7, dtype)
            cells.same(f"{first} {second} {wanted} {dtype} {read_only}", into, a, b, out, read_only)
            if out.ndim == 2:
                cells.same(f"{first} {second} turned {dtype}", lambda xp, a, b: into(
                    xp, a, b, xp.full(wanted[::-1], 7, dtype).T, False), a, b)  # noqa: B023 - called at once


def test_a_product_into_its_own_factor():
    a, b = RNG.normal(size=(4, 4)), RNG.normal(size=(4, 4))
    for name in ("matmul", "dot"):
        def inplace(xp, a, b, name=name):
            getattr(xp, name)(a, b, out=a)
            return a

        agree(inplace, a, b, tolerance="sum")


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("length", [0, 1, 3, 100, 5000])
def test_vdot_of_complex_vectors(dtype, length):
    """The first one is conjugated, whether few elements are multiplied at once or many by NumPy or torch."""
    rng = numpy.random.default_rng(length)
    a, b = ((rng.standard_normal(2 * length) + 1j * rng.standard_normal(2 * length)).astype(dtype) for _ in range(2))
    for first, second in ((a, b), (a[::2], b[1::2]), (a[::-1], b), (a, b.real), (a.real, b), (a, a)):
        agree(lambda xp, x, y: xp.vdot(x, y), first, second)


@pytest.mark.parametrize("dtype", DTYPES)
def test_kron_of_short_and_long_rows(dtype):
    """Few and many rows, short and long ones, of one dtype and of two, in any layout."""
    shapes = [
        ((6, 7), (7, 6)), ((9, 5), (4, 63)), ((9, 5), (4, 64)), ((3, 30), (30, 30)), ((4, 1), (40, 20)),
        ((30, 9), (3, 9)), ((5, 0), (9, 9)), ((20, 20), (20, 20)),
    ]  # fmt: skip
    for first, second in shapes:
        a, b = (RNG.integers(0, 9, shape).astype(dtype) for shape in (first, second))
        for x, y in ((a, b), (a, b.real.astype("f4")), (a.T.copy().T, b[::-1])):
            agree(lambda xp, x, y: xp.kron(x, y), x, y)


@pytest.mark.parametrize("where", ["", "linalg"], ids=["numpy", "linalg"])
def test_outer_product_of_single_complex_numbers(where):
    """NumPy rounds the product of one number by a row in another place than that of one by a line."""
    rng = numpy.random.default_rng(2)
    numbers = (rng.normal(size=(50, 1)) + 1j * rng.normal(size=(50, 1))) * 3
    agree(
        lambda xp, numbers: [(getattr(xp, where) if where else xp).outer(a, b) for a, b in zip(numbers, numbers[::-1])],
        numbers,
    )
    agree(lambda xp, numbers: [xp.kron(a, b) for a, b in zip(numbers, numbers[::-1])], numbers)


@pytest.mark.parametrize("name", ["dot", "matmul", "inner"])
def test_complex_columns_and_rows_give_numpys_zeros(name):
    """Of one column and one row BLAS keeps -1 * 0, and a sum that begins with 0 does not."""
    rng = numpy.random.default_rng(1)
    kinds = itertools.product("FDfd", "FDfd?il")
    shapes = itertools.product((1, 2, 5), (1, 2), (1, 3))
    with Cells(layout=False) as cells:
        for (first, second), (n, k, m), order in itertools.product(list(kinds), list(shapes), "CF"):
            if first not in "FD" and second not in "FD":
                continue
            a = (rng.integers(-1, 2, (n, k)) * (1.5 + 1j if first in "FD" else 1.5)).astype(first, order=order)
            b = (rng.integers(-1, 2, (k, m)) * (1 - 1j if second in "FD" else 1)).astype(second, order=order)
            b = b.T if name == "inner" else b
            cells.same(f"{first}{n, k} {second}{k, m} {order}", lambda xp, a, b: getattr(xp, name)(a, b), a, b)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?", "c16", "f2"])
def test_vdot_of_matrices_is_that_of_their_elements(dtype):
    with Cells(tolerance="sum") as cells:
        for first, second in (
            ((2, 3), (2, 3)), ((2, 3), (6,)), ((2, 3), (3, 2)), ((0, 3), (0,)), ((), (2,)), ((4,), (5,)),
        ):
            a, b = (
                numpy.asarray(RNG.normal(size=shape) * 5 + (1j if dtype == "c16" else 0)).astype(dtype)
                for shape in (first, second)
            )
            cells.same(f"{first} {second}", lambda xp, x, y: xp.vdot(x, y), a, b)
            cells.same(f"{first}.T {second}", lambda xp, x, y: xp.vdot(x.T, y), a, b)


@pytest.mark.parametrize("name", ["vecdot", "vdot", "linalg.vecdot"])
@pytest.mark.parametrize("dtype", ["F", "D"])
def test_products_of_one_complex_number(name, dtype):
    """NumPy: a gufunc gives axes of one element no step, BLAS does not take them, and infinities come out otherwise."""
    parts = [-numpy.inf, numpy.inf, 0.0, -0.0, 1.0, -2.5, numpy.nan]
    numbers = [complex(*pair) for pair in itertools.product(parts, parts)]
    with Cells(layout=False) as cells:
        for left, right in itertools.product(numbers, numbers):
            for shape in [(1,)] if name == "vdot" else [(1,), (2, 1)]:
                a, b = numpy.full(shape, left, dtype), numpy.full(shape, right, dtype)
                cells.same(f"{left} {right} {shape}", lambda xp, a, b: operator.attrgetter(name)(xp)(a, b), a, b)


NUMBERS = [0, 1, -2, 300, 2**40, 2**70, 0.0, -0.0, 1.5, -2.5, math.inf, math.nan, 1e300, True, 2j]


@pytest.mark.parametrize("dtype", DTYPES)
def test_multiples(dtype):
    """NumPy adds the multiple of floating-point numbers to zeros, and takes none by zero."""
    given = (0.0, -0.0, 1, 3) if numpy.dtype(dtype).kind in "fc" else (0, 1, 3, 100)
    lines = [numpy.array(given, dtype), numpy.array((*given, math.inf) if dtype in ("f4", "f8") else given, dtype)]
    with Cells(warns=True) as cells:
        for line in (*lines, lines[0].reshape(2, 2), lines[0].reshape(2, 2).T, numpy.resize(lines[0], (1 << 15) + 1)):
            for number in (*NUMBERS, *[numpy.array(3, other) for other in DTYPES]):
                cells.same(f"{number} on the right", lambda xp, x, y: xp.dot(x, y), line, number)
                cells.same(f"{number} on the left", lambda xp, x, y: xp.dot(y, x), line, number)
            cells.same("a scalar", lambda xp, x: xp.dot(x, x.max()), line)


OPERANDS = (
    3, 2.5, 1j, True, numpy.float64(2), numpy.float32(2), numpy.int8(3), [1, 2, 3], numpy.arange(3.0), numpy.arange(3),
    numpy.arange(9.0).reshape(3, 3), numpy.arange(3, dtype="f4"), numpy.array(2.0), numpy.array(2),
    numpy.array([-0.0, 1, numpy.nan]), numpy.arange(3) * 1j,
)


@pytest.mark.parametrize("name", ["dot", "inner"])
@pytest.mark.parametrize("first", OPERANDS, ids=repr)
def test_products_with_a_number(name, first):
    for second in OPERANDS:
        outcomes = []
        for xp in (numpy, fastnp):
            operands = [xp.array(value) if isinstance(value, numpy.ndarray) else value for value in (first, second)]
            try:
                outcomes.append(numpy.asarray(getattr(xp, name)(*operands)))
            except ValueError as error:
                outcomes.append(type(error))
        theirs, ours = outcomes
        if isinstance(theirs, type):
            assert ours is theirs
        else:
            assert (ours.dtype, ours.shape, ours.tobytes()) == (theirs.dtype, theirs.shape, theirs.tobytes())
