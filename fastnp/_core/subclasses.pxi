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


cdef ndarray new_like(object source, int dtype, int ndim, const int64_t* shape):
    cdef ndarray array = new_instance(subclass_of(type(source)))
    if ndim > 0:
        return give_memory(array, dtype, ndim, shape, False)
    array.header.hold_value(dtype)
    array.scalar_ = True
    return array


cdef ndarray finalized(ndarray array, object source):
    if type(array) is not type(source):
        return as_type(array, type(source), source)
    if subclass_of(type(source)).finalizes:
        array.__array_finalize__(source)
    return array


cdef ndarray as_type(ndarray array, type cls, object source):
    """Return `array`'s header as an instance of `cls`, `__array_finalize__(source)` called once."""
    cdef ndarray instance
    cdef Subclass* known = NULL
    if type(array) is cls:
        return array
    if cls is ndarray:
        instance = new_header()
    else:
        # The bare header: a subclass's own __new__ is its users' constructor, not ours (NumPy: PyArray_NewFromDescr).
        known = subclass_of(cls)
        instance = new_instance(known)
    if Py_REFCNT(array) == 1:
        instance.header.take(array.header)
    else:
        share(instance, array)
    instance.flipped = array.flipped
    instance.writeable_ = array.writeable_
    instance.scalar_ = array.scalar_
    instance.base_ = array.base_
    if known is not NULL and known.finalizes:
        instance.__array_finalize__(source)
    return instance


def as_subclass(ndarray array not None, type cls not None, source=None):
    """Return the array as an instance of `cls`, finalized once with `source`."""
    return as_type(array, cls, source)
