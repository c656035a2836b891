"""How the pictures of the example look, and that they come out the same every time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

RED, BLACK, BLUE, GREEN, GREY, PINK = "#c0392b", "#222222", "#2166ac", "#1b7837", "#888888", "#d6308f"

STYLE = {
    "svg.hashsalt": "masing",
    "svg.fonttype": "none",
    "font.size": 10,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
}


@contextmanager
def picture(path: Path, columns: int, width: float = 9.0, height: float = 3.4) -> Iterator[list[pyplot.Axes]]:
    """Axes side by side, written as SVG."""
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(1, columns, figsize=(width, height), layout="constrained")
        yield list(axes) if columns > 1 else [axes]
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
    print(f"{path.name} written")


def ticks(axes: pyplot.Axes, values: Sequence[float]) -> None:
    """Plain numbers on a logarithmic axis."""
    axes.set_xticks(values, [f"{value:g}" for value in values])
    axes.set_xticks([], minor=True)
