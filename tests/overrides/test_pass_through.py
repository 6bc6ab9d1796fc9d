"""A hook that passes every call on gives what the call gives without it: all of the registry (rows 1, 2, 9, seed 000).

The arguments of functions and ufuncs are those of the oracle, some of every strategy; those of methods and properties
follow from their names. NumPy says values, dtypes and shapes; which results are instances of the subclass is said by a
subclass without a hook, and wherever a subclass of NumPy's would give one.
"""

import inspect

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastnp as np
from fastnp._core.dispatcher import method
from fastnp._core.ufunc import ufunc
from fastnp.overrides import get_overridable_functions
from tests._oracle import Raised, difference, each, give, within_our_dtypes
from tests.conformance._special_strategies import SPECIAL
from tests.conformance._strategies import (
    LAYOUT_DIFFERS,
    LEFT_ALONE,
    PARAMETERS,
    SHAPE,
    TOLERANCE,
    arrays,
    choice,
)
from tests.conformance.test_oracle import FUNCTIONS, NAMES, called, calls

REGISTRY = get_overridable_functions()
EXAMPLES = max(8, settings.default.max_examples // 6)
DOUBLES = (numpy.dtype("f8"),)
ARRAY = arrays(layouts=("C", "F", "reversed"))


#: Functions whose results NumPy makes by way of its subclass, and we do not: the instance says nothing about them.
NOT_CARRIED = {
    "histogramdd": "edges of bins",
    "require": "an array of another dtype",
    **{name: "NumPy's own code on NumPy's arrays" for name in NAMES if name.startswith("polynomial.")},
}


#: What NumPy computes in one way for arrays and in another for instances: they differ where nothing takes part.
TWO_WAYS = ("nanmax", "nanmin")


class Passing(np.ndarray):
    """A subclass whose hook goes on with the default."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return super().__torch_function__(func, types, args, kwargs or {})


class Silent(np.ndarray):
    """A subclass that changes nothing."""


class Theirs(numpy.ndarray):
    """The same of NumPy's array."""


def as_instances(value, cls):
    """Return `value` with every array in it as an instance of a subclass."""
    return each(value, lambda leaf: leaf.view(cls) if isinstance(leaf, np.ndarray | numpy.ndarray) else leaf)


def as_bases(value):
    """Return a result with every array in it as one of NumPy's, scalars as they are."""
    return each(value, lambda leaf: numpy.asarray(leaf) if isinstance(leaf, numpy.ndarray) else leaf)


def outcome(body, xp, cls, positional, keywords):
    """Return what a call with instances of a subclass ends in."""
    positional, keywords = as_instances(give(xp, positional), cls), as_instances(give(xp, keywords), cls)
    with numpy.errstate(all="ignore"):
        try:
            return body(xp, *positional, **keywords)
        except Exception as error:  # noqa: BLE001 - the type is what is compared
            return Raised.by(error)


def kinds(value, cls):
    """Return for every array in a result whether it is an instance of the subclass; None for what is no array."""
    if isinstance(value, list | tuple):
        return [kinds(item, cls) for item in value]
    return type(value) is cls if isinstance(value, np.ndarray | numpy.ndarray) else None


def carries(ours, theirs):
    """Tell whether there is an instance wherever NumPy has one."""
    if isinstance(theirs, list | tuple):
        return not isinstance(ours, list | tuple) or all(map(carries, ours, theirs))
    # What is of no dimensions stands for a scalar.
    return type(theirs) is not Theirs or theirs.ndim == 0 or type(ours) is Passing


def check(body, positional, keywords, tolerance="exact", layout=True, carried=True):
    """Fail unless the three subclasses end alike."""
    want = outcome(body, numpy, Theirs, positional, keywords)
    silent, passing = (outcome(body, np, cls, positional, keywords) for cls in (Silent, Passing))
    said = f"*{positional}, **{keywords}"
    assert kinds(passing, Passing) == kinds(silent, Silent), f"{said}: {passing!r} where {silent!r}"
    values = want
    if isinstance(want, list):
        values = within_our_dtypes(want[0])
        values = want if values is want[0] else values
    text = difference(passing, as_bases(values), tolerance, layout)
    assert text is None, f"{said}: {text}"
    if carried and not isinstance(values, Raised):
        assert carries(passing, want), f"{said}: {passing!r} where {want!r}"


@pytest.mark.parametrize("name", [name for name in NAMES if name not in TWO_WAYS])
@pytest.mark.filterwarnings("ignore")
def test_functions_and_ufuncs(name):
    @settings(max_examples=EXAMPLES)
    @given(calls(name))
    def run(call):
        check(called(name), *call, tolerance=TOLERANCE.get(name, "exact"), layout=name not in LAYOUT_DIFFERS,
              carried=name not in NOT_CARRIED)

    run()


OPERANDS = st.lists(arrays(shapes=((3,), (2, 3), (0,), (1, 3)), layouts=("C", "F", "reversed")), min_size=2, max_size=2)
METHOD_ARGUMENTS = {
    "reduce": lambda a, b: (a,), "accumulate": lambda a, b: (a,), "reduceat": lambda a, b: (a, [0]),
    "outer": lambda a, b: (a, b),
}


@pytest.mark.parametrize("name", sorted({bound.__name__ for bound in REGISTRY["fastnp.ufunc"]}))
@pytest.mark.filterwarnings("ignore")
def test_methods_of_ufuncs(name):
    owners = sorted(bound.__self__.__name__ for bound in REGISTRY["fastnp.ufunc"] if bound.__name__ == name)

    @settings(max_examples=EXAMPLES)
    @given(OPERANDS)
    def run(operands):
        for owner in owners:
            if name == "at":
                def body(xp, array, value, owner=owner):
                    getattr(xp, owner).at(array, [0], *([value] if getattr(xp, owner).nin == 2 else []))
                    return [array]

                check(body, [operands[0], 1], {})
            else:
                check(lambda xp, *args, owner=owner: [getattr(getattr(xp, owner), name)(*args)],
                      METHOD_ARGUMENTS[name](*operands), {}, TOLERANCE.get(owner, "exact"))

    run()


# --- methods ----------------------------------------------------------------------------------------------------------

METHODS = {func.__name__: func for func in REGISTRY["fastnp.ndarray"] if isinstance(func, method)}
#: Strategies of the arguments of methods whose signature does not say them, and what is called with them.
ARGUMENTS = {
    "reshape": [SHAPE], "transpose": [choice((), None, (0,), (1, 0))], "resize": [choice(3, (2, 2), 0)],
    "item": [choice(0, (0,), -1)], "astype": [choice("f8", "i4", "c16", "?")], "view": [choice("u1", "i8", None)],
    "tobytes": [choice("C", "F")], "to_device": [choice("cpu")], "__array__": [choice("f8", None)],
    "__deepcopy__": [st.just({})], "__reduce_ex__": [choice(2, 5)], "setfield": [choice(1), choice("i1"), choice(0)],
    "getfield": [choice("i1", "u1"), choice(0, 1)], "__format__": [choice("", "s")],
    "searchsorted": [choice(1, [0, 2])],
    "compress": [choice([True, False], [1])], "choose": [choice([[1, 2, 3], [4, 5, 6]], [0, 1])],
    "repeat": [choice(2, [1])],
    "take": [choice(0, [0, 0], 1)], "put": [choice(0, [0]), choice(7, [1, 2])],
    "partition": [choice(0, 1)], "argpartition": [choice(0, 1)], "dot": [arrays()], "fill": [choice(3, -1)],
    "swapaxes": [choice(0, -1), choice(0, 1)], "byteswap": [choice(False, True)],
    "setflags": [choice(True, False)], "squeeze": [choice(None, 0)], "trace": [], "diagonal": [],
}
#: Methods that another test covers, and where.
NOT_COMPARED = {
    "files": "tofile dump dumps",
    "torch's": "to_device",
    "a capsule: tests/_core/test_interchange.py": "__dlpack__ __dlpack_device__",
    "pickles: tests/overrides/test_subclasses.py": "__reduce__ __reduce_ex__ __setstate__",
    "fastnp's own namespace": "__array_namespace__",
    "what the array is to NumPy, and its memory": "__array__ __sizeof__",
    "what Python says of objects without it": "__round__ __trunc__",
}


def listed(table):
    """Return the names of a table of exceptions."""
    return {name for names in table.values() for name in names.split()}


def method_arguments(name):
    """Return the strategy of a method's arguments: those it requires."""
    if name in ARGUMENTS:
        return st.tuples(*ARGUMENTS[name])
    own = SPECIAL.get(name, {})
    parameters = list(inspect.signature(METHODS[name]).parameters.values())[1:]
    return st.tuples(*[
        own.get(p.name, PARAMETERS.get(p.name)) for p in parameters
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name not in LEFT_ALONE
    ])


@pytest.mark.parametrize("name", sorted(set(METHODS) - listed(NOT_COMPARED)))
@pytest.mark.filterwarnings("ignore")
def test_methods(name):
    def body(xp, array, *args):
        return [getattr(array, name)(*args), array]

    @settings(max_examples=EXAMPLES)
    @given(ARRAY, method_arguments(name))
    def run(array, args):
        check(body, [array, *args], {}, tolerance="rounded" if name in ("std", "var", "mean") else "exact")

    run()


# --- operators, indexing, properties ----------------------------------------------------------------------------------

SLOTS = [func for func in REGISTRY["fastnp.ndarray"] if getattr(func, "__objclass__", None) is np.ndarray]
PROPERTIES = [func for func in REGISTRY["fastnp.ndarray"] if func not in SLOTS and not isinstance(func, method)]
KEYS = choice(0, -1, ..., None, slice(None, None, -1), slice(0, 2), [0, 0], (), (0,), numpy.array([0]), True)


WITHOUT_ARGUMENTS = [
    *("__len__", "__iter__", "__hash__", "__bool__", "__int__", "__float__", "__index__"),
    *("__neg__", "__pos__", "__abs__", "__invert__"),
]


def slot_arguments(name):
    """Return the strategy of what an operator takes beside the array."""
    if name in ("__getitem__", "__delitem__"):
        return st.tuples(KEYS)
    if name == "__setitem__":
        return st.tuples(KEYS, choice(1, 0.5, [1], numpy.array([2])))
    if name in WITHOUT_ARGUMENTS:
        return st.just(())
    if name == "__imatmul__":  # which error operands are that cannot be multiplied differs
        return st.tuples(arrays(DOUBLES, ((3, 3),), ("C", "F", "reversed")))
    return st.tuples(arrays(layouts=("C", "F", "reversed")) | choice(2, 1.5, True))


@pytest.mark.parametrize("name", sorted({func.__name__ for func in SLOTS}))
@pytest.mark.filterwarnings("ignore")
def test_operators_and_indexing(name):
    def body(xp, array, *args):
        result = getattr(xp.ndarray, name)(array, *args)
        return [list(result) if name == "__iter__" else result, array]

    @settings(max_examples=EXAMPLES)
    @given(arrays(DOUBLES, ((3, 3),), ("C",)) if name == "__imatmul__" else ARRAY, slot_arguments(name))
    def run(array, args):
        check(body, [array, *args], {})

    run()


#: What properties are set to.
VALUES = {
    "shape": lambda a: (a.size,), "dtype": lambda a: "u1", "strides": lambda a: a.strides, "flat": lambda a: 3,
    "real": lambda a: 2, "imag": lambda a: 2, "flags": None, "tensor": None,
}
#: Properties whose value is no array or number of NumPy's.
OWN_PROPERTIES = {
    "CUDA alone": "__cuda_array_interface__",
    "objects and addresses": "flags flat ctypes data __array_interface__ __array_struct__ base",
    "NumPy: steps of an axis without elements are another matter": "strides",
    "torch's": "tensor device is_scalar",
}


def property_name(accessor):
    """Return the name of the property whose getter or setter this is."""
    return accessor.__self__.__name__


@pytest.mark.parametrize("name", sorted({property_name(func) for func in PROPERTIES} - listed(OWN_PROPERTIES)))
@pytest.mark.filterwarnings("ignore")
def test_getters(name):
    if not hasattr(numpy.ndarray, name):
        pytest.fail(f"{name} is no property of NumPy's arrays: list it")

    @settings(max_examples=EXAMPLES)
    @given(ARRAY)
    def run(array):
        check(lambda xp, a: [getattr(a, name)], [array], {})

    run()


@pytest.mark.parametrize(
    "name", sorted({property_name(func) for func in PROPERTIES if func.__name__ == "__set__"} - {"flat"}))
@pytest.mark.filterwarnings("ignore")
def test_setters(name):
    def body(xp, array):
        setattr(array, name, VALUES[name](array))
        return [array]

    @settings(max_examples=EXAMPLES)
    @given(arrays(layouts=("C",)))
    def run(array):
        check(body, [array], {})

    run()


def test_properties_of_our_own():
    for name in sorted({property_name(func) for func in PROPERTIES} & listed(OWN_PROPERTIES)):
        x = np.arange(3.0)
        if name == "__cuda_array_interface__":
            continue
        silent, passing = (getattr(x.view(cls), name) for cls in (Silent, Passing))
        assert type(silent) is type(passing) or {type(silent), type(passing)} == {Silent, Passing}, name


def test_the_tables_are_the_registry():
    """Every entry of the registry is called by one of these tests, or listed with the test that calls it."""
    functions = {id(func) for module, entries in REGISTRY.items() if module not in ("fastnp.ndarray", "fastnp.ufunc")
                 for func in entries}
    assert functions <= {id(value) for value in FUNCTIONS.values()}
    assert listed(NOT_COMPARED) - set(METHODS) == set()
    assert set(ARGUMENTS) - set(METHODS) == set()
    assert listed(OWN_PROPERTIES) - {property_name(func) for func in PROPERTIES} == set()
    assert {type(func) for func in REGISTRY["fastnp"]} >= {ufunc}
    assert set(NOT_CARRIED) <= set(NAMES)
