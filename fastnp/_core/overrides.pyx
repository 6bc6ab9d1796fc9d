"""Who overrides a call: `__torch_function__` of modes and argument types, then NumPy's protocols.

NEP 18's rules: each type once, subclasses before their superclasses, otherwise left to right; `NotImplemented` goes on
to the next; a TypeError names function and types when all decline.
"""
cimport numpy as cnp
from cpython.object cimport PyObject, PyTypeObject

from fastnp._core.ndarray cimport ndarray, set_hook_slots
from fastnp._core.torch_tensor cimport is_exact_tensor, is_tensor

import numpy
import torch
from torch.overrides import _pop_mode_temporarily
from torch.utils._device import DeviceContext

cnp.import_array()

cdef extern from "<ATen/PythonTorchFunctionTLS.h>" namespace "at::impl" nogil:
    bint torch_function_mode_enabled()
    cppclass PythonTorchFunctionTLS:
        @staticmethod
        int get_disabled_state()

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple types_of(list)
    object call_class_method(object, object, object, object, object, object)

cdef extern from "Python.h":
    PyObject* _PyType_Lookup(PyTypeObject*, object)

# The value of TorchFunctionDisabledState from which hooks of argument types are not called.
cdef int SUBCLASSES_DISABLED = 1

cdef object NOT_OVERRIDDEN = object()
cdef object NO_VALUE = numpy._NoValue
cdef object DISABLED_HOOK = torch._C._disabled_torch_function_impl
cdef str HOOK = "__torch_function__"
cdef str ARRAY_FUNCTION = "__array_function__"
cdef str ARRAY_UFUNC = "__array_ufunc__"
# ndarray's own hook: the default of its subclasses. Set by fastnp._protocols.
cdef object default_hook = None


cdef object not_overridden():
    return NOT_OVERRIDDEN


def set_default_hook(hook):
    """Tell the implementation that subclasses of ndarray inherit."""
    global default_hook
    default_hook = hook


cdef inline object type_attribute(object kind, str name):
    """Return what the type's dicts hold under a name, unbound, or None."""
    cdef PyObject* found = _PyType_Lookup(<PyTypeObject*>kind, name)
    return <object>found if found is not NULL else None


cdef list look_at(object argument, Containers* seen, list overloaded):
    kind = type(argument)
    if kind is ndarray:
        seen.arrays = True
        return overloaded
    if is_exact_tensor(argument):
        seen.tensors = True
        return overloaded
    if argument is None or kind is float or kind is int or kind is bool or kind is complex or kind is str:
        return overloaded
    if kind is cnp.ndarray:
        seen.arrays = True
        return overloaded
    if kind is list or kind is tuple:
        if not seen.tensors:
            # A list of tensors alone counts as tensors; of anything else, as arrays.
            seen.arrays |= not argument or not all_tensors(argument)
        for item in argument:
            overloaded = look_at(item, seen, overloaded)
        return overloaded
    if argument is NO_VALUE:
        return overloaded
    hook = type_attribute(kind, HOOK)
    if isinstance(argument, ndarray):
        seen.arrays = seen.subclass = True
    elif is_tensor(argument):
        seen.tensors = True
    else:
        seen.arrays = True
    if PythonTorchFunctionTLS.get_disabled_state() >= SUBCLASSES_DISABLED:
        return overloaded
    if hook is None:
        if type_attribute(kind, ARRAY_FUNCTION) is None and type_attribute(kind, ARRAY_UFUNC) is None:
            return overloaded
        if isinstance(argument, (numpy.ndarray, numpy.generic)):
            return overloaded
    elif hook is DISABLED_HOOK:
        return overloaded
    return insert(argument, kind, overloaded)


cdef bint all_tensors(object sequence) except -1:
    for item in sequence:
        if not is_tensor(item) and type(item) is not str:  # the subscripts of einsum stand beside its operands
            return False
    return True


cdef list insert(object argument, object kind, list overloaded):
    cdef Py_ssize_t position
    if overloaded is None:
        return [argument]
    for position in range(len(overloaded)):
        other = type(overloaded[position])
        if other is kind:
            return overloaded
    for position in range(len(overloaded)):
        if issubclass(kind, type(overloaded[position])):
            overloaded.insert(position, argument)
            return overloaded
    overloaded.append(argument)
    return overloaded


cdef bint mode_listens() except -1:
    if not torch_function_mode_enabled():
        return False
    # torch keeps its default device at the bottom of the stack: our calls to torch's factories see it there.
    return type(torch._C._get_function_stack_at(torch._C._len_torch_function_stack() - 1)) is not DeviceContext


cdef object call_overrides(object function, list overloaded, tuple args, dict kwargs):
    types = types_of(overloaded) if overloaded is not None else ()
    if mode_listens():
        with _pop_mode_temporarily() as mode:
            result = mode.__torch_function__(function, types, args, kwargs)
        if result is not NotImplemented:
            return result
    if not types:
        return NOT_OVERRIDDEN
    for argument in overloaded:
        kind = type(argument)
        hook = type_attribute(kind, HOOK)
        if hook is None:
            result = call_numpy_protocol(function, argument, types, args, kwargs)
        elif hook is default_hook:
            # The default goes on with the implementation, unless class trees that do not know each other meet.
            if related(kind, types):
                return NOT_OVERRIDDEN
            continue
        else:
            if type(hook) is classmethod:
                result = call_class_method(hook, kind, function, types, args, kwargs)
            else:
                result = checked_hook(hook, kind)(function, types, args, kwargs)
        if result is not NotImplemented:
            return result
    raise TypeError(
        f"no implementation found for '{function_name(function)}' on types that implement __torch_function__: "
        f"{[kind.__qualname__ for kind in types]}"
    )


cdef object checked_hook(object hook, object kind):
    """Return a hook that is no plain class method, bound to its class."""
    bound = getattr(kind, HOOK)
    if not isinstance(hook, staticmethod) and getattr(bound, "__self__", None) is not kind:
        raise TypeError(f"{kind.__qualname__}.__torch_function__ must be a class method")
    return bound


cdef str function_name(object function):
    module = getattr(function, "__module__", None)
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", repr(function))
    return f"{module}.{name}" if module else name


cdef bint related(object kind, tuple types) except -1:
    for other in types:
        if not issubclass(kind, other) and not is_foreign_to_arrays(other):
            return False
    return True


cdef bint is_foreign_to_arrays(object kind) except -1:
    """Whether a type takes part by NumPy's protocols alone: ndarray does not decline for its sake."""
    return type_attribute(kind, HOOK) is None


cdef object call_numpy_protocol(object function, object argument, tuple types, tuple args, dict kwargs):
    """Call `__array_ufunc__` or `__array_function__` with the NumPy function of the same name."""
    theirs = getattr(function, "__numpy_function__", None)
    if theirs is None:
        return NOT_OVERRIDDEN
    if isinstance(theirs, numpy.ufunc):
        hook = getattr(type(argument), ARRAY_UFUNC, None)
        return NotImplemented if hook is None else hook(argument, theirs, "__call__", *args, **kwargs)
    hook = getattr(type(argument), ARRAY_FUNCTION, None)
    return NOT_OVERRIDDEN if hook is None else hook(argument, theirs, types, args, kwargs)


cdef bint has_own_hook(ndarray array) except -1:
    hook = type_attribute(type(array), HOOK)
    if hook is default_hook or hook is DISABLED_HOOK:
        return False
    return PythonTorchFunctionTLS.get_disabled_state() < SUBCLASSES_DISABLED


cdef object call_hook(ndarray array, str name, str accessor, tuple args):
    """Call the hook for an operator (`ndarray.__len__`) or an attribute (`ndarray.shape.__get__`)."""
    function = vars(ndarray)[name]
    if accessor is not None:
        function = getattr(function, accessor)
    result = call_overrides(function, [array], args, {})
    if result is NOT_OVERRIDDEN:
        with torch._C.DisableTorchFunctionSubclass():
            return function(*args)
    return result


set_hook_slots(has_own_hook, call_hook)


cdef bint defers_to(object other) except -1:
    kind = type(other)
    hook = type_attribute(kind, ARRAY_UFUNC)
    if hook is None:
        if _PyType_Lookup(<PyTypeObject*>kind, ARRAY_UFUNC) is not NULL:
            return True
        if type_attribute(kind, HOOK) is not None:
            return False
        return getattr(other, "__array_priority__", 0.0) > 0.0 and not isinstance(other, (numpy.ndarray, numpy.generic))
    return False


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
    cdef list overloaded = None
    seen.tensors = seen.arrays = seen.subclass = False
    for argument in arguments:
        overloaded = look_at(argument, &seen, overloaded)
    return overloaded is not None or mode_listens()


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
    cdef list overloaded = None
    seen.tensors = seen.arrays = seen.subclass = False
    for argument in arguments:
        overloaded = look_at(argument, &seen, overloaded)
    result = call_overrides(function, overloaded, args, kwargs)
    if result is not NOT_OVERRIDDEN:
        return result
    with torch._C.DisableTorchFunctionSubclass():
        return function(*args, **kwargs)
