"""The array's attributes and methods against `numpy.ndarray`'s (rows 67 to 90).

https://numpy.org/doc/stable/reference/arrays.ndarray.html
"""

import ctypes
import io
import pickle

import numpy
import pytest
from numpy.lib.stride_tricks import as_strided

import fastnp
from tests._oracle import agree, host, same_as_numpy
from tests._tables import DTYPES, SHAPES, filled

# What numpy.ndarray has and ours has not, each with its reason. A line that is no longer true fails.
ABSENT: dict[str, str] = {}

LAYOUTS = {
    "C": lambda xp, x: xp.array(x),
    "F": lambda xp, x: xp.array(x, order="F"),
    "T": lambda xp, x: xp.array(x).T,
    "flipped": lambda xp, x: xp.array(x)[::-1],
    "stepped": lambda xp, x: xp.array(x)[..., ::2],
    "flipped and stepped": lambda xp, x: xp.array(x)[::-2, ::-1],
    "broadcast": lambda xp, x: xp.broadcast_to(xp.array(x), (2, *x.shape)),
    "newaxis": lambda xp, x: xp.array(x)[:, None],
    "empty": lambda xp, x: xp.array(x)[:0],
}


def test_attributes_and_methods_are_those_of_numpy():
    """Rows 67 to 90: `dir(numpy.ndarray)` is in ours but for the list above, which fails when stale."""
    missing = set(dir(numpy.ndarray)) - set(dir(fastnp.ndarray))
    assert sorted(missing) == sorted(ABSENT)


@pytest.mark.parametrize("name", sorted(set(dir(numpy.ndarray)) - set(ABSENT) - {"__hash__"}))
def test_attribute_is_of_the_kind_numpy_has(name):
    """A method is called, an attribute is read. `__hash__` apart: those of our arrays that are scalars have one."""
    assert callable(getattr(numpy.ones((3, 3)), name)) == callable(getattr(fastnp.ones((3, 3)), name))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_attributes_of_layouts(layout, dtype):
    """Row 81: strides in bytes, sizes and flags of views."""

    def body(xp):
        x = LAYOUTS[layout](xp, filled((4, 6), dtype))
        return [x.dtype, x.shape, x.ndim, x.size, x.itemsize, x.nbytes, x.device, x.T, x.real, x.imag, x.base is None]

    agree(body)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@same_as_numpy
def test_attributes_of_shapes(xp, shape):
    x = xp.zeros(shape, dtype="f4")
    sizes = [x.shape, x.strides if x.size else None, x.ndim, x.size, x.itemsize, x.nbytes]
    return [*sizes, x.flags.c_contiguous, x.flags.f_contiguous]


@same_as_numpy
def test_strides_in_bytes(xp):
    """Row 81: bytes, not elements; a flipped axis has a negative stride."""
    x = xp.zeros((3, 4, 5), dtype="i2")
    parts = (
        x,
        x.T,
        x[::-1],
        x[:, ::-2],
        x[..., 0],
        x[None],
        xp.broadcast_to(x, (2, 3, 4, 5)),
        x.swapaxes(0, 2),
        x[1:, 2:, 3:],
    )
    return [part.strides for part in parts]


@same_as_numpy
def test_base_is_the_owner(xp):
    """Row 81: None for who owns the memory, else the owner, not the view between."""
    x = xp.arange(24.0)
    view = x.reshape(4, 6)
    parts = view, view[1:], view.T, view[1:].T[::-1], view.view("i8"), view.ravel(), x[...], view.diagonal(), x.real
    return [x.base is None, x.copy().base is None, *(part.base is x or part is x for part in parts)]


@same_as_numpy
def test_base_of_foreign_memory(xp):
    memory = bytearray(32)
    return xp.frombuffer(memory, dtype="f8").base is not None


@pytest.mark.parametrize("shape", [(12,), (3, 4), (2, -1), [4, 3], (-1,), 12, (1, 12, 1)], ids=str)
@same_as_numpy
def test_shape_can_be_set(xp, shape):
    """Row 82."""
    x = xp.arange(12)
    x.shape = shape
    return x


@pytest.mark.parametrize(
    "shape",
    [(12,), (3, 4), (2, 1, 3, 1, 2, 1), (5, 5), (-1, 5), (-1, -1), (3, 4.0), (True, 12), (2**40, 2**40), (2**70, 1),
     (0, 12), (), "ab", None, numpy.int64(12), (numpy.int8(3), 4)],
    ids=str,
)
@pytest.mark.parametrize("layout", ["in order", "turned", "cut", "one", "none", "a scalar", "no axis"])
def test_shape_set_as_numpy_sets_it(layout, shape):
    """What fits is set, with NumPy's strides; all else is NumPy's error, and leaves the array as it was."""

    def body(xp):
        whole = xp.arange(24)
        x = {"in order": whole[:12].copy(), "turned": whole[:12].copy().reshape(3, 4).T, "cut": whole[::2],
             "one": whole[:1], "none": whole[:0], "a scalar": whole[3],
             "no axis": xp.array(3)}[layout]  # fmt: skip
        kept = x
        try:
            x.shape = shape
        except (AttributeError, TypeError, ValueError) as error:
            return type(error).__name__, kept, kept.shape
        return x, x.strides, kept is x

    agree(body)


@pytest.mark.parametrize("dtype", ["i4", "u1", "f4", "c16", "i8", "?", "f2", int, numpy.float32], ids=str)
@same_as_numpy
def test_dtype_can_be_set(xp, dtype):
    """Row 82: the same bytes under another dtype, the last axis resized."""
    x = xp.arange(12.0).reshape(3, 4)
    x.dtype = dtype
    return x


@pytest.mark.parametrize("target", ["i1", "u2", "f2", "i4", "f4", "f8", "u8", "c8", "c16"])
@pytest.mark.parametrize("source", ["i1", "i4", "f8", "c16"])
@same_as_numpy
def test_view_of_another_dtype(xp, source, target):
    """Row 84: the last axis shrinks and grows; the memory is shared."""
    x = xp.array(filled((4, 16), source))
    y = x.view(target)
    return y, xp.shares_memory(x, y), x[:, :8].view(target), x[1::2].view(target), x[None].view(target)


@same_as_numpy
def test_view_takes_a_class_and_nothing(xp):
    x = xp.arange(3)
    return x.view(), x.view(xp.ndarray), x.view(type=xp.ndarray), x.view("i8", xp.ndarray), x.view() is x


def test_view_of_a_subclass():
    """Row 1: `view(cls)` is of the class, over the same memory."""

    class Sub(fastnp.ndarray):
        pass

    x = fastnp.arange(3)
    y = x.view(Sub)
    assert type(y) is Sub
    y[0] = 7
    assert x[0] == 7


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@pytest.mark.parametrize("layout", LAYOUTS)
@same_as_numpy
def test_order_of_copies(xp, layout, order):
    """Row 83: copy, flatten, ravel, astype, tobytes and reshape in C, F, A and K order."""
    x = LAYOUTS[layout](xp, filled((4, 6)))
    parts = [
        x.copy(order=order),
        x.flatten(order),
        x.ravel(order),
        x.astype("f4", order=order),
        x.astype("i8", order=order),
    ]
    if order != "K":
        parts += [x.tobytes(order), x.reshape(-1, order=order), x.reshape((2, -1), order=order)]
    return parts


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@same_as_numpy
def test_order_of_creation(xp, order):
    """Row 83: array and the _like functions keep the layout that order names."""
    x = xp.arange(24.0).reshape(2, 3, 4)
    sources = x, x.T, x.swapaxes(0, 1), x[::-1], x[:, ::2]
    return [[xp.array(s, order=order), xp.zeros_like(s, order=order), xp.ones_like(s, order=order)] for s in sources]


@same_as_numpy
def test_flat_reads(xp):
    """Row 89: `flat` by integer, slice, list and mask; its index, coords, base and length."""
    x = xp.arange(12.0).reshape(3, 4).T
    flat = x.flat
    first = [next(flat), next(flat), flat.index, flat.coords]
    rest = [
        x.flat[5],
        x.flat[-1],
        x.flat[2:9:3],
        x.flat[[1, 3]],
        len(x.flat),
        x.flat.base is x,
        x.flat.copy(),
        x.flat[...],
    ]
    return [*first, *rest, list(x[::-1].flat), xp.array(x.flat), x.flat == 3]


@same_as_numpy
def test_flat_writes(xp):
    """Row 89: through any layout, values repeated as NumPy repeats them."""
    x = xp.arange(12.0).reshape(3, 4).T[::-1]
    x.flat[5] = 50
    x.flat[-2:] = [7, 8]
    x.flat[[0, 1]] = 3
    y = xp.zeros((2, 3))
    y.flat = [1, 2]
    z = xp.zeros((2, 3), dtype=int)
    z.flat[1:5] = [1.9, 2.9]
    return x, y, z


@same_as_numpy
def test_real_and_imag_write_through(xp):
    """Row 81: they are views of a complex array, and can be assigned."""
    x = xp.array([1 + 2j, 3 + 4j])
    x.real = [10, 20]
    x.imag[0] = -1
    x.imag *= 2
    y = xp.arange(3.0)
    y.real = 5
    return x, x.real, x.imag, x.real.base is x, y, y.imag, y.imag.flags.writeable, y.real is y


@same_as_numpy
def test_transposes(xp):
    x = xp.arange(24).reshape(2, 3, 4)
    parts = (
        x.T,
        x.mT,
        x.transpose(),
        x.transpose(None),
        x.transpose(1, 0, 2),
        x.transpose((-1, 0, 1)),
        x.swapaxes(0, -1),
    )
    return [*parts, xp.arange(3).T, xp.array(3).T]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@same_as_numpy
def test_byteswap(xp, dtype):
    x = xp.array(filled((2, 3), dtype))
    y = x.byteswap()
    z = x[::-1].copy()
    return y, z.byteswap(inplace=True) is z, z, x[:, ::-1].byteswap()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@same_as_numpy
def test_item_and_tolist_are_python_objects(xp, dtype):
    x = xp.array(filled((2, 3), dtype))
    values = (
        x.item(0),
        x.item(-1),
        x.item(1, 2),
        x.item((0, 1)),
        x[0, 0].item(),
        x.tolist(),
        x[0, 0].tolist(),
        x[::-1].tolist(),
    )
    return [repr(value) for value in values], xp.zeros((2, 0)).tolist(), xp.array(3).tolist()


@same_as_numpy
def test_tobytes_and_tofile(xp):
    """Row 123."""
    x = xp.arange(6.0).reshape(2, 3)
    return (
        x.tobytes(),
        x.T.tobytes(),
        x.T.tobytes("A"),
        x[::-1].tobytes(),
        x.tobytes("F"),
        bytes(x),
        xp.array(2).tobytes(),
    )


@pytest.mark.parametrize("separator", ["", " ", ", "])
def test_tofile_round_trip(tmp_path, separator):
    """Row 123: the file is NumPy's to the byte."""
    x = numpy.arange(12.0).reshape(3, 4) / 7
    x.T.tofile(tmp_path / "numpy", sep=separator)
    fastnp.array(x).T.tofile(tmp_path / "fastnp", sep=separator)
    assert (tmp_path / "fastnp").read_bytes() == (tmp_path / "numpy").read_bytes()
    with open(tmp_path / "handle", "wb") as handle:
        fastnp.array(x).tofile(handle)
    assert (tmp_path / "handle").read_bytes() == x.tobytes()


@pytest.mark.parametrize("value", [3, 2.5, True, numpy.float32(1.5), numpy.array(4)], ids=repr)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@same_as_numpy
def test_fill(xp, dtype, value):
    x = xp.zeros((2, 3), dtype=dtype)
    y = x[:, ::-2]
    y.fill(value)
    return x


@pytest.mark.parametrize("mode", ["raise", "wrap", "clip"])
@same_as_numpy
def test_put_and_take(xp, mode):
    """Row 91."""
    x = xp.arange(12.0).reshape(3, 4)
    y = x.T.copy()
    y.put([0, -1 if mode == "raise" else 99, 3], [5, 6], mode=mode)
    return y, x.take([1, 2], mode=mode), x.take([[0, 2]], axis=0, mode=mode), x.take(1, axis=1, mode=mode)


METHODS = {
    "all": lambda x: [x.all(), x.all(axis=0), x.all(axis=1, keepdims=True)],
    "any": lambda x: [x.any(), x.any(axis=-1)],
    "argmax": lambda x: [x.argmax(), x.argmax(axis=0), x.argmax(1, keepdims=True)],
    "argmin": lambda x: [x.argmin(), x.argmin(axis=1)],
    "argpartition": lambda x: [x.ravel()[x.argpartition(2, axis=None)][2]],
    "argsort": lambda x: [x.argsort(kind="stable"), x.argsort(axis=0, kind="stable"), x.argsort(None, kind="stable")],
    "astype": lambda x: [x.astype("f4"), x.astype(bool), x.astype("i2"), x.astype(x.dtype, copy=False) is x],
    "choose": lambda x: [(x > 2).astype(int).choose([x, -x])],
    "clip": lambda x: [x.clip(1, 3), x.clip(min=2), x.clip(None, 2)],
    "compress": lambda x: [x.compress([True, False, True], axis=0), x.compress([False, True])],
    "conj": lambda x: [x.conj(), (x + 1j).conj(), (x * 1j).conjugate()],
    "copy": lambda x: [x.copy(), x.copy("F"), x.__copy__(), x.__deepcopy__({})],
    "cumprod": lambda x: [x.cumprod(), x.cumprod(axis=0), x.cumprod(axis=-1, dtype="f4")],
    "cumsum": lambda x: [x.cumsum(), x.cumsum(axis=1), x.cumsum(0, "c16")],
    "diagonal": lambda x: [x.diagonal(), x.diagonal(1), x.diagonal(-1, 1, 0), x.diagonal().flags.writeable],
    "dot": lambda x: [x.dot(x.T), x.dot(x[0]), x.dot(2)],
    "flatten": lambda x: [x.flatten(), x.T.flatten()],
    "max": lambda x: [x.max(), x.max(axis=0), x.max(initial=99), x.max(axis=1, where=x > 1, initial=0)],
    "mean": lambda x: [x.mean(), x.mean(axis=0), x.mean(axis=(0, 1), keepdims=True), x.mean(1, "f4")],
    "min": lambda x: [x.min(), x.min(axis=-1)],
    "nonzero": lambda x: [x.nonzero(), (x > 2).nonzero()],
    "partition": lambda x: [x.copy().partition(1)],
    "prod": lambda x: [x.prod(), x.prod(axis=0, dtype="f8"), x.prod(axis=1, where=x > 1)],
    "ravel": lambda x: [x.ravel(), x.T.ravel()],
    "repeat": lambda x: [x.repeat(2), x.repeat(2, axis=0), x.repeat([1, 0, 2], axis=0)],
    "reshape": lambda x: [x.reshape(-1), x.reshape(4, 3), x.reshape((2, -1)), x.reshape(4, -1, copy=True)],
    "round": lambda x: [x.round(), (x / 3).round(2), x.round(decimals=-1)],
    "searchsorted": lambda x: [x[0].searchsorted([1, 2]), x[0].searchsorted(2, side="right")],
    "sort": lambda x: [x.copy().sort(axis=0)],
    "squeeze": lambda x: [x[None].squeeze(), x[:, None].squeeze(axis=1)],
    "std": lambda x: [x.std(), x.std(axis=0, ddof=1), x.std(correction=1)],
    "sum": lambda x: [
        x.sum(),
        x.sum(axis=0),
        x.sum((0, 1)),
        x.sum(-1, keepdims=True),
        x.sum(where=x > 1),
        x.sum(initial=5),
    ],
    "swapaxes": lambda x: [x.swapaxes(0, 1), x.swapaxes(-1, 0)],
    "to_device": lambda x: [x.to_device("cpu"), x.device],
    "trace": lambda x: [x.trace(), x.trace(offset=1), x.trace(dtype="f8")],
    "var": lambda x: [x.var(), x.var(axis=1, keepdims=True), x.var(ddof=1)],
}


@pytest.mark.parametrize("dtype", ["i8", "f8", "f4", "u1"])
@pytest.mark.parametrize("name", METHODS)
def test_method(name, dtype):
    """Each method by its main spellings; the tables of reductions and shapes go further."""
    agree(lambda xp: METHODS[name](xp.array((filled((3, 4)) * 4).astype(dtype))), tolerance="rounded")


@same_as_numpy
def test_methods_that_sort_in_place(xp):
    x = xp.array([[3, 1, 2], [9, 7, 8]])
    y = x[:, ::-1]
    y.sort()
    z = xp.array([5, 3, 9, 1])
    z.partition(0)
    return x, z[0]


@same_as_numpy
def test_resize_in_place(xp):
    x = xp.arange(6)
    x.resize((2, 4), refcheck=False)
    y = xp.arange(6.0)
    y.resize(2, refcheck=False)
    return x, y


@same_as_numpy
def test_resize_again_and_again(xp):
    x = xp.arange(4.0)
    for shape in (8, (2, 2), 3, (), (2, 3)):
        x.resize(shape)
    return x


@pytest.mark.parametrize("export", [memoryview, numpy.asarray, lambda x: x[1:]], ids=["buffer", "asarray", "view"])
@same_as_numpy
def test_resize_of_exported_memory(xp, export):
    x = xp.arange(4.0)
    exported = export(x)
    try:
        x.resize(8)
    except ValueError:
        del exported
        x.resize(8)
        return x
    return "not refused"


STRIDES = {
    "the same": (None, (24, 8)),
    "rows reversed": (slice(3, None), (-24, 8)),
    "zero": (None, (0, 8)),
    "every second": (slice(None, 2), (48, 8)),
    "diagonal": (slice(None, 2), (32, 8)),
    "beyond the end": (None, (48, 8)),
    "before the start": (None, (-24, 8)),
    "too few": (None, (8,)),
    "too many": (None, (8, 8, 8)),
    "an integer": (None, 8),
    "none": (None, None),
    "floats": (None, (24.0, 8.0)),
}


@pytest.mark.parametrize("case", STRIDES)
@same_as_numpy(warns=True)
def test_settable_strides(xp, case):
    """NumPy 2.4 warns, and refuses what reaches out of the memory that the array has part in."""
    index, strides = STRIDES[case]
    x = xp.arange(15.0).reshape(5, 3)
    view = x if index is None else x[index][:2]
    view.strides = strides
    view[0] = 100
    return view, view.strides, x


@same_as_numpy
def test_strides_cannot_be_deleted(xp):
    x = xp.arange(3.0)
    del x.strides


@same_as_numpy
def test_view_with_a_type(xp):
    class Kind(xp.ndarray):
        pass

    x = xp.arange(4.0)
    kind = x.view(type=Kind)
    views = [kind, x.view("i8", type=Kind), x.view("i8", Kind), x.view("f4", type=Kind), x.view(Kind), kind.view(),
             kind.view("i8"), kind.view(xp.ndarray), kind.view(type=xp.ndarray), kind.view("f4", xp.ndarray)]
    kind[0] = 7
    return [(type(view).__name__, xp.asarray(view)) for view in views]


@pytest.mark.parametrize("given", [{"type": int}, {"type": 3}, {"dtype": "f4", "type": dict}, "both"], ids=str)
@same_as_numpy
def test_view_refuses_a_type(xp, given):
    return xp.arange(4.0).view(**({"dtype": xp.ndarray, "type": xp.ndarray} if given == "both" else given))


@pytest.mark.parametrize("name", ["std", "var"])
@same_as_numpy
def test_methods_take_no_correction(xp, name):
    x = xp.arange(4.0)
    return getattr(xp, name)(x, correction=1), getattr(x, name)(correction=1)


def test_resize_of_shared_memory_is_refused():
    x = fastnp.arange(6)
    view = x[:3]
    with pytest.raises(ValueError, match="resize"):
        x.resize((20,))
    assert view.tolist() == [0, 1, 2]


def test_ctypes_and_data_point_at_the_memory():
    """Row 81: the pointer is that of the first element, for flipped arrays as well."""
    x = fastnp.arange(4.0)
    pointer = x.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    pointer[2] = 99
    assert x.tolist() == [0.0, 1.0, 99.0, 3.0]
    assert x.ctypes.data == x.tensor.data_ptr() == x.__array_interface__["data"][0]
    assert x[::-1].ctypes.data == x.ctypes.data + 24
    assert list(x[::-1].ctypes.strides) == [-8]
    assert list(x.reshape(2, 2).ctypes.shape) == [2, 2]
    assert isinstance(x.data, memoryview)
    assert x.data.nbytes == 32


def test_ndarray_constructor():
    """`ndarray(shape, dtype, buffer, offset, strides, order)` as NumPy's."""
    memory = bytearray(range(64))
    for arguments in [
        ((4,), "u1", memory),
        ((2, 3), "i2", memory, 4),
        ((3,), "f8", memory, 0, (16,)),
        ((2, 2), "i4", memory, 0, None, "F"),
    ]:
        want, got = numpy.ndarray(*arguments), fastnp.ndarray(*arguments)
        assert (got.shape, got.strides, got.dtype) == (want.shape, want.strides, want.dtype)
        assert host(got).tobytes() == want.tobytes()
    assert fastnp.ndarray((2, 3)).shape == (2, 3)
    assert fastnp.ndarray(3, order="F", dtype="f4").dtype == numpy.float32


@same_as_numpy
def test_as_strided_of_our_memory(xp):
    """Row 85: `numpy.lib.stride_tricks` sees our strides by the interface."""
    x = xp.arange(6.0)
    return as_strided(numpy.asarray(x), (4, 3), (8, 8)).tolist()


@same_as_numpy
def test_setstate_and_reduce(xp):
    x = xp.arange(6.0).reshape(2, 3)
    y = pickle.loads(pickle.dumps(x))
    z = pickle.load(io.BytesIO(x.dumps()))
    return y, z, y.flags.writeable


def test_module_and_name_of_the_class():
    """D9: neither a Tensor nor NumPy's array, and at home in fastnp."""
    assert fastnp.ndarray.__module__ == "fastnp"
    assert fastnp.ndarray.__qualname__ == "ndarray"
    assert not issubclass(fastnp.ndarray, numpy.ndarray)


def test_sizeof_counts_owned_memory():
    assert fastnp.zeros(1000).__sizeof__() >= 8000
    assert fastnp.ndarray[int] is not None


def test_array_namespace_is_the_module():
    """Row 130."""
    assert fastnp.zeros(3).__array_namespace__() is fastnp
