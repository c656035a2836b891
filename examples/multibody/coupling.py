"""A linear system and the bushings that hold it, together.

Co-Simulation
    `explicit`   the system moves under the forces of the last communication point; then the bushings follow. One step of
                 every FMU per step, but the force is late by a step: first order, and the delay works like negative damping.
    `iterated`   the step is repeated until the forces belong to the motion that they cause: the FMU goes back by its
                 saved state, and its directional derivative makes it Newton's method. Second order.
Model Exchange
    `exchange`   one solver integrates system and states of the FMUs together (Radau of SciPy; the states are stiff).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from fmu import Rates, Stepped
from linear import Array, LinearSystem, Moment, Trapezoid
from scipy.integrate import solve_ivp

# Iterations end when displacements change by less than this (m): far below anything a bushing resolves.
CLOSE = 1e-13
MOST_ITERATIONS = 30


@dataclass(frozen=True)
class History:
    """Motion of the system, displacements and forces of the bushings, by time."""

    time: Array
    q: Array
    v: Array
    displacement: Array
    force: Array
    # Steps that every FMU made, or evaluations of its rates.
    calls: int


def explicit(system: LinearSystem, bushings: Sequence[Stepped], times: Array) -> History:
    return _stepped(system, bushings, times, _late_forces)


def iterated(system: LinearSystem, bushings: Sequence[Stepped], times: Array) -> History:
    return _stepped(system, bushings, times, _matching_forces)


# From one moment to the next, over a step of that length; the bushings are left at their last trials.
Advance = Callable[[Trapezoid, Moment, float, Sequence[Stepped]], Moment]


def _stepped(system: LinearSystem, bushings: Sequence[Stepped], times: Array, advance: Advance) -> History:
    trapezoid = Trapezoid(system)
    rest = np.zeros(system.size)
    forces = np.array([b.force for b in bushings])
    now = Moment(times[0], rest, rest, system.acceleration(times[0], rest, rest, forces))
    rows = [(now.q, now.v, forces)]
    for h in np.diff(times):
        now = advance(trapezoid, now, h, bushings)
        for bushing in bushings:
            bushing.accept()
        rows.append((now.q, now.v, np.array([b.force for b in bushings])))
    q, v, force = (np.array(column) for column in zip(*rows))
    return History(times, q, v, q @ system.attachments.T, force, bushings[0].calls)


def _late_forces(trapezoid: Trapezoid, now: Moment, h: float, bushings: Sequence[Stepped]) -> Moment:
    prediction = trapezoid.predict(now, h)
    late = np.array([b.force for b in bushings])
    end = trapezoid.finish(now, h, prediction, late)
    forces = attempted(bushings, h, trapezoid.system.attachments @ end.q)
    end.a = trapezoid.system.acceleration(end.time, end.q, end.v, forces)
    return end


def _matching_forces(trapezoid: Trapezoid, now: Moment, h: float, bushings: Sequence[Stepped]) -> Moment:
    """Solves x + compliance F(x) = reached for the displacements x at the end of the step."""
    prediction = trapezoid.predict(now, h)
    system = trapezoid.system
    x = system.attachments @ (now.q + h * now.v + h * h / 2 * now.a)
    for _ in range(MOST_ITERATIONS):
        forces = attempted(bushings, h, x)
        off = x + prediction.compliance @ forces - prediction.reached
        if np.abs(off).max() < CLOSE:
            return trapezoid.finish(now, h, prediction, forces)
        slopes = np.array([b.slope() for b in bushings])
        x = x - np.linalg.solve(np.eye(len(x)) + prediction.compliance * slopes, off)
    raise RuntimeError(f"no agreement of system and bushings at {now.time + h:.6g} s; take shorter steps")


def attempted(bushings: Sequence[Stepped], h: float, x: Array) -> Array:
    return np.array([bushing.attempt(h, xi) for bushing, xi in zip(bushings, x)])


def exchange(
    system: LinearSystem, bushings: Sequence[Rates], times: Array, kinks: Sequence[float] = (), tolerance: float = 1e-7
) -> History:
    """Integrates up to every kink of the load by itself, so that each piece is smooth."""
    whole = Together(system, bushings)
    y = whole.start()
    marks = np.unique([times[0], *[k for k in kinks if times[0] < k < times[-1]], times[-1]])
    columns = [y]
    for begin, end in zip(marks[:-1], marks[1:]):
        wanted = times[(times > begin) & (times <= end)]
        done = solve_ivp(whole.rate, (begin, end), y, method="Radau", jac=whole.slopes, t_eval=np.unique([*wanted, end]),
                         rtol=tolerance, atol=tolerance * whole.sizes())
        if not done.success:
            raise RuntimeError(f"Model Exchange: {done.message}")
        columns.extend(done.y.T[: len(wanted)])
        y = done.y[:, -1]
    states = np.array(columns)
    n, calls = system.size, bushings[0].calls
    forces = np.array([whole.forces_and_rates(t, y)[0] for t, y in zip(times, states)])
    q = states[:, :n]
    return History(times, q, states[:, n : 2 * n], q @ system.attachments.T, forces, calls)


class Together:
    """The equations of system and bushings as one: y = (q, v, states of the first bushing, of the second, ...)."""

    def __init__(self, system: LinearSystem, bushings: Sequence[Rates]) -> None:
        self.system = system
        self.bushings = bushings
        ends = 2 * system.size + np.cumsum([0, *[b.count for b in bushings]])
        self.parts = [slice(a, b) for a, b in zip(ends[:-1], ends[1:])]

    def start(self) -> Array:
        return np.concatenate([np.zeros(2 * self.system.size), *[b.start for b in self.bushings]])

    def sizes(self) -> Array:
        """Typical values of y: 1 mm, 0.1 m/s, and what the FMUs say."""
        n = self.system.size
        return np.concatenate([np.full(n, 1e-3), np.full(n, 0.1), *[b.nominal for b in self.bushings]])

    def forces_and_rates(self, t: float, y: Array) -> tuple[Array, list[Array]]:
        n, rows = self.system.size, self.system.attachments
        x, speed = rows @ y[:n], rows @ y[n : 2 * n]
        found = [b.at(t, *motion, y[part]) for b, *motion, part in zip(self.bushings, x, speed, self.parts)]
        return np.array([force for force, _ in found]), [rates for _, rates in found]

    def rate(self, t: float, y: Array) -> Array:
        n = self.system.size
        forces, rates = self.forces_and_rates(t, y)
        return np.concatenate([y[n : 2 * n], self.system.acceleration(t, y[:n], y[n : 2 * n], forces), *rates])

    def slopes(self, t: float, y: Array) -> Array:
        """The Jacobian: that of the linear system, and directional derivatives of the FMUs."""
        system, n = self.system, self.system.size
        self.forces_and_rates(t, y)
        out = np.zeros((len(y), len(y)))
        q, v = slice(0, n), slice(n, 2 * n)
        out[q, v] = np.eye(n)
        out[v, q], out[v, v] = -system.mobility @ system.stiffness, -system.mobility @ system.damping
        for bushing, row, part in zip(self.bushings, system.attachments, self.parts):
            slopes = bushing.slopes()
            push = -system.mobility @ row
            for columns, of_force, of_rates in (
                (q, np.outer(slopes[0, 0], row), np.outer(slopes[1:, 0], row)),
                (v, np.outer(slopes[0, 1], row), np.outer(slopes[1:, 1], row)),
                (part, slopes[:1, 2:], slopes[1:, 2:]),
            ):
                out[v, columns] += np.outer(push, of_force)
                out[part, columns] = of_rates
        return out
