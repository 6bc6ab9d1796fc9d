"""Products of plain vectors and matrices: dot, inner, vdot, by the inner loop of `matmul`.

Each body declines, by NotImplemented, what is not that.
"""
from cpython.object cimport PyObject

from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.dtype cimport COMPLEX64, FLOAT16
from fastnp._core.gufunc cimport is_large_product, plain_product
from fastnp._core.loops cimport LoopTable, table_of
from fastnp._core.ndarray cimport dtype_of, ndarray, thread_is_plain

import numpy

cdef LoopTable MATMUL = table_of(numpy.matmul)


cdef object product(PyObject** slots):
    """Return the product of slots (a, b), whatever follows them."""
    cdef ndarray result
    if type(<object>slots[0]) is not ndarray or type(<object>slots[1]) is not ndarray or not thread_is_plain():
        return NotImplemented
    if dtype_of(<ndarray>slots[0]) == FLOAT16 or is_large_product(MATMUL, (<object>slots[0], <object>slots[1])):
        return NotImplemented
    result = plain_product(MATMUL, <ndarray>slots[0], <ndarray>slots[1], True)
    return NotImplemented if result is None else result


cdef bint are_vectors(PyObject** slots) noexcept:
    return type(<object>slots[0]) is ndarray and type(<object>slots[1]) is ndarray and (
        (<ndarray>slots[0]).header.dim() == 1 and (<ndarray>slots[1]).header.dim() == 1)


cdef object dot(PyObject** slots):
    """dot(a, b, out)."""
    return product(slots) if slots[2] == <PyObject*>None else NotImplemented


cdef object inner(PyObject** slots):
    """inner(a, b)."""
    return product(slots) if are_vectors(slots) else NotImplemented


cdef object vdot(PyObject** slots):
    """vdot(a, b)."""
    return product(slots) if are_vectors(slots) and dtype_of(<ndarray>slots[0]) < COMPLEX64 else NotImplemented


#: Name of the function to its body.
BODIES = {
    "dot": new_compiled_body(dot),
    "inner": new_compiled_body(inner),
    "matmul": new_compiled_body(product),
    "vdot": new_compiled_body(vdot),
}
