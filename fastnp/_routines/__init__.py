"""The chapters of NumPy's reference, each a module of declarations."""

# isort: off  (a line for each chapter; `remaining` comes last: it takes what no other chapter declares)
from fastnp._routines import adding_and_removing
from fastnp._routines import array
from fastnp._routines import array_methods
from fastnp._routines import blocks
from fastnp._routines import borrowed_modules
from fastnp._routines import clipping
from fastnp._routines import creation
from fastnp._routines import data_types
from fastnp._routines import explaining
from fastnp._routines import fallback
from fastnp._routines import functional
from fastnp._routines import histograms
from fastnp._routines import index_tricks
from fastnp._routines import indexing
from fastnp._routines import io
from fastnp._routines import logic
from fastnp._routines import mathematics
from fastnp._routines import matrices
from fastnp._routines import nan_functions
from fastnp._routines import packing
from fastnp._routines import padding
from fastnp._routines import polynomials
from fastnp._routines import printing
from fastnp._routines import products
from fastnp._routines import quantiles
from fastnp._routines import reductions
from fastnp._routines import sets
from fastnp._routines import settings
from fastnp._routines import shape
from fastnp._routines import sorting
from fastnp._routines import statistics
from fastnp._routines import ufuncs
from fastnp._routines import windows
from fastnp._routines import remaining
