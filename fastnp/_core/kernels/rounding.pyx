"""`round` of plain arrays: NumPy's three steps, multiplication, `rint` and division, in one."""
from cpython.object cimport PyObject
from libc.math cimport isfinite, rint
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from fastnp._core.assign cimport ORDER_A, ORDER_K, copy_array
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport FLOAT32, FLOAT64, INT8, ITEMSIZES, UINT64
from fastnp._core.kernels.arguments cimport integer_of, is_plain_array
from fastnp._core.kernels.passes cimport round_elements
from fastnp._core.ndarray cimport data_of, dtype_of, ndarray, new_scalar

cdef extern from "<math.h>" nogil:
    float rintf(float)

cdef enum:
    FEW = 64  # above, wide vectors pay

# Powers of ten that are exact in both dtypes.
cdef double[11] POWERS = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10]


cdef bint round_doubles(double* values, int64_t count, int64_t decimals) noexcept nogil:
    """Round; False where a step overflows, which is warned of."""
    cdef int64_t place
    cdef double scale = POWERS[decimals if decimals > 0 else -decimals], value
    for place in range(count):
        value = values[place] * scale if decimals > 0 else values[place] / scale
        if not isfinite(value) and isfinite(values[place]):
            return False
        values[place] = rint(value) / scale if decimals > 0 else rint(value) * scale
    return True


cdef bint round_floats(float* values, int64_t count, int64_t decimals) noexcept nogil:
    cdef int64_t place
    cdef float scale = <float>POWERS[decimals if decimals > 0 else -decimals], value
    for place in range(count):
        value = values[place] * scale if decimals > 0 else values[place] / scale
        if not isfinite(value) and isfinite(values[place]):
            return False
        values[place] = rintf(value) / scale if decimals > 0 else rintf(value) * scale
    return True


cdef object round_body(PyObject** slots):
    """round(a, decimals, out)."""
    cdef ndarray array, result
    cdef int64_t decimals, count
    cdef int dtype
    cdef bint done
    if not is_plain_array(slots[0]) or slots[2] != <PyObject*>None or not integer_of(slots[1], &decimals):
        return NotImplemented
    array = <ndarray><object>slots[0]
    count, dtype = array.header.numel(), dtype_of(array)
    if dtype != FLOAT64 and dtype != FLOAT32:
        return copy_array(array, ORDER_K) if INT8 <= dtype <= UINT64 and decimals >= 0 and array.header.dim() else NotImplemented
    if array.header.dim() > 0 and decimals != 0 and (count > FEW or not -10 <= decimals <= 10):
        return round_elements(array, decimals)
    if count > FEW or not -10 <= decimals <= 10:
        return NotImplemented
    if array.header.dim() == 0:
        result = new_scalar(dtype)
        memcpy(result.header.origin(), data_of(array), ITEMSIZES[dtype])
    else:
        # Its elements lie in one piece. NumPy: `rint` alone keeps the order, else it is C or Fortran's.
        result = copy_array(array, ORDER_K if decimals == 0 else ORDER_A)
    if dtype == FLOAT64:
        done = round_doubles(<double*>result.header.origin(), count, decimals)
    else:
        done = round_floats(<float*>result.header.origin(), count, decimals)
    return result if done else NotImplemented


BODIES = {"round": new_compiled_body(round_body)}
