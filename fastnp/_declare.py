"""Declare once, derive the rest.

A function is NumPy's signature, annotations from `fastnp._typing`, and a body that sees tensors. `Chapter` makes the
public callable of it: plan, override arguments, `__signature__`, docstring, method, aliases, fallback. What is public
is in `NAMESPACES`; nothing else lists names.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterable
from types import BuiltinFunctionType, FunctionType, ModuleType, UnionType
from typing import Any

import numpy

from fastnp import _fallback
from fastnp._core.borrowed import borrowed
from fastnp._core.dispatcher import compiled_body, function, method
from fastnp._core.ndarray import ndarray, set_attribute
from fastnp._core.normalization import REQUIRED, Plan
from fastnp._core.overrides import attribute
from fastnp._core.ufunc import ufunc
from fastnp._typing import Conversion


class Entry:
    """What the registry knows of a public name.

    Parameters
    ----------
    value : object
        What is public.
    state : str
        "native", "partial" (NumPy computes some parameters), "numpy", or "object".
    differs : str
        How it differs from NumPy.
    plan : Plan, optional
        How its arguments are bound.
    """

    __slots__ = ("differs", "plan", "state", "value")

    def __init__(self, value: Any, state: str, differs: str = "", plan: Plan | None = None) -> None:
        self.value = value
        self.state = state
        self.differs = differs
        self.plan = plan

    @property
    def conversions(self) -> dict[str, Conversion]:
        """What each parameter accepts."""
        if self.plan is None:
            return {}
        return dict(zip(self.plan.names, map(Conversion, self.plan.conversion_codes), strict=True))

    @property
    def numpy_only(self) -> tuple[str, ...]:
        """The parameters that NumPy computes."""
        return tuple(name for name, conversion in self.conversions.items() if conversion is Conversion.NUMPY_ONLY)


class Deferred(str):
    """The name of a public module that is imported when somebody asks for it."""

    __slots__ = ()


#: Public names by module: "fastnp", "fastnp.linalg", ...
NAMESPACES: dict[str, dict[str, Entry]] = {}
#: Methods of the array by name.
METHODS: dict[str, method] = {}
#: NumPy's callable -> ours, for NumPy's protocols.
COUNTERPARTS: dict[Any, Any] = {}


UNIONS = (UnionType, typing.Union)


def conversion_of(annotation: Any) -> Conversion:
    """Return the conversion that an annotation asks for; `X | None` asks for X's, `list[X]` for none."""
    joined = typing.get_args(annotation) if typing.get_origin(annotation) in UNIONS else ()
    for candidate in (annotation, *joined):
        for mark in getattr(candidate, "__metadata__", ()):
            if isinstance(mark, Conversion):
                return mark
    return Conversion.ANY


def public_name(body: Callable[..., Any]) -> str:
    """Return the public name of a body: `all_` stands for `all`, where Python's own is needed beside it."""
    name = body.__name__
    return name if name.endswith("__") or hasattr(numpy, name) else name.removesuffix("_")


#: Conversions by the module and the text of an annotation: the same few are written thousandfold.
WRITTEN: dict[tuple[str, str], Conversion] = {}


def annotated(annotation: Any, names: dict[str, Any]) -> Conversion:
    """Return the conversion that an annotation asks for, which may be text in terms of `names`."""
    if annotation is None:
        return Conversion.ANY
    if not isinstance(annotation, str):
        return conversion_of(annotation)
    written = names["__name__"], annotation
    if (found := WRITTEN.get(written)) is None:
        # Most are names: to look one up takes a hundredth of what `eval` does.
        meant = names[annotation] if annotation in names else eval(annotation, names)
        found = WRITTEN[written] = conversion_of(meant)
    return found


def plan_of(name: str, body: Callable[..., Any]) -> Plan:
    """Work out the plan of a body's signature by what the function itself knows: `inspect` and `typing` take 0.2 ms."""
    written = inspect.unwrap(body) if hasattr(body, "__wrapped__") else body
    code, annotations = written.__code__, written.__annotations__
    given, by_keyword = written.__defaults__ or (), written.__kwdefaults__ or {}
    names = list(code.co_varnames[: code.co_argcount])
    defaults = [REQUIRED] * (len(names) - len(given)) + list(given)
    after = code.co_argcount + code.co_kwonlyargcount
    var_positional = var_keyword = -1
    if code.co_flags & inspect.CO_VARARGS:
        var_positional = len(names)
        names.append(code.co_varnames[after])
        defaults.append(None)
        after += 1
    for parameter in code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]:
        names.append(parameter)
        defaults.append(by_keyword.get(parameter, REQUIRED))
    if code.co_flags & inspect.CO_VARKEYWORDS:
        var_keyword = len(names)
        names.append(code.co_varnames[after])
        defaults.append(None)
    conversions = [annotated(annotations.get(parameter), written.__globals__) for parameter in names]
    return Plan(
        name, names, defaults, conversions, code.co_posonlyargcount, code.co_argcount, var_positional, var_keyword
    )


def document(theirs: Any, body: Callable[..., Any] | None, differs: str) -> str | None:
    """Return NumPy's docstring with what differs, or the body's own."""
    text = getattr(theirs, "__doc__", None) or getattr(body, "__doc__", None)
    if not differs or text is None:
        return text
    return f"{text.rstrip()}\n\nDiffers from NumPy\n------------------\n{differs}\n"


#: NumPy's ufuncs, each with its names. Looked up where nothing is loaded: `getattr` would import NumPy's submodules.
UFUNC_NAMES: dict[numpy.ufunc, list[str]] = {}
for _name in numpy.__all__:
    if isinstance(_value := vars(numpy).get(_name), numpy.ufunc):
        UFUNC_NAMES.setdefault(_value, []).append(_name)

#: What NumPy's functions are: written in Python, written in C, and either behind `__array_function__`.
FUNCTION_TYPES = (FunctionType, BuiltinFunctionType, type(numpy.sum))


class Chapter:
    """A chapter of NumPy's reference: declares the functions of one module.

    Parameters
    ----------
    module : str
        Public module of the names, such as "fastnp.linalg".
    theirs : module
        NumPy's module of the same names.
    """

    def __init__(self, module: str, theirs: ModuleType = numpy) -> None:
        self.module = module
        self.theirs = theirs
        self.names = NAMESPACES.setdefault(module, {})

    def __call__(
        self,
        *,
        compiled: compiled_body | None = None,
        aliases: Iterable[str] = (),
        method: bool = False,
        scalars: bool = True,
        container: bool = True,
        differs: str = "",
        host: Callable[..., Any] | bool = False,
        writes: bool = False,
        views: bool = False,
        base: bool = False,
        composed: Callable[..., Any] | bool = False,
        general: bool = False,
        discrete: bool = False,
    ) -> Callable[[Callable[..., Any]], Any]:
        """Declare a function by its body.

        Parameters
        ----------
        compiled : compiled_body, optional
            What computes it; the decorated function computes the calls that it declines, if there are any.
        aliases : iterable of str
            Other names of the same object.
        method : bool
            Whether it is a method of the array too, its first parameter being the array.
        scalars : bool
            Whether a 0-d result stands for a NumPy scalar, as it does for most functions that compute.
        container : bool
            Whether torch.Tensors alone give a torch.Tensor; not so for what creates arrays.
        differs : str
            How it differs from NumPy.
        host : callable or bool
            Whether NumPy's function of the name is the kernel for plain CPU arrays; the body is then for all else. A
            callable is called in its place.
        writes : bool
            Whether the call changes its first argument.
        views : bool
            Whether results share the memory of the first argument.
        base : bool
            Whether results are of the class ndarray itself, of whatever subclass the arguments are.
        composed : callable or bool
            What computes plain CPU arrays, asked after `compiled`: a function of the same parameters that gets arrays
            and is made of fastnp's own functions. It returns what the caller will see, or NotImplemented for `host`.
            True: the decorated function itself, for plain arrays and all others.
        general : bool
            Whether `composed` is asked for arrays that are not plain as well (gradients, modes, other devices), before
            the body on torch: one that writes into no array and lets no element decide what it does.
        discrete : bool
            Whether results are truths, positions or counts, through which no gradient goes: arrays that carry one are
            then computed as plain ones.
        """

        def declare(body: Callable[..., Any]) -> Any:
            # NumPy's `ix_` ends so itself.
            name = body.__name__ if hasattr(self.theirs, body.__name__) else public_name(body)
            plan = plan_of(name, body)
            theirs = getattr(self.theirs, name, None)
            fallback = None if theirs is None else _fallback.by_numpy
            kernel = host if callable(host) else theirs if host else None
            public = function(
                plan, body, fallback, container, scalars, kernel, writes, compiled, views, base,
                made_of(composed, body), general, discrete,
            )
            if compiled is None:
                public._implementation = body  # as NumPy's functions have it
            self.dress(public, name, theirs, document(theirs, body, differs))
            partial = Conversion.NUMPY_ONLY in plan.conversion_codes
            entry = Entry(public, "partial" if partial else "native", differs, plan)
            for alias in (name, *aliases):
                self.enter(alias, entry)
                if hasattr(self.theirs, alias):
                    COUNTERPARTS[getattr(self.theirs, alias)] = public
            if method:
                attach_method(
                    name, plan, body, scalars, None, bool(host), writes, compiled, views,
                    made_of(composed, body), general, discrete,
                )
            return public

        return declare

    def from_numpy(self, *names: str) -> None:
        """Declare functions that NumPy computes: "not yet" is a row as well."""
        for name in names:
            theirs = getattr(self.theirs, name)
            plan = Plan(name, ["args", "kwargs"], [None, None], [Conversion.TENSORS, Conversion.RELEVANT], 0, 0, 0, 1)
            public = function(plan, None, _fallback.by_numpy, False, True)
            self.dress(public, name, theirs, theirs.__doc__)
            self.enter(name, Entry(public, "numpy"))

    def ufunc(self, theirs: numpy.ufunc, body: Callable[..., Any]) -> ufunc:
        """Declare a ufunc of NumPy under every name it has there; `body` computes it on tensors of its dtypes."""
        if theirs not in COUNTERPARTS:
            COUNTERPARTS[theirs] = ufunc(theirs, body)
        public = COUNTERPARTS[theirs]
        for name in UFUNC_NAMES[theirs]:
            self.enter(name, Entry(public, "native"))
        return public

    def borrow(self, *names: str, saves: bool = False) -> None:
        """Make functions public that are NumPy's by design, such as text formats: views go in, arrays come out."""
        for name in names:
            theirs = getattr(self.theirs, name)
            public = borrowed(theirs, name, self.module, saves=saves)
            COUNTERPARTS[theirs] = public
            self.enter(name, Entry(public, "numpy"))

    def borrow_rest(self) -> None:
        """Make every other public name of NumPy's module public: functions are borrowed, all else is shared."""
        for name in dir(self.theirs):
            value = getattr(self.theirs, name)
            if name.startswith("_") or name in self.names or isinstance(value, ModuleType):
                continue
            if isinstance(value, FUNCTION_TYPES):
                self.borrow(name)
            else:
                self.publish(**{name: value})

    def dress(self, public: Any, name: str, theirs: Any, doc: str | None) -> None:
        """Give a callable the attributes of a function."""
        public.__name__ = name
        public.__qualname__ = name
        public.__module__ = self.module
        public.__doc__ = doc
        public.__numpy_function__ = theirs
        if theirs is not None:
            COUNTERPARTS[theirs] = public

    def enter(self, name: str, entry: Entry) -> None:
        """Put a name into the registry; ValueError where it is declared already."""
        if name in self.names:
            raise ValueError(f"{self.module}.{name} is declared twice")
        self.names[name] = entry

    def publish(self, **objects: Any) -> None:
        """Make classes, constants and other objects public."""
        for name, value in objects.items():
            self.enter(name, Entry(value, "numpy" if isinstance(value, borrowed) else "object"))


def with_dispatch(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Return NumPy's function as `host` of one whose dispatch refuses what the function would compute."""

    def host(*args: Any, **kwargs: Any) -> Any:
        return theirs(*args, **kwargs)

    return host


def made_of(composed: Callable[..., Any] | bool, body: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return the composed body of a declaration, which may be its body itself."""
    if isinstance(composed, bool):
        return body if composed else None
    return composed


def numpy_method(ours: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Compute a method of the array by NumPy's method of its name."""
    theirs = numpy.generic if isinstance(args[0], ndarray) and args[0].is_scalar else numpy.ndarray
    return _fallback.call(ours.__qualname__, getattr(theirs, ours.__name__), args, kwargs)


def attach_method(
    name: str,
    plan: Plan,
    body: Any,
    scalars: bool = True,
    doc: str | None = None,
    host: bool = False,
    writes: bool = False,
    compiled: compiled_body | None = None,
    views: bool = False,
    composed: Callable[..., Any] | None = None,
    general: bool = False,
    discrete: bool = False,
) -> Any:
    """Put a method into the class of the array; its first parameter is the array."""
    theirs = getattr(numpy.ndarray, name, None)
    of_self, *conversions = plan.conversion_codes
    public = method(
        Plan(
            name, ("self", *plan.names[1:]), plan.defaults, [of_self or Conversion.ARRAY, *conversions],
            max(plan.positional_only, 1), plan.positional, plan.var_positional, plan.var_keyword,
        ),
        body,
        None if theirs is None else numpy_method,
        True,
        scalars,
        theirs if host else None,
        writes,
        compiled,
        views,
        False,
        composed,
        general,
        discrete,
    )
    public.__name__ = name
    public.__qualname__ = f"ndarray.{name}"
    public.__module__ = "fastnp"
    public.__doc__ = doc or getattr(theirs, "__doc__", None)
    METHODS[name] = public
    set_attribute(name, public)
    return public


def declare_method(
    *,
    compiled: compiled_body | None = None,
    scalars: bool = True,
    host: bool = False,
    writes: bool = False,
    views: bool = False,
    composed: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Any]:
    """Declare a method of the array whose signature is not that of a function (`a.reshape(*shape)`)."""

    def declare(body: Callable[..., Any]) -> Any:
        name = public_name(body)
        return attach_method(
            name, plan_of(name, body), body, scalars, body.__doc__, host, writes, compiled, views, composed
        )

    return declare


def declare_attribute(
    name: str, fget: Callable[[ndarray], Any], fset: Callable[[ndarray, Any], Any] | None = None, doc: str | None = None
) -> None:
    """Declare a property of the array; hooks see its getter and setter."""
    set_attribute(name, attribute(name, fget, fset, doc))


__all__ = [
    "COUNTERPARTS",
    "METHODS",
    "NAMESPACES",
    "UFUNC_NAMES",
    "Chapter",
    "Deferred",
    "Entry",
    "attach_method",
    "declare_attribute",
    "declare_method",
    "ndarray",
]
