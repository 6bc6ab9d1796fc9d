"""Arrays that carry a gradient as plain ones over the same memory: for results that no gradient goes through."""
from fastnp._core.dtype cimport NUM_NUMPY_DTYPES
from fastnp._core.ndarray cimport dtype_of, ndarray, over_memory, tensor_of, thread_is_plain
from fastnp._core.torch_tensor cimport asks_no_class


cdef ndarray detached(ndarray array):
    cdef ndarray plain
    if array.header.is_plain() or not array.header.has_host_memory() or dtype_of(array) >= NUM_NUMPY_DTYPES or (
            not asks_no_class(tensor_of(array)[0])):
        return None
    plain = over_memory(array, array.header.origin(), dtype_of(array), array.header.dim(), array.header.sizes(),
                        array.header.strides())
    plain.flipped = array.flipped
    plain.writeable_ = array.writeable_
    plain.scalar_ = array.scalar_
    return plain


def without_gradient(ndarray array not None):
    """Return an array that carries nothing but a gradient as a plain one over its memory; others as they are."""
    plain = detached(array) if type(array) is ndarray and thread_is_plain() else None
    return array if plain is None else plain
