"""Plain arrays by DLPack, out and in: the memory is the host's and stays where it is.

NumPy writes the capsules: they say what is read-only, and which way an axis runs. Each body declines, by
NotImplemented, what is not plain; that goes by way of torch.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.dispatcher cimport new_compiled_body, new_quick_body, new_quick_body_alone
from fastnp._core.interchange cimport to_numpy
from fastnp._core.kernels.arguments cimport is_plain_array
from fastnp._core.ndarray cimport MAXDIMS, fill_shape, ndarray, plain_view

from torch.utils.dlpack import DLDeviceType

#: What DLPack calls host memory.
HOST = (int(DLDeviceType.kDLCPU), 0)


cdef object dlpack(PyObject** slots):
    """a.__dlpack__(stream, max_version, dl_device, copy)."""
    if not is_plain_array(slots[0]) or (<ndarray><object>slots[0]).flipped:
        return NotImplemented
    export = to_numpy(<ndarray><object>slots[0]).__dlpack__
    stream, max_version, dl_device, copy = <object>slots[1], <object>slots[2], <object>slots[3], <object>slots[4]
    if stream is None and dl_device is None and copy is None:
        return export() if max_version is None else export(max_version=max_version)
    return export(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)


cdef object quick_dlpack(PyObject* const* args, Py_ssize_t count):
    """a.__dlpack__()."""
    if count != 1 or not is_plain_array(args[0]) or (<ndarray><object>args[0]).flipped:
        return NotImplemented
    return to_numpy(<ndarray><object>args[0]).__dlpack__()


cdef object quick_device(PyObject* const* args, Py_ssize_t count):
    """a.__dlpack_device__()."""
    return HOST if count == 1 and is_plain_array(args[0]) else NotImplemented


cdef object from_dlpack(PyObject** slots):
    """from_dlpack(x, device, copy) of an array of ours that stays where it is."""
    cdef int64_t shape[MAXDIMS]
    cdef ndarray array
    copy = <object>slots[2]
    if not is_plain_array(slots[0]) or slots[1] != <PyObject*>None or copy is not None and copy is not False:
        return NotImplemented
    array = <ndarray><object>slots[0]
    if array.scalar_:
        return NotImplemented
    return plain_view(array, fill_shape(array, shape), shape, array.header.strides(), 0, array.flipped)


#: Name of the function or method to its body.
BODIES = {
    "__dlpack__": new_quick_body(quick_dlpack, dlpack),
    "__dlpack_device__": new_quick_body_alone(quick_device),
    "from_dlpack": new_compiled_body(from_dlpack),
}
