"""dtypes: the dense index <-> numpy.dtype <-> torch.dtype <-> c10::ScalarType."""
from libc.stdint cimport uint8_t

from fastnp._core.libtorch.ScalarType cimport ScalarType


cdef extern from "dtype.h" namespace "fastnp" nogil:
    cdef enum DTypeIndex "fastnp::DTypeIndex":
        BOOL "fastnp::BOOL"
        INT8 "fastnp::INT8"
        UINT8 "fastnp::UINT8"
        INT16 "fastnp::INT16"
        UINT16 "fastnp::UINT16"
        INT32 "fastnp::INT32"
        UINT32 "fastnp::UINT32"
        INT64 "fastnp::INT64"
        UINT64 "fastnp::UINT64"
        FLOAT16 "fastnp::FLOAT16"
        FLOAT32 "fastnp::FLOAT32"
        FLOAT64 "fastnp::FLOAT64"
        COMPLEX64 "fastnp::COMPLEX64"
        COMPLEX128 "fastnp::COMPLEX128"
        BFLOAT16 "fastnp::BFLOAT16"
        NUM_DTYPES "fastnp::NUM_DTYPES"
        NUM_NUMPY_DTYPES "fastnp::NUM_NUMPY_DTYPES"
    # Kinds of operand after the dtypes: Python's numbers, which promote weakly.
    cdef enum Kind "fastnp::Kind":
        WEAK_INT "fastnp::WEAK_INT"
        WEAK_FLOAT "fastnp::WEAK_FLOAT"
        WEAK_COMPLEX "fastnp::WEAK_COMPLEX"
        NUM_KINDS "fastnp::NUM_KINDS"
    const ScalarType SCALAR_TYPES[]
    const uint8_t ITEMSIZES[]
    int index_of(ScalarType)

# numpy.dtype of an index (a borrowed member of a tuple that lives as long as the module).
cdef object numpy_dtype(int index)
# torch.dtype of an index.
cdef object torch_dtype(int index)
# Index of anything that spells a dtype (numpy.dtype, Python type, string, torch.dtype, ...); TypeError where no array
# can hold it. None is the default dtype.
cdef int dtype_index(object spelling) except -1
# The same of a numpy.dtype, or of a class or string that was met before; -1 for what else there is, which may be right.
cdef int known_dtype(object spelling) except -2
# Index of a numpy.dtype in native byte order; -2 where no array can hold it (no exception set).
cdef int index_of_numpy(object dtype) except -1
cdef int index_of_type_number(int type_number) noexcept
cdef int default_float() noexcept
cdef int default_complex() noexcept
cdef int default_int() noexcept


cdef inline bint is_in_range(int dtype, long long value) noexcept nogil:
    """Whether an integer dtype holds a number."""
    if dtype == INT8:
        return -0x80 <= value < 0x80
    if dtype == UINT8:
        return 0 <= value < 0x100
    if dtype == INT16:
        return -0x8000 <= value < 0x8000
    if dtype == UINT16:
        return 0 <= value < 0x10000
    if dtype == INT32:
        return -0x80000000LL <= value < 0x80000000LL
    if dtype == UINT32:
        return 0 <= value < 0x100000000LL
    return dtype == INT64 or value >= 0
