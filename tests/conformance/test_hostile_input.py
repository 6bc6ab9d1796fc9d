"""Hostile `.npy` and `.npz` files, texts and dtypes: NumPy's answer or error, in bounded time and memory."""

import contextlib
import io
import time

import numpy
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fastnp
from tests._core.test_paths import PassingDispatchMode
from tests._oracle import Raised, difference, run
from tests._tables import DTYPES, filled

SECONDS = 2.0  # that one example may take
MEMORY = 1 << 30  # address space that it may ask for besides what the process has


pytestmark = pytest.mark.usefixtures("bounded_memory")


def npy(array):
    """Return the bytes of a `.npy` file."""
    file = io.BytesIO()
    numpy.save(file, array)
    return file.getvalue()


def npz(**arrays):
    """Return the bytes of a `.npz` file."""
    file = io.BytesIO()
    numpy.savez(file, **arrays)
    return file.getvalue()


FILES = (
    npy(filled((2, 3))),
    npy(numpy.asfortranarray(filled((2, 3), "i4"))),
    npz(a=filled((2,)), b=filled((3,), "c16")),
)
HEADERS = (
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }",
    b"{'descr': '<f8', 'shape': (3,)}",
    b"{",
    b"[]",
    b"1",
    b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    b"{'descr': '<f8', 'fortran_order': 0, 'shape': (1,), }",
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999,), }",
    b"(" * 400,
    b"-" * 400,
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
    b"{'descr': '<q9', 'fortran_order': False, 'shape': (), }",
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }",
    b"{'descr': ['<f8'], 'fortran_order': True, 'shape': (1,), }",
    b"{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }",
    b"{'descr': '<f8', 'fortran_order': False, 'shape': (2.5,), }",
    b"__import__('os')",
    b"{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }",
)


@st.composite
def files(draw):
    """Draw a file that was damaged: cut off, overwritten, or with a header that lies."""
    if draw(st.booleans()):
        header = draw(st.sampled_from(HEADERS)) + b" " * draw(st.integers(0, 3)) + b"\n"
        version = draw(st.sampled_from((b"\x01\x00", b"\x02\x00", b"\x03\x00", b"\x09\x00")))
        size = len(header).to_bytes(2 if version == b"\x01\x00" else 4, "little")
        return b"\x93NUMPY" + version + size + header + draw(st.binary(max_size=40))
    content = bytearray(draw(st.sampled_from(FILES)))
    for _ in range(draw(st.integers(0, 4))):
        content[draw(st.integers(0, len(content) - 1))] = draw(st.integers(0, 255))
    return bytes(content[: draw(st.integers(0, len(content)))] if draw(st.booleans()) else content)


def holdable(value):
    """Tell whether an array of NumPy's can be ours."""
    if not isinstance(value, numpy.ndarray):
        return True
    return value.dtype.kind in "biufc" and value.dtype.newbyteorder("=") in DTYPES


def check(body, *arguments):
    """Compare one answer or error; of a dtype that ours cannot have, a refusal or NumPy's array will do."""
    want, _ = run(body, numpy, *arguments)
    start = time.perf_counter()
    got, _ = run(body, fastnp, *arguments)
    seconds = time.perf_counter() - start
    assert seconds < SECONDS, f"{arguments} took {seconds:.1f} s"
    if isinstance(want, numpy.ndarray) and not holdable(want):
        assert isinstance(got, Raised | numpy.ndarray | numpy.void), got
        return
    if isinstance(want, numpy.ndarray):
        want = want.astype(want.dtype.newbyteorder("="))
    text = difference(got, want, layout=False)
    assert text is None, f"{arguments}: {text}"


def loaded(xp, content):
    """Load a file without pickles, and read all members of an archive."""
    found = xp.load(io.BytesIO(content), allow_pickle=False)
    return found if not hasattr(found, "files") else [found[name] for name in sorted(found.files)]


@given(files())
def test_damaged_file(content):
    check(loaded, content)


TEXTS = st.text(st.sampled_from("0123456789.,;eE+-jnaif# \t\n\"'()xé\0"), max_size=40)


@given(TEXTS, st.sampled_from((None, ",", " ")), st.sampled_from((float, int, complex, "u1")))
def test_text_for_loadtxt(text, delimiter, dtype):
    check(lambda xp: xp.loadtxt(io.StringIO(text), delimiter=delimiter, dtype=dtype))


@given(TEXTS, st.sampled_from((None, ",")))
def test_text_for_genfromtxt(text, delimiter):
    check(lambda xp: xp.genfromtxt(io.StringIO(text), delimiter=delimiter))


@given(TEXTS, st.sampled_from((",", " ", ";")), st.sampled_from((float, int)))
def test_text_for_fromstring(text, separator, dtype):
    check(lambda xp: xp.fromstring(text, dtype=dtype, sep=separator))


@given(st.binary(max_size=40), st.sampled_from(("f8", "i4", "?", "c16", "u1")), st.integers(-2, 6), st.integers(-1, 9))
def test_bytes_for_frombuffer(content, dtype, count, offset):
    check(lambda xp: xp.frombuffer(content, dtype=dtype, count=count, offset=offset))


SPELLINGS = st.text(st.sampled_from("<>=|?bBhiulfFdDgGcSUVOMm0123456789,()[]: T"), max_size=12) | st.sampled_from(
    (
        "f8",
        "float64",
        "int",
        "complex",
        "S99999999999",
        "V4294967296",
        "f16",
        "f3",
        "(2,)f8",
        "f8,i4",
        "M8[ns]",
        "a" * 10000,
        "(" * 1000,
    )
)


@given(SPELLINGS)
@example(">D")
@example("T,")
def test_dtype_string(text):
    check(lambda xp: repr(xp.dtype(text)))  # NumPy: a structure of texts of any length equals no other, nor itself
    spelled, _ = run(lambda xp: xp.dtype(text), numpy)
    if isinstance(spelled, numpy.dtype) and (spelled.subdtype is not None or not spelled.isnative):
        with pytest.raises(TypeError, match="cannot hold"):
            fastnp.zeros(1, text)
        return
    check(lambda xp: xp.zeros(1, text))
    check(lambda xp: xp.array([1, 2]).astype(text))


SIDE = 2**20
HUGE = {
    "product": lambda xp, side: side(SIDE, 4) @ side(4, SIDE),
    "product of single precision": lambda xp, side: side(SIDE, 4, dtype="f4") @ side(4, SIDE, dtype="f4"),
    "product of integers": lambda xp, side: side(SIDE, 4, dtype="i8") @ side(4, SIDE, dtype="i8"),
    "product of squares": lambda xp, side: side(SIDE, SIDE) @ side(SIDE, SIDE),
    "dot": lambda xp, side: xp.dot(side(SIDE, 4), side(4, SIDE)),
    "stacks": lambda xp, side: side(SIDE, SIDE, 2, 2) @ side(2, 2),
    "sum": lambda xp, side: side(SIDE, SIDE) + side(SIDE, SIDE),
    **{
        name: lambda xp, side, name=name: getattr(xp.linalg, name)(side(SIDE, SIDE))
        for name in ("inv", "svd", "pinv", "eigvalsh", "eigh", "matrix_rank", "det")
    },
    "solve": lambda xp, side: xp.linalg.solve(side(SIDE, SIDE), side(SIDE)),
}


@pytest.mark.parametrize("mode", [contextlib.nullcontext, PassingDispatchMode], ids=["plain", "mode"])
@pytest.mark.parametrize("name", HUGE)
def test_huge_arrays_of_one_element_are_a_memory_error(name, mode):
    """Arrays whose steps are zero take no memory; what is computed of them would."""
    def body(xp):
        def side(*shape, dtype="f8"):
            return xp.broadcast_to(xp.ones((), dtype), shape)
        return HUGE[name](xp, side)

    assert run(body, numpy)[0].kind is MemoryError
    with mode():
        assert run(body, fastnp)[0].kind is MemoryError
