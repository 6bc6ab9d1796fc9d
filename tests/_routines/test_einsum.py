"""einsum of plain arrays: sums and products of matrices in the place of NumPy's one loop, and what stays NumPy's."""

import numpy
import pytest

import fastnp
from tests._oracle import same_as_numpy
from tests._tables import DTYPES

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
    "ijk,lk->ijl", "ij,kij->k",
)


def operands(xp, subscripts, dtype, seed=3):
    rng = numpy.random.default_rng(seed)
    found = []
    for labels in subscripts.replace(" ", "").partition("->")[0].split(","):
        shape = [SIZES[label] for label in labels.replace("...", "a")]
        array = rng.normal(0, 4, shape) + (1j * rng.normal(0, 4, shape) if numpy.dtype(dtype).kind == "c" else 0)
        found.append(xp.array((array if array.dtype.kind == "c" else abs(array)).astype(dtype)))
    return found


@pytest.mark.parametrize("subscripts", ONE + TWO)
@same_as_numpy(tolerance="sum")
def test_dtypes(xp, subscripts):
    return [xp.einsum(subscripts, *operands(xp, subscripts, dtype)) for dtype in DTYPES]


@pytest.mark.parametrize("subscripts", ONE + TWO)
@same_as_numpy(tolerance="sum")
def test_layouts_and_options(xp, subscripts):
    given = operands(xp, subscripts, "float64")
    turned = [array.T.copy().T for array in given]
    backwards = [array[::-1] for array in given]
    mixed = [given[0], *[array.astype("int32") for array in given[1:]]]
    found = [xp.einsum(subscripts, *arrays) for arrays in (turned, backwards, mixed)]
    found += [xp.einsum(subscripts, *given, optimize=True), xp.einsum(subscripts, *given, dtype="complex128")]
    return [*found, xp.einsum(subscripts, *[array.tolist() for array in given])]


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
