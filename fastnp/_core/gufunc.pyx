"""Calls of the generalized ufuncs: matmul, vecdot, matvec, vecmat."""
from libc.stdint cimport int64_t, intptr_t

from fastnp._core.aten cimport call_binary
from fastnp._core.converters cimport as_array
from fastnp._core.assign cimport ORDER_K, astype, to_order
from fastnp._core.dtype cimport (
    COMPLEX64,
    COMPLEX128,
    FLOAT32,
    FLOAT64,
    INT8,
    ITEMSIZES,
    NUM_NUMPY_DTYPES,
    UINT64,
    torch_dtype,
)
from fastnp._core.engine cimport RELEASE_FROM, Operand, clear_float_flags, raised_float_flags
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.loops cimport LoopTable, Resolution, is_plain, table_of
from fastnp._core.ndarray cimport (
    MAXDIMS,
    Header,
    as_type,
    data_of,
    dtype_of,
    fill_strides,
    from_tensor,
    is_c_contiguous,
    ndarray,
    new_array,
    new_scalar,
    thread_is_plain,
    to_torch,
)
from fastnp._core.numpy_errors cimport raise_as_numpy
from fastnp._core.operands cimport IS_FOREIGN, IS_GENERAL, OperandKind, as_header, call_numpy, classify
from fastnp._core.overrides cimport not_overridden, subclass_template
from fastnp._core.placement cimport Placement, follow_any, same_device
from fastnp._core.torch_tensor cimport is_tensor, unwrap, wrap
from fastnp._core.ufunc_call cimport ask_overrides, goes_into, in_container, replaced
from fastnp._core.ufunc_torch cimport (
    ARRAY_SEEN,
    SUBCLASS_SEEN,
    apply,
    as_dtype,
    as_operand,
    cast,
    check_devices,
    check_out,
    fill_operand,
    has_kernels,
    is_general,
    kernel_of,
    new_from_torch,
    new_general,
    resolve,
    write_out,
)
from fastnp._core.sequences cimport is_sequence, with_arrays
from fastnp._core.vecdot cimport along_last_axis, plain_vecdot, report_named
from fastnp._core.views cimport Layout, fill_layout, strided_view

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef extern from "blas.h" namespace "fastnp" nogil:
    bint multiply_by_vector(bint is_double, const void* matrix, const void* vector, void* out, int64_t rows, int64_t columns,
                            bint turned)
    bint mkl_is_quick()

cdef extern from "integer_products.h" namespace "fastnp" nogil:
    bint multiply_integers(int dtype, const void* matrix, const void* vector, void* out, int64_t rows, int64_t columns)
    bint multiply_integer_matrices(int dtype, char** args, const intptr_t* dims, const intptr_t* steps) except +

import numpy
import torch
from numpy.lib.array_utils import normalize_axis_tuple

cdef object NOT_OVERRIDDEN = not_overridden()
cdef LoopTable MATMUL = table_of(numpy.matmul), VECDOT = table_of(numpy.vecdot)
cdef LoopTable VECMAT = table_of(numpy.vecmat) if hasattr(numpy, "vecmat") else None  # NumPy before 2.2 has none
# The core dimensions of the two inputs and the result.
cdef dict CORE = {"matmul": (2, 2, 2), "vecdot": (1, 1, 0), "matvec": (2, 1, 1), "vecmat": (1, 2, 1)}
# Above this many multiplications a product goes to NumPy's BLAS; below, to the three loops in the inner loop.
cdef int64_t TINY = 256
cdef int64_t TINY_VECTOR = 32  # so of products with a vector
# Elements of each operand from which torch multiplies matrices.
cdef int64_t LARGE = 65536
cdef int64_t SHORT = 4096  # products of integers with a vector that are not worth a loop of our own
cdef tuple BLAS_DTYPES = (FLOAT32, FLOAT64, COMPLEX64, COMPLEX128)


cdef object call_gufunc(object function, LoopTable table, tuple inputs, tuple outs, dict options):
    if outs is None and options is None and type(inputs[0]) is ndarray and type(inputs[1]) is ndarray and (
            not function_mode_enabled()):
        return compute_gufunc(table, inputs, None, None)
    result = ask_overrides(function, inputs, outs, True, options)
    if result is not NOT_OVERRIDDEN:
        return result
    return compute_gufunc(table, inputs, outs, options)


cdef object compute_gufunc(LoopTable table, tuple inputs, tuple outs, dict options):
    cdef Operand operands[2]
    cdef int kinds[2]
    cdef int i, arrays = 0, tensors = 0
    cdef bint plain
    cdef OperandKind what
    cdef Placement placement
    cdef list alive
    original = inputs
    if outs is None and options is None and (table is MATMUL or table is VECDOT) and is_general(inputs[0], inputs[1]):
        result = product_at_once(table, inputs[0], inputs[1])
        if result is not None:
            return result
    plain = thread_is_plain()
    if plain and options is not None and outs is None and table is VECDOT:
        moved = along_last_axis(inputs, options)
        result = None if moved is None else plain_vecdot(table, <ndarray>moved[0], <ndarray>moved[1], False)
        if result is not None:
            return result
    alive = []
    if plain and outs is None and options is None and (is_tensor(inputs[0]) or is_tensor(inputs[1])):
        inputs = (tensor_as_array(inputs[0]), tensor_as_array(inputs[1]))
        if type(inputs[0]) is ndarray and type(inputs[1]) is ndarray:
            tensors = type(original[0]) is not ndarray and type(original[1]) is not ndarray
            return in_container(compute_gufunc(table, inputs, None, None), None, tensors, None)
        inputs = original
    if plain and options is None and type(inputs[0]) is ndarray and type(inputs[1]) is ndarray and (
            outs is None or takes_product(outs[0])):
        if table is not MATMUL or not is_large_product(table, inputs):
            if table is MATMUL:
                result = plain_product(table, <ndarray>inputs[0], <ndarray>inputs[1], False)
            elif table is VECDOT:
                result = plain_vecdot(table, <ndarray>inputs[0], <ndarray>inputs[1], False)
            else:
                result = product_with_vector(<ndarray>inputs[0], <ndarray>inputs[1], table is VECMAT, table.name)
            if result is not None and (outs is None or goes_into(<ndarray>outs[0], result)):
                return result if outs is None else outs[0]
    if plain and outs is None and options is None and (is_sequence(inputs[0]) or is_sequence(inputs[1])):
        members = with_arrays(inputs)
        if members is not None and type(members[0]) is ndarray and type(members[1]) is ndarray:
            return compute_gufunc(table, tuple(members), None, None)
    for i in range(2):
        what = classify(inputs[i], &operands[i], &kinds[i], alive, &arrays, &tensors)
        if what == IS_FOREIGN:
            follow_any(&placement, inputs if outs is None else inputs + outs)
            inputs = replaced(table, inputs, i)
            what = classify(inputs[i], &operands[i], &kinds[i], alive, &arrays, &tensors)
        plain = plain and what != IS_GENERAL
    if outs is not None:
        if not isinstance(outs[0], (ndarray, numpy.ndarray)) and not is_tensor(outs[0]):
            raise TypeError("return arrays must be of ArrayType")
        plain = plain and is_plain(as_header(outs[0]))
    template = subclass_template(original)
    if not plain or (outs is None and options is None and is_large_product(table, inputs)):
        return by_torch(table, inputs, outs, options, tensors > 0 and arrays == 0, template)
    keywords = dict(options) if options is not None else {}
    if outs is not None:
        keywords["out"] = outs
        as_header(outs[0]).header.bump_version()
    return in_container(call_numpy(table.numpy_ufunc, inputs, keywords), outs, tensors > 0 and arrays == 0, template)


cdef bint takes_product(object out) noexcept:
    """Whether `out` is a plain array that may be written."""
    return type(out) is ndarray and (<ndarray>out).writeable_ and is_plain(<ndarray>out)


cdef object tensor_as_array(object value):
    """Return a plain torch.Tensor as an array over its memory, anything else as it is."""
    cdef ndarray array
    if not is_tensor(value):
        return value
    array = from_tensor(unwrap(value))
    return array if array.header.is_plain() else value


cdef bint is_large_product(LoopTable table, tuple inputs) except -1:
    """Whether torch's BLAS is better: it lets threads multiply side by side, NumPy's takes them one after another."""
    cdef Header* first
    cdef Header* second
    cdef int dtype
    if not mkl_is_quick() or table is not MATMUL or type(inputs[0]) is not ndarray or type(inputs[1]) is not ndarray:
        return False
    first = &(<ndarray>inputs[0]).header
    second = &(<ndarray>inputs[1]).header
    if first.dim() != 2 or second.dim() != 2 or (<ndarray>inputs[0]).flipped or (<ndarray>inputs[1]).flipped:
        return False
    dtype = first.dtype()
    if dtype not in (10, 11) or is_square_of_itself(first, second):
        return False
    return first.sizes()[0] * first.sizes()[1] >= LARGE and second.sizes()[0] * second.sizes()[1] >= LARGE


cdef bint is_square_of_itself(Header* first, Header* second) noexcept:
    """Whether one matrix is the other one's transpose: NumPy's BLAS computes half of such a product."""
    return first.origin() == second.origin() and first.sizes()[0] == second.sizes()[1] and (
        first.sizes()[1] == second.sizes()[0] and first.strides()[0] == second.strides()[1]
        and first.strides()[1] == second.strides()[0])


cdef int multiply_matrices(Resolution* entry, int dtype, char** args, const intptr_t* dims,
                           const intptr_t* steps) except -1 nogil:
    if not multiply_integer_matrices(dtype, args, dims, steps):
        entry.loop.function(args, dims, steps, entry.loop.data)
    return 0


cdef ndarray plain_product(LoopTable table, ndarray a, ndarray b, bint exact, str name=None):
    """Return the product of two plain vectors, matrices or stacks by NumPy's inner loop; None where they are not that.

    `name` is what a warning calls it, where that is not the table's; "" gives none.
    """
    cdef int dtype = dtype_of(a), first = a.header.dim(), second = b.header.dim(), axis, ndim = 0
    cdef bint stacked_a = first > 2, stacked_b = second > 2
    cdef Resolution* entry
    cdef int64_t m = 1, n, p = 1, stack = 1, stack_b = 1, step_a = 0, step_b = 0
    cdef int64_t shape[MAXDIMS]
    cdef int64_t left[MAXDIMS]
    cdef int64_t right[MAXDIMS]
    cdef intptr_t item
    cdef intptr_t[4] dims
    cdef intptr_t[9] steps
    cdef char* args[3]
    cdef unsigned flags
    cdef const void* matrix
    cdef const void* vector
    cdef void* out
    cdef ndarray result
    if first == 0 or second == 0 or dtype >= NUM_NUMPY_DTYPES or dtype_of(b) >= NUM_NUMPY_DTYPES or (
            exact and (stacked_a or stacked_b)):
        return None
    if dtype != dtype_of(b):
        return product_of_common_dtype(table, a, b, name)
    if not is_plain(a) or not is_plain(b):
        return None
    n = a.header.sizes()[first - 1]
    if first >= 2:
        m = a.header.sizes()[first - 2]
    if second >= 2:
        p = b.header.sizes()[second - 1]
    if stacked_a and not as_one_stack(a, &stack, &step_a) or stacked_b and not as_one_stack(b, &stack_b, &step_b):
        return None
    if stacked_a and stacked_b and not have_one_stack(a, b):
        return None
    if not stacked_a:
        stack = stack_b
    if b.header.sizes()[second - 2 if second > 1 else 0] != n or m == 0 or n == 0 or p == 0 or stack == 0:
        return None
    entry = table.find(dtype, dtype)
    if entry.state != 1:
        return None
    if first == 1 and second == 1:
        result = new_scalar(entry.types[2])
    else:
        for axis in range((first if stacked_a else second) - 2):
            shape[axis] = a.header.sizes()[axis] if stacked_a else b.header.sizes()[axis]
            ndim += 1
        if first > 1:
            shape[ndim] = m
            ndim += 1
        if second > 1:
            shape[ndim] = p
            ndim += 1
        result = new_array(entry.types[2], ndim, shape)
    fill_strides(a, left)
    fill_strides(b, right)
    item = ITEMSIZES[dtype]
    dims = [stack, m, n, p]
    # NumPy: along an axis of length one a loop has no step; it decides by that whether BLAS can have the operands.
    steps = [step_a * item, step_b * item, m * p * item,
             left[first - 2] if m > 1 else 0, left[first - 1] if n > 1 else 0,
             right[second - 2 if second > 1 else 0] if n > 1 else 0, right[second - 1] if p > 1 else 0,
             p * item if m > 1 else 0, item if p > 1 else 0]
    args[0], args[1], args[2] = data_of(a), data_of(b), data_of(result)
    if not exact and dtype == FLOAT64 and not stacked_a and not stacked_b and (
            m * n * p <= (TINY if first + second == 4 else TINY_VECTOR)):
        clear_float_flags(False)
        multiply_doubles(args, dims, steps)
        flags = raised_float_flags(False)
    elif INT8 <= dtype <= UINT64 and second == 1 and not stacked_a and m * n >= SHORT and (
            is_c_contiguous(a) and is_c_contiguous(b)):
        matrix, vector, out = args[0], args[1], args[2]
        with nogil:
            multiply_integers(dtype, matrix, vector, out, m, n)
        flags = 0
    elif dtype in BLAS_DTYPES and first + second < (4 if dtype <= FLOAT64 else 3) and m * n * p >= LARGE and (
            not a.flipped and not b.flipped):
        clear_float_flags(True)
        if not multiply_here(a, b, result):
            if mkl_is_quick():
                multiply_in_torch(a, b, result)
            else:
                with nogil:
                    multiply_matrices(entry, dtype, args, dims, steps)
        flags = raised_float_flags(True)
    elif stack * m * n * p < RELEASE_FROM:
        clear_float_flags(True)
        multiply_matrices(entry, dtype, args, dims, steps)
        flags = raised_float_flags(True)
    else:
        with nogil:
            clear_float_flags(True)
            multiply_matrices(entry, dtype, args, dims, steps)
            flags = raised_float_flags(True)
    if flags:
        report_named(flags, table, name)
    return result


cdef bint as_one_stack(ndarray array, int64_t* count, int64_t* step) noexcept:
    """Describe the axes before the last two as one, its step in elements; False where memory is not in their order."""
    cdef const int64_t* sizes = array.header.sizes()
    cdef const int64_t* strides = array.header.strides()
    cdef int axis
    count[0] = 1
    for axis in range(array.header.dim() - 3, -1, -1):
        if sizes[axis] != 1:
            if count[0] == 1:
                step[0] = -strides[axis] if array.flipped >> axis & 1 else strides[axis]
            elif strides[axis] != count[0] * step[0] or array.flipped:
                return False
            count[0] *= sizes[axis]
    return True


cdef bint have_one_stack(ndarray a, ndarray b) noexcept:
    """Whether the axes before the last two are those of both."""
    cdef int axis
    if a.header.dim() != b.header.dim():
        return False
    for axis in range(a.header.dim() - 2):
        if a.header.sizes()[axis] != b.header.sizes()[axis]:
            return False
    return True


cdef ndarray with_axis(ndarray array, int place):
    """Return a view of a plain array with an axis of length one there."""
    cdef Layout layout
    cdef int axis
    fill_layout(array, &layout)
    for axis in range(layout.ndim, place, -1):
        layout.shape[axis], layout.strides[axis] = layout.shape[axis - 1], layout.strides[axis - 1]
    layout.shape[place], layout.strides[place] = 1, 0
    layout.ndim += 1
    return strided_view(array, &layout)


cdef ndarray without_axis(ndarray array, int place):
    """Return a new array without an axis of length one."""
    cdef Layout layout
    cdef int axis
    fill_layout(array, &layout)
    layout.ndim -= 1
    for axis in range(place, layout.ndim):
        layout.shape[axis], layout.strides[axis] = layout.shape[axis + 1], layout.strides[axis + 1]
    array = strided_view(array, &layout)
    array.base_ = None
    return array


cdef ndarray product_with_vector(ndarray a, ndarray b, bint vector_first, str name):
    """Return the product of a matrix and a vector, or of stacks of them; None where they are not that."""
    cdef ndarray vector = a if vector_first else b
    cdef int ndim = b.header.dim() if vector_first else a.header.dim(), others = vector.header.dim()
    if ndim < 2 or others < 1 or vector_first and max(dtype_of(a), dtype_of(b)) >= COMPLEX64:
        return None  # NumPy: a vector on the left is conjugated, as the product's dtype
    if ndim == 2 and others == 1:
        return plain_product(MATMUL, a, b, False, name)
    if not vector.header.is_plain() or others == MAXDIMS:
        return None
    vector = with_axis(vector, others - vector_first)
    result = plain_product(MATMUL, vector if vector_first else a, b if vector_first else vector, False, name)
    return None if result is None else without_axis(result, result.header.dim() - 1 - vector_first)


cdef ndarray product_of_common_dtype(LoopTable table, ndarray a, ndarray b, str name):
    """The same of two dtypes, by NumPy's loop, which in NumPy too is given copies of the operands."""
    cdef Resolution* entry = table.find(dtype_of(a), dtype_of(b))
    if entry.state != 1 or entry.types[0] != entry.types[1] or not is_plain(a) or not is_plain(b):
        return None
    return plain_product(
        table, astype(a, entry.types[0], ORDER_K, False), astype(b, entry.types[0], ORDER_K, False),
        a.header.dim() < 3 and b.header.dim() < 3, name)


cdef bint multiply_here(ndarray a, ndarray b, ndarray result) noexcept:
    """Multiply vectors, or a matrix and a vector, that lie in one piece each, by a loop of our own; False for others."""
    cdef int dtype = dtype_of(a), first = a.header.dim(), second = b.header.dim()
    cdef ndarray matrix = a if first == 2 else b
    cdef const void* left
    cdef const void* right
    cdef void* out = data_of(result)
    cdef int64_t rows = 1, columns
    cdef bint turned = second == 2, done
    if dtype != FLOAT32 and dtype != FLOAT64 or not is_c_contiguous(b if first == 2 else a):
        return False
    columns = matrix.header.sizes()[matrix.header.dim() - 1]
    if first == 2 or second == 2:
        rows = matrix.header.sizes()[0]
    if not is_c_contiguous(matrix):
        # Its transpose is as good.
        if rows == 1 or matrix.header.strides()[0] != 1 or matrix.header.strides()[1] != rows:
            return False
        rows, columns, turned = columns, rows, not turned
    left, right = data_of(matrix), data_of(b if first == 2 else a)
    with nogil:
        done = multiply_by_vector(dtype == FLOAT64, left, right, out, rows, columns, turned)
    return done


cdef int multiply_in_torch(ndarray a, ndarray b, ndarray result) except -1:
    """Multiply two vectors, or a matrix and a vector, by torch's BLAS.

    NumPy's has threads of its own from some 10,000 elements on, which wait for each other in a loop: where the other core
    is busy, that is ten times what one takes.
    """
    left, right = to_torch(a), to_torch(b)
    if left.dim() == 1 and right.dim() == 1:
        torch.dot(left, right, out=to_torch(result))
    elif left.dim() == 2:
        torch.mv(left, right, out=to_torch(result))
    else:
        torch.mv(right.t(), left, out=to_torch(result))
    return 0


cdef void multiply_doubles(char** args, const intptr_t* dims, const intptr_t* steps) noexcept nogil:
    cdef intptr_t i, j, k
    cdef double total
    for i in range(dims[1]):
        for j in range(dims[3]):
            total = 0
            for k in range(dims[2]):
                total += (<double*>(args[0] + i * steps[3] + k * steps[4]))[0] * (
                    <double*>(args[1] + k * steps[5] + j * steps[6]))[0]
            (<double*>(args[2] + i * steps[7] + j * steps[8]))[0] = total


# --- by torch ---------------------------------------------------------------------------------------------------------

cdef object product_at_once(LoopTable table, object a, object b):
    cdef int kind = 0, other = 0, seen = 0
    cdef Resolution* entry
    cdef Tensor left, right
    cdef ndarray array
    if fill_operand(a, &left, &kind, &seen) and fill_operand(b, &right, &other, &seen) and kind == other and (
            has_kernels(kind) and seen & ARRAY_SEEN and table.operators[kind] >= 0):
        entry = table.find(kind, kind)
        if entry.state != 1 or entry.types[2] != kind or left.dim() == 0 or right.dim() == 0 or not same_device(left, right):
            return None
        if last_size(left) != last_size(right) and table.name == "vecdot":
            return None  # torch would repeat one element
        try:
            array = new_general(call_binary(table.operators[kind], left, right), kind)
        except RuntimeError:
            raise_as_numpy(table.numpy_ufunc, (wrap(left), wrap(right)), {})
            raise
        if not seen & SUBCLASS_SEEN:
            return array
        template = subclass_template((a, b))
        return as_type(array, type(template), template)
    seen = 0
    first, second = as_operand(a, &kind, &seen), as_operand(b, &other, &seen)
    if first is None or second is None or kind != other or not has_kernels(kind):
        return None
    entry = table.find(kind, kind)
    if entry.state != 1 or entry.types[2] != kind:
        return None
    if unwrap(first).dim() == 0 or unwrap(second).dim() == 0 or not same_device(unwrap(first), unwrap(second)):
        return None
    if table.name == "vecdot" and last_size(unwrap(first)) != last_size(unwrap(second)):
        return None  # torch would repeat one element
    try:
        result = kernel_of(table, first)(first, second)
    except RuntimeError:
        raise_as_numpy(table.numpy_ufunc, (first, second), {})
        raise
    return as_dtype(result, kind, not seen & ARRAY_SEEN, subclass_template((a, b)) if seen & SUBCLASS_SEEN else None)


cdef inline int64_t last_size(const Tensor& tensor) noexcept:
    return tensor.sizes()[tensor.dim() - 1]


cdef object by_torch(LoopTable table, tuple inputs, tuple outs, dict options, bint as_tensors, object template):
    cdef tuple core = CORE[table.name]
    cdef list dtypes
    cdef list tensors
    cdef ndarray out
    cdef Placement placement
    follow_any(&placement, inputs if outs is None else inputs + outs)
    options = options if options is not None else {}
    to_order(options.get("order"))
    arrays = tuple([as_array(value) for value in inputs])
    dtypes = resolve(table, arrays, options)
    tensors = [cast(to_torch(array), torch_dtype(dtypes[i])) for i, array in enumerate(arrays)]
    check_devices(tensors)
    axes = axes_of(core, options)
    if any([tensor.dim() < dims for tensor, dims in zip(tensors, core)]) and (
            table.name != "matmul" or any([tensor.dim() == 0 for tensor in tensors])):
        raise_as_numpy(table.numpy_ufunc, tuple(tensors), {
            name: options[name] for name in ("axes", "axis", "keepdims") if name in options})
    if axes is not None:
        tensors = [moved(tensor, one) for tensor, one in zip(tensors, axes)]
    if table.name == "vecdot" and tensors[0].size(-1) != tensors[1].size(-1):
        raise_as_numpy(table.numpy_ufunc, tuple(tensors), {})
    try:
        result = apply(table, tensors)
    except RuntimeError:
        raise_as_numpy(table.numpy_ufunc, tuple(tensors), {})
        raise
    result = cast(result, torch_dtype(dtypes[2]))
    if axes is not None and axes[2]:
        result = torch.movedim(result, tuple(range(-len(axes[2]), 0)), normalize_axis_tuple(axes[2], result.dim()))
    if options.get("keepdims"):
        result = result.unsqueeze(axes[0][0] if axes is not None else -1)
    if outs is not None and outs[0] is not None:
        out = as_header(outs[0])
        check_out(table, out, result, options.get("casting", "same_kind"))
        return write_out(outs[0], result)
    return new_from_torch(result, as_tensors, template)


cdef object moved(object tensor, tuple axes):
    return torch.movedim(tensor, axes, tuple(range(-len(axes), 0))) if axes else tensor


cdef object axes_of(tuple core, dict options):
    """Return the axes of the core dimensions of inputs and result, or None for the last ones."""
    if options.get("axes") is not None:
        given = [(one,) if isinstance(one, int) else tuple(one) for one in options["axes"]]
        if len(given) == 2 and core[2] == 0:
            given.append(())
        return given
    if options.get("axis") is not None:
        return [(options["axis"],) if dims else () for dims in core]
    return None
