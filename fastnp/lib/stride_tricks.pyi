"""Written by `python -m fastnp._stubs`."""

from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy
import torch

from fastnp import ArrayLike, DTypeLike, OutArray, ndarray, ufunc

def as_strided(x: ArrayLike, shape: Any = ..., strides: Any = ..., subok: Any = ..., writeable: Any = ...) -> Any: ...
def sliding_window_view(x: ArrayLike, window_shape: Any, axis: Any = ..., *, subok: Any = ..., writeable: Any = ...) -> Any: ...
