"""A car steered twice: relaxation and fading memory of its rear axle bushings.

    python examples/multibody/steering.py --out examples/multibody

prints what happens to the load of a bushing and to the toe angle, with a bushing that depends on rate (`rt`), one that does
not (`sts`) and a spring, and draws `relaxation.svg` and `memory.svg`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from car_model import ANGLE, RIGHT, TOE, Turn, grid, steer, system
from coupling import History, iterated
from fmu import MODELS, Stepped, exported
from linear import Array
from pictures import BLACK, BLUE, PINK, RED, picture, ticks

START = 0.1  # s
WAITS = (2.0, 8.0, 32.0, 128.0)
LAWS = ("rt", "sts", "spring")


def drive(fmu: Path, turns: Sequence[Turn], after: float) -> History:
    with Stepped(fmu) as left, Stepped(fmu) as right:
        return iterated(system(turns), [left, right], grid(turns, after))


def load(history: History) -> Array:
    """Load of the right bushing (N), positive when steered to the left."""
    return history.force[:, RIGHT]


def turned_once(fmu: Path, after: float = 6.0) -> History:
    return drive(fmu, [Turn(START, ANGLE)], after)


def turned_twice(fmu: Path, wait: float, direction: int, after: float = 3.0) -> History:
    """The second turn comes `wait` seconds after the first, in the same (1) or in the opposite (-1) direction."""
    return drive(fmu, [Turn(START, ANGLE), Turn(START + wait, direction * ANGLE)], after)


def drift(history: History, begin: float, end: float) -> float:
    """By how much of itself the load falls between two times after the first turn."""
    first, last = np.interp([START + begin, START + end], history.time, load(history))
    return float(1 - last / first)


@dataclass(frozen=True)
class Second:
    """What the second turn does, in its own direction."""

    load: float  # N, change within a second
    toe: float  # rad, change within a second
    acting: float  # N, the load a second after the turn
    fallen: float  # N, how much of the change is gone two seconds later

    @property
    def relaxed(self) -> float:
        """The share of the load that relaxes."""
        return self.fallen / abs(self.acting)


def second(history: History, wait: float, direction: int) -> Second:
    def after(values: Array, seconds: float) -> float:
        return float(np.interp(START + wait + seconds, history.time, values))

    force, toe = load(history), -history.q[:, TOE]
    return Second(
        load=direction * (after(force, 1.0) - after(force, 0.0)),
        toe=direction * (after(toe, 1.0) - after(toe, 0.0)),
        acting=after(force, 1.0),
        fallen=direction * (after(force, 1.0) - after(force, 3.0)),
    )


def memory(fmu: Path, wait: float) -> tuple[Second, Second]:
    """The second turn in the same and in the opposite direction. Without memory, both change the load equally."""
    same, opposite = (second(turned_twice(fmu, wait, d), wait, d) for d in (1, -1))
    return same, opposite


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("."), help="folder of the pictures")
    out = parser.parse_args().out
    with tempfile.TemporaryDirectory() as folder:
        fmus = {law: exported(MODELS / f"{law}.toml", Path(folder)) for law in LAWS}
        once = {law: turned_once(fmu) for law, fmu in fmus.items()}
        kept = {law: [memory(fmu, wait) for wait in WAITS] for law, fmu in fmus.items()}
        twice = {d: turned_twice(fmus["rt"], WAITS[0], d) for d in (1, -1)}
    print("one turn: load and toe after 1 s; by how much of itself the load falls from 1.5 s to 6 s")
    for law, history in once.items():
        at = np.interp(START + 1.0, history.time, load(history))
        toe = np.degrees(np.interp(START + 1.0, history.time, -history.q[:, TOE]))
        print(f"  {law:7} {at:7.1f} N  {toe:.4f} deg  {100 * drift(history, 1.5, 6.0):6.3f} %")
    print("two turns: change by the second within 1 s (N, deg), same and opposite direction; opposite less same;")
    print("load then, and how much of its change is gone after 3 s (N), same and opposite")
    for law, rows in kept.items():
        for wait, (same, opposite) in zip(WAITS, rows):
            print(
                f"  {law:7} {wait:5.0f} s  {same.load:7.2f} {opposite.load:7.2f} N  {opposite.load - same.load:8.4f} N"
                f"  {np.degrees(same.toe):.4f} {np.degrees(opposite.toe):.4f} deg"
                f"  {np.degrees(opposite.toe - same.toe):8.5f} deg"
                f"  {same.acting:7.2f} {opposite.acting:7.2f} N  {same.fallen:5.2f} {opposite.fallen:5.2f} N"
            )
    draw_relaxation(out / "relaxation.svg", once)
    draw_memory(out / "memory.svg", twice, kept)


def draw_relaxation(to: Path, once: dict[str, History]) -> None:
    with picture(to, 2) as (left, right):
        for law, colour, label in (("rt", RED, "rate-dependent (rt)"), ("sts", BLACK, "rate-independent (sts)")):
            history = once[law]
            left.plot(history.time, load(history) / load(history).max(), color=colour, label=label)
            right.plot(history.time, -np.degrees(history.q[:, TOE]), color=colour, label=label)
        # From where the turn is over: the rise itself is alike.
        left.set(xlabel="time (s)", ylabel="load of the bushing / largest", xlim=(0.4, 6.1), ylim=(0.9, 1.005))
        right.set(xlabel="time (s)", ylabel="toe of the rear axle (deg)")
        right.legend(loc="lower right")


def draw_memory(to: Path, twice: dict[int, History], kept: dict[str, list[tuple[Second, Second]]]) -> None:
    with picture(to, 3, width=11.0) as (inputs, loads, fading):
        for direction, colour, label in ((1, BLUE, "same direction"), (-1, PINK, "opposite")):
            history = twice[direction]
            angle = steer([Turn(START, ANGLE), Turn(START + WAITS[0], direction * ANGLE)])
            inputs.plot(history.time, [np.degrees(angle(t)) for t in history.time], color=colour, label=label)
            begin = START + WAITS[0]
            late = history.time >= begin
            force = load(history)[late]
            change = direction * (force - force[0])
            loads.plot(history.time[late] - begin, change, color=colour, label=label)
        inputs.set(xlabel="time (s)", ylabel="front wheels (deg)")
        inputs.legend(loc="upper left", fontsize=8)
        loads.set(xlabel="time from the second turn (s)", ylabel="change of the load (N)")
        for law, colour in (("rt", RED), ("sts", BLACK), ("spring", BLUE)):
            gaps = [opposite.load - same.load for same, opposite in kept[law]]
            fading.semilogx(WAITS, gaps, "o-", color=colour, markersize=4, label=law)
        fading.set(xlabel="wait between the turns (s)", ylabel="opposite less same (N)", ylim=(-5, 95))
        ticks(fading, WAITS)
        fading.legend(loc="lower left", bbox_to_anchor=(0, 0.1), fontsize=8)


if __name__ == "__main__":
    main()
