"""The annotation vocabulary: what a parameter accepts is how its argument is converted.

`declare` reads the annotations of a body once. A parameter without an annotation is passed on as it is.
"""

from __future__ import annotations

import enum
from typing import Annotated, Any

import numpy
import torch

from fastnp._core.ndarray import ndarray

NoValue = numpy._NoValue  # NumPy's own mark of an argument that was not given


class Conversion(enum.IntEnum):
    """What an annotation asks of an argument; the numbers are those of `_core/converters.pxd`."""

    ANY = 0
    TENSOR = 1
    OPERAND = 2
    TENSORS = 3
    ARRAY = 4
    ARRAYS = 5
    TORCH_DTYPE = 6
    NUMPY_DTYPE = 7
    OUT = 8
    NUMPY_ONLY = 9
    INDEX = 10
    MIXED = 11
    RELEVANT = 12
    LIKE = 13


#: Anything array-like; the body gets a torch.Tensor.
ArrayLike = Annotated[torch.Tensor, Conversion.TENSOR]
#: Anything array-like; a Python scalar stays one, and is weak when the body promotes.
OperandLike = Annotated[torch.Tensor | complex, Conversion.OPERAND]
#: A sequence of array-likes; the body gets a list of torch.Tensors.
ArrayLikes = Annotated[list[torch.Tensor], Conversion.TENSORS]
#: Positional arguments of any kind; the body gets the arrays among them as torch.Tensors.
Mixed = Annotated[Any, Conversion.MIXED]
#: Anything array-like; the body gets an ndarray (for bodies that make views or write).
NDArrayLike = Annotated[ndarray, Conversion.ARRAY]
#: A sequence of array-likes; the body gets a list of ndarrays.
NDArrayLikes = Annotated[list[ndarray], Conversion.ARRAYS]
#: Anything that spells a dtype; the body gets a torch.dtype, or None.
DTypeLike = Annotated[torch.dtype | None, Conversion.TORCH_DTYPE]
#: Anything that spells a dtype; the body gets a numpy.dtype, or None.
NumPyDTypeLike = Annotated[numpy.dtype | None, Conversion.NUMPY_DTYPE]
#: The array that takes the result; the body gets None, and what it returns is written there.
OutArray = Annotated[Any, Conversion.OUT]
#: Computed by NumPy where the argument is not the default.
NumPyOnly = Annotated[Any, Conversion.NUMPY_ONLY]
#: Anything, passed on as it is; its type may override the call.
Relevant = Annotated[Any, Conversion.RELEVANT]
#: An array whose type may override a function that creates arrays (NEP 35); otherwise of no effect.
LikeArray = Annotated[Any, Conversion.LIKE]
#: An integer.
Index = Annotated[int, Conversion.INDEX]
#: None, an integer or a tuple of integers; bodies canonicalise it against the number of axes.
AxisLike = int | tuple[int, ...] | None
