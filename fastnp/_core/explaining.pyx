"""What a call does, asked of the functions that do it: `fastnp.explain` reads this, no call passes through it.

A call is taken apart into steps, each made by the C function that makes it in the real call, and each of them without
effect on the arguments, so that it can be repeated to be timed.
"""
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, intptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fastnp._core.converters cimport ANY, ARRAY, LIKE, NUMPY_ONLY, OUT, RELEVANT
from fastnp._core.converters cimport convert as convert_argument
from fastnp._core.dispatcher cimport call_composed, call_general, call_python, call_with_arrays
from fastnp._core.dispatcher cimport function as declared_function
from fastnp._core.dtype cimport ITEMSIZES, NUM_NUMPY_DTYPES, numpy_dtype, torch_dtype
from fastnp._core.engine cimport Operand, run_loop
from fastnp._core.gufunc cimport is_large_product
from fastnp._core.host cimport call_host
from fastnp._core.loops cimport LoopTable, Resolution
from fastnp._core.ndarray cimport (
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
    wrapped,
)
from fastnp._core.normalization cimport MAXSLOTS, Plan, bind
from fastnp._core.operands cimport (
    IS_FOREIGN,
    IS_GENERAL,
    IS_PLAIN,
    IS_WEAK,
    OperandKind,
    as_header,
    classify,
)
from fastnp._core.operators cimport instead_of_power
from fastnp._core.overrides cimport Containers, clear, look_aside, look_at, mode_listens
from fastnp._core.placement cimport Placement, follow_array
from fastnp._core.results cimport as_arrays
from fastnp._core.sequences cimport of_sequence, with_arrays
from fastnp._core.torch_tensor cimport is_tensor, unwrap
from fastnp._core.ufunc cimport ufunc
from fastnp._core.ufunc_call cimport allows_loops, ask_overrides, entry_of, replaced, run_plain
from fastnp._core.ufunc_quick cimport (
    quick_binary,
    quick_binary_of_heirs,
    mixed_into,
    quick_into,
    quick_typed,
    quick_unary,
    quick_unary_of_heir,
)
from fastnp._core.ufunc_torch cimport apply, call_torch, cast, kernel_of, resolve

import numpy
import torch

cdef extern from "plain.h" namespace "fastnp" nogil:
    bint function_mode_enabled()
    bint profiler_listens()

cdef extern from *:
    """
    #include <chrono>
    static inline int64_t fastnp_now() {
      return std::chrono::duration_cast<std::chrono::nanoseconds>(
                 std::chrono::steady_clock::now().time_since_epoch()).count();
    }
    static inline bool fastnp_keys_are_default() {
      const auto& keys = c10::impl::raw_local_dispatch_key_set;
      return (keys.included_ | keys.excluded_) == 0;
    }
    static inline PyObject* const* fastnp_items(PyObject* tuple) { return &PyTuple_GET_ITEM(tuple, 0); }
    """
    int64_t now "fastnp_now"() nogil
    bint keys_are_default "fastnp_keys_are_default"()
    PyObject* const* items_of "fastnp_items"(object)

cdef extern from "Python.h":
    object PyObject_Vectorcall(object, PyObject* const*, size_t, PyObject*)
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    ctypedef object (*binaryfunc)(object, object)
    object PyNumber_Add(object, object)
    object PyNumber_Subtract(object, object)
    object PyNumber_Multiply(object, object)
    object PyNumber_TrueDivide(object, object)
    object PyNumber_FloorDivide(object, object)
    object PyNumber_Remainder(object, object)
    object PyNumber_MatrixMultiply(object, object)
    object PyNumber_And(object, object)
    object PyNumber_Or(object, object)
    object PyNumber_Xor(object, object)
    object PyNumber_Lshift(object, object)
    object PyNumber_Rshift(object, object)
    object PyObject_GetItem(object, object)
    object PyObject_RichCompare(object, object, int)

cdef enum:
    NOTHING          # an empty step: the cost of taking one
    WHOLE            # the call as a program makes it
    PARSE
    OVERRIDES
    CONVERT
    PROMOTE
    COMPILED         # the compiled body
    COMPOSED         # the composed body
    GENERAL          # the same on arrays that are not plain
    HOST             # NumPy's function on views
    BODY
    WRAP
    ALLOCATE
    LOOP             # the inner loop alone
    ENGINE           # the iteration engine with the loop
    TORCH            # the torch function alone
    BY_TORCH         # the way by torch

STEPS = {
    "nothing": NOTHING, "whole": WHOLE, "parse": PARSE, "overrides": OVERRIDES, "convert": CONVERT, "promote": PROMOTE,
    "compiled": COMPILED, "composed": COMPOSED, "general": GENERAL, "host": HOST, "body": BODY, "wrap": WRAP,
    "allocate": ALLOCATE, "loop": LOOP, "engine": ENGINE, "torch": TORCH, "by_torch": BY_TORCH,
}

cdef binaryfunc OPERATORS[13]
OPERATORS[:] = [
    PyNumber_Add, PyNumber_Subtract, PyNumber_Multiply, PyNumber_TrueDivide, PyNumber_FloorDivide, PyNumber_Remainder,
    PyNumber_MatrixMultiply, PyNumber_And, PyNumber_Or, PyNumber_Xor, PyNumber_Lshift, PyNumber_Rshift, PyObject_GetItem,
]
#: Python's names of the operators, in the order of the C functions that make them; after those, the comparisons.
OPERATOR_NAMES = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "matmul", "and", "or", "xor", "lshift", "rshift", "getitem",
    "lt", "le", "eq", "ne", "gt", "ge",
)
cdef int64_t LONG = 2000000   # nanoseconds from which a step is run once
cdef int64_t BATCH = 4000     # nanoseconds of steps between two looks at the clock


def thread_state():
    """Return what makes the calls of this thread go by torch; an empty list where nothing does."""
    found = []
    if thread_is_plain():
        return found
    if function_mode_enabled():
        names = [
            type(torch._C._get_function_stack_at(index)).__qualname__
            for index in range(torch._C._len_torch_function_stack())
        ]
        found.append(f"a torch function mode is active: {', '.join(names)}")
    if profiler_listens():
        found.append("a profiler is active")
    if not keys_are_default():
        found.append(
            "the thread's dispatch keys are not torch's default (a dispatch mode, a transform, autocast, inference): "
            f"included {torch._C._dispatch_tls_local_include_set()}, excluded {torch._C._dispatch_tls_local_exclude_set()}"
        )
    return found


def operand_state(value):
    """Return what a ufunc sees in an operand: its kind, its dtype, its layout, and why it is not plain.

    The result is (kind, dtype name or None, shape or None, contiguous, reason); the reason is empty for what is plain.
    """
    cdef Operand operand
    cdef int kind = 0, arrays = 0, tensors = 0
    cdef list alive = []
    cdef OperandKind what = classify(value, &operand, &kind, alive, &arrays, &tensors)
    cdef ndarray array
    if what == IS_WEAK:
        return "Python scalar", type(value).__name__, (), True, ""
    if what == IS_FOREIGN and not isinstance(value, ndarray) and not is_tensor(value):
        reason = f"is a {type(value).__qualname__}, which is made an array first"
        array = of_sequence(value, False) if type(value) is list or type(value) is tuple else None
        if array is None:
            return "object", None, None, False, reason
        return type(value).__qualname__, str(numpy_dtype(dtype_of(array))), tuple(array.shape), True, reason
    array = as_header(value)
    dtype = str(numpy_dtype(dtype_of(array)))
    reason = ""
    if what == IS_FOREIGN:
        reason = f"is of the subclass {type(value).__qualname__}"
    if not array.header.is_plain():
        reason = not_plain(array)
    elif dtype_of(array) >= NUM_NUMPY_DTYPES:
        reason = f"is of {dtype}, which has no loop of NumPy's"
    what_it_is = (
        "ndarray" if type(value) is ndarray else "torch.Tensor" if type(value) is torch.Tensor
        else "numpy.ndarray" if type(value) is numpy.ndarray else type(value).__qualname__
    )
    return what_it_is, dtype, tuple(array.shape), is_c_contiguous(array), reason


cdef str not_plain(ndarray array):
    """Say what the tensor of an array has that a plain one has not."""
    tensor = wrapped(array)
    if tensor.requires_grad:
        return "requires a gradient"
    if tensor.device.type != "cpu":
        return f"is on the device {tensor.device}"
    keys = torch._C._dispatch_keys(tensor)
    return f"has the dispatch keys {keys} ({type(tensor).__qualname__})"


def like(ndarray source not None):
    """Return a copy with the memory layout of an array."""
    cdef int axis, ndim = source.header.dim()
    sizes = [source.header.sizes()[axis] for axis in range(ndim)]
    strides = [source.header.strides()[axis] for axis in range(ndim)]
    cdef ndarray array = from_tensor(unwrap(torch.empty_strided(
        sizes, strides, dtype=torch_dtype(dtype_of(source)), device=wrapped(source).device)))
    array.flipped = source.flipped
    array[...] = source
    return array


def computes_power(base, exponent):
    """Return the ufunc of one operand that the operator ** calls, or None where that is power itself."""
    return instead_of_power(<ndarray>base, exponent) if isinstance(base, ndarray) else None


def overriding(values):
    """Return the types that are asked before a call on these values, in order."""
    cdef Containers seen
    cdef list kept = list(values)
    clear(&seen)
    for value in kept:
        look_at(value, &seen)
    return types_of(&seen)


cdef list types_of(Containers* seen):
    cdef int index
    return [type(<object>seen.overloaded[index]) for index in range(seen.count)]


cdef class Steps:
    """A call that can be made in steps.

    Parameters
    ----------
    made : callable
        The function.
    args, kwargs : tuple, dict
        Its arguments.
    operator : int
        Index in OPERATOR_NAMES of the operator that the call is, or -1.
    """

    cdef object made, keeps
    cdef tuple args, flat, kwnames
    cdef dict kwargs
    cdef int operator

    def __init__(self, made, tuple args not None, dict kwargs not None, int operator=-1):
        self.made, self.args, self.kwargs, self.operator = made, args, kwargs, operator
        self.flat = args + tuple(kwargs.values())
        self.kwnames = tuple(kwargs)

    cdef inline PyObject* names(self) noexcept:
        return <PyObject*>self.kwnames if self.kwnames else NULL

    cdef int whole(self) except -1:
        if self.operator < 0:
            PyObject_Vectorcall(self.made, items_of(self.flat), len(self.args), self.names())
        elif self.operator < 13:
            OPERATORS[self.operator](self.args[0], self.args[1])
        else:
            PyObject_RichCompare(self.args[0], self.args[1], self.operator - 13)
        return 0

    cdef int step(self, int number) except -1:
        if number == WHOLE:
            self.whole()
        return 0

    def make(self):
        """Make the call, and return its result and the nanoseconds it took."""
        cdef int64_t start = now()
        result = PyObject_Vectorcall(self.made, items_of(self.flat), len(self.args), self.names())
        return result, now() - start

    def nanoseconds(self, str name, int repeat):
        """Return how long a step takes: the median of `repeat` measurements, the cost of measuring taken off."""
        cdef int64_t empty = 0
        if repeat > 1:
            empty = self.measure(NOTHING, repeat, 1000)[0]
        picoseconds, _ = self.measure(STEPS[name], repeat, 0)
        return max((picoseconds - empty) / 1000, 0.0)

    cdef tuple measure(self, int number, int repeat, int64_t count):
        cdef int64_t start = now(), taken, _i
        self.step(number)
        taken = now() - start
        if repeat == 1 or taken > LONG:
            return taken * 1000, 1
        if count == 0:
            start = now()
            self.step(number)
            self.step(number)
            taken = (now() - start) // 2
            count = max(1, min(1000, BATCH // max(taken, 1)))
        found = []
        for _ in range(repeat):
            start = now()
            for _i in range(count):
                self.step(number)
            found.append((now() - start) * 1000 // count)
        found.sort()
        return found[len(found) // 2], count


cdef class UfuncSteps(Steps):
    """A call of a ufunc or of an operator that is one.

    Parameters
    ----------
    function : ufunc
        The ufunc.
    inputs, outs, where, options : tuple, tuple or None, object, dict or None
        The arguments as the ufunc sorts them.
    made, args, kwargs, operator
        The call as the program made it, as in `Steps`.
    """

    cdef ufunc function
    cdef LoopTable table
    cdef tuple inputs, outs, taken
    cdef object where
    cdef dict options
    cdef list tensors
    cdef Operand operands[4]
    cdef Operand mask
    cdef int kinds[4]
    cdef bint masked
    cdef Resolution* entry
    cdef char* scratch
    cdef readonly bint quick, scalars, plain, by_loop, own_loop, large_product
    cdef readonly tuple loop_dtypes

    def __init__(self, ufunc function not None, tuple inputs not None, outs, where, options, made, args, kwargs, operator):
        super().__init__(made, args, kwargs, operator)
        cdef object arrays = with_arrays(inputs) if outs is None and options is None and where is True else None
        self.function, self.table = function, function.table
        # Lists of numbers are arrays from here on, as in the call itself.
        self.inputs, self.where, self.options = inputs if arrays is None else tuple(arrays), where, options
        if options is not None and len(options) == 1 and allows_loops(options.get("casting"), outs is not None) and (
                all([type(value) is ndarray for value in inputs])):
            self.options = None  # as `says_out_alone` has it
        # Results go to arrays of their own: what the program gave has been written once, by the call itself.
        self.outs = None if outs is None else tuple([None if out is None else like(as_header(out)) for out in outs])
        self.masked = where is not True and where is not None
        self.quick = self.scalars = False
        self.look()

    def __dealloc__(self):
        free(self.scratch)

    cdef bint answered_quickly(self) except -1:
        """Ask the quick path itself."""
        cdef PyObject* operands[2]
        if self.function.core or self.table.nout != 1 or self.masked or self.table.nin > 2:
            return False
        if self.options is not None:
            if self.outs is not None or len(self.options) > 1 or "dtype" not in self.options:
                return False
            operands[0], operands[1] = <PyObject*>self.inputs[0], <PyObject*>self.inputs[self.table.nin - 1]
            return quick_typed(self.table, operands, self.table.nin, self.options["dtype"]) is not None
        if self.outs is not None:
            return type(self.inputs[0]) is ndarray and type(self.outs[0]) is ndarray and (
                quick_into(self.table, <ndarray>self.inputs[0], self.inputs[self.table.nin - 1], <ndarray>self.outs[0])
                or mixed_into(self.table, <ndarray>self.inputs[0], self.inputs[self.table.nin - 1], <ndarray>self.outs[0]))
        if self.table.nin == 1:
            return quick_unary(self.table, self.inputs[0]) is not None or (
                quick_unary_of_heir(self.table, self.inputs[0]) is not None)
        return quick_binary(self.table, self.inputs[0], self.inputs[1]) is not None or (
            quick_binary_of_heirs(self.table, self.inputs[0], self.inputs[1]) is not None)

    cdef int look(self) except -1:
        """Decide as the call itself does, by the same questions."""
        self.plain = self.convert() and thread_is_plain()
        self.large_product = False
        if self.table.numpy_ufunc.signature is not None:
            self.large_product = self.plain and self.table.name == "matmul" and is_large_product(self.table, self.inputs)
            return 0
        if not self.plain:
            self.tensors = self.cast_tensors()
            return 0
        self.entry = entry_of(self.table, self.kinds, self.options)
        # The quick path knows the loops that have been looked for.
        self.quick = self.answered_quickly()
        self.scalars = self.quick and self.table.scalar_operation >= 0 and self.all_scalars()
        self.by_loop = self.entry is not NULL and self.entry.state == 1 and self.run() is not None
        if self.entry is not NULL and self.entry.state == 1:
            self.own_loop = self.entry.is_own
            self.loop_dtypes = tuple([str(numpy_dtype(self.entry.types[i])) for i in range(self.table.nin + self.table.nout)])
            if self.quick:
                self.scratch = <char*>malloc((self.count() + 1) * 16 * 4)
                memset(self.scratch, 0, (self.count() + 1) * 16 * 4)
        return 0

    cdef bint all_scalars(self) except -1:
        for value in self.inputs:
            if isinstance(value, ndarray) and not (<ndarray>value).header.holds_value():
                return False
        return True

    cdef bint convert(self) except -1:
        cdef int i, arrays = 0, tensors = 0, ignored = 0, mask_kind = 0
        cdef bint plain = True
        cdef OperandKind what
        cdef list alive = []
        cdef tuple inputs = self.inputs
        for i in range(self.table.nin):
            what = classify(inputs[i], &self.operands[i], &self.kinds[i], alive, &arrays, &tensors)
            if what == IS_FOREIGN or (what == IS_WEAK and self.table.nin == 1):
                inputs = replaced(self.table, inputs, i)
                what = classify(inputs[i], &self.operands[i], &self.kinds[i], alive, &arrays, &tensors)
            plain = plain and what != IS_GENERAL
        if self.masked:
            mask = self.where if isinstance(self.where, ndarray) or is_tensor(self.where) else numpy.asarray(self.where, bool)
            plain = plain and classify(mask, &self.mask, &mask_kind, alive, &ignored, &ignored) == IS_PLAIN
            alive.append(mask)
        self.taken, self.keeps = inputs, alive
        return plain

    cdef object run(self):
        return run_plain(self.table, self.entry, self.taken, self.operands, self.kinds, self.outs,
                         &self.mask if self.masked else NULL, self.options)

    cdef list cast_tensors(self):
        """Return the operands as the torch function gets them."""
        cdef list dtypes = resolve(self.table, self.taken, self.options)
        tensors = []
        for i, value in enumerate(self.taken):
            dtype = torch_dtype(dtypes[i])
            if type(value) in (int, float, complex):
                tensors.append(torch.tensor(value, dtype=dtype))
            else:
                tensors.append(cast(to_torch(as_header(value)), dtype))
        return tensors

    cdef int64_t count(self):
        cdef int64_t most = 1
        for value in self.inputs:
            if isinstance(value, ndarray):
                most = max(most, (<ndarray>value).header.numel())
        return most

    cdef int run_on_scratch(self) except -1:
        """Run the loop on the operands, into memory that nobody reads."""
        if self.scratch is NULL:
            raise ValueError("the loop alone is a step of the quick path")
        cdef char* args[3]
        cdef int64_t steps[64]
        cdef intptr_t strides[3]
        cdef intptr_t count = self.count()
        cdef ndarray array
        cdef int i
        for i in range(self.table.nin + self.table.nout):
            args[i] = self.scratch + i * 16 * (count + 1)
            strides[i] = ITEMSIZES[self.entry.types[i]]
            if i < self.table.nin and isinstance(self.inputs[i], ndarray):
                array = <ndarray>self.inputs[i]
                if dtype_of(array) != self.entry.types[i]:
                    continue  # the loop reads what it was cast to
                args[i] = data_of(array)
                if array.header.dim() <= 1:
                    strides[i] = steps[0] if fill_strides(array, steps) else 0
            elif i < self.table.nin:
                strides[i] = 0
        run_loop(self.entry.loop, args, &count, strides, self.entry.software)
        return 0

    cdef int allocate(self) except -1:
        cdef ndarray array
        for value in self.inputs:
            if isinstance(value, ndarray):
                array = <ndarray>value
                if array.header.dim() == 0:
                    new_scalar(self.entry.types[self.table.nin])
                else:
                    new_array(self.entry.types[self.table.nin], array.header.dim(), array.header.sizes())
                return 0
        return 0

    cdef int step(self, int number) except -1:
        if number == WHOLE:
            self.whole()
        elif number == OVERRIDES:
            ask_overrides(self.function, self.inputs, self.outs, self.where, self.options)
        elif number == CONVERT:
            self.convert()
        elif number == PROMOTE:
            if self.plain:
                self.table.find(self.kinds[0], self.kinds[1] if self.table.nin > 1 else 0)
            else:
                resolve(self.table, self.taken, self.options)
        elif number == ENGINE:
            self.run()
        elif number == LOOP:
            self.run_on_scratch()
        elif number == ALLOCATE:
            self.allocate()
        elif number == TORCH:
            apply(self.table, self.tensors)
        elif number == BY_TORCH:
            call_torch(self.table, self.taken, self.outs, self.where if self.masked else None, self.options, False, None)
        return 0

    @property
    def torch_function(self):
        """The torch function of the ufunc's row."""
        return kernel_of(self.table, self.tensors[0])


cdef class FunctionSteps(Steps):
    """A call of a declared function or method.

    Parameters
    ----------
    function : function
        The function.
    args, kwargs : tuple, dict
        Its arguments.
    """

    cdef declared_function function
    cdef PyObject* slots[MAXSLOTS]
    cdef PyObject* values[MAXSLOTS]
    cdef object owned, result
    cdef PyObject* elsewhere  # of the arguments, an array that host data beside it follows
    cdef readonly bint writes
    cdef list converted

    def __init__(self, declared_function function not None, tuple args not None, dict kwargs not None):
        super().__init__(function, args, kwargs)
        self.function = function
        self.parse()
        self.writes = function.written >= 0 or (
            function.plan.out >= 0
            and self.slots[function.plan.out] != PyTuple_GET_ITEM(function.plan.defaults, function.plan.out))

    cdef int parse(self) except -1:
        self.owned = bind(self.function.plan, self.slots, items_of(self.flat), len(self.args), self.names())
        return 0

    cdef int look(self, Containers* seen) except -1:
        """Look at the relevant arguments."""
        cdef Plan plan = self.function.plan
        cdef int index
        clear(seen)
        for index in range(plan.relevant_count):
            look_at(<object>self.slots[plan.relevant[index]], seen)
        return 0

    cdef list collect(self):
        cdef Containers seen
        cdef Plan plan = self.function.plan
        cdef int index
        self.look(&seen)
        for index in range(plan.aside_count):
            if self.slots[plan.aside[index]] != PyTuple_GET_ITEM(plan.defaults, plan.aside[index]):
                look_aside(<object>self.slots[plan.aside[index]], &seen)
        mode_listens()
        self.elsewhere = seen.elsewhere
        return types_of(&seen)

    def overriding(self):
        """Return the types that are asked before the call, in order."""
        return self.collect()

    def relevant(self):
        """Return the arguments that decide where the call goes, by the name of their parameter."""
        cdef Plan plan = self.function.plan
        cdef int index
        return {
            plan.names[plan.relevant[index]]: <object>self.slots[plan.relevant[index]]
            for index in range(plan.relevant_count)
            if self.slots[plan.relevant[index]] != PyTuple_GET_ITEM(plan.defaults, plan.relevant[index])
        }

    cdef object by_compiled(self):
        result = self.function.compiled(self.slots)
        if result is NotImplemented and self.function.keeps_container and self.elsewhere is NULL:
            result = call_with_arrays(self.function, self.slots)
        return result

    cdef object by_composed(self):
        cdef Containers seen
        self.look(&seen)
        return NotImplemented if seen.subclass else call_composed(self.function, self.slots)

    cdef object by_general(self):
        return call_general(self.function, self.slots) if self.function.general else NotImplemented

    cdef object by_host(self):
        cdef declared_function made = self.function
        if made.device >= 0 and self.slots[made.device] != <PyObject*>None or (made.owns_device and "device" in self.kwargs):
            return NotImplemented
        return call_host(made.host, items_of(self.flat), len(self.args), self.names(),
                         self.slots[made.plan.out] if made.plan.out >= 0 else NULL, made.written)

    def path(self):
        """Return which body answers the call: "compiled", "composed", "host", "general", "python" or "numpy"."""
        cdef Placement placement
        self.collect()
        if self.elsewhere is not NULL:
            follow_array(&placement, self.elsewhere)
        if self.function.compiled is not NULL and self.by_compiled() is not NotImplemented:
            return "compiled"
        if self.function.composed is not None and self.by_composed() is not NotImplemented:
            return "composed"
        if self.function.host is not None and self.by_host() is not NotImplemented:
            return "host"
        if self.by_general() is not NotImplemented:
            return "general"
        return "numpy" if self.function.body is None or self.wants_numpy() else "python"

    @property
    def has_compiled(self):
        """Whether the function has a compiled body, which may have declined the call."""
        return self.function.compiled is not NULL

    @property
    def has_host(self):
        """Whether NumPy's function is the kernel of plain CPU arrays."""
        return self.function.host is not None

    @property
    def chapter(self):
        """The module of the Python body."""
        return getattr(self.function.body, "__module__", None)

    cdef bint wants_numpy(self) except -1:
        """Whether an argument was given that only NumPy knows."""
        cdef Plan plan = self.function.plan
        cdef int slot
        for slot in range(plan.count):
            default = <object>PyTuple_GET_ITEM(plan.defaults, slot)
            if plan.conversions[slot] == NUMPY_ONLY and <object>self.slots[slot] is not default and not (
                    type(<object>self.slots[slot]) is type(default) and <object>self.slots[slot] == default):
                return True
        return False

    cdef int convert(self) except -1:
        cdef Plan plan = self.function.plan
        cdef unsigned char conversion
        cdef int slot
        cdef list alive = []
        for slot in range(plan.count):
            conversion = plan.conversions[slot]
            self.values[slot] = self.slots[slot]
            if conversion in (ANY, RELEVANT, LIKE, NUMPY_ONLY) or (
                    conversion == ARRAY and type(<object>self.slots[slot]) is ndarray):
                continue
            if conversion == OUT:
                self.values[slot] = <PyObject*>None
                continue
            if self.slots[slot] == PyTuple_GET_ITEM(plan.defaults, slot) and (
                    <object>self.slots[slot] is None or <object>self.slots[slot] is numpy._NoValue):
                continue
            value = convert_argument(conversion, <object>self.slots[slot], plan.name, <str>plan.names[slot])
            alive.append(value)
            self.values[slot] = <PyObject*>value
        self.converted = alive
        return 0

    cdef int step(self, int number) except -1:
        cdef Placement placement
        if number > OVERRIDES and self.elsewhere is not NULL:
            follow_array(&placement, self.elsewhere)
        if number == WHOLE:
            self.whole()
        elif number == PARSE:
            self.parse()
        elif number == OVERRIDES:
            self.collect()
        elif number == COMPILED:
            self.by_compiled()
        elif number == COMPOSED:
            self.by_composed()
        elif number == GENERAL:
            self.by_general()
        elif number == HOST:
            self.by_host()
        elif number == CONVERT:
            self.convert()
        elif number == BODY:
            self.result = call_python(self.function.body, self.function.plan, self.values)
        elif number == WRAP:
            as_arrays(self.result, self.function.makes_scalars)
        return 0
