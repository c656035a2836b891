"""The beam on a bushing, in several ways that have to agree.

    python examples/multibody/beam.py --out examples/multibody

prints how far every way is from Model Exchange at a tight tolerance, and draws `beam.svg`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import exudyn_beam
import masing_beam
import numpy as np
from beam_model import END, KINKS, Beam, system
from coupling import History, exchange, explicit, iterated
from fmu import MODELS, Rates, Stepped, exported
from linear import Array
from pictures import BLACK, BLUE, GREEN, GREY, RED, picture, ticks

MODEL = MODELS / "rt.toml"
# Where results are compared (s).
COMMON = 0.01


def grid(step: float) -> Array:
    return np.arange(round(END / step) + 1) * step


def reference(fmu: Path, tolerance: float = 1e-7) -> History:
    """Model Exchange, integrated by SciPy."""
    with Rates(fmu) as bushing:
        return exchange(system(), [bushing], grid(1e-3), KINKS, tolerance)


def co_simulation(fmu: Path, scheme: Callable[..., History], step: float) -> History:
    with Stepped(fmu) as bushing:
        return scheme(system(), [bushing], grid(step))


@dataclass(frozen=True)
class Run:
    """Displacement of the tip, and how often the FMU was called."""

    tip: Array
    calls: int


def in_python(fmu: Path, scheme: Callable[..., History], step: float) -> Run:
    history = co_simulation(fmu, scheme, step)
    return Run(history.displacement[:, 0], history.calls)


def exudyn_co_simulation(fmu: Path, step: float) -> Run:
    with Stepped(fmu) as bushing:
        return Run(exudyn_beam.stepped(Beam(), bushing, step, END), bushing.calls)


def exudyn_exchange(fmu: Path, step: float, end: float = END) -> Run:
    with Rates(fmu) as bushing:
        return Run(exudyn_beam.exchanged(Beam(), bushing, step, end), bushing.calls)


def difference(path: Array, other: Array) -> float:
    """Largest difference of displacements that go on equally long, relative to the largest of the second."""
    parts = round(END / COMMON)
    thin = [p[:: (len(p) - 1) // parts] for p in (path, other)]
    return float(np.abs(thin[0] - thin[1]).max() / np.abs(other).max())


@dataclass(frozen=True)
class Way:
    """One way to simulate, and with which steps."""

    name: str
    line: str
    colour: str
    steps: tuple[float, ...]
    run: Callable[[Path, float], Run]


WAYS = (
    Way("Co-Simulation, explicit", "o-", RED, (1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5),
        lambda fmu, h: in_python(fmu, explicit, h)),
    Way("Co-Simulation, iterated", "o-", BLUE, (1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5),
        lambda fmu, h: in_python(fmu, iterated, h)),
    Way("Exudyn, Co-Simulation", "x--", GREEN, (1e-3, 5e-4, 2.5e-4, 1.25e-4), exudyn_co_simulation),
    Way("Exudyn, Model Exchange", "x--", GREY, (1e-4, 5e-5, 2.5e-5), exudyn_exchange),
)


def attempted(way: Way, fmu: Path, step: float) -> Run | None:
    try:
        return way.run(fmu, step)
    except Exception as error:  # every tool breaks down in its own way
        print(f"    {way.name} at {1e3 * step:g} ms: {error}")
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("."), help="folder of the picture")
    out = parser.parse_args().out
    with tempfile.TemporaryDirectory() as folder:
        fmu = exported(MODEL, Path(folder))
        exact = reference(fmu)
        looser = {tolerance: reference(fmu, tolerance) for tolerance in (1e-3, 1e-4, 1e-5)}
        tip = exact.displacement[:, 0]
        simulated, _ = masing_beam.simulated(MODEL, Path(folder), exact.time)
        runs = {(way.name, h): attempted(way, fmu, h) for way in WAYS for h in way.steps}
    print(f"Model Exchange, SciPy: tip from {1e3 * tip.min():.3f} to {1e3 * tip.max():.3f} mm")
    print("largest difference of the tip to it, relative to the largest deflection; calls of the FMU:")
    print(f"  {'masing simulate':26}            {difference(simulated, tip):8.1e}")
    for tolerance, history in looser.items():
        error = difference(history.displacement[:, 0], tip)
        print(f"  {'Model Exchange, SciPy':26} {tolerance:9.0e}  {error:8.1e}  {history.calls:6d}")
    for (name, h), run in runs.items():
        result = "breaks down" if run is None else f"{difference(run.tip, tip):8.1e}  {run.calls:6d}"
        print(f"  {name:26} {1e3 * h:6.4f} ms  {result}")
    draw(out / "beam.svg", exact, runs)


def draw(to: Path, exact: History, runs: dict[tuple[str, float], Run | None]) -> None:
    with picture(to, 2) as (left, right):
        late, matching = runs["Co-Simulation, explicit", 5e-4], runs["Co-Simulation, iterated", 2.5e-4]
        if late:
            label = "Co-Simulation, explicit, 0.5 ms"
            left.plot(grid(5e-4), 1e3 * late.tip, color=RED, linewidth=0.8, label=label)
        left.plot(exact.time, 1e3 * exact.displacement[:, 0], color=BLACK, label="Model Exchange")
        if matching:
            label = "Co-Simulation, iterated, 0.25 ms"
            left.plot(grid(2.5e-4)[::16], 1e3 * matching.tip[::16], ".", color=BLUE, markersize=3, label=label)
        left.set(xlabel="time (s)", ylabel="tip of the beam (mm)", ylim=(-1.2, 1.6))
        left.legend(loc="upper right", fontsize=8)
        for way in WAYS:
            found = [(h, run) for h in way.steps if (run := runs[way.name, h])]
            errors = [(1e3 * h, difference(run.tip, exact.displacement[:, 0])) for h, run in found]
            right.loglog(*zip(*errors), way.line, color=way.colour, markersize=4, label=way.name)
        right.set(xlabel="communication step (ms)", ylabel="difference to Model Exchange", ylim=(1e-5, 2))
        ticks(right, (0.025, 0.05, 0.1, 0.25, 0.5, 1))
        right.legend(loc="lower right", fontsize=8)


if __name__ == "__main__":
    main()
