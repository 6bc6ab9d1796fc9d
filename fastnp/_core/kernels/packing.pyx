"""Truths of plain arrays packed into bits, and taken out of them.

Each body declines, by NotImplemented, what is not common: other axes than the last, integers wider than a byte, errors.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint8_t

from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport UINT8
from fastnp._core.kernels.arguments cimport axis_of, is_plain_array
from fastnp._core.ndarray cimport MAXDIMS, data_of, dtype_of, fill_shape, is_c_contiguous, ndarray, new_array

cdef extern from "packing.h" namespace "fastnp" nogil:
    void pack_lines(const uint8_t* truths, int64_t lines, int64_t length, bint highest_first, uint8_t* bytes)
    void unpack_bytes(const uint8_t* bytes, int64_t count, bint highest_first, uint8_t* truths)

cdef enum:
    RELEASE_FROM = 65536  # fewer bytes keep the GIL


cdef int first_bit(PyObject* slot) noexcept:
    """Return whether the first of eight is the highest bit; -1 for what is no `bitorder`."""
    if type(<object>slot) is not str:
        return -1
    return 1 if <str><object>slot == "big" else 0 if <str><object>slot == "little" else -1


cdef int line_shape(PyObject* slot, PyObject* axis, int64_t* shape) noexcept:
    """Fill the shape of an array of bytes in C order, cut into lines along its last axis, or one line if there is no axis;
    return the number of its axes, 0 for all else."""
    cdef ndarray array
    cdef int ndim
    if not is_plain_array(slot):
        return 0
    array = <ndarray><object>slot
    ndim = fill_shape(array, shape)
    if ndim == 0 or dtype_of(array) > UINT8 or not is_c_contiguous(array) or array.header.numel() == 0:
        return 0
    if axis == <PyObject*>None:
        shape[0] = array.header.numel()
        return 1
    return ndim if axis_of(axis, ndim) == ndim - 1 else 0


cdef object packbits(PyObject** slots):
    """packbits(a, axis, bitorder)."""
    cdef int64_t shape[MAXDIMS]
    cdef int64_t length, lines
    cdef int ndim = line_shape(slots[0], slots[1], shape), highest_first = first_bit(slots[2])
    cdef ndarray array, packed
    cdef const uint8_t* truths
    cdef uint8_t* bytes
    if ndim == 0 or highest_first < 0:
        return NotImplemented
    array = <ndarray><object>slots[0]
    length = shape[ndim - 1]
    lines = array.header.numel() // length
    shape[ndim - 1] = (length + 7) // 8
    packed = new_array(UINT8, ndim, shape)
    truths, bytes = <const uint8_t*>data_of(array), <uint8_t*>data_of(packed)
    if array.header.numel() >= RELEASE_FROM:
        with nogil:
            pack_lines(truths, lines, length, highest_first, bytes)
    else:
        pack_lines(truths, lines, length, highest_first, bytes)
    return packed


cdef object unpackbits(PyObject** slots):
    """unpackbits(a, axis, count, bitorder)."""
    cdef int64_t shape[MAXDIMS]
    cdef int64_t count
    cdef int ndim = line_shape(slots[0], slots[1], shape), highest_first = first_bit(slots[3])
    cdef ndarray array, unpacked
    cdef const uint8_t* bytes
    cdef uint8_t* truths
    if ndim == 0 or highest_first < 0 or slots[2] != <PyObject*>None or dtype_of(<ndarray><object>slots[0]) != UINT8:
        return NotImplemented
    array = <ndarray><object>slots[0]
    count = array.header.numel()
    shape[ndim - 1] *= 8
    unpacked = new_array(UINT8, ndim, shape)
    bytes, truths = <const uint8_t*>data_of(array), <uint8_t*>data_of(unpacked)
    if 8 * count >= RELEASE_FROM:
        with nogil:
            unpack_bytes(bytes, count, highest_first, truths)
    else:
        unpack_bytes(bytes, count, highest_first, truths)
    return unpacked


#: Name of the function to its body.
BODIES = {"packbits": new_compiled_body(packbits), "unpackbits": new_compiled_body(unpackbits)}
