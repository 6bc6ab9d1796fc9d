"""Python's numbers in the place of arrays, where compiled bodies take them as the arrays that NumPy makes of them."""

import operator

import pytest

from fastnp._registry import NAMESPACES
from fastnp._typing import Conversion
from tests._oracle import compare
from tests.conformance._strategies import LAYOUT_DIFFERS, TOLERANCE
from tests.conformance.test_oracle import NAMES

# Not integers of more than 64 bits: NumPy makes objects of them.
NUMBERS = [True, False, 0, 3, -7, 2**53 + 1, 2**63 - 1, -2**63, 2**63, 2**64 - 1, 0.0, -0.0, 2.5, -3.75, 1e300,
           float("inf"), float("nan"), 1 + 2j, -0.0j, complex("nan")]
CALLS = [lambda f, x: f(x), lambda f, x: f(x, 0), lambda f, x: f(x, 1, 2), lambda f, x: f(x, 0.5, 1.5)]


def names():
    """Yield what takes an array first, in the main namespace."""
    for name, entry in NAMESPACES["fastnp"].items():
        first = next(iter(entry.conversions.values()), None)
        if name in NAMES and first in (Conversion.TENSOR, Conversion.ARRAY):
            yield name


@pytest.mark.parametrize("name", list(names()))
def test_a_number_is_taken_as_an_array(name):
    how = {"tolerance": TOLERANCE.get(name, "exact"), "layout": name not in LAYOUT_DIFFERS}
    wrong = []
    for call in CALLS:
        for number in NUMBERS:
            text = compare(lambda xp, call=call, x=number: call(operator.attrgetter(name)(xp), x), **how)
            if text is not None:
                wrong.append((CALLS.index(call), number, text))
    assert wrong == []
