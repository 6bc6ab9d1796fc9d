"""On both sides of a size at which another kernel takes over, the answer is the same."""

import warnings

import numpy
import pytest

import fastnp

SIZES = [7, 4000, 4095, 4096, 5000, 32768, 40000]
RNG = numpy.random.default_rng(5)

# How many units in the last place the two may differ by: both are within one of the exact value.
ULPS = {"sin": 2, "cos": 2, "hypot": 2}
FASTER_IN_TORCH = {
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "maximum", "minimum"), ("e",)),
    **dict.fromkeys(("fmod", "hypot"), ("e", "f", "d")),
    **dict.fromkeys(("floor_divide", "remainder"), ("f", "d")),
    "sin": ("d",),
    "cos": ("d",),
}
SPECIAL = [0.0, -0.0, 1.0, -1.0, numpy.inf, -numpy.inf, numpy.nan]


def called(function, arrays):
    """Return the result and the warnings of a call."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        result = function(*arrays)
    return result, [str(warning.message) for warning in seen]


def check(name, dtype, arrays):
    ours, our_warnings = called(getattr(fastnp, name), [fastnp.asarray(array) for array in arrays])
    theirs, their_warnings = called(getattr(numpy, name), arrays)
    ours = numpy.asarray(ours)
    assert ours.dtype == theirs.dtype
    assert our_warnings == their_warnings
    if name in ULPS:
        numpy.testing.assert_array_max_ulp(ours, theirs, ULPS[name])
    else:
        numpy.testing.assert_array_equal(ours, theirs)
        numpy.testing.assert_array_equal(numpy.signbit(ours), numpy.signbit(theirs))


CASES = [(name, dtype) for name, dtypes in FASTER_IN_TORCH.items() for dtype in dtypes]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name, dtype", CASES)
def test_same_answer_on_both_sides(name, dtype, size):
    arrays = [RNG.uniform(-9, 9, size).astype(dtype) for _ in range(getattr(numpy, name).nin)]
    check(name, dtype, arrays)


@pytest.mark.parametrize("odd", [None, numpy.inf, 0.0], ids=repr)
@pytest.mark.parametrize("size", [4095, 4096, 5000])
@pytest.mark.parametrize("name, dtype", CASES)
def test_results_in_arrays_that_are_there(name, dtype, size, odd):
    """An `out` of its own, one that is an operand, one that overlaps both, one of another dtype, shape or order."""
    function, theirs = getattr(fastnp, name), getattr(numpy, name)
    values = RNG.uniform(-9, 9, (theirs.nin, size)).astype(dtype)
    if odd is not None:
        values[:, 7] = odd

    def outs(memory):
        operands = [memory[k, :size] for k in range(theirs.nin)]
        zeros = [numpy.zeros(shape, kind) for shape, kind in (
            ((size,), dtype), ((size,), "d"), ((2, size), dtype), ((2 * size,), dtype))]
        return operands, [*zeros[:3], zeros[3][::2], operands[0], memory[0, 3 : size + 3]]

    for place in range(6):
        memory = numpy.zeros((theirs.nin, size + 3), dtype)
        memory[:, :size] = values
        also = memory.copy()
        operands, into = outs(memory)
        expected_operands, expected_into = outs(also)
        with fastnp.errstate(all="ignore"), numpy.errstate(all="ignore"):
            function(*map(fastnp.asarray, operands), out=fastnp.asarray(into[place]))
            theirs(*expected_operands, out=expected_into[place])
        if name in ULPS:
            numpy.testing.assert_array_max_ulp(into[place], expected_into[place], ULPS[name])
        else:
            numpy.testing.assert_array_equal(into[place], expected_into[place])


@pytest.mark.parametrize("number", [2.5, -3, True, 0, numpy.inf, numpy.nan, 1e300], ids=repr)
@pytest.mark.parametrize("size", [4095, 4096])
@pytest.mark.parametrize("name, dtype", [case for case in CASES if case[0] in ("floor_divide", "fmod", "remainder")])
def test_numbers_on_the_right(name, dtype, size, number):
    array = RNG.uniform(-9, 9, size).astype(dtype)
    ours, our_warnings = called(getattr(fastnp, name), [fastnp.asarray(array), number])
    theirs, their_warnings = called(getattr(numpy, name), [array, number])
    assert (ours.dtype, our_warnings) == (theirs.dtype, their_warnings)
    numpy.testing.assert_array_equal(numpy.asarray(ours), theirs)


@pytest.mark.parametrize("size", [6000, 50000])
@pytest.mark.parametrize("name, dtype", CASES)
def test_special_values_and_their_warnings(name, dtype, size):
    """Zeros, infinities and NaNs, and what NumPy warns of."""
    arrays = [RNG.uniform(-9, 9, size).astype(dtype) for _ in range(getattr(numpy, name).nin)]
    for array in arrays:
        array[RNG.integers(0, size, 300)] = RNG.choice(SPECIAL, 300)
    check(name, dtype, arrays)


@pytest.mark.parametrize("size", [1, 2, 5, 1000, 30000])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum"])
def test_running_results_are_numpys(name, dtype, size):
    """Loops of our own for these: in the same order, so to the last bit."""
    values = RNG.uniform(0.9, 1.1, size).astype(dtype)
    values[RNG.integers(0, size, size // 500)] = numpy.nan
    for array in (values, values[::-1], numpy.resize(values, (3, size)), numpy.resize(values, (size, 3))[:, ::2]):
        for axis in range(array.ndim):
            theirs = getattr(numpy, name).accumulate(array, axis)
            ours = getattr(fastnp, name).accumulate(fastnp.asarray(array), axis)
            assert numpy.asarray(ours).tobytes() == theirs.tobytes()
    ours, theirs = fastnp.asarray(values.copy()), values.copy()
    getattr(fastnp, name).accumulate(ours, out=ours)
    getattr(numpy, name).accumulate(theirs, out=theirs)
    assert numpy.asarray(ours).tobytes() == theirs.tobytes()
