"""Objects that raise, lie or never end, as each argument of what draws: NumPy's error, in bounded time."""

import numpy
import pytest

import fastnp
from tests.conformance.test_hostile_objects import MEMORY, NESTED, OBJECTS, STEP, fault
from tests.random.test_draws import DISTRIBUTIONS, GENERATOR, STATE

__all__ = ["MEMORY"]  # read by bounded_memory
pytestmark = pytest.mark.usefixtures("bounded_memory")

#: Arguments of the methods that no other table calls, of `Generator` and of `RandomState`.
OTHERS = [
    ("bytes", (3,)), ("choice", (5, 3, True, [0.2] * 5)), ("dirichlet", ([1.0, 2.0], 2)), ("hypergeometric", (3, 4, 2)),
    ("multinomial", (3, [0.5, 0.5], 2)), ("multivariate_normal", ([0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]], 2)),
    ("permutation", ([1, 2, 3],)), ("shuffle", ([1, 2, 3],)),
]
GENERATORS_OWN = [
    ("multivariate_hypergeometric", ([3, 4], 2, 2)), ("permuted", ([[1, 2], [3, 4]], 1)), ("spawn", (2,)),
]
STATES_OWN = [
    ("exponential", (2.0, 4)), ("standard_exponential", (4,)),
    ("rand", (2, 3)), ("randn", (2, 3)), ("random_integers", (1, 4, 2)), ("seed", (5,)), ("tomaxint", (2,)),
]
MAKERS = [
    ("default_rng", (5,)), ("SeedSequence", (5, (1,))), ("RandomState", (5,)), ("Generator", (5,)), ("seed", (5,)),
    *((name, (5,)) for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")),
]


#: What NumPy's own loops do not end, without a look at signals.
UNENDING = {("RandomState", "vonmises", 1, "huge"), ("RandomState", "zipf", 0, "huge")}


def calls():
    """Return every method with arguments, `size` among them, that NumPy takes."""
    longest = {}
    for kind, without_size, whole in (
        ("default_rng", [*DISTRIBUTIONS, *GENERATOR], [*OTHERS, *GENERATORS_OWN]),
        ("RandomState", [*DISTRIBUTIONS, *STATE], [*OTHERS, *STATES_OWN]),
    ):
        made = getattr(numpy.random, kind)(3)
        for name, arguments in (*((name, (*arguments, 4)) for name, arguments in without_size), *whole):
            if hasattr(made, name) and len(arguments) > len(longest.get((kind, name), ())):
                longest[kind, name] = arguments
    return [(kind, name, arguments) for (kind, name), arguments in longest.items()]


def drawing(kind, name):
    """Return what finds the method of a new generator."""
    def find(xp):
        return getattr(getattr(xp.random, kind)(3), name)
    return find


def cells_of(arguments, labels=tuple(OBJECTS)):
    """Return each place of a call with each object."""
    return [(place, label) for place in range(len(arguments)) for label in labels]


def faults(find, arguments, cells, first):
    """Return what is wrong with calls that have an object in a place, every so many of them."""
    found = {f"{place}: {label}": fault(find, arguments, place, {}, label)
             for place, label in cells[first % STEP::STEP]}
    return {cell: text for cell, text in found.items() if text is not None}


@pytest.mark.parametrize("kind, name, arguments", calls())
def test_draws(kind, name, arguments):
    cells = [cell for cell in cells_of(arguments) if (kind, name, *cell) not in UNENDING]
    assert faults(drawing(kind, name), arguments, cells, len(name)) == {}


@pytest.mark.parametrize("name, arguments", MAKERS)
def test_what_makes_generators(name, arguments):
    def find(xp):
        def drawn(*args):
            made = getattr(xp.random, name)(*args)
            return made.generate_state(3) if name == "SeedSequence" else type(made).__name__
        return drawn

    # NumPy's entropy of a list within itself ends the process.
    cells = cells_of(arguments, [label for label in OBJECTS if label not in NESTED])
    assert faults(find, arguments, cells, len(name)) == {}
    for label in NESTED if name != "Generator" else ():
        with pytest.raises(ValueError, match="setting an array element with a sequence"):
            find(fastnp)(OBJECTS[label]())


def test_every_method_that_draws_is_called():
    state = {"get_state", "set_state", "bit_generator", "poisson_lam_max"}
    for kind, made in (("default_rng", fastnp.random.default_rng(3)), ("RandomState", fastnp.random.RandomState(3))):
        public = {name for name in dir(made) if not name.startswith("_") and callable(getattr(made, name))}
        assert public - state - {name for of, name, _ in calls() if of == kind} == set()
