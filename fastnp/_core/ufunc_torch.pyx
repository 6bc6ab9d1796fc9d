"""A ufunc call by torch: gradients, transforms, modes, other devices, bfloat16 and float8."""
from fastnp._core.converters cimport as_array
from fastnp._core.dtype cimport FLOAT64, NUM_NUMPY_DTYPES, index_of_numpy, numpy_dtype, torch_dtype
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.loops cimport LoopTable, Resolution
from fastnp._core.ndarray cimport as_type, check_writeable, dtype_of, from_tensor, ndarray, to_torch, wrapped
from fastnp._core.numpy_errors cimport raise_as_numpy
from fastnp._core.operands cimport as_header
from fastnp._core.torch_tensor cimport is_tensor, unwrap, values_are_known
from fastnp._core.stored_dtypes cimport FLOAT8, SIGNED, apply_to_unsigned

import math

import numpy
import torch

cdef extern from *:
    """
    static bool fastnp_same_device(const at::Tensor& a, const at::Tensor& b) { return a.device() == b.device(); }
    """
    bint same_device "fastnp_same_device"(const Tensor&, const Tensor&)

cdef tuple WEAK = (int, float, complex)
cdef frozenset COMPARISONS = frozenset(("equal", "greater", "greater_equal", "less", "less_equal", "not_equal"))


cdef object call_torch(
    LoopTable table, tuple inputs, tuple outs, object where, dict options, bint as_tensors, object template
):
    try:
        if options is None and outs is None and where is None:
            result = computed_alike(table, inputs, as_tensors, template)
            if result is not None:
                return result
        return computed(table, inputs, outs, where, options, as_tensors, template)
    except (RuntimeError, IndexError):
        keywords = dict(options) if options is not None else {}
        if outs is not None:
            keywords["out"] = outs
        if where is not None:
            keywords["where"] = where
        raise_as_numpy(table.numpy_ufunc, inputs, keywords)
        raise


cdef object computed_alike(LoopTable table, tuple inputs, bint as_tensors, object template):
    """Return the result for operands of one dtype, which is the loop's; None where there is more to be resolved."""
    cdef int dtype = -1
    cdef Resolution* entry
    cdef list tensors = []
    if table.nin > 2 or table.nout > 1:
        return None
    for value in inputs:
        if not isinstance(value, ndarray) and not is_tensor(value):
            return None
        array = as_header(value)
        if dtype >= 0 and dtype_of(array) != dtype:
            return None
        dtype = dtype_of(array)
        tensors.append(to_torch(array))
    if dtype >= NUM_NUMPY_DTYPES or (dtype < 9 and table.name == "power") or torch_dtype(dtype) in SIGNED:
        return None
    entry = table.find(dtype, dtype if table.nin == 2 else 0)
    if entry.state != 1 or entry.types[0] != dtype or (table.nin == 2 and entry.types[1] != dtype):
        return None
    if table.nin == 2 and not same_device(unwrap(tensors[0]), unwrap(tensors[1])):
        return None
    return new_from_torch(cast(table.torch_function(*tensors), torch_dtype(entry.types[table.nin])), as_tensors, template)


cdef object computed(
    LoopTable table, tuple inputs, tuple outs, object where, dict options, bint as_tensors, object template
):
    cdef list tensors = []
    cdef list dtypes
    cdef int i
    casting = options.get("casting", "same_kind") if options is not None else "same_kind"
    if options is not None and options.get("order") not in (None, "C", "F", "A", "K"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {options['order']!r})")
    for value in inputs:
        tensors.append(value if type(value) in WEAK else to_torch(as_header(value)))
    dtypes = resolve(table, inputs, options)
    if table.name in COMPARISONS:
        beyond_range(inputs, tensors, dtypes)
    tensors = [
        torch.tensor(checked_weak(table, value, dtypes[i]), dtype=torch_dtype(dtypes[i]))
        if type(value) in WEAK else cast(value, torch_dtype(dtypes[i]))
        for i, value in enumerate(tensors)
    ]
    if table.name == "power" and dtypes[1] in (1, 3, 5, 7):
        check_exponent(inputs[1] if type(inputs[1]) is int else tensors[1])
    given = [as_header(outs[i]) if outs is not None and outs[i] is not None else None for i in range(table.nout)]
    check_devices(tensors + [to_torch(out) for out in given if out is not None])
    results = apply(table.torch_function, table.name, tensors)
    if not isinstance(results, (tuple, list)):
        results = (results,)
    results = [cast(result, torch_dtype(dtypes[table.nin + i])) for i, result in enumerate(results)]
    if where is not None:
        mask = to_torch(as_header(where) if is_tensor(where) else as_array(where))
        if mask.dtype is not torch.bool:
            raise TypeError(f"Cannot cast array data from {numpy_dtype(dtype_of(as_header(mask)))!r} to dtype('bool') "
                            "according to the rule 'safe'")
    for i in range(table.nout):
        if given[i] is not None:
            check_out(table, given[i], results[i], casting)
    if where is not None:
        # Where the mask is false a new result holds anything, a given one what it held.
        results = [
            torch.where(mask, result, to_torch(out).to(result.dtype) if out is not None else torch.zeros_like(result))
            for result, out in zip(results, given)
        ]
    final = []
    for i in range(table.nout):
        if given[i] is not None:
            final.append(write_out(outs[i], results[i]))
        else:
            final.append(new_from_torch(results[i], as_tensors, template))
    return final[0] if table.nout == 1 else tuple(final)


cdef int check_exponent(object exponent) except -1:
    """Raise NumPy's error for a negative integer power, where there are values to see."""
    if type(exponent) is int:
        negative = exponent < 0
    else:
        negative = values_are_known(exponent) and bool((exponent < 0).any())
    if negative:
        raise ValueError("Integers to negative integer powers are not allowed.")
    return 0


cdef object cast(object tensor, object dtype):
    if tensor.dtype is dtype:
        return tensor
    if tensor.is_complex() and not dtype.is_complex and dtype is not torch.bool:
        tensor = tensor.real
    return tensor.to(dtype)


cdef list resolve(LoopTable table, tuple inputs, dict options):
    """Return the dense dtypes of inputs and outputs, as NumPy resolves them."""
    cdef list kinds = []
    for value in inputs:
        kinds.append(type(value) if type(value) in WEAK else numpy_dtype(dtype_of(as_header(value))))
    keywords = {}
    if options is not None:
        if options.get("dtype") is not None:
            keywords["signature"] = (None,) * table.nin + (numpy.dtype(options["dtype"]),) * table.nout
        signature = options.get("signature", options.get("sig"))
        if signature is not None:
            keywords["signature"] = signature
        if "casting" in options:
            keywords["casting"] = options["casting"]
    resolved = table.numpy_ufunc.resolve_dtypes(tuple(kinds) + (None,) * table.nout, **keywords)
    dtypes = []
    for dtype in resolved:
        index = index_of_numpy(dtype)
        if index < 0:
            raise TypeError(f"ufunc {table.name!r} has no loop on torch for dtype {dtype}")
        dtypes.append(index)
    return dtypes


cdef int beyond_range(tuple inputs, list tensors, list dtypes) except -1:
    """Compare with infinity instead of a Python integer that the other operand's dtype cannot hold."""
    cdef int i
    for i in range(2):
        # NumPy: beside bools such an integer is an OverflowError.
        if type(inputs[i]) is int and 1 <= dtypes[i] <= 8 and type(inputs[1 - i]) not in WEAK and (
                dtype_of(as_header(inputs[1 - i])) > 0):
            info = numpy.iinfo(numpy_dtype(dtypes[i]))
            if not info.min <= inputs[i] <= info.max:
                tensors[i] = math.copysign(math.inf, inputs[i])
                dtypes[0] = dtypes[1] = FLOAT64
    return 0


cdef object checked_weak(LoopTable table, object value, int dtype):
    """Return a Python scalar that fits the dtype; NumPy's OverflowError where it does not."""
    if type(value) is int and 1 <= dtype <= 8:
        numpy.array(value, numpy_dtype(dtype))
    if dtype < 9 and type(value) is not int:
        return bool(value) if dtype == 0 else int(value)
    return value


cdef int check_devices(list tensors) except -1:
    devices = [tensor.device for tensor in tensors if tensor.dim() > 0]
    for device in devices:
        if device != devices[0]:
            raise TypeError(f"operands are on different devices: {devices[0]} and {device}; move one with .to_device()")
    return 0


cdef object apply(object function, str name, list tensors):
    for tensor in tensors:
        dtype = tensor.dtype
        if dtype in SIGNED:
            return apply_to_unsigned(function, name, tensors)
        if dtype in FLOAT8:
            if name in ("nextafter", "spacing"):
                raise TypeError(f"ufunc {name!r} has no kernel on torch for {dtype}")
            return function(*[tensor.to(torch.float32) if tensor.dtype in FLOAT8 else tensor for tensor in tensors])
    return function(*tensors)


cdef int check_out(LoopTable table, ndarray out, object tensor, str casting) except -1:
    check_writeable(out, "output array")
    source = numpy_dtype(dtype_of(from_tensor(unwrap(tensor))))
    destination = numpy_dtype(dtype_of(out))
    if not numpy.can_cast(source, destination, casting):
        raise numpy._core._exceptions._UFuncOutputCastingError(table.numpy_ufunc, casting, source, destination, 0)
    if tuple(wrapped(out).shape) != tuple(tensor.shape):
        raise ValueError(
            f"non-broadcastable output operand with shape {tuple(wrapped(out).shape)} doesn't match the broadcast "
            f"shape {tuple(tensor.shape)}".replace(", ", ",").replace(")", ")")
        )
    return 0


cdef object write_out(object out, object tensor):
    cdef ndarray header = as_header(out)
    target = wrapped(header)
    if header.flipped:
        tensor = torch.flip(tensor, [axis for axis in range(target.dim()) if header.flipped >> axis & 1])
    target.copy_(cast(tensor, target.dtype))
    return out


cdef object new_from_torch(object tensor, bint as_tensors, object template):
    cdef ndarray array
    if as_tensors:
        return tensor
    array = from_tensor(unwrap(tensor))
    if tensor.dim() == 0:
        array.scalar_ = True
        array.writeable_ = False
    if template is not None:
        return as_type(array, type(template), template)
    return array
