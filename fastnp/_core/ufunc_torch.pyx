"""A ufunc call by torch: gradients, transforms, modes, other devices, bfloat16 and float8."""
from fastnp._core.aten cimport (
    call_binary,
    call_into,
    call_unary,
    call_with_number,
    cast_direct,
    fill_number,
    is_direct,
    operator_of,
)
from fastnp._core.converters cimport as_array
from fastnp._core.dtype cimport (
    BFLOAT16,
    BOOL,
    FLOAT16,
    FLOAT64,
    INT64,
    ITEMSIZES,
    NUM_DTYPES,
    NUM_NUMPY_DTYPES,
    SCALAR_TYPES,
    UINT16,
    UINT32,
    UINT64,
    WEAK_COMPLEX,
    WEAK_INT,
    index_of,
    index_of_numpy,
    numpy_dtype,
    torch_dtype,
)
from fastnp._core.libtorch.ScalarType cimport ScalarType
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.loops cimport LoopTable, Resolution, store_weak
from fastnp._core.ndarray cimport (
    MAXDIMS,
    as_type,
    check_writeable,
    dtype_of,
    from_tensor,
    ndarray,
    new_scalar,
    tensor_is_plain,
    tensor_of,
    thread_is_plain,
    to_tensor,
    to_torch,
    wrapped,
)
from fastnp._core.numpy_errors cimport raise_as_numpy
from fastnp._core.operands cimport as_header, kind_of_number
from fastnp._core.overrides cimport subclass_template
from fastnp._core.placement cimport Placement, follow_any, same_device
from fastnp._core.torch_tensor cimport is_exact_tensor, is_tensor, unwrap, values_are_known, wrap
from fastnp._core.stored_dtypes cimport FLOAT8, SIGNED, apply_to_unsigned

from libc.stdint cimport int64_t
from libc.string cimport memcmp, memcpy

import math

import numpy
import torch

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint subclass_hooks_disabled()

cdef tuple WEAK = (int, float, complex)
cdef object DISABLED_HOOK = torch._C._disabled_torch_function_impl
# Where torch computes with a Python number beside a tensor what it computes with the same number as a tensor of the loop's
# dtype. (`pow` has ways of its own for some exponents.)
cdef dict TAKES_NUMBERS = {
    "add": FIRST | SECOND, "bitwise_and": SECOND, "bitwise_or": SECOND, "bitwise_xor": SECOND, "divide": FIRST | SECOND,
    "equal": SECOND, "fmod": SECOND, "greater": SECOND, "greater_equal": SECOND, "less": SECOND, "less_equal": SECOND,
    "multiply": FIRST | SECOND, "not_equal": SECOND, "remainder": SECOND, "subtract": FIRST | SECOND,
}

cdef extern from "<c10/core/ScalarType.h>" namespace "c10" nogil:
    ScalarType promoteTypes(ScalarType, ScalarType)

cdef extern from "operand.h" namespace "fastnp" nogil:
    bint broadcast_into(int* ndim, int64_t* shape, int other_ndim, const int64_t* other)

cdef object BUILTIN = type(torch.add)
cdef double EXACT = 2.0 ** 24  # below it, each integer is rounded once on its way to bfloat16
cdef str KINDS = "".join(["f" if dtype >= BFLOAT16 else numpy_dtype(dtype).kind for dtype in range(NUM_DTYPES)])


cdef int set_kernels(LoopTable table, object rows) except -1:
    cdef int dtype
    cdef list of_kinds = [("biufc", rows)] if callable(rows) else list(rows.items())
    cdef list found = [
        (kinds, kernel, operator_of(kernel, table.nin) if 1 <= table.nin <= 2 and table.nout == 1 else -1)
        for kinds, kernel in of_kinds
    ]
    table.kernels = [None] * NUM_DTYPES
    for dtype in range(NUM_DTYPES):
        table.operators[dtype] = -1
        for kinds, kernel, operator in found:
            if KINDS[dtype] in kinds:
                table.kernels[dtype], table.operators[dtype] = kernel, operator
                break
    table.takes_numbers = TAKES_NUMBERS.get(table.name, 0)
    return 0


cdef object kernel_of(LoopTable table, object tensor):
    return table.kernels[index_of(unwrap(tensor).scalar_type())]


# --- one call of torch ------------------------------------------------------------------------------------------------

cdef inline bint is_plain_operand(object value) noexcept:
    if isinstance(value, ndarray):
        return (<ndarray>value).header.is_plain() and (<ndarray>value).header.dtype() < NUM_NUMPY_DTYPES
    return not is_tensor(value) or tensor_is_plain(unwrap(value))


cdef bint is_general(object a, object b) noexcept:
    return not is_plain_operand(a) or not is_plain_operand(b) or not thread_is_plain()


cdef object as_operand(object value, int* kind, int* seen):
    if isinstance(value, ndarray):
        kind[0] = (<ndarray>value).header.dtype()
        seen[0] |= ARRAY_SEEN if type(value) is ndarray else ARRAY_SEEN | SUBCLASS_SEEN
        return to_torch(<ndarray>value)
    kind[0] = kind_of_number(value)
    if kind[0] >= 0:
        return value
    if is_exact_tensor(value) or (is_tensor(value) and (
            subclass_hooks_disabled() or type(value).__torch_function__ is DISABLED_HOOK)):
        kind[0] = index_of(unwrap(value).scalar_type())
        seen[0] |= TENSOR_SEEN
    else:
        return None
    return value


cdef bint has_kernels(int dtype) noexcept:
    return 0 <= dtype < NUM_NUMPY_DTYPES and dtype != UINT16 and dtype != UINT32 and dtype != UINT64


cdef bint has_elementwise_kernels(int dtype) noexcept:
    return has_kernels(dtype) or dtype == BFLOAT16


cdef object as_loop_operand(object operand, int kind, int dtype, bint takes_number, object beside):
    cdef char item[16]
    cdef ndarray scalar
    if kind == dtype:
        return operand
    if kind < WEAK_INT:
        return operand.to(torch_dtype(dtype)) if has_elementwise_kernels(kind) else None
    if dtype == BFLOAT16:
        return torch.tensor(operand, dtype=torch.bfloat16) if -EXACT < operand < EXACT else None
    if not store_weak(item, dtype, operand):
        return None
    # torch computes in a wider dtype with a number beside float16.
    if takes_number and dtype != FLOAT16:
        return operand
    if not thread_is_plain() or not is_exact_tensor(beside):
        return torch.tensor(operand, dtype=torch_dtype(dtype))
    scalar = new_scalar(dtype)
    memcpy(scalar.header.origin(), item, ITEMSIZES[dtype])
    return wrapped(scalar)


cdef inline bint on_one_device(object a, object b) except -1:
    if isinstance(a, ndarray) and isinstance(b, ndarray):
        return same_device(tensor_of(<ndarray>a)[0], tensor_of(<ndarray>b)[0])
    return same_device(
        tensor_of(<ndarray>a)[0] if isinstance(a, ndarray) else unwrap(a),
        tensor_of(<ndarray>b)[0] if isinstance(b, ndarray) else unwrap(b))


cdef bint fill_operand(object value, Tensor* tensor, int* kind, int* seen) except -1:
    """Read an operand as `as_operand` does, a tensor without its object; False for what torch's functions have to read."""
    if isinstance(value, ndarray):
        kind[0] = (<ndarray>value).header.dtype()
        seen[0] |= ARRAY_SEEN if type(value) is ndarray else ARRAY_SEEN | SUBCLASS_SEEN
        tensor[0] = to_tensor(<ndarray>value)
        return is_direct(tensor[0])
    kind[0] = kind_of_number(value)
    if kind[0] >= 0:
        return True
    if not is_tensor(value):
        return False
    tensor[0] = unwrap(value)
    kind[0] = index_of(tensor.scalar_type())
    seen[0] |= TENSOR_SEEN
    return is_direct(tensor[0])


cdef bint cast_operand(object value, Tensor* tensor, int kind, int dtype, bint takes_number) except -1:
    """Make an operand one of the loop's dtype, as `as_loop_operand` does; False where that is torch's functions' to do."""
    cdef char item[16]
    cdef ndarray scalar
    if kind == dtype:
        return True
    if kind < WEAK_INT:
        if not has_elementwise_kernels(kind):
            return False
        tensor[0] = cast_direct(tensor[0], dtype)
        return True
    if not store_weak(item, dtype, value):
        return False
    if takes_number and dtype != FLOAT16:
        return fill_number(value, tensor)
    if not thread_is_plain():
        return False
    scalar = new_scalar(dtype)
    memcpy(scalar.header.origin(), item, ITEMSIZES[dtype])
    tensor[0] = tensor_of(scalar)[0]
    return True


cdef bint casts_itself(LoopTable table, const Tensor& tensor, int dtype, int kind) noexcept:
    """Whether torch, given a tensor of the loop's dtype with axes, computes in it whatever the other operand is of.

    It casts as it reads, where a cast before would write the other operand once more.
    """
    # torch: nothing is subtracted from truths, or truths from it.
    return (
        table.takes_numbers != 0 and tensor.dim() > 0 and kind != dtype and kind != BOOL and has_elementwise_kernels(kind)
        and promoteTypes(SCALAR_TYPES[dtype], SCALAR_TYPES[kind]) == SCALAR_TYPES[dtype] == tensor.scalar_type())


cdef object by_operator(LoopTable table, object a, object b):
    """Compute by one call of ATen's operator; None where there is more to it."""
    cdef char item[16]
    cdef int first_kind = 0, second_kind = 0, seen = 0
    cdef Tensor first, second, result
    cdef Resolution* entry
    cdef ndarray array
    cdef object template = None
    cdef bint alike
    if not fill_operand(a, &first, &first_kind, &seen) or not 0 <= first_kind <= WEAK_COMPLEX:
        return None
    if table.nin == 2:
        if not fill_operand(b, &second, &second_kind, &seen) or not 0 <= second_kind <= WEAK_COMPLEX:
            return None
        if first_kind < WEAK_INT and second_kind < WEAK_INT and not same_device(first, second):
            return None
    if not seen:
        return None
    entry = table.find(first_kind, second_kind)
    # Of loops that raise, an operand's values decide.
    if entry.state < 1 or entry.raises or table.operators[entry.promoted[0]] < 0 or (
            not has_elementwise_kernels(entry.promoted[0])):
        return None
    if table.nin == 2 and not has_elementwise_kernels(entry.promoted[1]):
        return None
    alike = table.nin == 2 and entry.promoted[0] == entry.promoted[1]
    if not (alike and second_kind == entry.promoted[1] and casts_itself(
            table, second, second_kind, first_kind)) and not cast_operand(
                a, &first, first_kind, entry.promoted[0], table.takes_numbers & FIRST):
        return None
    if table.nin == 1:
        result = call_unary(table.operators[entry.promoted[0]], first)
    elif second_kind >= WEAK_INT and table.takes_numbers == SECOND and (
            entry.promoted[1] != FLOAT16 and entry.promoted[1] != BFLOAT16):
        # torch: what takes a number on either side makes a tensor of it, all else has an overload for one on the right.
        if not store_weak(item, entry.promoted[1], b) or not call_with_number(
                table.operators[entry.promoted[0]], first, b, &result):
            return None
    elif alike and casts_itself(table, first, entry.promoted[0], second_kind) or cast_operand(
            b, &second, second_kind, entry.promoted[1], table.takes_numbers & SECOND):
        result = call_binary(table.operators[entry.promoted[0]], first, second)
    else:
        return None
    if seen & SUBCLASS_SEEN:
        template = subclass_template((a, b))
    if not seen & ARRAY_SEEN:
        return as_dtype(wrap(result), entry.types[table.nin], True, None)
    array = new_general(result, entry.types[table.nin])
    return array if template is None else as_type(array, type(template), template)


cdef object by_one_call(LoopTable table, object a, object b):
    cdef int first_kind = 0, second_kind = 0, seen = 0, numbers
    cdef Resolution* entry
    cdef object first, second = None, template = None, result, kernel
    first = as_operand(a, &first_kind, &seen)
    if first is None or not 0 <= first_kind <= WEAK_COMPLEX:
        return None
    if table.nin == 2:
        second = as_operand(b, &second_kind, &seen)
        if second is None or not 0 <= second_kind <= WEAK_COMPLEX:
            return None
        if first_kind < WEAK_INT and second_kind < WEAK_INT and not on_one_device(a, b):
            return None
    elif table.nin > 2:
        return None
    if not seen:
        return None
    entry = table.find(first_kind, second_kind)
    # Of loops that raise, an operand's values decide.
    if entry.state < 1 or entry.raises or not has_elementwise_kernels(entry.promoted[0]) or (
            table.nin == 2 and not has_elementwise_kernels(entry.promoted[1])):
        return None
    kernel = table.kernels[entry.promoted[0]]
    if table.nin == 1:
        if first_kind != entry.promoted[0]:
            first = as_loop_operand(first, first_kind, entry.promoted[0], False, None)
            if first is None:
                return None
        result = kernel(first)
    else:
        if first_kind != entry.promoted[0] or second_kind != entry.promoted[1]:
            kept = first
            # Kernels in Python make more of their operands than a call.
            numbers = table.takes_numbers if type(kernel) is BUILTIN else 0
            first = as_loop_operand(first, first_kind, entry.promoted[0], numbers & FIRST, second)
            second = as_loop_operand(second, second_kind, entry.promoted[1], numbers & SECOND, kept)
            if first is None or second is None:
                return None
        result = kernel(first, second)
    if seen & SUBCLASS_SEEN:
        template = subclass_template((a, b))
    if table.nout == 1:
        return as_dtype(result, entry.types[table.nin], not seen & ARRAY_SEEN, template)
    return tuple([
        as_dtype(part, entry.types[table.nin + place], not seen & ARRAY_SEEN, template) for place, part in enumerate(result)
    ])


cdef object into_out(LoopTable table, object a, object b, ndarray out):
    """Compute by one call of torch into an array of the loop's dtype and the result's shape; None where there is more to it."""
    cdef int first_kind = 0, second_kind = 0, seen = 0, ndim = 0
    cdef int64_t shape[MAXDIMS]
    cdef Resolution* entry
    cdef const Tensor* target = tensor_of(out)
    cdef object first, second = None, kernel
    first = as_operand(a, &first_kind, &seen)
    if first is None or not 0 <= first_kind <= WEAK_COMPLEX or out.flipped or not out.writeable_ or (
            not is_alike(first, first_kind, target[0], &ndim, shape)):
        return None
    if table.nin == 2:
        second = as_operand(b, &second_kind, &seen)
        if second is None or not 0 <= second_kind <= WEAK_COMPLEX or (
                not is_alike(second, second_kind, target[0], &ndim, shape)):
            return None
    if ndim != target.dim() or memcmp(shape, target.sizes().data(), ndim * sizeof(int64_t)) != 0:
        return None
    entry = table.find(first_kind, second_kind)
    if entry.state < 1 or entry.raises or entry.types[table.nin] != dtype_of(out) or (
            not has_elementwise_kernels(entry.promoted[0]) or (
                table.nin == 2 and not has_elementwise_kernels(entry.promoted[1]))):
        return None
    kernel = table.kernels[entry.promoted[0]]
    if type(kernel) is not BUILTIN:
        return None
    kept = first
    try:
        if written_at_once(table, entry, a, first_kind, b, second_kind, target[0]):
            return out
        first = as_loop_operand(first, first_kind, entry.promoted[0], table.takes_numbers & FIRST, second)
        if first is None:
            return None
        if table.nin == 1:
            kernel(first, out=wrapped(out))
            return out
        second = as_loop_operand(second, second_kind, entry.promoted[1], table.takes_numbers & SECOND, kept)
        if second is None:
            return None
        kernel(first, second, out=wrapped(out))
    except (RuntimeError, TypeError):
        return None  # of another dtype than ours, or over the memory of an operand: by way of a result of its own
    return out


cdef bint written_at_once(
    LoopTable table, Resolution* entry, object a, int first_kind, object b, int second_kind, const Tensor& target
) except -1:
    """Do what `into_out` does by ATen's operator; False for what torch's functions have to read."""
    cdef int number = table.operators[entry.promoted[0]], ignored = 0
    cdef Tensor operands[2]
    if number < 0 or not is_direct(target) or not fill_operand(a, &operands[0], &first_kind, &ignored) or (
            not cast_operand(a, &operands[0], first_kind, entry.promoted[0], table.takes_numbers & FIRST)):
        return False
    if table.nin == 2 and not (fill_operand(b, &operands[1], &second_kind, &ignored) and cast_operand(
            b, &operands[1], second_kind, entry.promoted[1], table.takes_numbers & SECOND)):
        return False
    return call_into(number, operands, target)


cdef bint is_alike(object operand, int kind, const Tensor& target, int* ndim, int64_t* shape) except -1:
    """Whether torch may read an operand beside what it writes: a number, or without a gradient and on the same device."""
    cdef Tensor tensor
    if kind >= WEAK_INT:
        return True
    tensor = unwrap(operand)
    return is_direct(tensor) and not tensor.requires_grad() and not target.requires_grad() and (
        same_device(tensor, target) and broadcast_into(ndim, shape, <int>tensor.dim(), tensor.sizes().data()))


cdef object as_dtype(object tensor, int dtype, bint as_tensors, object template):
    cdef Tensor unwrapped = unwrap(tensor)
    if index_of(unwrapped.scalar_type()) != dtype:
        tensor = cast(tensor, torch_dtype(dtype))
        unwrapped = unwrap(tensor)
    return tensor if as_tensors else new_from(unwrapped, template)


cdef object call_general(LoopTable table, object a, object b):
    try:
        result = by_operator(table, a, b) if table.nin <= 2 and table.nout == 1 else None
        return by_one_call(table, a, b) if result is None else result
    except (RuntimeError, IndexError):
        raise_as_numpy(table.numpy_ufunc, (a,) if table.nin == 1 else (a, b), {})
        raise


# --- any call ---------------------------------------------------------------------------------------------------------

cdef object call_torch(
    LoopTable table, tuple inputs, tuple outs, object where, dict options, bint as_tensors, object template
):
    cdef Placement placement
    follow_any(&placement, inputs if outs is None else inputs + outs)
    try:
        return computed(table, inputs, outs, where, options, as_tensors, template)
    except (RuntimeError, IndexError):
        keywords = dict(options) if options is not None else {}
        if outs is not None:
            keywords["out"] = outs
        if where is not None:
            keywords["where"] = where
        raise_as_numpy(table.numpy_ufunc, inputs, keywords)
        raise


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
        tensors.append(value if type(value) in WEAK else to_torch(as_array(value)))
    dtypes = resolve(table, inputs, options)
    if table.compares:
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
    results = apply(table, tensors)
    if not isinstance(results, (tuple, list)):
        results = (results,)
    results = [cast(result, torch_dtype(dtypes[table.nin + i])) for i, result in enumerate(results)]
    if where is not None:
        mask = to_torch(as_array(where))
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
    if torch_dtype(index_of(unwrap(tensor).scalar_type())) is dtype:
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


cdef object apply(LoopTable table, list tensors):
    for tensor in tensors:
        dtype = tensor.dtype
        if dtype in SIGNED:
            return apply_to_unsigned(table.kernels[INT64], table.name, tensors)
        if dtype in FLOAT8:
            if table.name in ("nextafter", "spacing"):
                raise TypeError(f"ufunc {table.name!r} has no kernel on torch for {dtype}")
            tensors = [tensor.to(torch.float32) if tensor.dtype in FLOAT8 else tensor for tensor in tensors]
            break
    return kernel_of(table, tensors[0])(*tensors)


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


cdef object new_from_torch(object result, bint as_tensors, object template):
    if type(result) is not ndarray:
        return result if as_tensors else new_from(unwrap(result), template)
    if as_tensors:
        return wrapped(<ndarray>result)
    return result if template is None else as_type(<ndarray>result, type(template), template)


cdef ndarray new_general(const Tensor& tensor, int dtype):
    cdef ndarray array
    if dtype >= 0 and index_of(tensor.scalar_type()) != dtype:
        return new_general_as(tensor, dtype)
    array = from_tensor(tensor)
    if tensor.dim() == 0:
        array.scalar_ = True
        array.writeable_ = False
    return array


cdef ndarray new_general_as(const Tensor& tensor, int dtype):
    return new_general(unwrap(cast(wrap(tensor), torch_dtype(dtype))), dtype)


cdef inline object new_from(const Tensor& tensor, object template):
    cdef ndarray array = new_general(tensor, -1)
    return array if template is None else as_type(array, type(template), template)
