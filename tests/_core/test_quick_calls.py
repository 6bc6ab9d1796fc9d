"""The plainest calls, answered before their arguments are bound: each against NumPy, and against the full way."""

import itertools
import operator

import numpy
import pytest
import torch

import fastnp
from tests._oracle import Cells, Layout, agree
from tests._routines.test_small_sorting import layouts
from tests._tables import DTYPES, SHAPES, filled

CALLS = {
    "asarray": ((), (float,), ("f4",), ("i2",), ("c16",)),
    "asanyarray": ((),),
    "ascontiguousarray": ((),),
    "asfortranarray": ((),),
    "copy": ((),),
    "diag": ((), (1,), (-2,), (9,)),
    "diagonal": ((), (1,), (-1,), (9,), (0, 1, 0), (1.0,)),
    "expand_dims": ((0,), (-1,), (9,), ((0, 1),), (None,)),
    "matrix_transpose": ((),),
    "ndim": ((),),
    "full_like": ((2,), (-2.5,), (True,), (300,), (2**70,), ([1, 2],), (2, "f4"), (7, "u1"), (1j,), ("x",)),
    "ravel": ((), ("C",), ("F",), ("A",), ("K",), ("X",), (None,)),
    "reshape": ((-1,), ((-1, 1),), ((1, -1, 1),), ((-1, -1),), ((5, 7),), ((),), ((0,),), (24,), ("a",), ((2, -2),)),
    "rollaxis": ((0,), (-1,), (1, 2), (2, 1), (0, -1), (-1, 3), (5,), (0, 9), (0.0,)),
    "shape": ((),),
    "size": ((), (0,)),
    "squeeze": ((), (0,), (-1,), (None,), ((0,),), ("a",)),
    "swapaxes": ((0, 1), (-1, 0), (0, 9), (0, 1.0)),
    "transpose": ((), ((1, 0),), ((0, -1, 1),), ((0, 0),), (None,)),
}
METHODS = {
    "astype": ((float,), ("f4",), ("i1",), ("u8",), ("?",), ("c8",), ("f2",), (None,), ("x",)),
    "conj": ((),),
    "conjugate": ((),),
    "copy": ((), ("C",), ("F",), ("K",)),
    "diagonal": ((), (1,), (-1,), (9,)),
    "flatten": ((), ("C",), ("F",), ("A",), ("K",), ("X",)),
    "item": ((), (0,), (-1,), (1, 0), (9,), (0, -1, 1), ((1, 0),), (1.0,), (numpy.int64(0),)),
    "ravel": ((), ("F",), ("A",), ("K",)),
    "reshape": ((-1,), (-1, 1), (1, -1, 1), (-1, -1), (5, 7), ((2, -1),), (0,), (24,), ("a",), (), (True,), (2**70,)),
    "squeeze": ((), (0,), (-1,)),
    "swapaxes": ((0, 1), (-1, 0), (0, 9)),
    "tobytes": ((), ("F",), ("A",)),
    "tolist": ((),),
    "transpose": ((), (1, 0), ((1, 0),), (0, -1, 1), (0, 0), (None,)),
    "view": ((), ("i1",)),
}


def by_name(name, *arguments, **keywords):
    """Return a body that calls a function, arrays first."""
    return lambda xp, *arrays: getattr(xp, name)(*arrays, *arguments, **keywords)


def by_method(name, *arguments):
    """Return a body that calls a method."""
    return lambda xp, array: getattr(array, name)(*arguments)


def item_of(xp, array, key):
    return array[key]


def put_item(xp, array, key, value):
    array[key] = value
    return array


def some_layouts(dtype):
    return (*layouts(dtype), *(filled(shape, dtype) for shape in SHAPES))


def test_functions():
    with Cells() as cells:
        for (name, calls), dtype in itertools.product(CALLS.items(), ("f8", "i4", "?", "c16")):
            for array, arguments in itertools.product(some_layouts(dtype), calls):
                cells.same(f"{name} {dtype} {array} {arguments}", by_name(name, *arguments), array)


def test_methods():
    with Cells() as cells:
        for (name, calls), dtype in itertools.product(METHODS.items(), DTYPES):
            for array, arguments in itertools.product(some_layouts(dtype), calls):
                cells.same(f"{name} {dtype} {array} {arguments}", by_method(name, *arguments), array)


def test_views_share_memory_and_flags():
    def body(xp, array, name, *arguments):
        view = getattr(array, name)(*arguments)
        writeable = view.flags.writeable
        if writeable:
            view[...] = 7
        read_only = xp.broadcast_to(array, array.shape)
        return array, writeable, getattr(read_only, name)(*arguments).flags.writeable, view.base is array

    with Cells() as cells:
        for name, *arguments in (
            ("ravel",),
            ("ravel", "F"),
            ("ravel", "K"),
            ("reshape", -1),
            ("reshape", 4, 3),
            ("squeeze",),
            ("swapaxes", 0, 1),
            ("diagonal",),
            ("transpose",),
            ("transpose", 1, 0),
            ("view",),
        ):
            cells.same(f"{name} {arguments}", body, filled((3, 4)), name, *arguments)


def test_casts_warn():
    with Cells(warns=True) as cells:
        for dtype in ("f4", "f2", "i4", "u1", "?"):
            for values in ([1e300, 1.0], [numpy.nan, 1.0], [numpy.inf, -1.0], [1e-320, 2.0], [3e9, -3e9], [1 + 2j, 0]):
                for call in (by_method("astype", dtype), by_name("asarray", dtype), by_name("array", dtype)):
                    cells.same(f"{dtype} {values}", call, numpy.array(values))


def test_subclasses_scalars_and_tensors_go_the_full_way():
    class Mine(fastnp.ndarray):
        pass

    mine = fastnp.asarray([[1.0, 2.0]]).view(Mine)
    for result in (
        mine.ravel(),
        mine.reshape(2),
        mine.squeeze(),
        mine.swapaxes(0, 1),
        mine.copy(),
        mine.astype("f4"),
        mine.T,
        mine.view(),
        mine.conj(),
        mine[0, :],
        mine[..., 0],
        mine.transpose(1, 0),
        mine.flatten(),
        mine.diagonal(),
    ):
        assert type(result) is Mine
    assert type(fastnp.asarray(mine)) is fastnp.ndarray
    assert type(fastnp.asanyarray(mine)) is Mine
    scalar = fastnp.sum(fastnp.ones(2))
    assert not fastnp.asarray(scalar).is_scalar
    assert scalar.copy().is_scalar
    assert scalar.astype("f4").is_scalar
    assert scalar.item() == 2.0
    tracked = fastnp.asarray(torch.ones(2, 2, requires_grad=True))
    for result in (
        tracked.ravel(),
        tracked.reshape(4),
        tracked.swapaxes(0, 1),
        tracked.copy(),
        tracked.astype("f4"),
        tracked.diagonal(),
        tracked.transpose(1, 0),
        tracked[:, 0],
        fastnp.take(tracked, fastnp.array([0])),
    ):
        assert result.tensor.requires_grad


def test_modes_are_asked():
    class Log(torch.overrides.TorchFunctionMode):
        def __init__(self):
            super().__init__()
            self.names = []

        def __torch_function__(self, func, types, args=(), kwargs=None):
            self.names.append(func.__name__)
            return func(*args, **(kwargs or {}))

    array = fastnp.ones((2, 2))
    with Log() as log:
        for name in ("asarray", "ravel", "shape", "ndim", "size", "squeeze", "copy", "diagonal", "transpose"):
            getattr(fastnp, name)(array)
        array.reshape(-1)
        array.item(0, 0)
        array.tolist()
    assert [name for name in log.names if not name.startswith("__")] == [
        "asarray",
        "ravel",
        "shape",
        "ndim",
        "size",
        "squeeze",
        "copy",
        "diagonal",
        "transpose",
        "reshape",
        "item",
        "tolist",
    ]


class TestKeysOfParts:
    KEYS = (
        (Ellipsis, 0),
        (0, Ellipsis),
        (slice(None), 0),
        (slice(1, None), slice(1, None)),
        (slice(None), None),
        (None, 0),
        (None, Ellipsis, None),
        (slice(None, None, -1), slice(None, None, 2)),
        (0, slice(None, None, -2)),
        (Ellipsis, Ellipsis),
        (0, 0, 0, 0, 0),
        (9, slice(None)),
        (slice(None), -9),
        (slice(5, 2), 0),
        (0, 0, Ellipsis),
        (Ellipsis, None, 0, 0),
        (slice(2, None, -1), None, slice(-2, None)),
        (),
        (0, None),
        (True, slice(None)),
        (slice(None), 1.0),
        (slice(None), "a"),
        (slice(None), [0, 1]),
        (slice(None), 2**70),
        (None,) * 20,
    )

    def test_reading(self):
        with Cells() as cells:
            for dtype in ("f8", "i2", "?"):
                for array, key in itertools.product(some_layouts(dtype), self.KEYS):
                    cells.same(f"{dtype} {array} {key}", item_of, array, key)

    def test_integers_of_arrays(self):
        def body(xp, array, where):
            number = xp.argmax(where)
            return array[number, :], array[:, number], array[..., xp.array(1)], array[xp.array(0), :]

        with Cells() as cells:
            cells.same("argmax", body, filled((3, 4)), filled((3,)))

    def test_writing(self):
        values = (
            7,
            2.5,
            True,
            numpy.array([1.0, 2.0]),
            numpy.array(3),
            numpy.ones((4, 1)),
            numpy.arange(4),
            [1, 2, 3, 4],
        )
        with Cells() as cells:
            for key, value in itertools.product(self.KEYS, values):
                for array in (
                    filled((3, 4)),
                    filled((4, 4), "i4"),
                    Layout(filled((4, 5)), (slice(None, None, -1),), (1, 0)),
                ):
                    cells.same(f"{key} {value} {array}", put_item, array, key, value)

    def test_writing_to_itself(self):
        def body(xp, array):
            array[1:, :] = array[:-1, :]
            array[:, 0] = array[0, :]
            array[:, ::-1] = array
            array[...] = array.T
            return array

        with Cells() as cells:
            cells.same("square", body, filled((4, 4)))

    def test_few_elements_of_every_dtype(self):
        def body(xp, array, value):
            array[::2, 1:] = value
            turned = [array.copy("F"), array.T.copy(order="F"), array[0].copy("F"), array[:0].copy("F"), list(array)]
            turned += [array.T.copy(), array[:, ::-1].copy("F"), list(array[::-1]), list(array.T)]
            return array, array.T.copy("C"), array.T.ravel(), xp.ascontiguousarray(array[:, ::-1]), turned

        with Cells() as cells:
            for dtype, shape in itertools.product(DTYPES, ((4, 5), (22, 23), (23, 23), (24, 40))):
                cells.same(f"{dtype} {shape}", body, filled(shape, dtype), filled((shape[1] - 1,), dtype))


def test_masks():
    def body(xp, array, mask):
        return array[mask]

    with Cells() as cells:
        for dtype, size in itertools.product(DTYPES, (0, 1, 7, 8, 9, 511, 512, 513)):
            mask = numpy.arange(size) % 3 == 0
            cells.same(f"{dtype} {size}", body, filled((size,), dtype), mask)
            cells.same(f"none of {dtype} {size}", body, filled((size,), dtype), mask & False)
            cells.same(f"2-d {dtype} {size}", body, filled((size, 2), dtype), numpy.stack([mask, ~mask], 1))
            cells.same(f"rows {dtype} {size}", body, filled((size, 2), dtype), mask)
            cells.same(f"wrong {dtype} {size}", body, filled((size,), dtype), numpy.ones(size + 1, bool))
        cells.same("transposed", body, Layout(filled((3, 4)), (), (1, 0)), filled((4, 3)) > 0)
        cells.same("transposed mask", body, filled((4, 3)), Layout(filled((3, 4)) > 0, (), (1, 0)))
        cells.same("backwards", body, Layout(filled((5,)), (slice(None, None, -1),)), filled((5,)) > 0)


class TestCreationOfOtherDtypes:
    VALUES = (0, 1, -1, 300, 2.5, True, False, numpy.nan, 1e300, 2**40, 2**70, 1j, None, "a", [1, 2])

    def test_filled(self):
        with Cells(warns=True) as cells:
            for dtype, value in itertools.product((*DTYPES, None, float, int, bool), self.VALUES):
                cells.same(f"full {dtype} {value}", by_name("full", (2, 3), value, dtype))
                cells.same(f"full_like {dtype} {value}", by_name("full_like", value, dtype), filled((3,), "i4"))
            for dtype, shape in itertools.product((*DTYPES, float, int), (3, (2, 3), (), (0, 2))):
                for name in ("ones", "zeros"):
                    cells.same(f"{name} {dtype} {shape}", by_name(name, shape, dtype))
                    cells.same(
                        f"{name}_like {dtype} {shape}",
                        by_name(f"{name}_like", dtype),
                        filled(shape),
                    )

    def test_lists(self):
        lists = (
            [1, 2, 3],
            [1.5, 2],
            [[1, 2.5], [3, 4]],
            [True, False],
            [1e300, 1.0],
            [2**53 + 1, 1],
            [],
            [2**40],
            [-1],
            [300],
            [numpy.nan, 1.0],
            [1, True],
            ((1, 2), (3, 4)),
            [[1], [1, 2]],
            [1j, 2],
            [1e-320],
        )
        with Cells(warns=True) as cells:
            for dtype, values in itertools.product((*DTYPES, None, float, int, bool, complex), lists):
                cells.same(f"{dtype} {values}", by_name("array", values, dtype))
                cells.same(f"asarray {dtype} {values}", by_name("asarray", values, dtype))

    def test_ranges(self):
        with Cells() as cells:
            for dtype in (*DTYPES, float, int, bool):
                for bounds in (
                    (3,),
                    (0,),
                    (2, 9, 3),
                    (9, 2, -2),
                    (-5, 5),
                    (2.5,),
                    (0, 1, 0.25),
                    (2**24, 2**24 + 3),
                    (300, 310),
                    (2**33, 2**33 + 2),
                    (3, 1),
                ):
                    cells.same(f"{dtype} {bounds}", by_name("arange", *bounds, dtype=dtype))

    def test_matrices(self):
        with Cells() as cells:
            for dtype, k in itertools.product((*DTYPES, float, None), (0, 1, -2, 5, -9, 1.0)):
                for size in ((3,), (2, 4), (4, 2), (0,), (3, 0), (-1,), (2.0,), (3, None)):
                    cells.same(f"eye {dtype} {k} {size}", by_name("eye", *size, k=k, dtype=dtype))
            for dtype, n in itertools.product((*DTYPES, None), (0, 1, 3, -1, 2.0)):
                cells.same(f"identity {dtype} {n}", by_name("identity", n, dtype))
            cells.same("order", lambda xp: xp.eye(3, order="F"))
            for array, k in itertools.product(
                (Layout(filled((9,)), (slice(None, None, -2),)), numpy.zeros(0), 2.0), (0, 1, -1)
            ):
                cells.same(f"diag {array} {k}", by_name("diag", k), array)


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_as_complex_numbers(dtype):
    for shape in ((), (1,), (1, 1), (2,), (0,)):
        given = numpy.full(shape, 2).astype(dtype)
        agree(lambda xp, a: complex(a), given)
        agree(lambda xp, a: complex(a[..., None][()].T.reshape(a.shape)), given)
    agree(lambda xp, a: complex(a[1]), numpy.arange(3).astype(dtype))


def test_resized_to_the_shape_it_has():
    for shape in [(3,), [3], (3.0,), ((3,),), (numpy.int64(3),), (-3,), (1, 3)]:

        def body(xp, a, shape=shape):
            a = a.copy()
            a.resize(*shape)
            return a

        agree(body, numpy.arange(3.0))


@pytest.mark.parametrize("name", ["asarray", "asanyarray", "require"])
def test_what_is_as_asked_is_given_back(name):
    """An array of the dtype and order that a call names is the array itself, any other a new one, as in NumPy."""
    dtypes = [None, float, "f8", "f4", numpy.float64, *map(numpy.dtype, ("f8", "<f8", "f4")), "x", int]
    orders = [None, "C", "F", "A", "W", "x", *([["C", "W"]] if name == "require" else ["K", 5])]
    arrays = {
        "line": lambda xp: xp.arange(3.0), "rows": lambda xp: xp.ones((2, 3)), "columns": lambda xp: xp.ones((2, 3)).T,
        "backwards": lambda xp: xp.arange(3.0)[::-1], "apart": lambda xp: xp.ones((4, 3))[::2],
        "element": lambda xp: xp.array(2.0), "scalar": lambda xp: xp.arange(3.0)[0],
        "single": lambda xp: xp.ones(2, "f4"),
    }
    with Cells(layout=True) as cells:
        for (label, array), dtype, order in itertools.product(arrays.items(), dtypes, orders):
            def call(xp, array=array, dtype=dtype, order=order):
                given = array(xp)
                made = getattr(xp, name)
                results = [made(given, dtype, order), made(given, dtype)]
                if name != "require":
                    results += [made(given, dtype=dtype, order=order), made(given, order=order)]
                return [result is given for result in results], results

            cells.same(f"{label} {dtype} {order}", call)


def test_an_array_is_no_index():
    for index in (operator.index, bytearray, bytes, range):
        agree(lambda xp, index=index: type(index(xp.arange(3))).__name__)
    agree(lambda xp: operator.index(xp.ones((1, 1), int)))
    agree(lambda xp: operator.index(xp.array(1.5)))
    agree(lambda xp: [operator.index(xp.array(7)), [1, 2, 3][xp.array(1)], bytes(xp.array(2))])
