"""A ufunc of small plain operands: one loop, without a list or a dict. Of two dtypes, what the loop has not is cast before.

Each function returns None, or False, where a call is not of its kind; nothing has been written then.
"""
from cpython.complex cimport PyComplex_CheckExact, PyComplex_ImagAsDouble, PyComplex_RealAsDouble
from cpython.exc cimport PyErr_Clear
from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, intptr_t, uint64_t

from fastnp._core.assign cimport ORDER_K, astype, is_stretched
from fastnp._core.dtype cimport (
    COMPLEX128,
    FLOAT16,
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
from fastnp._core.loops cimport (
    LoopTable,
    Resolution,
    raise_pending,
    report_float_flags,
    store_bound,
    store_scalar,
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
from fastnp._core.operands cimport kind_of_number
from fastnp._core.overrides cimport heir_of
from fastnp._core.scalars cimport quick_scalars
from fastnp._core.ufunc_call cimport compute_ufunc, goes_into, torch_from

cdef extern from "Python.h":
    double PyFloat_AS_DOUBLE(object)

cdef extern from "casts.h" namespace "fastnp" nogil:
    ctypedef void (*Strided "fastnp::casts::Strided")(char*, int64_t, const char*, int64_t, int64_t)
    Strided find_cast(int destination, int source)

cdef extern from "line.h" namespace "fastnp":
    enum LineOrder "fastnp::LineOrder":
        NO_LINE "fastnp::NO_LINE"
        FORTRAN_LINE "fastnp::FORTRAN_LINE"
    int line_of(const Header&, uint64_t flipped, const int64_t* small, int* dtype, char** data, intptr_t* step) noexcept
    bint lie_alike(const Header&, bint first_flipped, const Header&, bint second_flipped) noexcept

cdef extern from "parallel.h" namespace "fastnp" nogil:
    int64_t SPLIT_FROM "fastnp::kSplitFrom"
cdef extern from "cache.h" namespace "fastnp" nogil:
    int64_t streamed_bytes()

# From LONG elements the flags are cleared first.
cdef int64_t LONG = 512
cdef enum:
    ROOM = 256  # numbers of eight bytes that an operand is cast into on the stack
    MOST_CAST = 2048  # elements that are cast as a whole: of more, a buffer at a time
# Of operands that are cast before: by address, so that the compiler leaves it out of the short ways.
ctypedef bint (*BesideLine)(LoopTable, ndarray, int, ndarray, int*, char**, intptr_t*) noexcept
ctypedef object (*OfTwo)(LoopTable, ndarray, ndarray, PyObject*)
ctypedef object (*OfOtherScalar)(LoopTable, Resolution*, ndarray, object, int, bint, PyObject*)
ctypedef object (*OfOther)(LoopTable, Resolution*, ndarray, PyObject*)
cdef BesideLine beside_line = line_beside
cdef OfTwo of_two = mixed_arrays
cdef OfOtherScalar of_other_scalar = mixed_scalar
cdef OfOther of_other = unary_of_cast
cdef int64_t SEVERAL = 32  # halves for which the same holds: each that overflows takes as long as ten others


cdef int set_small(LoopTable table) except -1:
    """Say of how many elements a call is one loop: fewer than are split among threads, or written past the cache."""
    cdef int64_t limit
    cdef int dtype
    for dtype in range(NUM_NUMPY_DTYPES):
        limit = torch_from(table.name, dtype)
        table.small[dtype] = min(SPLIT_FROM, streamed_bytes() // (3 * ITEMSIZES[dtype])) if limit < 0 else limit
    return 0


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
    if count >= SEVERAL and (count >= LONG or entry.types[0] == FLOAT16):
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


cdef bint line_beside(LoopTable table, ndarray a, int order, ndarray b, int* dtype, char** data, intptr_t* step) noexcept:
    """Ask `line_of` about an array beside one that has said `order`; False where shape or order are others."""
    cdef Header* first = &a.header
    cdef Header* second = &b.header
    cdef int axis
    if first.dim() != second.dim() or line_of(b.header, b.flipped, table.small, dtype, data, step) != order:
        return False
    for axis in range(<int>first.dim()):
        if first.sizes()[axis] != second.sizes()[axis]:
            return False
    return True


cdef inline bint line_with(LoopTable table, ndarray a, int order, int dtype, ndarray b, char** data, intptr_t* strides,
                           int place, int* other) noexcept:
    """Say the same of `b`, whose line goes to `place`, beside `a`, the line of the first; most lie alike."""
    if lie_alike(a.header, a.flipped != 0, b.header, b.flipped != 0):
        data[place], strides[place] = b.header.origin(), strides[0]
        other[0] = dtype
        return True
    return beside_line(table, a, order, b, other, &data[place], &strides[place])


cdef object quick_arrays(LoopTable table, ndarray a, ndarray b, PyObject* heir):
    """Return the result of two small arrays of one dtype, shape and order; None where they are not that."""
    cdef Header* first = &a.header
    cdef int dtype, other, order
    cdef Resolution* entry
    cdef ndarray result
    cdef char* data[3]
    cdef intptr_t strides[3]
    if first.dim() != b.header.dim():
        return None
    order = line_of(a.header, a.flipped, table.small, &dtype, &data[0], &strides[0])
    if order == NO_LINE or not line_with(table, a, order, dtype, b, data, strides, 1, &other) or dtype != other:
        return None
    entry = &table.entries[dtype * NUM_KINDS + dtype]
    if entry.state != 1 or entry.types[0] != dtype or entry.types[1] != dtype:
        return None
    result = quick_result(first, order, entry.types[2], heir)
    data[2] = result.header.origin()
    strides[2] = ITEMSIZES[entry.types[2]]
    run_quick(table, entry, data, strides, first.numel())
    return result


cdef inline bint store_number(char* into, int dtype, object value, int kind) except -1:
    """Write a scalar as an element of the loop's dtype: most are a Python float for doubles."""
    if kind == WEAK_FLOAT and dtype == FLOAT64:
        (<double*>into)[0] = PyFloat_AS_DOUBLE(value)
        return True
    return store_scalar(into, dtype, value, kind)


cdef object quick_scalar(LoopTable table, ndarray a, object value, int kind, bint scalar_first, PyObject* heir):
    """Return the result of a small array and a scalar, Python's or a 0-d array; None where the general rules are needed."""
    cdef Header* impl = &a.header
    cdef int dtype, order
    cdef Resolution* entry
    cdef ndarray result
    cdef char* data[3]
    cdef char element[16]
    cdef intptr_t strides[3]
    order = line_of(a.header, a.flipped, table.small, &dtype, &data[scalar_first], &strides[scalar_first])
    if order == NO_LINE:
        return None
    entry = table.find(kind if scalar_first else dtype, dtype if scalar_first else kind)
    if entry.state != 1:
        return None
    if entry.types[0] != dtype or entry.types[1] != dtype:
        if not store_bound(table, dtype, value, kind, scalar_first, element):
            return of_other_scalar(table, entry, a, value, kind, scalar_first, heir)
        entry = table.find(dtype, dtype)
    elif not store_number(element, dtype, value, kind):
        return None
    result = quick_result(impl, order, entry.types[2], heir)
    data[not scalar_first], data[2] = element, result.header.origin()
    strides[not scalar_first] = 0
    strides[2] = ITEMSIZES[entry.types[2]]
    run_quick(table, entry, data, strides, impl.numel())
    return result


cdef int kind_of_element(ndarray array) noexcept:
    """Return the dtype of a plain array of no dimension; -1 for any other."""
    cdef int dtype = array.header.dtype()
    return dtype if array.header.dim() == 0 and 0 <= dtype < NUM_NUMPY_DTYPES and array.header.is_plain() else -1


cdef object quick_broadcast(LoopTable table, ndarray a, ndarray b, PyObject* heir):
    """Return the result of two small arrays, one of them of no dimension; None where they are not that."""
    cdef int kind = kind_of_element(b)
    if kind >= 0:
        return quick_scalar(table, a, b, kind, False, heir)
    kind = kind_of_element(a)
    return quick_scalar(table, b, a, kind, True, heir) if kind >= 0 else None


cdef object unary_of_array(LoopTable table, ndarray a, PyObject* heir):
    cdef Header* impl = &a.header
    cdef int dtype, order
    cdef Resolution* entry
    cdef ndarray result
    cdef char* data[3]
    cdef intptr_t strides[3]
    order = line_of(a.header, a.flipped, table.small, &dtype, &data[0], &strides[0])
    if order == NO_LINE:
        return None
    entry = &table.entries[dtype]
    if entry.state != 1 or not thread_is_plain():
        return None
    if entry.types[0] != dtype:
        return of_other(table, entry, a, heir)
    result = quick_result(impl, order, entry.types[1], heir)
    data[1] = result.header.origin()
    data[2] = NULL
    strides[1] = ITEMSIZES[entry.types[1]]
    run_quick(table, entry, data, strides, impl.numel())
    return result


cdef inline bint clear_of(char* data, intptr_t step, char* out, intptr_t out_step, intptr_t count) noexcept:
    """Whether a loop may read an operand while it writes the result: apart, or element on element."""
    cdef intptr_t distance = out - data, span = count * step
    if step == out_step:  # one question, whichever comes first
        return distance == 0 or step > 0 and <size_t>(distance + span - 1) >= <size_t>(2 * span - 1)
    return step >= 0 and out_step >= 0 and (data >= out + count * out_step or out >= data + max(count * step, 16))


cdef bint quick_into_with(LoopTable table, ndarray a, ndarray scalar, ndarray out) except -1:
    return scalar is not None and quick_into(table, a, scalar, out)


cdef bint quick_into(LoopTable table, ndarray a, object other, ndarray out) except -1:
    """Compute into an array of the operands' shape and order, which may be an operand; False where that is not so.

    `other` is of no use to a ufunc of one operand.
    """
    cdef Header* impl = &a.header
    cdef Header* written = &out.header
    cdef Header* second = NULL
    cdef int dtype, other_dtype, out_dtype, kind, order
    cdef bint binary = table.nin == 2
    cdef Resolution* entry
    cdef char* args[3]
    cdef char element[16]
    cdef intptr_t strides[3]
    cdef intptr_t count
    cdef unsigned flags
    order = line_of(a.header, a.flipped, table.small, &dtype, &args[0], &strides[0])
    if order == NO_LINE or not thread_is_plain():
        return False
    if not line_with(table, a, order, dtype, out, args, strides, table.nin, &out_dtype) or (
            strides[table.nin] == 0 or not out.writeable_):
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
            elif not line_with(table, a, order, dtype, <ndarray>other, args, strides, 1, &other_dtype) or dtype != other_dtype:
                return False
        elif PyFloat_CheckExact(other):
            kind = WEAK_FLOAT
        elif PyLong_CheckExact(other):
            kind = WEAK_INT
        elif PyComplex_CheckExact(other):
            kind = WEAK_COMPLEX
        else:
            return quick_into_with(table, a, held_scalar(other), out)
    entry = &table.entries[dtype * NUM_KINDS + kind if binary else dtype]
    if entry.state == 0:
        entry = table.find(dtype, kind)
    if entry.state != 1 or entry.types[0] != dtype or entry.types[table.nin] != out_dtype or (
            binary and entry.types[1] != dtype):
        return False
    count = impl.numel()
    # What NumPy does element by element on one element it does by another loop.
    if count < 2:
        return False
    if not clear_of(args[0], strides[0], args[table.nin], strides[table.nin], count):
        return False
    if second is not NULL:
        if not clear_of(args[1], strides[1], args[2], strides[2], count):
            return False
    elif binary:
        if not store_number(element, dtype, other, kind):
            return False
        args[1] = element
        strides[1] = 0
    clear_float_flags(entry.software)
    flags = run_loop(entry.loop, args, &count, strides, entry.software)
    written.bump_version()
    if entry.raises:
        raise_pending()
    if flags:
        report_float_flags(flags, table.name)
    return True


cdef bint element_into(LoopTable table, ndarray a, object b, ndarray out) except -1:
    """Compute of arrays of no dimension into one of the result's dtype; False where that is not so."""
    cdef int first = kind_of_element(a), second = kind_of_element(<ndarray>b) if type(b) is ndarray else -1
    if table.nin > 2 or first < 0 or second < 0 or kind_of_element(out) < 0 or not out.writeable_ or not thread_is_plain() or (
            table.find(first, second).types[table.nin] != kind_of_element(out)):
        return False
    result = quick_unary(table, a) if table.nin == 1 else quick_binary(table, a, b)
    return result is not None and goes_into(out, result)


cdef inline object binary_of_arrays(LoopTable table, object a, object b, bint a_is_array, bint b_is_array, PyObject* heir):
    if table.scalar_operation >= 0 and (
            a_is_array and (<ndarray>a).header.holds_value() or b_is_array and (<ndarray>b).header.holds_value()):
        result = quick_scalars(table.scalar_operation, a, b, False)
        if result is not None:
            return result
    if not thread_is_plain():
        return None
    if a_is_array:
        if b_is_array:
            result = quick_arrays(table, <ndarray>a, <ndarray>b, heir)
            if result is None:
                result = quick_broadcast(table, <ndarray>a, <ndarray>b, heir)
            if result is None and (<ndarray>a).header.dtype() != (<ndarray>b).header.dtype():
                result = of_two(table, <ndarray>a, <ndarray>b, heir)
            return result
        if PyFloat_CheckExact(b):
            return quick_scalar(table, <ndarray>a, b, WEAK_FLOAT, False, heir)
        if PyLong_CheckExact(b):
            return quick_scalar(table, <ndarray>a, b, WEAK_INT, False, heir)
        if PyComplex_CheckExact(b):
            return quick_scalar(table, <ndarray>a, b, WEAK_COMPLEX, False, heir)
        scalar = held_scalar(b)
        return None if scalar is None else quick_broadcast(table, <ndarray>a, scalar, heir)
    if b_is_array:
        if PyFloat_CheckExact(a):
            return quick_scalar(table, <ndarray>b, a, WEAK_FLOAT, True, heir)
        if PyLong_CheckExact(a):
            return quick_scalar(table, <ndarray>b, a, WEAK_INT, True, heir)
        if PyComplex_CheckExact(a):
            return quick_scalar(table, <ndarray>b, a, WEAK_COMPLEX, True, heir)
        scalar = held_scalar(a)
        return None if scalar is None else quick_broadcast(table, scalar, <ndarray>b, heir)


cdef object quick_binary(LoopTable table, object a, object b):
    return binary_of_arrays(table, a, b, type(a) is ndarray, type(b) is ndarray, NULL)


cdef object unary_of_number(LoopTable table, object number):
    """Return the result of a float or an int; None where it is a loop of another dtype's, or NumPy's."""
    cdef double real
    cdef int64_t integer
    cdef int overflow = 0, dtype = FLOAT64 if PyFloat_CheckExact(number) else INT64
    cdef Resolution* entry = &table.entries[dtype]
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
    run_quick(table, entry, data, strides, 1)
    return result


cdef object quick_unary(LoopTable table, object a):
    cdef double* parts
    if type(a) is ndarray:
        return unary_of_array(table, <ndarray>a, NULL)
    if PyFloat_CheckExact(a) or PyLong_CheckExact(a):
        return unary_of_number(table, a)
    if PyComplex_CheckExact(a):
        scalar = new_scalar(COMPLEX128)
        parts = <double*>(<ndarray>scalar).header.origin()
        parts[0], parts[1] = PyComplex_RealAsDouble(a), PyComplex_ImagAsDouble(a)
        return unary_of_array(table, scalar, NULL) if default_float() == FLOAT64 else None
    scalar = held_scalar(a)
    return None if scalar is None else unary_of_array(table, scalar, NULL)


cdef object quick_binary_of_heirs(LoopTable table, object a, object b):
    cdef PyObject* heir = heir_of(a, b)
    if heir is NULL:
        return None
    # What is no array is a Python number here.
    result = binary_of_arrays(table, a, b, type(a) is ndarray or type(a) is type(<object>heir),
                              type(b) is ndarray or type(b) is type(<object>heir), heir)
    return finalized(<ndarray>result, <object>heir) if result is not None else None


cdef object quick_unary_of_heir(LoopTable table, object a):
    if heir_of(a, a) is NULL:
        return None
    result = unary_of_array(table, <ndarray>a, <PyObject*>a)
    return finalized(<ndarray>result, a) if result is not None else None


cdef object quick_typed(LoopTable table, PyObject* const* args, int count, object asked):
    cdef int kinds[2]
    cdef int place, dtype, number = -1
    cdef Resolution* entry
    cdef Resolution* cast
    cdef ndarray array
    if count > 2 or asked is None or not thread_is_plain():
        return None
    kinds[1] = 0
    for place in range(count):
        if type(<object>args[place]) is not ndarray:
            kinds[place] = kind_of_number(<object>args[place])
            if kinds[place] < 0 or count == 1 or number >= 0:
                return None
            number = place
            continue
        array = <ndarray><object>args[place]
        kinds[place] = array.header.dtype()
        if not array.header.is_plain() or not 0 <= kinds[place] < NUM_NUMPY_DTYPES or array.header.numel() > LONG or (
                is_stretched(array)):
            return None
    try:
        dtype = dtype_index(asked)
    except (TypeError, ValueError):
        return None
    if dtype >= NUM_NUMPY_DTYPES:
        return None
    entry = table.find_typed(kinds[0], kinds[1], dtype)
    if entry.state != 1:
        return None
    # The loop is the one of operands cast before, if that is what they have.
    cast = table.find(kinds[0] if number == 0 else entry.types[0],
                      0 if count == 1 else kinds[1] if number == 1 else entry.types[1])
    for place in range(count + 1):
        if cast.state != 1 or cast.types[place] != entry.types[place]:
            return None
    if number >= 0:
        place = 1 - number
        array = astype(<ndarray><object>args[place], entry.types[place], ORDER_K, False)
        return quick_scalar(table, array, <object>args[number], kinds[number], number == 0, NULL)
    array = astype(<ndarray><object>args[0], entry.types[0], ORDER_K, False)
    if count == 1:
        return quick_unary(table, array)
    return quick_binary(table, array, astype(<ndarray><object>args[1], entry.types[1], ORDER_K, False))


# --- two dtypes -------------------------------------------------------------------------------------------------------

cdef inline void cast_operand(int wanted, int dtype, intptr_t count, char* room, char** data, intptr_t* stride) noexcept:
    """Move an operand to where its elements have the loop's dtype, if they have another."""
    if wanted != dtype:
        find_cast(wanted, dtype)(room, ITEMSIZES[wanted], data[0], stride[0], count)
        data[0], stride[0] = room, ITEMSIZES[wanted]


cdef object mixed_arrays(LoopTable table, ndarray a, ndarray b, PyObject* heir):
    """Return the result of two small arrays of one shape and order; None where they are not that, or of one dtype."""
    cdef double[ROOM] first_room, second_room
    cdef Header* first = &a.header
    cdef int dtype, other, order
    cdef intptr_t count = first.numel()
    cdef Resolution* entry
    cdef Resolution* cast
    cdef ndarray result
    cdef char* data[3]
    cdef intptr_t strides[3]
    order = line_of(a.header, a.flipped, table.small, &dtype, &data[0], &strides[0])
    if order == NO_LINE or not line_beside(table, a, order, b, &other, &data[1], &strides[1]) or dtype == other:
        return None
    entry = table.find(dtype, other)
    if entry.state != 1:
        return None
    if count > MOST_CAST:
        return None
    if count > ROOM // 2:
        cast = table.find(entry.types[0], entry.types[1])
        if entry.types[0] != entry.types[1] or cast.types[0] != entry.types[0] or cast.types[2] != entry.types[2]:
            return None
        return quick_arrays(
            table, astype(a, entry.types[0], ORDER_K, False), astype(b, entry.types[1], ORDER_K, False), heir)
    cast_operand(entry.types[0], dtype, count, <char*>first_room, &data[0], &strides[0])
    cast_operand(entry.types[1], other, count, <char*>second_room, &data[1], &strides[1])
    result = quick_result(first, order, entry.types[2], heir)
    data[2] = result.header.origin()
    strides[2] = ITEMSIZES[entry.types[2]]
    run_quick(table, entry, data, strides, count)
    return result


cdef object mixed_scalar(LoopTable table, Resolution* entry, ndarray a, object value, int kind, bint scalar_first,
                         PyObject* heir):
    """Return the result of a small array and a scalar whose loop is one of other dtypes than the array's."""
    cdef double[ROOM] room
    cdef Header* impl = &a.header
    cdef int dtype, order, wanted = entry.types[scalar_first]
    cdef intptr_t count = impl.numel()
    cdef ndarray result
    cdef char* data[3]
    cdef char element[16]
    cdef intptr_t strides[3]
    order = line_of(a.header, a.flipped, table.small, &dtype, &data[scalar_first], &strides[scalar_first])
    if count > ROOM // 2:
        return None if wanted == dtype or count > MOST_CAST else quick_scalar(
            table, astype(a, wanted, ORDER_K, False), value, kind, scalar_first, heir)
    if not store_scalar(element, entry.types[not scalar_first], value, kind):
        return None
    cast_operand(wanted, dtype, count, <char*>room, &data[scalar_first], &strides[scalar_first])
    result = quick_result(impl, order, entry.types[2], heir)
    data[not scalar_first], data[2] = element, result.header.origin()
    strides[not scalar_first] = 0
    strides[2] = ITEMSIZES[entry.types[2]]
    run_quick(table, entry, data, strides, count)
    return result


cdef object unary_of_cast(LoopTable table, Resolution* entry, ndarray a, PyObject* heir):
    """Return the result of a small array whose loop is one of another dtype."""
    cdef double[ROOM] room
    cdef Header* impl = &a.header
    cdef int dtype, order
    cdef intptr_t count = impl.numel()
    cdef ndarray result
    cdef char* data[3]
    cdef intptr_t strides[3]
    if count > MOST_CAST:
        return None
    if count > ROOM // 2:
        return unary_of_array(table, astype(a, entry.types[0], ORDER_K, False), heir)
    order = line_of(a.header, a.flipped, table.small, &dtype, &data[0], &strides[0])
    cast_operand(entry.types[0], dtype, count, <char*>room, &data[0], &strides[0])
    result = quick_result(impl, order, entry.types[1], heir)
    data[1] = result.header.origin()
    data[2] = NULL
    strides[1] = ITEMSIZES[entry.types[1]]
    run_quick(table, entry, data, strides, count)
    return result


cdef bint mixed_into(LoopTable table, ndarray a, object other, ndarray out) except -1:
    """Do quick_into for two small arrays of two dtypes."""
    cdef ndarray b
    cdef int first = a.header.dtype(), second
    cdef Resolution* entry
    if type(other) is not ndarray or not thread_is_plain() or not 0 <= first < NUM_NUMPY_DTYPES or not a.header.is_plain():
        return False
    b = <ndarray>other
    second = b.header.dtype()
    if first == second or not 0 <= second < NUM_NUMPY_DTYPES or not b.header.is_plain() or a.header.numel() > MOST_CAST or (
            a.header.dim() != b.header.dim()):
        return False
    entry = table.find(first, second)
    if entry.state != 1 or entry.types[0] != entry.types[1]:
        return False
    return quick_into(table, astype(a, entry.types[0], ORDER_K, False), astype(b, entry.types[1], ORDER_K, False), out)


cdef object compute_binary(LoopTable table, object a, object b):
    result = quick_binary_of_heirs(table, a, b)
    return compute_ufunc(table, (a, b), None, True, None) if result is None else result
