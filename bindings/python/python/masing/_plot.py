"""Pictures of results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from masing import _masing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from masing._results import Array, Curve, FitResult

# Units that people read: name and how many SI units one of them is.
READABLE = {"m": ("mm", 1e-3), "rad": ("deg", 0.017453292519943295), "N/m": ("N/mm", 1e3)}


def figure(result: FitResult) -> Figure:
    """Measured and modelled, test by test."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise _masing.Error("plot needs matplotlib; `pip install matplotlib` brings it") from error

    tests = list(result.tests.values())
    columns = min(len(tests), 3)
    rows = -(-len(tests) // columns)
    drawn = Figure(figsize=(5.0 * columns, 4.0 * rows), layout="constrained")
    for k, test in enumerate(tests):
        _draw(drawn.add_subplot(rows, columns, k + 1), test)
    return drawn


def _draw(axes: Axes, test: Curve) -> None:
    names = list(test.columns)
    if "frequency" in names:
        across, (measured, modelled) = "frequency", ("stiffness", "stiffness_model")
        marks = ("o", "x")
    else:
        motion = next((name for name in ("displacement", "angle") if name in names), "time")
        measured = next(name for name in names if f"{name}_model" in names)
        across, modelled = (motion if motion != measured else "time"), f"{measured}_model"
        marks = ("-", "--")
    for name, mark in ((measured, marks[0]), (modelled, marks[1])):
        label = "model" if name == modelled else "measured"
        axes.plot(_scaled(test, across), _scaled(test, name), mark, label=label)
    axes.set_xlabel(_label(test, across))
    axes.set_ylabel(_label(test, measured))
    axes.set_title(test.name if test.role == "fit" else f"{test.name} (not fitted)")
    axes.legend()


def _scaled(test: Curve, name: str) -> Array:
    _, factor = READABLE.get(test.units[name], ("", 1.0))
    return test.columns[name] / factor


def _label(test: Curve, name: str) -> str:
    unit, _ = READABLE.get(test.units[name], (test.units[name], 1.0))
    return f"{name.replace('_', ' ')} [{unit}]"
