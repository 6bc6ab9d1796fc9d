"""The callable that a declared function is."""
from cpython.object cimport PyObject

from fastnp._core.normalization cimport Plan

# A compiled body: gets the bound slots, borrowed and not converted, and returns the result as the caller will see it.
ctypedef object (*Body)(PyObject** slots)
# The shortest way: gets the arguments of a call without keywords as they stand, and declines with NotImplemented whatever
# is not an array of the class itself to which nothing listens.
ctypedef object (*QuickBody)(PyObject* const* args, Py_ssize_t count)


cdef class compiled_body:
    cdef Body call
    cdef QuickBody quick


cdef class function:
    cdef void* vectorcall
    cdef Plan plan
    cdef QuickBody quick         # asked before the arguments are bound; or NULL
    cdef Body compiled           # asked first, and may decline with NotImplemented; or NULL
    cdef readonly object composed  # asked next, on plain arrays: made of our own functions; or None
    cdef bint general            # `composed` is asked for arrays that are not plain, too
    cdef bint discrete           # no gradient goes through it: arrays that carry one are computed as plain ones
    cdef object body             # Python body, or None
    cdef object fallback         # fallback(function, args, kwargs): NumPy computes the call; or None
    cdef object host             # NumPy's callable where it is the kernel for plain CPU arrays; or None
    cdef int device              # slot of `device`, or -1
    cdef bint owns_device        # NumPy's function has no `device`
    cdef int subok               # slot of `subok`, or -1
    cdef bint makes_type         # whether the body sees to the class of the result
    cdef int sequence            # slot that must be a sequence of arrays, or -1
    cdef bint base               # results are of the class ndarray itself, whatever the arguments
    cdef int written             # positional argument that the call changes, or -1
    cdef bint views              # results of the body are views of its first argument
    cdef readonly bint keeps_container  # Tensors alone give a Tensor
    cdef bint makes_scalars      # a 0-d result stands for a NumPy scalar
    cdef dict __dict__


cdef class method(function):
    pass

cdef compiled_body new_compiled_body(Body call)
cdef compiled_body new_quick_body(QuickBody quick, Body call)
# A quick body alone: what it declines is the Python body's, or NumPy's.
cdef compiled_body new_quick_body_alone(QuickBody quick)
# A Python body on the values of its slots, and what it returned with each tensor in it as an array.
cdef object call_python(object body, Plan plan, PyObject** values)
# The compiled body with Tensors, lists of numbers and NumPy's scalars as arrays; NotImplemented where there are none.
cdef object call_with_arrays(function self, PyObject** slots)
# The composed body on arguments bound to slots; NotImplemented where one of them is not plain, or the body declines.
cdef object call_composed(function self, PyObject** slots)
# The same on arrays to which something listens; for functions whose composed body is for those as well.
cdef object call_general(function self, PyObject** slots)
