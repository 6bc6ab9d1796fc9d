"""Text of arrays: NumPy's own, of the same values.

https://numpy.org/doc/2.4/reference/routines.io.html#text-formatting-options
"""

from __future__ import annotations

import numpy

from fastnp._core.interchange import on_host
from fastnp._declare import Chapter
from fastnp._typing import NDArrayLike

declare = Chapter("fastnp")


@declare(host=True)
def array2string(
    a: NDArrayLike,
    max_line_width=None,
    precision=None,
    suppress_small=None,
    separator=" ",
    prefix="",
    *,
    formatter=None,
    threshold=None,
    edgeitems=None,
    sign=None,
    floatmode=None,
    suffix="",
    legacy=None,
):
    return numpy.array2string(
        on_host(a), max_line_width, precision, suppress_small, separator, prefix, formatter=formatter,
        threshold=threshold, edgeitems=edgeitems, sign=sign, floatmode=floatmode, suffix=suffix, legacy=legacy,
    )


@declare(host=True)
def array_repr(arr: NDArrayLike, max_line_width=None, precision=None, suppress_small=None):
    return numpy.array_repr(on_host(arr), max_line_width, precision, suppress_small)


@declare(host=True)
def array_str(a: NDArrayLike, max_line_width=None, precision=None, suppress_small=None):
    return numpy.array_str(on_host(a), max_line_width, precision, suppress_small)
