"""Calls with one argument that is not what the function is for, derived from the registry.

A call that NumPy takes is drawn for each function from the strategies of the oracle. Each of its arguments, and each
parameter that it leaves alone, is then replaced by what is empty, of no dimensions, of another shape or dtype, or no
number at all.
"""

import functools

import numpy
from hypothesis import HealthCheck, Phase, given, settings

import fastnp
from tests._oracle import Layout, Raised, run
from tests.conformance.test_oracle import FUNCTIONS, called, calls, parameters

EXAMPLES = 10
"""Calls that are drawn of a function, to find one that NumPy takes."""

ARRAYS = {
    "empty": numpy.zeros(0),
    "no rows": numpy.zeros((0, 3)),
    "no columns": numpy.zeros((2, 0), "i8"),
    "no list": [],
    "0-d": numpy.array(2.0),
    "0-d int": numpy.array(2),
    "number": 1.5,
    "truth": True,
    "None": None,
    "text": "text",
    "object": object(),
    "huge": 2**70,
    "five": numpy.arange(5),
    "matrix": numpy.arange(6.0).reshape(2, 3),
    "cube": numpy.arange(8.0).reshape(2, 2, 2),
    "bool": numpy.array([True, False, True]),
    "u8": numpy.array([1, 2, 3], "u8"),
    "f4": numpy.array([1, 2, 3], "f4"),
    "c16": numpy.array([1 + 1j, 2, 3]),
    "nan": numpy.array([numpy.nan, 1, 2]),
    "reversed": Layout(numpy.arange(3.0), (slice(None, None, -1),)),
    "ragged": [[1, 2], [3]],
}
OTHERS = {
    "None": None,
    "-1": -1,
    "0": 0,
    "7": 7,
    "number": 1.5,
    "nan": float("nan"),
    "text": "nonsense",
    "()": (),
    "(0, 0)": (0, 0),
    "[]": [],
    "truth": True,
    "complex": 1j,
    "object": object(),
    "0-d": numpy.array(1),
    "line": numpy.array([0, 1]),
    "huge": 2**70,
}
OUT = {
    "number": 3,
    "list": [0.0, 0.0, 0.0],
    "tuple": (numpy.zeros(3),),
    "0-d": numpy.zeros(()),
    "line": numpy.zeros(3),
    "matrix": numpy.zeros((2, 3)),
    "empty": numpy.zeros(0),
    "f4": numpy.zeros(3, "f4"),
    "int": numpy.zeros(3, "i8"),
    "bool": numpy.zeros((2, 3), "?"),
}
WHERE = {
    "truth": True,
    "0-d": numpy.array(False),
    "mask": numpy.array([True, False, True]),
    "ints": numpy.array([1, 0, 1]),
    "wrong": numpy.array([True] * 5),
}
BY_NAME = {
    "out": OUT,
    "where": WHERE,
    "dtype": {key: key for key in ("f4", "i8", "c16", "?", "nonsense")} | {"None": None, "number": 3},
}
UFUNC_KEYWORDS = BY_NAME | {
    "casting": {key: key for key in ("no", "safe", "nonsense")} | {"number": 3},
    "order": {key: key for key in ("C", "F", "X")},
    "signature": {key: key for key in ("xx->x", "d->d", "dd->d")},
    "nonsense": {"one": 1},
}
#: NumPy's protocol for creation, and what NumPy has one of.
NOT_GIVEN = ("like", "device")


def size(value):
    """Return how many elements are in an argument."""
    if isinstance(value, Layout):
        return value.values.size
    if isinstance(value, list | tuple):
        return sum(map(size, value))
    return value.size if isinstance(value, numpy.ndarray) else 0


def base(name):
    """Return the largest of some drawn calls that NumPy takes, without its keywords if it can do without; or None."""
    drawn = []

    @settings(max_examples=EXAMPLES, derandomize=True, database=None, phases=[Phase.generate], deadline=None,
              suppress_health_check=list(HealthCheck))
    @given(calls(name))
    def collect(call):
        drawn.append(call)

    collect()
    found = None
    for positional, keywords in drawn:
        if found is None or size(positional) > size(found[0]):
            taken = next((some for some in ({}, keywords)
                          if not isinstance(run(called(name), numpy, *positional, **some)[0], Raised)), None)
            found = found if taken is None else (positional, taken)
    return found


def is_array_like(value):
    """Tell whether an argument stands for an array."""
    return isinstance(value, numpy.ndarray | Layout | list) or type(value) in (int, float, complex, bool)


@functools.cache
def results(name, *dtypes):
    """Return arrays for the results of a ufunc of operands of three elements."""
    found = getattr(numpy, name)(*[numpy.ones(3, dtype) for dtype in dtypes])
    return tuple(map(numpy.zeros_like, found)) if isinstance(found, tuple) else numpy.zeros_like(found)


def of_ufunc(name, positional):
    """Yield the odd calls of a ufunc."""
    for place in range(len(positional)):
        for label, value in ARRAYS.items():
            yield f"{place}={label}", [*positional[:place], value, *positional[place + 1:]], {}
    for keyword, values in UFUNC_KEYWORDS.items():
        for label, value in values.items():
            out, given = {}, positional
            if keyword == "where":  # what is not computed is not set: NumPy's own results are undefined there
                dtypes = ["?" if name == "isnat" else "i4" if "bit" in name or "shift" in name else "f8"] * len(given)
                if isinstance(run(lambda xp, dtypes=dtypes: results(name, *dtypes), numpy)[0], Raised):
                    continue
                out, given = {"out": results(name, *dtypes)}, [numpy.ones(3, dtype) for dtype in dtypes]
            yield f"{keyword}={label}", given, {keyword: value, **out}
    yield "few", positional[:-1], {}
    yield "many", [*positional] * 4, {}


def odd_calls(name):
    """Yield (label, positional arguments, keywords) for a function; nothing where NumPy took no call that was drawn."""
    found = base(name)
    if found is None:
        return
    positional, keywords = found
    yield "base", positional, keywords
    if isinstance(FUNCTIONS[name], fastnp.ufunc):
        yield from of_ufunc(name, positional)
        return
    known = parameters(name)
    required = [p.name for p in known if p.default is p.empty
                and p.kind not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    for place, argument in enumerate(positional):
        label_of = required[place] if place < len(required) else place
        for label, value in (ARRAYS if is_array_like(argument) else OTHERS).items():
            yield f"{label_of}={label}", [*positional[:place], value, *positional[place + 1:]], keywords
    for p in known:
        if p.default is not p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.name not in NOT_GIVEN:
            for label, value in BY_NAME.get(p.name, OTHERS).items():
                yield f"{p.name}={label}", positional, {**keywords, p.name: value}
    if positional:
        yield "few", positional[:-1], keywords
    yield "nonsense", positional, {**keywords, "nonsense": 1}
