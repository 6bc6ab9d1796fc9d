"""Who overrides a call: `__torch_function__` of modes and argument types, then NumPy's protocols."""

# What the relevant arguments of one call were.
cdef struct Containers:
    bint tensors    # a torch.Tensor was among them
    bint arrays     # anything else array-like was
    bint subclass   # an instance of a subclass of ndarray was
    bint exact      # it was, and results are of the class ndarray all the same

# Look at one relevant argument (a list or tuple is looked into). Those with a hook are kept in `overloaded`, in NEP 18
# order; the list is made when it is needed and returned.
cdef list look_at(object argument, Containers* seen, list overloaded)
# Whether a torch function mode other than torch's default device listens.
cdef bint mode_listens() except -1
# Ask modes and then the overloaded arguments. Returns NOT_OVERRIDDEN where the caller goes on with the implementation.
cdef object call_overrides(object function, list overloaded, tuple args, dict kwargs)
cdef object not_overridden()
# Whether operators have to leave the call to this operand (`__array_ufunc__ = None`, or a higher `__array_priority__`).
cdef bint defers_to(object other) except -1
# The instance of a subclass whose type results get, or None.
cdef object subclass_template(object arguments)
