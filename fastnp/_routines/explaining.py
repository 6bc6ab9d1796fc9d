"""What a call did. What tells it is imported when somebody asks."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fastnp._declare import Chapter

if TYPE_CHECKING:
    from fastnp._explaining import Explanation

declare = Chapter("fastnp")


def explain(callable: Callable[[], Any], repeat: int = 25) -> Explanation:
    """Explain the calls of fastnp that a program makes: their stages, their path and the reason, their times.

    Parameters
    ----------
    callable : callable
        The program. It is called once, without arguments. A call in it that only computes is repeated to be timed, one
        that writes is repeated on copies, and one that others override, that NumPy answers as a fallback or that does
        more than compute is timed once.
    repeat : int, optional
        How many measurements the median of each stage is taken from.

    Returns
    -------
    Explanation
        `print(explanation)` shows it, `explanation.plot(path)` draws it, `explanation.calls` holds it.

    Examples
    --------
    >>> import fastnp as np
    >>> a = np.arange(3.0)
    >>> print(np.explain(lambda: a + a))  # doctest: +SKIP
    1. ndarray.__add__(ndarray float64[3], ndarray float64[3]): 56 ns
      path: quick: NumPy's loop of add for float64, float64, float64, on the memory as it lies
      look        24 ns  parse, overrides, convert and promote in one look at operands and thread
      loop        11 ns  NumPy's loop of add for float64, float64, float64
      wrap        21 ns  a header and its memory
    """
    if repeat < 1:
        raise ValueError(f"repeat must be at least 1, not {repeat}")
    return importlib.import_module("fastnp._explaining").explained(callable, repeat)


explain.__module__ = "fastnp"
declare.publish(explain=explain)
