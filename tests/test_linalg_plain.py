"""Linear algebra of plain arrays: NumPy's numbers, layouts and errors, on both sides of what torch computes."""

import numpy
import pytest

import fastnp as np
from fastnp._core.kernels import matrices
from tests._oracle import Layout, same_as_numpy
from tests._tables import DTYPES

RNG = numpy.random.default_rng(5)


def values(shape, dtype):
    dtype = numpy.dtype(dtype)
    real = RNG.normal(0, 3, shape)
    return (real + 1j * RNG.normal(0, 3, shape)).astype(dtype) if dtype.kind == "c" else abs(real).astype(dtype)


def positive(array):
    """Return Hermitian positive definite matrices of a stack."""
    return array @ array.conj().swapaxes(-1, -2) + 9 * numpy.eye(array.shape[-1], dtype=array.dtype)


SQUARE = {numpy.dtype(dtype): values((2, 3, 3), dtype) for dtype in DTYPES}
WIDE = {numpy.dtype(dtype): values((2, 3, 5), dtype) for dtype in DTYPES}

ON_SQUARE = {
    "det": lambda xp, a: xp.linalg.det(a),
    "slogdet": lambda xp, a: tuple(xp.linalg.slogdet(a)),
    "inv": lambda xp, a: xp.linalg.inv(a + 5 * xp.eye(a.shape[-1])),
    "eigvals": lambda xp, a: xp.linalg.eigvals(a),
    "eig": lambda xp, a: tuple(xp.linalg.eig(a)),
    "eigvalsh": lambda xp, a: [xp.linalg.eigvalsh(a), xp.linalg.eigvalsh(a, "u")],
    "eigh": lambda xp, a: [*xp.linalg.eigh(a), *xp.linalg.eigh(a, UPLO="U")],
    "solve": lambda xp, a: xp.linalg.solve(a + 5 * xp.eye(a.shape[-1]), a),
    "matrix_power": lambda xp, a: [xp.linalg.matrix_power(a, n) for n in (0, 1, 2, 3, 4, 7)],
}
ON_ANY = {
    "svd": lambda xp, a: [*xp.linalg.svd(a), *xp.linalg.svd(a, False), xp.linalg.svd(a, compute_uv=False)],
    "svdvals": lambda xp, a: xp.linalg.svdvals(a),
    "qr": lambda xp, a: [*xp.linalg.qr(a), *xp.linalg.qr(a, "complete"), xp.linalg.qr(a, "r"), *xp.linalg.qr(a, "raw")],
    "pinv": lambda xp, a: [xp.linalg.pinv(a), xp.linalg.pinv(a, 0.1), xp.linalg.pinv(a, rtol=0.2)],
    "cond": lambda xp, a: [xp.linalg.cond(a), xp.linalg.cond(a, 2), xp.linalg.cond(a, -2)],
    "matrix_rank": lambda xp, a: [
        xp.linalg.matrix_rank(a), xp.linalg.matrix_rank(a, 0.5), xp.linalg.matrix_rank(a, rtol=0.2)
    ],
    "matrix_norm": lambda xp, a: [
        xp.linalg.matrix_norm(a, ord=order, keepdims=keep)
        for order in ("fro", "nuc", 2, -2, 1, -1, numpy.inf, -numpy.inf) for keep in (False, True)
    ],
}


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", sorted(ON_SQUARE | ON_ANY))
@same_as_numpy(tolerance="sum")
def test_dtypes(xp, name, dtype):
    stack = xp.array((SQUARE if name in ON_SQUARE else WIDE)[numpy.dtype(dtype)])
    function = (ON_SQUARE | ON_ANY)[name]
    return [function(xp, stack), function(xp, stack[0]), function(xp, stack[1].T)]


LAYOUTS = [
    Layout(values((4, 4), "d")), Layout(values((4, 4), "d"), (), (1, 0)),
    Layout(values((4, 4), "D"), (slice(None, None, -1),)),
    Layout(values((8, 8), "d"), (slice(None, None, 2), slice(None, None, -2))), Layout(values((3, 4, 4), "D")),
    Layout(values((4, 3, 4), "d"), (), (1, 0, 2)), Layout(values((4, 4, 3), "d"), (), (2, 0, 1)),
    Layout(values((2, 3, 4, 4), "d")), Layout(values((2, 1, 3, 2, 2), "f")), Layout(values((3, 2, 2, 5, 5), "D")),
    Layout(values((9, 9), "d"), (slice(4), slice(4))), Layout(values((9, 9), "D"), (slice(4), slice(4)), (1, 0)),
    Layout(values((1, 1), "d")), Layout(values((2, 1, 1), "D")),
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("name", sorted(ON_SQUARE | ON_ANY))
@same_as_numpy(tolerance="sum")
def test_layouts(xp, name, layout):
    return (ON_SQUARE | ON_ANY)[name](xp, layout.build(xp))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int64"])
@pytest.mark.parametrize("upper", [False, True])
@same_as_numpy(tolerance="sum")
def test_cholesky(xp, dtype, upper):
    given = xp.array(positive(values((2, 4, 4), dtype)))
    given_2 = xp.array(positive(values((4, 4), dtype)).T)
    return [xp.linalg.cholesky(given, upper=upper), xp.linalg.cholesky(given_2, upper=upper)]


@pytest.fixture(autouse=True)
def same_numbers_for_both(monkeypatch):
    """Let each run of a test body draw the same numbers."""
    monkeypatch.setattr("tests.test_linalg_plain.RNG", Again())


class Again:
    """A generator that begins anew with each shape."""

    def normal(self, *args):
        return numpy.random.default_rng(7).normal(*args)


@pytest.mark.parametrize("left", ["float32", "float64", "complex64", "complex128", "int16"])
@pytest.mark.parametrize("right", ["float32", "float64", "complex64", "complex128", "bool"])
@same_as_numpy(tolerance="sum")
def test_solve_and_lstsq_of_mixed_dtypes(xp, left, right):
    a = xp.array(values((4, 4), left)) + (8 * xp.eye(4)).astype(left)
    b = xp.array(values((4, 3), right))
    tall = xp.array(values((5, 2), left))
    return [
        xp.linalg.solve(a, b), xp.linalg.solve(a, b[:, 1]), xp.linalg.solve(a.T, b[::-1]),
        xp.linalg.lstsq(a, b), xp.linalg.lstsq(tall[:4], b), xp.linalg.lstsq(tall[:4], b[:, 0], 0.5),
    ]


@same_as_numpy(tolerance="sum")
def test_solve_of_stacks(xp):
    a = xp.array(values((2, 4, 4), "d")) + 8 * xp.eye(4)
    b = xp.array(values((2, 4, 3), "d"))
    return [xp.linalg.solve(a, b), xp.linalg.solve(a[0], b), xp.linalg.solve(a, b[0]), xp.linalg.solve(a, b[0, :, 0])]


@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (4, 4), (5, 1), (1, 3)], ids=str)
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@same_as_numpy(tolerance="sum")
def test_lstsq_of_shapes(xp, shape, dtype):
    a = xp.array(values(shape, dtype))
    b = xp.array(values((shape[0], 2), dtype))
    short = a * 0 + a[:, :1]
    return [xp.linalg.lstsq(a, b), xp.linalg.lstsq(a, b[:, 0]), xp.linalg.lstsq(short, b, rcond=-1.0)]


ORDERS = (None, "fro", "nuc", 2, -2, 1, -1, 0, numpy.inf, -numpy.inf, 3, 0.5, 2.0, -1.5, "f", "other")


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1), (1, 0), (-1, -2), (0,), (0, 0), 5, (0, 5), [0, 1]], ids=str)
@pytest.mark.parametrize("order", ORDERS, ids=str)
@same_as_numpy(tolerance="sum")
def test_norm(xp, order, axis):
    found = []
    for dtype in ("float64", "complex128", "float32", "int16", "complex64"):
        array = xp.array(values((3, 4), dtype))
        for keep in (False, True):
            try:
                found.append(xp.linalg.norm(array, order, axis, keep))
            except (ValueError, numpy.exceptions.AxisError, TypeError) as error:
                found.append(type(error).__name__)
    return found


@pytest.mark.parametrize("layout", [
    Layout(values((7,), "d")), Layout(values((12,), "D"), (slice(None, None, -2),)), Layout(values((3, 4, 5), "d")),
    Layout(values((3, 4, 5), "d"), (), (2, 0, 1)), Layout(values((3, 4), "D"), (), (1, 0)), Layout(values((0, 3), "d")),
    Layout(values((), "d")), Layout(values((3, 4), "e")),
], ids=str)
@same_as_numpy(tolerance="sum")
def test_norms_of_layouts(xp, layout):
    array, found = layout.build(xp), []
    for call in (
        lambda: xp.linalg.norm(array), lambda: xp.linalg.norm(array, keepdims=True), lambda: xp.linalg.norm(array, 2),
        lambda: xp.linalg.norm(array, 1), lambda: xp.linalg.norm(array, axis=-1),
        lambda: xp.linalg.norm(array, axis=(0, -1)),
        lambda: xp.linalg.vector_norm(array), lambda: xp.linalg.vector_norm(array, keepdims=True),
        lambda: xp.linalg.vector_norm(array, ord=1, axis=0), lambda: xp.linalg.vector_norm(array, ord=numpy.inf),
        lambda: xp.linalg.vector_norm(array, ord=3, axis=-1, keepdims=True),
        lambda: xp.linalg.vector_norm(array, axis=(0,)),
        lambda: xp.linalg.matrix_norm(array), lambda: xp.linalg.norm(array, numpy.inf, axis=(0, 1), keepdims=True),
    ):
        try:
            found.append(call())
        except (ValueError, IndexError) as error:
            found.append(type(error).__name__)
    return found


@same_as_numpy(warns=True)
def test_norms_of_values_that_are_not_finite(xp):
    found = []
    for given in ([1e200, 1e200], [numpy.nan, 1.0], [numpy.inf, 1.0], numpy.array([1e30], "f4")):
        array = xp.array(given)
        found += [xp.linalg.norm(array), xp.linalg.norm(array, axis=0), xp.linalg.norm(array, numpy.inf)]
    return found


SINGULAR = numpy.array([[1.0, 2.0], [2.0, 4.0]])
NAN = numpy.array([[1.0, numpy.nan], [2.0, 4.0]])


@pytest.mark.parametrize("call", [
    lambda xp: xp.linalg.inv(xp.array(SINGULAR)),
    lambda xp: xp.linalg.inv(xp.array([SINGULAR, numpy.eye(2)])),
    lambda xp: xp.linalg.solve(xp.array(SINGULAR), xp.ones(2)),
    lambda xp: xp.linalg.solve(xp.eye(2), xp.ones(3)),
    lambda xp: xp.linalg.solve(xp.eye(2), xp.ones((3, 2))),
    lambda xp: xp.linalg.solve(xp.eye(2), xp.ones(())),
    lambda xp: xp.linalg.cholesky(-xp.eye(2)),
    lambda xp: xp.linalg.cholesky(xp.eye(2), upper=1),
    lambda xp: xp.linalg.det(xp.ones((2, 3))),
    lambda xp: xp.linalg.det(xp.ones(3)),
    lambda xp: xp.linalg.det(xp.array(SINGULAR)),
    lambda xp: xp.linalg.slogdet(xp.array(SINGULAR)),
    lambda xp: xp.linalg.det(xp.array(NAN)),
    lambda xp: xp.linalg.det(xp.full((2, 2), 1e300) * xp.eye(2)),
    lambda xp: xp.linalg.eig(xp.array(NAN)),
    lambda xp: xp.linalg.eigvals(xp.array(NAN)),
    lambda xp: xp.linalg.eigvalsh(xp.eye(2), "X"),
    lambda xp: xp.linalg.eigh(xp.eye(2), "l"),
    lambda xp: xp.linalg.svd(xp.array(NAN)),
    lambda xp: xp.linalg.svd(xp.ones(3)),
    lambda xp: xp.linalg.svd(xp.array([[2.0, 1.0], [1.0, 3.0]]), hermitian=True),
    lambda xp: xp.linalg.qr(xp.ones(3)),
    lambda xp: xp.linalg.qr(xp.eye(2), "other"),
    lambda xp: xp.linalg.matrix_power(xp.array(SINGULAR), -1),
    lambda xp: xp.linalg.matrix_power(xp.eye(2) * 2, -3),
    lambda xp: xp.linalg.matrix_power(xp.eye(2), 1.5),
    lambda xp: xp.linalg.matrix_power(xp.ones((2, 3)), 2),
    lambda xp: xp.linalg.matrix_power(xp.array([[1, 1], [1, 0]]), 30),
    lambda xp: xp.linalg.matrix_power(xp.array([[True, True], [True, False]]), 3),
    lambda xp: xp.linalg.lstsq(xp.eye(2), xp.ones(3)),
    lambda xp: xp.linalg.lstsq(xp.ones((2, 2, 2)), xp.ones(2)),
    lambda xp: xp.linalg.pinv(xp.array(SINGULAR)),
    lambda xp: xp.linalg.pinv(xp.array(SINGULAR), 0.1, rtol=0.1),
    lambda xp: xp.linalg.pinv(xp.array(SINGULAR), rtol=None),
    lambda xp: xp.linalg.cond(xp.zeros((2, 2))),
    lambda xp: xp.linalg.cond(xp.array(SINGULAR), 1),
    lambda xp: xp.linalg.matrix_rank(xp.zeros((2, 2))),
    lambda xp: xp.linalg.matrix_rank(xp.ones(3)),
    lambda xp: xp.linalg.matrix_rank(xp.array(SINGULAR), 0.1, rtol=0.1),
    lambda xp: xp.linalg.inv([[2.0, 1.0], [1.0, 3.0]]),
    lambda xp: xp.linalg.inv(xp.eye(2, dtype="f2")),
    *(lambda xp, name=name, shape=shape: getattr(xp.linalg, name)(xp.ones(shape))
      for name in ("det", "inv", "eigvalsh", "svd", "qr", "cond", "pinv", "matrix_rank", "norm")
      for shape in ((0, 0), (0, 2, 2), (2, 0, 0), (0, 3), (3, 0))),
])
@same_as_numpy(tolerance="sum", warns=True)
def test_rare_and_wrong_arguments(xp, call):
    return call(xp)


def test_a_singular_matrix_warns_of_nothing_and_leaves_no_flag():
    with numpy.errstate(all="raise"):
        with pytest.raises(np.linalg.LinAlgError, match="Singular"):
            np.linalg.inv(np.array(SINGULAR))
        assert np.linalg.det(np.eye(3)) == 1


@pytest.mark.parametrize("size", [63, 64, 90])
@pytest.mark.parametrize("dtype", ["float64", "complex128", "float32", "int64"])
def test_large_decompositions(size, dtype):
    """The same numbers to the rounding of the largest of them, and singular vectors of the same signs."""
    given = values((size, size), dtype)
    given = given + given.conj().T
    ours, bound = np.array(given), 1e-9 if dtype != "float32" else 1e-3
    for name, option in (("eigvalsh", ()), ("eigvalsh", ("U",)), ("svdvals", ()), ("svd", ()), ("svd", (False,))):
        want, got = getattr(numpy.linalg, name)(given, *option), getattr(np.linalg, name)(ours, *option)
        pairs = zip(want, got, strict=True) if name == "svd" else [(want, got)]
        for theirs, mine in pairs:
            assert (mine.dtype, mine.shape, mine.strides) == (theirs.dtype, theirs.shape, theirs.strides)
            assert abs(numpy.asarray(mine) - theirs).max() <= bound * max(1, abs(theirs).max())


def outcome(function, *operands):
    """Return what a function gives, or the text of the error that it raises."""
    try:
        return numpy.asarray(function(*operands))
    except numpy.linalg.LinAlgError as error:
        return str(error)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("size", [63, 64, 90])
@pytest.mark.parametrize("dtype", ["float64", "complex128", "float32", "int64"])
def test_large_inverses_and_solutions(size, dtype, order):
    given = numpy.asarray(values((size, size), dtype) + size * numpy.eye(size, dtype=dtype), order=order)
    single = given.dtype == "float32"
    for right in (None, values(size, dtype), values((size, 3), dtype), values((size, 70), dtype), given.T):
        name, operands = ("inv", [given]) if right is None else ("solve", [given, right])
        want = getattr(numpy.linalg, name)(*operands)
        got = getattr(np.linalg, name)(*map(np.array, operands))
        assert (got.dtype, got.shape, got.strides) == (want.dtype, want.shape, want.strides)
        numpy.testing.assert_allclose(numpy.asarray(got), want, rtol=0, atol=1e-4 if single else 1e-12)


LARGE_CALLS = {
    "svd": lambda xp, a: xp.linalg.svd(a)[1],
    "svdvals": lambda xp, a: xp.linalg.svdvals(a),
    "eigvalsh": lambda xp, a: xp.linalg.eigvalsh(a),
    "inv": lambda xp, a: xp.linalg.inv(a),
    "solve": lambda xp, a: xp.linalg.solve(a, a),
    "det": lambda xp, a: xp.linalg.det(a),
}


@pytest.mark.parametrize("name", LARGE_CALLS)
def test_large_matrices_of_what_is_no_number(name):
    """One such number anywhere, or nothing else: NumPy's outcome, element by element."""
    for number in (numpy.nan, numpy.inf):
        for place in ((0, 0), (69, 69), (35, 35), (3, 60), slice(None)):
            given = values((70, 70), "float64")
            given = given + given.T
            given[place] = number
            given = numpy.maximum(given, given.T)
            with numpy.errstate(all="ignore"):
                want = outcome(LARGE_CALLS[name], numpy, given)
                got = outcome(LARGE_CALLS[name], np, np.array(given))
            assert type(got) is type(want)
            numpy.testing.assert_equal(got, want) if type(want) is str else numpy.testing.assert_allclose(got, want)


def test_large_singular_matrices():
    given = values((70, 70), "float64")
    given[8] = 0
    for name, operands in (("inv", [given]), ("solve", [given, given])):
        want = outcome(getattr(numpy.linalg, name), *operands)
        assert want == outcome(getattr(np.linalg, name), *map(np.array, operands)) == "Singular matrix"


def test_every_loop_was_found():
    assert matrices.available()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@same_as_numpy(tolerance="sum")
def test_products(xp, dtype):
    a, b, c = (xp.array(values(shape, dtype)) for shape in ((3, 4), (4, 3), (2, 3, 3)))
    return [
        xp.linalg.matmul(a, b), xp.linalg.matmul(c, c), xp.linalg.vecdot(a, a), xp.linalg.vecdot(a[0], a[1]),
        xp.linalg.vecdot(a, a, axis=0), xp.linalg.outer(a[0], b[0]), xp.linalg.tensordot(a, b, axes=1),
        xp.linalg.tensordot(a, b, axes=([0], [1])), xp.linalg.tensordot(c, c), xp.linalg.trace(c),
        xp.linalg.trace(a, offset=1), xp.linalg.trace(a, dtype="complex128"), xp.linalg.diagonal(c, offset=-1),
        xp.linalg.matrix_transpose(c), xp.linalg.multi_dot([a, b]), xp.linalg.multi_dot([a, b, a]),
        xp.linalg.multi_dot([b, a, b, a]), xp.linalg.multi_dot([a[0], b, a[:, 0]]),
        xp.linalg.multi_dot((a, b, a[:, 1])), xp.linalg.multi_dot((a[0], b, a)), xp.linalg.multi_dot((a[0], b)),
        xp.linalg.multi_dot((a, b[:, 0])), xp.linalg.multi_dot((a[0], b[:, 0])),
        xp.linalg.cross(c[0], c[1]) if dtype != "bool" else 0,
    ]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@same_as_numpy(tolerance="sum", warns=True)
def test_vecdot(xp, dtype):
    a, b = (xp.array(numpy.ones((2, 3, 4), dtype)) * xp.array(numpy.arange(4).astype(dtype)) for _ in range(2))
    found = [
        xp.vecdot(a, b), xp.vecdot(a[0], b[0]), xp.vecdot(a[0, 0, ::-1], b[0, 0]), xp.vecdot(a[:, 0], b[:, 0]),
        xp.vecdot(a, b[0, 0]), xp.vecdot(a[..., :0], b[..., :0]), xp.vecdot(a[:0], b[:0]), xp.vecdot(a.T, b.T, axis=0),
    ]
    if numpy.dtype(dtype).kind == "c":
        found.append(xp.vecdot(a * 1j, b))
    return found


@pytest.mark.parametrize("call", [
    lambda xp: xp.vecdot(xp.ones(3), xp.ones(4)),
    lambda xp: xp.vecdot(xp.ones(3), 2.0),
    lambda xp: xp.vecdot(xp.full(2, 1e200), xp.full(2, 1e200)),
    lambda xp: xp.vecdot(xp.full(2, numpy.inf), xp.zeros(2)),
    lambda xp: xp.vecdot(xp.ones(60000), xp.ones(60000)),
    lambda xp: xp.linalg.vecdot(xp.ones(3), xp.ones(3), axis=1),
    lambda xp: xp.linalg.outer(xp.ones((2, 2)), xp.ones(2)),
    lambda xp: xp.linalg.cross(xp.ones(2), xp.ones(2)),
    lambda xp: xp.linalg.cross(xp.ones((3, 2)), xp.ones((3, 2)), axis=0),
    lambda xp: xp.linalg.matmul(xp.ones((2, 2)), xp.ones(3)),
    lambda xp: xp.linalg.matmul(xp.ones(()), xp.ones(3)),
    lambda xp: xp.linalg.trace(xp.ones(3)),
    lambda xp: xp.linalg.diagonal(xp.ones(3)),
    lambda xp: xp.linalg.diagonal(xp.ones((3, 3)), offset=7),
    lambda xp: xp.linalg.diagonal(xp.ones((3, 3))).flags.writeable,
    lambda xp: xp.linalg.matrix_transpose(xp.ones(3)),
    lambda xp: xp.linalg.tensordot(xp.ones((2, 3)), xp.ones((2, 3))[:1], axes=2),
    lambda xp: xp.linalg.multi_dot([xp.ones((2, 3))]),
    lambda xp: xp.linalg.multi_dot([xp.ones((2, 3)), xp.ones((2, 3))]),
    lambda xp: xp.linalg.multi_dot([xp.ones((2, 3)), xp.ones((3, 3)), xp.ones((2, 3))]),
    lambda xp: xp.linalg.multi_dot([xp.ones((2, 3)), xp.ones((3, 3))], out=xp.zeros((2, 3))),
    lambda xp: xp.linalg.multi_dot([xp.ones((2, 3)), xp.ones((3, 3)), xp.ones((1, 3, 3))]),
])
@same_as_numpy(warns=True)
def test_products_of_what_is_rare_or_wrong(xp, call):
    return call(xp)


@pytest.mark.parametrize("dtype", ["f4", "f8", "F", "D", "i8"])
@pytest.mark.parametrize("shape", [(4, 4, 4), (700, 4, 4), (9, 80, 3, 3), (3000, 2, 2), (40, 20, 20)], ids=str)
def test_stacks_of_any_size_keep_their_dtype(shape, dtype):
    """On both sides of where a stack is torch's."""
    given = (numpy.random.default_rng(5).random(shape) * 9 + 9 * numpy.eye(shape[-1])).astype(dtype)
    for name in ("inv", "det"):
        ours, theirs = getattr(np.linalg, name)(np.array(given)), getattr(numpy.linalg, name)(given)
        assert (ours.dtype, ours.shape, ours.strides) == (theirs.dtype, theirs.shape, theirs.strides)
        # An element that is next to nothing is as near as the largest one is.
        near = 1e-5 if dtype in ("f4", "F") else 1e-12
        numpy.testing.assert_allclose(ours, theirs, rtol=near, atol=near * abs(theirs).max())


@pytest.mark.parametrize("number", [numpy.nan, numpy.inf, 0.0])
def test_stacks_with_matrices_that_have_no_inverse(number):
    given = numpy.random.default_rng(5).random((3000, 4, 4))
    given[7] = number

    def outcome(xp):
        try:
            inverses = numpy.asarray(xp.linalg.inv(xp.asarray(given)))
        except numpy.linalg.LinAlgError as error:
            return str(error)
        return numpy.isfinite(inverses).tolist()

    assert outcome(np) == outcome(numpy)
    with numpy.errstate(invalid="ignore"):
        numpy.testing.assert_allclose(np.linalg.det(np.asarray(given)), numpy.linalg.det(given), rtol=1e-10)
