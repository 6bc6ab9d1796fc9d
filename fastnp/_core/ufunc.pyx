"""The ufunc object: its call and its methods.

A call of small plain operands of one dtype is answered here, without a list or a dict; any other goes down to
`ufunc_call`, the methods to `ufunc_methods`, generalized ufuncs to `gufunc`.
"""
cimport numpy as cnp
from cpython.complex cimport PyComplex_CheckExact, PyComplex_ImagAsDouble, PyComplex_RealAsDouble
from cpython.exc cimport PyErr_Clear
from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.object cimport PyObject, PyTypeObject
from libc.stdint cimport int64_t, intptr_t

from fastnp._core.assign cimport ORDER_K, astype
from fastnp._core.dtype cimport (
    COMPLEX128,
    FLOAT64,
    INT64,
    ITEMSIZES,
    NUM_KINDS,
    NUM_NUMPY_DTYPES,
    WEAK_COMPLEX,
    WEAK_FLOAT,
    WEAK_INT,
    default_float,
    default_int,
    dtype_index,
)
from fastnp._core.engine cimport clear_float_flags, run_loop
from fastnp._core.gufunc cimport call_gufunc
from fastnp._core.loops cimport (
    LoopTable,
    Resolution,
    raise_pending,
    report_float_flags,
    store_bound,
    store_scalar,
    table_of,
)
from fastnp._core.ndarray cimport (
    MAXDIMS,
    Header,
    finalized,
    ndarray,
    new_array,
    new_like,
    new_scalar,
    thread_is_plain,
)
from fastnp._core.numpy_scalars cimport held_scalar
from fastnp._core.operands cimport call_numpy
from fastnp._core.overrides cimport heir_of
from fastnp._core.scalars cimport quick_scalars
from fastnp._core.sequences cimport stands_for_array, with_arrays
from fastnp._core.temporaries cimport Callers, into_temporary, learning, may_be_temporary
from fastnp._core.ufunc_call cimport (
    all_none,
    call_ufunc,
    compute_ufunc,
    goes_into,
    keep_array,
    reduce_options,
    says_out_alone,
    torch_from,
    warn_of_where,
)
from fastnp._core.ufunc_methods cimport accumulate, at, outer, reduce, reduceat
from fastnp._core.ufunc_torch cimport set_kernels, straight

from operator import attrgetter

import numpy

from fastnp._core.normalization import OnDemand

cnp.import_array()

cdef extern from "Python.h":
    Py_ssize_t PyVectorcall_NARGS(size_t)
    double PyFloat_AS_DOUBLE(object)

cdef extern from "line.h" namespace "fastnp":
    enum LineOrder "fastnp::LineOrder":
        NO_LINE "fastnp::NO_LINE"
        FORTRAN_LINE "fastnp::FORTRAN_LINE"
    int line_of(const Header&, bint flipped, const int64_t* small, int* dtype, char** data, intptr_t* step) noexcept

cdef extern from "casts.h" namespace "fastnp" nogil:
    ctypedef void (*Cast)(char*, int64_t, const char*, int64_t, int64_t)
    Cast find_cast(int dst, int src)

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple tuple_of(PyObject* const*, Py_ssize_t)

cdef extern from "type_slots.h" namespace "fastnp":
    int make_vectorcall(PyTypeObject*, Py_ssize_t, bint) except -1
    int set_type_attribute(PyTypeObject*, object name, object value) except -1

# Up to here a call is small: one loop, with the interpreter held.
cdef int64_t SMALL = 20000, LONG = 512

cdef ndarray turned_result(Header* like, int dtype, PyObject* heir):
    """Return an array for the result of operands in Fortran's order: it is in that order as well."""
    cdef int64_t steps[MAXDIMS]
    cdef int64_t step = 1
    cdef int axis, ndim = <int>like.dim()
    cdef ndarray result = new_like(<object>heir, dtype, ndim, like.sizes()) if heir is not NULL else (
        new_array(dtype, ndim, like.sizes()))
    for axis in range(ndim):
        steps[axis] = step
        step *= like.sizes()[axis]
    result.header.set_layout(dtype, ndim, like.sizes(), steps)
    return result


cdef inline ndarray quick_result(Header* like, int order, int dtype, PyObject* heir):
    """Return an array for the result, of the class of `heir` where there is one and not finalized yet."""
    if order == FORTRAN_LINE:
        return turned_result(like, dtype, heir)
    if heir is not NULL:
        return new_like(<object>heir, dtype, <int>like.dim(), like.sizes())
    if like.dim() == 0:
        return new_scalar(dtype)
    return new_array(dtype, <int>like.dim(), like.sizes())


cdef int run_quick(LoopTable table, Resolution* entry, char** data, intptr_t* strides, intptr_t count) except -1:
    """Run a loop on memory that nothing else reads, so that it can be run again to tell its own flags from old ones."""
    cdef char* args[3]
    cdef unsigned flags
    cdef int i
    if count >= LONG:
        return run_once(table, entry, data, strides, count)
    for i in range(3):
        args[i] = data[i]
    flags = run_loop(entry.loop, args, &count, strides, entry.software)
    if flags:
        clear_float_flags(True)
        for i in range(3):
            args[i] = data[i]
        flags = run_loop(entry.loop, args, &count, strides, entry.software)
    if entry.raises:
        if count == 0:
            PyErr_Clear()  # the loop has looked at the exponent of no element
        raise_pending()
    if flags:
        report_float_flags(flags, table.name)
    return 0


cdef int run_once(LoopTable table, Resolution* entry, char** data, intptr_t* strides, intptr_t count) except -1:
    """The same over so many elements that to run twice costs more than to clear flags that may not be up."""
    cdef unsigned flags
    clear_float_flags(True)
    flags = run_loop(entry.loop, data, &count, strides, entry.software)
    if entry.raises:
        raise_pending()
    if flags:
        report_float_flags(flags, table.name)
    return 0


cdef object quick_arrays(ufunc self, ndarray a, ndarray b, PyObject* heir):
    """Return the result of two small arrays of one dtype, shape and order; None where they are not that."""
    cdef Header* first = &a.header
    cdef Header* second = &b.header
    cdef int dtype, other, axis, order
    cdef Resolution* entry
    cdef ndarray result
    cdef char* data[3]
    cdef intptr_t strides[3]
    if first.dim() != second.dim():
        return None
    order = line_of(a.header, a.flipped != 0, self.small, &dtype, &data[0], &strides[0])
    if order == NO_LINE or (
            line_of(b.header, b.flipped != 0, self.small, &other, &data[1], &strides[1]) != order) or dtype != other:
        return None
    for axis in range(<int>first.dim()):
        if first.sizes()[axis] != second.sizes()[axis]:
            return None
    entry = &self.table.entries[dtype * NUM_KINDS + dtype]
    if entry.state != 1 or entry.types[0] != dtype or entry.types[1] != dtype:
        return None
    result = quick_result(first, order, entry.types[2], heir)
    data[2] = result.header.origin()
    strides[2] = ITEMSIZES[entry.types[2]]
    run_quick(self.table, entry, data, strides, first.numel())
    return result


cdef object quick_scalar(ufunc self, ndarray a, object value, int kind, bint scalar_first, PyObject* heir):
    """Return the result of a small array and a scalar, Python's or a 0-d array; None where the general rules are needed."""
    cdef Header* impl = &a.header
    cdef int dtype, order
    cdef Resolution* entry
    cdef ndarray result
    cdef char* data[3]
    cdef char element[16]
    cdef intptr_t strides[3]
    order = line_of(a.header, a.flipped != 0, self.small, &dtype, &data[scalar_first], &strides[scalar_first])
    if order == NO_LINE:
        return None
    entry = self.table.find(kind if scalar_first else dtype, dtype if scalar_first else kind)
    if entry.state != 1:
        return None
    if entry.types[0] != dtype or entry.types[1] != dtype:
        if not store_bound(self.table, dtype, value, kind, scalar_first, element):
            return None
        entry = self.table.find(dtype, dtype)
    elif not store_scalar(element, dtype, value, kind):
        return None
    result = quick_result(impl, order, entry.types[2], heir)
    data[not scalar_first], data[2] = element, result.header.origin()
    strides[not scalar_first] = 0
    strides[2] = ITEMSIZES[entry.types[2]]
    run_quick(self.table, entry, data, strides, impl.numel())
    return result


cdef int kind_of_element(ndarray array) noexcept:
    """Return the dtype of a plain array of no dimension; -1 for any other."""
    cdef int dtype = array.header.dtype()
    return dtype if array.header.dim() == 0 and 0 <= dtype < NUM_NUMPY_DTYPES and array.header.is_plain() else -1


cdef object quick_broadcast(ufunc self, ndarray a, ndarray b, PyObject* heir):
    """Return the result of two small arrays, one of them of no dimension; None where they are not that."""
    cdef int kind = kind_of_element(b)
    if kind >= 0:
        return quick_scalar(self, a, b, kind, False, heir)
    kind = kind_of_element(a)
    return quick_scalar(self, b, a, kind, True, heir) if kind >= 0 else None


cdef object unary_of_array(ufunc self, ndarray a, PyObject* heir):
    cdef Header* impl = &a.header
    cdef int dtype, order
    cdef Resolution* entry
    cdef ndarray result
    cdef char* data[3]
    cdef intptr_t strides[3]
    order = line_of(a.header, a.flipped != 0, self.small, &dtype, &data[0], &strides[0])
    if order == NO_LINE:
        return None
    entry = &self.table.entries[dtype]
    if entry.state != 1 or entry.types[0] != dtype or not thread_is_plain():
        return None
    result = quick_result(impl, order, entry.types[1], heir)
    data[1] = result.header.origin()
    data[2] = NULL
    strides[1] = ITEMSIZES[entry.types[1]]
    run_quick(self.table, entry, data, strides, impl.numel())
    return result


cdef inline bint clear_of(char* data, intptr_t step, char* out, intptr_t out_step, intptr_t count) noexcept:
    """Whether a loop may read an operand while it writes the result: apart, or element on element."""
    if data == out and step == out_step:
        return True
    return step >= 0 and out_step >= 0 and (data >= out + count * out_step or out >= data + max(count * step, 16))


cdef bint quick_into_with(ufunc self, ndarray a, ndarray scalar, ndarray out) except -1:
    return scalar is not None and quick_into(self, a, scalar, out)


cdef bint quick_into(ufunc self, ndarray a, object other, ndarray out) except -1:
    """Compute into an array of the operands' shape and order, which may be an operand; False where that is not so.

    `other` is of no use to a ufunc of one operand.
    """
    cdef Header* impl = &a.header
    cdef Header* written = &out.header
    cdef Header* second = NULL
    cdef int dtype, other_dtype, out_dtype, axis, kind, order
    cdef bint binary = self.nin_ == 2
    cdef Resolution* entry
    cdef char* args[3]
    cdef char element[16]
    cdef intptr_t strides[3]
    cdef intptr_t count
    cdef unsigned flags
    order = line_of(a.header, a.flipped != 0, self.small, &dtype, &args[0], &strides[0])
    if order == NO_LINE or not thread_is_plain():
        return False
    if line_of(out.header, out.flipped != 0, self.small, &out_dtype, &args[self.nin_], &strides[self.nin_]) != order or (
            strides[self.nin_] == 0 or not out.writeable_):
        return False
    kind = dtype
    if binary:
        if type(other) is ndarray:
            second = &(<ndarray>other).header
            if second.dim() != impl.dim():
                second = NULL
                kind = kind_of_element(<ndarray>other)
                if kind < 0:
                    return False
            elif line_of(second[0], (<ndarray>other).flipped != 0, self.small, &other_dtype, &args[1], &strides[1]) != order or (
                    dtype != other_dtype):
                return False
        elif PyFloat_CheckExact(other):
            kind = WEAK_FLOAT
        elif PyLong_CheckExact(other):
            kind = WEAK_INT
        elif PyComplex_CheckExact(other):
            kind = WEAK_COMPLEX
        else:
            return quick_into_with(self, a, held_scalar(other), out)
    if impl.dim() != written.dim():
        return False
    for axis in range(<int>impl.dim()):
        if impl.sizes()[axis] != written.sizes()[axis] or (
                second is not NULL and impl.sizes()[axis] != second.sizes()[axis]):
            return False
    entry = &self.table.entries[dtype * NUM_KINDS + kind if binary else dtype]
    if entry.state == 0:
        entry = self.table.find(dtype, kind)
    if entry.state != 1 or entry.types[0] != dtype or entry.types[self.nin_] != out_dtype or (
            binary and entry.types[1] != dtype):
        return False
    count = impl.numel()
    # What NumPy does element by element on one element it does by another loop.
    if count < 2:
        return False
    if not clear_of(args[0], strides[0], args[self.nin_], strides[self.nin_], count):
        return False
    if second is not NULL:
        if not clear_of(args[1], strides[1], args[2], strides[2], count):
            return False
    elif binary:
        if not store_scalar(element, dtype, other, kind):
            return False
        args[1] = element
        strides[1] = 0
    clear_float_flags(entry.software)
    flags = run_loop(entry.loop, args, &count, strides, entry.software)
    written.bump_version()
    if entry.raises:
        raise_pending()
    if flags:
        report_float_flags(flags, self.table.name)
    return True


cdef bint element_into(ufunc self, ndarray a, object b, ndarray out) except -1:
    """Compute of arrays of no dimension into one of the result's dtype; False where that is not so."""
    cdef int first = kind_of_element(a), second = kind_of_element(<ndarray>b) if type(b) is ndarray else -1
    if self.nin_ > 2 or first < 0 or second < 0 or kind_of_element(out) < 0 or not out.writeable_ or not thread_is_plain() or (
            self.table.find(first, second).types[self.nin_] != kind_of_element(out)):
        return False
    result = quick_unary(self, a) if self.nin_ == 1 else quick_binary(self, a, b)
    return result is not None and goes_into(out, result)


cdef inline object binary_of_arrays(ufunc self, object a, object b, bint a_is_array, bint b_is_array, PyObject* heir):
    if self.table.scalar_operation >= 0 and (
            a_is_array and (<ndarray>a).header.holds_value() or b_is_array and (<ndarray>b).header.holds_value()):
        result = quick_scalars(self.table.scalar_operation, a, b, False)
        if result is not None:
            return result
    if not thread_is_plain():
        return None
    if a_is_array:
        if b_is_array:
            result = quick_arrays(self, <ndarray>a, <ndarray>b, heir)
            return quick_broadcast(self, <ndarray>a, <ndarray>b, heir) if result is None else result
        if PyFloat_CheckExact(b):
            return quick_scalar(self, <ndarray>a, b, WEAK_FLOAT, False, heir)
        if PyLong_CheckExact(b):
            return quick_scalar(self, <ndarray>a, b, WEAK_INT, False, heir)
        if PyComplex_CheckExact(b):
            return quick_scalar(self, <ndarray>a, b, WEAK_COMPLEX, False, heir)
        scalar = held_scalar(b)
        return None if scalar is None else quick_broadcast(self, <ndarray>a, scalar, heir)
    if b_is_array:
        if PyFloat_CheckExact(a):
            return quick_scalar(self, <ndarray>b, a, WEAK_FLOAT, True, heir)
        if PyLong_CheckExact(a):
            return quick_scalar(self, <ndarray>b, a, WEAK_INT, True, heir)
        if PyComplex_CheckExact(a):
            return quick_scalar(self, <ndarray>b, a, WEAK_COMPLEX, True, heir)
        scalar = held_scalar(a)
        return None if scalar is None else quick_broadcast(self, scalar, <ndarray>b, heir)


cdef object quick_binary(ufunc self, object a, object b):
    return binary_of_arrays(self, a, b, type(a) is ndarray, type(b) is ndarray, NULL)


cdef object unary_of_number(ufunc self, object number):
    """Return the result of a float or an int; None where it is a loop of another dtype's, or NumPy's."""
    cdef double real
    cdef int64_t integer
    cdef int overflow = 0, dtype = FLOAT64 if PyFloat_CheckExact(number) else INT64
    cdef Resolution* entry = &self.table.entries[dtype]
    cdef ndarray result
    cdef char* data[3]
    cdef intptr_t strides[3]
    if entry.state != 1 or not thread_is_plain() or default_float() != FLOAT64 or default_int() != INT64:
        return None
    data[0] = <char*>&real
    if dtype == FLOAT64:
        real = PyFloat_AS_DOUBLE(number)
    else:
        integer = PyLong_AsLongLongAndOverflow(number, &overflow)
        real = <double>integer
        if entry.types[0] == INT64:
            data[0] = <char*>&integer
    if overflow or entry.types[0] != FLOAT64 and entry.types[0] != dtype:
        return None
    result = new_scalar(entry.types[1])
    data[1] = result.header.origin()
    data[2] = NULL
    strides[0] = strides[1] = 8
    run_quick(self.table, entry, data, strides, 1)
    return result


cdef object quick_unary(ufunc self, object a):
    cdef double* parts
    if type(a) is ndarray:
        return unary_of_array(self, <ndarray>a, NULL)
    if PyFloat_CheckExact(a) or PyLong_CheckExact(a):
        return unary_of_number(self, a)
    if PyComplex_CheckExact(a):
        scalar = new_scalar(COMPLEX128)
        parts = <double*>(<ndarray>scalar).header.origin()
        parts[0], parts[1] = PyComplex_RealAsDouble(a), PyComplex_ImagAsDouble(a)
        return unary_of_array(self, scalar, NULL) if default_float() == FLOAT64 else None
    scalar = held_scalar(a)
    return None if scalar is None else unary_of_array(self, scalar, NULL)


cdef object quick_binary_of_heirs(ufunc self, object a, object b):
    cdef PyObject* heir = heir_of(a, b)
    if heir is NULL:
        return None
    # What is no array is a Python number here.
    result = binary_of_arrays(self, a, b, type(a) is ndarray or type(a) is type(<object>heir),
                              type(b) is ndarray or type(b) is type(<object>heir), heir)
    return finalized(<ndarray>result, <object>heir) if result is not None else None


cdef object quick_unary_of_heir(ufunc self, object a):
    if heir_of(a, a) is NULL:
        return None
    result = unary_of_array(self, <ndarray>a, <PyObject*>a)
    return finalized(<ndarray>result, a) if result is not None else None


cdef object quick_typed(ufunc self, PyObject* const* args, int count, object asked):
    cdef int kinds[2]
    cdef int place, dtype
    cdef Resolution* entry
    cdef Resolution* cast
    cdef ndarray array
    if count > 2 or asked is None or not thread_is_plain():
        return None
    kinds[1] = 0
    for place in range(count):
        if type(<object>args[place]) is not ndarray:
            return None
        array = <ndarray><object>args[place]
        kinds[place] = array.header.dtype()
        if not array.header.is_plain() or not 0 <= kinds[place] < NUM_NUMPY_DTYPES or array.header.numel() > LONG:
            return None
    try:
        dtype = dtype_index(asked)
    except (TypeError, ValueError):
        return None
    if dtype >= NUM_NUMPY_DTYPES:
        return None
    entry = self.table.find_typed(kinds[0], kinds[1], dtype)
    if entry.state != 1:
        return None
    # The loop is the one of operands cast before, if that is what they have.
    cast = self.table.find(entry.types[0], entry.types[1] if count == 2 else 0)
    for place in range(count + 1):
        if cast.state != 1 or cast.types[place] != entry.types[place]:
            return None
    first = astype(<ndarray><object>args[0], entry.types[0], ORDER_K, False)
    if count == 1:
        return quick_unary(self, first)
    return quick_binary(self, first, astype(<ndarray><object>args[1], entry.types[1], ORDER_K, False))


cdef object compute_binary(ufunc self, object a, object b):
    result = quick_binary_of_heirs(self, a, b)
    return compute_ufunc(self.table, (a, b), None, True, None) if result is None else result


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
                if count == 2:
                    result = quick_binary(self, <object>args[0], <object>args[1])
                    if result is None and not (type(<object>args[0]) is ndarray and type(<object>args[1]) is ndarray):
                        result = quick_binary_of_heirs(self, <object>args[0], <object>args[1])
                elif count == 1:
                    result = quick_unary(self, <object>args[0])
                    if result is None:
                        result = quick_unary_of_heir(self, <object>args[0])
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
            result = quick_typed(self, args, <int>count, <object>args[count])
            if result is not None:
                return result
        if out is not NULL and type(<object>out) is ndarray and type(<object>args[0]) is ndarray and (
                quick_into(self, <ndarray>args[0], <object>args[self.nin_ - 1], <ndarray>out)
                or element_into(self, <ndarray>args[0], <object>args[self.nin_ - 1], <ndarray>out)):
            return <object>out
        if kwnames is NULL and count == self.nin_:
            if may_be_temporary(args[0]) or may_be_temporary(args[count - 1]) or learning:
                result = into_temporary(&interpreter, self.table, args[0], args[count - 1])
                if result is not None:
                    return result
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
    result = quick_unary(self, arrays[0]) if self.nin_ == 1 else quick_binary(self, arrays[0], arrays[1])
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
        for dtype in range(14):
            limit = torch_from(numpy_function.__name__, dtype)
            self.small[dtype] = SMALL if limit < 0 else limit
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
