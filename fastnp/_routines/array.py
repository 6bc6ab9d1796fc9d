"""The array class, dtypes and process-wide settings.

https://numpy.org/doc/2.4/reference/arrays.html
"""

from __future__ import annotations

import ml_dtypes

from fastnp._core.dtype import get_default_dtype, set_default_dtype
from fastnp._core.interchange import set_transfer
from fastnp._core.ndarray import clear_memory, memory_counts, ndarray, set_memory_limit
from fastnp._declare import Chapter

declare = Chapter("fastnp")

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
