"""torch's machinery on arrays: its functions, Tensor subclasses, modes, and the switches (rows 5, 20; D8)."""

import pytest
import torch
from torch.overrides import TorchFunctionMode

import fastnp as np


@pytest.mark.parametrize(
    "call",
    [
        lambda x, t: torch.sin(x),
        lambda x, t: torch.add(t, x),
        lambda x, t: torch.stack([x, t]),
        lambda x, t: t + x,
        lambda x, t: t @ x,
        lambda x, t: t < x,
        lambda x, t: torch.nn.functional.relu(x),
        lambda x, t: torch.nn.functional.linear(x, torch.ones(2, 3)),
        lambda x, t: torch.cat((x, x)),
        lambda x, t: torch.max(x[None], 0).values,
        lambda x, t: torch.where(x > 0, x, t),
    ],
)
def test_torch_functions_take_and_give_arrays(call):
    x, t = np.array([-1.0, 0.5, 2.0], dtype="f4"), torch.tensor([1.0, 2.0, 3.0])
    result = call(x, t)
    assert type(result) is np.ndarray
    assert torch.equal(result.tensor, call(x.tensor, t))


def test_tensor_setitem_takes_an_array():
    t = torch.zeros(3)
    t[0] = np.ones(())
    t[1:] = np.array([2.0, 3.0])
    assert t.tolist() == [1.0, 2.0, 3.0]


def test_functions_of_torch_that_return_a_tuple_give_arrays():
    values, places = torch.sort(np.array([2.0, 1.0]))
    assert type(values) is type(places) is np.ndarray


class Logged(torch.Tensor):
    log = []  # noqa: RUF012 - the class's log

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.log.append(func)
        return super().__torch_function__(func, types, args, kwargs or {})


class Silent(torch.Tensor):
    """A Tensor subclass with torch's own hook."""


@pytest.mark.parametrize("cls", [Logged, Silent])
@pytest.mark.parametrize(
    "call", [np.exp, np.cumsum, np.sort, lambda t: np.add(t, 1), lambda t: np.concatenate([t, t]), np.linalg.inv]
)
def test_tensor_subclass_comes_out_as_itself(cls, call):
    t = torch.eye(2).as_subclass(cls)
    Logged.log.clear()
    result = call(t)
    assert type(result) is cls
    assert cls is Silent or Logged.log


def test_hook_of_a_tensor_subclass_gets_the_fastnp_function():
    Logged.log.clear()
    np.exp(torch.ones(2).as_subclass(Logged))
    assert Logged.log[0] is np.exp


@pytest.mark.parametrize("cls", [Silent, torch.nn.Parameter])
def test_array_with_tensor_subclass_in_both_orders(cls):
    """D8: a mix of Tensor and array is an array."""
    t, x = torch.ones(2).as_subclass(cls) if cls is Silent else cls(torch.ones(2)), np.ones(2, dtype="f4")
    assert type(x + t) is type(t + x) is type(np.add(t, x)) is np.ndarray


def test_array_subclass_with_tensor_in_both_orders():
    s, t = np.ones(2).view(type("Sub", (np.ndarray,), {})), torch.ones(2)
    assert type(s + t) is type(t + s) is type(s)


class Sub(np.ndarray):
    log = []  # noqa: RUF012 - the class's log

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.log.append(func)
        return super().__torch_function__(func, types, args, kwargs or {})


def test_switches_turn_hooks_off():
    s = np.ones(2).view(Sub)
    Sub.log.clear()
    for switch in (torch._C.DisableTorchFunctionSubclass, torch._C.DisableTorchFunction):
        with switch():
            result = np.exp(s) + s
            assert s.shape == (2,)
            assert s[0] == 1
        assert type(result) is Sub
    assert Sub.log == []
    assert np.exp(s).shape == (2,)
    assert Sub.log == [np.exp, np.ndarray.shape.__get__]


class Counting(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.log = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.log.append(func)
        return func(*args, **(kwargs or {}))


def test_mode_sees_functions_methods_operators_and_attributes_once():
    """Row 20."""
    x = np.ones((2, 2))
    with Counting() as mode:
        np.sin(x)
        x.sum(axis=0)
        x + 1
        1 - x
        x += 1
        x[0]
        x[0] = 2
        x.shape
        len(x)
    assert mode.log == [
        np.sin, np.ndarray.sum, np.ndarray.__add__, np.ndarray.__rsub__, np.ndarray.__iadd__, np.ndarray.__getitem__,
        np.ndarray.__setitem__, np.ndarray.shape.__get__, np.ndarray.__len__,
    ]


def test_modes_nest_and_the_inner_one_comes_first():
    x = np.ones(2)
    with Counting() as outer:
        with Counting() as inner:
            np.exp(x)
        np.sin(x)
    assert inner.log == [np.exp]
    assert outer.log == [np.exp, np.sin]


def test_switch_turns_modes_off():
    with Counting() as mode, torch._C.DisableTorchFunction():
        np.ones(2) + 1
    assert mode.log == []


def test_mode_gets_types_of_subclasses():
    types_seen = []

    class Mode(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            types_seen.append(types)
            return func(*args, **(kwargs or {}))

    plain = type("Plain", (np.ndarray,), {})
    with Mode():
        np.exp(np.ones(2).view(plain))
    assert (plain,) in types_seen


def test_device_contexts():
    """torch.device is a mode of torch's own: it decides where arrays are made, and hides no call."""
    with torch.device("meta"):
        assert np.zeros(3).device == "meta"
        assert np.arange(3).device == "meta"
        with Counting() as mode:
            np.exp(np.zeros(2))
    assert np.exp in mode.log
    assert np.zeros(3).device == "cpu"
