"""The chapters of NumPy's reference, each a module of declarations."""

# isort: off  (`remaining` comes last: it takes what no other chapter declares)
from fastnp._routines import (
    array,
    array_methods,
    creation,
    fallback,
    flat,
    indexing,
    mathematics,
    nan_functions,
    polynomials,
    products,
    quantiles,
    reductions,
    shape,
    sorting,
    statistics,
    ufuncs,
    remaining,
)

__all__ = [
    "array",
    "array_methods",
    "creation",
    "fallback",
    "flat",
    "indexing",
    "mathematics",
    "nan_functions",
    "polynomials",
    "products",
    "quantiles",
    "reductions",
    "remaining",
    "shape",
    "sorting",
    "statistics",
    "ufuncs",
]
