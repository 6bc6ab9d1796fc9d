"""The plan of a signature: worked out once, when a function is declared, and followed by every call.

A call binds its arguments to slots without a dict, a `Signature` or a Python frame: defaults are copied, positional
arguments put over them, keywords found by comparing pointers of interned names.
"""
from cpython.object cimport PyObject
from libc.string cimport memcpy

from fastnp._core.converters cimport ANY, ARRAY, ARRAYS, LIKE, MIXED, OPERAND, OUT, RELEVANT, TENSOR, TENSORS

import inspect
import sys

REQUIRED = object()

cdef extern from *:
    """
    static inline PyObject** PyTuple_ITEMS(PyObject* tuple) { return &PyTuple_GET_ITEM(tuple, 0); }
    """
    PyObject** PyTuple_ITEMS(object)

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple tuple_of(PyObject* const*, Py_ssize_t)

cdef extern from "Python.h":
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    Py_ssize_t PyTuple_GET_SIZE(PyObject*)
    PyObject* PyTuple_GET_ITEM_BORROWED "PyTuple_GET_ITEM"(PyObject*, Py_ssize_t)
    int PyUnicode_Compare(object, object) except? -1


cdef class Plan:
    """How the arguments of a call become the slots of a body.

    Parameters
    ----------
    name : str
        The function's name, for errors.
    names : sequence of str
        Parameter names in the order of the signature.
    defaults : sequence
        One to a parameter; `REQUIRED` where it has none.
    conversions : sequence of int
        One to a parameter: `fastnp._typing.Conversion`.
    positional_only, positional : int
        How many parameters can be given by position only, and by position at all.
    var_positional, var_keyword : int
        Index of `*args` and `**kwargs`, or -1.
    """

    def __init__(self, str name, names, defaults, conversions, int positional_only, int positional, int var_positional,
                 int var_keyword):
        cdef int slot, conversion
        self.name = name
        self.names = tuple([sys.intern(parameter) for parameter in names])
        self.defaults = tuple(defaults)
        self.count = <int>len(self.names)
        if self.count > MAXSLOTS:
            raise ValueError(f"{name}() has {self.count} parameters; a plan holds {MAXSLOTS}")
        self.positional_only = positional_only
        self.positional = positional
        self.var_positional = var_positional
        self.var_keyword = var_keyword
        self.out = self.like = -1
        self.relevant_count = self.aside_count = self.required_end = 0
        for slot in range(self.count):
            if self.defaults[slot] is REQUIRED:
                self.required_end = slot + 1
            self.conversions[slot] = conversion = conversions[slot]
            self.left[slot] = ANY if conversion == ARRAY else conversion
            if conversion in (TENSOR, OPERAND, TENSORS, ARRAY, ARRAYS, MIXED, OUT):
                self.relevant[self.relevant_count] = slot
                self.relevant_count += 1
            elif conversion in (RELEVANT, LIKE):
                self.aside[self.aside_count] = slot
                self.aside_count += 1
            if conversion == OUT:
                self.out = slot
            elif conversion == LIKE:
                self.like = slot
        first_keyword = positional + (1 if var_positional >= 0 else 0)
        last = self.count - (1 if var_keyword >= 0 else 0)
        self.keyword_names = self.names[first_keyword:last]

    @property
    def conversion_codes(self):
        """The conversion of each parameter."""
        return [self.conversions[slot] for slot in range(self.count)]


class OnDemand:
    """An attribute of instances, worked out when somebody asks: a signature takes `inspect` 0.1 ms.

    Parameters
    ----------
    name : str
        Name of the attribute.
    work_out : callable
        Returns the attribute of an instance. ValueError where there is none.
    """

    def __init__(self, name, work_out):
        self.name = name
        self.work_out = work_out

    def __get__(self, public, kind=None):
        if public is None:
            raise AttributeError(self.name)
        try:
            value = self.work_out(public)
        except ValueError:
            raise AttributeError(self.name) from None
        setattr(public, self.name, value)
        return value


def signature_of(Plan plan not None):
    """Return the signature that a plan was worked out from, without annotations."""
    cdef int slot
    cdef list parameters = []
    for slot in range(plan.count):
        if slot == plan.var_positional:
            kind = inspect.Parameter.VAR_POSITIONAL
        elif slot == plan.var_keyword:
            kind = inspect.Parameter.VAR_KEYWORD
        elif slot < plan.positional_only:
            kind = inspect.Parameter.POSITIONAL_ONLY
        else:
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if slot < plan.positional else inspect.Parameter.KEYWORD_ONLY
        is_bare = plan.defaults[slot] is REQUIRED or slot == plan.var_positional or slot == plan.var_keyword
        parameters.append(inspect.Parameter(
            plan.names[slot], kind, default=inspect.Parameter.empty if is_bare else plan.defaults[slot]))
    return inspect.Signature(parameters)


cdef object bind(Plan plan, PyObject** slots, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames):
    cdef Py_ssize_t index, given = nargs
    cdef int slot
    cdef PyObject* name
    cdef object rest = None
    cdef dict extra = None
    memcpy(slots, PyTuple_ITEMS(plan.defaults), plan.count * sizeof(PyObject*))
    if nargs > plan.positional:
        if plan.var_positional < 0:
            raise TypeError(too_many(plan, nargs))
        given = plan.positional
        rest = tuple_of(args + given, nargs - given)
        slots[plan.var_positional] = <PyObject*>rest
    elif plan.var_positional >= 0:
        slots[plan.var_positional] = <PyObject*>()
    memcpy(slots, args, given * sizeof(PyObject*))
    if plan.var_keyword >= 0:
        extra = {}
        slots[plan.var_keyword] = <PyObject*>extra
    if kwnames is not NULL:
        for index in range(PyTuple_GET_SIZE(kwnames)):
            name = PyTuple_GET_ITEM_BORROWED(kwnames, index)
            slot = slot_of(plan, name)
            if slot < 0:
                if extra is None:
                    raise TypeError(unknown_keyword(plan, <object>name))
                extra[<object>name] = <object>args[nargs + index]
                continue
            if slot < given:
                raise TypeError(f"{plan.name}() got multiple values for argument '{<object>name}'")
            slots[slot] = args[nargs + index]
    for slot in range(<int>given, plan.required_end):
        if slots[slot] == <PyObject*>REQUIRED:
            raise TypeError(missing(plan, slots))
    return rest if extra is None else (rest, extra)


cdef int slot_of(Plan plan, PyObject* name) except -2:
    cdef int slot
    for slot in range(plan.positional_only, plan.count):
        if PyTuple_GET_ITEM(plan.names, slot) == name and slot != plan.var_positional and slot != plan.var_keyword:
            return slot
    for slot in range(plan.positional_only, plan.count):
        if slot != plan.var_positional and slot != plan.var_keyword:
            if PyUnicode_Compare(<object>PyTuple_GET_ITEM(plan.names, slot), <object>name) == 0:
                return slot
    return -1


cdef str too_many(Plan plan, Py_ssize_t nargs):
    required = 0
    for default in plan.defaults[:plan.positional]:
        required += default is REQUIRED
    takes = f"{plan.positional}" if required == plan.positional else f"from {required} to {plan.positional}"
    plural = "" if plan.positional == 1 else "s"
    return f"{plan.name}() takes {takes} positional argument{plural} but {nargs} were given"


cdef str unknown_keyword(Plan plan, object name):
    if name in plan.names[:plan.positional_only]:
        return f"{plan.name}() got some positional-only arguments passed as keyword arguments: '{name}'"
    return f"{plan.name}() got an unexpected keyword argument '{name}'"


cdef str missing(Plan plan, PyObject** slots):
    cdef int slot
    absent = []
    for slot in range(plan.count):
        if slots[slot] == <PyObject*>REQUIRED:
            absent.append(repr(plan.names[slot]))
    plural = "" if len(absent) == 1 else "s"
    listed = absent[0] if len(absent) == 1 else f"{', '.join(absent[:-1])} and {absent[len(absent) - 1]}"
    return f"{plan.name}() missing {len(absent)} required positional argument{plural}: {listed}"
