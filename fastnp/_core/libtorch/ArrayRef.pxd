# c10/util/ArrayRef.h
from libc.stdint cimport int64_t


cdef extern from "<c10/util/ArrayRef.h>" namespace "c10" nogil:
    cppclass IntArrayRef:
        IntArrayRef()
        IntArrayRef(const int64_t* data, size_t length)
        const int64_t* data()
        size_t size()
        int64_t operator[](size_t)
