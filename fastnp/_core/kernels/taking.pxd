"""Elements of plain arrays by their numbers."""
from cpython.object cimport PyObject

cdef extern from "taking.h" namespace "fastnp" nogil:
    enum class Bounds "fastnp::Bounds"(int):
        kRaise
        kWrap
        kClip

# Whether a `mode` is one of NumPy's words, and which.
cdef bint bounds_of(PyObject* slot, Bounds* bounds) noexcept
