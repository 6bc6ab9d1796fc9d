"""What it costs to ask for overrides and to obey one, and what the general path adds to torch's own call."""

import numpy
import torch
from torch.overrides import TorchFunctionMode

import fastnp


class Answering:
    """An object that answers every fastnp function itself."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return None


class AnsweringNumPy:
    """An object that answers every NumPy function itself: the measure for the other."""

    def __array_function__(self, func, types, args, kwargs):
        return None

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return None


class Subclass(fastnp.ndarray):
    """A subclass that changes nothing."""


class Passing(TorchFunctionMode):
    """A mode that lets every call pass."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


class TimeOverride:
    """A function and a ufunc that an operand answers."""

    params = ("fastnp", "numpy")
    param_names = ("lib",)

    def setup(self, lib):
        self.np = fastnp if lib == "fastnp" else numpy
        self.other = Answering() if lib == "fastnp" else AnsweringNumPy()
        self.a = self.np.ones(3)

    def time_function(self, lib):
        self.np.concatenate((self.a, self.other))

    def time_ufunc(self, lib):
        self.np.add(self.a, self.other)


class TimeSubclass:
    """Results that keep their subclass."""

    def setup(self):
        self.a = fastnp.ones(3).view(Subclass)

    def time_add(self):
        self.a + self.a

    def time_slice(self):
        self.a[1:]


class TimeGeneralPath:
    """Operands that carry gradients, and calls under a mode, against torch's own call."""

    params = ("fastnp", "torch")
    param_names = ("lib",)

    def setup(self, lib):
        tensor = torch.ones(3, dtype=torch.float64, requires_grad=True)
        self.add = fastnp.add if lib == "fastnp" else torch.add
        self.a = fastnp.asarray(tensor) if lib == "fastnp" else tensor
        self.mode = Passing()

    def time_add_with_gradient(self, lib):
        self.add(self.a, self.a)

    def time_add_under_mode(self, lib):
        with self.mode:
            self.add(self.a, self.a)
