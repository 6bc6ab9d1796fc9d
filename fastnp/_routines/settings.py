"""Settings and descriptions of the process: floating-point errors, builds, devices, the array API's information.

https://numpy.org/doc/2.4/reference/routines.err.html
"""

from __future__ import annotations

from pathlib import Path

import numpy
import torch

from fastnp import _core
from fastnp._declare import Chapter

declare = Chapter("fastnp")

# The state of floating-point errors is NumPy's own: the loops read it where NumPy's do.
declare.borrow("geterr", "geterrcall", "getbufsize", "seterr", "seterrcall", "setbufsize")
declare.borrow("show_config", "show_runtime")
declare.publish(errstate=numpy.errstate)
declare.publish(__config__=numpy.__config__, _NoValue=numpy._NoValue, _CopyMode=numpy._CopyMode)


def get_include() -> str:
    """Return the folder of the headers and `.pxd` files of the compiled core, for modules that `cimport` the array."""
    return str(Path(_core.__file__).parent)


def set_default_device(device) -> None:
    """Set the device that new arrays are made on: torch's own default device.

    Parameters
    ----------
    device : torch.device or str or None
        A device such as "cuda:0"; None is the CPU again.
    """
    torch.set_default_device(device)


#: The version of the array API standard whose names and rules the module has.
ARRAY_API_VERSION = "2025.12"


class __array_namespace_info__(numpy.__array_namespace_info__):
    """What the array API standard lets a program ask of the module."""

    __module__ = "fastnp"

    def default_device(self):
        """Return the name of the device that new arrays are made on."""
        return str(torch.get_default_device())

    def devices(self):
        """Return the names of the devices that arrays can be on."""
        return ("cpu", *(f"cuda:{index}" for index in range(torch.cuda.device_count())))

    def default_dtypes(self, *, device=None):
        """Return the dtypes that Python scalars become on a device."""
        return super().default_dtypes()

    def dtypes(self, *, device=None, kind=None):
        """Return the dtypes of the standard that arrays on a device can have."""
        return super().dtypes(kind=kind)


for function in (get_include, set_default_device):
    function.__module__ = "fastnp"

declare.publish(
    get_include=get_include,
    set_default_device=set_default_device,
    __array_api_version__=ARRAY_API_VERSION,
    __array_namespace_info__=__array_namespace_info__,
)
