"""einsum of plain arrays: sums and products of matrices in the place of NumPy's one loop, and what stays NumPy's."""

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastnp
from tests._oracle import same_as_numpy
from tests._tables import DTYPES

#: Of three operands and more.
THREE = (
    "ij,jk,kl->il", "i,ij,j->", "ai,ij,aj->a", "ij,jk,k", "i,j,k->ijk", "ij,ij,ij->", "aij,bj,ci->abc",
    "...ij,jk,...k->...i", "ii,ij,jk->k", "i,i,i->i", "ij,ji,->",
)
SIZES = {"a": 2, "b": 3, "c": 4, "i": 3, "j": 4, "k": 5, "l": 2, "A": 3, "z": 1}

ONE = (
    "ij->i", "ij->j", "ij->", "ij->ij", "ij->ji", "ii->i", "ii->", "ijk->ik", "ijk->k", "ijk->ki", "i->",
    "i->i", "iz->i", "ijkl->jl", "ij", "ii", "...i->...", " i j -> j ", "ijk->j",
)
TWO = (
    "ij,jk->ik", "ij,kj->ik", "ij,jk->ki", "ji,jk->ik", "ij,ij->i", "ij,ij->j", "ij,ij->", "ij,ji->", "i,i->",
    "i,i->i", "i,j->ij", "i,j->ji", "ij,j->i", "i,ij->j", "ijk,jkl->il", "ijk,jk->i", "ijk,kj->i", "ijk,k->ij",
    "aij,ajk->aik", "aij,aij->a", "abi,abi->ab", "abi,abi->ba", "aij,jk->aik", "ij,kl->ijkl", "ij,jk->i",
    "ij,jk->k", "ij,jk->", "ij,jk", "i,i", "i,j", "j,i", "ik,kj", "ba,cb", "ijk,kl", "ij,ij", "ii,ij->j",
    "iz,zj->ij", "Aj,jk->Ak", "ij,ijk->k", "k,ijk->ij", "lk,ijk->lij", "ij,j...->i...", "ij , jk -> ik",
    "ijk,lk->ijl", "ij,kij->k", "ji,j->i", "ij,i->j", "ij,i->ij", "ij,ij->ji", "ij,aj->ai", "aib,bjk->jaik",
    "iij,jk->ki",
    "...i,...i->...", "...ij,...jk->...ik", "abij,ij->ba",
)


def operands(xp, subscripts, dtype, seed=3):
    rng = numpy.random.default_rng(seed)
    found = []
    for labels in subscripts.replace(" ", "").partition("->")[0].split(","):
        shape = [SIZES[label] for label in labels.replace("...", "a")]
        array = rng.normal(0, 4, shape) + (1j * rng.normal(0, 4, shape) if numpy.dtype(dtype).kind == "c" else 0)
        found.append(xp.array((array if array.dtype.kind == "c" else abs(array)).astype(dtype)))
    return found


@st.composite
def contractions(draw):
    """Draw subscripts that mostly make sense, and operands of their shapes that lie in memory in any way."""
    letters = draw(st.lists(st.sampled_from("abcdkXZ"), min_size=1, max_size=4, unique=True))
    size = {letter: draw(st.sampled_from([1, 2, 3, 4, 5])) for letter in letters}
    dots = draw(st.lists(st.sampled_from([1, 2, 3]), max_size=2)) if draw(st.booleans()) else None
    dtype = draw(st.sampled_from(["f8", "f4", "c16", "c8", "i8", "i4", "u1", "i1", "f2", "?"]))
    rng = numpy.random.default_rng(draw(st.integers(0, 2**32)))
    texts, arrays = [], []
    for _ in range(draw(st.integers(1, 4))):
        labels = draw(st.lists(st.sampled_from(letters), max_size=3))
        shape = [size[label] if draw(st.integers(0, 9)) else 1 for label in labels]
        text = "".join(labels)
        if dots is not None and draw(st.booleans()):
            place, first = draw(st.integers(0, len(labels))), draw(st.integers(0, len(dots)))
            text = f"{text[:place]}...{text[place:]}"
            shape[place:place] = dots[first:]
        own = draw(st.sampled_from([dtype, dtype, dtype, "i4", "f8"]))
        lying = [1 if draw(st.integers(0, 7)) == 0 else length for length in shape]  # axes that are repeated
        values = (rng.integers(-5, 6, lying) + (1j * rng.integers(-5, 6, lying) if own[0] == "c" else 0)).astype(own)
        order = rng.permutation(len(shape))
        step = tuple(slice(None, None, int(rng.choice([1, 1, -1]))) for _ in shape)
        texts.append(text)
        values = values.transpose(order).copy().transpose(numpy.argsort(order))
        arrays.append(numpy.broadcast_to(values, shape)[step])
    subscripts = ",".join(texts)
    if draw(st.integers(0, 3)):
        result = draw(st.permutations(sorted(set(subscripts) - set(".,"))))
        result = "".join(result[: draw(st.integers(0, len(result)))])
        subscripts += "->" + ("..." if "." in subscripts and draw(st.integers(0, 9)) else "") + result
    return subscripts, arrays


@pytest.mark.parametrize("subscripts", ONE + TWO + THREE)
@same_as_numpy(tolerance="sum")
def test_dtypes(xp, subscripts):
    return [xp.einsum(subscripts, *operands(xp, subscripts, dtype)) for dtype in DTYPES]


@pytest.mark.parametrize("subscripts", ONE + TWO + THREE)
@same_as_numpy(tolerance="sum")
def test_layouts_and_options(xp, subscripts):
    given = operands(xp, subscripts, "float64")
    turned = [array.T.copy().T for array in given]
    backwards = [array[::-1] for array in given]
    mixed = [given[0], *[array.astype("int32") for array in given[1:]]]
    found = [xp.einsum(subscripts, *arrays) for arrays in (turned, backwards, mixed)]
    found += [xp.einsum(subscripts, *given, dtype="complex128")]
    return [*found, xp.einsum(subscripts, *[array.tolist() for array in given])]


@pytest.mark.parametrize("optimize", [True, "greedy", "optimal", ["einsum_path", (0, 1), (0, 1)], ("greedy", 1000)])
@pytest.mark.parametrize("subscripts", THREE)
def test_optimized(subscripts, optimize):
    """Values, shapes and dtypes: what NumPy's optimized result looks like in memory is its last product's affair."""
    given = operands(numpy, subscripts, "float64")
    theirs = numpy.einsum(subscripts, *given, optimize=optimize)
    ours = numpy.asarray(fastnp.einsum(subscripts, *map(fastnp.asarray, given), optimize=optimize))
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    numpy.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-9)


@settings(deadline=None)
@given(drawn=contractions())
def test_any_subscripts(drawn):
    """Up to four operands, repeated labels, ellipses, axes of one element, strides of any sign and order, or none."""
    subscripts, given = drawn
    outcomes = []
    for xp in (numpy, fastnp):
        try:
            outcomes.append(numpy.asarray(xp.einsum(subscripts, *map(xp.asarray, given))))
        except ValueError as error:
            outcomes.append(str(error))
    theirs, ours = outcomes
    assert type(ours) is type(theirs)
    if isinstance(theirs, str):
        assert ours == theirs
        return
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    in_memory = [[step for step, size in zip(found.strides, found.shape) if size > 1] for found in (ours, theirs)]
    assert in_memory[0] == in_memory[1]
    tolerance = {"e": 0.05, "f": 1e-3, "F": 1e-3}.get(theirs.dtype.char, 1e-9)
    numpy.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=100 * tolerance)


def test_a_chain_of_products_makes_nothing_larger_than_its_operands():
    """NumPy's one loop has 300 to the fourth turns here: minutes."""
    rng = numpy.random.default_rng(5)
    matrices = [rng.random((300, 300)) for _ in range(3)]
    ours = fastnp.einsum("ij,jk,kl->il", *map(fastnp.asarray, matrices))
    numpy.testing.assert_allclose(numpy.asarray(ours), matrices[0] @ matrices[1] @ matrices[2], rtol=1e-12)
    vector = rng.random(5000)
    squares = fastnp.einsum("i,j,i,j->", *[fastnp.asarray(vector)] * 4)
    numpy.testing.assert_allclose(float(squares), (vector @ vector) ** 2, rtol=1e-12)


@pytest.mark.parametrize("call", [
    lambda xp: xp.einsum("i,i->i", xp.array([-0.0, 1.0]), xp.array([1.0, -0.0])),
    lambda xp: xp.einsum("ij,i->ij", xp.array([[-0.0, 0.0]]), xp.array([2.0])),
    lambda xp: xp.einsum("ij,jk,k->i", xp.full((2, 2), 1e200), xp.full((2, 2), 1e200), xp.full(2, 1e200)),
    lambda xp: xp.einsum("ij,kj->j", xp.full((2, 2), 1e200), xp.full((2, 2), 1e200)),
    lambda xp: xp.multiply(xp.full(2, 1e200), 1e200),
])
@same_as_numpy(warns=True)
def test_signs_of_zeros_and_no_warnings(xp, call):
    return [call(xp), xp.signbit(call(xp))]


@pytest.mark.parametrize("call", [
    lambda xp: xp.einsum("ij,jk->ik", xp.ones((2, 3)), xp.ones((4, 2))),
    lambda xp: xp.einsum("ij,jk->ik", xp.ones((2, 1)), xp.ones((4, 2))),
    lambda xp: xp.einsum("ij->ik", xp.ones((2, 1))),
    lambda xp: xp.einsum("ij->ii", xp.ones((2, 2))),
    lambda xp: xp.einsum("ijk->i", xp.ones((2, 1))),
    lambda xp: xp.einsum("ij,jk->ik", xp.ones((2, 3))),
    lambda xp: xp.einsum("ij->i", xp.ones((2, 3)), xp.ones((2, 3))),
    lambda xp: xp.einsum("i1->i", xp.ones((2, 3))),
    lambda xp: xp.einsum("i-j->i", xp.ones((2, 3))),
    lambda xp: xp.einsum("ij->i->j", xp.ones((2, 3))),
    lambda xp: xp.einsum("ij,jk->ik", xp.ones((0, 3)), xp.ones((3, 2))),
    lambda xp: xp.einsum("ij,jk->ik", xp.ones((2, 0)), xp.ones((0, 2))),
    lambda xp: xp.einsum("ij->j", xp.ones((0, 3))),
    lambda xp: xp.einsum("->", xp.ones(())),
    lambda xp: xp.einsum(",->", xp.ones(()), xp.ones(())),
    lambda xp: xp.einsum("i,->i", xp.ones(2), xp.ones(())),
    lambda xp: xp.einsum("ij,jk,kl->il", xp.ones((2, 3)), xp.ones((3, 2)), xp.ones((2, 2))),
    lambda xp: xp.einsum("ij,jk->ik", xp.ones((2, 3)), xp.ones((3, 2)), out=xp.zeros((2, 2))),
    lambda xp: xp.einsum("ij,jk->ik", xp.full((2, 2), 1e200), xp.full((2, 2), 1e200)),
    lambda xp: xp.einsum("ij,ij->i", xp.full((2, 2), 1e200), xp.full((2, 2), 1e200)),
    lambda xp: xp.einsum("ij,ij->i", xp.full((2, 2), numpy.inf), xp.zeros((2, 2))),
    lambda xp: xp.einsum("ij->i", xp.full((2, 2), 1.5e308)),
    lambda xp: xp.einsum("ij->i", xp.array([[numpy.inf, -numpy.inf]])),
    lambda xp: xp.einsum(xp.ones((2, 3)), [0, 1], xp.ones((3, 2)), [1, 2]),
    lambda xp: xp.einsum(),
    lambda xp: xp.einsum("ij"),
    lambda xp: xp.einsum("ij->i", xp.arange(120, dtype="int8").reshape(2, 60)),
])
@same_as_numpy(warns=True)
def test_rare_and_wrong_arguments(xp, call):
    return call(xp)


@pytest.mark.parametrize("size", [255, 256, 257])
@same_as_numpy(tolerance="sum")
def test_large_products(xp, size):
    a, b = (xp.array(numpy.random.default_rng(seed).random((size, size))) for seed in (1, 2))
    return [xp.einsum(subscripts, a, b) for subscripts in ("ij,jk->ik", "ij,kj->ik", "ij,ij->i", "ij,ij->")]


SHAPES = [(15, 40, 40), (16, 16, 16), (16, 35, 35), (16, 36, 36), (40, 15, 40), (64, 64, 64)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool"])
@same_as_numpy
def test_large_products_of_integers(xp, dtype, shape):
    rng = numpy.random.default_rng(3)
    a = xp.array(rng.integers(0, 2**62, shape[:2]).astype(dtype))
    b = xp.array(rng.integers(0, 2**62, shape[1:]).astype(dtype))
    found = [a @ b, xp.matmul(a, b), xp.dot(a, b), a @ b[::-1], xp.matmul(a, b.astype("i4"))]
    return [*found, xp.einsum("ij,jk->ik", a, b)]


def test_labels_in_another_order_are_a_view():
    for xp in (fastnp, numpy):
        table = xp.arange(6.0).reshape(2, 3)
        turned = xp.einsum("ij->ji", table)
        turned[2, 1] = -1
        assert table[1, 2] == -1
        assert turned.shape == (3, 2)
        assert turned.strides == (8, 24)
