"""The picture of an explanation. Loaded when one is drawn: matplotlib is no requirement of the package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Patch

#: One colour for each stage, in the order of a call.
COLOURS = {
    "look": "#2a5783",
    "parse": "#4c78a8",
    "overrides": "#f58518",
    "convert": "#e45756",
    "promote": "#72b7b2",
    "loop": "#54a24b",
    "operation": "#88d27a",
    "body": "#2f7d32",
    "wrap": "#b279a2",
    "rest": "#bab0ac",
}


def scaled(nanoseconds: float) -> str:
    """Return a time in the unit that it is read in."""
    if nanoseconds < 9_999.5:
        return f"{nanoseconds:.0f} ns"
    return f"{nanoseconds / 1e3:.1f} µs" if nanoseconds < 999_950 else f"{nanoseconds / 1e6:.2f} ms"


#: From this ratio of times between calls on, each bar is drawn to its own scale.
UNLIKE = 20


def draw(calls: list[Any], path: str | Path) -> None:
    """Draw each call as a bar of its stages, one above the other, and write the picture to `path`."""
    figure = Figure(figsize=(10, 1.6 + 0.95 * len(calls)), layout="constrained")
    axes = figure.add_subplot()
    times = [call.nanoseconds for call in calls if call.nanoseconds > 0]
    to_scale = not times or max(times) < UNLIKE * min(times)
    longest = max(times, default=1.0) if to_scale else 100.0
    for row, call in enumerate(calls):
        scale = 1.0 if to_scale else 100.0 / call.nanoseconds if call.nanoseconds > 0 else 0.0
        start = 0.0
        for stage in call.stages:
            width = stage.nanoseconds * scale
            axes.barh(row, width, left=start, height=0.42, color=COLOURS[stage.name], edgecolor="white")
            if width > 0.07 * longest:
                axes.text(start + width / 2, row, scaled(stage.nanoseconds), ha="center", va="center", fontsize=8,
                          color="white")
            start += width
        axes.text(0, row - 0.27, f"{call.title}   {scaled(call.nanoseconds)}", ha="left", va="bottom", fontsize=9,
                  fontweight="bold")
        text = "; ".join([call.path, *call.reasons])
        text = text if len(text) < 150 else f"{text[:147]}..."
        axes.text(0, row + 0.25, text, ha="left", va="top", fontsize=8, color="#555555")
    axes.set_ylim(len(calls) - 0.4, -0.65)
    axes.set_xlim(0, longest * 1.02)
    axes.set_yticks([])
    axes.set_xlabel("nanoseconds, medians of repeated runs" if to_scale else "per cent of the call's time")
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    names = [name for name in COLOURS if any(stage.name == name for call in calls for stage in call.stages)]
    if names:
        keys = [Patch(color=COLOURS[name], label=name) for name in names]
        figure.legend(handles=keys, loc="outside upper center", ncols=len(names), frameon=False, fontsize=8)
    figure.savefig(path, dpi=120)
