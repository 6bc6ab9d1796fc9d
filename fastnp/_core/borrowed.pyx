"""A callable of NumPy's, given views of arrays and giving arrays back: for what NumPy is the implementation of.

Random streams, text formats and polynomial arithmetic are NumPy's by design, not for want of a kernel, so that these
calls are no fallback and leave no record. Arguments are read where they lie; a fresh result becomes an array on the
same memory, on the default device.
"""
cimport numpy as cnp
from cpython.object cimport PyObject, PyTypeObject

from fastnp._core.converters cimport as_array, on_default_device
from fastnp._core.dispatcher cimport compiled_body
from fastnp._core.host cimport take_over
from fastnp._core.interchange cimport NOT_NUMPYS, on_host, readable, to_numpy
from fastnp._core.ndarray cimport ndarray, tensor_of, thread_is_plain
from fastnp._core.normalization cimport MAXSLOTS, Plan, bind
from fastnp._core.placement cimport Placement, follow_each, host_data_stays
from fastnp._core.overrides cimport Containers, call_overrides, clear, listens, look_at, not_overridden
from fastnp._core.sequences cimport check_depth
from fastnp._core.torch_tensor cimport is_tensor

import inspect
from types import MethodType

import numpy
import torch

from fastnp._core.normalization import OnDemand

cnp.import_array()

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple tuple_of(PyObject* const*, Py_ssize_t)
    dict dict_of(PyObject* const*, PyObject*)

cdef extern from "type_slots.h" namespace "fastnp":
    int make_vectorcall(PyTypeObject*, Py_ssize_t, bint) except -1

cdef extern from "Python.h":
    object PyObject_Vectorcall(object, PyObject* const*, size_t, PyObject*)
    Py_ssize_t PyVectorcall_NARGS(size_t)
    Py_ssize_t PyTuple_GET_SIZE(PyObject*)

cdef enum:
    MAXARGS = 32

cdef object torch_dtype_class = torch.dtype
cdef object NOT_OVERRIDDEN = not_overridden()
# NumPy's functions that ask for `__array_function__`.
cdef object OVERRIDABLE = type(numpy.sum)


def takes_like(theirs):
    """Whether a function of NumPy's has a parameter `like`."""
    code = getattr(inspect.unwrap(theirs), "__code__", None)
    return "like" in code.co_varnames if code is not None else "like=" in (getattr(theirs, "__text_signature__", None) or "")


def signature_of_borrowed(borrowed public not None):
    """Return the signature of NumPy's callable."""
    return inspect.signature(public.__wrapped__)


cdef class borrowed:
    """NumPy's callable as ours.

    Parameters
    ----------
    theirs : callable
        What computes the call.
    name, module : str
        Where the callable is public.
    signature : inspect.Signature, optional
        NumPy's signature, where it is known already.
    deep : bool
        Whether arrays inside lists and tuples are looked for too; not so where a list is changed in place.
    compiled : compiled_body, optional
        What is asked first; it gets the instance and the arguments, and declines a call by returning NotImplemented.
    plan : Plan, optional
        How the arguments after the instance are bound for it.
    saves : bool
        Whether it writes arrays to a file: from any device, and without their gradient.
    elsewhere : callable, optional
        What is asked first where an argument is an array on another device; it declines by returning NotImplemented.
    """

    def __init__(self, theirs, str name, str module, signature=None, bint deep=True, compiled_body compiled=None,
                 Plan plan=None, bint saves=False, elsewhere=None):
        self.vectorcall = <void*>call
        self.deep, self.saves, self.elsewhere = deep, saves, elsewhere
        if compiled is not None:
            self.compiled = compiled.call
            self.plan = plan
            self.owner = getattr(theirs, "__self__", None)
        self.__wrapped__ = theirs
        if isinstance(theirs, OVERRIDABLE) or takes_like(theirs):
            self.__numpy_function__ = theirs
        self.__name__ = name.rpartition(".")[2]
        self.__qualname__ = name
        self.__module__ = module
        self.__doc__ = theirs.__doc__
        if signature is not None:
            self.__signature__ = signature

    __signature__ = OnDemand("__signature__", signature_of_borrowed)

    def __repr__(self):
        return f"<function {self.__module__}.{self.__qualname__}>"

    def __reduce__(self):
        return self.__qualname__


cdef class borrowed_method(borrowed):
    """NumPy's method as ours: an attribute of a class whose instances NumPy's method accepts."""

    def __get__(self, instance, owner):
        if instance is None:
            return self
        return MethodType(self, instance)


cdef object call(PyObject* callable, PyObject* const* args, size_t nargsf, PyObject* kwnames):
    cdef borrowed self = <borrowed>callable
    cdef PyObject* views[MAXARGS]
    cdef Py_ssize_t index, nargs = PyVectorcall_NARGS(nargsf), count = nargs
    cdef list kept = None
    cdef Placement placement
    if kwnames is not NULL:
        count += PyTuple_GET_SIZE(kwnames)
    if thread_is_plain():
        if self.compiled is not NULL:
            result = call_compiled(self, args, nargs, kwnames)
            if result is not NotImplemented:
                return result
        if are_settled(args, count, type(self) is borrowed_method):
            result = PyObject_Vectorcall(self.__wrapped__, args, nargs, kwnames)
            return take_over(result) if type(result) is cnp.ndarray else ours(result)
    if type(self) is borrowed:
        result = ask(self, args, nargs, count, kwnames)
        if result is not NOT_OVERRIDDEN:
            return result
    if follow_each(&placement, args, count) and self.elsewhere is not None:
        result = PyObject_Vectorcall(self.elsewhere, args, nargs, kwnames)
        if result is not NotImplemented:
            return result
    if count > MAXARGS:
        return call_many(self, args, nargs, kwnames, False)
    for index in range(count):
        views[index] = args[index]
        argument = <object>args[index]
        view = view_of(argument, 0, self.saves) if self.deep or not isinstance(argument, list) else argument
        if view is not argument:
            kept = [] if kept is None else kept
            kept.append((view, argument))
            views[index] = <PyObject*>view
    try:
        result = PyObject_Vectorcall(self.__wrapped__, views, nargs, kwnames)
    except ValueError as error:
        if str(error) != NOT_NUMPYS:
            raise
        return call_many(self, args, nargs, kwnames, True)
    if kept is not None:
        for view, argument in kept:
            if view is result:
                return argument
    return ours(result)


cdef bint are_settled(PyObject* const* args, Py_ssize_t count, bint bound) noexcept:
    """Whether no argument but the instance can be an array, or override the call: numbers, text, dtypes."""
    cdef Py_ssize_t index
    for index in range(bound, count):
        kind = type(<object>args[index])
        if kind is not float and kind is not int and args[index] != <PyObject*>None and kind is not bool and (
                kind is not str and kind is not type and not cnp.PyArray_DescrCheck(<object>args[index])):
            return False
    return count >= bound


cdef object call_compiled(borrowed self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames):
    cdef PyObject* slots[MAXSLOTS]
    cdef int bound = self.owner is None
    if nargs < bound:
        return NotImplemented
    slots[0] = args[0] if bound else <PyObject*>self.owner
    _owned = bind(self.plan, slots + 1, args + bound, nargs - bound, kwnames)
    return self.compiled(slots)


cdef object ask(borrowed self, PyObject* const* args, Py_ssize_t nargs, Py_ssize_t count, PyObject* kwnames):
    """Ask whoever may override the call: any argument may be an array."""
    cdef Containers seen
    cdef Py_ssize_t index
    clear(&seen)
    for index in range(count):
        look_at(<object>args[index], &seen)
    if not listens(&seen):
        return NOT_OVERRIDDEN
    keywords = dict_of(args + nargs, kwnames)
    keywords.pop("like", None)  # NumPy: who is asked because of `like` does not get it
    return call_overrides(self, &seen, tuple_of(args, nargs), keywords, None, None)


cdef object call_many(borrowed self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames, bint reading):
    """Call with more arguments than there is room for on the stack, or with readers of foreign objects."""
    cdef Py_ssize_t index
    positional = [view_of(<object>args[index], 0, self.saves) for index in range(nargs)]
    if reading:
        positional = [readable(value) for value in positional]
    keywords = {}
    if kwnames is not NULL:
        for index in range(PyTuple_GET_SIZE(kwnames)):
            keywords[(<tuple><object>kwnames)[index]] = view_of(<object>args[nargs + index], 0, self.saves)
    return ours(self.__wrapped__(*positional, **keywords))


cdef object view_of(object value, int depth=0, bint saved=False):
    """Return `value` with each array in it as NumPy's array or scalar on the same memory."""
    cdef list views = None
    kind = type(value)
    if kind is float or kind is int or value is None or kind is str or kind is bool:
        return value
    if isinstance(value, ndarray):
        if not (<ndarray>value).header.is_plain():
            if saved:
                return on_host(value)
            refuse_gradient(tensor_of(value).requires_grad())
        array = to_numpy(value)
        return array[()] if (<ndarray>value).scalar_ else array
    if is_tensor(value):
        return view_of(as_array(value), depth, saved)
    if kind is list or kind is tuple:
        check_depth(depth)
        for index, item in enumerate(value):
            view = view_of(item, depth + 1, saved)
            if view is not item:
                if views is None:
                    views = list(value)
                views[index] = view
        return value if views is None else views if kind is list else tuple(views)
    if kind is dict:
        check_depth(depth)
        return {key: view_of(item, depth + 1, saved) for key, item in value.items()}
    if isinstance(value, torch_dtype_class):
        return numpy.dtype(str(value).removeprefix("torch."))
    return value


cdef int refuse_gradient(bint requires) except -1:
    if requires and torch.is_grad_enabled():
        raise TypeError(
            "this function is computed by NumPy, which would lose the gradient: detach the array first "
            "(fastnp.asarray(x.tensor.detach())) or call it under torch.no_grad()"
        )
    return 0


cdef object ours(object result):
    """Return what NumPy returned with each numeric array in it as an array of ours."""
    cdef ndarray array, placed
    kind = type(result)
    if kind is float or kind is int or result is None:
        return result
    if kind is cnp.ndarray or isinstance(result, numpy.generic):
        taken = take_over(result)
        if type(taken) is not ndarray or host_data_stays():
            return taken
        array = taken
        placed = on_default_device(array)
        placed.scalar_, placed.writeable_ = array.scalar_, array.writeable_
        return placed
    if kind is tuple:
        return tuple([ours(item) for item in result])
    if kind is list:
        return [ours(item) for item in result]
    return result


def as_ours(result):
    """Return `ours(result)`, for the Python floors."""
    return ours(result)


def as_theirs(value):
    """Return `view_of(value)`, for the Python floors."""
    return view_of(value)


cdef int install() except -1:
    cdef borrowed instance = borrowed.__new__(borrowed)
    cdef Py_ssize_t offset = <char*>&instance.vectorcall - <char*><PyObject*>instance
    make_vectorcall(<PyTypeObject*>borrowed, offset, False)
    make_vectorcall(<PyTypeObject*>borrowed_method, offset, True)
    return 0


install()
