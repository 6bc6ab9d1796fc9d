"""Functions made of other functions of ours: on plain arrays they end as NumPy's do, for every dtype and layout.

`tests/_both_paths.py` has the other side of the switch: the same functions with gradients, in each chapter's tests.
"""

import inspect
import warnings

import numpy
import pytest
import torch

from fastnp import _registry
from fastnp._core.explaining import FunctionSteps
from tests._both_paths import member, split
from tests._oracle import Cells, Layout, agree, run, under_test
from tests._tables import ELEMENTARY, FEW_DTYPES

if under_test is numpy:
    pytest.skip("NumPy composes nothing of ours", allow_module_level=True)

#: Every public function and method that is composed, by the name that tests give it.
COMPOSED = {
    f"{module.removeprefix('fastnp').removeprefix('.')}.{name}".removeprefix("."): entry.value
    for module, names in _registry.NAMESPACES.items()
    for name, entry in names.items()
    if getattr(entry.value, "composed", None) is not None
}

RNG = numpy.random.default_rng(5)


def values(shape, dtype):
    """Return some of the values that a dtype has: NaN, infinities and zeros among them."""
    numbers = RNG.choice(numpy.array([0.0, -0.0, 1, 2, 2, 3, -1, 0.5, 7, 100, numpy.nan, numpy.inf]), size=shape)
    with numpy.errstate(invalid="ignore"):
        if dtype.kind in "biu":
            numbers = numpy.nan_to_num(numbers, posinf=100)
        return (numbers * (1 + 1j) if dtype.kind == "c" else numbers).astype(dtype)


def finite(shape, dtype):
    """Return numbers that a dtype has, all different in floating point."""
    return (RNG.normal(size=shape) * 3 + (1j if dtype.kind == "c" else 0)).astype(dtype)


def layouts(array):
    """Return an array as programs lay it out: in C and Fortran order, backwards, every other element."""
    recipes = [Layout(array)]
    if array.ndim > 1:
        recipes.append(Layout(numpy.ascontiguousarray(array.T), (), tuple(range(array.ndim))[::-1]))
        recipes.append(Layout(array, (slice(None, None, -1),) * array.ndim))
    if array.ndim == 3:
        recipes.append(Layout(numpy.ascontiguousarray(array.transpose(2, 0, 1)), (), (1, 2, 0)))
    if array.ndim == 1:
        recipes.append(Layout(array[::-1].copy(), (slice(None, None, -1),)))
        recipes.append(Layout(numpy.repeat(array, 2), (slice(None, None, 2),)))
    return recipes


LINES = ((0,), (1,), (5,))
TABLES = ((2, 3), (4, 4), (3, 0))
CUBES = ((2, 3, 4),)
ANY = ((), *LINES, *TABLES, *CUBES)
# Beyond what is sorted on the stack, too.
LONG = (*ANY, (600,), (20, 200))
VECTORS = ((3,), (4, 3), (2, 1, 3))

WINDOWS = [lambda a: (6,), lambda a: (5.5,), lambda a: (1,), lambda a: (0,), lambda a: (-2.5,), lambda a: (True,),
           lambda a: (numpy.inf,), lambda a: (numpy.float32(4),)]

#: By function, the shapes of an array and the calls to make with it.
CALLS = {
    "allclose": (ANY, [lambda a: (a, a), lambda a: (a, 1.0), lambda a: (a, a, {"equal_nan": True}), lambda a: (a, 2)]),
    "angle": (ANY, [lambda a: (a,), lambda a: (a, True)]),
    "append": (ANY, [lambda a: (a, a), lambda a: (a, 3), lambda a: (a, a, 0), lambda a: (a, [1.5], 0)]),
    "apply_along_axis": (LINES + TABLES, [lambda a: (list, 0, a), lambda a: (len, -1, a), lambda a: (list, 3, a)]),
    "array_equal": (ANY, [lambda a: (a, a), lambda a: (a, a, True), lambda a: (a, [1])]),
    "array_equiv": (ANY, [lambda a: (a, a), lambda a: (a, [1]), lambda a: (a, [1, 2, 3])]),
    "array_split": (LINES + TABLES, [lambda a: (a, 2), lambda a: (a, [1, 3]), lambda a: (a, 3, -1), lambda a: (a, 9),
                                   lambda a: (a, numpy.array([1]))]),
    "asarray_chkfinite": (ANY, [lambda a: (a,), lambda a: (a, "f4"), lambda a: (a, None, "F"),
                                lambda a: (a, "c8", "C")]),
    "atleast_1d": (ANY, [lambda a: (a,), lambda a: (a, 3), lambda a: (a, a)]),
    "atleast_2d": (ANY, [lambda a: (a,), lambda a: (a, 3), lambda a: (a, a)]),
    "atleast_3d": (ANY, [lambda a: (a,), lambda a: (a, 3), lambda a: (a, a)]),
    "average": (ANY, [lambda a: (a,), lambda a: (a, 0), lambda a: (a, None, abs(a) + 1),
                      lambda a: (a, None, None, True),
                      lambda a: (a, 0, abs(a), True), lambda a: (a, -1, abs(a) + 1, {"keepdims": True}),
                      lambda a: (a, 1, [1, 2, 3]), lambda a: (a, 0, [1, 2])]),
    "bartlett": (((),), WINDOWS),
    "blackman": (((),), WINDOWS),
    "block": (ANY, [lambda a: ([a, a],), lambda a: ([[a], [a]],), lambda a: (a,), lambda a: ([a, 2],), lambda a: ([],),
                    lambda a: ([[a, [1]], [2, 3]],), lambda a: ([a, [a]],), lambda a: ((a,),)]),
    "broadcast_arrays": (ANY, [lambda a: (a, a), lambda a: (a, 1.0), lambda a: (a, a[..., None]), lambda a: (),
                               lambda a: (a, numpy.ones((2, 3))), lambda a: (a, [1, 2], {"subok": True})]),
    "broadcast_shapes": (((),), [lambda a: ((1, 3), (4, 1)), lambda a: (), lambda a: (3, (2, 1)),
                                lambda a: ((2,), (3,)), lambda a: ((0, 1), 5), lambda a: ([2, 1], (3,)),
                                lambda a: ((-1,), (1,)),
                                lambda a: ((1.0,), (1,)), lambda a: ((2**62, 1), (2**62,)), lambda a: ((1,) * 70,),
                                lambda a: ((numpy.int64(2),), (1,)), lambda a: ((0,), (2,)), lambda a: ((), 1)]),
    "choose": (ANY, [lambda a: (numpy.zeros(a.shape, int), [a, a[::-1]], None, "wrap"),
                     lambda a: (numpy.arange(a.size).reshape(a.shape) % 3, [a, a, a]), lambda a: (a, [a, a]),
                     lambda a: (numpy.arange(a.size).reshape(a.shape) - 1, [a, -a.real], None, "clip"),
                     lambda a: (numpy.ones(a.shape, "u1"), [a, 2], {"mode": "clip"}), lambda a: (a, [], None, "clip"),
                     lambda a: (numpy.ones(a.shape, "u8"), [a, a], {"mode": "clip"}),
                     lambda a: (numpy.full(a.shape, 2), [a, a]), lambda a: (numpy.full(a.shape, -1), [a, a]),
                     lambda a: (numpy.ones(a.shape, "u2"), [a, abs(a)]), lambda a: (numpy.ones(a.shape, int), []),
                     lambda a: (numpy.full(a.shape, 60, "u1"), [a] * 63),
                     lambda a: (numpy.ones(a.shape, int), [a] * 64), lambda a: (numpy.full(a.shape, 2.0), [a] * 3),
                     lambda a: (numpy.arange(a.size).reshape(a.shape) - 5, [a, 2, a], None, "wrap"),
                     lambda a: (numpy.ones(a.shape, "u1"), [a, a], {"mode": "wrap"})]),
    "column_stack": (ANY, [lambda a: ([a, a],), lambda a: ((a, 2),)]),
    "corrcoef": (LINES + TABLES, [lambda a: (a,), lambda a: (a, a), lambda a: (a, None, False)]),
    "cov": (LINES + TABLES, [lambda a: (a,), lambda a: (a, a), lambda a: (a, None, False),
                             lambda a: (a, {"bias": True}),
                             lambda a: (a, {"ddof": 0}), lambda a: (a, a, False), lambda a: (a, {"dtype": "f4"}),
                             lambda a: (a, {"aweights": numpy.arange(1.0, a.shape[-1] + 1)}),
                             lambda a: (a, {"fweights": numpy.arange(a.shape[-1]) + 1, "ddof": 0}),
                             lambda a: (a, a, {"aweights": [1, 2, 3], "ddof": 2}),
                             lambda a: (a, {"fweights": [0.5, 1]}),
                             lambda a: (a, {"fweights": [1, 2, 3], "aweights": [3, 2, 1]}),
                             lambda a: (a, {"aweights": [-1, 2, 3]})]),
    "cross": (VECTORS, [lambda a: (a, a[..., ::-1]), lambda a: (a, [1, 2, 3]), lambda a: (a[..., :2], a),
                        lambda a: (a, a[..., 1:]), lambda a: (a, a, {"axisc": 0}), lambda a: (a[..., 1:], a[..., 1:]),
                        lambda a: (a, a, {"axisc": 1}), lambda a: (a, a, {"axis": 1})]),
    "cumulative_prod": (LINES + TABLES, [lambda a: (a,), lambda a: (a, {"axis": 0}), lambda a: (a, {"axis": -1}),
                                        lambda a: (a, {"axis": 0, "include_initial": True})]),
    "cumulative_sum": (LINES + TABLES, [lambda a: (a,), lambda a: (a, {"axis": 0}), lambda a: (a, {"axis": -1}),
                                        lambda a: (a, {"axis": 0, "include_initial": True})]),
    "delete": (LINES + TABLES + CUBES, [lambda a: (a, 1), lambda a: (a, -1, -1), lambda a: (a, [0, 1], 0),
                                        lambda a: (a, 7), lambda a: (a, [], 0), lambda a: (a, slice(2), 0),
                                        lambda a: (a, [1], 0), lambda a: (a, slice(1, None), -1),
                                        lambda a: (a, slice(None, None, 2), 0), lambda a: (a, slice(None, None, -2)),
                                        lambda a: (a, slice(2, 0, -1), -1), lambda a: (a, slice(9, 9)),
                                        lambda a: (a, slice(-2, None)), lambda a: (a, numpy.array([0, -1]), 0),
                                        lambda a: (a, numpy.array([1]), -1), lambda a: (a, numpy.array([9, 0]), 0),
                                        lambda a: (a, numpy.array([], int), 0),
                                        lambda a: (a, numpy.array([1, 1], "u1")),
                                        lambda a: (a, [True, False], 0), lambda a: (a, [0, 7], 0)]),
    "diag_indices": (((),), [lambda a: (3,), lambda a: (2, 3), lambda a: (0,), lambda a: (2, 0), lambda a: (1.5,)]),
    "diag_indices_from": (ANY, [lambda a: (a,)]),
    "diagflat": (ANY, [lambda a: (a,), lambda a: (a, 1), lambda a: (a, -2)]),
    "diff": (ANY, [lambda a: (a,), lambda a: (a, 2, 0), lambda a: (a, {"prepend": 0}), lambda a: (a, {"append": a}),
                   lambda a: (a, 1, 5), lambda a: (a, -1), lambda a: (a, 0)]),
    "dsplit": (CUBES, [lambda a: (a, 2), lambda a: (a, [1]), lambda a: (a, numpy.array([1]))]),
    "dstack": (ANY, [lambda a: ([a, a],), lambda a: ((a, 2),)]),
    "ediff1d": (ANY, [lambda a: (a,), lambda a: (a, {"to_end": 1}), lambda a: (a, 1.5, [2, 3]),
                      lambda a: (a, {"to_begin": a, "to_end": [1j]}), lambda a: (a, True, [])]),
    "fft.fftfreq": (((),), [lambda a: (5,), lambda a: (8, 0.5), lambda a: (8, 2), lambda a: (1,), lambda a: (0,)]),
    "fft.rfftfreq": (((),), [lambda a: (5,), lambda a: (8, 0.5), lambda a: (8, 2), lambda a: (1,), lambda a: (0,)]),
    "fill_diagonal": (ANY, [lambda a: (a, 1), lambda a: (a, 1.5), lambda a: (a, True, True), lambda a: (a, -1),
                            lambda a: (a, 2, True), lambda a: (a, numpy.arange(float(min((*a.shape, 9))))),
                            lambda a: (a, [1, 2]), lambda a: (a, a[0]), lambda a: (a, 1j), lambda a: (a, numpy.nan),
                            lambda a: (a, 300),
                            lambda a: (numpy.ones((3, 3, 3), a.dtype), 2),
                            lambda a: (numpy.ones((2,) * 4, a.dtype), 2, True),
                            lambda a: (numpy.ones((5, 2)), 3, True), lambda a: (numpy.ones((5, 2)), 3)]),
    "fix": (ANY, [lambda a: (a,)]),
    "fromfunction": (((),), [lambda a: (lambda i, j: i + j, (2, 3)),
                            lambda a: (lambda i: i * 2, (3,), {"dtype": a.dtype}),
                            lambda a: (lambda i, k: i * k, (2,), {"k": 3}), lambda a: (lambda: 1, ())]),
    "geomspace": (((),), [lambda a: (1, 1000, 4), lambda a: (2.5, 0.1), lambda a: (1, 2, 5, False), lambda a: (1, 9, 1),
                         lambda a: (1, 9, 0), lambda a: (-1, -9, 3), lambda a: (0, 1), lambda a: (1, 9, 3, True, "f4"),
                         lambda a: (1, 2, -1), lambda a: (1, 2, 2.5)]),
    "gradient": (ANY, [lambda a: (a,), lambda a: (a, 2.0), lambda a: (a, {"axis": 0}), lambda a: (a, {"edge_order": 2}),
                       lambda a: (a, 2, {"axis": -1, "edge_order": 2}), lambda a: (a, 2, 0.5)]),
    "hamming": (((),), WINDOWS),
    "hanning": (((),), WINDOWS),
    "histogram": (ANY, [lambda a: (a,), lambda a: (a, 4), lambda a: (a, 3, (-1, 2.5)), lambda a: (a, {"density": True}),
                        lambda a: (a, numpy.array([-1.0, 0, 2])), lambda a: (a, 3, None, None, a.real * 1.5),
                        lambda a: (a, 0), lambda a: (a, "auto"), lambda a: (a, "fd", (-1, 2), True),
                        lambda a: (a, "none")]),
    "histogram2d": (ANY, [lambda a: (a, a), lambda a: (a, a[::-1], 3), lambda a: (a.ravel(), a.ravel() * 2, [2, 3]),
                          lambda a: (a, a, 4, [[-1, 2], [0, 3]]), lambda a: (a, a, 4, [None, [0, 3]], True),
                          lambda a: (a, a, numpy.array([-1.0, 0, 2])), lambda a: (a, a, [2, numpy.array([0, 1, 1.5])]),
                          lambda a: (a, a, 3, None, None, a.real * 1.5), lambda a: (a, a, 0), lambda a: (a, a[1:]),
                          lambda a: (a, a, [0, 1, 2]), lambda a: (a, a, 2, [[3, 1], [0, 1]]),
                          lambda a: (a, a.astype(float).real + 0.25, 4)]),
    "histogramdd": (ANY, [lambda a: (a,), lambda a: (a, 3), lambda a: (a.reshape(-1, 1), 4, [[0, 2]]),
                          lambda a: (a, 2, {"density": True}), lambda a: (a.reshape(1, -1)[:, :3], [2, 1, 3]),
                          lambda a: (a.reshape(-1, 1), 2, None, None, a.ravel().real), lambda a: (a, 0)]),
    "histogram_bin_edges": (ANY, [lambda a: (a,), lambda a: (a, 3, (-1, 2.5))]),
    "hsplit": (LINES + TABLES, [lambda a: (a, 1), lambda a: (a, [1]), lambda a: (a, numpy.array([1]))]),
    "i0": (ANY, [lambda a: (a,), lambda a: (a + 7,), lambda a: (abs(a) + 9,), lambda a: (3.5,), lambda a: (11,)]),
    "indices": (((),), [lambda a: ((2, 3),), lambda a: ((3,),), lambda a: ((),), lambda a: ([2, 1, 3], a.dtype),
                       lambda a: ((2, 2), None), lambda a: ((2, 3), int, True), lambda a: ((0, 2),),
                       lambda a: ((-1, 2),), lambda a: ((2, 3), {"dtype": a.dtype, "sparse": True}),
                       lambda a: ((3,), None),
                       lambda a: ((2.5,),), lambda a: (3,), lambda a: ((True, 2),)]),
    "insert": (LINES + TABLES + CUBES, [lambda a: (a, 1, 5), lambda a: (a, -1, 5, -1), lambda a: (a, 0, [1, 2, 3], 0),
                                        lambda a: (a, [0, 1], 5), lambda a: (a, 9, 9), lambda a: (a, 1, a, 0),
                                        lambda a: (a, [1, 0, -1], [7, 8, 9]), lambda a: (a, [1, 9], 5, -1),
                                        lambda a: (a, numpy.array([0, 0], "i2"), 1.5, 0), lambda a: (a, [1], 5, 0),
                                        lambda a: (a, [True, False], 5), lambda a: (a, [0, 2], a[:2], 0)]),
    "isclose": (ANY, [lambda a: (a, a), lambda a: (a, 1.0), lambda a: (a, a, {"equal_nan": True}), lambda a: (a, 2),
                      lambda a: (1.0, a), lambda a: (a, a, 1e-3, -1.0)]),
    "iscomplex": (ANY, [lambda a: (a,)]),
    "iscomplexobj": (ANY, [lambda a: (a,)]),
    "isin": (ANY, [lambda a: (a, a), lambda a: (a, [1, 2]), lambda a: (a, [1], {"invert": True}), lambda a: (a, [])]),
    "isneginf": (ANY, [lambda a: (a,), lambda a: (a, numpy.zeros(a.shape, bool))]),
    "isposinf": (ANY, [lambda a: (a,), lambda a: (a, numpy.zeros(a.shape, bool))]),
    "isreal": (ANY, [lambda a: (a,)]),
    "isrealobj": (ANY, [lambda a: (a,)]),
    "ix_": (LINES, [lambda a: (a,), lambda a: (a, [1, 2]), lambda a: ([], a), lambda a: (a > 1, [0]),
                    lambda a: ([[1]], a)]),
    "kaiser": (((),), [lambda a: (6, 14), lambda a: (5.5, 2.5), lambda a: (1, 3), lambda a: (0, 3), lambda a: (7, 0.0),
                      lambda a: (-2, 1), lambda a: (5, numpy.nan)]),
    "kron": (ANY, [lambda a: (a, a), lambda a: (a, [[1, 2], [3, 4]]), lambda a: (2, a), lambda a: (a, [1, 2])]),
    "lib.stride_tricks.sliding_window_view": (ANY, [lambda a: (a, 2, 0), lambda a: (a, (1,) * a.ndim),
                                                    lambda a: (a, (2, 1), (-1, 0))]),
    "linalg.cross": (VECTORS, [lambda a: (a, a[..., ::-1]), lambda a: (a, a, {"axis": 0})]),
    "linalg.diagonal": (TABLES + CUBES, [lambda a: (a,), lambda a: (a, {"offset": 1})]),
    "linalg.matrix_transpose": (ANY, [lambda a: (a,)]),
    "linalg.multi_dot": (TABLES, [lambda a: ([a, a.T],), lambda a: ([a, a.T, a],)]),
    "linalg.outer": (ANY, [lambda a: (a, a)]),
    "linalg.trace": (TABLES + CUBES, [lambda a: (a,), lambda a: (a, {"offset": 1})]),
    "linalg.vecdot": (ANY, [lambda a: (a, a), lambda a: (a, a, {"axis": 0})]),
    "logspace": (((),), [lambda a: (0, 1), lambda a: (0.5, 2.5, 4), lambda a: (0, 3, 4, False, 2), lambda a: (2, 1, 1),
                        lambda a: (0, 1, 0), lambda a: (0, 2, 3, True, 2.0, int), lambda a: (0, 1, 5, {"axis": -1}),
                        lambda a: (0, 1, 3, True, -2.5), lambda a: (0, 1, -1), lambda a: (a, 2, 3)]),
    "mask_indices": (((),), [lambda a: (3, numpy.triu), lambda a: (3, numpy.tril, 1), lambda a: (2, lambda m, k: m * 0),
                            lambda a: (2.5, numpy.triu), lambda a: (-1, numpy.triu)]),
    "median": (LONG, [lambda a: (a,), lambda a: (a, 0), lambda a: (a, -1), lambda a: (a, 0, {"keepdims": True})]),
    "meshgrid": (ANY, [lambda a: (a, [1, 2]), lambda a: (a,), lambda a: (a, a, [1.5], {"indexing": "ij"}), lambda a: (),
                       lambda a: (a, a, {"sparse": True}), lambda a: (a, [1, 2], {"copy": False}),
                       lambda a: (a, [1, 2], {"sparse": True, "copy": False})]),
    "nan_to_num": (ANY, [lambda a: (a,), lambda a: (a, True, 1.0, 2.0, 3.0), lambda a: (a, False),
                         lambda a: (a, True, 1)]),
    "nanargmax": (ANY, [lambda a: (a,), lambda a: (a, 0)]),
    "nanargmin": (ANY, [lambda a: (a,), lambda a: (a, 0)]),
    "nancumprod": (ANY, [lambda a: (a,), lambda a: (a, 0)]),
    "nancumsum": (ANY, [lambda a: (a,), lambda a: (a, 0)]),
    "nanmax": (ANY, [lambda a: (a,), lambda a: (a, 0), lambda a: (a, -1, {"keepdims": True, "initial": 2})]),
    "nanmean": (ANY, [lambda a: (a,), lambda a: (a, 0), lambda a: (a, -1, {"keepdims": True})]),
    "nanmedian": (LONG, [lambda a: (a,), lambda a: (a, 0), lambda a: (a, -1), lambda a: (a, 0, {"keepdims": True}),
                       lambda a: (a, (0, 1))]),
    "nanmin": (ANY, [lambda a: (a,), lambda a: (a, 0), lambda a: (a, -1, {"keepdims": True, "initial": 2})]),
    "nanpercentile": (ANY, [lambda a: (a, 30), lambda a: (a, 75.0, 0), lambda a: (a, 100, -1), lambda a: (a, [25, 50]),
                            lambda a: (a, 101), lambda a: (a, [5, 50.0, 100, 0], 0), lambda a: (a, []),
                            lambda a: (a, 30, {"method": "nearest"})]),
    "nanprod": (ANY, [lambda a: (a,), lambda a: (a, 0), lambda a: (a, -1, {"keepdims": True, "initial": 2})]),
    "nanquantile": (ANY, [lambda a: (a, 0.3), lambda a: (a, 0.75, 0), lambda a: (a, 1.0, -1), lambda a: (a, 1),
                         lambda a: (a, [0.1, 0.5, 1]), lambda a: (a, (0.75, 0.0, 0.99), -1), lambda a: (a, [0.3, 1.1]),
                         lambda a: (a, 0.5, {"axis": 1, "keepdims": True})]),
    "nanstd": (ANY, [lambda a: (a,), lambda a: (a, 0), lambda a: (a, -1, {"keepdims": True, "ddof": 1}),
                    lambda a: (a, 0, {"ddof": 2}), lambda a: (a, {"correction": 1}), lambda a: (a, 0, "f4")]),
    "nansum": (ANY, [lambda a: (a,), lambda a: (a, 0), lambda a: (a, -1, {"keepdims": True, "initial": 2})]),
    "nanvar": (ANY, [lambda a: (a,), lambda a: (a, 0), lambda a: (a, -1, {"keepdims": True, "ddof": 1}),
                    lambda a: (a, 0, {"ddof": 2}), lambda a: (a, {"correction": 1}), lambda a: (a, 0, "f4")]),
    "outer": (ANY, [lambda a: (a, a), lambda a: (a, [1, 2])]),
    "pad": (ANY, [lambda a: (a, 2), lambda a: (a, (1, 2), {"constant_values": 3}),
                  lambda a: (a, ((1, 2),) * a.ndim, "edge"),
                  *(lambda a, mode=mode: (a, 7, mode) for mode in ("edge", "wrap", "reflect", "symmetric", "mean")),
                  lambda a: (a, 0, "wrap"), lambda a: (a, -1)]),
    "percentile": (ANY, [lambda a: (a, 30), lambda a: (a, 75.0, 0), lambda a: (a, 100, -1), lambda a: (a, [25, 50]),
                         lambda a: (a, 101), lambda a: (a, [5, 50.0, 100, 0], 0), lambda a: (a, [-1, 3]),
                         lambda a: (a, [])]),
    "poly": (LINES + TABLES, [lambda a: (a,), lambda a: ([1, 2, 3],)]),
    "polyadd": (LINES + TABLES, [lambda a: (a, a), lambda a: (a, [1, 2])]),
    "polyder": (LINES + TABLES, [lambda a: (a,), lambda a: (a, 2), lambda a: (a, 0), lambda a: (a, -1)]),
    "polydiv": (LINES + TABLES, [lambda a: (a, [1, 2]), lambda a: (a, a), lambda a: ([1, 2], a), lambda a: (a, [0, 1]),
                                lambda a: (a, 2)]),
    "polyfit": (LINES, [lambda a: (a, a, 1), lambda a: (numpy.arange(a.size), a, 2), lambda a: (a, a, 9),
                       lambda a: (a, numpy.stack([a, a], 1), 1), lambda a: (a, a, -1),
                       lambda a: (a, a, 1, None, True)]),
    "polyint": (LINES + TABLES, [lambda a: (a,), lambda a: (a, 2), lambda a: (a, 1, 3), lambda a: (a, -1)]),
    "polymul": (LINES + TABLES, [lambda a: (a, [1, 2]), lambda a: (a, a), lambda a: ([0, 0], a), lambda a: ([0, 1], a),
                                lambda a: (a, 2)]),
    "polysub": (LINES + TABLES, [lambda a: (a, a), lambda a: ([1], a)]),
    "polyval": (LINES + TABLES, [lambda a: ([1, 2, 3], a), lambda a: (a, 2), lambda a: (a, a), lambda a: (a, [1.5])]),
    "ptp": (ANY, [lambda a: (a,), lambda a: (a, 0), lambda a: (a, -1, {"keepdims": True})]),
    "put": (LINES, [lambda a: (a, numpy.array([0, -9, 77]), numpy.array([1, 0]), "wrap"),
                    lambda a: (a, numpy.array([1, 2], "i2"), [1], {"mode": "wrap"})]),
    "put_along_axis": (((5,), (2, 3)), [lambda a: (a, numpy.zeros(a.shape, int), 4, -1),
                                        lambda a: (a, numpy.zeros((1,) * a.ndim, int), 4, 0),
                                        lambda a: (a, numpy.zeros(a.shape, int), 4, None)]),
    "quantile": (ANY, [lambda a: (a, 0.3), lambda a: (a, 0.75, 0), lambda a: (a, 1.0, -1), lambda a: (a, 0.0),
                       lambda a: (a, [0.1, 0.5, 1]), lambda a: (a, (0.75, 0.0, 0.99), -1), lambda a: (a, [0.3, 1.1]),
                       lambda a: (a, numpy.linspace(0, 1, 9)), lambda a: (a, [[0.5]]), lambda a: (a, [numpy.nan]),
                       lambda a: (a, [0.2, 0.4], {"method": "higher"}), lambda a: (a, [0.2, True])]),
    "real_if_close": (ANY, [lambda a: (a,), lambda a: (a, 5), lambda a: (a + 0, 0.5), lambda a: (a.real + 1e-15j,),
                            lambda a: (a.real + 1e-10j, 1e6), lambda a: (a, None)]),
    "require": (ANY, [lambda a: (a, float, "C"), lambda a: (a, None, ["F", "W"]), lambda a: (a, "f4", ["C", "O", "A"]),
                     lambda a: (a, None, "X"), lambda a: (a, None, ["C", "F"]), lambda a: (a, None, ["OWNDATA"]),
                     lambda a: (a, None, "E"), lambda a: (a, None, ["f_contiguous", "ensurearray"])]),
    "resize": (ANY, [lambda a: (a, 7), lambda a: (a, (2, 5)), lambda a: (a, 0), lambda a: (a, (2, -1)),
                     lambda a: (a, numpy.int64(3)), lambda a: (a, [3, 2])]),
    "roots": (LINES + TABLES, [lambda a: (a,), lambda a: ([0, 0, 2, -4, 0],), lambda a: ([0, 0],),
                              lambda a: ([0, 3, 0],)]),
    "rot90": (ANY, [*(lambda a, k=k: (a, k) for k in range(-1, 4)), lambda a: (a, 1, (1, 0)), lambda a: (a, 1, (-1, 0)),
                    lambda a: (a, 1, (0, 0)), lambda a: (a, 1, (0, 1, 2)), lambda a: (a, 1, [0, 1])]),
    "select": (ANY, [lambda a: ([a > 1, a < 0], [a, -a.real]), lambda a: ([a > 1], [a], 5),
                    lambda a: ([a > 1], [a], 2.5), lambda a: ([a], [a]), lambda a: ([a > 1], [3]),
                    lambda a: ([a > 1, True], [a, a]), lambda a: ([], []),
                    lambda a: ([a > 1], [a, a]), lambda a: ([a > 1], [a], 1j), lambda a: ([a > 1], [a], a),
                    lambda a: ([a.real > 1, numpy.ones((2, 3), bool)], [a, numpy.ones(3)], 300)]),
    "sort_complex": (ANY, [lambda a: (a,)]),
    "sinc": (ANY, [lambda a: (a,)]),
    "split": (LINES + TABLES, [lambda a: (a, 1), lambda a: (a, [1, 2]), lambda a: (a, numpy.array([1, 2]), -1),
                               lambda a: (a, 2, {"axis": 0}), lambda a: (a, 0)]),
    "take_along_axis": (ANY, [lambda a: (a, numpy.zeros(a.shape, int)), lambda a: (a, numpy.zeros(a.shape, int), 0),
                              lambda a: (a, numpy.zeros((1,) * a.ndim, int)), lambda a: (a, a, 0)]),
    "tile": (ANY, [lambda a: (a, 2), lambda a: (a, (2, 1)), lambda a: (a, (2, 1, 3)), lambda a: (a, 1),
                   lambda a: (a, 0)]),
    "trace": (TABLES + CUBES, [lambda a: (a,), lambda a: (a, 1), lambda a: (a, 0, 1, 0),
                               lambda a: (a, {"dtype": "c16"})]),
    "trapezoid": (ANY, [lambda a: (a,), lambda a: (a, None, 0.5, 0), lambda a: (a, a),
                        lambda a: (a, [1, 2, 4], 1.0, 1)]),
    "tri": (((),), [lambda a: (3,), lambda a: (2, 3), lambda a: (3, 2, 1, a.dtype), lambda a: (2, 2, -1, bool)]),
    "tril": (ANY, [lambda a: (a,), lambda a: (a, 1), lambda a: (a, -1)]),
    "tril_indices": (((),), [lambda a: (3,), lambda a: (4, 1), lambda a: (2, -1, 3), lambda a: (0,), lambda a: (2.5,)]),
    "tril_indices_from": (ANY, [lambda a: (a,), lambda a: (a, 1), lambda a: (a, -1), lambda a: (a, 0.5),
                                lambda a: (a, 10**30)]),
    "triu": (ANY, [lambda a: (a,), lambda a: (a, 1), lambda a: (a, -1)]),
    "triu_indices": (((),), [lambda a: (3,), lambda a: (4, 1), lambda a: (2, -1, 3), lambda a: (0,), lambda a: (2.5,)]),
    "triu_indices_from": (ANY, [lambda a: (a,), lambda a: (a, 1), lambda a: (a, -1), lambda a: (a, 0.5),
                                lambda a: (a, -10**30)]),
    "unique": (TABLES + CUBES, [lambda a: (a, {"axis": 0}), lambda a: (a, True, True, True, -1)]),
    "unique_all": (ANY, [lambda a: (a,)]),
    "unique_counts": (ANY, [lambda a: (a,)]),
    "unique_inverse": (ANY, [lambda a: (a,)]),
    "unique_values": (ANY, [lambda a: (a.astype("f8"),)]),
    "unstack": (ANY, [lambda a: (a,), lambda a: (a, {"axis": -1})]),
    "unwrap": (ANY, [lambda a: (a,), lambda a: (a, 1.0), lambda a: (a, None, 0), lambda a: (a, {"period": 4})]),
    "vander": (LINES + TABLES, [lambda a: (a,), lambda a: (a, 2), lambda a: (a, 3, True), lambda a: (a, 0)]),
    "vsplit": (TABLES, [lambda a: (a, 1), lambda a: (a, [1]), lambda a: (a, numpy.array([1]))]),
}


def is_composed(made, call, array):
    """Return whether the composed body answers a call that is right."""
    try:
        args, keywords = split(call(array))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return FunctionSteps(made, args, keywords).path() == "composed"
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        return False


@pytest.mark.parametrize("name", sorted(COMPOSED))
def test_the_parameters_are_those_of_the_declaration(name):
    made, composed = COMPOSED[name], inspect.signature(COMPOSED[name].composed)
    assert list(composed.parameters) == list(made.__signature__.parameters)
    for ours, declared in zip(composed.parameters.values(), made.__signature__.parameters.values(), strict=True):
        assert ours.kind == declared.kind or declared.kind is inspect.Parameter.POSITIONAL_ONLY


def test_every_composed_function_has_calls():
    assert sorted(CALLS) == sorted(COMPOSED)


PRODUCTS = ("linalg.multi_dot", "linalg.outer", "linalg.vecdot")


@pytest.mark.parametrize("name", sorted(CALLS))
def test_calls_end_as_numpys_for_every_dtype_and_layout(name):
    shapes, calls = CALLS[name]
    answered = 0
    # Small products of matrices are summed in another order than NumPy's, which infinities show.
    how, draws = ({"tolerance": "sum"}, [finite]) if name in PRODUCTS else ({"warns": True}, [values, finite])
    if name == "polyfit":
        draws = [finite]  # of NaNs, LAPACK's iteration may never come to an end
    if name in ELEMENTARY:
        how["tolerance"] = ELEMENTARY[name]
    with Cells(**how) as cells:
        for number, call in enumerate(calls):
            def body(xp, a, call=call):
                args, keywords = split(call(a))
                args = [xp.asarray(arg) if isinstance(arg, numpy.ndarray) else arg for arg in args]
                result = member(xp, name)(*args, **keywords)
                return args[0] if result is None else result

            for shape in shapes:
                for dtype in FEW_DTYPES:
                    for draw in draws:
                        for layout in layouts(draw(shape, dtype)):
                            cells.same(f"{number} {layout}", body, layout)
                answered += is_composed(COMPOSED[name], call, under_test.array(finite(shape, numpy.dtype("f8"))))
        cells.require("is composed", answered)


@pytest.mark.parametrize("sizes", [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_cross_products_of_integers_wrap_around_in_silence(sizes):
    a, b = (numpy.arange(size, dtype="u2") + numpy.uint16(65533 - size) for size in sizes)
    with Cells(warns=True) as cells:
        cells.same("u2", lambda xp, a, b: xp.cross(a, b), a, b)
        cells.same("i1", lambda xp, a, b: xp.cross(a.astype("i1"), b.astype("i1")), a // numpy.uint16(2), b)


def test_what_is_no_array_is_not_written_to():
    with pytest.raises(AttributeError):
        under_test.put_along_axis([1, 2], under_test.array([0]), 5, 0)


def test_views_stay_views():
    a = under_test.arange(6.0)
    parts = under_test.split(a, 3)
    parts[1][0] = 40
    assert a[2] == 40
    assert parts[1].base is a


def test_a_plain_tensor_is_an_array_to_composed_functions():
    """`tests/overrides/test_tensors.py` has the values of all of them."""
    argument = torch.arange(3.0)
    assert FunctionSteps(under_test.kron, (argument, argument), {}).path() == "composed"
    assert type(under_test.kron(argument, argument)) is torch.Tensor


@pytest.mark.parametrize("argument", [
    torch.arange(3.0, requires_grad=True), torch.arange(3.0, device="meta"),
    under_test.asarray(torch.arange(3.0, requires_grad=True)),
    under_test.asarray(torch.arange(3.0, dtype=torch.bfloat16)),
])
def test_what_is_not_plain_takes_the_general_path(argument):
    steps = FunctionSteps(under_test.cross, (argument, argument), {})
    assert steps.path() != "composed"
    assert tuple(under_test.cross(argument, argument).shape) == (3,)


def test_a_mode_sees_the_functions_of_torch():
    class Seen(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(func)
            return func(*args, **kwargs or {})

    a, seen = under_test.arange(3.0), []
    with Seen():
        under_test.cross(a, a)
    assert seen


def test_numpy_says_what_is_wrong():
    for call in (lambda xp: xp.cross(xp.ones(4), xp.ones(4)), lambda xp: xp.split(xp.ones(4), 3)):
        assert run(call, under_test)[0] == run(call, numpy)[0]


@pytest.mark.parametrize("size", [4096, 70_000])
@pytest.mark.parametrize("body", [
    lambda xp, a: xp.pad(a, 1), lambda xp, a: xp.roll(a, 3), lambda xp, a: xp.fft.fftshift(a),
    lambda xp, a: xp.round(a, 2), lambda xp, a: xp.histogram(a), lambda xp, a: xp.triu(a.reshape(-1, 16)),
    lambda xp, a: xp.meshgrid(a[:300], a[:300]), lambda xp, a: xp.polyval([1, 2], a),
    lambda xp, a: xp.isclose(a, a + 1e-9),
    lambda xp, a: xp.allclose(a, a[::-1]), lambda xp, a: xp.array_equal(a, a.copy()), lambda xp, a: xp.nan_to_num(a),
    lambda xp, a: xp.unique(a), lambda xp, a: xp.percentile(a, 30), lambda xp, a: xp.nansum(a),
])
def test_many_elements_end_as_few_do(body, size):
    a = finite(size, numpy.dtype("f8"))
    agree(body, a)
    a[size // 2] = numpy.nan
    if size < 5000:
        agree(body, a)
