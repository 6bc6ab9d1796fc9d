"""dtypes: the dense index <-> numpy.dtype <-> torch.dtype.

The dtype objects are NumPy's own (`fastnp.float32 is numpy.float32`); bfloat16 and float8 are those of ml_dtypes.
"""
cimport numpy as cnp

import sys

import ml_dtypes
import numpy
import torch

cnp.import_array()

# In the order of DTypeIndex in dtype.h.
cdef tuple NUMPY_DTYPES = tuple(
    numpy.dtype(name)
    for name in (
        "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
        "float16", "float32", "float64", "complex64", "complex128",
        ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn,
        ml_dtypes.float8_e5m2fnuz, ml_dtypes.float8_e4m3fnuz,
    )
)
cdef tuple TORCH_DTYPES = (
    torch.bool, torch.int8, torch.uint8, torch.int16, torch.uint16, torch.int32, torch.uint32, torch.int64, torch.uint64,
    torch.float16, torch.float32, torch.float64, torch.complex64, torch.complex128,
    torch.bfloat16, torch.float8_e5m2, torch.float8_e4m3fn, torch.float8_e5m2fnuz, torch.float8_e4m3fnuz,
)

# Type numbers of NumPy's own dtypes: NPY_LONG and NPY_LONGLONG are both 64 bits here, as NPY_INT is 32.
cdef int TYPE_NUMBERS[24]
for _number in range(24):
    TYPE_NUMBERS[_number] = -2
for _code in "?bBhHiIlLqQefdFD":
    TYPE_NUMBERS[numpy.dtype(_code).num] = NUMPY_DTYPES.index(numpy.dtype(_code))

# The type of classes such as numpy.dtypes.Float64DType.
cdef object DTYPE_CLASS = type(numpy.dtype)

# Spellings met so far; seeded with those that numpy.dtype does not know.
cdef dict SPELLINGS = {dtype: index for index, dtype in enumerate(TORCH_DTYPES)}

cdef int _default_float = FLOAT64
cdef int _default_complex = COMPLEX128
cdef int _default_int = INT64


cdef object numpy_dtype(int index):
    return NUMPY_DTYPES[index]


cdef object torch_dtype(int index):
    return TORCH_DTYPES[index]


cdef int default_float() noexcept:
    return _default_float


cdef int default_complex() noexcept:
    return _default_complex


cdef int default_int() noexcept:
    return _default_int


cdef int index_of_type_number(int type_number) noexcept:
    return TYPE_NUMBERS[type_number] if 0 <= type_number < 24 else -2


cdef int NATIVE = ord("<" if sys.byteorder == "little" else ">")


cdef int index_of_numpy(object dtype) except -1:
    cdef int index = index_of_type_number((<cnp.dtype>dtype).type_num)
    if index >= 0:
        # NumPy: an order that is named ("<") is native too where it is the machine's.
        return index if (<cnp.dtype>dtype).byteorder in (61, 124, NATIVE) else -2  # b"=", b"|"
    for index in range(NUM_NUMPY_DTYPES, NUM_DTYPES):
        if NUMPY_DTYPES[index] == dtype:
            return index
    return -2


cdef int known_dtype(object spelling) except -2:
    if isinstance(spelling, cnp.dtype):
        return max(index_of_numpy(spelling), -1)
    if type(spelling) is not type and type(spelling) is not str or spelling is float or spelling is complex:
        return -1
    return SPELLINGS.get(spelling, -1)


cdef int dtype_index(object spelling) except -1:
    cdef int index
    if isinstance(spelling, cnp.dtype):
        dtype = spelling
    elif spelling is None or spelling is float:
        return _default_float
    elif spelling is complex:
        return _default_complex
    else:
        try:
            known = SPELLINGS.get(spelling)
        except TypeError:  # unhashable: a list that spells a structured dtype
            known = None
        if known is not None:
            return known
        if hasattr(type(spelling), "__array_interface__"):
            raise TypeError("Cannot construct a dtype from an array")
        # NumPy: `dtype(Float64DType)` is object, but where an array is made the class stands for its dtype.
        dtype = spelling() if isinstance(spelling, DTYPE_CLASS) else numpy.dtype(spelling)
    index = index_of_numpy(dtype)
    if index < 0:
        raise TypeError(
            f"fastnp arrays cannot hold dtype {str(dtype)!r} ({dtype!r}); NumPy's can: make the array with numpy.array"
        )
    if type(spelling) in (type, str):
        SPELLINGS[spelling] = index
    return index


def to_numpy_dtype(spelling):
    """Return the numpy.dtype of anything that spells a dtype, as `dtype_index` reads it."""
    return NUMPY_DTYPES[dtype_index(spelling)]


def to_torch_dtype(spelling):
    """Return the torch.dtype of anything that spells a dtype, as `dtype_index` reads it."""
    return TORCH_DTYPES[dtype_index(spelling)]


def numpy_dtype_of(torch_dtype not None):
    """Return the numpy.dtype that stands for a torch.dtype."""
    return NUMPY_DTYPES[dtype_index(torch_dtype)]


def set_default_dtype(fp_dtype="numpy", int_dtype="numpy"):
    """Set the dtypes that Python floats and complex numbers become, for the whole process.

    Parameters
    ----------
    fp_dtype : "numpy", "pytorch" or dtype
        Default floating dtype: "numpy" is float64, "pytorch" is float32. The default complex dtype follows it.
    int_dtype : "numpy" or dtype
        Default integer dtype.

    Raises
    ------
    TypeError
        `fp_dtype` is not a floating dtype, or `int_dtype` not an integer dtype.

    Notes
    -----
    From the compatibility layer's RFC, "default dtypes".
    """
    global _default_float, _default_complex, _default_int
    cdef int floating = FLOAT64 if fp_dtype == "numpy" else FLOAT32 if fp_dtype == "pytorch" else dtype_index(fp_dtype)
    cdef int integer = INT64 if int_dtype in ("numpy", "pytorch") else dtype_index(int_dtype)
    if not (FLOAT16 <= floating <= FLOAT64 or floating >= BFLOAT16):
        raise TypeError(f"fp_dtype must be a floating dtype, not {NUMPY_DTYPES[floating]}")
    if not INT8 <= integer <= UINT64:
        raise TypeError(f"int_dtype must be an integer dtype, not {NUMPY_DTYPES[integer]}")
    _default_float = floating
    _default_complex = COMPLEX64 if ITEMSIZES[floating] < 8 else COMPLEX128
    _default_int = integer


def get_default_dtype():
    """Return the default floating dtype (see `set_default_dtype`)."""
    return NUMPY_DTYPES[_default_float]
