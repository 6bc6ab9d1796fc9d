"""The chapters of NumPy's reference, each a module of declarations."""

# isort: off  (`remaining` comes last: it takes what no other chapter declares)
from fastnp._routines import reductions, remaining
    array,
    creation,
    fallback,
    indexing,
    mathematics,
    nan_functions,
    polynomials,
    products,
    quantiles,
    shape,
    sorting,
    statistics,
    ufuncs,
    remaining,
)

__all__ = ["reductions"]
