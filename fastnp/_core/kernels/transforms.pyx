"""Discrete Fourier transforms of plain arrays, by the inner loops of NumPy's own generalized ufuncs.

NumPy keeps these ufuncs in a private module, `numpy.fft._pocketfft_umath`: where a NumPy has none there, or none of a dtype,
every body declines, by NotImplemented, and NumPy's functions compute the call as they do what is not common.
"""
from cpython.object cimport PyObject
from libc.math cimport sqrt
from libc.stdint cimport int64_t, intptr_t

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
from fastnp._core.engine cimport Loop, Operand, clear_float_flags, find_loop, may_overlap, raised_float_flags
from fastnp._core.kernels.matrices cimport all_finite
from fastnp._core.libtorch.exceptions cimport translate_torch_error
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.loops cimport fill_operand, new_result, raise_pending, report_float_flags
from fastnp._core.ndarray cimport (
    MAXDIMS,
    data_of,
    dtype_of,
    fill_shape,
    from_tensor,
    is_c_contiguous,
    is_f_contiguous,
    ndarray,
    new_array,
    tensor_of,
    thread_is_plain,
    to_torch,
    wrapped,
)
from fastnp._core.torch_tensor cimport unwrap

import numpy
import numpy.fft
import torch

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object, int*)

cdef extern from "<cmath>" nogil:
    float sqrtf(float)

cdef extern from "blas.h" namespace "fastnp" nogil:
    bint mkl_is_quick()
    bint mkl_inverts_quickly()

cdef extern from "one_transform.h" namespace "fastnp":
    Tensor transform_of(const Tensor&, bint backward, int norm) except +translate_torch_error

# The kinds of transform: of complex numbers, of real ones, and back.
cdef enum Kind:
    FORWARD, BACKWARD, REAL_FORWARD, REAL_BACKWARD

# What a result is multiplied by: 1, or a factor of the length; the numbers are ATen's as well.
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

cdef tuple IN_TORCH = (torch.fft.fft, torch.fft.ifft, torch.fft.rfft, torch.fft.irfft)
cdef tuple SEVERAL_IN_TORCH = (torch.fft.fftn, torch.fft.ifftn, torch.fft.rfftn, torch.fft.irfftn)

# From this many elements on other threads may run meanwhile.
cdef int64_t RELEASE_FROM = 4000


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


cdef void run(Loop loop, char* source, char* factor, char* target, int axis, int ndim, const int64_t* shape,
              const int64_t* source_strides, const int64_t* target_strides, int64_t length) noexcept nogil:
    """Call a loop for all lines along an axis; `shape` is the source's, `length` that of the target along the axis."""
    cdef int64_t sizes[MAXDIMS]
    cdef int64_t places[MAXDIMS]
    cdef int64_t from_steps[MAXDIMS]
    cdef int64_t to_steps[MAXDIMS]
    cdef intptr_t[3] dims
    cdef intptr_t[5] steps
    cdef char* args[3]
    cdef int outer = 0, other, last
    # The axes beside the one in question, those that lie together as one.
    for other in range(ndim):
        if other == axis or shape[other] == 1:
            continue
        if outer and from_steps[outer - 1] == source_strides[other] * shape[other] and (
                to_steps[outer - 1] == target_strides[other] * shape[other]):
            sizes[outer - 1] *= shape[other]
        else:
            sizes[outer] = shape[other]
            outer += 1
        from_steps[outer - 1], to_steps[outer - 1] = source_strides[other], target_strides[other]
        places[outer - 1] = 0
    if outer == 0:
        sizes[0], from_steps[0], to_steps[0], outer = 1, 0, 0, 1
    last = outer - 1
    dims = [sizes[last], shape[axis], length]
    steps = [from_steps[last], 0, to_steps[last], source_strides[axis], target_strides[axis]]
    args[0], args[1], args[2] = source, factor, target
    while True:
        loop.function(args, dims, steps, loop.data)
        other = last - 1
        while other >= 0:
            args[0] += from_steps[other]
            args[2] += to_steps[other]
            places[other] += 1
            if places[other] < sizes[other]:
                break
            args[0] -= from_steps[other] * sizes[other]
            args[2] -= to_steps[other] * sizes[other]
            places[other] = 0
            other -= 1
        if other < 0:
            return


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
    cdef double factor = 1
    cdef float single
    if kind == REAL_FORWARD:
        points = length // 2 + 1
        which = kind if length % 2 == 0 else 4
    step = find_step(which, dtype_of(array), norm != WHOLE)
    if step.state != 1:
        return None
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
    if norm != WHOLE:
        if step.factor == FLOAT32:
            factor = <float>1 / sqrtf(<float>length) if norm == ROOT else <float>1 / <float>length
        else:
            factor = 1 / sqrt(<double>length) if norm == ROOT else 1 / <double>length
    single = <float>factor
    fill_operand(&given, source)
    fill_operand(&wanted, target)
    if out is not None and (wanted.ndim != given.ndim or wanted.shape[axis] != points or may_overlap(given, wanted)):
        return None
    for other in range(given.ndim):
        if other != axis and wanted.shape[other] != given.shape[other]:
            return None
    cdef char* scale = <char*>&single if step.types[1] == FLOAT32 else <char*>&factor
    if source.header.numel() + target.header.numel() < RELEASE_FROM:
        clear_float_flags(True)
        run(step.loop, given.data, scale, wanted.data, axis, given.ndim, given.shape, given.strides, wanted.strides, points)
        flags = raised_float_flags(True)
    else:
        with nogil:
            clear_float_flags(True)
            run(step.loop, given.data, scale, wanted.data, axis, given.ndim, given.shape, given.strides, wanted.strides,
                points)
            flags = raised_float_flags(True)
    raise_pending()
    if flags:
        report_float_flags(flags, NAMES[which])
    return target if step.types[2] == step.result else astype(target, step.result, ORDER_K, False)


# --- by torch ---------------------------------------------------------------------------------------------------------

# Where MKL's transforms, which torch calls, were measured to be the faster ones; on what is smaller its call takes longer.
# One long line is so on the processors alone that MKL is made for: a million complex numbers took 1.24 elsewhere.
# Numbers along the last axes only: along another one, torch's results have another layout than NumPy's.
cdef enum:
    SMOOTH = 11           # the largest prime factor of a length that is of no trouble
    FAIR_LINE = 3500      # one line of complex numbers, of a smooth length, where it is called past torch's functions ...
    MOST_FAIR = 32768     # ... up to here: beyond, the C library may give torch fresh pages for each result
    LONG_LINE = 20000     # the same where it is called by them ...
    LONG_POWER = 131072   # ... and of one that is a power of two
    MANY = 8000           # elements of several lines
    SHORT_LINE = 64       # where MKL takes many lines at once
    MANY_ROUGH = 3000     # elements of several lines whose length is not smooth
    MANY_ROUGH_ROWS = 900  # the same, along several axes
    MANY_REAL = 32768     # elements, of real numbers in arrays of three axes and more


cdef bint is_smooth(int64_t length) noexcept nogil:
    cdef int64_t factor
    for factor in range(2, SMOOTH + 1):
        while length % factor == 0:
            length //= factor
    return length == 1


cdef bint is_better_in_torch(ndarray array, int kind, int axis, int64_t length, int count) noexcept:
    """Whether torch is better at a transform along `count` axes, the last of which is `axis`."""
    cdef int dtype = dtype_of(array), ndim = array.header.dim()
    cdef int64_t total = array.header.numel(), along = array.header.sizes()[axis]
    cdef bint complex_in = dtype == COMPLEX128
    # NumPy computes single precision in double: torch's numbers would be less exact.
    if total < MANY_ROUGH_ROWS or axis != ndim - 1 or dtype == COMPLEX64 or dtype == FLOAT32 or dtype == FLOAT16 or (
            not is_c_contiguous(array)):
        return False
    if kind == REAL_BACKWARD:
        return count == 1 and total >= MANY and along < total and length <= SHORT_LINE
    if kind == REAL_FORWARD:
        if complex_in:
            return False
        if count > 1 and along < total and not is_smooth(length):
            return total >= MANY_ROUGH
        return along < total and (count == 1 and total >= MANY and length <= SHORT_LINE or ndim > 2 and total >= MANY_REAL)
    if along == total:
        return mkl_is_quick() and complex_in and is_smooth(length) and (
            length >= (LONG_LINE if length & (length - 1) else LONG_POWER))
    if total >= MANY:
        return True
    return total >= (MANY_ROUGH if count == 1 else MANY_ROUGH_ROWS) and not is_smooth(length)


cdef bint is_fair_line(ndarray array, int kind, int64_t length) noexcept:
    """Whether an array is one line of complex numbers that MKL is better at wherever it has AVX-512."""
    return (kind == FORWARD or kind == BACKWARD) and dtype_of(array) == COMPLEX128 and array.header.dim() == 1 and (
        FAIR_LINE <= length <= MOST_FAIR and length == array.header.numel() and mkl_inverts_quickly() and is_smooth(length)
        and is_c_contiguous(array))


cdef bint is_settled(ndarray result) except -1:
    """Whether what torch computed raised no flag: of what did, NumPy says by its own steps what becomes of it, and warns."""
    if raised_float_flags(True):
        return False
    if torch.get_num_threads() == 1:
        return True
    # torch's threads have flags of their own.
    if is_c_contiguous(result) and (dtype_of(result) == FLOAT64 or dtype_of(result) == COMPLEX128):
        return all_finite(result)
    return bool(torch.isfinite(wrapped(result)).all())


cdef ndarray by_torch(object function, ndarray array, object lengths, object axes, object norm, bint complex_in):
    """Call a function of torch on an array, as complex numbers where it is better at those."""
    cdef int dtype = dtype_of(array)
    if complex_in:
        array = astype(array, COMPLEX128, ORDER_K, False)
    elif dtype != COMPLEX128:
        array = astype(array, FLOAT64, ORDER_K, False)
    return from_tensor(unwrap(function(to_torch(array), lengths, axes, norm)))


cdef dict OF_REAL_INVERSE = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}


cdef ndarray plane_by_torch(ndarray array, tuple lengths, tuple axes, object norm, bint backward):
    """Transform real numbers along the last two axes, as half of the result, of which the rest is the conjugate: 0.6 of the time.

    The inverse transform of real numbers is the conjugate of the other one.
    """
    cdef ndarray half, result
    cdef int64_t rows = lengths[0], columns = lengths[1], known = columns // 2 + 1, _turn, row, column
    cdef int64_t[64] shape
    cdef int ndim = array.header.dim()
    cdef const double* source
    cdef const double* mirrored
    cdef double* target
    cdef double sign = -1.0 if backward else 1.0
    half = by_torch(torch.fft.rfftn, array, lengths, axes, OF_REAL_INVERSE[norm] if backward else norm, False)
    if not is_c_contiguous(half):
        half = copy_array(half, ORDER_C)
    fill_shape(half, shape)
    shape[ndim - 1] = columns
    result = new_array(COMPLEX128, ndim, shape)
    source, target = <const double*>data_of(half), <double*>data_of(result)
    with nogil:
        for _turn in range(half.header.numel() // (rows * known)):
            for row in range(rows):
                mirrored = source + 2 * known * ((rows - row if row > 0 else 0) - row)
                for column in range(known):
                    target[2 * column] = source[2 * column]
                    target[2 * column + 1] = sign * source[2 * column + 1]
                for column in range(known, columns):
                    target[2 * column] = mirrored[2 * (columns - column)]
                    target[2 * column + 1] = -sign * mirrored[2 * (columns - column) + 1]
                source += 2 * known
                target += 2 * columns
    return result


# --- arguments --------------------------------------------------------------------------------------------------------

cdef bint is_common(PyObject* slot):
    """Whether a slot holds a plain array that has elements."""
    return type(<object>slot) is ndarray and (<ndarray>slot).header.is_plain() and (
        dtype_of(<ndarray>slot) < NUM_NUMPY_DTYPES and (<ndarray>slot).header.dim() > 0
        and (<ndarray>slot).header.numel() > 0 and thread_is_plain())


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
    cdef bint backward = kind == BACKWARD or kind == REAL_BACKWARD, fair
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
    if slots[4] != <PyObject*>None:
        if hermitian or type(<object>slots[4]) is not ndarray:
            return NotImplemented
        out = <ndarray>slots[4]
        if not out.header.is_plain() or not out.writeable_:
            return NotImplemented
    if out is None and not hermitian:
        fair = is_fair_line(array, kind, length)
        if fair or is_better_in_torch(array, kind, axis, length, 1):
            clear_float_flags(True)
            result = from_tensor(transform_of(tensor_of(array)[0], backward, norm)) if fair else by_torch(
                IN_TORCH[kind], array, length, axis, <object>slots[3], False)
            if is_settled(result):
                return result
    if hermitian and kind == REAL_BACKWARD and dtype_of(array) >= COMPLEX64:
        array = copy_array(array, ORDER_K)
        conjugate(array)
    result = transformed(array, kind, length, axis, norm, out, False)
    if result is None:
        return NotImplemented
    if hermitian and kind == REAL_FORWARD:
        conjugate(result)
    if out is not None:
        out.header.bump_version()
    return result


cdef bint are_last(const int* axes, int count, int ndim) noexcept:
    cdef int place
    for place in range(count):
        if axes[place] != ndim - count + place:
            return False
    return True


cdef object along_several(PyObject** slots, int kind):
    """Transform for the slots (a, s, axes, norm, out)."""
    cdef ndarray array, result
    cdef int axes[MAXDIMS]
    cdef int64_t lengths[MAXDIMS]
    cdef int norm, count, ndim, place, turn, each = kind
    cdef bint backward = kind == BACKWARD or kind == REAL_BACKWARD
    if not is_common(slots[0]) or slots[4] != <PyObject*>None:
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
    if is_better_in_torch(array, kind, axes[count - 1], lengths[count - 1], count) and are_last(axes, count, ndim):
        s = tuple([lengths[place] for place in range(count)])
        given = tuple([axes[place] for place in range(count)])
        clear_float_flags(True)
        if (kind == FORWARD or kind == BACKWARD) and count == 2 and dtype_of(array) < COMPLEX64:
            result = plane_by_torch(array, s, given, <object>slots[3], kind == BACKWARD)
        else:
            result = by_torch(
                SEVERAL_IN_TORCH[kind], array, s, given, <object>slots[3], kind == FORWARD or kind == BACKWARD)
        if is_settled(result):
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
            return NotImplemented
    return result


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
    return along_several(slots, FORWARD)


cdef object ifftn(PyObject** slots):
    return along_several(slots, BACKWARD)


cdef object rfftn(PyObject** slots):
    return along_several(slots, REAL_FORWARD)


cdef object irfftn(PyObject** slots):
    return along_several(slots, REAL_BACKWARD)


#: Name of the function to its body.
BODIES = {
    "fft": new_compiled_body(fft),
    "fftn": new_compiled_body(fftn),
    "hfft": new_compiled_body(hfft),
    "ifft": new_compiled_body(ifft),
    "ifftn": new_compiled_body(ifftn),
    "ihfft": new_compiled_body(ihfft),
    "irfft": new_compiled_body(irfft),
    "irfftn": new_compiled_body(irfftn),
    "rfft": new_compiled_body(rfft),
    "rfftn": new_compiled_body(rfftn),
}
