# distutils: define_macros=NPY_TARGET_VERSION=NPY_2_0_API_VERSION
"""Which of NumPy's loops computes a call, and what becomes of the floating-point flags it raised.

Promotion is asked of NumPy (`ufunc.resolve_dtypes`), once for each pair of kinds of operand that a program meets.
"""
cimport numpy as cnp
from cpython.exc cimport PyErr_Occurred
from cpython.long cimport PyLong_AsLongLongAndOverflow
from libc.stdint cimport int64_t
from libc.math cimport ceil, floor, isfinite
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from fastnp._core.dtype cimport (
    BOOL,
    FLOAT16,
    FLOAT64,
    INT8,
    INT64,
    ITEMSIZES,
    NUM_KINDS,
    NUM_NUMPY_DTYPES,
    UINT64,
    WEAK_FLOAT,
    WEAK_INT,
    index_of_numpy,
    is_in_range,
    numpy_dtype,
)
from fastnp._core.engine cimport (
    DIVIDE,
    INVALID,
    OVERFLOW,
    UNDERFLOW,
    Loop,
    LoopFunction,
    Operand,
    find_loop,
    is_reorderable,
)
from fastnp._core.ndarray cimport MAXDIMS, data_of, dtype_of, fill_shape, fill_strides, ndarray, new_array, new_scalar

import numpy

cnp.import_array()
cnp.import_ufunc()

cdef extern from "<numpy/ufuncobject.h>":
    int PyUFunc_GiveFloatingpointErrors(const char* name, int errors) except -1

cdef extern from "casts.h" namespace "fastnp" nogil:
    ctypedef void (*Cast)(char*, int64_t, const char*, int64_t, int64_t)
    Cast find_cast(int dst, int src)

cdef extern from "own_loops.h" namespace "fastnp" nogil:
    void replace_by_own(const char* name, int first, int result, bint reduces, Loop*) except +
    bint find_quotients(int dtype, Loop*)

cdef extern from "elementary.h" namespace "fastnp" nogil:
    bint is_elementary(const char* name, int dtype)
    void replace_by_elementary(const char* name, int nin, int nout, const int* dtypes, Loop*) except +

cdef extern from "reserved.h" namespace "fastnp":
    void* reserve_zeros(size_t bytes) noexcept

cdef extern from "phases.h" namespace "fastnp" nogil:
    void replace_by_phases(const char* name, const int* dtypes, Loop*) except +

cdef extern from "side_by_side.h" namespace "fastnp" nogil:
    void bring_side_by_side(const char* name, int nin, int nout, const int* dtypes, Loop*) except +

cdef extern from "streamed.h" namespace "fastnp" nogil:
    void add_streamed(const char* name, int nin, const int* dtypes, Loop*)

cdef tuple WEAK_TYPES = (int, float, complex)
cdef double EXACT = 2.0 ** 53  # below it, each integer is a double

# Loops of these raise flags only by computing, not by a call into the C library (float16 apart, whose conversions do).
cdef frozenset COMPUTES_ONLY = frozenset((
    "absolute", "add", "bitwise_and", "bitwise_or", "bitwise_xor", "ceil", "conjugate", "copysign", "divide", "equal",
    "fabs", "floor", "greater", "greater_equal", "invert", "isfinite", "isinf", "isnan", "less", "less_equal",
    "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "multiply", "negative", "not_equal",
    "positive", "reciprocal", "rint", "sign", "signbit", "sqrt", "square", "subtract", "trunc",
))


# Reductions whose operands may come in any order, as sums and products of integers may. (Of two zeros, or two NaNs, that
# are both the extremum either may be the result; NumPy's own choice depends on where they lie.)
cdef frozenset ORDER_FREE = frozenset((
    "bitwise_and", "bitwise_or", "bitwise_xor", "fmax", "fmin", "logical_and", "logical_or", "maximum", "minimum"))

cdef tuple COMPARISONS = ("less", "less_equal", "equal", "not_equal", "greater", "greater_equal")
# In the order of ScalarOperation in scalars.h.
cdef tuple SCALAR_OPERATIONS = (
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "bitwise_and", "bitwise_or", "bitwise_xor",
    "left_shift", "right_shift", *COMPARISONS,
)


cdef class TypedLoop:
    """The loop of a call that says which dtype its result has."""


cdef class LoopTable:
    """The loops of one of NumPy's ufuncs, by the kinds of its inputs."""

    def __cinit__(self, numpy_ufunc):
        self.numpy_ufunc = numpy_ufunc
        self.name = numpy_ufunc.__name__
        self.nin = numpy_ufunc.nin
        self.nout = numpy_ufunc.nout
        self.computes_only = self.name in COMPUTES_ONLY
        # Integers to negative integer powers are an exception, set by the loop itself.
        self.may_raise = self.name == "power"
        self.scalar_operation = SCALAR_OPERATIONS.index(self.name) if self.name in SCALAR_OPERATIONS else -1
        self.compares = self.name in COMPARISONS
        self.is_equality = self.name in ("equal", "not_equal")
        self.rounds_up = self.name in ("less", "greater_equal")
        self.reorderable = is_reorderable(numpy_ufunc)
        self.size = NUM_KINDS if self.nin == 1 else NUM_KINDS * NUM_KINDS
        self.entries = <Resolution*>reserve_zeros(self.size * sizeof(Resolution))
        if self.entries is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.reductions)

    cdef Resolution* find(self, int first, int second) except NULL:
        """Return the entry of inputs of these kinds (of one input, `second` is ignored)."""
        cdef Resolution* entry = &self.entries[first if self.nin == 1 else first * NUM_KINDS + second]
        if entry.state == 0:
            self.fill(entry, first, second, {})
        return entry

    cdef Resolution* find_typed(self, int first, int second, int dtype, bint unsafe=False) except NULL:
        """Return the entry of inputs of these kinds where the call says `dtype=`, and perhaps that any cast will do."""
        cdef TypedLoop typed
        cdef int key = ((first * NUM_KINDS + second) * NUM_NUMPY_DTYPES + dtype) * 2 + unsafe
        if self.typed is None:
            self.typed = {}
        typed = self.typed.get(key)
        if typed is None:
            typed = self.typed[key] = TypedLoop.__new__(TypedLoop)
            asked = {"signature": (None,) * self.nin + (numpy_dtype(dtype),) * self.nout}
            self.fill(&typed.entry, first, second, asked | {"casting": "unsafe"} if unsafe else asked)
        return &typed.entry

    cdef int fill(self, Resolution* entry, int first, int second, dict asked) except -1:
        cdef int i, integer
        cdef list kinds = [first] if self.nin == 1 else [first, second]
        if self.nin == 2 and first == WEAK_INT and second == WEAK_INT and self.compares:
            kinds = [INT64, INT64]  # NumPy: as objects, since they may be of any size; those of 64 bits have a loop
        operands = tuple([numpy_dtype(kind) if kind < WEAK_INT else WEAK_TYPES[kind - WEAK_INT] for kind in kinds])
        entry.state = -1
        try:
            resolved = self.numpy_ufunc.resolve_dtypes(operands + (None,) * self.nout, **asked)
        except TypeError:  # no loop: NumPy says so in its own words when the call is made
            return 0
        for i in range(self.nin + self.nout):
            entry.types[i] = index_of_numpy(resolved[i])
            if entry.types[i] < 0:
                return 0
        entry.promoted[0], entry.promoted[1] = entry.types[0], entry.types[1]
        if any([NUM_NUMPY_DTYPES <= kind < WEAK_INT for kind in kinds]):
            entry.state = 2
            return 0
        self.find_exact(entry)
        if entry.state == 1 and self.name == "divide" and entry.types[2] == FLOAT64:
            integer = first if second == first or second == WEAK_INT else second if first == WEAK_INT else -1
            if find_quotients(integer, &entry.loop):
                entry.is_own = True
                entry.types[0] = entry.types[1] = integer
        return 0

    cdef bint find_exact(self, Resolution* entry) except -1:
        """Find the loop of exactly the dtypes in `entry.types`."""
        cdef int i
        cdef LoopFunction numpys
        entry.state = 1 if find_loop(self.numpy_ufunc, entry.types, &entry.loop) else -1
        if entry.state == 1:
            numpys = entry.loop.function
            replace_by_own(self.name.encode(), entry.types[0], entry.types[self.nin], False, &entry.loop)
            replace_by_elementary(self.name.encode(), self.nin, self.nout, entry.types, &entry.loop)
            replace_by_phases(self.name.encode(), entry.types, &entry.loop)
            entry.is_own = entry.loop.function != numpys
            bring_side_by_side(self.name.encode(), self.nin, self.nout, entry.types, &entry.loop)
            if self.nout == 1:
                add_streamed(self.name.encode(), self.nin, entry.types, &entry.loop)
        entry.software = not self.computes_only
        for i in range(self.nin + self.nout):
            entry.software = entry.software or entry.types[i] == 9
        entry.raises = self.may_raise and 1 <= entry.types[0] <= 8
        return entry.state == 1

    cdef Reduction* find_reduction(self, int operand, int result) except NULL:
        cdef Reduction* entry
        if self.reductions is NULL:
            self.reductions = <Reduction*>calloc(NUM_NUMPY_DTYPES * (NUM_NUMPY_DTYPES + 1), sizeof(Reduction))
            if self.reductions is NULL:
                raise MemoryError
        entry = &self.reductions[operand * (NUM_NUMPY_DTYPES + 1) + result + 1]
        if entry.state == 0:
            self.fill_reduction(entry, operand, result)
        return entry

    cdef int fill_reduction(self, Reduction* entry, int operand, int result) except -1:
        cdef int i
        cdef cnp.ndarray value
        entry.state = -1
        if self.nin != 2 or self.nout != 1 or self.numpy_ufunc.signature is not None:
            return 0
        if result < 0 and operand < 9 and self.name in ("add", "multiply"):
            # NumPy: sums and products of integers narrower than the platform's are computed in it.
            result = 8 if operand in (2, 4, 6, 8) else 7
        asked = {} if result < 0 else {"signature": (numpy_dtype(result), None, None)}
        try:
            resolved = self.numpy_ufunc.resolve_dtypes(
                (None, numpy_dtype(operand), None), reduction=True, casting="unsafe", **asked)
        except TypeError:  # no such reduction: NumPy says so in its own words when the call is made
            return 0
        for i in range(3):
            entry.types[i] = index_of_numpy(resolved[i])
            if entry.types[i] < 0:
                return 0
        if entry.types[0] != entry.types[2] or not find_loop(self.numpy_ufunc, entry.types, &entry.loop):
            return 0
        replace_by_own(self.name.encode(), entry.types[1], entry.types[0], True, &entry.loop)
        replace_by_elementary(self.name.encode(), 2, 1, entry.types, &entry.loop)
        entry.order_free = entry.types[0] == entry.types[1] and (
            self.name in ORDER_FREE or (self.name in ("add", "multiply") and entry.types[0] < 9))
        entry.software = not self.computes_only or entry.types[0] == 9
        entry.raises = self.may_raise and 1 <= entry.types[0] <= 8
        if self.numpy_ufunc.identity is not None:
            value = numpy.array(self.numpy_ufunc.identity).astype(numpy_dtype(entry.types[0]))
            memcpy(entry.identity, cnp.PyArray_DATA(value), ITEMSIZES[entry.types[0]])
            entry.has_identity = True
        entry.state = 1
        return 0


cdef dict TABLES = {}


cdef LoopTable table_of(object numpy_ufunc):
    table = TABLES.get(numpy_ufunc)
    if table is None:
        table = TABLES[numpy_ufunc] = LoopTable(numpy_ufunc)
    return table


# --- floating-point flags ---------------------------------------------------------------------------------------------

cdef int raise_pending() except -1:
    return -1 if PyErr_Occurred() is not NULL else 0


# Whether the loop that runs computes what an operator of scalars is. The interpreter's lock is held meanwhile.
cdef bint _of_scalars = False


cdef void name_scalars(bint so) noexcept:
    global _of_scalars
    _of_scalars = so


cdef extern from *:
    """
    // Other threads compute while a loop of this one runs: each has its own.
    static thread_local bool fastnp_silent = false;
    """
    bint silent "fastnp_silent"


cdef void silence(bint so) noexcept:
    global silent
    silent = so


cdef bint has_vectors(str name, int dtype):
    """Whether a ufunc of numbers of a dtype is computed on vectors here, in arrays of any size."""
    return is_elementary(name.encode(), dtype)


cdef int report_float_flags(unsigned flags, str name) except -1:
    """Do what `numpy.errstate` asks for with the flags a loop has raised."""
    if silent:
        return 0
    # NumPy's own function: the thread's error state is a structure of NumPy's.
    return PyUFunc_GiveFloatingpointErrors((f"scalar {name}" if _of_scalars else name).encode(), numpy_flags(flags))


cdef int numpy_flags(unsigned flags) noexcept:
    return ((flags & <unsigned>DIVIDE) != 0) | ((flags & <unsigned>OVERFLOW) != 0) << 1 | (
        (flags & <unsigned>UNDERFLOW) != 0) << 2 | ((flags & <unsigned>INVALID) != 0) << 3


# --- operands ---------------------------------------------------------------------------------------------------------

cdef bint is_plain(ndarray array) noexcept:
    return array.header.is_plain()


cdef void fill_operand(Operand* operand, ndarray array) noexcept:
    operand.data = data_of(array)
    operand.type = dtype_of(array)
    operand.ndim = fill_shape(array, operand.shape)
    fill_strides(array, operand.strides)


cdef ndarray new_result(int dtype, int ndim, const int64_t* shape, const int64_t* strides):
    """Return an uninitialised array of these strides (in bytes); of no dimension, one that stands for a scalar."""
    cdef ndarray array
    cdef int64_t elements[MAXDIMS]
    cdef int64_t expected = ITEMSIZES[dtype]
    cdef int axis
    cdef bint contiguous = True
    if ndim == 0:
        return new_scalar(dtype)
    array = new_array(dtype, ndim, shape)
    for axis in range(ndim - 1, -1, -1):
        contiguous = contiguous and strides[axis] == expected
        expected *= shape[axis]
        elements[axis] = strides[axis] // ITEMSIZES[dtype]
    if not contiguous:
        array.header.set_layout(dtype, ndim, shape, elements)
    return array


cdef bint SAME_KIND[14][14]
cdef bint SAFE[14][14]
for _source in range(14):
    for _destination in range(14):
        SAME_KIND[_source][_destination] = numpy.can_cast(numpy_dtype(_source), numpy_dtype(_destination), "same_kind")
        SAFE[_source][_destination] = numpy.can_cast(numpy_dtype(_source), numpy_dtype(_destination))


cdef bint same_kind(int source, int destination) noexcept:
    return SAME_KIND[source][destination]


cdef bint is_safe(int source, int destination) noexcept:
    return SAFE[source][destination]


cdef bint store_weak(char* destination, int dtype, object value) except -1:
    """Write a Python scalar as an element of `dtype`; False where NumPy has to say what becomes of it."""
    cdef double parts[2]
    cdef int overflow = 0
    cdef long long integer
    cdef int source = 11
    parts[1] = 0
    if isinstance(value, int):
        integer = PyLong_AsLongLongAndOverflow(value, &overflow)
        if overflow:
            return False
        if 1 <= dtype <= 8:
            if not is_in_range(dtype, integer):
                return False
            find_cast(dtype, 7)(destination, 0, <const char*>&integer, 0, 1)
            return True
        parts[0] = <double>integer
    elif isinstance(value, float):
        parts[0] = value
    else:
        parts[0], parts[1] = value.real, value.imag
        source = 13
    if dtype == 0:
        destination[0] = parts[0] != 0 or parts[1] != 0
        return True
    if dtype < 9 or dtype >= NUM_NUMPY_DTYPES or (source == 13 and dtype < 12):
        return False
    find_cast(dtype, source)(destination, 0, <const char*>parts, 0, 1)
    # A finite value that overflows makes NumPy warn of a cast.
    if dtype in (9, 10, 12):
        return abs(parts[0]) < 65500 and abs(parts[1]) < 65500 or not (isfinite(parts[0]) and isfinite(parts[1])) or (
            dtype != 9 and abs(parts[0]) < 3e38 and abs(parts[1]) < 3e38)
    return True


cdef bint store_scalar(char* into, int dtype, object value, int kind) except -1:
    if kind >= WEAK_INT:
        return store_weak(into, dtype, value)
    # The loop's dtype holds what has this one.
    find_cast(dtype, kind)(into, 0, (<ndarray>value).header.origin(), 0, 1)
    return True


cdef bint store_bound(LoopTable table, int dtype, object value, int kind, bint first, char* into) except -1:
    cdef double number, rounded
    cdef int64_t integer
    if table.compares and dtype == BOOL and kind == WEAK_INT:
        if value != 0 and value != 1:
            return False  # nothing is written then
        into[0] = value == 1
        return True
    if not table.compares or not INT8 <= dtype <= UINT64 or not (kind == WEAK_FLOAT or FLOAT16 <= kind <= FLOAT64):
        return False
    number = value
    # An integer beyond these, which may have no double of its own, is rounded to none within them.
    if not -EXACT < number < EXACT:
        return False
    rounded = ceil(number) if table.rounds_up != first else floor(number)
    integer = <int64_t>rounded
    if table.is_equality and rounded != number or not is_in_range(dtype, integer):
        return False
    find_cast(dtype, INT64)(into, 0, <const char*>&integer, 0, 1)
    return True
