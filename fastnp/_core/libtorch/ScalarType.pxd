# c10/core/ScalarType.h


cdef extern from "<c10/core/ScalarType.h>" namespace "c10" nogil:
    enum class ScalarType(int):
        pass
