"""NumPy's exception for a call that torch has refused.

Torch names other types of exception, and other reasons. NumPy is asked what it makes of the same call: on copies of
small arrays of the host, on zeros in the place of others.

torch also takes what NumPy refuses: any object for a truth, a truth for an axis. NumPy is asked before a call with such an
argument, which no program makes that means something by it.
"""
from cpython.object cimport PyObject
from fastnp._core.dtype cimport BOOL, FLOAT16, NUM_NUMPY_DTYPES, dtype_index, numpy_dtype
from fastnp._core.interchange cimport to_numpy
from fastnp._core.ndarray cimport dtype_of, ndarray
from fastnp._core.normalization cimport Plan
from fastnp._core.operands cimport as_header
from fastnp._core.torch_tensor cimport is_tensor

cdef extern from "Python.h":
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    long long PyLong_AsLongLongAndOverflow(object, int* overflow) except? -1

import math
import operator
import sys
import warnings

import numpy
import torch

# What an argument is for: bits of Plan.meant.
cdef enum:
    A_TRUTH = 1
    AN_INTEGER = 2
    A_SHAPE = 4
    AN_INITIAL = 8
    A_COUNT = 16     # `n`: an integer, but for a truth NumPy has answers of its own

# Elements of one operand up to which NumPy may be asked.
cdef long LARGEST = 2**20
# Lists in lists that are looked into: more dimensions no array has, and a list may be within itself.
cdef int DEEPEST = 64
# What NumPy's functions raise for arguments that are wrong.
cdef tuple ERRORS = (ArithmeticError, AttributeError, IndexError, MemoryError, TypeError, ValueError)
cdef object UNKNOWN = object()
# What torch's allocator of host memory says.
cdef str EXHAUSTED = "can't allocate memory"
# Numbers that no dtype of integers holds.
cdef object HUGE = 2**64
# The types that NumPy takes for parameters that bodies get as they are; of others, which it may take, NumPy is asked.
cdef tuple NUMBERS = (int, float, complex, numpy.generic, numpy.ndarray, ndarray, torch.Tensor)
cdef dict USUAL = {
    name: types
    for names, types in (
        ("keepdims overwrite_input full bias rowvar density retstep equal_nan sorted stable", (bool, numpy.bool_)),
        ("axis axes axis1 axis2 axisa axisb axisc", (int, tuple, numpy.integer, type(None))),
        ("order norm kind method indexing side trim UPLO", (str, type(None))),
        ("casting", (str,)),
        ("initial", NUMBERS),
        ("copy", (bool, numpy.bool_, int, type(None))),
        ("optimize", (bool, str)),
        ("subok writeable", (bool, numpy.bool_, int)),
        ("ndmin ndmax", (int, numpy.integer)),
        ("decimals N M n k count minlength", (int, numpy.integer, type(None))),
        ("out", (numpy.ndarray, ndarray, torch.Tensor, type(None))),
    )
    for name in names.split()
}
cdef tuple DIMENSIONS = USUAL["ndmin"]
# Parameters that are the sizes of an array.
cdef frozenset SHAPES = frozenset(("shape", "new_shape", "dimensions"))
# What texts may say.
cdef dict TEXTS = {
    "casting": frozenset(("no", "equiv", "safe", "same_kind", "unsafe")),
    "indexing": frozenset(("xy", "ij")),
    "norm": frozenset(("backward", "ortho", "forward")),
    "order": frozenset("CFAKcfak"),
    "side": frozenset(("left", "right")),
}
# Functions that ask their first argument for what only arrays have, whatever else can be made an array.
cdef frozenset OF_ARRAYS = frozenset((
    "apply_over_axes", "astype", "hsplit", "vsplit", "dsplit", "split", "isfortran", "ix_", "rollaxis", "unstack", "indices",
))
cdef frozenset ASSIGNS = frozenset(("nanmedian", "nanpercentile", "nanquantile"))
# What makes an object more than a value.
cdef tuple ACTS = (
    "__next__", "read", "write", "__torch_function__", "__array_function__", "__array_ufunc__", "__array__", "__array_wrap__",
)
# Parameters that are a truth and nothing else.
cdef frozenset TRUTHS = frozenset((
    "assume_unique", "compute_uv", "endpoint", "equal_nan", "full_matrices", "hermitian", "include_initial", "increasing",
    "invert", "keepdims", "overwrite_input", "retstep", "return_counts", "return_index", "return_inverse", "returned",
    "rowvar", "upper",
))
# Parameters that are an integer, if they are a number.
cdef frozenset INTEGERS = frozenset((
    "M", "N", "axis", "axis1", "axis2", "axisa", "axisb", "axisc", "axes", "ddof", "decimals", "deg", "k", "m", "n", "ndmin",
    "num", "offset", "shift", "destination", "source", "start", "stop", "minlength", "count", "ind",
))
# What reads and writes files: a question to NumPy would do it as well.
cdef frozenset FILES = frozenset(("file", "fname", "fid", "path", "filename"))


def raise_if_exhausted():
    """Raise MemoryError in the place of the error that is being handled, where torch's allocator says so in a text."""
    error = sys.exc_info()[1]
    if isinstance(error, RuntimeError) and EXHAUSTED in str(error):
        raise MemoryError(str(error).partition("\n")[0]) from None


cdef int raise_as_numpy(object theirs, tuple args, dict kwargs) except -1:
    raise_if_exhausted()
    stand_ins = [stand_in(value) for value in args]
    options = {name: stand_in(value) for name, value in kwargs.items() if name != "device"}
    if theirs is None or any([value is UNKNOWN for value in (*stand_ins, *options.values())]):
        return 0
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            theirs(*stand_ins, **options)
        except ERRORS as error:
            raise error.with_traceback(None) from None
    return 0


cdef int look_up(Plan plan) except -1:
    """Note what the slots of a plan are for, by the names of their parameters."""
    cdef int slot
    for slot in range(plan.count):
        name = plan.names[slot]
        plan.meant[slot] = (name in TRUTHS) * A_TRUTH | (name in SHAPES) * A_SHAPE | (name == "initial") * AN_INITIAL
        if name in INTEGERS:
            plan.meant[slot] |= A_COUNT if name == "n" else AN_INTEGER
    plan.of_arrays = plan.name in OF_ARRAYS
    plan.usual = [USUAL.get(name) for name in plan.names]
    return 0


cdef bint asks_of_arrays(Plan plan) except -1:
    if plan.usual is None:
        look_up(plan)
    return plan.of_arrays


cdef object expected(Plan plan, int slot, object value):
    cdef int meant
    kind = type(value)
    if plan.usual is None:
        look_up(plan)
    meant = plan.meant[slot]
    if not meant & A_TRUTH and (kind is int or kind is str or value is None):
        return value
    if kind is bool:
        # NumPy has been asked, and takes a truth for a number here.
        return int(value) if meant & AN_INTEGER else value
    if kind is ndarray:
        if meant & (AN_INTEGER | A_COUNT) and (<ndarray>value).header.dim() == 0 and (
                BOOL < dtype_of(<ndarray>value) < FLOAT16):
            # What indexing and reductions give is an array.
            return operator.index(value)
    return bool(value) if meant & A_TRUTH else value


cdef bint is_array(object value) except -1:
    return isinstance(value, (ndarray, numpy.ndarray, numpy.generic)) or is_tensor(value) or (
        type(value) is tuple and len(value) > 0 and is_array(value[0]))


cdef bint unusual(Plan plan, PyObject** slots) except -1:
    cdef int slot, overflow = 0
    cdef long long integer
    if asks_of_arrays(plan) and not is_array(<object>slots[0]):
        return True
    for slot in range(plan.count):
        if slots[slot] == PyTuple_GET_ITEM(plan.defaults, slot):
            continue
        value = <object>slots[slot]
        kind = type(value)
        types = plan.usual[slot]
        if kind is int:
            integer = PyLong_AsLongLongAndOverflow(value, &overflow)
            if overflow and not -HUGE < value < HUGE:
                return not FILES.intersection(plan.names)
            if types is DIMENSIONS and (overflow or not 0 <= integer <= DEEPEST):
                return True
        elif plan.meant[slot] & AN_INITIAL and (kind is complex or kind is float and not math.isfinite(value)):
            return True
        elif plan.meant[slot] & A_SHAPE and kind is bool:
            return True
        if types is None:
            continue
        if kind is str and value not in TEXTS.get(plan.names[slot], (value,)):
            return not FILES.intersection(plan.names)
        if not isinstance(value, types) or (kind is bool and bool not in types and types is not NUMBERS):
            return not FILES.intersection(plan.names)
    return False


cdef object stand_in(object value, int depth=0):
    """Return what NumPy may be called with in the place of an argument; UNKNOWN where that is nothing of NumPy's."""
    cdef ndarray array
    if isinstance(value, (ndarray, numpy.ndarray)) or is_tensor(value):
        array = as_header(value)
        if array.header.checked_numel() > LARGEST:
            return UNKNOWN
        if array.header.is_plain() and dtype_of(array) < NUM_NUMPY_DTYPES:
            result = to_numpy(array).copy("K")
        else:
            result = numpy.zeros(array.shape, numpy_dtype(dtype_of(array)))
        result.flags.writeable = array.writeable_
        return result
    if type(value) in (list, tuple):
        if depth == DEEPEST:
            return UNKNOWN
        items = []
        for item in value:
            item = stand_in(item, depth + 1)
            if item is UNKNOWN:
                return UNKNOWN
            items.append(item)
        return type(value)(items)
    if isinstance(value, torch.dtype):
        return numpy_dtype(dtype_index(value))
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, slice, type, numpy.dtype, numpy.generic)):
        return value
    # Anything else, unless it would do something: a function, an iterator, a file, an object with hooks of its own.
    return UNKNOWN if callable(value) or any([hasattr(value, name) for name in ACTS]) else value
