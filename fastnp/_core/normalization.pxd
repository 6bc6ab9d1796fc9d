"""The plan of a signature: worked out once, when a function is declared, and followed by every call."""
from cpython.object cimport PyObject

cdef enum:
    MAXSLOTS = 32


cdef class Plan:
    cdef readonly str name
    cdef readonly tuple names              # one per slot, in the order of the signature
    cdef readonly tuple defaults           # one per slot; REQUIRED where there is none
    cdef readonly tuple keyword_names      # of the slots that bodies get by keyword
    cdef readonly int count                         # slots
    cdef readonly int required_end                  # no slot from here on is required
    cdef readonly int positional_only
    cdef readonly int positional                    # slots that positional arguments can fill
    cdef readonly int var_positional                # slot of *args, or -1
    cdef readonly int var_keyword                   # slot of **kwargs, or -1
    cdef readonly int out                           # slot of out, or -1
    cdef readonly int like                          # slot of like, or -1
    cdef unsigned char conversions[32]
    cdef unsigned char left[32]            # the same, where each relevant argument is an array already
    cdef int relevant[32]                  # slots that may override the call, and decide what results are
    cdef int relevant_count
    cdef int aside[32]                     # slots that may only override the call
    cdef int aside_count
    # Filled by `numpy_errors` when it is first asked about a call.
    cdef list usual                        # the types that NumPy takes, one per slot that bodies get as it is, or None
    cdef unsigned char meant[32]           # what a slot is for
    cdef bint of_arrays                    # whether the first argument is asked for what only arrays have

# Fill `slots` with borrowed references. What had to be made for it (*args, **kwargs) is owned by the returned object.
cdef object bind(Plan plan, PyObject** slots, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames)
