"""A function of one's own on fastnp's arrays, compiled: log(1 + exp(x)) without overflow.

It reads the header of the array and writes a new one in C: no Python object is made for an element, and no tensor.
"""
from libc.math cimport exp, fabs, log1p
from libc.stdint cimport int64_t

from fastnp._core.dtype cimport FLOAT64
from fastnp._core.ndarray cimport MAXDIMS, data_of, dtype_of, fill_shape, is_c_contiguous, ndarray, new_array

import fastnp as np
from fastnp.overrides import torch_function_dispatch


cdef ndarray as_doubles(object values):
    cdef ndarray array = np.asarray(values, dtype=np.float64)
    if dtype_of(array) != FLOAT64 or not is_c_contiguous(array):
        array = np.ascontiguousarray(array)
    return array


def softplus(x):
    """Return log(1 + exp(x)), element by element, as float64."""
    cdef ndarray source = as_doubles(x), result
    cdef int64_t shape[MAXDIMS]
    cdef int ndim = fill_shape(source, shape)
    cdef int64_t i, size = source.header.numel()
    cdef const double* values = <const double*>data_of(source)
    cdef double* out
    result = new_array(FLOAT64, ndim, shape)
    out = <double*>data_of(result)
    with nogil:
        for i in range(size):
            out[i] = (values[i] if values[i] > 0 else 0) + log1p(exp(-fabs(values[i])))
    return result


# Whatever has `__torch_function__` may override it, as if it were one of fastnp's own functions.
softplus = torch_function_dispatch(lambda x: (x,), module="softplus")(softplus)
