"""Subclasses of the array (rows 1, 2, 3, 8, 9, 10, 14 to 18, 25, 26; seeds 000 and 003)."""

import copy
import inspect
import pickle

import numpy
import pytest
import torch

import fastnp as np
from fastnp.overrides import ArrayLike, OutArray, make_subclass, torch_function_dispatch


class Info(np.ndarray):
    """The seeds' example: an attribute that `__array_finalize__` carries."""

    finalized = 0

    def __array_finalize__(self, source):
        Info.finalized += 1
        self.info = getattr(source, "info", None)


class Plain(np.ndarray):
    """A subclass that changes nothing."""


def info(values):
    array = np.array(values).view(Info)
    array.info = "V"
    return array


CALLS = {
    "view": lambda s: s.view(),
    "slice": lambda s: s[1:],
    "step": lambda s: s[::-1],
    "newaxis": lambda s: s[None],
    "ellipsis": lambda s: s[...],
    "mask": lambda s: s[s.tensor > 0],
    "take by list": lambda s: s[[0, 2]],
    "T": lambda s: s.T,
    "real": lambda s: s.real,
    "reshape": lambda s: s.reshape(3, 1),
    "ravel": lambda s: s.ravel(),
    "flatten": lambda s: s.flatten(),
    "copy": lambda s: s.copy(),
    "astype": lambda s: s.astype("f4"),
    "cumsum": lambda s: s.cumsum(),
    "clip": lambda s: s.clip(0, 1),
    "repeat": lambda s: s.repeat(2),
    "copy.copy": copy.copy,
    "s + s": lambda s: s + s,
    "s + array": lambda s: s + np.ones(3),
    "array + s": lambda s: np.ones(3) + s,
    "1 + s": lambda s: 1 + s,
    "s ** 2": lambda s: s**2,
    "s @ matrix": lambda s: s @ np.ones((3, 2)),
    "-s": lambda s: -s,
    "s < 2": lambda s: s < 2,
    "s + numpy": lambda s: s + numpy.ones(3),
    "numpy + s": lambda s: numpy.ones(3) + s,
    "s + tensor": lambda s: s + torch.ones(3),
    "np.exp": np.exp,
    "np.add": lambda s: np.add(s, [1, 2, 3]),
    "np.sum(axis)": lambda s: np.sum(s.reshape(3, 1), axis=0),
    "np.add.reduce": lambda s: np.add.reduce(s[None], axis=0),
    "np.add.accumulate": np.add.accumulate,
    "np.multiply.outer": lambda s: np.multiply.outer(s, s),
    "np.cumsum": np.cumsum,
    "np.concatenate": lambda s: np.concatenate([np.ones(2), s]),
    "np.sort": np.sort,
    "np.where": lambda s: np.where(s > 1, s, 0 * s),
    "np.zeros_like": np.zeros_like,
    "np.asanyarray": np.asanyarray,
    "np.array(subok)": lambda s: np.array(s, subok=True),
    "np.flip": np.flip,
    "numpy.exp": numpy.exp,
    "numpy.concatenate": lambda s: numpy.concatenate([s, s]),
    "torch.sin": torch.sin,
    "torch.add": lambda s: torch.add(torch.ones(3), s),
}
@pytest.mark.parametrize("name", CALLS)
def test_type_and_attributes_survive(name):
    """Seed 000 goals 8 to 10; seed 003."""
    result = CALLS[name](info([1.0, 2.0, 3.0]))
    assert type(result) is Info
    assert result.info == "V"


#: Calls whose expression makes more than one new array.
TWO_STEPS = {"np.sum(axis)", "np.add.reduce", "np.where"}


@pytest.mark.parametrize("name", sorted(set(CALLS) - TWO_STEPS))
def test_finalized_once_for_each_new_object(name):
    s = info([1.0, 2.0, 3.0])
    Info.finalized = 0
    result = CALLS[name](s)
    assert Info.finalized == (result is not s)


def test_attributes_survive_pickling_and_deep_copies():
    s = info([1.0, 2.0])
    s.extra = [1]
    for again in (pickle.loads(pickle.dumps(s)), copy.deepcopy(s)):
        assert type(again) is Info
        assert again.info == "V"
        assert again.extra == [1]
        assert again.extra is not s.extra


def test_out_of_a_subclass_is_returned_and_not_finalized():
    s, out = info([1.0, 2.0]), info([0.0, 0.0])
    Info.finalized = 0
    assert np.add(s, 1, out=out) is out
    assert numpy.asarray(out).tolist() == [2.0, 3.0]
    assert np.cumsum(s, out=out) is out
    assert Info.finalized == 0


def test_tuple_outs():
    s, whole, fraction = info([1.5, 2.25]), info([0.0, 0.0]), np.zeros(2)
    result = np.modf(s, out=(fraction, whole))
    assert result[0] is fraction
    assert result[1] is whole
    assert whole.tolist() == [1.0, 2.0]
    first, second = np.modf(s, out=(None, whole))
    assert type(first) is Info
    assert second is whole


def test_subok():
    s = info([1.0])
    assert type(np.array(s)) is type(np.asarray(s)) is type(np.zeros_like(s, subok=False)) is np.ndarray
    assert type(np.asanyarray(s)) is type(np.zeros_like(s)) is Info
    assert np.asanyarray(s) is s


def test_subclass_is_made_by_its_own_constructor():
    """Row 1: `S.__new__` and `view(S)`."""
    assert type(Plain((2, 3))) is Plain
    assert type(Plain.__new__(Plain, 3)) is Plain
    assert type(np.zeros(3).view(Plain)) is Plain


# --- seed 000 ---

def test_seed_000_usage_and_impact():
    """The RFC's own example."""

    class SubArray(np.ndarray):
        a = 1

    t = np.array([1.0, 2.0]).view(SubArray)
    s, i = t.cumsum(), t[:1]
    s2, s3 = t + np.ones(1), np.ones(1) + t
    for result in (s, i, s2, s3):
        assert isinstance(result, SubArray)
        assert result.a == 1


def test_seed_000_make_subclass():
    """Change 3: public, on the same memory, with the gradient."""
    tensor = torch.ones(3, dtype=torch.float64, requires_grad=True)
    s = make_subclass(np.asarray(tensor), Plain)
    assert type(s) is Plain
    (s * 2).sum().tensor.backward()
    assert tensor.grad.tolist() == [2.0, 2.0, 2.0]
    x = np.zeros(2)
    make_subclass(x, Plain)[0] = 5
    assert x[0] == 5
    with pytest.raises(TypeError, match=r"is not a subclass of fastnp\.ndarray"):
        make_subclass(x, int)


def chain():
    """Return three classes, each of which logs its name and goes on with `super()` and the types that are left."""
    log = []

    class A(np.ndarray):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log.append("A")
            return super().__torch_function__(func, tuple(t for t in types if not issubclass(t, A)), args, kwargs or {})

    class B(A):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log.append("B")
            return super().__torch_function__(func, tuple(t for t in types if not issubclass(t, B)), args, kwargs or {})

    class C(B):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log.append("C")
            return super().__torch_function__(func, tuple(t for t in types if not issubclass(t, C)), args, kwargs or {})

    return log, A, B, C


@pytest.mark.parametrize("call", [lambda c: c + c, np.exp, lambda c: c.sum(), lambda c: c[0], lambda c: c.shape, len])
def test_seed_000_super_terminates(call):
    """A chain of three classes: the log is the order of the classes, each once."""
    log, _, _, c = chain()
    call(np.ones(2).view(c))
    assert log == ["C", "B", "A"]


def test_seed_000_types_are_unique_and_subclasses_come_first():
    """Change 2, and NEP 18's order; plain arrays are no part of it."""
    seen = []

    def hook(cls, func, types, args=(), kwargs=None):
        seen.append((cls.__name__, [t.__name__ for t in types]))
        return NotImplemented

    base = type("Base", (np.ndarray,), {"__torch_function__": classmethod(hook)})
    derived = type("Derived", (base,), {})
    other = type("Other", (), {"__torch_function__": classmethod(hook)})
    operands = [np.ones(1), np.ones(1).view(base), other(), np.ones(1).view(derived), np.ones(1).view(base), other()]
    with pytest.raises(TypeError, match=r"no implementation found for 'fastnp.concatenate'.*Derived, Base, Other"):
        np.concatenate(operands)
    order = ["Derived", "Base", "Other"]
    assert seen == [(name, order) for name in order]


def test_seed_000_unrelated_class_trees_are_not_merged():
    a, b = np.ones(2).view(type("Left", (np.ndarray,), {})), np.ones(2).view(type("Right", (np.ndarray,), {}))
    for call in (lambda: a + b, lambda: np.add(a, b), lambda: np.concatenate([a, b])):
        with pytest.raises(TypeError, match=r"Left.*Right"):
            call()


def test_seed_000_hook_of_one_of_two_trees_is_asked():
    class Takes:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func

    assert np.ones(2).view(Plain) + Takes() is np.ndarray.__add__
    assert np.add(np.ones(2).view(Plain), Takes()) is np.add


def test_seed_000_handled_table_of_functions():
    """`func` is the public callable: `func in HANDLED` works, and it has a name."""
    handled = {np.sum: "sum", np.add: "add", np.ndarray.sum: "method", np.ndarray.__add__: "operator",
               np.ndarray.shape.__get__: "getter", np.add.reduce: "reduce", np.ndarray.__getitem__: "index"}

    class Duck(np.ndarray):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return handled[func], func.__name__

    d = np.ones(2).view(Duck)
    assert np.sum(d) == ("sum", "sum")
    assert np.add(d, 1) == ("add", "add")
    assert d.sum() == ("method", "sum")
    assert d + 1 == ("operator", "__add__")
    assert d.shape == ("getter", "__get__")
    assert np.add.reduce(d) == ("reduce", "reduce")
    assert d[0] == ("index", "__getitem__")


def test_seed_000_decorator_for_a_subclass_authors_own_method():
    class Signal(np.ndarray):
        @torch_function_dispatch(lambda self, other: (self, other))
        def mixed_with(self, other):
            return "mine"

    class Other:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func.__name__, [t.__name__ for t in types]

    s = np.ones(2).view(Signal)
    assert s.mixed_with(1) == "mine"
    assert s.mixed_with(Other()) == ("mixed_with", ["Signal", "Other"])
    assert list(inspect.signature(Signal.mixed_with).parameters) == ["self", "other"]


def test_seed_000_hook_may_change_the_result():
    class Doubled(np.ndarray):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            result = super().__torch_function__(func, types, args, kwargs or {})
            return result * 2 if func is np.sum else result

    assert float(np.sum(np.ones(3).view(Doubled))) == 6.0


# --- seed 003 ---

def test_seed_003_data_info():
    class AddedAttributeArray(np.ndarray):
        data_info = "voltage"

    t2 = np.array([3.0, 6.0]).view(AddedAttributeArray)
    for result in (np.array([1.0, 2.0]) + t2, t2 + t2, t2[:1], t2.reshape((2, 1))):
        assert isinstance(result, AddedAttributeArray)
        assert result.data_info == "voltage"


def test_seed_003_info_array():
    """The document's InfoArray, its constructor with NumPy's arguments."""

    class InfoArray(np.ndarray):
        def __new__(cls, shape, dtype=float, buffer=None, offset=0, strides=None, order=None, info=None):
            obj = super().__new__(cls, shape, dtype, buffer, offset, strides, order)
            obj.info = info
            return obj

        def __array_finalize__(self, obj):
            if obj is None:
                return
            self.info = getattr(obj, "info", None)

    x = np.arange(3)
    i = InfoArray(shape=(3,), dtype=np.int64, buffer=x, info="about")
    assert (x + i).info == (i + i).info == i[1:].info == "about"
    assert i.tolist() == x.tolist()


def test_seed_003_protocols_of_numpy_and_torch_are_two_domains():
    """An object that has only NumPy's protocol takes no part in torch's functions."""

    class Duck:
        def __array_function__(self, func, types, args, kwargs):
            return "numpy"

        def __array_ufunc__(self, *args, **kwargs):
            return "numpy"

    assert numpy.sum(Duck()) == np.sum(Duck()) == np.add(np.ones(1), Duck()) == "numpy"
    with pytest.raises(TypeError):
        torch.sum(Duck())


def test_seed_003_functions_that_torch_lacks_come_back():
    """Row 6: NumPy computes, and the result is ours."""
    result = numpy.i0(np.ones(2))
    assert type(result) is np.ndarray
    assert numpy.array_equal(numpy.asarray(result), numpy.i0(numpy.ones(2)))


def test_seed_004_normalizer_is_public():
    """Annotation-based preprocessing: conversion, `out` and overrides by one decorator."""
    @torch_function_dispatch()
    def diag(v: ArrayLike, k=0, out: OutArray = None):
        assert type(v) is torch.Tensor
        return torch.diag(v, k)

    out = np.zeros((2, 2))
    assert type(diag([1.0, 2.0])) is np.ndarray
    assert diag(np.array([1.0, 2.0]), out=out) is out
    assert out.tolist() == [[1.0, 0.0], [0.0, 2.0]]
    assert type(diag(torch.ones(2))) is torch.Tensor
    assert type(diag(np.ones(2).view(Plain))) is Plain
