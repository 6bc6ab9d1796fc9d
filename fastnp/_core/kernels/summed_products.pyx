"""Two plain arrays multiplied element by element and summed along some of their axes, as they lie."""
from libc.stdint cimport int8_t, int64_t
from libc.string cimport memcpy, memset

from fastnp._core.dtype cimport ITEMSIZES
from fastnp._core.engine cimport RELEASE_FROM, Operand
from fastnp._core.loops cimport fill_operand, new_result
from fastnp._core.ndarray cimport MAXDIMS, data_of, dtype_of, ndarray, new_array, new_scalar

cdef extern from "sum_of_products.h" namespace "fastnp" nogil:
    cppclass SumOfProducts:
        int8_t maps[3][64]
        Operand first
        Operand second
        void prepare(int labels, int kept, int64_t* result_strides)
        void run(const Operand& result, bint conjugates)


cdef ndarray summed_products(ndarray a, const int8_t* first, ndarray b, const int8_t* second, int labels, int kept,
                             bint conjugates, bint in_c_order):
    cdef SumOfProducts call
    cdef Operand sums
    cdef int64_t[MAXDIMS] strides
    cdef int dtype = dtype_of(a), label
    cdef ndarray result
    memcpy(call.maps[0], first, labels)
    memcpy(call.maps[1], second, labels)
    fill_operand(&call.first, a)
    fill_operand(&call.second, b)
    for label in range(kept):
        sums.shape[label] = a.header.sizes()[first[label]]
    call.prepare(labels, kept, strides)
    if kept == 0:
        result = new_scalar(dtype)
    elif in_c_order:
        result = new_array(dtype, kept, sums.shape)
    else:
        result = new_result(dtype, kept, sums.shape, strides)
    memset(data_of(result), 0, result.header.numel() * ITEMSIZES[dtype])
    fill_operand(&sums, result)
    if a.header.numel() < RELEASE_FROM:
        call.run(sums, conjugates)
    else:
        with nogil:
            call.run(sums, conjugates)
    return result
