"""One call of an elementwise ufunc, from its arguments to its result.

Plain operands go through NumPy's loops; what those do not take as it stands (casting=, signature=, an error to be
raised) is the same call made by NumPy on views of the same memory; everything that is not plain goes to torch.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

from fastnp._core.assign cimport assign
from fastnp._core.aten cimport fill_number, write_direct, writing_operator
from fastnp._core.converters cimport as_array
from fastnp._core.engine cimport (
    ElementwiseCall,
    Operand,
    Order,
    Status,
    clear_float_flags,
    is_contiguous,
    raised_float_flags,
)
from fastnp._core.loops cimport (
    LoopTable,
    Resolution,
    fill_operand,
    has_vectors,
    is_plain,
    new_result,
    raise_pending,
    report_float_flags,
    same_kind,
    store_bound,
    store_weak,
    table_of,
)
from fastnp._core.dtype cimport (
    COMPLEX64,
    FLOAT16,
    ITEMSIZES,
    NUM_NUMPY_DTYPES,
    UINT32,
    UINT64,
    WEAK_INT,
    dtype_index,
    numpy_dtype,
)
from fastnp._core.libtorch.Tensor cimport Tensor
from fastnp._core.ndarray cimport (
    MAXDIMS,
    alias,
    as_type,
    data_of,
    dtype_of,
    is_c_contiguous,
    make_ordinary,
    ndarray,
    new_array,
    tensor_of,
    thread_is_plain,
    wrapped,
)
from fastnp._core.operands cimport (
    IS_FOREIGN,
    IS_GENERAL,
    IS_PLAIN,
    IS_WEAK,
    OperandKind,
    as_header,
    call_numpy,
    classify,
)
from fastnp._core.overrides cimport (
    Containers,
    call_overrides,
    clear,
    listens,
    look_at,
    mode_listens,
    not_overridden,
    subclass_template,
    type_attribute,
)
from fastnp._core.placement cimport Placement, follow_any, same_device
from fastnp._core.torch_tensor cimport is_tensor
from fastnp._core.ufunc_torch cimport call_general, call_torch, into_out, is_general

import warnings

import numpy
import torch

cdef extern from "Python.h":
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    Py_ssize_t PyTuple_GET_SIZE(object)

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()

cdef extern from "operand.h" namespace "fastnp" nogil:
    bint broadcast_into(int* ndim, int64_t* shape, int other_ndim, const int64_t* other)

cdef object NOT_OVERRIDDEN = not_overridden()


cdef dict with_operators(dict dtypes_of):
    """Return for each function ATen's operator and the dtypes that have no loop on vectors."""
    return {name: (writing_operator(name), tuple([dtype for dtype in dtypes if not has_vectors(name, dtype)]))
            for name, dtypes in dtypes_of.items()}


# Where torch takes less time than NumPy's loop, its own call included: the dtypes (9, 10, 11: float16, 32, 64) by ufunc.
# Measured at 1,000 to 1,000,000 elements, one thread: sin 0.4 to 0.15 of NumPy's time,
# remainder 0.4 to 0.06, extrema of float16 0.25 to 0.01. (Arithmetic of float16 has loops of our own: half_loops.h.)
# What has a loop of its own (elementary.h) stays here; with AVX-512, logaddexp goes.
cdef dict FASTER_IN_TORCH = with_operators({
    "cos": (11,),
    "floor_divide": (10, 11),  # of float16, torch rounds between its steps
    "fmod": (9, 10, 11),
    "hypot": (9, 10, 11),
    "logaddexp": (10, 11),
    "maximum": (9,),
    "minimum": (9,),
    "remainder": (10, 11),
    "sin": (11,),
})
# Those that take a Python number in the stead of the second operand.
cdef tuple TAKES_NUMBERS = ("floor_divide", "fmod", "remainder")
cdef int64_t TORCH_FROM = 4096
cdef LoopTable LOGADDEXP = table_of(numpy.logaddexp)
# Elements from which torch may use threads of its own.
cdef int64_t TORCH_GRAIN = 32768


# --- arguments --------------------------------------------------------------------------------------------------------

cdef bint all_none(tuple outs) except -1:
    for out in outs:
        if out is not None:
            return False
    return True


cdef dict NUMPY_DEFAULTS = {"casting": "same_kind", "order": "K", "dtype": None, "subok": True, "keepdims": False}


cdef str OUT = "out"


cdef bint is_default(object name, object value) except -1:
    """Whether an option has the value that it has where a call does not name it."""
    default = NUMPY_DEFAULTS.get(name, NUMPY_DEFAULTS)
    return value is default or type(default) is str and type(value) is str and value == default


cdef bint allows_loops(object casting, bint writes) noexcept:
    """Whether a rule for casts allows all that a call of arrays does without one: to cast to what the loop takes is safe."""
    return type(casting) is str and (casting == "unsafe" or casting == "safe" and not writes)


cdef bint says_out_alone(PyObject* const* args, Py_ssize_t nin, Py_ssize_t count, tuple names, PyObject** out) except -1:
    """Whether the options of a call of one result say no more than where it is written to, if that (into `out`)."""
    cdef Py_ssize_t i
    cdef PyObject* found
    cdef bint arrays = False
    if PyTuple_GET_SIZE(names) == 1 and PyTuple_GET_ITEM(names, 0) == <PyObject*>OUT and count == nin and (
            type(<object>args[count]) is ndarray):
        out[0] = args[count]
        return True
    found = args[nin] if count == nin + 1 else NULL
    if not nin <= count <= nin + 1:
        return False
    for i in range(len(names)):
        name, value = names[i], <object>args[count + i]
        if name == "out":
            if found is not NULL or value is None or value is Ellipsis:
                return False
            found = args[count + i]
            if type(value) is tuple:
                if len(<tuple>value) != 1 or (<tuple>value)[0] is None:
                    return False
                found = <PyObject*>(<tuple>value)[0]
        elif name == "casting" and allows_loops(value, found is not NULL or "out" in names):
            arrays = True
        elif not (value is True if name == "where" else name != "keepdims" and is_default(name, value)):
            return False
    if arrays and not thread_is_plain():
        return False  # a mode is told what the call says
    for i in range(nin if arrays else 0):
        if type(<object>args[i]) is not ndarray:
            return False
    out[0] = found
    return True


cdef int warn_of_where() except -1:
    """Say that a mask without an output leaves what it does not cover unwritten."""
    warnings.warn("'where' used without 'out', expect unitialized memory in output. If this is intentional, use out=None.",
                  UserWarning, stacklevel=1)
    return 0


cdef bint reduce_options(dict options, bint core) except -1:
    """Take out of the options those that say what is the default; False where others are none that a call takes."""
    for name in [name for name in options if is_default(name, options[name]) and (core or name != "keepdims")]:
        del options[name]
    for name in options:
        if name not in ("casting", "order", "dtype", "subok", "signature", "sig") and not (
                core and name in ("axes", "axis", "keepdims")):
            return False
    return "signature" not in options or "sig" not in options


cdef int keep_array(object result) except -1:
    """Make a 0-d result an ordinary array: `out=...` asks for that."""
    if type(result) is tuple:
        for item in result:
            keep_array(item)
    elif type(result) is ndarray:
        make_ordinary(<ndarray>result)
    return 0


# --- the call ---------------------------------------------------------------------------------------------------------

cdef object call_ufunc(object function, LoopTable table, tuple inputs, tuple outs, object where, dict options):
    result = ask_overrides(function, inputs, outs, where, options)
    if result is not NOT_OVERRIDDEN:
        return result
    return compute_ufunc(table, inputs, outs, where, options)


cdef object compute_ufunc(LoopTable table, tuple inputs, tuple outs, object where, dict options):
    cdef Operand operands[4]
    cdef Operand mask
    cdef int kinds[4]
    cdef int i, ignored = 0, arrays = 0, tensors = 0, mask_kind = 0
    cdef bint plain = thread_is_plain(), weak = False, strong = False
    cdef OperandKind what
    cdef list alive = []
    cdef object original = inputs
    cdef Operand* mask_operand = NULL
    cdef Resolution* entry
    cdef Placement placement
    cdef bint masked = where is not True and where is not None
    if not masked and outs is None and options is None and table.nin <= 2:
        second = inputs[1] if table.nin == 2 else None
        if is_general(inputs[0], second):
            result = call_general(table, inputs[0], second)
            if result is not None:
                return result
    if not masked and outs is not None and options is None and table.nin <= 2 and table.nout == 1 and (
            type(outs[0]) is ndarray and is_general(outs[0], None) and not (function_mode_enabled() and mode_listens())):
        result = into_out(table, inputs[0], inputs[1] if table.nin == 2 else None, <ndarray>outs[0])
        if result is None:
            # NumPy: where it is written to does not decide how it is computed.
            result = call_general(table, inputs[0], inputs[1] if table.nin == 2 else None)
            result = outs[0] if result is not None and goes_into(<ndarray>outs[0], result) else None
        if result is not None:
            return result
    for i in range(table.nin):
        what = classify(inputs[i], &operands[i], &kinds[i], alive, &arrays, &tensors)
        if what == IS_FOREIGN or (what == IS_WEAK and table.nin == 1):
            follow_any(&placement, inputs if outs is None else inputs + outs)
            inputs = replaced(table, inputs, i)
            what = classify(inputs[i], &operands[i], &kinds[i], alive, &arrays, &tensors)
        weak = weak or what == IS_WEAK
        strong = strong or what != IS_WEAK
        plain = plain and what != IS_GENERAL
    if masked:
        if not isinstance(where, (ndarray, numpy.ndarray)) and not is_tensor(where):
            where = numpy.array(where, dtype=bool)
        # A mask decides nothing about the container of the result.
        what = classify(where, &mask, &mask_kind, alive, &ignored, &ignored)
        if what == IS_FOREIGN:
            what = classify(as_base(<ndarray>as_header(where)), &mask, &mask_kind, alive, &ignored, &ignored)
        plain = plain and what == IS_PLAIN
        mask_operand = &mask
    if outs is not None:
        for i in range(table.nout):
            if outs[i] is None:
                continue
            if type(outs[i]) is not ndarray and not is_tensor(outs[i]) and not isinstance(outs[i], (ndarray, numpy.ndarray)):
                raise TypeError("return arrays must be of ArrayType")
            plain = plain and is_plain(as_header(outs[i]))
    if not plain:
        return call_torch(table, inputs, outs, where if masked else None, options, tensors > 0 and arrays == 0,
                          subclass_template(original))
    result = None
    if options is None and not masked and table.name in FASTER_IN_TORCH and (not weak or table.name in TAKES_NUMBERS):
        result = run_in_torch(table, inputs, operands, kinds, None if outs is None else outs[0])
    if result is None and (mask_operand is NULL or mask_kind == 0):
        entry = entry_of(table, kinds, options)
        if entry is not NULL:
            result = run_plain(table, entry, inputs, operands, kinds, outs, mask_operand, options)
    if result is None:
        keywords = dict(options) if options is not None else {}
        if outs is not None:
            keywords["out"] = outs
            for i in range(table.nout):
                if outs[i] is not None:
                    as_header(outs[i]).header.bump_version()
        if masked:
            keywords["where"] = where
        result = call_numpy(table.numpy_ufunc, inputs, keywords)
    return in_container(result, outs, tensors > 0 and arrays == 0, subclass_template(original))


cdef bint goes_into(ndarray out, object result) except -1:
    """Write a result into an array of its dtype, shape and device that may be written; False where it is of another."""
    cdef int axis
    cdef ndarray source
    if type(result) is not ndarray:
        return False
    source = <ndarray>result
    if not out.writeable_ or dtype_of(out) != dtype_of(source) or out.header.dim() != source.header.dim():
        return False
    for axis in range(out.header.dim()):
        if out.header.sizes()[axis] != source.header.sizes()[axis]:
            return False
    if not (out.header.is_plain() and source.header.is_plain()) and (
            not same_device(tensor_of(out)[0], tensor_of(source)[0])):
        return False
    assign(out, source)
    return True


cdef tuple replaced(LoopTable table, tuple inputs, int index):
    """Return the inputs with one of them made an array, or a plain Tensor where it is an instance of a subclass."""
    cdef ndarray array
    value = inputs[index]
    if is_tensor(value):
        return inputs[:index] + (value.as_subclass(torch.Tensor),) + inputs[index + 1:]
    if isinstance(value, ndarray):
        # A subclass that leaves the call to us counts as the array it is.
        array = as_base(<ndarray>value)
    else:
        if type_attribute(type(value), "__array_ufunc__") == <PyObject*>None:
            raise TypeError(f"operand '{type(value).__name__}' does not support ufuncs (__array_ufunc__=None)")
        try:
            array = as_array(value)
        except TypeError:
            raise_by_numpy(table, inputs)
            raise
    return inputs[:index] + (array,) + inputs[index + 1:]


cdef int raise_by_numpy(LoopTable table, tuple inputs) except -1:
    """Raise NumPy's error for operands one of which is of text, dates or the like; return where NumPy has none."""
    stand_ins = []
    for value in inputs:
        if isinstance(value, ndarray) or is_tensor(value):
            stand_ins.append(numpy.zeros((1,) * value.ndim, numpy_dtype(dtype_of(as_header(value)))))
            continue
        value = numpy.asarray(value) if type(value) not in (int, float, complex) else value
        if isinstance(value, numpy.ndarray) and value.dtype == object:
            return 0
        stand_ins.append(value)
    table.numpy_ufunc(*stand_ins)
    return 0


cdef ndarray as_base(ndarray source):
    """Return an array of the class itself with the header of an instance of a subclass."""
    cdef ndarray array = alias(source)
    array.flipped = source.flipped
    array.writeable_ = source.writeable_
    array.scalar_ = source.scalar_
    array.base_ = source
    return array


cdef object ask_overrides(object function, tuple inputs, tuple outs, object where, dict options):
    cdef Containers seen
    clear(&seen)
    for value in inputs:
        look_at(value, &seen)
    if outs is not None:
        for value in outs:
            look_at(value, &seen)
    if not listens(&seen):
        return NOT_OVERRIDDEN
    keywords = dict(options) if options is not None else {}
    if outs is not None:
        keywords["out"] = outs if len(outs) > 1 else outs[0]
    if where is not True and where is not None:
        keywords["where"] = where
    return call_overrides(function, &seen, inputs, keywords, function, "__call__")


cdef object in_container(object result, tuple outs, bint as_tensors, object template):
    """Return new results as the arguments ask for: torch.Tensor, or an instance of a subclass."""
    if not as_tensors and template is None:
        return result
    if type(result) is tuple:
        return tuple([in_container(item, outs, as_tensors, template) for item in result])
    if type(result) is not ndarray or (outs is not None and contains(outs, result)):
        return result
    if as_tensors:
        return wrapped((<ndarray>result))
    return as_type(<ndarray>result, type(template), template)


cdef bint contains(tuple outs, object result) except -1:
    for item in outs:
        if item is result:
            return True
    return False


cdef int64_t torch_from(str name, int dtype):
    return TORCH_FROM if name in FASTER_IN_TORCH and dtype in FASTER_IN_TORCH[name][1] else -1


cdef bint takes_contiguous(ndarray out, int dtype, int ndim, const int64_t* shape) noexcept:
    """Whether all of an `out` may be written one element after the other."""
    cdef int axis
    if not out.writeable_ or dtype_of(out) != dtype or out.header.dim() != ndim or not is_c_contiguous(out):
        return False
    for axis in range(ndim):
        if out.header.sizes()[axis] != shape[axis]:
            return False
    return True


cdef object run_in_torch(LoopTable table, tuple inputs, Operand* operands, int* kinds, object out):
    """Compute with torch what it is faster at; None for few elements, other layouts than C's, or flags to be reported.

    `out` has none of the operands' memory: where there are flags, NumPy computes it all again.
    """
    cdef Resolution* entry = table.find(kinds[0], kinds[1] if table.nin > 1 else 0)
    cdef int64_t shape[MAXDIMS]
    cdef int64_t count
    cdef int i, ndim = 0
    cdef unsigned flags
    cdef bint weak
    cdef Tensor given[2]
    cdef ndarray result
    operator, dtypes = FASTER_IN_TORCH[table.name]
    # A number of Python's on the left has no dtype of these, nor a shape to be looked at.
    if kinds[0] not in dtypes or entry.state != 1:
        return None
    weak = table.nin == 2 and kinds[1] >= WEAK_INT
    if weak and entry.types[1] != kinds[0]:
        return None
    for i in range(1 if weak else table.nin):
        if kinds[i] != kinds[0] or entry.types[i] != kinds[0] or not is_contiguous(operands[i], False) or (
                not broadcast_into(&ndim, shape, operands[i].ndim, operands[i].shape)):
            return None
    count = 1
    for i in range(ndim):
        count *= shape[i]
    # Of an array and itself, our own loop of `logaddexp` has nothing to compute.
    if count < TORCH_FROM or table is LOGADDEXP and operands[0].data == operands[1].data:
        return None
    if out is None:
        # Into memory of ours: torch's own is mapped anew, page by page, for each large result.
        result = new_array(kinds[0], ndim, shape)
    elif type(out) is ndarray and takes_contiguous(<ndarray>out, kinds[0], ndim, shape):
        result = <ndarray>out
        for i in range(1 if weak else table.nin):
            if data_of(result) < operands[i].data + count * ITEMSIZES[kinds[0]] and (
                    operands[i].data < data_of(result) + count * ITEMSIZES[kinds[0]]):
                return None
        result.header.bump_version()
    else:
        return None
    for i in range(table.nin):
        if not weak or i == 0:
            given[i] = tensor_of(as_header(inputs[i]))[0]
        elif not fill_number(inputs[i], &given[i]):
            return None
    clear_float_flags(True)
    write_direct(operator, given, tensor_of(result)[0])
    flags = raised_float_flags(True)
    # Flags that torch's own threads have raised are theirs: without them, what is not finite is NumPy's to explain.
    if flags or (count >= TORCH_GRAIN and torch.get_num_threads() > 1 and not torch.isfinite(wrapped(result)).all()):
        return None
    return result


cdef inline bint are_whole(int kind, int dtype) noexcept:
    """Whether a cast between two dtypes is one of integers, which warns of nothing."""
    return dtype <= UINT64 and (kind <= UINT64 or kind == WEAK_INT)


# The rules for casts but for NumPy's own, which is no option of a call any more.
cdef tuple CASTINGS = ("no", "equiv", "safe", "unsafe")


cdef bint goes_by(str casting, int source, int destination) noexcept:
    """Whether a result may be cast to where it is written to.

    Of complex numbers to real ones NumPy warns; what a NaN is as uint32 depends on which of its loops casts it.
    """
    if casting == "unsafe":
        return source < FLOAT16 or destination != UINT32 and (source < COMPLEX64 or destination >= COMPLEX64)
    return same_kind(source, destination) if casting is None or casting == "same_kind" else source == destination


cdef Resolution* entry_of(LoopTable table, int* kinds, dict options) except? NULL:
    """Return the loop of a call with no options but `dtype` and a rule for casts; NULL where NumPy has to read them."""
    cdef int dtype
    cdef bint unsafe = False
    cdef int second = kinds[1] if table.nin > 1 else 0
    if options is None:
        return table.find(kinds[0], second)
    casting = options.get("casting")
    if casting is not None and type(casting) is not str:
        return NULL
    if len(options) == 1 and casting in CASTINGS:
        return table.find(kinds[0], second)
    if table.nin > 2 or len(options) > 2 or options.get("dtype") is None:
        return NULL
    if len(options) == 2:
        if casting not in ("same_kind", "unsafe"):
            return NULL
        unsafe = casting == "unsafe"
    try:
        dtype = dtype_index(options["dtype"])
    except (TypeError, ValueError):
        return NULL
    if dtype >= NUM_NUMPY_DTYPES:
        return NULL
    return table.find_typed(kinds[0], second, dtype, unsafe)


cdef object run_plain(LoopTable table, Resolution* entry, tuple inputs, Operand* operands, int* kinds, tuple outs,
                      Operand* mask, dict options):
    """Compute with one of NumPy's loops; None where the call is one for NumPy itself."""
    cdef ElementwiseCall call
    cdef Operand out_operands[2]
    cdef Operand bound
    cdef const Operand* pointers[6]
    cdef char weak_values[4][16]
    cdef int64_t strides[MAXDIMS]
    cdef int i
    cdef unsigned flags
    cdef ndarray array
    cdef list results
    cdef str casting = None if options is None else options.get("casting")
    cdef bint software = entry.software, typed = options is not None and "dtype" in options
    if entry.state != 1:
        return None
    if casting is not None and casting != "unsafe" and casting != "same_kind":
        for i in range(table.nin):
            if table.nin > 2 or kinds[i] != entry.promoted[i]:
                return None
    for i in range(table.nin if typed else 0):
        software = software or entry.types[i] == FLOAT16
        # NumPy: casts of few elements warn apart from the loop, which may clear the flags that they raise. Those of integers
        # clear none: where a number did not fit, NumPy computes it again and says so.
        if casting == "unsafe" and not are_whole(kinds[i], entry.types[i]) and not (
                outs is None and kinds[i] < COMPLEX64 and entry.types[i] <= UINT64):
            return None
    for i in range(table.nin):
        pointers[i] = &operands[i]
        if kinds[i] >= WEAK_INT:
            operands[i].data = weak_values[i]
            operands[i].type = entry.types[i]
            operands[i].ndim = 0
            if not store_weak(weak_values[i], entry.types[i], inputs[i]):
                return None
    for i in range(2 if table.compares else 0):
        if operands[i].ndim == 0 and store_bound(table, kinds[1 - i], inputs[i], kinds[i], i == 0, weak_values[i]):
            bound.data, bound.type, bound.ndim = weak_values[i], kinds[1 - i], 0
            pointers[i], entry = &bound, table.find(bound.type, bound.type)
            break
    for i in range(table.nout):
        pointers[table.nin + i] = NULL
        if outs is not None and outs[i] is not None:
            array = as_header(outs[i])
            fill_operand(&out_operands[i], array)
            if not array.writeable_ or out_operands[i].type > 13 or not goes_by(
                    casting, entry.types[table.nin + i], out_operands[i].type):
                return None
            pointers[table.nin + i] = &out_operands[i]
            software = software or out_operands[i].type == FLOAT16
    clear_float_flags(software)
    if call.prepare(table.nin, table.nout, pointers, mask, entry.types, Order.kKeep) != Status.kOk:
        return None
    results = []
    for i in range(table.nout):
        if pointers[table.nin + i] is not NULL:
            results.append(outs[i])
            as_header(outs[i]).header.bump_version()
            continue
        call.result_strides(i, strides)
        array = new_result(entry.types[table.nin + i], call.ndim, call.shape, strides)
        call.bind(i, data_of(array), strides)
        results.append(array)
    call.splits = not entry.raises
    flags = call.run(entry.loop, software)
    if entry.raises:
        raise_pending()
    if flags and typed and outs is None:
        return None  # NumPy: where operands are cast to a dtype that is asked for, the warning may name the cast
    if flags:
        report_float_flags(flags, table.name)
    return results[0] if table.nout == 1 else tuple(results)
