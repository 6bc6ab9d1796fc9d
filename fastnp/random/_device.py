"""Streams that a device draws itself: fast where arrays live there, and not NumPy's numbers."""

from __future__ import annotations

from typing import Any

import numpy
import torch

from fastnp._core.converters import asarray, to_tensor
from fastnp._core.dtype import to_torch_dtype
from fastnp._core.ndarray import ndarray
from fastnp._core.scalars import as_scalar


class DeviceGenerator:
    """A generator over torch's stream of a device.

    It has the methods of NumPy's `Generator` that torch draws: results are on the device, numbers are torch's.

    Parameters
    ----------
    seed : int, optional
        Seed of the stream; entropy of the system where there is none.
    device : torch.device or str, optional
        Where to draw. Default: the default device.
    """

    __module__ = "fastnp.random"

    def __init__(self, seed: int | None = None, device: Any = None) -> None:
        self.device = torch.device(device) if device is not None else torch.get_default_device()
        self._stream = torch.Generator(self.device)
        if seed is None:
            self._stream.seed()
        else:
            self._stream.manual_seed(int(seed))

    def __repr__(self) -> str:
        return f"DeviceGenerator({self.device})"

    def _shape(self, size: Any, *parameters: torch.Tensor) -> tuple[int, ...]:
        if size is None:
            return tuple(torch.broadcast_shapes(*(parameter.shape for parameter in parameters)))
        return (int(size),) if isinstance(size, (int, numpy.integer)) else tuple(int(length) for length in size)

    def _finish(self, tensor: torch.Tensor, size: Any) -> Any:
        array = asarray(tensor)
        return as_scalar(array) if size is None and tensor.ndim == 0 else array

    def _parameters(self, *values: Any) -> tuple[torch.Tensor, ...]:
        return tuple(to_tensor(value).to(self.device, torch.float64) for value in values)

    def random(self, size: Any = None, dtype: Any = numpy.float64) -> ndarray:
        """Draw floats from [0, 1)."""
        drawn = torch.rand(self._shape(size), generator=self._stream, dtype=to_torch_dtype(dtype), device=self.device)
        return self._finish(drawn, size)

    def standard_normal(self, size: Any = None, dtype: Any = numpy.float64) -> ndarray:
        """Draw from the normal distribution of mean 0 and deviation 1."""
        drawn = torch.randn(self._shape(size), generator=self._stream, dtype=to_torch_dtype(dtype), device=self.device)
        return self._finish(drawn, size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> ndarray:
        """Draw from normal distributions."""
        loc, scale = self._parameters(loc, scale)
        if bool((scale < 0).any()):
            raise ValueError("scale < 0")
        shape = self._shape(size, loc, scale)
        drawn = torch.randn(shape, generator=self._stream, dtype=torch.float64, device=self.device)
        return self._finish(loc + scale * drawn, size)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> ndarray:
        """Draw from [low, high)."""
        low, high = self._parameters(low, high)
        shape = self._shape(size, low, high)
        drawn = torch.rand(shape, generator=self._stream, dtype=torch.float64, device=self.device)
        return self._finish(low + (high - low) * drawn, size)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> ndarray:
        """Draw from exponential distributions."""
        (scale,) = self._parameters(scale)
        if bool((scale < 0).any()):
            raise ValueError("scale < 0")
        drawn = torch.empty(self._shape(size, scale), dtype=torch.float64, device=self.device)
        return self._finish(scale * drawn.exponential_(generator=self._stream), size)

    def poisson(self, lam: Any = 1.0, size: Any = None) -> ndarray:
        """Draw from Poisson distributions."""
        (lam,) = self._parameters(lam)
        if bool((lam < 0).any()):
            raise ValueError("lam < 0 or lam is NaN")
        drawn = torch.poisson(lam.expand(self._shape(size, lam)), generator=self._stream)
        return self._finish(drawn.to(torch.int64), size)

    def integers(
        self, low: int, high: int | None = None, size: Any = None, dtype: Any = numpy.int64, endpoint: bool = False
    ) -> ndarray:
        """Draw integers from [low, high), or [low, high] with `endpoint`."""
        low, high = (0, int(low)) if high is None else (int(low), int(high))
        if low >= high + endpoint:
            raise ValueError("low > high" if endpoint else "low >= high")
        shape = self._shape(size)
        drawn = torch.randint(low, high + endpoint, shape, generator=self._stream, device=self.device)
        return self._finish(drawn.to(to_torch_dtype(dtype)), size)

    def permutation(self, x: Any, axis: int = 0) -> ndarray:
        """Return a shuffled copy along an axis, or a shuffled range."""
        if isinstance(x, (int, numpy.integer)):
            return asarray(torch.randperm(int(x), generator=self._stream, device=self.device))
        tensor = to_tensor(x)
        order = torch.randperm(tensor.shape[axis], generator=self._stream, device=self.device)
        return asarray(tensor.index_select(axis, order.to(tensor.device)))

    def shuffle(self, x: ndarray, axis: int = 0) -> None:
        """Shuffle an array in place along an axis."""
        x[...] = self.permutation(x, axis)

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> ndarray:
        """Draw elements of a sequence or of a range, with probabilities `p`."""
        population = torch.arange(int(a)) if isinstance(a, (int, numpy.integer)) else to_tensor(a)
        shape = self._shape(size)
        count = int(numpy.prod(shape, dtype=int))
        if not replace and count > len(population):
            raise ValueError("Cannot take a larger sample than population when replace is False")
        weights = torch.ones(len(population)) if p is None else to_tensor(p)
        weights = weights.to(self.device, torch.float64)
        drawn = torch.multinomial(weights, count, bool(replace), generator=self._stream)
        return self._finish(population.to(self.device)[drawn].reshape([*shape, *population.shape[1:]]), size)
