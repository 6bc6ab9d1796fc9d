# What is known of the subclasses of the array: a part of ndarray.pyx, whose memory and headers it uses.

destroy_array = destroy
reset_array = reset


class Ordinary:
    """A class with the deallocator that Python gives to classes."""


# Weak references to the subclasses that are known, by their own address; with the address of the subclass.
cdef dict WATCHED = {}
cdef str FINALIZE = "__array_finalize__"
# What a subclass may have of its own that decides who answers a call.
cdef tuple PROTOCOLS = ("__torch_function__", "__array_ufunc__", "__array_function__")


cdef inline Subclass* subclass_of(object cls) except NULL:
    """Return what is known of a subclass, as it is now; TypeError where it is none."""
    cdef Subclass* known = currently_known(<PyTypeObject*>cls)
    return known if known is not NULL else look_into(cls)


cdef Subclass* look_into(object cls) except NULL:
    cdef PyTypeObject* kind = <PyTypeObject*>cls
    cdef Subclass* known = find_subclass(kind)
    if known is NULL:
        if not PyType_IsSubtype(kind, <PyTypeObject*>ndarray):
            raise TypeError(f"{cls!r} is not a subclass of fastnp.ndarray")
        reference = weakref.ref(cls, forget)
        known = add_subclass(kind, <PyTypeObject*>ndarray, <PyTypeObject*>Ordinary)
        WATCHED[id(reference)] = (reference, <size_t>kind)
    known.protocols = True
    for name in PROTOCOLS:
        known.protocols &= _PyType_Lookup(kind, name) == _PyType_Lookup(<PyTypeObject*>ndarray, name)
    finalize = _PyType_Lookup(kind, FINALIZE)
    known.finalizes = finalize != _PyType_Lookup(<PyTypeObject*>ndarray, FINALIZE) and finalize != <PyObject*>None
    known.version = version_of(kind)  # a type gets its version when it is looked up in
    return known


cdef bint inherits_protocols(object cls) except -1:
    cdef Subclass* known = currently_known(<PyTypeObject*>cls)
    if known is NULL:
        if not PyType_IsSubtype(<PyTypeObject*>cls, <PyTypeObject*>ndarray):
            return False
        known = look_into(cls)
    return known.protocols


def forget(reference):
    """Forget a subclass, as its weak reference dies."""
    cdef size_t kind
    _reference, kind = WATCHED.pop(id(reference))
    forget_subclass(<PyTypeObject*>kind)
