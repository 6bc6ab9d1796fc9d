"""The callable that a declared function is: bind, overrides, convert, body, wrap.

An instance is a vectorcall object. A `method` is the same behind an attribute of the array: called without a bound
method in between, and itself the function that hooks see.
"""
from cpython.object cimport PyObject, PyTypeObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.string cimport memcpy
from fastnp._core.body_arguments cimport array_argument, is_plain, plain_argument, with_tensors_as_arrays
from fastnp._core.converters cimport (
    ANY,
    ARRAY,
    ARRAYS,
    LIKE,
    NUMPY_ONLY,
    OPERAND,
    OUT,
    RELEVANT,
    TENSOR,
    TENSORS,
    as_array,
    convert,
)
from fastnp._core.detached cimport detached
from fastnp._core.dtype cimport (
    FLOAT64,
    INT64,
    default_float,
    default_int,
    dtype_index,
)
from fastnp._core.host cimport call_host
from fastnp._core.ndarray cimport (
    MAXDIMS,
    as_type,
    check_writeable,
    from_tensor,
    ndarray,
    tensor_is_plain,
    thread_is_plain,
    to_torch,
)
from fastnp._core.normalization cimport MAXSLOTS, Plan, bind
from fastnp._core.numpy_errors cimport asks_of_arrays, expected, raise_as_numpy, unusual
from fastnp._core.overrides cimport (
    Containers,
    call_overrides,
    check_like,
    clear,
    look_aside,
    look_at,
    mode_listens,
    not_overridden,
    subclass_template,
)
from fastnp._core.numpy_scalars cimport held_scalar
from fastnp._core.results cimport as_arrays, as_base, as_instances, as_tensors, as_views, out_array, write_out
from fastnp._core.sequences cimport is_sequence, of_sequence
from fastnp._core.placement cimport Placement, follow_array
from fastnp._core.torch_tensor cimport is_tensor, unwrap

import inspect

import numpy

from fastnp._core.normalization import OnDemand, signature_of
from fastnp._core.numpy_errors import raise_if_exhausted

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef extern from "type_slots.h" namespace "fastnp":
    int make_vectorcall(PyTypeObject*, Py_ssize_t, bint) except -1

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple tuple_of(PyObject* const*, Py_ssize_t)
    dict dict_of(PyObject* const*, PyObject*)

cdef extern from "Python.h":
    object PyMethod_New(object, object)
    object PyObject_Call(object, object, PyObject*)
    object PyObject_Vectorcall(object, PyObject* const*, size_t, PyObject*)
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    PyObject* PyTuple_GET_ITEM_BORROWED "PyTuple_GET_ITEM"(PyObject*, Py_ssize_t)
    Py_ssize_t PyTuple_GET_SIZE(PyObject*)
    Py_ssize_t PyVectorcall_NARGS(size_t)

cdef object NO_VALUE = numpy._NoValue
cdef Py_ssize_t MOST_ARRAYS = 2**31  # who says to have more is not believed
# What bodies and torch raise for a wrong call, where NumPy may raise something else.
cdef tuple WRONG = (ArithmeticError, AttributeError, IndexError, RuntimeError, TypeError, ValueError)


# An argument as a composed body gets it; NotImplemented where the body is not for such.
ctypedef object (*Argument)(unsigned char conversion, object value)


cdef class compiled_body:
    """A compiled body, on its way from the module that has it to the declaration that binds it."""


cdef compiled_body new_compiled_body(Body call):
    cdef compiled_body body = compiled_body.__new__(compiled_body)
    body.call = call
    return body


cdef compiled_body new_quick_body(QuickBody quick, Body call):
    cdef compiled_body body = new_compiled_body(call)
    body.quick = quick
    return body


cdef compiled_body new_quick_body_alone(QuickBody quick):
    return new_quick_body(quick, NULL)


def signature_of_function(function public not None):
    """Return the signature of a declared function, or NumPy's where it is computed by NumPy alone or said to have it."""
    if public.plan.names == ("args", "kwargs") or getattr(public, "has_signature_of_numpy", False):
        return inspect.signature(public.__numpy_function__)
    return signature_of(public.plan)


def signature_of_method(method public not None):
    """Return the signature of a method: where the function has no default for `keepdims`, it has False."""
    signature = signature_of(public.plan)
    return signature.replace(parameters=[
        parameter.replace(default=False) if parameter.name == "keepdims" else parameter
        for parameter in signature.parameters.values()])


def takes_device(host not None):
    """Whether NumPy's function of the name has `device=`; what one in C writes of itself takes `inspect` 0.4 ms to read."""
    cdef str written = getattr(host, "__text_signature__", None)
    return "device=" in written if written is not None else "device" in inspect.signature(host).parameters


cdef class function:
    """A public function.

    Parameters
    ----------
    plan : Plan
        How its arguments are bound.
    body : callable or compiled_body or None
        What computes it; None where NumPy does.
    fallback : callable or None
        `fallback(function, args, kwargs)`, which has NumPy compute the call.
    keeps_container : bool
        Whether torch.Tensors alone give a torch.Tensor.
    makes_scalars : bool
        Whether a 0-d result stands for a NumPy scalar.
    host : callable or None
        NumPy's function, where it is the kernel for plain CPU arrays; the body is for all else.
    writes : bool
        Whether the call changes its first argument.
    compiled : compiled_body or None
        What is asked first; it declines a call by returning NotImplemented.
    views : bool
        Whether results of the body share the memory of its first argument.
    base : bool
        Whether results are of the class ndarray itself, of whatever subclass the arguments are.
    composed : callable or None
        What computes plain arrays out of our own functions, asked after `compiled`; it declines by NotImplemented.
    general : bool
        Whether `composed` is asked for arrays that are not plain as well.
    discrete : bool
        Whether results are truths, positions or counts, through which no gradient goes: arrays that carry one are
        computed as plain ones.
    """

    def __init__(self, Plan plan not None, body, fallback=None, bint keeps_container=True, bint makes_scalars=True,
                 host=None, bint writes=False, compiled_body compiled=None, bint views=False,
                 bint base=False, composed=None, bint general=False, bint discrete=False):
        self.vectorcall = <void*>call
        self.plan = plan
        if compiled is not None:
            self.compiled = compiled.call
            self.quick = compiled.quick
        self.composed = composed
        self.general = general
        self.discrete = discrete
        self.body = body
        self.views = views
        self.fallback = fallback
        self.keeps_container = keeps_container
        self.makes_scalars = makes_scalars
        # NumPy's C callable of a function without the dispatch of `__array_function__`, which is done by then.
        self.host = getattr(host, "_implementation", host)
        self.device = slot_named(plan, "device")
        self.subok = slot_named(plan, "subok")
        # `type=` says which class the result has: the body sees to it.
        self.makes_type = slot_named(plan, "type") >= 0
        self.sequence = sequence_slot(plan)
        self.base = base
        self.owns_device = self.device >= 0 and host is not None and not takes_device(self.host)
        self.written = 0 if writes else -1

    __signature__ = OnDemand("__signature__", signature_of_function)

    def __repr__(self):
        return f"<function {self.__module__}.{self.__qualname__}>"

    def __reduce__(self):
        return self.__qualname__


cdef class method(function):
    """A public method of the array; `function` as an attribute of the class."""

    __signature__ = OnDemand("__signature__", signature_of_method)

    def __get__(self, instance, owner):
        if instance is None:
            return self
        return PyMethod_New(self, instance)

    def __repr__(self):
        return f"<method {self.__module__}.{self.__qualname__}>"


cdef int slot_named(Plan plan, str name) except -2:
    return <int>plan.names.index(name) if name in plan.names else -1


cdef int check_sequence(object value) except -1:
    if type(value) is list or type(value) is tuple or type(value) is ndarray and (<ndarray>value).header.dim() > 0:
        return 0
    if not hasattr(value, "__getitem__"):
        iter(value)
        raise TypeError('arrays to stack must be passed as a "sequence" type such as list or tuple.')
    # NumPy: who overrides the call is looked for in a list of it.
    if hasattr(value, "__len__") and len(value) > MOST_ARRAYS:
        raise MemoryError
    return 0


cdef int sequence_slot(Plan plan) noexcept:
    """Return the first slot that must be a sequence of arrays, or -1: NumPy takes no iterator there."""
    cdef int slot
    for slot in range(plan.count):
        if plan.conversions[slot] in (TENSORS, ARRAYS) and slot != plan.var_positional:
            return slot
    return -1


cdef inline Py_ssize_t as_positional(Plan plan, Py_ssize_t nargs, PyObject* kwnames) noexcept:
    """Return how many arguments there are where keywords go on as positions would: `sum(a, axis=0)`; 0 where they do not."""
    cdef Py_ssize_t index, count = PyTuple_GET_SIZE(kwnames)
    if nargs + count > plan.positional:
        return 0
    for index in range(count):
        if PyTuple_GET_ITEM_BORROWED(kwnames, index) != PyTuple_GET_ITEM(plan.names, nargs + index) or (
                nargs + index < plan.positional_only):
            return 0
    return nargs + count


cdef inline bint is_array_alone(Plan plan, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) noexcept:
    """Return whether all that a call gives is an array, for a parameter that takes one: `mean(a)`."""
    return (kwnames is NULL and nargs == 1 and plan.relevant_count > 0 and plan.relevant[0] == 0
            and args[0].ob_type == <PyTypeObject*>ndarray)


cdef object call(PyObject* callable, PyObject* const* args, size_t nargsf, PyObject* kwnames):
    cdef function self = <function>callable
    cdef Plan plan = self.plan
    cdef PyObject* slots[MAXSLOTS]
    cdef Containers seen
    cdef Placement placement
    cdef int index, others = 0
    cdef bint plain = True  # as far as it shows
    cdef PyObject* argument
    cdef PyTypeObject* array_type = <PyTypeObject*>ndarray
    cdef const int* place = plan.relevant
    cdef const int* end = place + plan.relevant_count
    cdef Py_ssize_t by_position, nargs = PyVectorcall_NARGS(nargsf)
    if self.quick is not NULL and nargs > 0:
        by_position = nargs if kwnames is NULL else as_positional(plan, nargs, kwnames)
        if by_position > 0:
            result = self.quick(args, by_position)
            if result is not NotImplemented:
                return result
    _owned = bind(plan, slots, args, nargs, kwnames)
    clear(&seen)
    seen.exact = self.base
    while place < end:
        argument = slots[place[0]]
        place += 1
        if argument.ob_type == array_type:
            if not (<ndarray>argument).header.is_plain():
                plain = False
                if seen.elsewhere is NULL and not (<ndarray>argument).header.has_host_memory():
                    seen.elsewhere = argument
            continue
        others += 1
        if argument != PyTuple_GET_ITEM(plan.defaults, place[-1]):
            look_at(<object>argument, &seen)
    seen.arrays |= others < plan.relevant_count
    for index in range(plan.aside_count):
        argument = slots[plan.aside[index]]
        if argument.ob_type == array_type:
            if seen.elsewhere is NULL and not (<ndarray>argument).header.has_host_memory():
                seen.elsewhere = argument
        elif argument != PyTuple_GET_ITEM(plan.defaults, plan.aside[index]):
            if plan.aside[index] == plan.like:
                check_like(<object>argument)
            look_aside(<object>argument, &seen)
    if seen.count > 0 or (function_mode_enabled() and mode_listens()):
        keywords = dict_of(args + nargs, kwnames)
        if plan.like >= 0:
            keywords.pop("like", None)  # NumPy: who is asked because of `like` does not get it
        result = call_overrides(self, &seen, tuple_of(args, nargs), keywords, None, None)
        if result is not not_overridden():
            return result
    if seen.elsewhere is not NULL:
        follow_array(&placement, seen.elsewhere)
    if seen.subclass and self.makes_type:
        seen.subclass = False
    if seen.subclass and self.subok >= 0 and not <object>slots[self.subok]:
        seen.subclass = False
        seen.exact = True
    if self.subok >= 0 and plan.relevant_count == 0 and <object>slots[self.subok] and isinstance(<object>slots[0], ndarray):
        # `array(s, subok=True)`: its argument overrides nothing, but gives the type.
        seen.subclass, seen.heir = type(<object>slots[0]) is not ndarray, slots[0]
    if self.discrete and not plain and thread_is_plain() and (plan.out < 0 or slots[plan.out] == <PyObject*>None):
        result = call_without_gradients(callable, args, nargs, kwnames)
        if result is not NotImplemented:
            return result
    if self.sequence >= 0:
        check_sequence(<object>slots[self.sequence])
    if not is_array_alone(plan, args, nargs, kwnames) and not (plain and thread_is_plain()) and unusual(plan, slots):
        raise_as_numpy(numpy_counterpart(self), tuple_of(args, nargs), dict_of(args + nargs, kwnames))
    if self.compiled is not NULL:
        try:
            result = self.compiled(slots)
            if result is NotImplemented and others > 0 and self.keeps_container and seen.elsewhere is NULL:
                result = call_with_arrays(self, slots)
        except WRONG:
            raise_unless_plain(self, args, nargs, kwnames)
            raise
        if result is not NotImplemented:
            return rewrap(self, result, &seen, slots) if seen.tensors or seen.subclass or seen.exact else result
    if not plain:
        # What is made for plain arrays would decline.
        return call_body(self, plan, slots, &plan.conversions[0] if others else &plan.left[0], &seen, args, nargs, kwnames)
    if self.composed is not None and not seen.subclass and seen.exact == self.base:
        result = call_composed(self, slots)
        if result is not NotImplemented:
            return rewrap(self, result, &seen, slots) if seen.tensors else result
    if self.host is not None and (self.device < 0 or slots[self.device] == <PyObject*>None) and not (
        self.owns_device and kwnames is not NULL and "device" in <tuple><object>kwnames
    ):
        if plan.out >= 0 and isinstance(<object>slots[plan.out], ndarray):
            check_writeable(<ndarray>slots[plan.out], "output array")
        result = call_host(self.host, args, nargs, kwnames, slots[plan.out] if plan.out >= 0 else NULL, self.written)
        if result is not NotImplemented:
            if not self.keeps_container and is_tensor(result):
                # NumPy gave an argument back, and that was a tensor.
                return as_array(result)
            if type(result) is numpy.ndarray and (not self.keeps_container or type(self) is method):
                dtype_index(result.dtype)
            return rewrap(self, result, &seen, slots) if seen.tensors or seen.subclass or seen.exact else result
    return call_body(self, plan, slots, &plan.conversions[0] if others else &plan.left[0], &seen, args, nargs, kwnames)


cdef object call_without_gradients(PyObject* callable, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames):
    """Make a call again with plain arrays over the memory of those that carry a gradient; NotImplemented without any."""
    cdef PyObject* values[MAXSLOTS]
    cdef Py_ssize_t index, count = nargs + (0 if kwnames is NULL else PyTuple_GET_SIZE(kwnames))
    cdef list kept = []
    if count > MAXSLOTS:
        return NotImplemented
    for index in range(count):
        values[index] = args[index]
        if args[index].ob_type == <PyTypeObject*>ndarray:
            array = detached(<ndarray>args[index])
            if array is not None:
                kept.append(array)
                values[index] = <PyObject*>array
    return PyObject_Vectorcall(<object>callable, values, nargs, kwnames) if kept else NotImplemented


cdef ndarray number_alone(object value):
    """Return one of Python's numbers as the array that NumPy makes of it; None for other values, and for large integers."""
    if type(value) is float or type(value) is complex or type(value) is int and -2**63 <= value < 2**63:
        return as_array(value)
    return held_scalar(value) if type(value) is bool else None


cdef object call_with_arrays(function self, PyObject** slots):
    """Ask the compiled body again, with torch.Tensors, lists and tuples of numbers, and NumPy's scalars, as arrays.

    NotImplemented where there are none.
    """
    cdef Plan plan = self.plan
    cdef PyObject* values[MAXSLOTS]
    cdef int index, slot
    cdef bint of_arrays
    cdef list arrays = None
    if not thread_is_plain() or default_float() != FLOAT64 or default_int() != INT64:
        return NotImplemented
    for index in range(plan.relevant_count):
        slot = plan.relevant[index]
        value = <object>slots[slot]
        if type(value) is ndarray or slot == self.written:
            continue
        # NumPy asks lists and Python's numbers there for what they have not; its own function says so.
        of_arrays = slot == 0 and asks_of_arrays(plan)
        if plan.conversions[slot] == TENSORS or plan.conversions[slot] == ARRAYS:
            array = with_tensors_as_arrays(value)
            if array is None:
                continue
        elif plan.conversions[slot] not in (TENSOR, ARRAY, OPERAND, RELEVANT):
            continue
        elif is_tensor(value):
            array = from_tensor(unwrap(value))
            if not (<ndarray>array).header.is_plain():
                return NotImplemented
        elif is_sequence(value):
            if of_arrays or self.views and plan.conversions[slot] == ARRAY:
                return NotImplemented  # NumPy: what gives views of an array asks a list for its shape
            array = of_sequence(value, False)
            if array is None:
                return NotImplemented
        else:
            array = None
            if not of_arrays and (plan.conversions[slot] == TENSOR or plan.conversions[slot] == ARRAY):
                array = number_alone(value)
            if array is None and type(value) is not bool:
                array = held_scalar(value)
            if array is None:
                continue
        if arrays is None:
            memcpy(values, slots, plan.count * sizeof(PyObject*))
            arrays = []
        arrays.append(array)
        values[slot] = <PyObject*>array
    return NotImplemented if arrays is None else self.compiled(values)


cdef object call_composed(function self, PyObject** slots):
    cdef Plan plan = self.plan
    cdef int index
    if not thread_is_plain() or default_float() != FLOAT64 or default_int() != INT64 or (
            self.device >= 0 and slots[self.device] != <PyObject*>None) or (
            # A view of what is no array, or a write to it, would be one of something temporary: NumPy refuses most such.
            (self.views or self.written >= 0) and type(<object>slots[0]) is not ndarray
            and slots[0].ob_type != <PyTypeObject*>tuple and not (self.views and is_tensor(<object>slots[0]))):
        return NotImplemented
    for index in range(plan.aside_count):
        if not is_plain(<object>slots[plan.aside[index]]):
            return NotImplemented
    try:
        return call_with(self, slots, plain_argument)
    except WRONG:
        # NumPy says what is wrong with the call.
        if self.host is None:
            raise
        return NotImplemented


cdef object call_general(function self, PyObject** slots):
    """Ask the composed body for arrays that are not plain; what it makes of them is as the caller will see it."""
    cdef Plan plan = self.plan
    if (plan.out >= 0 and slots[plan.out] != <PyObject*>None) or (
            self.device >= 0 and slots[self.device] != <PyObject*>None):
        return NotImplemented
    return call_with(self, slots, array_argument)


cdef object call_with(function self, PyObject** slots, Argument argument):
    """Call the composed body with each relevant argument as `argument` has it; NotImplemented where it declines one."""
    cdef Plan plan = self.plan
    cdef PyObject* values[MAXSLOTS]
    cdef int index, slot
    cdef list kept = None
    memcpy(values, slots, plan.count * sizeof(PyObject*))
    for index in range(plan.relevant_count):
        slot = plan.relevant[index]
        if slots[slot] == PyTuple_GET_ITEM(plan.defaults, slot):
            continue
        value = argument(plan.conversions[slot], <object>slots[slot])
        if value is NotImplemented:
            return NotImplemented
        if <PyObject*>value != slots[slot]:
            if kept is None:
                kept = []
            kept.append(value)
            values[slot] = <PyObject*>value
    return call_python(self.composed, plan, values)


cdef object call_body(function self, Plan plan, PyObject** slots, const unsigned char* conversions, Containers* seen,
                      PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames):
    cdef PyObject* values[MAXSLOTS]
    cdef PyObject* converted[MAXSLOTS]
    cdef int slot, count = 0
    cdef object out = None, value
    cdef bint asked = False
    cdef unsigned char conversion
    cdef PyTypeObject* array_type = <PyTypeObject*>ndarray
    if self.body is None:
        return by_numpy(self, seen, slots, args, nargs, kwnames)
    if self.general:
        try:
            result = call_general(self, slots)
        except WRONG:
            raise_unless_plain(self, args, nargs, kwnames)
            raise
        if result is not NotImplemented:
            return finished(self, result, seen, slots)
    if self.written >= 0 and isinstance(<object>slots[self.written], ndarray):
        check_writeable(<ndarray>slots[self.written], "output array")
    try:
        for slot in range(plan.count):
            conversion = conversions[slot]
            values[slot] = slots[slot]
            if conversion == ANY:
                if slots[slot] == PyTuple_GET_ITEM(plan.defaults, slot):
                    continue
                value = expected(plan, slot, <object>slots[slot])
                if <PyObject*>value != slots[slot]:
                    Py_INCREF(value)
                    values[slot] = converted[count] = <PyObject*>value
                    count += 1
                continue
            if conversion == ARRAY and slots[slot].ob_type == array_type:
                continue
            if conversion == RELEVANT or conversion == LIKE:
                continue
            if conversion == NUMPY_ONLY:
                if slots[slot] != PyTuple_GET_ITEM(plan.defaults, slot) and not same(
                    <object>slots[slot], <object>PyTuple_GET_ITEM(plan.defaults, slot)
                ):
                    asked = True
                    return by_numpy(self, seen, slots, args, nargs, kwnames)
                continue
            if conversion == OUT:
                if slots[slot] != <PyObject*>None:
                    out = out_array(<object>slots[slot])
                    values[slot] = <PyObject*>None
                continue
            if slots[slot] == PyTuple_GET_ITEM(plan.defaults, slot) and (
                slots[slot] == <PyObject*>None or slots[slot] == <PyObject*>NO_VALUE
            ):
                continue
            if (conversion == TENSOR or conversion == OPERAND) and slots[slot].ob_type == array_type:
                value = to_torch(<ndarray>slots[slot])
            else:
                value = convert(conversion, <object>slots[slot], plan.name, <str>plan.names[slot])
            Py_INCREF(value)
            values[slot] = converted[count] = <PyObject*>value
            count += 1
        try:
            result = call_python(self.body, plan, values)
        except (RuntimeError, IndexError, OverflowError):
            # torch has no kernel for these dtypes, or the call is wrong: NumPy computes it, or says what is wrong.
            given = [<object>values[plan.relevant[slot]] for slot in range(plan.relevant_count)]
            if self.fallback is None or not all_plain(given) or (
                    self.device >= 0 and slots[self.device] != <PyObject*>None):
                raise
            asked = True
            return by_numpy(self, seen, slots, args, nargs, kwnames)
        if out is not None:
            return write_out(plan.name, out, result)
    except WRONG:
        if not asked:
            raise_unless_plain(self, args, nargs, kwnames)
        raise
    finally:
        for slot in range(count):
            Py_DECREF(<object>converted[slot])
    return finished(self, result, seen, slots)


cdef object finished(function self, object result, Containers* seen, PyObject** slots):
    """Return what a body has made as the caller will see it."""
    if seen.tensors and not seen.arrays and self.keeps_container and not seen.subclass:
        return as_tensors(result)
    result = as_arrays(result, self.makes_scalars)
    if self.views and isinstance(<object>slots[0], ndarray):
        result = as_views(result, <object>slots[0])
    return rewrap(self, result, seen, slots) if seen.subclass or seen.exact else result


cdef object numpy_counterpart(function self):
    """Return NumPy's function or method of the name."""
    if type(self) is method:
        return getattr(numpy.ndarray, self.__name__, None)
    return self.__numpy_function__


cdef int raise_unless_plain(function self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) except -1:
    """Raise NumPy's error in the place of torch's, which a compiled body gets for what is not plain."""
    raise_if_exhausted()
    values = tuple_of(args, nargs)
    if "file" in self.plan.names or "fid" in self.plan.names:
        return 0  # a question would write the file
    if not all_plain(list(values)):
        raise_as_numpy(numpy_counterpart(self), values, dict_of(args + nargs, kwnames))
    return 0


cdef object by_numpy(function self, Containers* seen, PyObject** slots, PyObject* const* args, Py_ssize_t nargs,
                     PyObject* kwnames):
    result = self.fallback(self, tuple_of(args, nargs), dict_of(args + nargs, kwnames))
    return rewrap(self, result, seen, slots)


cdef bint all_plain(list converted, int depth=0) except -1:
    for value in converted:
        if isinstance(value, ndarray):
            if not (<ndarray>value).header.is_plain():
                return False
        elif type(value) is list:
            if depth == MAXDIMS or not all_plain(value, depth + 1):
                return False
        elif is_tensor(value) and not tensor_is_plain(unwrap(value)):
            return False
    return thread_is_plain()


cdef object call_python(object body, Plan plan, PyObject** values):
    cdef int first_keyword
    if plan.var_positional < 0 and plan.var_keyword < 0:
        return PyObject_Vectorcall(body, values, plan.positional,
                                   <PyObject*>plan.keyword_names if plan.keyword_names else NULL)
    if plan.var_positional == 0 and plan.count == 1:
        return PyObject_Call(body, tuple(<object>values[0]), NULL)
    positional = [<object>values[slot] for slot in range(plan.positional)]
    if plan.var_positional >= 0:
        positional.extend(<object>values[plan.var_positional])
    first_keyword = plan.positional + (1 if plan.var_positional >= 0 else 0)
    keywords = {name: <object>values[first_keyword + index] for index, name in enumerate(plan.keyword_names)}
    if plan.var_keyword >= 0:
        keywords.update(<object>values[plan.var_keyword])
    return body(*positional, **keywords)


cdef bint same(object value, object default) except -1:
    return type(value) is type(default) and value == default


cdef object rewrap(function self, object result, Containers* seen, PyObject** slots):
    """Return arrays as the container that the arguments ask for: a Tensor, or an instance of their subclass."""
    cdef int index
    if self.plan.out >= 0 and <PyObject*>result == slots[self.plan.out]:
        return result
    if seen.tensors and not seen.arrays and self.keeps_container:
        return as_tensors(result)
    if seen.exact:
        return as_base(result)
    if not seen.subclass:
        return result
    if seen.heir is not NULL and isinstance(result, ndarray):
        return as_type(<ndarray>result, type(<object>seen.heir), <object>seen.heir) if type(result) is ndarray else result
    template = subclass_template(
        tuple([<object>slots[self.plan.relevant[index]] for index in range(self.plan.relevant_count)])
    )
    return as_instances(result, template)


cdef int install() except -1:
    cdef function instance = function.__new__(function)
    cdef Py_ssize_t offset = <char*>&instance.vectorcall - <char*><PyObject*>instance
    make_vectorcall(<PyTypeObject*>function, offset, False)
    make_vectorcall(<PyTypeObject*>method, offset, True)
    return 0


install()
