"""What a body has made, as the caller will see it: arrays, torch.Tensors, instances of a subclass, or in `out=`."""
from fastnp._core.converters cimport as_array
from fastnp._core.ndarray cimport as_type, base_of_views, check_writeable, from_tensor, ndarray, to_torch
from fastnp._core.numpy_errors cimport ASSIGNS
from fastnp._core.torch_tensor cimport is_tensor, unwrap

import numpy

cdef object NO_VALUE = numpy._NoValue


cdef object out_array(object out):
    """Return the array that takes the result, or None; TypeError on what is no array."""
    if out is None or out is NO_VALUE:
        return None
    if type(out) is tuple:
        if len(out) != 1:
            raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
        return out_array(out[0])
    if not isinstance(out, (ndarray, numpy.ndarray)) and not is_tensor(out):
        raise TypeError("return arrays must be of ArrayType")
    check_writeable(as_array(out), "output array")
    return out


# Functions whose `out` is read as positions first.
cdef frozenset FINDS = frozenset(("nanargmax", "nanargmin"))


cdef object write_out(str name, object out, object result):
    """Write a result into `out` and return the object that was given."""
    cdef ndarray target = as_array(out), source = as_array(result)
    if name in ASSIGNS:
        target[...] = source
        return out
    # NumPy: percentiles end in an addition into `out`, which broadcasts.
    if target.shape != source.shape and name != "percentile":
        raise ValueError(
            f"{name}(): output array has shape {target.shape}, but the result has shape {source.shape}"
        )
    if name in FINDS and not numpy.can_cast(target.dtype, numpy.intp, "safe"):
        raise TypeError(f"Cannot cast {target.dtype!r} to {numpy.dtype(numpy.intp)!r} according to the rule 'safe'")
    if name != "choose" and not numpy.can_cast(source.dtype, target.dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast output of {name}() from {source.dtype!r} to {target.dtype!r} with casting rule 'same_kind'"
        )
    target[...] = source
    return out


# What becomes of an item that holds no others.
ctypedef object (*Leaf)(object item, object context)


cdef object each(object result, Leaf leaf, object context):
    """Return what a body returned with `leaf` of each item in it, which may be a tuple or a list of more."""
    if type(result) is tuple:
        return tuple([each(item, leaf, context) for item in result])
    if type(result) is list:
        return [each(item, leaf, context) for item in result]
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*[each(item, leaf, context) for item in result])
    return leaf(result, context)


cdef object as_arrays(object result, bint makes_scalars):
    return each(result, array_of, makes_scalars)


cdef object array_of(object item, object makes_scalars):
    cdef ndarray array
    if isinstance(item, ndarray) or not is_tensor(item):
        return item
    array = from_tensor(unwrap(item))
    if array.header.dim() == 0 and makes_scalars:
        array.scalar_ = True
        array.writeable_ = False
    return array


cdef object as_views(object result, ndarray parent):
    return each(result, view_of, parent)


cdef object view_of(object item, object parent):
    cdef ndarray view, owner = parent
    if type(item) is ndarray and item is not parent and (<ndarray>item).base_ is None:
        view = item
        view.writeable_ = owner.writeable_
        view.base_ = base_of_views(owner)
    return item


cdef object as_tensors(object result):
    return each(result, tensor_of, None)


cdef object tensor_of(object item, object context):
    return to_torch(item) if isinstance(item, ndarray) else item


cdef object as_base(object result):
    return each(result, base_of, None)


cdef object base_of(object item, object context):
    return as_type(item, ndarray, None) if isinstance(item, ndarray) else item


cdef object as_instances(object result, object template):
    return each(result, instance_of, template)


cdef object instance_of(object item, object template):
    return as_type(item, type(template), template) if type(item) is ndarray else item


def as_result(ndarray array not None):
    """Return an array that nobody else has, one of no dimensions as one that stands for a scalar."""
    if array.header.dim() == 0:
        array.scalar_ = True
        array.writeable_ = False
    return array
