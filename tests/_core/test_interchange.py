"""To and from outside: pickles, copies, buffers, DLPack, the memory of NumPy and torch (rows 24, 43, 124 to 132)."""

import contextlib
import copy
import io
import pickle
import warnings
import weakref

import ml_dtypes
import numpy
import pytest
import torch

import fastnp
from tests._core.test_paths import PassingDispatchMode
from tests._oracle import Raised, agree, host, run, same_as_numpy
from tests._tables import DTYPES, filled

LAYOUTS = {
    "C": lambda x: x,
    "F": lambda x: x.T,
    "flipped": lambda x: x[::-1],
    "stepped": lambda x: x[:, ::2],
    "both": lambda x: x[::-2, ::-1],
    "row": lambda x: x[1],
    "empty": lambda x: x[:0],
    "0-d": lambda x: x[0, 1, ...],
}


def address(x):
    """Where the first element lies, by NumPy's protocol."""
    return x.__array_interface__["data"][0]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_pickle_round_trip(dtype, protocol, layout):
    """Row 124: value, dtype, shape and order come back, and the copy is writable and its own."""

    def body(xp):
        x = LAYOUTS[layout](xp.array(filled((4, 6), dtype)))
        y = pickle.loads(pickle.dumps(x, protocol))
        return y, y.flags.writeable, xp.may_share_memory(x, y), type(y) is xp.ndarray

    agree(body)


STATES = {
    "C": (1, (2, 2), numpy.dtype("i4"), False, bytes(range(16))),
    "F": (1, (2, 2), numpy.dtype("i4"), True, bytes(range(16))),
    "without version": ((4,), numpy.dtype("f4"), False, bytes(16)),
    "0-d": (1, (), numpy.dtype("f8"), False, bytes(8)),
    "too few bytes": (1, (3,), numpy.dtype("i4"), False, b"1"),
    "a list": (1, (3,), numpy.dtype("i4"), False, [1, 2, 3]),
    "no state": 5,
    "of another version": (7, (1,), numpy.dtype("i4"), False, bytes(4)),
}


@pytest.mark.parametrize("case", STATES)
@same_as_numpy
def test_setstate(xp, case):
    x = xp.zeros(3)
    x.__setstate__(STATES[case])
    x[...] += 1
    return x, x.flags.owndata


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@same_as_numpy
def test_state_of_an_array(xp, dtype):
    x = xp.array(filled((2, 3), dtype))
    return [y.__reduce__()[2] for y in (x, x.T, x[::-1], x[:, 0])]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@same_as_numpy
def test_pickle_of_a_subclass_that_adds_to_the_state(xp, protocol):
    """As NumPy's users write it: `__reduce__` and `__setstate__` with one member more."""
    made = adding_class(xp)
    x = xp.arange(3.0).view(made)
    x.note = "kept"
    y = pickle.loads(pickle.dumps(x, protocol))
    return type(y).__name__, y.note, xp.asarray(y)


def adding_class(xp):
    """Return a subclass whose state has a note at the end; pickle finds it in this module."""

    class Noted(xp.ndarray):
        def __reduce__(self):
            function, arguments, state = super().__reduce__()
            return function, arguments, (*state, self.note)

        def __setstate__(self, state):
            super().__setstate__(state[:-1])
            self.note = state[-1]

    Noted.__qualname__ = f"Noted_{xp.__name__}"
    Noted.__name__ = "Noted"
    globals()[Noted.__qualname__] = Noted
    return Noted


def test_pickle_out_of_band_copies_nothing():
    """Row 124: protocol 5 hands over the memory itself."""
    x = fastnp.arange(100_000.0)
    buffers = []
    data = pickle.dumps(x, protocol=5, buffer_callback=buffers.append)
    assert len(data) < 2000
    assert sum(buffer.raw().nbytes for buffer in buffers) == x.nbytes
    y = pickle.loads(data, buffers=buffers)
    assert address(y) == address(x)
    y = pickle.loads(data, buffers=[bytearray(buffers[0].raw())])
    assert y.tolist() == x.tolist()
    assert y.flags.writeable


def test_pickle_of_a_subclass_keeps_class_and_attributes():
    """Rows 10 and 124."""
    x = fastnp.arange(3.0).view(Tagged)
    x.info = "V"
    for again in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert type(again) is Tagged
        assert again.info == "V"
        assert again.tolist() == x.tolist()


class Tagged(fastnp.ndarray):
    """A subclass at module level, where pickle finds it."""

    def __array_finalize__(self, obj):
        self.info = getattr(obj, "info", None)


@pytest.mark.parametrize("layout", LAYOUTS)
@same_as_numpy
def test_copy_and_deepcopy(xp, layout):
    """Row 124: order K for copy.copy, nothing shared."""
    x = LAYOUTS[layout](xp.arange(24.0).reshape(4, 6))
    copies = copy.copy(x), copy.deepcopy(x), copy.deepcopy([x, x])
    return copies, [xp.may_share_memory(x, y) for y in copies[:2]], copies[2][0] is copies[2][1]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_memoryview_describes_the_array(dtype, layout):
    """Row 125: format, item size, shape, strides (negative ones too) and bytes are NumPy's."""

    def body(xp):
        view = memoryview(LAYOUTS[layout](xp.array(filled((4, 6), dtype))))
        return (
            view.format,
            view.itemsize,
            view.ndim,
            view.shape,
            view.strides,
            view.readonly,
            view.nbytes,
            view.tobytes(),
        )

    agree(body)


@same_as_numpy
def test_memoryview_is_read_only_when_the_array_is(xp):
    x = xp.arange(4.0)
    x.flags.writeable = False
    return memoryview(x).readonly, memoryview(xp.broadcast_to(x, (2, 4))).readonly, memoryview(xp.arange(3)).readonly


def test_memoryview_writes_through():
    x = fastnp.arange(6, dtype="i4")
    memoryview(x)[2] = 77
    memoryview(x[::-1])[0] = 99
    assert x.tolist() == [0, 1, 77, 3, 4, 99]


def test_buffer_outlives_the_array():
    """Row 125: what is exported stays valid."""
    view = memoryview(fastnp.arange(1000.0) * 2)
    fastnp.ones(1000) + fastnp.ones(1000)
    assert view.tolist() == (numpy.arange(1000.0) * 2).tolist()


@same_as_numpy
def test_bytes_like_uses(xp):
    x = xp.arange(6, dtype="u1")
    stream = io.BytesIO()
    stream.write(x)
    target = bytearray(6)
    memoryview(target)[:] = x
    return bytes(x), bytearray(x), stream.getvalue(), bytes(target), b"".join([x, x]), int.from_bytes(x, "little")


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview], ids=lambda k: k.__name__)
@same_as_numpy
def test_arrays_from_buffers(xp, kind):
    """Rows 24 and 125: frombuffer shares, and is writable where the buffer is."""
    memory = kind(bytearray(range(16)))
    x = xp.frombuffer(memory, dtype="u2")
    y = xp.frombuffer(memory, dtype="u1", count=3, offset=2)
    z = xp.asarray(memoryview(memory))
    return x, x.flags.writeable, y, z, z.flags.writeable


def test_frombuffer_writes_through_to_bytearray():
    """Row 125."""
    memory = bytearray(8)
    x = fastnp.frombuffer(memory, dtype="u1")
    x[3] = 200
    assert memory[3] == 200
    memory[0] = 9
    assert x[0] == 9


def test_exported_buffer_survives_resize():
    x = fastnp.arange(4)
    view = memoryview(x)
    x.resize((100,), refcheck=False)
    x[:4] = 9
    assert view.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_numpy_asarray_shares_memory(layout, dtype):
    """Row 127: no copy, for negative strides as well."""
    x = LAYOUTS[layout](fastnp.array(filled((4, 6), dtype)))
    want = LAYOUTS[layout](filled((4, 6), dtype))
    seen = numpy.asarray(x)
    assert type(seen) is numpy.ndarray
    assert (seen.dtype, seen.shape, seen.tobytes()) == (want.dtype, want.shape, want.tobytes())
    assert not seen.size or seen.__array_interface__["data"][0] == address(x)
    assert numpy.array(x, copy=False).size == want.size
    if seen.size:
        seen[...] = 1
        assert (numpy.asarray(x) == 1).all()


def test_array_protocol_dtype_and_copy():
    """Row 127: `__array__(dtype, copy)` as NumPy 2 asks for it, without a warning."""
    x = fastnp.arange(3.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert numpy.shares_memory(x.__array__(), x.__array__(copy=None))
        assert x.__array__(numpy.dtype("f4")).dtype == numpy.float32
        assert not numpy.shares_memory(x.__array__(copy=True), x.__array__())
        assert numpy.shares_memory(x.__array__(copy=False), x.__array__())
        assert numpy.array(x, dtype="i8").tolist() == [0, 1, 2]
        assert numpy.array(x, copy=True).base is None
    with pytest.raises(ValueError, match="copy"):
        x.__array__(numpy.dtype("f4"), copy=False)


def test_read_only_arrays_are_read_only_in_numpy():
    """Row 80."""
    x = fastnp.arange(3.0)
    x.flags.writeable = False
    assert not numpy.asarray(x).flags.writeable
    assert not numpy.asarray(fastnp.broadcast_to(x, (2, 3))).flags.writeable


@same_as_numpy
def test_array_interface(xp):
    """Row 126."""
    found = []
    x = xp.arange(24, dtype="i4").reshape(4, 6)
    for part in (x, x.T, x[::-1], x[:, ::2], xp.broadcast_to(x[0], (2, 6))):
        interface = dict(part.__array_interface__)
        offset, readonly = interface["data"][0] - x.__array_interface__["data"][0], interface["data"][1]
        found.append(
            [interface["shape"], interface["typestr"], interface["strides"], interface["version"], readonly, offset]
        )
    return found


class Interface:
    """Somebody else's array: only the interface, and the owner kept alive."""

    def __init__(self, owner):
        self.owner = owner
        self.__array_interface__ = owner.__array_interface__


def test_consumes_array_interface():
    """Rows 24 and 126: zero copy, the owner kept alive."""
    owner = numpy.arange(6.0)
    x = fastnp.asarray(Interface(owner[::-1]))
    x[0] = 99
    assert owner[-1] == 99
    gone = weakref.ref(owner)
    del owner
    assert gone() is not None
    assert x.tolist() == [99.0, 4.0, 3.0, 2.0, 1.0, 0.0]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_asarray_of_numpy_shares_memory(layout, dtype):
    """Row 132: zero copy from NumPy, negative strides as well; the memory is kept alive."""
    x = LAYOUTS[layout](filled((4, 6), dtype))
    if not isinstance(x, numpy.ndarray):
        return
    y = fastnp.asarray(x)
    assert (y.dtype, y.shape, host(y).tobytes()) == (x.dtype, x.shape, x.tobytes())
    if x.size:
        assert address(y) == address(x)
        y[...] = 1
        assert (x == 1).all()
        assert fastnp.array(x, copy=True).__array_interface__["data"][0] != address(x)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_array_of_numpy_is_laid_out_as_numpys_copy(layout, dtype):
    """In memory of ours, whose loops like lines of the cache."""
    x = LAYOUTS[layout](filled((4, 6), dtype))
    if not isinstance(x, numpy.ndarray):
        return
    for options in ({}, {"order": "C"}, {"order": "F"}, {"order": "A"}, {"dtype": "c16"},
                    {"dtype": "c16", "order": "F"}, {"ndmin": 3}):
        ours, theirs = fastnp.array(x, **options), numpy.array(x, **options)
        assert (ours.dtype, ours.shape, host(ours).tobytes()) == (theirs.dtype, theirs.shape, theirs.tobytes())
        assert ours.flags.writeable
        assert not x.size or ours.strides == theirs.strides
        assert options.get("order") == "A" or "ndmin" in options or ours.__array_interface__["data"][0] % 64 == 0


def test_asarray_of_read_only_numpy_is_read_only():
    x = numpy.arange(3.0)
    x.flags.writeable = False
    assert not fastnp.asarray(x).flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        fastnp.asarray(x)[0] = 1


def test_asarray_keeps_numpy_memory_alive():
    y = fastnp.asarray(numpy.arange(100_000.0))
    numpy.zeros(100_000)
    assert float(y.sum()) == numpy.arange(100_000.0).sum()


@pytest.mark.parametrize(
    "x",
    [numpy.arange(6.0).view(">f8"), numpy.frombuffer(bytes(17), "u1")[1:].view("f8")],
    ids=["big-endian", "unaligned"],
)
def test_asarray_of_memory_that_no_tensor_can_describe(x):
    """Values come, by a copy."""
    y = fastnp.asarray(x)
    assert y.dtype == x.dtype.newbyteorder("=")
    assert y.tolist() == x.tolist()


@pytest.mark.parametrize(
    "make",
    [lambda t: t, lambda t: t.T, lambda t: t[1], lambda t: t[:, 1:], lambda t: t[0, 0], lambda t: t.expand(2, 3, 4)],
)
def test_asarray_of_a_tensor_shares_memory(make):
    """Row 132: the pointer is the tensor's, both ways."""
    t = make(torch.arange(12.0, dtype=torch.float64).reshape(3, 4))
    x = fastnp.asarray(t)
    assert type(x) is fastnp.ndarray
    assert x.tensor.data_ptr() == t.data_ptr()
    assert x.shape == tuple(t.shape)
    assert x.strides == tuple(8 * s for s in t.stride())
    assert x.tolist() == t.tolist()


def test_tensor_of_an_array_shares_memory():
    """Row 132: writes are seen on both sides; rows 43 and 27."""
    x = fastnp.zeros((2, 3))
    t = x.tensor
    t[0, 0] = 5
    x[1, 2] = 7
    assert x[0, 0] == 5
    assert t[1, 2] == 7
    assert x.T.tensor.data_ptr() == t.data_ptr()
    assert x[1].tensor.storage_offset() == 3
    assert fastnp.asarray(t).tensor.data_ptr() == t.data_ptr()


def test_tensor_of_a_flipped_array_has_its_values():
    """D10: ATen has no negative strides: the tensor is a copy, with the values in the array's order."""
    x = fastnp.arange(6.0).reshape(2, 3)[::-1, ::-1]
    assert x.tensor.tolist() == x.tolist() == [[5.0, 4.0, 3.0], [2.0, 1.0, 0.0]]


def test_gradients_travel():
    """Row 132: an array of a tensor that requires gradients is in its graph."""
    t = torch.arange(3.0, dtype=torch.float64, requires_grad=True)
    y = (fastnp.asarray(t) * 2).sum()
    assert y.tensor.requires_grad
    y.tensor.backward()
    assert t.grad.tolist() == [2.0, 2.0, 2.0]


def test_numpy_of_an_array_with_gradients_is_refused_or_detached():
    """Row 127: never a silent copy: the memory is the tensor's, or there is an error."""
    t = torch.arange(3.0, requires_grad=True)
    x = fastnp.asarray(t)
    end, _ = run(lambda xp: numpy.asarray(x), fastnp)
    if isinstance(end, Raised):
        assert "grad" in end.text
    else:
        assert address(end) == t.data_ptr()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dlpack_from_numpy_and_back(dtype):
    """Row 129: one memory on both sides."""
    x = filled((3, 4), dtype)
    y = fastnp.from_dlpack(x)
    assert type(y) is fastnp.ndarray
    assert (y.dtype, y.tolist()) == (x.dtype, x.tolist())
    assert address(y) == address(x)
    z = numpy.from_dlpack(y)
    assert address(z) == address(x)
    assert z.dtype == x.dtype


@pytest.mark.parametrize(
    "dtype", [torch.float64, torch.float32, torch.int8, torch.bool, torch.complex64, torch.bfloat16, torch.uint16]
)
def test_dlpack_from_torch_and_back(dtype):
    """Row 129."""
    t = torch.ones((3, 4), dtype=dtype)
    x = fastnp.from_dlpack(t)
    assert x.tensor.data_ptr() == t.data_ptr()
    assert torch.from_dlpack(x).data_ptr() == t.data_ptr()
    assert x.__dlpack_device__() == t.__dlpack_device__()


def test_dlpack_of_views():
    x = fastnp.arange(24.0).reshape(4, 6)
    for part in (x.T, x[1:], x[:, ::2], x[2]):
        seen = numpy.from_dlpack(part)
        assert seen.tolist() == part.tolist()
        assert address(seen) == address(part)


def test_dlpack_of_a_flipped_array_has_its_values():
    """Row 129: negative strides, as they are or copied, never wrong."""
    x = fastnp.arange(6.0)[::-1]
    assert numpy.from_dlpack(x).tolist() == x.tolist()
    assert torch.from_dlpack(x).tolist() == x.tolist()


def test_dlpack_of_a_read_only_array():
    """Row 129: an unversioned capsule cannot say so and is refused, as NumPy refuses; a versioned one says it."""
    x = fastnp.arange(3.0)
    x.flags.writeable = False
    with pytest.raises(BufferError):
        numpy.arange(3.0).view(ReadOnly).__dlpack__()
    with pytest.raises(BufferError):
        x.__dlpack__()
    assert not numpy.from_dlpack(x).flags.writeable


class ReadOnly(numpy.ndarray):
    """An array whose views are read-only."""

    def __array_finalize__(self, obj):
        self.flags.writeable = False


def test_dlpack_keywords():
    """Row 129: stream, max_version, dl_device and copy."""
    x = fastnp.arange(3.0)
    assert "dltensor" in repr(x.__dlpack__(stream=None, max_version=(1, 0), dl_device=(1, 0), copy=False))
    assert address(fastnp.from_dlpack(x, copy=True)) != address(x)
    assert address(fastnp.from_dlpack(x, copy=False)) == address(x)
    assert fastnp.from_dlpack(x, device="cpu").tolist() == x.tolist()


def test_dlpack_outlives_the_array():
    """Rows 42 and 129: the capsule owns the memory."""
    t = torch.from_dlpack(fastnp.arange(1000.0) + 1)
    fastnp.zeros(1000) + 5
    assert t.sum().item() == (numpy.arange(1000.0) + 1).sum()


@pytest.mark.parametrize("code", ["bfloat16", "float8_e5m2", "float8_e4m3fn"])
def test_ml_dtypes_both_ways(code):
    """D5: the dtypes torch has and NumPy has not are those of ml_dtypes."""
    values = numpy.array([0.5, 1.0, -2.0]).astype(getattr(ml_dtypes, code))
    x = fastnp.asarray(values)
    assert x.dtype == values.dtype
    assert x.tensor.dtype == getattr(torch, code)
    assert host(x).tobytes() == values.tobytes()
    assert fastnp.asarray(torch.ones(2, dtype=getattr(torch, code))).dtype == values.dtype


def test_sparse_tensors_are_refused():
    """Row 45: a TypeError, not a wrong result."""
    with pytest.raises(TypeError, match=r"dense|sparse"):
        fastnp.asarray(torch.eye(3).to_sparse())


def test_precedence_of_protocols():
    """Row 24: an array is itself, then NumPy's, a tensor, `__array__`, the interface, a buffer, a sequence."""

    class Both:
        def __array__(self, dtype=None, copy=None):
            return numpy.array([1.0, 2.0])

        def __len__(self):
            return 5

        def __getitem__(self, index):
            raise AssertionError("a sequence last")

    x = fastnp.arange(2)
    assert fastnp.asarray(x) is x
    assert fastnp.asarray(Both()).tolist() == [1.0, 2.0]
    assert fastnp.asarray(memoryview(b"ab")).tolist() == [97, 98]
    assert fastnp.asarray(range(3)).tolist() == [0, 1, 2]
    assert fastnp.asarray([x, x]).tolist() == [[0, 1], [0, 1]]
    assert fastnp.asarray([torch.ones(2), torch.zeros(2)]).tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert fastnp.asarray((numpy.ones(2), [0, 1])).dtype == numpy.float64


@pytest.mark.parametrize(
    "value",
    [
        "abc",
        [object()],
        ["a", "b"],
        numpy.array(["a"]),
        numpy.array(["2020-01-01"], "M8[D]"),
        numpy.zeros(2, "f8,i4"),
        numpy.ones(2, numpy.longdouble),
    ],
    ids=lambda value: f"{type(value).__name__} {numpy.asarray(value).dtype}",
)
def test_dtypes_that_no_tensor_has(value):
    """Object, string, datetime, structured, longdouble: a TypeError that names the dtype and NumPy."""
    dtype = numpy.asarray(value).dtype
    with pytest.raises(TypeError) as caught:
        fastnp.asarray(value)
    assert str(dtype) in str(caught.value) or dtype.name in str(caught.value)
    assert "NumPy" in str(caught.value)


@pytest.mark.parametrize("index", [slice(None), slice(1, None), slice(None, None, None)], ids=str)
@pytest.mark.parametrize("options", [{}, {"dtype": "i4", "count": 2, "offset": 8}], ids=str)
@same_as_numpy
def test_base_of_what_is_made_of_an_arrays_buffer(xp, index, options):
    """The array whose memory it is, as of a view."""
    array = xp.arange(4.0)
    made = xp.frombuffer(array[index], **options)
    made[0] = 1
    return made, made.base is array, array, made.flags.owndata, xp.shares_memory(made, array)


@pytest.mark.parametrize("make", [bytes, bytearray, lambda memory: memoryview(bytearray(memory))])
@same_as_numpy
def test_base_of_what_is_made_of_a_buffer(xp, make):
    made = xp.frombuffer(make(b"abcdefgh"), dtype="u2")
    return made, type(made.base).__name__


VIEWS = {
    "reversed": lambda values: values[::-1],
    "reversed columns": lambda values: values.reshape(2, 3)[:, ::-1],
    "part": lambda values: values.reshape(3, 2).T[::-1, 1:],
    "read-only": lambda values: numpy.broadcast_to(values, (2, 6)),
}
READERS = ("array", "asarray", "ascontiguousarray", "negative", "sort", "cumsum", "argmax", "atleast_2d")
STATES = {
    "dispatch mode": PassingDispatchMode,
    "default device": lambda: torch.device("cpu"),
    "function mode": torch.overrides.BaseTorchFunctionMode,
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("layout", VIEWS)
@pytest.mark.parametrize("name", READERS)
def test_numpys_views_are_read_as_they_lie_where_somebody_listens(name, layout, state):
    """torch has no axes that run backwards: NumPy's do, whatever mode or default device there is."""
    def body(xp):
        with contextlib.nullcontext() if xp is numpy else STATES[state]():
            values = VIEWS[layout](numpy.arange(6.0))
            return getattr(xp, name)(values), xp.asarray(values).flags.writeable, xp.asarray(values).tolist()

    agree(body, layout=False)


@pytest.mark.parametrize("state", STATES)
@same_as_numpy
def test_what_numpy_gives_back_reversed_is_reversed(xp, state):
    with contextlib.nullcontext() if xp is numpy else STATES[state]():
        return xp.polynomial.polyutils.trimseq(xp.arange(3.0)[::-1])
