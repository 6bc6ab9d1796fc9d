"""The ufunc object: its call and its methods.

A call of small plain operands of one dtype is answered by `ufunc_quick`; any other goes down to `ufunc_call`, the
methods to `ufunc_methods`, generalized ufuncs to `gufunc`.
"""
from cpython.object cimport PyObject, PyTypeObject

from fastnp._core.direct_calls cimport straight
from fastnp._core.gufunc cimport call_gufunc
from fastnp._core.loops cimport table_of
from fastnp._core.ndarray cimport ndarray
from fastnp._core.operands cimport call_numpy
from fastnp._core.sequences cimport stands_for_array, with_arrays
from fastnp._core.temporaries cimport Callers, into_temporary, learning, may_be_temporary
from fastnp._core.ufunc_call cimport (
    all_none,
    call_ufunc,
    compute_ufunc,
    keep_array,
    reduce_options,
    says_out_alone,
    warn_of_where,
)
from fastnp._core.ufunc_methods cimport accumulate, at, outer, reduce, reduceat
from fastnp._core.ufunc_quick cimport (
    element_into,
    quick_binary,
    quick_binary_of_heirs,
    mixed_into,
    quick_into,
    quick_typed,
    quick_unary,
    quick_unary_of_heir,
    set_small,
)
from fastnp._core.ufunc_torch cimport set_kernels

from operator import attrgetter

import numpy

from fastnp._core.normalization import OnDemand

cdef extern from "Python.h":
    Py_ssize_t PyVectorcall_NARGS(size_t)

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple tuple_of(PyObject* const*, Py_ssize_t)

cdef extern from "type_slots.h" namespace "fastnp":
    int make_vectorcall(PyTypeObject*, Py_ssize_t, bint) except -1
    int set_type_attribute(PyTypeObject*, object name, object value) except -1

# Who calls us when the interpreter executes a call.
cdef Callers interpreter


cdef object vectorcall_ufunc(object callable, PyObject* const* args, size_t nargsf, PyObject* kwnames):
    cdef ufunc self = <ufunc>callable
    cdef Py_ssize_t i, count = PyVectorcall_NARGS(nargsf)
    cdef dict kwargs = None
    cdef PyObject* out = NULL
    if self.nout_ == 1 and not self.core:
        if kwnames is NULL:
            if count == self.nin_:
                result = None
                if may_be_temporary(args[0]) or may_be_temporary(args[count - 1]) or learning:
                    result = into_temporary(&interpreter, self.table, args[0], args[count - 1])
                    if result is not None:
                        return result
                if count == 2:
                    result = quick_binary(self.table, <object>args[0], <object>args[1])
                    if result is None and not (type(<object>args[0]) is ndarray and type(<object>args[1]) is ndarray):
                        result = quick_binary_of_heirs(self.table, <object>args[0], <object>args[1])
                elif count == 1:
                    result = quick_unary(self.table, <object>args[0])
                    if result is None:
                        result = quick_unary_of_heir(self.table, <object>args[0])
                if result is not None:
                    return result
                if count < 3:
                    result = straight(self.table, <object>args[0], <object>args[1] if count == 2 else None)
                    if result is not None:
                        return result
            elif count == self.nin_ + 1:
                out = args[self.nin_]
        elif says_out_alone(args, self.nin_, count, <tuple>kwnames, &out):
            if out is NULL:
                return vectorcall_ufunc(callable, args, count, NULL)
        elif count == self.nin_ and len(<tuple>kwnames) == 1 and (<tuple>kwnames)[0] == "dtype":
            result = quick_typed(self.table, args, <int>count, <object>args[count])
            if result is not None:
                return result
        if out is not NULL and type(<object>out) is ndarray and type(<object>args[0]) is ndarray and (
                quick_into(self.table, <ndarray>args[0], <object>args[self.nin_ - 1], <ndarray>out)
                or mixed_into(self.table, <ndarray>args[0], <object>args[self.nin_ - 1], <ndarray>out)
                or element_into(self.table, <ndarray>args[0], <object>args[self.nin_ - 1], <ndarray>out)):
            return <object>out
        if kwnames is NULL and count == self.nin_:
            if stands_for_array(<object>args[0]) or stands_for_array(<object>args[count - 1]):
                return call_with_arrays(self, tuple_of(args, count))
            return call_ufunc(self, self.table, tuple_of(args, count), None, True, None)
    elif self.core and kwnames is NULL and count == 2:
        return call_gufunc(self, self.table, tuple_of(args, 2), None, None)
    if kwnames is not NULL:
        kwargs = {(<tuple>kwnames)[i]: <object>args[count + i] for i in range(len(<tuple>kwnames))}
    return call_bound(self, tuple([<object>args[i] for i in range(count)]), kwargs)


cdef object call_with_arrays(ufunc self, tuple operands):
    cdef object arrays = with_arrays(operands)
    if arrays is None:
        return call_ufunc(self, self.table, operands, None, True, None)
    result = quick_unary(self.table, arrays[0]) if self.nin_ == 1 else quick_binary(self.table, arrays[0], arrays[1])
    return compute_ufunc(self.table, tuple(arrays), None, True, None) if result is None else result


cdef object call_bound(ufunc self, tuple args, dict kwargs):
    cdef tuple outs = None
    cdef object where = True
    cdef dict options = kwargs
    cdef bint keeps_array = False
    if not self.nin_ <= len(args) <= self.nin_ + self.nout_:
        return call_numpy(self.numpy_function, args, kwargs if kwargs is not None else {})
    inputs = args[:self.nin_]
    if len(args) > self.nin_:
        if Ellipsis in [type(out) is type(Ellipsis) and out for out in args[self.nin_:]]:
            raise TypeError("out=... is only allowed as a keyword argument.")
        outs = args[self.nin_:] + (None,) * (self.nin_ + self.nout_ - len(args))
    if kwargs is not None:
        options = dict(kwargs)
        if self.core and "where" in options:
            return call_numpy(self.numpy_function, args, kwargs)
        where = options.pop("where", True)
        if where is not True and "out" not in options and outs is None:
            warn_of_where()
        out = options.pop("out", None)
        if out is Ellipsis:
            keeps_array, out = True, None
        if out is not None:
            if outs is not None or (type(out) is tuple and len(out) != self.nout_) or (
                    type(out) is not tuple and self.nout_ > 1):
                return call_numpy(self.numpy_function, args, kwargs)
            outs = out if type(out) is tuple else (out,)
        if not reduce_options(options, self.core):
            return call_numpy(self.numpy_function, args, kwargs)
        options = options or None
    if outs is not None and all_none(outs):
        outs = None
    if self.core:
        result = call_gufunc(self, self.table, inputs, outs, options)
    else:
        result = call_ufunc(self, self.table, inputs, outs, where, options)
    if keeps_array:
        keep_array(result)
    return result


def signature_of_ufunc(ufunc public not None):
    """Return NumPy's signature, which it too makes when it is asked; before 2.4 there is none."""
    return getattr(public.numpy_function, "__signature__", None)


cdef class ufunc:
    """A function that operates on arrays element by element, with NumPy's name, rules and methods.

    Parameters
    ----------
    numpy_function : numpy.ufunc
        The function of NumPy that this one is.
    torch_function : callable or dict
        What computes it on torch tensors of the loop's dtypes; where kinds of dtype differ, one to each of them.
    """

    def __init__(self, numpy_function, torch_function):
        self.vectorcall = vectorcall_ufunc
        self.numpy_function = numpy_function
        self.table = table_of(numpy_function)
        set_kernels(self.table, torch_function)
        self.nin_, self.nout_ = numpy_function.nin, numpy_function.nout
        set_small(self.table)
        self.core = numpy_function.signature is not None
        self.__module__, self.__qualname__, self.__numpy_function__ = "fastnp", numpy_function.__name__, numpy_function

    __signature__ = OnDemand("__signature__", signature_of_ufunc)

    def __repr__(self):
        return f"<ufunc '{self.table.name}'>"

    def __reduce__(self):
        return self.table.name

    @property
    def __name__(self):
        return self.table.name

    @property
    def nin(self):
        """Number of inputs."""
        return self.nin_

    @property
    def nout(self):
        """Number of outputs."""
        return self.nout_

    @property
    def nargs(self):
        """Number of arguments, outputs included."""
        return self.nin_ + self.nout_

    @property
    def ntypes(self):
        """Number of NumPy's loops."""
        return self.numpy_function.ntypes

    @property
    def types(self):
        """NumPy's loops, as strings of type codes."""
        return self.numpy_function.types

    @property
    def identity(self):
        """The value that leaves the other operand as it is, or None."""
        return self.numpy_function.identity

    @property
    def signature(self):
        """The core dimensions of a generalized ufunc, or None."""
        return self.numpy_function.signature

    def resolve_dtypes(self, dtypes, *, signature=None, casting=None, reduction=False):
        """Return the dtypes that a call with operands of these dtypes would use."""
        given = {name: value for name, value in (("signature", signature), ("casting", casting)) if value is not None}
        return self.numpy_function.resolve_dtypes(dtypes, reduction=reduction, **given)

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=numpy._NoValue, where=True):
        """Reduce `array` along `axis` (None: all axes) by applying the function to pairs."""
        return reduce(self, self.table, array, axis, dtype, out, keepdims, initial, where)

    def accumulate(self, array, axis=0, dtype=None, out=None):
        """Return all partial results along `axis`."""
        return accumulate(self, self.table, array, axis, dtype, out)

    def reduceat(self, array, indices, axis=0, dtype=None, out=None):
        """Reduce over slices between successive `indices` along one axis."""
        return reduceat(self, self.table, array, indices, axis, dtype, out)

    def outer(self, *args, **kwargs):
        """Apply the function to all pairs of an element of the first and one of the second array."""
        return outer(self, self.table, args, kwargs)

    def at(self, a, indices, *args):
        """Apply the function in place at `indices`, once for each time an index occurs."""
        return at(self, self.table, a, indices, args)


cdef ufunc _probe = ufunc.__new__(ufunc)
make_vectorcall(<PyTypeObject*>ufunc, <char*>&_probe.vectorcall - <char*><PyObject*>_probe, False)
# NumPy too writes it when it is asked.
set_type_attribute(<PyTypeObject*>ufunc, "__doc__", OnDemand("__doc__", attrgetter("__numpy_function__.__doc__")))
