"""What elements are made of: real and imaginary parts, bytes."""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from libc.string cimport memset

from fastnp._core.assign cimport ORDER_A, copy_array, new_like
from fastnp._core.converters cimport as_array
from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, ITEMSIZES
from fastnp._core.engine cimport RELEASE_FROM
from fastnp._core.kernels.arguments cimport is_plain_array
from fastnp._core.ndarray cimport (
    MAXDIMS,
    as_type,
    data_of,
    dtype_of,
    from_tensor,
    is_c_contiguous,
    ndarray,
    new_view,
    new_zeros,
    plain_view_as,
    wrapped,
)
from fastnp._core.torch_tensor cimport unwrap
from fastnp._core.views cimport is_plain

import torch

cdef extern from "byte_order.h" namespace "fastnp" nogil:
    void swap_bytes(char* data, int64_t item, int64_t count)

# What NumPy leaves the question for its parts to.
cdef frozenset NUMBERS = frozenset((int, float, complex, bool))


cdef inline bint is_complex(ndarray array) noexcept:
    return dtype_of(array) == COMPLEX64 or dtype_of(array) == COMPLEX128


cdef ndarray component(ndarray array, int part):
    cdef int64_t strides[MAXDIMS]
    cdef int axis, dtype = FLOAT32 if dtype_of(array) == COMPLEX64 else FLOAT64
    if is_plain(array):
        for axis in range(array.header.dim()):
            strides[axis] = array.header.strides()[axis] * 2
        return plain_view_as(array, dtype, array.header.dim(), array.header.sizes(), strides,
                             array.header.origin() + part * ITEMSIZES[dtype], array.flipped)
    tensor = torch.view_as_real(wrapped(array).resolve_conj()).select(-1, part)
    return new_view(array, unwrap(tensor), array.flipped)


def real_part(ndarray array not None):
    """Return the real parts: a view for complex arrays, else the array; of a scalar a scalar."""
    return component(array, 0) if is_complex(array) else array


def imaginary_part(ndarray array not None):
    """Return the imaginary parts: a view for complex arrays, else read-only zeros; of a scalar a scalar."""
    cdef ndarray zeros
    if is_complex(array):
        return component(array, 1)
    if not is_plain(array):
        zeros = from_tensor(unwrap(torch.zeros_like(wrapped(array))))
    elif is_c_contiguous(array):
        zeros = new_zeros(dtype_of(array), array.header.dim(), array.header.sizes())
    else:
        zeros = new_like(array, dtype_of(array), ORDER_A)
        memset(data_of(zeros), 0, zeros.header.numel() * ITEMSIZES[dtype_of(array)])
    zeros.scalar_ = array.scalar_
    zeros.writeable_ = False
    return zeros if type(array) is ndarray else as_type(zeros, type(array), array)


def set_real_part(ndarray array not None, value):
    """Set the real parts."""
    real_part(array)[...] = value


def set_imaginary_part(ndarray array not None, value):
    """Set the imaginary parts."""
    if not is_complex(array):
        raise TypeError("array does not have imaginary part to set")
    component(array, 1)[...] = value


cdef object real(PyObject** slots):
    return (<object>slots[0]).real if type(<object>slots[0]) in NUMBERS else real_part(as_array(<object>slots[0]))


cdef object imag(PyObject** slots):
    return (<object>slots[0]).imag if type(<object>slots[0]) in NUMBERS else imaginary_part(as_array(<object>slots[0]))


cdef object byteswap(PyObject** slots):
    """a.byteswap(inplace)."""
    cdef ndarray swapped
    cdef char* data
    cdef int64_t item, count
    if not is_plain_array(slots[0]) or <object>slots[1] is not False or (<ndarray><object>slots[0]).scalar_:
        return NotImplemented
    swapped = copy_array(<ndarray><object>slots[0], ORDER_A)
    data, item, count = swapped.header.origin(), ITEMSIZES[dtype_of(swapped)], swapped.header.numel()
    if is_complex(swapped):
        item, count = item // 2, count * 2
    if count < RELEASE_FROM:
        swap_bytes(data, item, count)
    else:
        with nogil:
            swap_bytes(data, item, count)
    return swapped


#: Name of the function or method to its body.
BODIES = {
    "byteswap": new_compiled_body(byteswap),
    "imag": new_compiled_body(imag),
    "real": new_compiled_body(real),
}
