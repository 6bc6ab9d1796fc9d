"""Anything array-like to an array, and one conversion per annotation."""
from fastnp._core.ndarray cimport ndarray

# What an annotation of fastnp._typing asks of an argument. The order is that of fastnp._typing.Conversion.
cdef enum Conversion:
    ANY            # passed on as it is
    TENSOR         # array-like -> torch.Tensor
    OPERAND        # array-like -> torch.Tensor, a Python scalar stays one (weak under NEP 50)
    TENSORS        # sequence of array-likes -> list of torch.Tensor
    ARRAY          # array-like -> ndarray
    ARRAYS         # sequence of array-likes -> list of ndarray
    TORCH_DTYPE    # dtype-like -> torch.dtype
    NUMPY_DTYPE    # dtype-like -> numpy.dtype
    OUT            # ndarray or Tensor that takes the result
    NUMPY_ONLY     # NumPy computes the call where this is not the default
    INDEX          # integer
    MIXED          # sequence of array-likes and of other things -> list, the arrays as torch.Tensor
    RELEVANT       # passed on as it is; its type may override the call
    LIKE           # whose type may override the creation of an array; otherwise of no effect

# Zero copy from an ndarray, torch.Tensor, NumPy array, DLPack or buffer on this device; else a new array.
cdef ndarray as_array(object value)
# The same, with the dtype (dense index) that the array must have; -1 for any.
cdef ndarray as_array_of(object value, int dtype)
cdef object convert(int conversion, object value, str function, str parameter)
# Host data where the arrays of its call are, or as torch's modes and default device want it.
cdef ndarray on_default_device(ndarray array)
