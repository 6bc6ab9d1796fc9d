"""Where host data of a call goes: numbers, lists and NumPy's arrays beside arrays on another device follow them there."""
from cpython.object cimport PyObject

from fastnp._core.libtorch.Tensor cimport Tensor

cdef extern from "placement.h" namespace "fastnp" nogil:
    # Whether host data becomes plain arrays: the thread is plain, and no call sends such data to another device.
    bint host_data_stays()
    bint is_placed()
    bint same_device(const Tensor&, const Tensor&)
    Tensor placed(const Tensor&) except +
    cppclass Placement:
        void follow(const Tensor&) except +

# Follow an array or a torch.Tensor.
cdef int follow_array(Placement* placement, PyObject* array) except -1
# Follow the first of the values that lies elsewhere: an array, a tensor, or one in a list or tuple of them. Whether one does.
cdef bint follow_any(Placement* placement, tuple values) except -1
cdef bint follow_each(Placement* placement, PyObject* const* values, Py_ssize_t count) except -1
