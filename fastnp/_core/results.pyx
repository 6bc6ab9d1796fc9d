"""What a body has made, as the caller will see it: arrays, torch.Tensors, instances of a subclass, or in `out=`."""
from fastnp._core.converters cimport as_array
from fastnp._core.ndarray cimport as_type, check_writeable, from_tensor, ndarray, to_torch
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


cdef object as_arrays(object result, bint makes_scalars):
    """Return what a body returned with each tensor in it as an array."""
    cdef ndarray array
    if isinstance(result, ndarray):
        return result
    if is_tensor(result):
        array = from_tensor(unwrap(result))
        if makes_scalars and array.header.dim() == 0:
            array.scalar_ = True
            array.writeable_ = False
        return array
    if type(result) is tuple:
        return tuple([as_arrays(item, makes_scalars) for item in result])
    if type(result) is list:
        return [as_arrays(item, makes_scalars) for item in result]
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*[as_arrays(item, makes_scalars) for item in result])
    return result


cdef int inherit(object result, ndarray parent) except -1:
    """Make arrays views of `parent`."""
    if type(result) is ndarray:
        if result is not parent and (<ndarray>result).base_ is None:
            (<ndarray>result).writeable_ = parent.writeable_
            (<ndarray>result).base_ = parent if parent.base_ is None else parent.base_
    elif isinstance(result, (tuple, list)):
        for item in result:
            inherit(item, parent)
    return 0


cdef object as_tensors(object result):
    if isinstance(result, ndarray):
        return to_torch(result)
    if type(result) is tuple:
        return tuple([as_tensors(item) for item in result])
    if type(result) is list:
        return [as_tensors(item) for item in result]
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*[as_tensors(item) for item in result])
    return result


cdef object as_base(object result):
    """Return arrays of a subclass as views of the class ndarray."""
    if isinstance(result, ndarray):
        return as_type(result, ndarray, None)
    if type(result) is tuple:
        return tuple([as_base(item) for item in result])
    return result


cdef object as_instances(object result, object template):
    if type(result) is ndarray:
        return as_type(result, type(template), template)
    if type(result) is tuple:
        return tuple([as_instances(item, template) for item in result])
    if type(result) is list:
        return [as_instances(item, template) for item in result]
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*[as_instances(item, template) for item in result])
    return result


def as_result(ndarray array not None):
    """Return an array that nobody else has, one of no dimensions as one that stands for a scalar."""
    if array.header.dim() == 0:
        array.scalar_ = True
        array.writeable_ = False
    return array
