"""einsum of any plain arrays, two operands at a time."""
from libc.stdint cimport int8_t, int64_t, uint64_t

from fastnp._core.engine cimport MAX_OPERANDS
from fastnp._core.ndarray cimport MAXDIMS, ndarray

cdef enum:
    LABELS = 64     # letters in the order of the alphabet, then the axes of the ellipsis

# An operand or the result: the label of each axis, and all of them as a set.
cdef struct Term:
    int ndim
    int8_t[MAXDIMS] label
    uint64_t labels

cdef struct Subscripts:
    int count       # of operands
    Term[MAX_OPERANDS] terms
    Term result
    int64_t[LABELS] size

# The axis that has a label, or -1.
cdef int axis_of(const Term* term, int label) noexcept nogil
cdef bint are_labels_apart(const Term* term) noexcept
cdef ndarray elements_summed_up(ndarray a, const Term* first, ndarray b, const Term* second, const Term* result, bint in_c_order)
# The dtype that operands (behind the text) are multiplied in, or -1 where NumPy has to say it: one is no plain array.
cdef int common_dtype(tuple operands) except -2
# Read the subscripts of such operands; False where NumPy has to say what they mean.
cdef bint parse(str text, tuple operands, Subscripts* found) except -1
# The result, or NotImplemented where NumPy has to say it; nothing has been written then.
cdef object contract(tuple operands, Subscripts* found, int dtype)
