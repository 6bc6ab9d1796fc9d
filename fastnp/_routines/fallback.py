"""What NumPy computed in our stead: see it, forbid it."""

from __future__ import annotations

from fastnp._declare import Chapter
from fastnp._fallback import FallbackWarning, clear_fallback_records, fallback_records, set_fallback

declare = Chapter("fastnp")

declare.publish(
    FallbackWarning=FallbackWarning,
    set_fallback=set_fallback,
    fallback_records=fallback_records,
    clear_fallback_records=clear_fallback_records,
)
