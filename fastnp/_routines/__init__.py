"""The chapters of NumPy's reference, each a module of declarations."""

from fastnp._routines import (
    array,
    fallback,
    mathematics,
    nan_functions,
    polynomials,
    products,
    quantiles,
    sorting,
    statistics,
    ufuncs,
)
from fastnp._routines import remaining  # isort: skip  (what no other chapter declares)

__all__ = [
    "array",
    "fallback",
    "mathematics",
    "nan_functions",
    "polynomials",
    "products",
    "quantiles",
    "remaining",
    "sorting",
    "statistics",
    "ufuncs",
]
