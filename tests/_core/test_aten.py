"""Calls of ATen's operators without torch's Python functions: what they give, and who still sees the functions."""

import gc
import itertools
import operator
import threading
import time

import numpy
import pytest
import torch

import fastnp as np
from tests._core.test_general_calls import check, tracked, values

NUMBERS = (0, 1, -3, 2**40, 2**70, 0.5, -1e300, float("nan"), 1 + 2j, True)
OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "lt", "ge", "and_", "or_")


def outcome(function, *operands):
    """Return what a call gives, or the type of what it raises."""
    try:
        with numpy.errstate(all="ignore"):
            return function(*operands)
    except (IndexError, TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        return type(error)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i4", "i8", "f2", "f4", "f8", "c8", "c16"])
def test_python_numbers_beside_arrays(name, dtype):
    theirs = values(dtype)
    function = getattr(operator, name)
    for number in NUMBERS:
        # Powers by torch round otherwise, and floats that a narrow dtype cannot hold are infinite in either.
        if name == "pow" and (number not in (0, 1) or dtype in ("?", "f2", "c8", "c16")):
            continue
        for swapped in (False, True):
            operands = (number, theirs) if swapped else (theirs, number)
            expected = outcome(function, *operands)
            found = outcome(function, *(tracked(theirs) if one is theirs else one for one in operands))
            if isinstance(expected, type):
                assert found is expected, (name, dtype, number, swapped)
            else:
                assert found.dtype == expected.dtype, (name, dtype, number, swapped)
                with numpy.errstate(all="ignore"):
                    plain = function(*(np.asarray(theirs) if one is theirs else one for one in operands))
                numpy.testing.assert_allclose(
                    found.tensor.detach().to(torch.complex128).numpy(), numpy.asarray(plain).astype("c16"),
                    rtol=2e-3 if dtype == "f2" else 1e-5, atol=1e-12, err_msg=f"{name} {dtype} {number} {swapped}")


PARTS = (0, -1, slice(None), slice(1, None), slice(None, None, 2), slice(5, 1), slice(-2, None), None, Ellipsis)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_keys_of_parts(length):
    theirs = values("f8", (2, 3, 4))
    array, plain = tracked(theirs), np.asarray(theirs)
    for key in itertools.product(PARTS, repeat=length):
        if sum(part is Ellipsis for part in key) > 1:
            continue
        expected = theirs[key]
        check(array[key], expected)
        # What numpy gives as a scalar owns its value; all else is a view.
        assert array[key].is_scalar is plain[key].is_scalar
        if length == 1:
            check(array[key[0]], theirs[key[0]])


@pytest.mark.parametrize("key", [(2, 0), (0, 3), 2, -3, (0, 0, 0), (slice(None), -4), (0, 2**70), 2**70])
def test_keys_out_of_range(key):
    for array in (values("f8"), np.asarray(values("f8")), tracked(values("f8"))):
        with pytest.raises(IndexError):
            array[key]


class Named(torch.Tensor):
    """A subclass that keeps the names of the functions that were called."""

    names = []  # noqa: RUF012 - the class's record

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.names.append(func.__name__)
        return super().__torch_function__(func, types, args, kwargs or {})


class Unasked(torch.Tensor):
    """A subclass that is not asked."""

    __torch_function__ = torch._C._disabled_torch_function_impl


CALLS = {
    "add": lambda a: a + a, "exp": np.exp, "gt": lambda a: a > 0, "sum": np.sum,
    "cumsum": lambda a: np.cumsum(a, axis=0),
    "argmax": np.argmax, "mean": np.mean, "std": np.std, "cat": lambda a: np.concatenate((a, a)),
    "stack": lambda a: np.stack((a, a)), "reshape": lambda a: np.reshape(a, (3, 1)),
    "clamp": lambda a: np.clip(a, 0, 1),
    "__getitem__": lambda a: a[1:], "where": lambda a: np.where(np.asarray([True, False, True]), a, 0.5),
    "matmul": lambda a: np.matmul(a, a), "swapaxes": lambda a: np.swapaxes(a[None], 0, 1),
    "asarray": lambda a: np.asarray([a, a]),
}


@pytest.mark.parametrize("name", CALLS)
def test_classes_with_a_hook_see_functions_of_torch(name):
    tensor = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64)
    Named.names.clear()
    found = CALLS[name](np.asarray(tensor.clone().as_subclass(Named).requires_grad_()))
    assert Named.names
    assert isinstance(found.tensor, Named)
    check(np.asarray(found.tensor.detach().as_subclass(torch.Tensor)), CALLS[name](np.asarray(tensor)))


@pytest.mark.parametrize("name", CALLS)
def test_classes_that_are_not_asked(name):
    tensor = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64)
    found = CALLS[name](np.asarray(tensor.clone().as_subclass(Unasked).requires_grad_()))
    check(found, CALLS[name](np.asarray(tensor)))


def test_lists_of_arrays_with_gradients():
    leaf = torch.ones(3, dtype=torch.float64, requires_grad=True)
    array = np.asarray(leaf)
    found = np.asarray([array, array * 2, array[::-1]])
    assert found.shape == (3, 3)
    found.sum().tensor.backward()
    assert leaf.grad.tolist() == [4.0, 4.0, 4.0]
    mixed = np.asarray([array, np.asarray([1, 2, 3])])
    assert mixed.dtype == numpy.float64
    check(mixed, numpy.asarray([numpy.ones(3), [1, 2, 3]]))
    with pytest.raises(ValueError, match="inhomogeneous"):
        np.asarray([array, array[1:]])


def test_saved_tensors_are_what_torch_saves():
    packed = []
    leaf = torch.ones(3, dtype=torch.float64, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: packed.append(tensor) or tensor, torch.clone):
        found = np.asarray(leaf) * np.asarray(leaf)
    assert len(packed) == 2
    found.sum().tensor.backward()
    assert leaf.grad.tolist() == [2.0, 2.0, 2.0]


def test_other_threads_run_during_long_calls():
    array = np.asarray(torch.ones(700, 700, dtype=torch.float64, requires_grad=True))
    np.matmul(array, array)
    seen, over = [], threading.Event()

    def count():
        while not over.is_set():
            seen.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    inside = 0
    for _ in range(5):
        start = time.perf_counter()
        np.matmul(array, array)
        inside += sum(start < moment < time.perf_counter() - 0.002 for moment in seen)
    over.set()
    thread.join()
    assert inside > 0


def test_references_balance():
    array = np.asarray(torch.ones(3, dtype=torch.float64, requires_grad=True))
    for name, call in CALLS.items():
        call(array)
        gc.collect()
        before = len(gc.get_objects())
        for _ in range(50):
            call(array)
        gc.collect()
        assert len(gc.get_objects()) - before < 25, name


@pytest.mark.parametrize("place", [0, 1, -1, 2, -2, 3, 5, -4])
def test_elements_deleted_and_inserted_at_one_place(place):
    for shape, axis in (((3,), None), ((3,), 0), ((2, 3), 1), ((3, 2), -2), ((2, 3), None), ((0, 2), 0)):
        theirs = values("f8", shape)
        for name, arguments in (("delete", ()), ("insert", (7,)), ("insert", ([7.5, 8.5],)), ("insert", ([[1], [2]],))):
            expected = outcome(getattr(numpy, name), theirs, place, *arguments, axis)
            found = outcome(getattr(np, name), tracked(theirs), place, *arguments, axis)
            if isinstance(expected, type):
                assert found is expected, (shape, axis, name, arguments)
            else:
                check(found, expected)
