"""Large operands that are temporaries take the result (see temporaries.h for what a temporary is)."""
from cpython.float cimport PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact

from fastnp._core.dtype cimport NUM_NUMPY_DTYPES, WEAK_FLOAT, WEAK_INT
from fastnp._core.loops cimport Resolution
from fastnp._core.ndarray cimport dtype_of, is_c_contiguous, thread_is_plain
from fastnp._core.ufunc_call cimport compute_ufunc, torch_from

cdef extern from "temporaries.h" namespace "fastnp" nogil:
    bint is_temporary(PyObject* operand, Callers& callers, bint learning) noexcept

cdef extern from "rereads.h" namespace "fastnp" nogil:
    cppclass Rereads:
        @staticmethod
        Rereads& of_this_thread()
        void note(const char*)

learning = False


def learn_callers(operation, *operands):
    """Have the interpreter execute an operation, to know its calls from those of C code (see temporaries.h)."""
    global learning
    learning = True
    try:
        operation(*operands)
    finally:
        learning = False


cdef object into_temporary(Callers* callers, LoopTable table, PyObject* a, PyObject* b):
    cdef PyObject* taken = NULL  # as all of them, borrowed: a reference of ours would be counted
    if learning:
        taken = a
    elif not thread_is_plain():
        return None
    elif may_be_temporary(a) and takes_result(table, <ndarray>a, <object>a, <object>b):
        taken = a
    elif table.nin == 2 and may_be_temporary(b) and takes_result(table, <ndarray>b, <object>a, <object>b):
        taken = b
    if taken is NULL or not is_temporary(taken, callers[0], learning):
        return <object>a if learning else None
    note_read(a)
    if table.nin == 2:
        note_read(b)
    return compute_ufunc(
        table, (<object>a,) if table.nin == 1 else (<object>a, <object>b), (<object>taken,), True, None)


cdef inline void note_read(PyObject* operand) noexcept:
    if type(<object>operand) is ndarray:
        Rereads.of_this_thread().note((<ndarray>operand).header.origin())


cdef bint takes_result(LoopTable table, ndarray taken, object a, object b) except -1:
    """Whether the result has dtype, shape and order of one of the operands, and NumPy's loop computes it."""
    cdef int kinds[2]
    cdef int i, kind = dtype_of(taken)
    cdef Resolution* entry
    if kind >= NUM_NUMPY_DTYPES or not taken.writeable_ or taken.flipped or not is_c_contiguous(taken) or (
            torch_from(table.name, kind) >= 0):
        return False
    kinds[1] = 0
    for i in range(table.nin):
        operand = b if i else a
        if operand is taken:
            kinds[i] = kind
        elif type(operand) is ndarray:
            if not (<ndarray>operand).header.is_plain() or not lies_under(<ndarray>operand, taken):
                return False
            kinds[i] = dtype_of(<ndarray>operand)
            if kinds[i] >= NUM_NUMPY_DTYPES:
                return False
        elif PyFloat_CheckExact(operand):
            kinds[i] = WEAK_FLOAT
        elif PyLong_CheckExact(operand):
            kinds[i] = WEAK_INT
        else:
            return False
    entry = table.find(kinds[0], kinds[1])
    return entry.state == 1 and entry.types[table.nin] == kind


cdef bint lies_under(ndarray operand, ndarray whole) noexcept:
    """Whether an operand is C-contiguous and broadcasts to the shape of a C-contiguous array, whose order the result has."""
    cdef int axis, missing = <int>whole.header.dim() - <int>operand.header.dim()
    if missing < 0 or operand.flipped or not is_c_contiguous(operand):
        return False
    for axis in range(operand.header.dim()):
        if operand.header.sizes()[axis] != whole.header.sizes()[axis + missing] and operand.header.sizes()[axis] != 1:
            return False
    return True
