"""Sums, products, extrema, truth, positions of extrema, means and variances.

https://numpy.org/doc/2.4/reference/routines.math.html, routines.logic.html, routines.sort.html and
routines.statistics.html.
The bodies are compiled: `fastnp._core.kernels.reductions` and, of means and variances, `moments`.
"""

from __future__ import annotations

from fastnp._core.kernels import moments, reductions
from fastnp._declare import Chapter, declare_method
from fastnp._typing import ArrayLike, NoValue, OutArray, Relevant

declare = Chapter("fastnp")


@declare(compiled=reductions.all_body, method=True, discrete=True)
def all_(a: ArrayLike, axis=None, out: OutArray = None, keepdims=NoValue, *, where: Relevant = NoValue): ...


@declare(compiled=reductions.any_body, method=True, discrete=True)
def any_(a: ArrayLike, axis=None, out: OutArray = None, keepdims=NoValue, *, where: Relevant = NoValue): ...


@declare(compiled=reductions.argmax_body, method=True, discrete=True)
def argmax(a: ArrayLike, axis=None, out: OutArray = None, *, keepdims=NoValue): ...


@declare(compiled=reductions.argmin_body, method=True, discrete=True)
def argmin(a: ArrayLike, axis=None, out: OutArray = None, *, keepdims=NoValue): ...


@declare(compiled=reductions.cumprod_body, method=True)
def cumprod(a: ArrayLike, axis=None, dtype=None, out: OutArray = None): ...


@declare(compiled=reductions.cumsum_body, method=True)
def cumsum(a: ArrayLike, axis=None, dtype=None, out: OutArray = None): ...


@declare(compiled=reductions.max_body, method=True, aliases=("amax",))
def max_(a: ArrayLike, axis=None, out: OutArray = None, keepdims=NoValue, initial=NoValue, where=NoValue): ...


@declare(compiled=moments.mean_body, method=True)
def mean(a: ArrayLike, axis=None, dtype=None, out: OutArray = None, keepdims=NoValue, *, where: Relevant = NoValue): ...


@declare(compiled=reductions.min_body, method=True, aliases=("amin",))
def min_(a: ArrayLike, axis=None, out: OutArray = None, keepdims=NoValue, initial=NoValue, where=NoValue): ...


@declare(compiled=reductions.prod_body, method=True)
def prod(
    a: ArrayLike, axis=None, dtype=None, out: OutArray = None, keepdims=NoValue, initial=NoValue, where=NoValue
): ...


@declare(compiled=moments.std_body)
def std(
    a: ArrayLike, axis=None, dtype=None, out: OutArray = None, ddof=0, keepdims=NoValue, *,
    where: Relevant = NoValue, mean: Relevant = NoValue, correction=NoValue,
): ...


@declare(compiled=reductions.sum_body, method=True)
def sum_(
    a: ArrayLike, axis=None, dtype=None, out: OutArray = None, keepdims=NoValue, initial=NoValue, where=NoValue
): ...


@declare(compiled=moments.var_body)
def var(
    a: ArrayLike, axis=None, dtype=None, out: OutArray = None, ddof=0, keepdims=NoValue, *,
    where: Relevant = NoValue, mean: Relevant = NoValue, correction=NoValue,
): ...


def _methods() -> None:
    """Declare the methods that take fewer arguments than the functions of their names."""

    @declare_method(compiled=moments.std_method_body)
    def std(
        self: ArrayLike, axis=None, dtype=None, out: OutArray = None, ddof=0, keepdims=False, *, where=NoValue,
        mean=NoValue,
    ): ...

    @declare_method(compiled=moments.var_method_body)
    def var(
        self: ArrayLike, axis=None, dtype=None, out: OutArray = None, ddof=0, keepdims=False, *, where=NoValue,
        mean=NoValue,
    ): ...


_methods()
