"""Every public function against NumPy: value, dtype, shape, layout, exception, and what became of the arguments.

The arguments come from the table of strategies, 60 examples a function; `make fuzz` draws 1,000.
"""

import inspect

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastnp
from fastnp._registry import NAMESPACES
from tests._oracle import difference, run, within_our_dtypes
from tests.conformance._special_strategies import SPECIAL
from tests.conformance._strategies import (
    ANY,
    DTYPE,
    ELSEWHERE,
    GROUPS_ELSEWHERE,
    LAYOUT_DIFFERS,
    LEFT_ALONE,
    PARAMETERS,
    TOLERANCE,
)

SKIPPED_KINDS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def functions():
    """Return the public functions: name below `fastnp` -> callable."""
    found = {}
    for module, entries in NAMESPACES.items():
        prefix = module.removeprefix("fastnp").removeprefix(".")
        for name, entry in entries.items():
            if entry.state != "object" and not name.startswith("_"):
                found[f"{prefix}.{name}".removeprefix(".")] = entry.value
    return found


FUNCTIONS = functions()
NAMES = sorted(
    name for name in FUNCTIONS if name not in ELSEWHERE and name.rpartition(".")[0] not in GROUPS_ELSEWHERE
)


def short(name):
    """Return the key of a function's own strategies: modules that mirror each other share them."""
    return name if name in SPECIAL or name.startswith(("polynomial", "random")) else name.rpartition(".")[2]


def parameters(name):
    """Return the parameters of a function that a call can fill."""
    function = FUNCTIONS[name]
    if isinstance(function, fastnp.ufunc):
        return []
    own = SPECIAL.get(short(name), {})
    try:
        signature = inspect.signature(function).parameters.values()
    except ValueError:
        return [inspect.Parameter(key, inspect.Parameter.POSITIONAL_ONLY) for key in own]
    return [p for p in signature if p.kind not in SKIPPED_KINDS or p.name in own]


def strategy_of(name, parameter):
    """Return the strategy of one parameter, or None where it keeps its default."""
    own = SPECIAL.get(short(name), {})
    if parameter in own:
        return own[parameter]
    return None if parameter in LEFT_ALONE else PARAMETERS.get(parameter)


def missing(name):
    """Return the parameters of a function that have neither a strategy nor a reason."""
    return [p.name for p in parameters(name) if strategy_of(name, p.name) is None and p.name not in LEFT_ALONE]


@st.composite
def calls(draw, name):
    """Draw the arguments of a call: required ones always, others now and then."""
    function = FUNCTIONS[name]
    if isinstance(function, fastnp.ufunc):
        keywords = {"dtype": draw(DTYPE)} if draw(st.integers(0, 3)) == 0 else {}
        return [draw(ANY) for _ in range(function.nin)], keywords
    positional, keywords = [], {}
    for parameter in parameters(name):
        strategy = strategy_of(name, parameter.name)
        if strategy is None:
            continue
        value = draw(strategy)
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            positional += value
        elif parameter.default is parameter.empty:
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                keywords[parameter.name] = value
            else:
                positional.append(value)
        elif parameter.kind is not inspect.Parameter.POSITIONAL_ONLY and draw(st.integers(0, 2)) == 0:
            keywords[parameter.name] = value
    return positional, keywords


def called(name):
    """Return the body that calls a function of a module and returns its result and what became of the arguments."""
    def body(xp, *positional, **keywords):
        if name.startswith("random."):
            xp.random.seed(7)
        function = xp
        for part in name.split("."):
            function = getattr(function, part)
        result = function(*positional, **keywords)
        unsorted = name == "unique_values" or (name == "unique" and keywords.get("sorted") is False)
        if unsorted and not isinstance(result, tuple):
            result = xp.sort(result)  # NumPy: in the order of a hash table, which is that of no promise
        return [result, list(positional)]

    return body


@pytest.mark.parametrize("name", NAMES)
def test_function_agrees_with_numpy(name):
    how = {"tolerance": TOLERANCE.get(name, "exact"), "layout": name not in LAYOUT_DIFFERS}

    @given(calls(name))
    def check(call):
        positional, keywords = call
        want, _ = run(called(name), numpy, *positional, **keywords)
        got, _ = run(called(name), fastnp, *positional, **keywords)
        if isinstance(want, list):
            want[0] = within_our_dtypes(want[0])
            want = want[0] if within_our_dtypes(want[0]) is not want[0] else want
        text = difference(got, want, **how)
        assert text is None, f"{name}(*{positional}, **{keywords}): {text}"

    check()


@pytest.mark.parametrize("name", NAMES)
def test_function_has_strategies(name):
    assert missing(name) == [], "give the parameter a strategy, or say in LEFT_ALONE or ELSEWHERE why it has none"


def test_no_line_of_the_table_is_stale():
    used = {p.name for name in NAMES for p in parameters(name)}
    keys = {short(name) for name in NAMES}
    assert (set(PARAMETERS) | set(LEFT_ALONE)) - used == set()
    assert set(SPECIAL) - keys == set()
    assert {key for key in ELSEWHERE if key not in FUNCTIONS} == set()
    assert {f"{name}: {p}" for name in NAMES for p in SPECIAL.get(short(name), {})
            if p not in {parameter.name for parameter in parameters(name)}} == set()

