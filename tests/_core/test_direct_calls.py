"""Calls by one operator of ATen's, in few steps: the answers of the general ways, and of NumPy, and their errors."""

import contextlib
import itertools

import numpy
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import fastnp as np
from fastnp._core import aten

DTYPES = ("?", "u1", "i4", "i8", "f2", "f4", "f8", "c16")


class Mine(np.ndarray):
    """A subclass of the array, whose calls go the longer way."""


class Counting(TorchDispatchMode):
    """Count the operations of torch, and let them through."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(func.__name__)
        return func(*args, **(kwargs or {}))


class Failing(TorchDispatchMode):
    """Raise an error of its own."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        raise RuntimeError("not today")


def arrays(dtype, situation):
    """Return an array, NumPy's, and the same as an instance of a subclass; with a gradient where it can be."""
    theirs = (numpy.arange(6).reshape(2, 3) % 4 + 1).astype(dtype)
    tensor = torch.tensor(theirs, device="meta" if situation == "meta" else "cpu")
    if situation == "gradient" and theirs.dtype.kind in "fc":
        tensor.requires_grad_()
    ours = np.asarray(tensor)
    return ours, theirs, ours.view(Mine)


def outcome(call, *arguments):
    """Return what a call gives: dtype, shape and values (on the host); or the type and text of its error."""
    try:
        with numpy.errstate(all="ignore"), np.errstate(all="ignore"):
            result = call(*arguments)
    except (ArithmeticError, IndexError, RuntimeError, TypeError, ValueError) as error:
        return type(error), str(error)
    if not isinstance(result, (np.ndarray, numpy.ndarray, numpy.generic)):
        return result
    if isinstance(result, np.ndarray) and result.tensor.is_meta:
        return str(result.dtype), tuple(result.shape), None
    values = result.tensor.detach().numpy() if isinstance(result, np.ndarray) else result
    return str(result.dtype), tuple(result.shape), numpy.asarray(values).tobytes()


def is_numpys(found, call, *arguments):
    """Whether NumPy's call gives the same dtype and shape, or an error of the same type."""
    theirs = outcome(call, *arguments)
    return found[0] == theirs[0] and (isinstance(found[0], type) or found[1] == theirs[1])


BINARY = ("add", "subtract", "multiply", "divide", "less", "equal", "greater_equal", "not_equal", "maximum", "fmod",
          "bitwise_and", "logical_or", "arctan2", "hypot")  # fmt: skip
UNARY = ("negative", "absolute", "exp", "sqrt", "logical_not", "isnan", "square", "sign", "conjugate")
TOO_LARGE = 2**70
NUMBERS = (2, 1.5, 1j, True, 300, -1, TOO_LARGE, 1e300, float("nan"))


@pytest.mark.parametrize("situation", ["gradient", "dispatch mode", "meta"])
@pytest.mark.parametrize("dtype", DTYPES)
class TestTheLongerWay:
    @pytest.mark.parametrize("name", BINARY)
    def test_of_two(self, name, dtype, situation):
        ours, theirs, mine = arrays(dtype, situation)
        function, numpys = getattr(np, name), getattr(numpy, name)
        pairs = [*zip(*((array, array[0]) for array in (ours, theirs, mine)), strict=True)]
        with Counting() if situation == "dispatch mode" else contextlib.nullcontext():
            for (our_first, their_first, my_first), second in itertools.product(pairs, (None, *NUMBERS)):
                operands = [(ours, our_first), (theirs, their_first), (mine, my_first)] if second is None else [
                    (first, second) for first in (our_first, their_first, my_first)]  # fmt: skip
                for turn in (1, -1):
                    found = outcome(function, *operands[0][::turn])
                    assert found == outcome(function, *operands[2][::turn])
                    # NumPy: an OverflowError, though every number has a truth.
                    assert name == "logical_or" and second is TOO_LARGE or (
                        is_numpys(found, numpys, *operands[1][::turn]))

    @pytest.mark.parametrize("name", UNARY)
    def test_of_one(self, name, dtype, situation):
        ours, theirs, mine = arrays(dtype, situation)
        with Counting() if situation == "dispatch mode" else contextlib.nullcontext():
            found = outcome(getattr(np, name), ours)
            assert found == outcome(getattr(np, name), mine)
            assert is_numpys(found, getattr(numpy, name), theirs)

    @pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "any", "all"])
    def test_reductions(self, name, dtype, situation):
        ours, theirs, mine = arrays(dtype, situation)
        with Counting() if situation == "dispatch mode" else contextlib.nullcontext():
            for axis in ((), (0,), (1,), (-1,), (None,), (2,)):
                found = outcome(getattr(np, name), ours, *axis)
                assert found == outcome(getattr(np, name), mine, *axis)
                assert is_numpys(found, getattr(numpy, name), theirs, *axis)

    def test_choices_and_joins(self, dtype, situation):
        ours, theirs, mine = arrays(dtype, situation)
        calls = (lambda np, a: np.where(a == 2, a, a), lambda np, a: np.where(a == 2, a[0], a),
                 lambda np, a: np.where(a == 2, a, a[:, :2]), lambda np, a: np.concatenate((a, a)),
                 lambda np, a: np.concatenate([a, a], 1), lambda np, a: np.concatenate((a, a[0])),
                 lambda np, a: np.concatenate((a, a[:, :2])), lambda np, a: np.concatenate((a, a), 2),
                 lambda np, a: np.stack((a, a)), lambda np, a: np.stack((a, a), -1),
                 lambda np, a: np.vstack((a[0], a[0])), lambda np, a: np.hstack((a, a)),
                 lambda np, a: np.reshape(a, (3, -1)), lambda np, a: np.reshape(a, (4, 2)))  # fmt: skip
        with Counting() if situation == "dispatch mode" else contextlib.nullcontext():
            for call in calls:
                found = outcome(call, np, ours)
                assert found == outcome(call, np, mine)
                assert is_numpys(found, call, numpy, theirs)


def test_errors_are_numpys_after_one_operation():
    a = np.ones((2, 3))
    with Counting() as mode, pytest.raises(ValueError, match="could not be broadcast"):
        a + np.ones(2)
    assert [name for name in mode.names if name.startswith("add")] == ["add.Tensor"]


@pytest.mark.parametrize("call", [lambda a: a + a, lambda a: a * 2.0, lambda a: a < 2.0, np.exp, np.sum,
                                  lambda a: np.sum(a, 0), np.max])  # fmt: skip
def test_errors_of_a_mode_are_passed_on(call):
    a = np.ones((2, 3))
    with Failing(), pytest.raises(RuntimeError, match="not today"):
        call(a)


def test_arrays_that_are_given_other_tensors_meanwhile():
    a, b = np.ones((2, 3)), np.full((2, 3), 2.0)

    class Reshaping(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            with torch.utils._python_dispatch._disable_current_modes():
                a.shape = b.shape = (6,)
            return func(*args, **(kwargs or {}))

    with Reshaping():
        found = a + b
    assert found.shape == (2, 3)
    assert found.tolist() == [[3.0] * 3] * 2
    assert a.shape == b.shape == (6,)


def test_operators_are_called_by_torchs_own_functions():
    found, asked = aten.entries()
    assert found == asked > 100


class Subclass(torch.Tensor):
    """A subclass that changes nothing: torch's own hook passes its calls on, and makes results instances of it."""


JOINS = (
    lambda m, x: m.concatenate(x), lambda m, x: m.concatenate(x, 1), lambda m, x: m.concatenate(x, axis=-2),
    lambda m, x: m.concatenate(x, None), lambda m, x: m.concatenate(x, 2), lambda m, x: m.concatenate(x, "0"),
    lambda m, x: m.stack(x), lambda m, x: m.stack(x, 2), lambda m, x: m.stack(x, -4), lambda m, x: m.vstack(x),
    lambda m, x: m.hstack(x),
)
SHAPES = (((2, 3), (2, 3)), ((2, 3), (1, 3)), ((3,), (0,)), ((3,), (2, 3)), ((), ()), ((0, 3), (2, 3)), ((2, 3),), ())


@pytest.mark.parametrize("kind", [tuple, list])
@pytest.mark.parametrize("join", range(len(JOINS)))
@pytest.mark.parametrize("dtypes", ["f8", "f4", "i8", "?", "c16", "u2", "f2", ("f4", "f8"), ("i4", "?")])
def test_tensors_of_a_subclass_are_joined_as_numpys_arrays(dtypes, join, kind):
    for shapes in SHAPES:
        cast = itertools.cycle([dtypes] if isinstance(dtypes, str) else dtypes)
        theirs = kind([(numpy.arange(numpy.prod(shape)).reshape(shape) % 3).astype(next(cast)) for shape in shapes])
        tensors = kind([torch.from_numpy(numpy.array(array)).as_subclass(Subclass) for array in theirs])
        found, wanted = outcome(JOINS[join], np, tensors), outcome(JOINS[join], numpy, theirs)
        if shapes and isinstance(found, torch.Tensor):
            assert type(found) is Subclass
            values = found.as_subclass(torch.Tensor).numpy()
            numpy.testing.assert_array_equal(values, JOINS[join](numpy, theirs), strict=True)
        else:
            assert found[0] is wanted[0], (shapes, found, wanted)
            assert issubclass(found[0], Exception)


@pytest.mark.parametrize("join", [0, 6, 9, 10])
def test_what_a_hook_passes_on_beside_others(join):
    tensor = torch.arange(6.0).reshape(2, 3).requires_grad_()
    mine = tensor.as_subclass(Subclass)
    joined = JOINS[join](np, (mine, tensor))
    assert type(joined) is Subclass
    assert joined.requires_grad
    joined.sum().backward()
    assert torch.equal(tensor.grad, torch.full((2, 3), 2.0))
    with torch._C.DisableTorchFunctionSubclass():
        assert type(JOINS[join](np, [mine, tensor])) is torch.Tensor
        assert type(JOINS[join](np, [np.asarray(mine), tensor])) is np.ndarray
        assert type(JOINS[join](np, [tensor.detach(), [[1.0, 2.0, 3.0]] * 2])) is torch.Tensor
        with pytest.raises(ValueError, match=r"dimension|shape"):
            JOINS[join](np, (mine, tensor[:, :, None].repeat(1, 1, 2)))
    with Counting() as counting:
        JOINS[join](np, (mine.detach(), mine.detach()))
    assert sum("cat" in name or "stack" in name for name in counting.names) == 1
