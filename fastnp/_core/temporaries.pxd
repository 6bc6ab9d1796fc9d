"""Large operands that are temporaries take the result: `a + b + c` needs one block of memory, not two."""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.dtype cimport ITEMSIZES
from fastnp._core.loops cimport LoopTable
from fastnp._core.ndarray cimport header_of, ndarray

cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(PyObject*)

cdef extern from "temporaries.h" namespace "fastnp" nogil:
    cdef cppclass Callers:
        pass

cdef enum:
    # Bytes from which a temporary takes the result: to find out that it is one takes 1 us.
    REUSED_FROM = 1 << 18


cdef inline bint may_be_temporary(PyObject* operand) noexcept:
    return Py_REFCNT(operand) == 1 and type(<object>operand) is ndarray and (
        header_of(operand).owns_block_alone()
        and header_of(operand).numel() * ITEMSIZES[header_of(operand).dtype()] >= REUSED_FROM)


# Whether the interpreter executes an operation to have its callers learned.
cdef bint learning

# Return the result in the memory of an operand that is a temporary; None where there is none, or the result would not be what
# a new array is. The second operand of a function of one is of no interest. Each `callers` belongs to one place that calls
# this function. While callers are learned, any object is returned.
cdef object into_temporary(Callers* callers, LoopTable table, PyObject* a, PyObject* b)
