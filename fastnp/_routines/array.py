"""The array class, dtypes and process-wide settings.

https://numpy.org/doc/2.4/reference/arrays.html
"""

from __future__ import annotations

import ml_dtypes

from fastnp._core.dtype import get_default_dtype, set_default_dtype
from fastnp._core.interchange import set_transfer
from fastnp._core.kernels.transform_plans import clear_plans, plan_counts
from fastnp._core.ndarray import block_counts, clear_blocks, ndarray, set_memory_limit
from fastnp._declare import Chapter

declare = Chapter("fastnp")


def memory_counts() -> dict[str, int]:
    """Return what waits for its next use.

    Returns
    -------
    dict
        `cached_blocks` of freed arrays, `cached_bytes` in them and the `limit` of these; `plans` of Fourier
        transforms and `plan_bytes`, about, that these take: 64 plans and 64 MiB at most.
    """
    return block_counts() | plan_counts()


def clear_memory() -> None:
    """Give everything that waits for its next use back to the system."""
    clear_blocks()
    clear_plans()


declare.publish(
    ndarray=ndarray,
    bfloat16=ml_dtypes.bfloat16,
    float8_e5m2=ml_dtypes.float8_e5m2,
    float8_e4m3fn=ml_dtypes.float8_e4m3fn,
    float8_e5m2fnuz=ml_dtypes.float8_e5m2fnuz,
    float8_e4m3fnuz=ml_dtypes.float8_e4m3fnuz,
    set_default_dtype=set_default_dtype,
    get_default_dtype=get_default_dtype,
    set_transfer=set_transfer,
    memory_counts=memory_counts,
    clear_memory=clear_memory,
    set_memory_limit=set_memory_limit,
)
