"""Memory lent by others and to others: bases of views, and what the buffer protocol answers to each request."""

import ctypes
import gc
import hashlib
import io
import sys
import zlib
from array import array as PythonArray

import numpy
import pytest

import fastnp
from tests._oracle import same_as_numpy
from tests._tables import DTYPES


def test_base_of_views_of_lent_memory():
    """A view's base is the array, as NumPy's is, and not what lent the array its memory."""
    for xp in (numpy, fastnp):
        for lent in (xp.frombuffer(bytearray(32)), xp.asarray(numpy.arange(4.0)) if xp is fastnp else xp.arange(4.0)):
            view = lent[1:]
            assert view.base is lent
            assert view[::2].base is lent
            assert view.reshape(3, 1).T.view("i8").base is lent


def test_memoryview_of_every_kind_of_request():
    """What asks for writable, contiguous or plain bytes gets what NumPy gives, or its error."""
    def outcomes(xp):
        x = xp.arange(6.0).reshape(2, 3)
        frozen = x.copy()
        frozen.flags.writeable = False
        found = []
        for array in (x, x.T, x[:, ::-1], x[:, :0], frozen, xp.arange(3)[0], xp.array(2.5)):
            for ask in (bytes, bytearray, memoryview, hashlib.sha256, (ctypes.c_char * 8).from_buffer, io.BytesIO):
                try:
                    result = ask(array)
                except (BufferError, TypeError, ValueError) as error:
                    found.append(type(error))
                    continue
                found.append(result.digest() if hasattr(result, "digest") else bytes(memoryview(result).cast("B"))
                             if isinstance(result, bytes | bytearray) else type(result).__name__)
        return found

    assert outcomes(fastnp) == outcomes(numpy)


@pytest.mark.parametrize(
    "view",
    [lambda a: a, lambda a: a[1:], lambda a: a.T, lambda a: a[:, 1], lambda a: a[::-1], lambda a: a[:0],
     lambda a: a[0, 0]],
)
@pytest.mark.parametrize("writeable", [True, False])
@same_as_numpy
def test_who_asks_for_bytes_alone_gets_them_in_order(xp, view, writeable):
    array = view(xp.arange(6.0).reshape(2, 3))
    array.flags.writeable = writeable and array.ndim > 0
    outcomes = []
    for call in (zlib.crc32, io.BytesIO().write, io.BytesIO(bytes(range(48))).readinto):
        try:
            outcomes.append(call(array))
        except (ValueError, TypeError, BufferError) as error:
            outcomes.append(type(error).__name__)
    return [*outcomes, array]


@pytest.mark.parametrize("dtype", DTYPES)
def test_memoryview_has_format_shape_and_strides(dtype):
    def described(xp):
        x = xp.zeros((2, 3), dtype)
        views = [memoryview(array) for array in (x, x.T, x[::-1, 1:], x[:, :0], x[0], x[:1], x[:, :1], x[:1].T)]
        return [(view.format, view.shape, view.strides, view.itemsize, view.nbytes, view.readonly) for view in views]

    assert described(fastnp) == described(numpy)


def test_views_of_memory_are_given_back():
    """No block and no reference stays behind, whether a view is released or forgotten."""
    x = fastnp.arange(1000.0)

    def rounds():
        for _ in range(200):
            with memoryview(x) as view:
                assert view[3] == 3.0
            memoryview(x[::-2]).tolist()
            numpy.asarray(x)

    rounds()
    gc.collect()
    before = sys.getrefcount(x), sys.getallocatedblocks()
    rounds()
    gc.collect()
    assert sys.getrefcount(x) == before[0]
    assert abs(sys.getallocatedblocks() - before[1]) < 100


LENT = {
    "bytes": lambda: b"abcdefgh" * 4,
    "bytearray": lambda: bytearray(b"abcdefgh" * 4),
    "memoryview": lambda: memoryview(b"abcdefgh" * 4),
    "writable memoryview": lambda: memoryview(bytearray(32)),
    "array": lambda: PythonArray("d", [1.0, 2.0, 3.0, 4.0]),
    "numpy": lambda: numpy.arange(4.0),
    "strided": lambda: memoryview(numpy.arange(8.0))[::2],
    "nothing": lambda: b"",
    "no buffer": lambda: [1.0],
}
WANTED = [
    {}, {"dtype": "f8"}, {"dtype": "u1"}, {"dtype": "i4", "count": 2}, {"dtype": "i8", "offset": 8}, {"dtype": "?"},
    {"dtype": "i2", "offset": 3}, {"dtype": "D", "count": 1, "offset": 8}, {"count": 9}, {"count": 5}, {"count": 0},
    {"count": -1}, {"count": -2}, {"offset": -1}, {"offset": 32}, {"offset": 40}, {"dtype": "i8", "offset": 4},
    {"dtype": "f2", "count": 16}, {"count": 2**62}, {"offset": 2**64}, {"count": 1.5},
]


@pytest.mark.parametrize("lent", LENT)
@pytest.mark.parametrize("wanted", WANTED, ids=str)
def test_arrays_from_buffers(wanted, lent):
    def outcome(xp):
        try:
            found = xp.frombuffer(LENT[lent](), **wanted)
        except (ValueError, TypeError, BufferError, OverflowError) as error:
            return type(error)
        return found.dtype, found.flags.writeable, type(found.base).__name__, found.tobytes()

    assert outcome(fastnp) == outcome(numpy)


def test_a_buffer_stays_lent_as_long_as_there_is_an_array():
    memory = bytearray(32)
    x = fastnp.frombuffer(memory)
    x[0] = 5.0
    assert numpy.frombuffer(memory)[0] == 5.0
    with pytest.raises(BufferError):
        memory.extend(b"more")
    view = x[1:]
    del x
    with pytest.raises(BufferError):
        memory.extend(b"more")
    del view
    memory.extend(b"more")
