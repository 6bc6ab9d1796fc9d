"""Discrete Fourier transforms of plain arrays, by MKL's, or by the inner loops of NumPy's own generalized ufuncs.

MKL comes with libtorch; where it does not, or is not quicker, NumPy's loops are called (`planned_transforms.h`).

NumPy keeps these ufuncs in a private module, `numpy.fft._pocketfft_umath`: where a NumPy has none there, or none of a dtype,
every body declines, by NotImplemented, and NumPy's functions compute the call as they do what is not common.
"""
from cpython.object cimport PyObject
from libc.math cimport sqrt
from libc.stdint cimport int64_t

from fastnp._core.assign cimport ORDER_C, ORDER_K, astype, copy_array
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport (
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    ITEMSIZES,
    NUM_NUMPY_DTYPES,
    index_of_numpy,
    numpy_dtype,
)
from fastnp._core.engine cimport (
    UNDERFLOW,
    Loop,
    Operand,
    clear_float_flags,
    copy_operand,
    find_loop,
    may_overlap,
    raised_float_flags,
)
from fastnp._core.kernels.matrices cimport is_complex_dtype
from fastnp._core.loops cimport fill_operand, new_result, raise_pending, report_float_flags
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    fill_shape,
    is_c_contiguous,
    is_f_contiguous,
    ndarray,
    new_array,
    new_zeros,
    thread_is_plain,
)

import numpy
import numpy.fft

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int*)

cdef extern from "<cmath>" nogil:
    float sqrtf(float)

cdef extern from "planned_transforms.h" namespace "fastnp":
    enum: RELEASE_FROM "fastnp::kReleaseTransform"
    enum Transform "fastnp::Transform":
        pass

    void run_along(const Loop&, const Operand&, void* factor, const Operand&, int axis, int64_t points, bint release)
    bint is_planned(Transform, const Operand&, int axis, int64_t length)
    bint lies_for_plan(const Operand&, int axis)
    bint transform_by_plan(
        Transform, const Operand&, const Operand&, int axis, int64_t length, double factor, bint whole) except +
    void fill_planes(const double* half, double* target, int64_t planes, int64_t rows, int64_t columns, bint backward)
    void round_to_floats(const double*, float*, int64_t)

# The kinds of transform: of complex numbers, of real ones, and back.
cdef enum Kind:
    FORWARD, BACKWARD, REAL_FORWARD, REAL_BACKWARD

# What a result is multiplied by: 1, or a factor of the length.
cdef enum Norm:
    WHOLE, ROOT, INVERSE, WRONG

cdef enum:
    LOOPS = 5

# How elements of one dtype are transformed.
cdef struct Step:
    int state       # 0: not asked yet; 1: `loop` computes it; -1: NumPy has to say what becomes of it
    int types[3]    # of the loop: elements, factor, result
    int result      # dtype of the result
    int factor      # dtype that the factor is computed in
    Loop loop

cdef object SOURCE = getattr(numpy.fft, "_pocketfft_umath", None)
# A real transform of even and of odd length has a loop of its own.
cdef tuple NAMES = ("fft", "ifft", "rfft_n_even", "irfft", "rfft_n_odd")
cdef tuple UFUNCS = tuple([getattr(SOURCE, name, None) for name in NAMES])
cdef Step[LOOPS][14][2] STEPS


cdef Step* find_step(int which, int dtype, bint scaled) except NULL:
    cdef Step* step = &STEPS[which][dtype][scaled]
    if step.state == 0:
        fill_step(step, UFUNCS[which], dtype, scaled, which == REAL_BACKWARD)
    return step


cdef int fill_step(Step* step, object ufunc, int dtype, bint scaled, bint to_real) except -1:
    """Ask NumPy which loop its function would call: its factor is a Python int where it is 1."""
    cdef int operand
    step.state = -1
    given = numpy_dtype(dtype)
    real = numpy.result_type(numpy.empty(0, given).real.dtype, 1.0)
    wanted = real if to_real else numpy.result_type(given, 1j)
    if not isinstance(ufunc, numpy.ufunc):
        return 0
    try:
        resolved = ufunc.resolve_dtypes((given, real if scaled else int, wanted))
    except TypeError:  # no loop: NumPy says so in its own words when the call is made
        return 0
    for operand in range(3):
        step.types[operand] = index_of_numpy(resolved[operand])
        if step.types[operand] < 0:
            return 0
    step.result, step.factor = index_of_numpy(wanted), index_of_numpy(real)
    if find_loop(ufunc, step.types, &step.loop) and not (scaled and step.factor == FLOAT16):
        step.state = 1
    return 0


def available():
    """Return whether this NumPy has all the loops that transforms are computed by."""
    cdef int which
    for which in range(LOOPS):
        if find_step(which, FLOAT64, False).state != 1:
            return False
    return True


# --- one axis ---------------------------------------------------------------------------------------------------------

cdef ndarray new_kept(ndarray prototype, int dtype, int axis, int64_t length):
    """Return a new array of the prototype's shape but for one axis, its axes in the order they have in memory."""
    cdef int64_t shape[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef int order[MAXDIMS]
    cdef int ndim = fill_shape(prototype, shape)
    cdef int place, other, moved
    cdef int64_t step = ITEMSIZES[dtype]
    cdef const int64_t* old = prototype.header.strides()
    shape[axis] = length
    if ndim == 1 or is_c_contiguous(prototype):
        return new_array(dtype, ndim, shape)
    for place in range(ndim):
        moved = ndim - 1 - place if is_f_contiguous(prototype) else place
        other = place
        while not is_f_contiguous(prototype) and other > 0 and old[order[other - 1]] < old[moved]:
            order[other] = order[other - 1]
            other -= 1
        order[other] = moved
    for place in range(ndim - 1, -1, -1):
        strides[order[place]] = step
        step *= shape[order[place]] if shape[order[place]] > 1 else 1
    return new_result(dtype, ndim, shape, strides)


cdef bint fits(const Operand& source, const Operand& target, int axis, int64_t points) noexcept:
    """Whether an operand has the shape of a transform along an axis."""
    cdef int other
    if target.ndim != source.ndim:
        return False
    for other in range(source.ndim):
        if target.shape[other] != (points if other == axis else source.shape[other]):
            return False
    return True


cdef ndarray lengthened(ndarray array, int axis, int64_t length):
    """Return an array with zeros behind its elements along an axis."""
    cdef int64_t shape[MAXDIMS]
    cdef Operand given, wanted
    cdef ndarray longer
    fill_shape(array, shape)
    shape[axis] = length
    longer = new_zeros(dtype_of(array), array.header.dim(), shape)
    fill_operand(&given, array)
    fill_operand(&wanted, longer)
    wanted.shape[axis] = given.shape[axis]
    copy_operand(wanted, given)
    return longer


cdef ndarray planned(ndarray array, int kind, int64_t length, int64_t points, int axis, const Step* step, double factor,
                     ndarray out):
    """Return the transform that MKL computes, or None where NumPy's loops are to: they also say what is no number."""
    cdef int64_t given_length = array.header.sizes()[axis], needed = length // 2 + 1 if kind == REAL_BACKWARD else length
    cdef bint complex_in = is_complex_dtype(dtype_of(array)), whole = kind <= BACKWARD and not complex_in
    # NumPy: single precision is computed in double, but where there is a factor; torch: in single.
    cdef bint in_single = step.types[2] == COMPLEX64 or step.types[2] == FLOAT32
    cdef bint rounds = not in_single and (step.result == COMPLEX64 or step.result == FLOAT32)
    cdef int from_type = step.types[0] if complex_in or kind >= REAL_FORWARD else FLOAT32 if in_single else FLOAT64
    cdef int to_type = step.types[2]
    cdef ndarray prototype = array, target = None, rounded
    cdef Operand given, wanted
    cdef unsigned flags
    fill_operand(&given, array)
    if step.result == FLOAT16 or not is_planned(<Transform>kind, given, axis, length):
        return None
    if out is not None:
        fill_operand(&wanted, out)
        if dtype_of(out) != step.result or not fits(given, wanted, axis, points):
            return None
        # Into another layout a result of other last places might be computed; over what is transformed there is no second try.
        if not rounds and is_c_contiguous(out) and is_c_contiguous(array) and not may_overlap(given, wanted):
            target = out
    if dtype_of(array) != from_type:
        array = astype(array, from_type, ORDER_K, False)
    if given_length < needed:
        array = lengthened(array, axis, needed)
    if array is not prototype:
        fill_operand(&given, array)
    if not lies_for_plan(given, axis):
        array = copy_array(array, ORDER_K)
        fill_operand(&given, array)
    if target is None:
        target = new_kept(prototype, to_type, axis, points)
    fill_operand(&wanted, target)
    clear_float_flags(True)
    if not transform_by_plan(<Transform>kind, given, wanted, axis, length, factor, whole):
        return None
    if rounds:
        rounded = new_kept(target, step.result, axis, points)
        round_to_floats(<double*>data_of(target), <float*>data_of(rounded), target.header.numel() * (
            2 if to_type == COMPLEX128 else 1))
        target = rounded
    flags = raised_float_flags(True)
    if flags & ~<unsigned>UNDERFLOW:
        return None
    if flags:
        report_float_flags(flags, NAMES[kind])
    return target if out is None or target is out else written(out, target)


cdef ndarray written(ndarray out, ndarray result):
    """Write a result into an array of its shape and dtype, and return that; None where it is of another one."""
    cdef Operand given, wanted
    fill_operand(&given, result)
    fill_operand(&wanted, out)
    if dtype_of(out) != dtype_of(result) or not fits(given, wanted, 0, given.shape[0]):
        return None
    copy_operand(wanted, given)
    return out


cdef double factor_of(int64_t length, int norm, bint single) noexcept:
    if norm == WHOLE:
        return 1
    if single:
        return <float>1 / sqrtf(<float>length) if norm == ROOT else <float>1 / <float>length
    return 1 / sqrt(<double>length) if norm == ROOT else 1 / <double>length


cdef ndarray transformed(ndarray array, int kind, int64_t length, int axis, int norm, ndarray out, bint spent):
    """Return a transform along one axis, or None where NumPy has to compute it.

    `spent`: nobody else sees the array, so that the result may lie in its memory.
    """
    cdef Step* step
    cdef ndarray source = array, target
    cdef Operand given, wanted
    cdef int64_t points = length
    cdef int which = kind
    cdef unsigned flags
    cdef double factor
    cdef float single
    if kind == REAL_FORWARD:
        points = length // 2 + 1
        which = kind if length % 2 == 0 else 4
    step = find_step(which, dtype_of(array), norm != WHOLE)
    if step.state != 1:
        return None
    factor = factor_of(length, norm, step.factor == FLOAT32)
    single = <float>factor
    target = planned(array, kind, length, points, axis, step, factor_of(length, norm, False), out)
    if target is not None:
        return target
    if dtype_of(array) != step.types[0]:
        source = astype(array, step.types[0], ORDER_K, False)
        spent = True
    if out is not None:
        if dtype_of(out) != step.types[2] or step.types[2] != step.result:
            return None
        target = out
    elif spent and step.types[0] == step.types[2] and source.header.sizes()[axis] == points:
        target = source
    else:
        target = new_kept(array, step.types[2], axis, points)
    fill_operand(&given, source)
    fill_operand(&wanted, target)
    if not fits(given, wanted, axis, points) or out is not None and may_overlap(given, wanted):
        return None
    clear_float_flags(True)
    run_along(step.loop, given, <char*>&single if step.types[1] == FLOAT32 else <char*>&factor, wanted, axis, points,
              source.header.numel() + target.header.numel() >= RELEASE_FROM)
    flags = raised_float_flags(True)
    raise_pending()
    if flags:
        report_float_flags(flags, NAMES[which])
    return target if step.types[2] == step.result else astype(target, step.result, ORDER_K, False)


# --- arguments --------------------------------------------------------------------------------------------------------

cdef bint is_common(PyObject* slot):
    """Whether a slot holds a plain array that has elements."""
    return type(<object>slot) is ndarray and (<ndarray>slot).header.is_plain() and (
        dtype_of(<ndarray>slot) < NUM_NUMPY_DTYPES and (<ndarray>slot).header.dim() > 0
        and (<ndarray>slot).header.numel() > 0 and thread_is_plain())


cdef ndarray target_in(PyObject* slot):
    """Return what a slot holds where a result may be written into it, or None."""
    if type(<object>slot) is not ndarray or not (<ndarray>slot).header.is_plain() or not (<ndarray>slot).writeable_:
        return None
    return <ndarray>slot


cdef int norm_of(object norm, bint backward) except -1:
    """Read a norm as it is along its direction."""
    if norm is None:
        return INVERSE if backward else WHOLE
    if type(norm) is not str:
        return WRONG
    if norm == "ortho":
        return ROOT
    if norm == "backward":
        return INVERSE if backward else WHOLE
    if norm == "forward":
        return WHOLE if backward else INVERSE
    return WRONG


cdef bint to_int(object value, int64_t* number) except -1:
    cdef int overflow = 0
    if type(value) is not int:
        return False
    number[0] = PyLong_AsLongLongAndOverflow(value, &overflow)
    return not overflow


cdef bint to_axis(object value, int ndim, int* axis) except -1:
    cdef int64_t number = 0
    if not to_int(value, &number) or not -ndim <= number < ndim:
        return False
    axis[0] = <int>(number if number >= 0 else number + ndim)
    return True


cdef int conjugate(ndarray array) except -1:
    """Conjugate a new array in place: its elements lie in one block."""
    cdef int64_t index
    if dtype_of(array) == COMPLEX128:
        for index in range(array.header.numel()):
            (<double*>data_of(array))[2 * index + 1] = -(<double*>data_of(array))[2 * index + 1]
    elif dtype_of(array) == COMPLEX64:
        for index in range(array.header.numel()):
            (<float*>data_of(array))[2 * index + 1] = -(<float*>data_of(array))[2 * index + 1]
    return 0


cdef object along_one(PyObject** slots, int kind, bint hermitian):
    """Transform for the slots (a, n, axis, norm, out)."""
    cdef ndarray array, result, out = None
    cdef int axis = 0, norm
    cdef int64_t length
    cdef bint backward = kind == BACKWARD or kind == REAL_BACKWARD
    if not is_common(slots[0]):
        return NotImplemented
    array = <ndarray>slots[0]
    # The transforms of what is Hermitian are those of real numbers the other way round.
    norm = norm_of(<object>slots[3], backward != hermitian)
    if norm == WRONG or not to_axis(<object>slots[2], array.header.dim(), &axis):
        return NotImplemented
    if slots[1] == <PyObject*>None:
        length = array.header.sizes()[axis]
        if kind == REAL_BACKWARD:
            length = 2 * (length - 1)
    elif not to_int(<object>slots[1], &length):
        return NotImplemented
    if length < 1:
        return NotImplemented
    # NumPy: `hfft` leaves `out` alone.
    if slots[4] != <PyObject*>None and not (hermitian and kind == REAL_BACKWARD):
        out = target_in(slots[4])
        if out is None:
            return NotImplemented
    if hermitian and kind == REAL_BACKWARD and dtype_of(array) >= COMPLEX64:
        array = copy_array(array, ORDER_K)
        conjugate(array)
    result = transformed(array, kind, length, axis, norm, None if hermitian else out, False)
    if result is None:
        return NotImplemented
    if hermitian and kind == REAL_FORWARD:
        conjugate(result)
        if out is not None:
            result = written(out, result)
            if result is None:
                return NotImplemented
    if out is not None:
        out.header.bump_version()
    return result


cdef ndarray transformed_planes(ndarray array, int64_t rows, int64_t columns, int norm, bint backward):
    """Transform real numbers along the last two axes, as half of the result, of which the rest is the conjugate.

    None where MKL does not transform them, or single precision: NumPy rounds between the axes. The inverse transform of real
    numbers is the conjugate of the other one.
    """
    cdef int ndim = array.header.dim()
    cdef const Step* step = find_step(REAL_FORWARD, dtype_of(array), norm != WHOLE)
    cdef ndarray half, result
    cdef int64_t shape[MAXDIMS]
    cdef int64_t planes
    if step.state != 1 or step.result != COMPLEX128:
        return None
    half = planned(array, REAL_FORWARD, columns, columns // 2 + 1, ndim - 1, step, factor_of(columns, norm, False), None)
    if half is None:
        return None
    half = transformed(half, FORWARD, rows, ndim - 2, norm, None, True)
    if half is None:
        return None
    if not is_c_contiguous(half):
        half = copy_array(half, ORDER_C)
    fill_shape(half, shape)
    shape[ndim - 1] = columns
    result = new_array(COMPLEX128, ndim, shape)
    planes = result.header.numel() // (rows * columns)
    fill_planes(<const double*>data_of(half), <double*>data_of(result), planes, rows, columns, backward)
    return result


cdef ndarray steps_along(ndarray array, int kind, int count, const int* axes, const int64_t* lengths, int norm):
    """Return the transform along several axes, or None where NumPy has to compute it."""
    cdef int ndim = array.header.dim(), place, turn, each = kind
    cdef ndarray result
    if (kind == FORWARD or kind == BACKWARD) and count == 2 and axes[0] == ndim - 2 and axes[1] == ndim - 1 and (
            is_c_contiguous(array) and not is_complex_dtype(dtype_of(array))):
        result = transformed_planes(array, lengths[0], lengths[1], norm, kind == BACKWARD)
        if result is not None:
            return result
    result = array
    if kind == REAL_FORWARD or kind == REAL_BACKWARD:
        each = FORWARD if kind == REAL_FORWARD else BACKWARD
    # NumPy: the last axis first, but for the way back to real numbers.
    for turn in range(count):
        place = turn if kind == REAL_BACKWARD else count - 1 - turn
        result = transformed(
            result, kind if place == count - 1 else each, lengths[place], axes[place], norm, None, turn > 0)
        if result is None:
            return None
    return result


cdef object along_several(PyObject** slots, int kind, bint into_out):
    """Transform for the slots (a, s, axes, norm, out)."""
    cdef ndarray array, result, out = None
    cdef int axes[MAXDIMS]
    cdef int64_t lengths[MAXDIMS]
    cdef int norm, count, ndim, place, other
    cdef bint backward = kind == BACKWARD or kind == REAL_BACKWARD
    if not is_common(slots[0]):
        return NotImplemented
    if into_out and slots[4] != <PyObject*>None:
        out = target_in(slots[4])
        if out is None:
            return NotImplemented
    array = <ndarray>slots[0]
    ndim = array.header.dim()
    norm = norm_of(<object>slots[3], backward)
    if norm == WRONG:
        return NotImplemented
    s, given = <object>slots[1], <object>slots[2]
    if given is None:
        count = ndim
        for place in range(ndim):
            axes[place] = place
    elif type(given) is tuple or type(given) is list:
        count = len(given)
        if not 0 < count <= MAXDIMS:
            return NotImplemented
        for place in range(count):
            if not to_axis(given[place], ndim, &axes[place]):
                return NotImplemented
    else:
        return NotImplemented
    for place in range(count):
        lengths[place] = array.header.sizes()[axes[place]]
    if s is None:
        if kind == REAL_BACKWARD:
            lengths[count - 1] = 2 * (lengths[count - 1] - 1)
    elif given is None or type(s) is not tuple and type(s) is not list or len(s) != count:
        return NotImplemented
    else:
        for place in range(count):
            if type(s[place]) is not int:
                return NotImplemented
            if s[place] != -1 and not to_int(s[place], &lengths[place]):
                return NotImplemented
    for place in range(count):
        if lengths[place] < 1:
            return NotImplemented
    if out is None:
        result = steps_along(array, kind, count, axes, lengths, norm)
        return NotImplemented if result is None else result
    # NumPy: every step writes into `out`, so that its shape has to be that of each; but for the way back to real numbers.
    for place in range(count):
        if kind != REAL_BACKWARD and place < count - 1 and lengths[place] != array.header.sizes()[axes[place]]:
            return NotImplemented
        for other in range(place):
            if axes[other] == axes[place]:
                return NotImplemented
    result = steps_along(array, kind, count, axes, lengths, norm)
    if result is None or written(out, result) is None:
        return NotImplemented
    out.header.bump_version()
    return out


cdef object fft(PyObject** slots):
    return along_one(slots, FORWARD, False)


cdef object ifft(PyObject** slots):
    return along_one(slots, BACKWARD, False)


cdef object rfft(PyObject** slots):
    return along_one(slots, REAL_FORWARD, False)


cdef object irfft(PyObject** slots):
    return along_one(slots, REAL_BACKWARD, False)


cdef object hfft(PyObject** slots):
    return along_one(slots, REAL_BACKWARD, True)


cdef object ihfft(PyObject** slots):
    return along_one(slots, REAL_FORWARD, True)


cdef object fftn(PyObject** slots):
    return along_several(slots, FORWARD, True)


cdef object ifftn(PyObject** slots):
    return along_several(slots, BACKWARD, True)


cdef object rfftn(PyObject** slots):
    return along_several(slots, REAL_FORWARD, True)


cdef object irfftn(PyObject** slots):
    return along_several(slots, REAL_BACKWARD, True)


# NumPy: these two leave `out` alone.
cdef object ifft2(PyObject** slots):
    return along_several(slots, BACKWARD, False)


cdef object irfft2(PyObject** slots):
    return along_several(slots, REAL_BACKWARD, False)


#: Name of the function to its body.
BODIES = {
    "fft": new_compiled_body(fft),
    "fftn": new_compiled_body(fftn),
    "hfft": new_compiled_body(hfft),
    "ifft": new_compiled_body(ifft),
    "ifft2": new_compiled_body(ifft2),
    "ifftn": new_compiled_body(ifftn),
    "ihfft": new_compiled_body(ihfft),
    "irfft": new_compiled_body(irfft),
    "irfft2": new_compiled_body(irfft2),
    "irfftn": new_compiled_body(irfftn),
    "rfft": new_compiled_body(rfft),
    "rfftn": new_compiled_body(rfftn),
}
