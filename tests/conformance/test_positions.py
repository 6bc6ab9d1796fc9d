"""As many arguments go by position as NumPy takes, which the signatures of its compiled functions do not always say."""

import operator
import re
from types import FunctionType

import numpy
import pytest

import fastnp
from tests._oracle import Raised, run
from tests.conformance.test_oracle import FUNCTIONS

COUNTED = re.compile(r"positional|takes (at most|exactly|no|from)|expected (at most|exactly)|too many")
MOST = 14
#: NumPy looks at the first argument, which is None here, before it counts.
LOOKS_FIRST = {"frombuffer", "fromiter"}


def by_position(name, xp):
    """Return the greatest number of arguments, all of them None, that a function does not find too many."""
    function = operator.attrgetter(name)(xp)
    outcomes = {count: run(lambda xp, *given: function(*given), xp, *(None,) * count)[0] for count in range(1, MOST)}
    return max((count for count, outcome in outcomes.items()
                if not (isinstance(outcome, Raised) and outcome.kind is TypeError and COUNTED.search(outcome.text))),
               default=0)


def is_compiled(name):
    """Return whether NumPy has a function of the name that says itself, and in C, what it takes."""
    theirs = operator.attrgetter(name)(numpy) if not name.startswith("polynomial") else None
    return theirs is not None and not isinstance(getattr(theirs, "__wrapped__", theirs), (FunctionType, type))


@pytest.mark.parametrize("name", sorted(filter(is_compiled, FUNCTIONS)))
def test_as_many_by_position_as_numpy(name):
    if name in LOOKS_FIRST:
        assert by_position(name, fastnp) < by_position(name, numpy)
    else:
        assert by_position(name, fastnp) == by_position(name, numpy)
