"""One hook sees everything: what a logging hook is told is the registry, neither more nor less (row 11, seed 000)."""

import inspect

import numpy
import pytest
import torch
from numpy.testing.overrides import get_overridable_numpy_array_functions, get_overridable_numpy_ufuncs
from torch.overrides import TorchFunctionMode

import fastnp as np
from fastnp._core.dispatcher import function
from fastnp._declare import plan_of
from fastnp._registry import COUNTERPARTS
from fastnp._typing import Conversion
from fastnp.overrides import get_overridable_functions, is_overridable

REGISTRY = get_overridable_functions()
#: Functions without an argument that is an array: a mode sees them, an argument cannot.
TAKES_NO_ARRAY = {
    "numbers": "bartlett blackman hamming hanning kaiser fftfreq rfftfreq",
    "shapes and numbers of elements": "broadcast_shapes diag_indices indices mask_indices tril_indices triu_indices",
    "dtypes": "promote_types",
    "converts any object, arrays as well as hooks do": "asarray_chkfinite from_dlpack isscalar iterable",
}
#: Attributes of the class that no hook is told of.
NOT_HOOKED = {
    "Python's own life of an object": "__new__ __doc__ __class_getitem__",
    "printing: a hook may print its arguments": "__repr__ __str__",
    "the protocols themselves":
        "__torch_function__ __array_function__ __array_ufunc__ __array_wrap__ __array_finalize__ __array_priority__",
    "NumPy's scalars have them, arrays do not":
        "as_integer_ratio bit_count denominator fromhex hex is_integer numerator",
}


def names_in(table):
    """Return the names of a table of exceptions."""
    return {name for names in table.values() for name in names.split()}


class Stop(Exception):
    """What the hooks of these tests raise, so that nothing is computed with arguments that make no sense."""


class Hooked(np.ndarray):
    log = []  # noqa: RUF012 - the class's log

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.log.append(func)
        raise Stop


class Duck:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        Hooked.log.append(func)
        raise Stop


class Mode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        Hooked.log.append(func)
        raise Stop


def required(func):
    """Return how many arguments a call needs by position, one at least: who is asked is so before they are counted."""
    if func.__name__ == "outer":
        return 2
    try:
        parameters = inspect.signature(func).parameters.values()
    except ValueError:  # NumPy's own C functions
        return 1
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return max(1, sum(p.kind in by_position and p.default is p.empty for p in parameters))


def seen(func, value, other=1.5):
    """Return whether a call of `func` with `value` for every argument is told to the hook as `func` alone."""
    Hooked.log.clear()
    arguments = [value] * required(func)
    owner = getattr(func, "__self__", func)
    if getattr(owner, "__objclass__", None) is np.ndarray and getattr(owner, "__name__", "").startswith("__r"):
        arguments = [value, other]  # of two arrays the first is asked for its operator, not the second
    signature = getattr(func, "__signature__", None)
    keywords = {"like": value} if signature is not None and "like" in signature.parameters else {}
    keywords |= {"sep": " "} if func.__name__ == "fromstring" else {}
    try:
        func(*([1] * len(arguments) if "like" in keywords else arguments), **keywords)
    except Stop:
        return Hooked.log == [func]
    except (TypeError, ValueError, AttributeError):  # not told, so that the call was made, with these arguments
        return False
    return False


def array_less():
    """Return the functions of the registry that no argument can override."""
    return [
        func for module, functions in REGISTRY.items() if module != "fastnp.ndarray"
        for func in functions if isinstance(func, function) and func.__name__ in names_in(TAKES_NO_ARRAY)
    ]


@pytest.mark.parametrize("module", REGISTRY)
def test_subclass_sees_the_registry(module):
    """Rows 11 and 12."""
    value = np.ones(()).view(Hooked)
    told = {func for func in REGISTRY[module] if func not in array_less() and seen(func, value)}
    assert told == set(REGISTRY[module]) - set(array_less())


@pytest.mark.parametrize("module", [module for module in REGISTRY if module != "fastnp.ndarray"])
def test_hook_object_sees_the_registry(module):
    """Row 5; methods and properties are the array's own, so that another object meets them as an operand only."""
    told = {func for func in REGISTRY[module] if func not in array_less() and seen(func, Duck())}
    assert told == set(REGISTRY[module]) - set(array_less())


def test_hook_object_sees_the_operators_of_an_array():
    x, duck = np.ones(2), Duck()
    names = [name for name in vars(np.ndarray) if vars(np.ndarray)[name] in REGISTRY["fastnp.ndarray"]]
    binary = [name for name in names if hasattr(numpy.ndarray, name) and name in BINARY]
    assert set(binary) == set(BINARY)
    for name in binary:
        Hooked.log.clear()
        with pytest.raises(Stop):
            getattr(np.ndarray, name)(x, duck)
        assert Hooked.log == [vars(np.ndarray)[name]]
    for stand, call in {"__setitem__": lambda: x.__setitem__(0, duck), "__getitem__": None}.items():
        if call is not None:
            Hooked.log.clear()
            with pytest.raises(Stop):
                call()
            assert Hooked.log == [vars(np.ndarray)[stand]]


ARITHMETIC = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"
)
BINARY = [
    *(f"__{prefix}{name}__" for name in ARITHMETIC for prefix in ("", "r", "i")), "__divmod__", "__rdivmod__",
    "__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__",
]


@pytest.mark.parametrize("module", REGISTRY)
def test_mode_sees_the_registry(module):
    """Row 20: a mode sees every call on arrays proper, those without an array among them."""
    value = np.ones(())

    def told(func):
        with Mode():
            return seen(func, value)

    assert {func for func in REGISTRY[module] if told(func)} == set(REGISTRY[module])


def test_registry_is_the_class():
    """What the class has and the registry does not is listed, and the list is not longer than that."""
    hooked = set(REGISTRY["fastnp.ndarray"])
    missing = set()
    for name, value in vars(np.ndarray).items():
        getter = getattr(value, "__get__", None)
        if value not in hooked and getter not in hooked if value.__hash__ else True:
            missing.add(name)
    assert missing - {"__complex__"} == names_in(NOT_HOOKED) & set(vars(np.ndarray)) == names_in(NOT_HOOKED)


def test_functions_without_arrays_are_those_listed():
    table = names_in(TAKES_NO_ARRAY)
    assert {func.__name__ for func in array_less()} == table
    for func in array_less():
        Hooked.log.clear()
        try:
            func(*[np.ones(()).view(Hooked)] * required(func))
        except (TypeError, ValueError, Stop):
            pass
        assert func not in Hooked.log, f"{func.__name__} is told to hooks: take it off the list"


def test_public_callables_are_in_the_registry():
    """Every public function of the namespaces is overridable; what is not is a class or a setting without arguments."""
    listed = {func for functions in REGISTRY.values() for func in functions}
    left = {name for name in np.__all__ if callable(getattr(np, name)) and not isinstance(getattr(np, name), type)
            and getattr(np, name) not in listed}
    assert left == SETTINGS
    assert all(is_overridable(func) for functions in REGISTRY.values() for func in functions
               if func not in REGISTRY["fastnp.ndarray"] and func not in REGISTRY["fastnp.ufunc"])


#: Settings of fastnp itself, what explains a call, reading a file by its name, NumPy's own tests: no array goes in.
SETTINGS = {
    "clear_fallback_records", "clear_memory", "explain", "fallback_records", "get_default_dtype", "get_include", "load",
    "memory_counts", "set_default_device", "set_default_dtype", "set_fallback", "set_memory_limit", "set_transfer",
    "test",
}


# --- NumPy's lists ----------------------------------------------------------------------------------------------------

#: NumPy's overridable functions that fastnp does not have: it has no strings and no records.
NOT_OURS = ("numpy.strings", "numpy.char", "numpy.lib.recfunctions")


def test_numpys_overridable_functions_are_covered():
    """Rows 3 and 4."""
    missing = set()
    for theirs in get_overridable_numpy_array_functions():
        public = getattr(numpy, theirs.__name__, theirs)  # functions with like= are registered by another object
        if theirs not in COUNTERPARTS and public not in COUNTERPARTS and not theirs.__module__.startswith(NOT_OURS):
            missing.add(f"{theirs.__module__}.{theirs.__name__}")
    assert missing == set()


def test_numpys_ufuncs_are_covered():
    missing = {
        theirs.__name__ for theirs in get_overridable_numpy_ufuncs()
        if theirs not in COUNTERPARTS and getattr(numpy, theirs.__name__, None) is theirs
    }
    assert missing == set()


class NumPyDuck:
    told = []  # noqa: RUF012 - the class's log

    def __array_function__(self, func, types, args, kwargs):
        self.told.append("function")
        raise Stop

    def __array_ufunc__(self, *args, **kwargs):
        raise Stop


def told(call, arguments, position, value):
    """Return whether a call tells a hook of `value`, given as one of its parameters."""
    positional, keywords, varied = [], {}, None
    for name, parameter in arguments.items():
        given = value if name == position else numpy.ones(2)
        if parameter.kind is parameter.VAR_POSITIONAL:
            varied = [given] if name == position else []
        elif parameter.kind is parameter.VAR_KEYWORD:
            continue
        elif name == position or parameter.default is parameter.empty:
            if parameter.kind is parameter.POSITIONAL_ONLY:
                positional.append(given)
            else:
                keywords[name] = given
    if varied is not None:
        positional = [keywords.pop(name) for name, p in arguments.items()
                      if name in keywords and p.kind is p.POSITIONAL_OR_KEYWORD] + varied
    NumPyDuck.told.clear()
    Hooked.log.clear()
    with numpy.errstate(all="ignore"):
        try:
            call(*positional, **keywords)
        except Exception:  # noqa: BLE001 - whatever is raised, was the hook told?
            return bool(NumPyDuck.told or Hooked.log)
    return bool(NumPyDuck.told or Hooked.log)


#: Where NumPy asks and fastnp does not.
NOT_ASKED = {("astype", "dtype"): "a dtype is no array"}


@pytest.mark.filterwarnings("ignore")
def test_every_parameter_that_numpy_dispatches_on():
    differs = set()
    for theirs in get_overridable_numpy_array_functions():
        ours = COUNTERPARTS.get(theirs)
        if ours is None or theirs.__name__ == "fromstring":  # NumPy gives fromstring no signature
            continue
        parameters = inspect.signature(theirs).parameters
        for name in parameters:
            for value in (lambda duck: duck, lambda duck: [duck]):
                if told(theirs, parameters, name, value(NumPyDuck())) and not all(
                        told(ours, parameters, name, value(duck)) for duck in (Duck(), NumPyDuck())):
                    differs.add((theirs.__name__, name))
    assert differs == set(NOT_ASKED)


def test_registry_holds_torch_tensors_too():
    """A Tensor subclass is told of the functions of the registry as well."""

    class Told(torch.Tensor):
        log = []  # noqa: RUF012 - the class's log

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            cls.log.append(func)
            return super().__torch_function__(func, types, args, kwargs or {})

    tensor = torch.ones(3).as_subclass(Told)
    for func in (np.exp, np.sum, np.add.reduce, np.linalg.norm, np.cumsum):
        Told.log.clear()
        result = func(tensor)
        assert Told.log[0] == func
        assert type(result) is Told


def test_an_annotation_means_what_its_own_module_calls_so():
    """Two modules may give different things one name, that of an annotation of fastnp's among them."""
    meanings = {"first": "fastnp.overrides.ArrayLike", "second": "float", "third": "int | None"}
    plans = {}
    for module, meaning in meanings.items():
        names = {"__name__": module, "fastnp": np}
        exec(
            "from __future__ import annotations\nimport fastnp.overrides\n"
            f"ArrayLike = {meaning}\n"
            "def body(a: ArrayLike, b: ArrayLike | None = None, c: list[ArrayLike] = ()): ...\n",
            names,
        )
        plans[module] = list(plan_of("body", names["body"]).conversion_codes)
    assert plans["first"] == [Conversion.TENSOR, Conversion.TENSOR, Conversion.ANY]
    assert plans["second"] == plans["third"] == [Conversion.ANY] * 3
