"""Who overrides a call: `__torch_function__` of modes and argument types, then NumPy's protocols.

NEP 18's rules: each type once, subclasses before their superclasses, otherwise left to right; `NotImplemented` goes on
to the next; a TypeError names function and types when all decline.
"""
cimport numpy as cnp
from cpython.object cimport PyObject, PyTypeObject

from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.ndarray cimport MAXDIMS, inherits_protocols, ndarray
from fastnp._core.numpy_scalars cimport dtype_of_scalar
from fastnp._core.torch_tensor cimport is_exact_tensor, is_tensor, unwrap

import inspect

import numpy
import torch
from torch.utils._device import DeviceContext

cnp.import_array()

cdef object POP_MODE = torch._C._pop_torch_function_stack
cdef object PUSH_MODE = torch._C._push_on_torch_function_stack

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint has_host_memory(const Tensor&)
    bint function_mode_enabled()
    bint subclass_hooks_disabled()

cdef extern from *:
    """
    // The mode that is asked first; there must be one.
    static PyObject* fastnp_top_mode() {
      const auto& mode = fastnp::modes_of(fastnp::function_modes()).back();
      return mode->ptr(&mode->pyinterpreter());
    }
    """
    PyObject* top_mode "fastnp_top_mode"() noexcept

cdef extern from "instances.h" namespace "fastnp":
    unsigned int version_of(PyTypeObject*) noexcept

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple tuple_of(PyObject* const*, Py_ssize_t)
    tuple types_of(tuple)
    object call_class_method(object, object, object, object, object, object)

cdef extern from "hooked_slots.h" namespace "fastnp":
    ctypedef object (*Answer)(PyObject* function, PyObject* const* args, Py_ssize_t count)
    PyTypeObject* hooked_type
    Answer answer
    PyObject* no_override "fastnp::not_overridden"
    bint may_listen(PyObject*) noexcept
    object ask(PyObject* function, PyObject** args, Py_ssize_t count)
    int hook_slots(PyTypeObject*, PyTypeObject*, list) except -1
    int hook_attributes(PyTypeObject*, list) except -1
    int wrap_operators(PyTypeObject*, PyTypeObject*) except -1

cdef extern from "Python.h":
    PyObject* _PyType_Lookup(PyTypeObject*, object)
    bint PyFloat_CheckExact(object)
    bint PyLong_CheckExact(object)

cdef object NOT_OVERRIDDEN = object()
cdef object NO_VALUE = numpy._NoValue
cdef object DISABLED_HOOK = torch._C._disabled_torch_function_impl
cdef str HOOK = "__torch_function__"
cdef str ARRAY_FUNCTION = "__array_function__"
cdef str ARRAY_UFUNC = "__array_ufunc__"
# ndarray's own implementations of the protocols, which its subclasses inherit. Set by fastnp._protocols.
cdef object default_hook = None
cdef object default_ufunc = None
cdef object default_function = None
# Calls a function of NumPy's on NumPy's arrays in the place of ours: `call(name, theirs, args, kwargs)`.
cdef object call_fallback = None
# How an operator is `__array_ufunc__`'s call of the ufunc: operands in the other order, or written into the first.
cdef str REFLECTED = "reflected"
cdef str INPLACE = "in place"


# The last type that was found to have a hook of its own and to be neither an array's nor a tensor's, and its version then.
cdef void* last_hooked = NULL
cdef unsigned int last_version = 0


cdef object not_overridden():
    return NOT_OVERRIDDEN


def set_default_hooks(hook, array_ufunc, array_function, fallback):
    """Tell the implementations of the three protocols that subclasses of ndarray inherit, and who calls NumPy."""
    global default_hook, default_ufunc, default_function, call_fallback
    default_hook, default_ufunc, default_function, call_fallback = hook, array_ufunc, array_function, fallback


cdef PyObject* type_attribute(object kind, str name) noexcept:
    return _PyType_Lookup(<PyTypeObject*>kind, name)


cdef inline bint has(object kind, str name) noexcept:
    """Whether a type has something other than None under a name."""
    cdef PyObject* found = _PyType_Lookup(<PyTypeObject*>kind, name)
    return found is not NULL and found != <PyObject*>None


cdef inline bint is_settled(object value) noexcept:
    return type(value) is ndarray or PyFloat_CheckExact(value) or PyLong_CheckExact(value)


cdef PyObject* heir_of(object a, object b) except? NULL:
    if is_settled(a):
        a = b
    elif type(a) is not type(b) and not is_settled(b):
        return NULL
    return <PyObject*>a if type(a) is not ndarray and inherits_protocols(type(a)) else NULL


cdef inline bint look_at_item(object item, Containers* seen, int depth) except -1:
    """Look at an item of a list or tuple; False where it is nested deeper than an array can be."""
    if type(item) is list or type(item) is tuple:
        return look_into(item, seen, depth + 1)
    look_at(item, seen)
    return True


cdef bint look_into(object sequence, Containers* seen, int depth) except -1:
    """Look at the items of a list or tuple; False where it is nested deeper than an array can be, which others refuse."""
    if not seen.tensors and not seen.arrays:
        # A list of tensors alone counts as tensors; of anything else, as arrays.
        seen.arrays = not all_tensors(sequence)
    if depth == MAXDIMS:
        return False
    if type(sequence) is tuple:
        for item in <tuple>sequence:
            if not look_at_item(item, seen, depth):
                return False
    else:
        for item in <list>sequence:
            if not look_at_item(item, seen, depth):
                return False
    return True


cdef int look_at(object argument, Containers* seen) except -1:
    global last_hooked, last_version
    cdef PyObject* hook
    cdef bint is_array = False, is_heir
    kind = type(argument)
    if kind is ndarray:
        seen.arrays = True
        if seen.elsewhere is NULL and not (<ndarray>argument).header.has_host_memory():
            seen.elsewhere = <PyObject*>argument
        return 0
    if <void*>kind == last_hooked and version_of(<PyTypeObject*>kind) == last_version and last_version:
        seen.arrays = True
        return 0 if subclass_hooks_disabled() else insert(argument, kind, seen)
    if is_exact_tensor(argument):
        seen.tensors = True
        if seen.elsewhere is NULL and not has_host_memory(unwrap(argument)):
            seen.elsewhere = <PyObject*>argument
        return 0
    if argument is None or kind is float or kind is int or kind is bool or kind is complex or kind is str:
        return 0
    if kind is list or kind is tuple:
        look_into(argument, seen, 0)
        return 0
    if kind is cnp.ndarray or dtype_of_scalar(argument) >= 0:
        seen.arrays = True
        return 0
    if argument is NO_VALUE:
        return 0
    is_heir = isinstance(argument, ndarray)
    if is_heir:
        is_array = seen.arrays = seen.subclass = True
        if seen.elsewhere is NULL and not (<ndarray>argument).header.has_host_memory():
            seen.elsewhere = <PyObject*>argument
    elif is_tensor(argument):
        is_array = seen.tensors = True
        if seen.elsewhere is NULL:
            seen.elsewhere = <PyObject*>argument
    else:
        seen.arrays = True
    if subclass_hooks_disabled():
        return 0
    hook = _PyType_Lookup(<PyTypeObject*>kind, HOOK)
    if hook is NULL or hook == <PyObject*>None:
        # Objects with NumPy's protocols alone take part by them; NumPy's own arrays and scalars are arrays like ours.
        # But an instance of a subclass of theirs may be more than its elements: masked, a matrix, of a unit.
        if isinstance(argument, (numpy.ndarray, numpy.generic)) and not is_more_than_elements(argument):
            return 0
        if not has(kind, ARRAY_FUNCTION) and _PyType_Lookup(<PyTypeObject*>kind, ARRAY_UFUNC) is NULL:
            return 0
    elif hook == <PyObject*>DISABLED_HOOK:
        return 0
    elif not is_array:
        last_hooked, last_version = <void*>kind, version_of(<PyTypeObject*>kind)
    elif seen.count == 0 and is_heir and inherits_protocols(kind):
        if seen.heir is NULL:
            seen.heir = <PyObject*>argument
            return 0
        if type(<object>seen.heir) is kind:
            return 0
    return insert(argument, kind, seen)


cdef int look_aside(object argument, Containers* seen) except -1:
    cdef bint tensors = seen.tensors, arrays = seen.arrays, subclass = seen.subclass
    cdef PyObject* heir = seen.heir
    if type(argument) is dict:
        argument = list(argument.values())
    look_at(argument, seen)
    seen.tensors, seen.arrays, seen.subclass, seen.heir = tensors, arrays, subclass, heir
    return 0


cdef int check_like(object like) except -1:
    kind = type(like)
    if not has(kind, ARRAY_FUNCTION) and not has(kind, HOOK):
        raise TypeError(
            "The `like` argument must be an array-like that implements the `__array_function__` or `__torch_function__` "
            "protocol."
        )
    return 0


cdef bint all_tensors(object sequence) except -1:
    """Whether a list or tuple has items, and tensors alone among them."""
    if not sequence or type(sequence[0]) is ndarray:
        return False
    for item in sequence:
        # The subscripts of einsum stand beside its operands; what is nested is looked into for itself.
        if not is_tensor(item) and type(item) is not str and type(item) is not list and type(item) is not tuple:
            return False
    return True


cdef int insert(object argument, object kind, Containers* seen) except -1:
    """Keep an instance of a type that was not there yet, before those of its superclasses."""
    cdef int position, place
    if seen.count == 0 and seen.heir is not NULL:
        seen.overloaded[0] = seen.heir
        seen.count = 1
    place = seen.count
    for position in range(seen.count):
        other = type(<object>seen.overloaded[position])
        if other is kind:
            return 0
        if place == seen.count and issubclass(kind, other):
            place = position
    if seen.count == MAXTYPES:
        raise ValueError(f"more than {MAXTYPES} types override one call")
    for position in range(seen.count, place, -1):
        seen.overloaded[position] = seen.overloaded[position - 1]
    seen.overloaded[place] = <PyObject*>argument
    seen.count += 1
    return 0


cdef bint listens(Containers* seen) except -1:
    return seen.count > 0 or (function_mode_enabled() and mode_listens())


cdef bint mode_listens() except -1:
    if not function_mode_enabled():
        return False
    # torch keeps its default device at the bottom of the stack: our calls to torch's factories see it there.
    return type(<object>top_mode()) is not DeviceContext


cdef object call_overrides(object function, Containers* seen, tuple args, dict kwargs, object counterpart, str method):
    result = resolve(function, seen, args, kwargs, counterpart, method)
    if result is NotImplemented:
        raise declined(function, seen)
    return result


cdef object resolve(object function, Containers* seen, tuple args, dict kwargs, object counterpart, str method):
    cdef bint asked = False
    cdef PyObject* hook
    cdef int position
    if seen.count == 0 and seen.heir is not NULL:
        seen.overloaded[0] = seen.heir
        seen.count = 1
    # What hooks do to a list among the arguments must not take an argument from under us.
    cdef object held = <object>seen.overloaded[0] if seen.count == 1 else tuple_of(seen.overloaded, seen.count)
    cdef tuple types = (type(held),) if seen.count == 1 else types_of(<tuple>held)
    if mode_listens():
        # Without `torch.overrides._pop_mode_temporarily`: a context manager that is a generator takes 0.7 µs.
        mode = POP_MODE()
        try:
            result = mode.__torch_function__(function, types, args, kwargs)
        finally:
            PUSH_MODE(mode)
        if result is not NotImplemented:
            return result
        asked = True
    for position in range(seen.count):
        argument = <object>seen.overloaded[position]
        kind = type(argument)
        hook = _PyType_Lookup(<PyTypeObject*>kind, HOOK)
        if hook is NULL or hook == <PyObject*>None:
            result = call_numpy_protocol(function, argument, types, args, kwargs, counterpart, method)
            if result is NOT_OVERRIDDEN:
                continue
        elif hook == <PyObject*>default_hook:
            result = NOT_OVERRIDDEN
            if not inherits_protocols(kind):
                result = call_numpy_protocol(function, argument, types, args, kwargs, counterpart, method)
            if result is NOT_OVERRIDDEN:
                # The default goes on with the implementation, unless class trees that do not know each other meet.
                if related(kind, types):
                    return NOT_OVERRIDDEN
                result = NotImplemented
        else:
            # What a hook does to its keywords is not seen by the next one.
            options = kwargs if seen.count == 1 else dict(kwargs)
            if type(<object>hook) is classmethod:
                result = call_class_method(<object>hook, kind, function, types, args, options)
            else:
                result = checked_hook(<object>hook, kind)(function, types, args, options)
        if result is not NotImplemented:
            return result
        asked = True
    return NotImplemented if asked else NOT_OVERRIDDEN


cdef object declined(object function, Containers* seen):
    """Return the error of a call that nobody wanted."""
    names = [type(<object>seen.overloaded[position]).__qualname__ for position in range(seen.count)]
    if mode_listens():
        names.insert(0, type(<object>top_mode()).__qualname__)
    return TypeError(
        f"no implementation found for '{function_name(function)}' on types that implement __torch_function__: "
        f"[{', '.join(names)}]"
    )


cdef object checked_hook(object hook, object kind):
    """Return a hook that is no plain class method, bound to its class."""
    bound = getattr(kind, HOOK)
    if not isinstance(hook, staticmethod) and getattr(bound, "__self__", None) is not kind:
        raise TypeError(f"{kind.__qualname__}.__torch_function__ must be a class method")
    return bound


cdef str function_name(object function):
    owner = getattr(function, "__self__", None)
    if isinstance(owner, attribute) or inspect.isgetsetdescriptor(owner):
        return f"fastnp.ndarray.{owner.__name__}.{function.__name__}"
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", repr(function))
    module = getattr(function, "__module__", None) or getattr(getattr(function, "__objclass__", None), "__module__", None)
    return f"{module}.{name}" if module else name


cdef bint related(object kind, tuple types) except -1:
    for other in types:
        # A type that takes part by NumPy's protocols alone has no hook: ndarray does not decline for its sake.
        if not issubclass(kind, other) and has(other, HOOK):
            return False
    return True


cdef object call_numpy_protocol(
    object function, object argument, tuple types, tuple args, dict kwargs, object counterpart, str method
):
    """Call an argument's own `__array_ufunc__` or `__array_function__`; NOT_OVERRIDDEN where it has none.

    Subclasses of ndarray get our function, all others NumPy's.
    """
    kind = type(argument)
    public = function if counterpart is None else counterpart
    theirs = getattr(public, "__numpy_function__", None)
    if theirs is None:
        return NOT_OVERRIDDEN
    cdef bint is_ufunc = isinstance(theirs, numpy.ufunc)
    cdef PyObject* hook = _PyType_Lookup(<PyTypeObject*>kind, ARRAY_UFUNC if is_ufunc else ARRAY_FUNCTION)
    if hook is NULL or hook == <PyObject*>default_ufunc or hook == <PyObject*>default_function:
        return NOT_OVERRIDDEN
    if isinstance(argument, numpy.ndarray):
        return call_for_subclass(public.__name__, theirs, args, kwargs, is_ufunc, method)
    if isinstance(argument, ndarray):
        theirs = public
    if not is_ufunc:
        return argument.__array_function__(theirs, types, args, kwargs)
    if hook == <PyObject*>None:
        raise TypeError(f"operand '{kind.__name__}' does not support ufuncs (__array_ufunc__=None)")
    if method == REFLECTED:
        args = args[::-1]
    elif method == INPLACE:
        kwargs = {"out": (args[0],)}
    elif kwargs.get("out") is not None and type(kwargs["out"]) is not tuple:
        kwargs = {**kwargs, "out": (kwargs["out"],)}
    return argument.__array_ufunc__(theirs, "__call__" if method in (None, REFLECTED, INPLACE) else method, *args, **kwargs)


cdef object call_for_subclass(str name, object theirs, tuple args, dict kwargs, bint is_ufunc, str method):
    """Have NumPy compute a call with an instance of a subclass of its own among the arguments."""
    if method == REFLECTED:
        args = args[::-1]
    elif method == INPLACE:
        kwargs = {"out": (args[0],)}
    elif is_ufunc and method not in (None, "__call__"):
        theirs = getattr(theirs, method)
    result = call_fallback(name, theirs, args, kwargs)
    out = kwargs.get("out")
    if type(out) is tuple and len(out) == 1:
        out = out[0]
    return out if isinstance(out, ndarray) else result


# --- the array's own slots and attributes ------------------------------------------------------------------------------

cdef object answer_slot(PyObject* function, PyObject* const* args, Py_ssize_t count):
    """Ask whoever may override an operator or attribute of an array."""
    cdef Containers seen
    clear(&seen)
    look_at(<object>args[0], &seen)
    if count == 3:
        look_at(<object>args[2], &seen)
    if not listens(&seen):
        return NOT_OVERRIDDEN
    return call_overrides(<object>function, &seen, tuple_of(args, count), {}, None, None)


cdef class attribute:
    """A property of the array that is written in Python.

    Parameters
    ----------
    name : str
        The property's name.
    fget : callable
        Returns the value for an array.
    fset : callable, optional
        Takes the array and a new value.
    doc : str, optional
        The docstring.
    """

    cdef readonly object fget, fset
    cdef readonly str __name__
    cdef readonly object __doc__
    cdef object get_function, set_function

    def __init__(self, str name not None, fget, fset=None, doc=None):
        self.__name__, self.fget, self.fset, self.__doc__ = name, fget, fset, doc
        self.get_function = self.__get__
        HOOKED.append(self.get_function)
        if self.fset is not None:
            self.set_function = self.__set__
            HOOKED.append(self.set_function)

    def __get__(self, instance, owner):
        cdef PyObject* arguments[1]
        if instance is None:
            return self
        arguments[0] = <PyObject*>instance
        if may_listen(<PyObject*>instance):
            result = ask(<PyObject*>self.get_function, arguments, 1)
            if result is not NOT_OVERRIDDEN:
                return result
        return self.fget(instance)

    def __set__(self, instance, value):
        cdef PyObject* arguments[2]
        if self.fset is None:
            raise AttributeError(f"attribute '{self.__name__}' of 'fastnp.ndarray' objects is not writable")
        arguments[0], arguments[1] = <PyObject*>instance, <PyObject*>value
        if may_listen(<PyObject*>instance):
            if ask(<PyObject*>self.set_function, arguments, 2) is not NOT_OVERRIDDEN:
                return
        self.fset(instance, value)

    def __delete__(self, instance):
        raise AttributeError(f"Cannot delete array {self.__name__}")


# What hooks see as functions for the array's slots and attributes.
HOOKED = []


cdef int install() except -1:
    global hooked_type, answer, no_override
    hooked_type = <PyTypeObject*>ndarray
    answer = answer_slot
    no_override = <PyObject*>NOT_OVERRIDDEN
    hook_slots(<PyTypeObject*>ndarray, <PyTypeObject*>numpy.ndarray, HOOKED)
    hook_attributes(<PyTypeObject*>ndarray, HOOKED)
    return wrap_operators(<PyTypeObject*>ndarray, <PyTypeObject*>numpy.ndarray)


install()


cdef bint defers_to(object other) except -1:
    kind = type(other)
    cdef PyObject* hook = _PyType_Lookup(<PyTypeObject*>kind, ARRAY_UFUNC)
    if hook is not NULL:
        return hook == <PyObject*>None
    if has(kind, HOOK):
        return False
    return getattr(other, "__array_priority__", 0.0) > 0.0 and not isinstance(other, (numpy.ndarray, numpy.generic))


cdef bint is_more_than_elements(object other) except -1:
    return isinstance(other, cnp.ndarray) and type(other) is not cnp.ndarray and type(other).__array_priority__ > 0


cdef object subclass_template(object arguments):
    best = None
    for argument in arguments:
        if isinstance(argument, ndarray) and type(argument) is not ndarray:
            if best is None or issubclass(type(argument), type(best)):
                best = argument
        elif isinstance(argument, (list, tuple)):
            inner = subclass_template(argument)
            if inner is not None and (best is None or issubclass(type(inner), type(best))):
                best = inner
    return best


# --- for the Python floors --------------------------------------------------------------------------------------------

def has_torch_function(arguments):
    """Return whether a mode or one of the relevant arguments overrides a call.

    Parameters
    ----------
    arguments : iterable
        The relevant arguments; lists and tuples among them are looked into.
    """
    cdef Containers seen
    clear(&seen)
    for argument in arguments:
        look_at(argument, &seen)
    return listens(&seen)


def handle_torch_function(function, arguments, *args, **kwargs):
    """Call the override of a public function.

    Parameters
    ----------
    function : callable
        The public function, as hooks will see it.
    arguments : iterable
        The relevant arguments.
    *args, **kwargs
        The arguments of the call.

    Returns
    -------
    object
        What the first override that did not decline returned.

    Raises
    ------
    TypeError
        All declined.
    """
    cdef Containers seen
    cdef list kept = list(arguments)
    clear(&seen)
    for argument in kept:
        look_at(argument, &seen)
    result = call_overrides(function, &seen, args, kwargs, None, None)
    if result is not NOT_OVERRIDDEN:
        return result
    with torch._C.DisableTorchFunctionSubclass():
        return function(*args, **kwargs)


def hooked_functions():
    """Return what hooks see as functions for the array's slots and attributes, arithmetic and comparisons left out."""
    return list(HOOKED)
