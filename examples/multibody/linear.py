"""A linear system that bushings hold to ground.

    M q'' + C q' + K q = load(t) - A^T F,        x = A q,

with one row of A and one force F for every bushing, whose displacement is x.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class LinearSystem:
    mass: Array
    damping: Array
    stiffness: Array
    attachments: Array
    load: Callable[[float], Array]

    @property
    def size(self) -> int:
        return len(self.mass)

    @cached_property
    def mobility(self) -> Array:
        """Accelerations by forces."""
        return np.linalg.inv(self.mass)

    def acceleration(self, time: float, q: Array, v: Array, forces: Array) -> Array:
        right = self.load(time) - self.damping @ v - self.stiffness @ q - self.attachments.T @ forces
        return self.mobility @ right


@dataclass
class Moment:
    """Where a system stands."""

    time: float
    q: Array
    v: Array
    a: Array


@dataclass(frozen=True)
class Prediction:
    """The end of a step as far as it does not depend on the forces there: a = free - answer @ forces, and displacements
    of the bushings x = reached - compliance @ forces."""

    free: Array
    answer: Array
    reached: Array
    compliance: Array


@dataclass
class Trapezoid:
    """Steps of a linear system by the trapezoidal rule: second order, no numerical damping."""

    system: LinearSystem
    _answers: dict[float, tuple[Array, Array]] = field(default_factory=dict)

    def predict(self, now: Moment, h: float) -> Prediction:
        system = self.system
        inverse, answer = self._operators(h)
        q = now.q + h * now.v + h * h / 4 * now.a
        v = now.v + h / 2 * now.a
        free = inverse @ (system.load(now.time + h) - system.damping @ v - system.stiffness @ q)
        return Prediction(
            free=free,
            answer=answer,
            reached=system.attachments @ (q + h * h / 4 * free),
            compliance=h * h / 4 * system.attachments @ answer,
        )

    def finish(self, now: Moment, h: float, prediction: Prediction, forces: Array) -> Moment:
        a = prediction.free - prediction.answer @ forces
        return Moment(
            time=now.time + h,
            q=now.q + h * now.v + h * h / 4 * (now.a + a),
            v=now.v + h / 2 * (now.a + a),
            a=a,
        )

    def _operators(self, h: float) -> tuple[Array, Array]:
        if h not in self._answers:
            system = self.system
            effective = system.mass + h / 2 * system.damping + h * h / 4 * system.stiffness
            inverse = np.linalg.inv(effective)
            self._answers[h] = (inverse, inverse @ system.attachments.T)
        return self._answers[h]
