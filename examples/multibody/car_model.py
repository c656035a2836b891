"""A car whose rear axle is held by two bushings.

Single-track model with a rear axle that can yaw against the body: lateral forces of the rear tyres act behind the two
bushings and turn the axle, one bushing is pushed forward and the other back. The paper shows a whole car and gives no
numbers; those of a small family car are taken here. As on the car, the bushings are not alone: the other links of the
axle are taken as an elastic stiffness beside them.

Coordinates: lateral position y, yaw angle psi, yaw of the axle against the body (toe) phi; positive to the left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from linear import Array, LinearSystem

YAW, TOE = 1, 2
LEFT, RIGHT = 0, 1


@dataclass(frozen=True)
class Car:
    speed: float = 20.0  # m/s
    mass: float = 1250.0  # kg
    inertia: float = 1900.0  # kg m^2
    front: float = 1.1  # m, centre of mass to front axle
    rear: float = 1.45  # m
    front_tyres: float = 9.0e4  # N/rad, both
    rear_tyres: float = 1.1e5  # N/rad, both
    axle_inertia: float = 25.0  # kg m^2
    trail: float = 0.4  # m, bushings ahead of the wheels
    half_width: float = 0.5  # m, middle of the axle to either bushing
    links: float = 2.5e5  # N m/rad, other links of the axle
    link_damping: float = 400.0  # N m s/rad


@dataclass(frozen=True)
class Turn:
    """The front wheels turn by `angle` within `RAMP` seconds from `start`."""

    start: float  # s
    angle: float  # rad


RAMP = 0.1
ANGLE = np.radians(1.5)


def steer(turns: Sequence[Turn]) -> Callable[[float], float]:
    def angle(time: float) -> float:
        return sum(turn.angle * min(max((time - turn.start) / RAMP, 0.0), 1.0) for turn in turns)

    return angle


def system(turns: Sequence[Turn], car: Car = Car()) -> LinearSystem:
    """Front force Cf (delta - (y' + a psi')/u), rear force Cr (phi - (y' - b psi')/u), at a speed u."""
    u, a, b = car.speed, car.front, car.rear
    cf, cr = car.front_tyres, car.rear_tyres
    mass = np.diag([car.mass, car.inertia, car.axle_inertia])
    damping = np.array([
        [(cf + cr) / u, (a * cf - b * cr) / u + car.mass * u, 0.0],
        [(a * cf - b * cr) / u, (a * a * cf + b * b * cr) / u, 0.0],
        [-car.trail * cr / u, car.trail * b * cr / u, car.link_damping],
    ])
    stiffness = np.array([
        [0.0, 0.0, -cr],
        [0.0, 0.0, b * cr],
        [0.0, 0.0, car.links + car.trail * cr],
    ])
    attachments = np.array([[0.0, 0.0, car.half_width], [0.0, 0.0, -car.half_width]])
    delta = steer(turns)
    by_steering = np.array([cf, a * cf, 0.0])
    return LinearSystem(mass, damping, stiffness, attachments, lambda t: delta(t) * by_steering)


def settled(car: Car, bushing_stiffness: float, angle: float) -> tuple[float, float]:
    """Yaw rate and toe of a steady turn with linear bushings, from the equilibrium of forces and moments."""
    u, wheelbase = car.speed, car.front + car.rear
    turning = car.links + 2 * bushing_stiffness * car.half_width**2
    # Per unit of lateral acceleration: tyre forces, slip angles and toe.
    front, rear = car.mass * car.rear / wheelbase, car.mass * car.front / wheelbase
    toe = -car.trail * rear / turning
    understeer = front / car.front_tyres - rear / car.rear_tyres + toe
    acceleration = angle / (wheelbase / u**2 + understeer)
    return acceleration / u, toe * acceleration


def grid(turns: Sequence[Turn], after: float, step: float = 2e-3) -> Array:
    """Times: `step` for two seconds from every turn, then growing by 2 % a step until the next, or until `after` s from the
    last."""
    times = [0.0]
    for turn, until in zip(turns, [*[t.start for t in turns[1:]], turns[-1].start + after]):
        times.extend(np.arange(times[-1] + step, turn.start + step / 2, step))
        fine = min(turn.start + 2.0, until)
        count = round((fine - turn.start) / step)
        times.extend(turn.start + step * np.arange(1, count + 1))
        h = step
        while times[-1] < until - 1e-9:
            left = until - times[-1]
            h = min(h * 1.02, max(step, 0.02 * (times[-1] - turn.start)))
            times.append(until if left < 1.5 * h else times[-1] + h)
    return np.array(times)
