"""Draws of NumPy's random streams into our own memory, by the C functions that NumPy has for that.

https://numpy.org/doc/2.4/reference/random/extending.html

The bits are those of the stream's bit generator, drawn under its lock by the very functions that NumPy's methods call, so
that a stream goes on wherever either of them has left it. A body gets the stream and the arguments, and declines, by
NotImplemented, what is not common: arrays as parameters, parameters that are wrong, bit generators that are not NumPy's.
"""
from cpython.float cimport PyFloat_AS_DOUBLE
from cpython.object cimport PyObject, PyTypeObject
from libc.math cimport isfinite, isnan, signbit
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy
from numpy.random cimport bitgen_t
from numpy.random.bit_generator cimport BitGenerator

from fastnp._core.assign cimport ORDER_C, copy_array
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport (
    BOOL,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT64,
    ITEMSIZES,
    NUM_NUMPY_DTYPES,
    UINT64,
    numpy_dtype,
)
from fastnp._core.host cimport take_over
from fastnp._core.kernels.creation cimport fill_sizes
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    is_c_contiguous,
    ndarray,
    new_array,
    new_scalar,
)

import numpy

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int*)
    object PyObject_Vectorcall(object, PyObject* const*, size_t, PyObject*)
    bint PyObject_TypeCheck(object, PyTypeObject*)

cdef extern from "numpy/random/distributions.h" nogil:
    void random_standard_uniform_fill(bitgen_t*, Py_ssize_t, double*)
    void random_standard_uniform_fill_f(bitgen_t*, Py_ssize_t, float*)
    void random_standard_normal_fill(bitgen_t*, Py_ssize_t, double*)
    void random_standard_normal_fill_f(bitgen_t*, Py_ssize_t, float*)
    void random_standard_exponential_fill(bitgen_t*, Py_ssize_t, double*)
    void random_standard_exponential_fill_f(bitgen_t*, Py_ssize_t, float*)
    void random_standard_exponential_inv_fill(bitgen_t*, Py_ssize_t, double*)
    void random_standard_exponential_inv_fill_f(bitgen_t*, Py_ssize_t, float*)
    double random_normal(bitgen_t*, double loc, double scale)
    double random_exponential(bitgen_t*, double scale)
    void random_bounded_uint64_fill(bitgen_t*, uint64_t, uint64_t, Py_ssize_t, bint, uint64_t*)
    void random_bounded_uint32_fill(bitgen_t*, uint32_t, uint32_t, Py_ssize_t, bint, uint32_t*)
    void random_bounded_uint16_fill(bitgen_t*, uint16_t, uint16_t, Py_ssize_t, bint, uint16_t*)
    void random_bounded_uint8_fill(bitgen_t*, uint8_t, uint8_t, Py_ssize_t, bint, uint8_t*)
    void random_bounded_bool_fill(bitgen_t*, uint8_t, uint8_t, Py_ssize_t, bint, uint8_t*)

cdef extern from "bounded.h" namespace "fastnp" nogil:
    void fill_bounded[T](bitgen_t*, int held, uint64_t low, uint32_t range, int64_t count, bint masked, T* out)

cdef extern from "legacy_normals.h" namespace "fastnp" nogil:
    void draw_legacy_normals(bitgen_t*, int64_t pairs, double* out)

cdef extern from "shuffling.h" namespace "fastnp" nogil:
    void shuffle_items(bitgen_t*, int held, int64_t count, int64_t itemsize, int64_t stride, char* data, char* room)

cdef enum:
    MANY = 1024  # numbers from which on it pays to ask a generator's state
    MANY_LEGACY = 8192  # and that of a legacy stream, which lists all its words

cdef enum Distribution:
    STANDARD_UNIFORM, STANDARD_NORMAL, STANDARD_EXPONENTIAL, STANDARD_EXPONENTIAL_INVERSE
    UNIFORM, NORMAL, EXPONENTIAL
    BOUNDED

# What to draw.
cdef struct Draw:
    Distribution distribution
    int dtype
    bint masked           # of BOUNDED: by masks and rejection, as the legacy streams do
    double first, second  # the parameters of a continuous distribution
    uint64_t low, range   # BOUNDED: from `low`, at most `range` above it

cdef PyTypeObject* GENERATOR = <PyTypeObject*>numpy.random.Generator
cdef PyTypeObject* RANDOM_STATE = <PyTypeObject*>numpy.random.RandomState
# What `randn` calls after one call more.
# The generators that make 64 bits at a time.
cdef tuple OF_64_BITS = (numpy.random.PCG64, numpy.random.PCG64DXSM, numpy.random.Philox, numpy.random.SFC64)
cdef object LEGACY_NORMAL = numpy.random.RandomState.standard_normal
cdef object FLOAT64_TYPE = numpy.float64
cdef object INT64_TYPE = numpy.int64
cdef object DTYPE = numpy.dtype

# A dtype, as it is commonly spelled, to its index.
cdef dict DTYPES = {bool: BOOL, int: INT64, float: FLOAT64}
for _index in range(NUM_NUMPY_DTYPES):
    _dtype = numpy_dtype(_index)
    DTYPES.update({_dtype.type: _index, _dtype.name: _index, _dtype.str[1:]: _index})

# The bounds of integers by dtype, as far as they are common: of uint64 those of int64.
cdef int64_t[14] LOWEST
cdef int64_t[14] HIGHEST
for _index in range(BOOL, FLOAT16):
    _dtype = numpy_dtype(_index)
    LOWEST[<int>_index] = 0 if _dtype.kind == "b" else numpy.iinfo(_dtype).min
    HIGHEST[<int>_index] = 1 if _dtype.kind == "b" else min(numpy.iinfo(_dtype).max, numpy.iinfo(numpy.int64).max)


cdef void draw(bitgen_t* bits, int held, const Draw* what, int64_t count, char* out) noexcept nogil:
    cdef int64_t index
    cdef double* doubles = <double*>out
    cdef bint single = what.dtype == FLOAT32
    if what.distribution == BOUNDED:
        draw_bounded(bits, held, what, count, out)
    elif what.distribution == STANDARD_UNIFORM:
        if single:
            random_standard_uniform_fill_f(bits, count, <float*>out)
        else:
            random_standard_uniform_fill(bits, count, doubles)
    elif what.distribution == STANDARD_NORMAL:
        if single:
            random_standard_normal_fill_f(bits, count, <float*>out)
        else:
            random_standard_normal_fill(bits, count, doubles)
    elif what.distribution == STANDARD_EXPONENTIAL:
        if single:
            random_standard_exponential_fill_f(bits, count, <float*>out)
        else:
            random_standard_exponential_fill(bits, count, doubles)
    elif what.distribution == STANDARD_EXPONENTIAL_INVERSE:
        if single:
            random_standard_exponential_inv_fill_f(bits, count, <float*>out)
        else:
            random_standard_exponential_inv_fill(bits, count, doubles)
    elif what.distribution == UNIFORM:
        # What random_uniform computes of each, in vectors.
        random_standard_uniform_fill(bits, count, doubles)
        for index in range(count):
            doubles[index] = what.first + what.second * doubles[index]
    elif what.distribution == NORMAL:
        for index in range(count):
            doubles[index] = random_normal(bits, what.first, what.second)
    else:
        for index in range(count):
            doubles[index] = random_exponential(bits, what.first)


cdef void draw_bounded(bitgen_t* bits, int held, const Draw* what, int64_t count, char* out) noexcept nogil:
    cdef int itemsize = ITEMSIZES[what.dtype]
    if itemsize >= 4 and what.range > 0 and what.range <= <uint64_t>0xffffffff:
        if itemsize == 4:
            fill_bounded(bits, held, what.low, <uint32_t>what.range, count, what.masked, <uint32_t*>out)
        else:
            fill_bounded(bits, held, what.low, <uint32_t>what.range, count, what.masked, <uint64_t*>out)
    elif what.dtype == BOOL:
        random_bounded_bool_fill(bits, <uint8_t>what.low, <uint8_t>what.range, count, what.masked, <uint8_t*>out)
    elif itemsize == 1:
        random_bounded_uint8_fill(bits, <uint8_t>what.low, <uint8_t>what.range, count, what.masked, <uint8_t*>out)
    elif itemsize == 2:
        random_bounded_uint16_fill(bits, <uint16_t>what.low, <uint16_t>what.range, count, what.masked, <uint16_t*>out)
    elif itemsize == 4:
        random_bounded_uint32_fill(bits, <uint32_t>what.low, <uint32_t>what.range, count, what.masked, <uint32_t*>out)
    else:
        random_bounded_uint64_fill(bits, what.low, what.range, count, what.masked, <uint64_t*>out)


# --- streams ----------------------------------------------------------------------------------------------------------

cdef BitGenerator bits_of(object stream):
    """Return the bit generator of a stream, or None where it is not one of NumPy's."""
    if not PyObject_TypeCheck(stream, GENERATOR) and not PyObject_TypeCheck(stream, RANDOM_STATE):
        return None
    bits = stream._bit_generator
    return <BitGenerator>bits if isinstance(bits, BitGenerator) else None


cdef int held_by(BitGenerator bits, int64_t count) except -2:
    """Return whether a stream, locked, holds half of a number (see Words); -1 where that is not known."""
    return bits.state["has_uint32"] if count >= MANY and isinstance(bits, OF_64_BITS) else -1


cdef int fill(BitGenerator bits, const Draw* what, int64_t count, char* out) except -1:
    """Draw under the lock of the stream; what raises does so before anything is drawn."""
    cdef int held = -1
    bits.lock.acquire()
    try:
        if what.distribution == BOUNDED:
            held = held_by(bits, count)
        if count < RELEASE_FROM:
            draw(&bits._bitgen, held, what, count, out)
        else:
            with nogil:
                draw(&bits._bitgen, held, what, count, out)
    finally:
        bits.lock.release()
    return 0


cdef int shuffle_block(BitGenerator bits, int64_t count, int64_t itemsize, int64_t stride, char* data) except -1:
    cdef int held
    cdef bytearray item = None
    cdef char* room = NULL
    if itemsize > 16:
        item = bytearray(itemsize)
        room = item
    bits.lock.acquire()
    try:
        held = held_by(bits, count)
        if count < RELEASE_FROM:
            shuffle_items(&bits._bitgen, held, count, itemsize, stride, data, room)
        else:
            with nogil:
                shuffle_items(&bits._bitgen, held, count, itemsize, stride, data, room)
    finally:
        bits.lock.release()
    return 0


# --- arguments --------------------------------------------------------------------------------------------------------

cdef int dtype_named(object dtype) except -2:
    """Return the index of a dtype, -1 where it is not spelled as one commonly is."""
    if dtype is FLOAT64_TYPE:
        return FLOAT64
    if dtype is INT64_TYPE:
        return INT64
    if isinstance(dtype, DTYPE):
        return DTYPES.get(dtype.str[1:], -1) if dtype.isnative else -1
    return DTYPES.get(dtype, -1) if type(dtype) is type or type(dtype) is str else -1


cdef bint to_double(object value, double* number) except -1:
    """Read a Python number or an array of one double; False where it is something else."""
    cdef int overflow = 0
    cdef ndarray array
    kind = type(value)
    if kind is float:
        number[0] = PyFloat_AS_DOUBLE(value)
        return True
    if kind is int:
        number[0] = <double>PyLong_AsLongLongAndOverflow(value, &overflow)
        return not overflow
    if kind is ndarray:
        array = <ndarray>value
        if array.header.is_plain() and array.header.dim() == 0 and dtype_of(array) == FLOAT64:
            number[0] = (<double*>data_of(array))[0]
            return True
    return False


cdef bint is_target(object out, int dtype) noexcept:
    """Whether numbers can be drawn right into an array."""
    return type(out) is ndarray and (<ndarray>out).header.is_plain() and dtype_of(<ndarray>out) == dtype and (
        (<ndarray>out).writeable_ != 0 and is_c_contiguous(<ndarray>out))


cdef object drawn(object stream, Draw* what, object size, object out):
    """Return an array of this size, the array `out`, or a Python float; what is drawn is float where there is no size."""
    cdef int64_t sizes[MAXDIMS]
    cdef int ndim, axis
    cdef double number
    cdef float single
    cdef ndarray array
    cdef BitGenerator bits = bits_of(stream)
    if bits is None:
        return NotImplemented
    if out is not None:
        if size is not None or not is_target(out, what.dtype):
            return NotImplemented
        array = <ndarray>out
        fill(bits, what, array.header.numel(), data_of(array))
        array.header.bump_version()
        return array
    if size is None:
        if what.dtype == FLOAT32:
            fill(bits, what, 1, <char*>&single)
            return <double>single
        fill(bits, what, 1, <char*>&number)
        return number
    ndim = fill_sizes(size, sizes)
    if ndim < 0:
        return NotImplemented
    for axis in range(ndim):
        if sizes[axis] < 0:
            return NotImplemented
    array = new_array(what.dtype, ndim, sizes)
    fill(bits, what, array.header.numel(), data_of(array))
    return array


cdef object standard(PyObject** slots, Distribution distribution, int size, int dtype, int out):
    """Draw from a distribution without parameters; of a slot that a method has not, the number is 0."""
    cdef Draw what
    what.distribution = distribution
    what.dtype = dtype_named(<object>slots[dtype]) if dtype else FLOAT64
    if what.dtype != FLOAT64 and what.dtype != FLOAT32:
        return NotImplemented
    return drawn(<object>slots[0], &what, <object>slots[size], <object>slots[out] if out else None)


# --- methods ----------------------------------------------------------------------------------------------------------

cdef object random(PyObject** slots):
    """random(self, size, dtype, out)."""
    return standard(slots, STANDARD_UNIFORM, 1, 2, 3)


cdef object random_sample(PyObject** slots):
    """random_sample(self, size)."""
    return standard(slots, STANDARD_UNIFORM, 1, 0, 0)


cdef object rand(PyObject** slots):
    """rand(self, *args)."""
    cdef Draw what
    what.distribution = STANDARD_UNIFORM
    what.dtype = FLOAT64
    args = <tuple>slots[1]
    return drawn(<object>slots[0], &what, args if args else None, None)


cdef object standard_normal(PyObject** slots):
    """standard_normal(self, size, dtype, out)."""
    return standard(slots, STANDARD_NORMAL, 1, 2, 3)


cdef object many_legacy_normals(object stream, object size, const double* loc, const double* scale):
    """Return so many normal numbers of a legacy stream, as NumPy draws them; NotImplemented where they are few.

    A stream holds every second number until it is asked for: a first one that it holds, and a last one of a pair, are
    drawn by NumPy's method.
    """
    cdef int64_t sizes[MAXDIMS]
    cdef int64_t count = 1, held, index
    cdef int ndim, axis
    cdef double* out
    cdef ndarray array
    cdef BitGenerator bits = bits_of(stream)
    if bits is None or size is None:
        return NotImplemented
    ndim = fill_sizes(size, sizes)
    for axis in range(ndim):
        count *= sizes[axis] if sizes[axis] >= 0 else 0
    if ndim < 0 or count < MANY_LEGACY:
        return NotImplemented
    array = new_array(FLOAT64, ndim, sizes)
    out, count = <double*>data_of(array), array.header.numel()
    bits.lock.acquire()
    try:
        held = 1 if stream.get_state(legacy=False)["has_gauss"] else 0
        if held:
            out[0] = LEGACY_NORMAL(stream)
        with nogil:
            draw_legacy_normals(&bits._bitgen, (count - held) // 2, out + held)
        if (count - held) % 2:
            out[count - 1] = LEGACY_NORMAL(stream)
    finally:
        bits.lock.release()
    if loc != NULL:
        for index in range(count):
            out[index] = loc[0] + scale[0] * out[index]
    return array


cdef object randn(PyObject** slots):
    """randn(self, *args)."""
    cdef PyObject* args[2]
    if not PyObject_TypeCheck(<object>slots[0], RANDOM_STATE):
        return NotImplemented
    for length in <tuple>slots[1]:
        if type(length) is not int:
            return NotImplemented
    array = many_legacy_normals(<object>slots[0], <object>slots[1], NULL, NULL)
    if array is not NotImplemented:
        return array
    args[0], args[1] = slots[0], slots[1] if <tuple>slots[1] else <PyObject*>None
    result = PyObject_Vectorcall(LEGACY_NORMAL, args, 2, NULL)
    return take_over(result) if type(result) is not float else result


cdef object standard_normal_legacy(PyObject** slots):
    """standard_normal(self, size)."""
    return many_legacy_normals(<object>slots[0], <object>slots[1], NULL, NULL)


cdef object normal_legacy(PyObject** slots):
    """normal(self, loc, scale, size)."""
    cdef double loc, scale
    if not to_double(<object>slots[1], &loc) or not to_double(<object>slots[2], &scale):
        return NotImplemented
    if signbit(scale) or isnan(scale):
        return NotImplemented
    return many_legacy_normals(<object>slots[0], <object>slots[3], &loc, &scale)


cdef object standard_exponential(PyObject** slots):
    """standard_exponential(self, size, dtype, method, out)."""
    method = <object>slots[3]
    if type(method) is not str or method != "zig" and method != "inv":
        return NotImplemented
    return standard(slots, STANDARD_EXPONENTIAL if method == "zig" else STANDARD_EXPONENTIAL_INVERSE, 1, 2, 4)


cdef object uniform(PyObject** slots):
    """uniform(self, low, high, size)."""
    cdef Draw what
    cdef double high = 0
    if not to_double(<object>slots[1], &what.first) or not to_double(<object>slots[2], &high):
        return NotImplemented
    what.second = high - what.first
    if not isfinite(what.second) or signbit(what.second):
        return NotImplemented
    what.distribution, what.dtype = UNIFORM, FLOAT64
    return drawn(<object>slots[0], &what, <object>slots[3], None)


cdef object normal(PyObject** slots):
    """normal(self, loc, scale, size)."""
    cdef Draw what
    if not to_double(<object>slots[1], &what.first) or not to_double(<object>slots[2], &what.second):
        return NotImplemented
    if signbit(what.second) or isnan(what.second):
        return NotImplemented
    what.distribution, what.dtype = NORMAL, FLOAT64
    return drawn(<object>slots[0], &what, <object>slots[3], None)


cdef object exponential(PyObject** slots):
    """exponential(self, scale, size)."""
    cdef Draw what
    if not to_double(<object>slots[1], &what.first) or signbit(what.first) or isnan(what.first):
        return NotImplemented
    what.distribution, what.dtype = EXPONENTIAL, FLOAT64
    return drawn(<object>slots[0], &what, <object>slots[2], None)


cdef bint to_bounds(object low, object high, bint closed, Draw* what) except -1:
    """Read the bounds of integers; False where they are not Python ints or NumPy would raise."""
    cdef int overflow = 0
    cdef int64_t first = 0, last
    if high is None:
        low, high = 0, low
    if type(low) is not int or type(high) is not int:
        return False
    first = PyLong_AsLongLongAndOverflow(low, &overflow)
    if overflow:
        return False
    last = PyLong_AsLongLongAndOverflow(high, &overflow)
    if overflow or first > last or first == last and not closed:
        return False
    last -= not closed
    what.low, what.range = <uint64_t>first, <uint64_t>last - <uint64_t>first
    return LOWEST[what.dtype] <= first and last <= HIGHEST[what.dtype]


cdef object bounded(PyObject** slots, object closed, bint masked):
    """Draw integers for the slots (self, low, high, size, dtype)."""
    cdef Draw what
    cdef int64_t number = 0
    cdef BitGenerator bits
    cdef ndarray scalar
    dtype, size = <object>slots[4], <object>slots[3]
    what.distribution, what.masked = BOUNDED, masked
    what.dtype = dtype_named(dtype)
    if not BOOL <= what.dtype <= UINT64 or type(closed) is not bool or not to_bounds(
            <object>slots[1], <object>slots[2], closed, &what):
        return NotImplemented
    if size is not None:
        return drawn(<object>slots[0], &what, size, None)
    bits = bits_of(<object>slots[0])
    if bits is None:
        return NotImplemented
    if dtype is int or dtype is bool:
        fill(bits, &what, 1, <char*>&number)
        return number != 0 if dtype is bool else number
    scalar = new_scalar(what.dtype)
    fill(bits, &what, 1, data_of(scalar))
    return scalar


cdef object integers(PyObject** slots):
    """integers(self, low, high, size, dtype, endpoint)."""
    return bounded(slots, <object>slots[5], False)


cdef object randint(PyObject** slots):
    """randint(self, low, high, size, dtype)."""
    return bounded(slots, False, True)


# --- permutations -----------------------------------------------------------------------------------------------------

cdef object permuted(object stream, object x):
    """Return a shuffled range, or a shuffled copy of a vector."""
    cdef int overflow = 0
    cdef int64_t count, index
    cdef int64_t* places
    cdef ndarray array
    cdef BitGenerator bits = bits_of(stream)
    if bits is None:
        return NotImplemented
    if type(x) is int:
        count = PyLong_AsLongLongAndOverflow(x, &overflow)
        if overflow or count < 0:
            return NotImplemented
        array = new_array(INT64, 1, &count)
        places = <int64_t*>data_of(array)
        for index in range(count):
            places[index] = index
    elif type(x) is ndarray and (<ndarray>x).header.is_plain() and (<ndarray>x).header.dim() == 1:
        array = copy_array(<ndarray>x, ORDER_C)
        count = array.header.sizes()[0]
    else:
        return NotImplemented
    shuffle_block(bits, count, ITEMSIZES[dtype_of(array)], ITEMSIZES[dtype_of(array)], data_of(array))
    return array


cdef object permutation(PyObject** slots):
    """permutation(self, x, axis)."""
    return permuted(<object>slots[0], <object>slots[1]) if is_zero(<object>slots[2]) else NotImplemented


cdef object permutation_legacy(PyObject** slots):
    """permutation(self, x)."""
    return permuted(<object>slots[0], <object>slots[1])


cdef bint is_zero(object axis) except -1:
    return type(axis) is int and axis == 0


cdef object shuffled(object stream, object x):
    """Shuffle an array in place along its first axis."""
    cdef ndarray array
    cdef int64_t stride, itemsize
    cdef BitGenerator bits = bits_of(stream)
    if bits is None or type(x) is not ndarray:
        return NotImplemented
    array = <ndarray>x
    if not array.header.is_plain() or not array.writeable_ or array.header.dim() == 0 or array.header.numel() == 0:
        return NotImplemented
    itemsize = ITEMSIZES[dtype_of(array)]
    if array.header.dim() == 1:
        stride = array.header.strides()[0] * (-itemsize if array.flipped & 1 else itemsize)
    elif is_c_contiguous(array):
        stride = itemsize = itemsize * array.header.numel() // array.header.sizes()[0]
    else:
        return NotImplemented
    shuffle_block(bits, array.header.sizes()[0], itemsize, stride, data_of(array))
    array.header.bump_version()
    return None


cdef object shuffle(PyObject** slots):
    """shuffle(self, x, axis)."""
    return shuffled(<object>slots[0], <object>slots[1]) if is_zero(<object>slots[2]) else NotImplemented


cdef object shuffle_legacy(PyObject** slots):
    """shuffle(self, x)."""
    return shuffled(<object>slots[0], <object>slots[1])


cdef object chosen(PyObject** slots, bint masked):
    """Draw with replacement from the range or the vector of a slot; the slots begin with (self, a, size, replace, p)."""
    cdef Draw what
    cdef ndarray population = None
    cdef int64_t place
    cdef BitGenerator bits = bits_of(<object>slots[0])
    a, size = <object>slots[1], <object>slots[2]
    if bits is None or <object>slots[3] is not True or <object>slots[4] is not None or size == ():
        return NotImplemented
    what.distribution, what.masked, what.dtype = BOUNDED, masked, INT64
    if type(a) is int:
        if not to_bounds(0, a, False, &what):
            return NotImplemented
    elif type(a) is ndarray:
        population = <ndarray>a
        if not population.header.is_plain() or population.header.dim() != 1 or population.header.numel() == 0:
            return NotImplemented
        what.low, what.range = 0, population.header.numel() - 1
    else:
        return NotImplemented
    if size is None:
        fill(bits, &what, 1, <char*>&place)
        return place if population is None else picked(population, &place, new_scalar(dtype_of(population)))
    places = drawn(<object>slots[0], &what, size, None)
    if population is None or places is NotImplemented:
        return places
    return picked(population, <const int64_t*>data_of(<ndarray>places), new_array(
        dtype_of(population), (<ndarray>places).header.dim(), (<ndarray>places).header.sizes()))


cdef ndarray picked(ndarray population, const int64_t* place, ndarray into):
    """Fill a new array with elements of a vector."""
    cdef int64_t itemsize = ITEMSIZES[dtype_of(population)]
    cdef int64_t stride = population.header.strides()[0] * (-itemsize if population.flipped & 1 else itemsize)
    cdef int64_t index
    cdef char* source = data_of(population)
    cdef char* target = data_of(into)
    if itemsize == 8:
        for index in range(into.header.numel()):
            (<int64_t*>target)[index] = (<int64_t*>(source + place[index] * stride))[0]
        return into
    for index in range(into.header.numel()):
        memcpy(target + index * itemsize, source + place[index] * stride, itemsize)
    return into


cdef object choice(PyObject** slots):
    """choice(self, a, size, replace, p, axis, shuffle)."""
    return chosen(slots, False) if is_zero(<object>slots[5]) else NotImplemented


cdef object choice_legacy(PyObject** slots):
    """choice(self, a, size, replace, p)."""
    return chosen(slots, True)


#: Name of a method of `Generator` to its body.
GENERATOR_BODIES = {
    "choice": new_compiled_body(choice),
    "exponential": new_compiled_body(exponential),
    "integers": new_compiled_body(integers),
    "normal": new_compiled_body(normal),
    "permutation": new_compiled_body(permutation),
    "random": new_compiled_body(random),
    "shuffle": new_compiled_body(shuffle),
    "standard_exponential": new_compiled_body(standard_exponential),
    "standard_normal": new_compiled_body(standard_normal),
    "uniform": new_compiled_body(uniform),
}

#: The same of `RandomState` and of the functions that draw from the stream of the process. Its exponential numbers are of an
#: older algorithm, which NumPy keeps to itself; few of its normal ones are drawn by NumPy.
STATE_BODIES = {
    "choice": new_compiled_body(choice_legacy),
    "normal": new_compiled_body(normal_legacy),
    "permutation": new_compiled_body(permutation_legacy),
    "rand": new_compiled_body(rand),
    "randint": new_compiled_body(randint),
    "randn": new_compiled_body(randn),
    "random": new_compiled_body(random_sample),
    "random_sample": new_compiled_body(random_sample),
    "shuffle": new_compiled_body(shuffle_legacy),
    "standard_normal": new_compiled_body(standard_normal_legacy),
    "uniform": new_compiled_body(uniform),
}
