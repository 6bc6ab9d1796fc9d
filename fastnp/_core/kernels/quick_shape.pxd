"""Shapes, views and copies in the plainest of calls: bodies that are asked before arguments are bound."""
from cpython.object cimport PyObject

cdef enum:
    MANY = 8  # dimensions of a view that is made at once

cdef object quick_ravel(PyObject* const* args, Py_ssize_t count)
cdef object quick_reshape_to(PyObject* const* args, Py_ssize_t count)
cdef object quick_reshape_method(PyObject* const* args, Py_ssize_t count)
cdef object quick_transpose(PyObject* const* args, Py_ssize_t count)
cdef object quick_transpose_method(PyObject* const* args, Py_ssize_t count)
cdef object quick_squeeze(PyObject* const* args, Py_ssize_t count)
cdef object quick_view(PyObject* const* args, Py_ssize_t count)
cdef object quick_flatten(PyObject* const* args, Py_ssize_t count)
cdef object quick_conj(PyObject* const* args, Py_ssize_t count)
cdef object quick_swapaxes(PyObject* const* args, Py_ssize_t count)
cdef object quick_matrix_transpose(PyObject* const* args, Py_ssize_t count)
cdef object quick_diagonal(PyObject* const* args, Py_ssize_t count)
cdef object quick_expand_dims(PyObject* const* args, Py_ssize_t count)
cdef object quick_copy(PyObject* const* args, Py_ssize_t count)
cdef object quick_copy_method(PyObject* const* args, Py_ssize_t count)
cdef object quick_deep_copy(PyObject* const* args, Py_ssize_t count)
cdef object quick_shallow_copy(PyObject* const* args, Py_ssize_t count)
cdef object quick_astype(PyObject* const* args, Py_ssize_t count)
cdef object quick_moveaxis(PyObject* const* args, Py_ssize_t count)
cdef object quick_rollaxis(PyObject* const* args, Py_ssize_t count)
cdef object quick_broadcast_to(PyObject* const* args, Py_ssize_t count)
cdef object quick_shape_of(PyObject* const* args, Py_ssize_t count)
cdef object quick_ndim_of(PyObject* const* args, Py_ssize_t count)
cdef object quick_size_of(PyObject* const* args, Py_ssize_t count)
