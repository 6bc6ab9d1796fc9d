"""Which of NumPy's loops computes a call, and what becomes of the floating-point flags it raised."""
from libc.stdint cimport int64_t

from fastnp._core.engine cimport MAX_OPERANDS, Loop, Operand
from fastnp._core.ndarray cimport ndarray

cdef struct Resolution:
    # 0: not asked yet; 1: `loop` computes it; 2: of dtypes that are not NumPy's, which torch computes, the types alone are
    # known; -1: NumPy has no such loop, or needs the values.
    int state
    bint software              # the loop may raise flags by a call into the C library
    bint raises                # the loop may set a Python exception
    bint is_own                # the loop is one of ours, in the place of NumPy's
    int types[MAX_OPERANDS]    # the loop's operands
    int promoted[2]            # what the inputs are promoted to, also where the loop reads them as they are
    Loop loop

# The loop that reduces operands of one dtype to another.
cdef struct Reduction:
    int state
    bint software, has_identity, raises
    bint order_free            # the order of the operands does not show
    int types[3]               # result, operand, result
    char identity[16]
    Loop loop

cdef class TypedLoop:
    cdef Resolution entry

cdef class LoopTable:
    cdef readonly object numpy_ufunc
    cdef readonly str name
    cdef list kernels          # the torch function of each dtype that the first operand is cast to; or None
    cdef int operators[32]     # the number of the operator behind each (aten.pxd), or -1
    cdef object counterparts   # what torch has for its methods (reduction_torch.pyx), or None
    cdef int takes_numbers     # which operands torch takes as Python numbers (ufunc_torch.pyx)
    cdef int nin, nout, size
    cdef bint computes_only, may_raise
    cdef bint compares, is_equality, rounds_up  # with the least integer above a number on the right
    cdef int scalar_operation  # its number in scalars.h, or -1
    cdef int64_t small[14]     # elements below which a call is one loop of NumPy's, by dtype
    cdef Resolution* entries
    cdef dict typed            # a TypedLoop by kinds and dtype
    cdef Reduction* reductions
    cdef bint reorderable
    cdef Resolution* find(self, int first, int second) except NULL
    # The same where the call says `dtype=`.
    cdef Resolution* find_typed(self, int first, int second, int dtype, bint unsafe=*) except NULL
    cdef int fill(self, Resolution* entry, int first, int second, dict asked) except -1
    # The reduction of `operand`; `result` is a dtype asked for, or -1.
    cdef Reduction* find_reduction(self, int operand, int result) except NULL
    cdef int fill_reduction(self, Reduction* entry, int operand, int result) except -1
    cdef bint find_exact(self, Resolution* entry) except -1

# The one table of a ufunc.
cdef LoopTable table_of(object numpy_ufunc)

# Raise the exception that a loop has set, if it has.
cdef int raise_pending() except -1
# Say that what is reported next is an operator's of scalars, which warnings name so; or that it no longer is.
cdef void name_scalars(bint so) noexcept
# Let what loops of this thread raise go unreported; or no longer.
cdef void silence(bint so) noexcept
cdef bint has_vectors(str name, int dtype)
cdef int report_float_flags(unsigned flags, str name) except -1

# Plain arrays to operands, and results of the layout the engine asks for.
cdef void fill_operand(Operand* operand, ndarray array) noexcept
cdef bint is_plain(ndarray array) noexcept
cdef ndarray new_result(int dtype, int ndim, const int64_t* shape, const int64_t* strides)
# Whether NumPy's "same_kind" rule, or its "safe" one, lets a value of one dtype be written to another.
cdef bint same_kind(int source, int destination) noexcept
cdef bint is_safe(int source, int destination) noexcept
cdef bint store_weak(char* destination, int dtype, object value) except -1
# Write an operand of one element, a Python number (of a weak kind) or a 0-d array, as one of the loop's dtype; False where
# NumPy has to say it.
cdef bint store_scalar(char* into, int dtype, object value, int kind) except -1
# Write the integer that integers of a dtype compare with as with the real number that an operand of one element is (`first`:
# it is the first of two); False where there is none.
cdef bint store_bound(LoopTable table, int dtype, object value, int kind, bint first, char* into) except -1
