"""Every ufunc and reduction under each of torch's tracers and transforms gives what it gives without (D3, row 44)."""

import numpy
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

import fastnp as np
from tests._core.test_paths import suited
from tests._oracle import Cells
from tests._tables import ELEMENTWISE_UFUNCS

DTYPES = tuple(map(numpy.dtype, ("f8", "c16", "i8", "u8")))
REDUCTIONS = ("all", "any", "argmax", "argmin", "argsort", "cumprod", "cumsum", "max", "mean", "median", "min",
              "nanmax", "prod", "ptp", "sort", "std", "sum", "var")
FOLDS = ("bitwise_and", "fmax", "gcd", "hypot", "logical_xor")



def along_first_axis(call):
    """Return a reduction as a function of one tensor."""
    return lambda x: call(x, axis=0)


FUNCTIONS = {name: getattr(np, name) for name in ELEMENTWISE_UFUNCS if name != "isnat"}
FUNCTIONS |= {name: along_first_axis(getattr(np, name)) for name in REDUCTIONS}
FUNCTIONS |= {f"{name}.reduce": along_first_axis(getattr(np, name).reduce) for name in FOLDS}
FUNCTIONS |= {f"{name}.accumulate": along_first_axis(getattr(np, name).accumulate) for name in FOLDS}


def operands(name, dtype):
    """Return tensors for which a function stays defined."""
    count = getattr(getattr(numpy, name), "nin", 1) if "." not in name else 1
    return [torch.from_numpy(suited(name.split(".")[0], dtype, (3, 4)).copy()) for _ in range(count)]


def results(value):
    return value if isinstance(value, tuple) else (value,)


def alike(got, want):
    """Tell whether tensors have the same dtypes, shapes and, if they have any, values."""
    for one, other in zip(results(got), results(want), strict=True):
        if not isinstance(one, torch.Tensor) or (one.dtype, one.shape) != (other.dtype, other.shape):
            return False
        if type(one) is torch.Tensor and one.device.type != "meta" and not torch.allclose(
                one.to(torch.complex128), other.to(torch.complex128), equal_nan=True):
            return False
    return True


@pytest.mark.filterwarnings("ignore:.*encountered in", "ignore:There is a performance drop")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_tensors_in_tensors_out_and_the_same(name):
    function = FUNCTIONS[name]
    with Cells() as cells:
        for dtype in DTYPES:
            tensors = operands(name, dtype)
            try:
                want = function(*tensors)
            except TypeError:  # NumPy has no such loop
                cells.require(f"{dtype} none", True)
                continue
            for tracing in ("real", "symbolic"):
                graph = make_fx(function, tracing_mode=tracing)(*tensors)
                cells.require(f"{dtype} make_fx {tracing}", alike(graph(*tensors), want))
            with FakeTensorMode() as mode:
                fake = function(*(mode.from_tensor(tensor) for tensor in tensors))
            cells.require(f"{dtype} fake", alike(fake, want), f"{fake}")
            meta = function(*(tensor.to("meta") for tensor in tensors))
            cells.require(f"{dtype} meta", alike(meta, want), f"{meta}")
            batched = torch.vmap(function)(*tensors)
            single = [results(function(*(tensor[row] for tensor in tensors))) for row in range(3)]
            stacked = tuple(torch.stack(parts) for parts in zip(*single, strict=True))
            cells.require(f"{dtype} vmap", alike(batched, stacked))
