"""Every public name of NumPy is here, with NumPy's signature; what is not is in a list that fails when it is stale."""

import importlib
import inspect
from types import ModuleType

import numpy
import pytest

import fastnp
from fastnp._registry import NAMESPACES

MODULES = (
    "",
    "char",
    "ctypeslib",
    "dtypes",
    "emath",
    "exceptions",
    "fft",
    "lib",
    "lib.array_utils",
    "lib.format",
    "lib.introspect",
    "lib.mixins",
    "lib.npyio",
    "lib.scimath",
    "lib.stride_tricks",
    "linalg",
    "ma",
    "polynomial",
    "polynomial.chebyshev",
    "polynomial.hermite",
    "polynomial.hermite_e",
    "polynomial.laguerre",
    "polynomial.legendre",
    "polynomial.polynomial",
    "polynomial.polyutils",
    "random",
    "rec",
    "strings",
    "testing",
    "typing",
)

# Names of NumPy that are missing, each with its reason.
MISSING: dict[str, str] = {}

COMPILED = "a compiled constructor has no signature to inspect"

# Names whose signature differs from NumPy's, each with its reason.
SIGNATURES = {
    "array": "device= of the array API, which NumPy's array() lacks",
    "broadcast": COMPILED,
    "flatiter": COMPILED,
    "ndarray": COMPILED,
    "ndenumerate": COMPILED,
    "ufunc": COMPILED,
}

# Attributes of numpy.ndarray that the array lacks, each with its reason.
ATTRIBUTES: dict[str, str] = {}

# Public classes whose methods are compared one by one.
CLASSES = (
    "poly1d",
    "polynomial.Polynomial",
    "random.Generator",
    "random.PCG64",
    "random.RandomState",
    "random.SeedSequence",
)


def member(module, name):
    for part in name.split(".") if name else ():
        module = getattr(module, part)
    return module


def public_names(module):
    """Return the public names of a module of NumPy's: what it lists, and what it holds besides other modules."""
    held = (name for name, value in vars(module).items() if not isinstance(value, ModuleType))
    return sorted({*getattr(module, "__all__", ()), *(name for name in held if not name.startswith("_"))})


def qualified(module, name):
    return f"{module}.{name}" if module else name


def parameters(function):
    """Return the parameters without annotations, or None where there is nothing to inspect."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    return [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]


def differing(ours, theirs, names):
    """Yield the names whose signature NumPy has and we do not have alike."""
    for name in names:
        want = parameters(getattr(theirs, name))
        if want is not None and parameters(getattr(ours, name)) != want:
            yield name


@pytest.mark.parametrize("module", MODULES)
def test_every_name_is_there(module):
    ours, theirs = member(fastnp, module), member(numpy, module)
    missing = {qualified(module, name) for name in public_names(theirs) if not hasattr(ours, name)}
    allowed = {name for name in MISSING if name.rpartition(".")[0] == module}
    assert missing == allowed


@pytest.mark.parametrize("module", MODULES)
def test_every_signature_is_numpys(module):
    ours, theirs = member(fastnp, module), member(numpy, module)
    names = [name for name in public_names(theirs) if hasattr(ours, name) and callable(getattr(theirs, name))]
    differ = {qualified(module, name) for name in differing(ours, theirs, names)}
    allowed = {name for name in SIGNATURES if name.rpartition(".")[0] == module}
    assert differ == allowed


@pytest.mark.parametrize("name", CLASSES)
def test_methods_of_a_class_have_numpys_signatures(name):
    ours, theirs = member(fastnp, name), member(numpy, name)
    names = [method for method in dir(theirs) if not method.startswith("_")]
    assert [method for method in names if not hasattr(ours, method)] == []
    assert list(differing(ours, theirs, [method for method in names if callable(getattr(theirs, method))])) == []


def test_every_attribute_of_the_array_is_there():
    missing = {name for name in dir(numpy.ndarray) if not hasattr(fastnp.ndarray, name)}
    assert missing == set(ATTRIBUTES)


@pytest.mark.parametrize("module", [module for module in MODULES if module not in ("emath",)])
def test_every_module_can_be_imported_by_its_name(module):
    assert importlib.import_module(f"fastnp.{module}".rstrip(".")) is member(fastnp, module)


def test_all_of_numpys_star_import_is_ours_too():
    assert set(numpy.__all__) <= set(fastnp.__all__)
    assert set(fastnp.__all__) <= set(dir(fastnp))


def test_every_function_knows_its_module_and_its_name_and_what_it_does():
    wrong = []
    for module, entries in NAMESPACES.items():
        for name, entry in entries.items():
            if not hasattr(entry.value, "__numpy_function__") or isinstance(entry.value, numpy.ufunc):
                continue
            value = entry.value
            aliased = entries.get(value.__name__) is not None and entries[value.__name__].value is value
            if not value.__module__.startswith("fastnp") or not aliased or not value.__doc__:
                wrong.append(f"{module}.{name}")
    assert wrong == []


def test_numpys_objects_are_shared_where_they_are_no_arrays():
    for name in ("dtype", "float64", "int64", "errstate", "finfo", "newaxis", "pi"):
        assert getattr(fastnp, name) is getattr(numpy, name), name


def test_numpys_functions_on_our_arrays_are_ours():
    array = fastnp.ones((2, 3))
    for result in (numpy.linalg.norm(array), numpy.median(array), numpy.fft.fft(array), numpy.dot(array, array.T)):
        assert type(result) is fastnp.ndarray
