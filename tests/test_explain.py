"""fastnp.explain says what a call does, of every kind of call, and changes nothing."""

import numpy
import pytest
import torch
from torch.overrides import TorchFunctionMode

import fastnp as np
from fastnp._core import explaining


class Hooked(np.ndarray):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return super().__torch_function__(func, types, args, kwargs)


class Listening(TorchFunctionMode):
    heard = 0

    def __torch_function__(self, func, types, args=(), kwargs=None):
        Listening.heard += 1
        return func(*args, **(kwargs or {}))


def explained(call):
    """Return the explanation of the only call of a program."""
    (found,) = np.explain(call, repeat=3).calls
    return found


A = np.array([1.0, 2.0, 3.0])
INTEGERS = np.array([1, 2, 3])
M = np.array([[1.0, 2.0], [3.0, 4.0]])
BACKWARDS = A[::-1]
PART = np.zeros((3, 2))[:, 0]
TURNED = np.zeros((2, 2)).T
HOOKED = A.view(Hooked)
LEARNT = np.asarray(torch.ones(3, requires_grad=True))
BFLOAT = np.asarray(torch.ones(3, dtype=torch.bfloat16))
MANY = np.zeros(400_000)
THOUSANDS, WHOLE = np.zeros(5000), np.zeros(5000, int)


@pytest.mark.parametrize("call, path, reason", [
    (lambda: A + A, "quick: NumPy's loop of add for float64, float64, float64", ""),
    (lambda: A * 2, "quick", ""),
    (lambda: np.exp(A), "loop of exp for float64, float64, on the memory", ""),
    (lambda: np.hypot(A, A), "quick: fastnp's loop of hypot", ""),
    (lambda: INTEGERS / INTEGERS, "quick: fastnp's loop of divide for int64, int64, float64", ""),
    (lambda: np.add(A, A, PART), "quick", ""),
    (lambda: np.add(M, M, TURNED), "iteration engine", "out= is not"),
    (lambda: A**2, "quick: NumPy's loop of square", ""),
    (lambda: A + INTEGERS, "float64, on operands that are cast before", ""),
    (lambda: np.add(WHOLE, THOUSANDS), "iteration engine", "float64 and int64 are cast to float64"),
    (lambda: np.add(M, [1.0, 2.0]), "iteration engine", "is a list, which is made an array"),
    (lambda: PART + A, "quick", ""),
    (lambda: BACKWARDS + A, "quick", ""),
    (lambda: TURNED + M, "iteration engine", "operand 1 is strided"),
    (lambda: M + TURNED, "iteration engine", "operand 2 is strided"),
    (lambda: MANY + 1, "iteration engine", "400,000 elements"),
    (lambda: np.modf(A), "iteration engine", "2 results"),
    (lambda: np.add(A, torch.ones(3)), "iteration engine", "operand 2 is a torch.Tensor"),
    (lambda: np.add(A, A, casting="unsafe"), "quick", ""),
    (lambda: np.add(A, A, casting="no"), "iteration engine", "keywords casting"),
    (lambda: np.add(A, A, signature="dd->d"), "NumPy's own add", "keywords signature"),
    (lambda: LEARNT + A, "torch: ", "operand 1 (ndarray) requires a gradient"),
    (lambda: np.exp(LEARNT), "torch: torch.exp", "requires a gradient"),
    (lambda: BFLOAT + 1, "torch: ", "is of bfloat16"),
    (lambda: np.sum(A), "the compiled body", ""),
    (lambda: np.sum(LEARNT), "the compiled body, which goes on to torch", "a (ndarray) requires a gradient"),
    (lambda: np.histogram(A), "the composed body", ""),
    (lambda: np.histogramdd(A), "NumPy's function as the kernel", ""),
    (lambda: np.median(LEARNT), "the Python body", "requires a gradient"),
    (lambda: M @ M, "NumPy's products", ""),
    (lambda: np.add.reduce(A), "a method of the ufunc add", ""),
    (lambda: HOOKED + 1, "overridden", "Hooked is asked"),
    (lambda: A[0], "slot or attribute", ""),
    (lambda: np.apply_along_axis(max, 0, M), "its own body, which does more than compute", ""),
])  # fmt: skip
def test_path_and_reason(call, path, reason):
    found = explained(call)
    assert path in found.path
    assert reason in "; ".join(found.reasons)
    assert found.stages
    assert sum(stage.nanoseconds for stage in found.stages) == pytest.approx(found.nanoseconds)


def test_broadcasting():
    row = np.array([1.0, 2.0])
    assert "broadcasting (2, 2) with (2,)" in "; ".join(explained(lambda: M + row).reasons)


def test_two_scalars():
    first = A[0]
    assert explained(lambda: first * 2.0).path == "quick: two scalars, without a loop"


def test_mode_of_the_program_is_named_and_hears_each_call_once():
    Listening.heard = 0

    def program():
        with Listening():
            A + A

    assert "Listening" in explained(program).reasons[0]
    assert Listening.heard == 1


def test_mode_around_the_program_hears_each_call_once():
    Listening.heard = 0
    with Listening():
        assert explained(lambda: A + A).path == "overridden"
    assert Listening.heard == 1


def test_profiler_and_transform_are_reasons():
    with torch.profiler.profile():
        found = explained(lambda: A + A)
    assert "torch" in found.path
    assert "profiler" in "; ".join(found.reasons)
    found = []
    torch.func.vmap(lambda row: found.append(explained(lambda: np.exp(row))) or row)(torch.ones(2, 3))
    assert "dispatch keys" in "; ".join(found[0].reasons)


def test_fallback_is_named_and_recorded_once():
    np.clear_fallback_records()
    found = explained(lambda: np.is_busday("2026-01-02"))
    assert found.path.startswith("NumPy, on the arrays' own memory")
    assert [record.name for record in np.fallback_records()] == ["is_busday"]


def test_program_that_writes_is_run_once():
    x = np.array([3.0, 1.0, 2.0])
    out = np.zeros(3)

    def program():
        nonlocal x
        x += 1
        x *= A
        x[0] = 7
        x.sort()
        np.cumsum(x, out=out)
        np.sqrt(x, out=x)

    expected = numpy.array([3.0, 1.0, 2.0])
    expected += 1
    expected *= numpy.asarray(A)
    expected[0] = 7
    expected.sort()
    sums = numpy.cumsum(expected)
    numpy.sqrt(expected, out=expected)
    explanation = np.explain(program)
    assert len(explanation.calls) == 6
    numpy.testing.assert_array_equal(numpy.asarray(x), expected)
    numpy.testing.assert_array_equal(numpy.asarray(out), sums)


def test_errors_are_those_of_the_call():
    with pytest.raises(ValueError, match="broadcast"):
        np.explain(lambda: A + np.zeros(2))
    with pytest.raises(ValueError, match="at least 1"):
        np.explain(lambda: None, repeat=0)


def test_no_call():
    assert str(np.explain(lambda: None)) == "no call of fastnp"


def test_warnings_are_those_of_the_call():
    with pytest.warns(RuntimeWarning, match="divide by zero") as seen:
        np.explain(lambda: A / np.zeros(3))
    assert len(seen) == 1


def test_text_and_picture(tmp_path):
    explanation = np.explain(lambda: np.exp(A + A[0]))
    text = str(explanation)
    assert text.count("path: ") == 3
    assert all(stage.name in text for call in explanation.calls for stage in call.stages)
    explanation.plot(tmp_path / "calls.png")
    assert (tmp_path / "calls.png").read_bytes().startswith(b"\x89PNG")


def test_states_are_empty_where_the_core_takes_the_quick_path():
    assert explaining.thread_state() == []
    assert explaining.operand_state(A)[4] == ""
