"""Numbers into arrays and beside scalars: lists into slices, NumPy's scalars as elements, comparisons with numbers."""

import operator
import warnings

import numpy
import pytest
import torch
from numpy.exceptions import ComplexWarning

import fastnp
from tests._oracle import Raised, same_as_numpy
from tests._tables import DTYPES

NUMBERS = (0, 1, 2, -1, 255, 2**24, 2**24 + 1, 2**31, 2**53 + 1, -(2**63), 2**63, 2**70, 1.0, 1.5, -0.0, 1e30, 1e300,
           float("nan"), float("inf"), True, False, 1j, 2 + 0j)
LISTS = ([1, 2, 3], (1, 0, 2), [1.5, -0.0, 2], [True, False, True], [1, 2.5, True], [1j, 2, 3.5], [0, -1, 300],
         [2**40] * 3, [2**70, 1, 1], [float("nan"), 1, 2], [1e300, 1, 2], [1, 2], [7], [], [[1, 2, 3]],
         [None, 1, 2], ["1", 2, 3], range(3), range(1), range(4), range(0), range(298, 301), range(2**62, 2**63, 2**62),
         range(2**70))
COMPARISONS = ("lt", "le", "eq", "ne", "gt", "ge")


def outcome(body):
    """Return what a call gives, or the type of its error."""
    with numpy.errstate(all="ignore"):
        try:
            return body()
        except (TypeError, ValueError, OverflowError) as error:
            return Raised.by(error).kind.__name__


def assigned(x, key, values):
    """Return what an assignment gives, and the array; of ours, what does not fit leaves all as it was."""
    before = numpy.array(x)
    found = outcome(lambda: x.__setitem__(key, values))
    if found is None:
        return [found, x]
    # NumPy: what comes before the error is written.
    assert isinstance(x, numpy.ndarray) or numpy.asarray(x).tobytes() == before.tobytes()
    return [found]


@pytest.mark.parametrize("dtype", DTYPES)
@same_as_numpy
def test_lists_into_slices(xp, dtype):
    found = []
    for values in LISTS:
        for key in (slice(None), Ellipsis, slice(None, None, -1)):
            x = xp.ones(3, dtype)
            found += assigned(x, key, values)
    return found


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1, 63, 64, 65, 200])
@same_as_numpy
def test_lists_of_any_length(xp, dtype, size):
    """Packed without an array of their own where they are few; one that does not fit leaves all as it was."""
    found = []
    for last in (1, 2.5, True, 3j, 2**70, "2", None):
        values = [1] * (size - 1) + [last]
        for make in (list, tuple):
            x, matrix = xp.zeros(size * 2, dtype), xp.zeros((2, size), dtype)
            found += assigned(x, slice(None, None, 2), make(values))
            found += assigned(matrix, 1, make(values))
            found += assigned(x, xp.arange(size), make(values))
    return found


@pytest.mark.parametrize("new", [fastnp.ones(3), "no number", fastnp.asarray(torch.ones((), requires_grad=True))])
def test_a_list_that_changes_while_it_is_read(new):
    values, x = [1.0, 1e300, 2.0], fastnp.zeros(3, "f4")

    def change(*_):
        values[2:] = [new] * 3  # a longer one, too

    with fastnp.errstate(over="call", call=change), pytest.raises((RuntimeError, TypeError, ValueError)):
        x[:] = values
    assert not x.any()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [3, 70])
@same_as_numpy
def test_lists_of_elements(xp, dtype, size):
    """What has come out of an array: safe casts at once, others as NumPy says."""
    found = []
    for of in DTYPES:
        elements = list(xp.ones(size, of))
        x = xp.zeros(size, dtype)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ComplexWarning)
            found += assigned(x, slice(None), elements)
            found += assigned(x, slice(None), [2, *elements[1:]])
            found += assigned(x, xp.arange(size)[::-1], elements)
    return found


@pytest.mark.parametrize("dtype", DTYPES)
@same_as_numpy
def test_numpys_scalars_as_elements(xp, dtype):
    found = []
    for of in DTYPES:
        x = xp.zeros((2, 3), dtype)
        for key in (0, (1, 2), (0, -1)):
            result = outcome(lambda x=x, key=key, of=of: x.__setitem__(key, numpy.dtype(of).type(1)))
            found += [result, x]
    return found


@pytest.mark.parametrize("name", COMPARISONS)
@pytest.mark.parametrize("dtype", DTYPES)
@same_as_numpy
def test_scalars_beside_numbers(xp, dtype, name):
    compare = getattr(operator, name)
    scalars = xp.array([0, 1, 2, 100]).astype(dtype)
    if numpy.dtype(dtype).kind in "fc":
        scalars = xp.concatenate([scalars, xp.array([numpy.nan, numpy.inf, -0.0, 1.5]).astype(dtype)])
    elif dtype != "bool":
        scalars = xp.concatenate([scalars, xp.array([xp.iinfo(dtype).max]).astype(dtype)])
    return [outcome(lambda pair=pair: bool(compare(*pair)))
            for scalar in scalars for number in NUMBERS for pair in ((scalar, number), (number, scalar))]


@pytest.mark.parametrize("dtype", DTYPES)
@same_as_numpy
def test_scalars_become_arrays_of_their_own(xp, dtype):
    scalar = xp.array([3, 4]).astype(dtype)[1]
    made = [xp.asarray(scalar), xp.array(scalar), xp.asanyarray(scalar), xp.require(scalar)]
    for array in made:
        array[...] = 1
    return [*made, scalar, *[array.flags.writeable for array in made], *[type(array) is xp.ndarray for array in made]]


@pytest.mark.parametrize("dtype", DTYPES)
@same_as_numpy
def test_items_by_one_number(xp, dtype):
    x = xp.arange(6).reshape(2, 3).astype(dtype)
    arrays = (x, x.T, x[::-1], x[:, ::-2], x[0])
    return [outcome(lambda array=array, index=index: array.item(index))
            for array in arrays for index in (0, 1, 3, 5, -1, -6, 6, -7, 2**70, True)]


@same_as_numpy
def test_contiguous_at_once(xp):
    x = xp.arange(6.0).reshape(2, 3)
    return [xp.asfortranarray(x.T) is not None, xp.shares_memory(xp.asfortranarray(x.T), x), xp.asfortranarray(x),
            xp.asfortranarray(x[0]), xp.ascontiguousarray(x.T), xp.asfortranarray(xp.array(2.0)), xp.require(x) is x,
            xp.empty_like(x[0, ::2]).strides, xp.empty_like(x[0, ::-1]).strides, xp.zeros_like(x[1, ::2])]
