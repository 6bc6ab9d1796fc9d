"""Parts of an array along an axis, as views: the compiled bodies of the split family.

Whole numbers of parts and lists of whole places are read here; all others, and what is wrong, are the Python bodies'.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from fastnp._core.dispatcher cimport new_compiled_body
from fastnp._core.kernels.arguments cimport NO_AXIS, axis_of, integer_of
from fastnp._core.ndarray cimport ndarray
from fastnp._core.views cimport Layout, fill_layout, is_plain, strided_view

cdef extern from "Python.h":
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    PyObject* PyList_GET_ITEM(object, Py_ssize_t)
    Py_ssize_t PySlice_AdjustIndices(Py_ssize_t length, Py_ssize_t* start, Py_ssize_t* stop, Py_ssize_t step) noexcept

cdef enum:
    MANY = 65536  # parts above which there may be no room for their list

cdef object ALL = slice(None)


cdef bint fill_cuts(PyObject* sections, int64_t size, bint equal, vector[int64_t]* cuts) except -1:
    """Fill in where parts begin, and where the last one ends; False for what the Python body has to look at."""
    cdef int64_t count, each, extra, place
    cdef Py_ssize_t number
    cdef bint is_list = type(<object>sections) is list
    if is_list or type(<object>sections) is tuple:
        cuts.push_back(0)
        for number in range(len(<object>sections)):
            if not integer_of(PyList_GET_ITEM(<object>sections, number) if is_list
                              else PyTuple_GET_ITEM(<object>sections, number), &place):
                return False
            cuts.push_back(place)
        cuts.push_back(size)
        return True
    if not integer_of(sections, &count) or not 0 < count <= MANY:
        return False
    each, extra = size // count, size % count
    if equal and extra:
        return False
    place = 0
    for number in range(count):
        cuts.push_back(place)
        place += each + (number < extra)
    cuts.push_back(size)
    return True


cdef object parts(ndarray array, PyObject* sections, int axis, bint equal):
    """Return the list of parts; NotImplemented for what the Python body has to look at."""
    cdef Layout layout
    cdef vector[int64_t] cuts
    cdef int64_t offset, size
    cdef Py_ssize_t start, stop
    cdef size_t number
    if axis == NO_AXIS:
        return NotImplemented
    size = array.header.sizes()[axis]
    if not fill_cuts(sections, size, equal, &cuts):
        return NotImplemented
    found = []
    if not is_plain(array):
        before = (ALL,) * axis
        for number in range(cuts.size() - 1):
            between = slice(cuts[number], cuts[number + 1])
            found.append(array[(*before, between)] if axis else array[between])
        return found
    fill_layout(array, &layout)
    offset = layout.offset
    for number in range(cuts.size() - 1):
        start, stop = cuts[number], cuts[number + 1]
        layout.shape[axis] = PySlice_AdjustIndices(size, &start, &stop, 1)
        layout.offset = offset + start * layout.strides[axis]
        found.append(strided_view(array, &layout))
    return found


cdef inline object parts_along(PyObject** slots, int axis, int least, bint equal):
    """The parts of an array of so many axes at least along one of them, or along the only one."""
    cdef int ndim
    if type(<object>slots[0]) is not ndarray:
        return NotImplemented
    ndim = <int>(<ndarray><object>slots[0]).header.dim()
    return parts(<ndarray><object>slots[0], slots[1], axis if axis < ndim else 0, equal) if ndim >= least else NotImplemented


cdef object along_given(PyObject** slots, bint equal):
    if type(<object>slots[0]) is not ndarray:
        return NotImplemented
    return parts(<ndarray><object>slots[0], slots[1], axis_of(slots[2], <int>(<ndarray><object>slots[0]).header.dim()), equal)


cdef object array_split(PyObject** slots):
    """array_split(ary, indices_or_sections, axis)."""
    return along_given(slots, False)


cdef object split(PyObject** slots):
    """split(ary, indices_or_sections, axis)."""
    return along_given(slots, True)


cdef object hsplit(PyObject** slots):
    """hsplit(ary, indices_or_sections)."""
    return parts_along(slots, 1, 1, True)


cdef object vsplit(PyObject** slots):
    """vsplit(ary, indices_or_sections)."""
    return parts_along(slots, 0, 2, True)


cdef object dsplit(PyObject** slots):
    """dsplit(ary, indices_or_sections)."""
    return parts_along(slots, 2, 3, True)


BODIES = {
    "array_split": new_compiled_body(array_split),
    "dsplit": new_compiled_body(dsplit),
    "hsplit": new_compiled_body(hsplit),
    "split": new_compiled_body(split),
    "vsplit": new_compiled_body(vsplit),
}
