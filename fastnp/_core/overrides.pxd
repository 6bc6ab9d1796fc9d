"""Who overrides a call: `__torch_function__` of modes and argument types, then NumPy's protocols."""
from cpython.object cimport PyObject

cdef enum:
    MAXTYPES = 32

# What the relevant arguments of one call were. References are borrowed: the caller holds the arguments.
cdef struct Containers:
    bint tensors      # a torch.Tensor was among them
    bint arrays       # anything else array-like was
    bint subclass     # an instance of a subclass of ndarray was
    bint exact        # it was, and results are of the class ndarray all the same
    int count         # of `overloaded`
    PyObject* elsewhere  # the first array or tensor whose memory is not the host's
    PyObject* heir    # the first one, while all are of one subclass, which inherits ndarray's hook
    PyObject* overloaded[MAXTYPES]  # one instance of each type that has a hook, in NEP 18 order

cdef inline void clear(Containers* seen) noexcept:
    seen.tensors = seen.arrays = seen.subclass = seen.exact = False
    seen.count = 0
    seen.heir = seen.elsewhere = NULL

# Look at one relevant argument (a list or tuple is looked into). Instances of one subclass that inherits ndarray's hook
# are not overloaded: `heir` stands for them.
cdef int look_at(object argument, Containers* seen) except -1
# Look at an argument that may override the call, but does not decide what its result is.
cdef int look_aside(object argument, Containers* seen) except -1
# Raise TypeError where what was given as `like=` is no array.
cdef int check_like(object like) except -1
# Whether somebody has to be asked: an overloaded argument, or a torch function mode other than torch's default device.
cdef bint listens(Containers* seen) except -1
cdef bint mode_listens() except -1
# Ask the mode, then the overloaded arguments. Returns NOT_OVERRIDDEN where the caller goes on with the implementation,
# raises TypeError where all decline. `counterpart` and `method`: the ufunc that the call is, for objects with
# `__array_ufunc__`, and its method, "reflected" or "in place"; else None.
cdef object call_overrides(object function, Containers* seen, tuple args, dict kwargs, object counterpart, str method)
# The same; returns NotImplemented where all decline.
cdef object resolve(object function, Containers* seen, tuple args, dict kwargs, object counterpart, str method)
cdef object declined(object function, Containers* seen)
cdef object not_overridden()
# The array that gives a result its type where there is nothing to ask: each operand is a Python number, an array, or an
# instance of one subclass that inherits ndarray's hook. NULL where there is something to ask, or no such instance.
cdef PyObject* heir_of(object a, object b) except? NULL
# Whether operators have to leave the call to this operand (`__array_ufunc__ = None`, or a higher `__array_priority__`).
cdef bint defers_to(object other) except -1
# Whether an array of NumPy's is of a class with a higher `__array_priority__`: masked, a matrix, of a unit.
cdef bint is_more_than_elements(object other) except -1
# What a type holds under a name, unbound; NULL where it has nothing.
cdef PyObject* type_attribute(object kind, str name) noexcept
# The instance of a subclass whose type results get, or None.
cdef object subclass_template(object arguments)
