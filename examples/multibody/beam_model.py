"""The beam of the paper, held to ground by a bushing.

The paper (section 3.5) names the test and gives no numbers. Taken here: a steel beam of 1 m, 60 mm wide and 30 mm thick,
on a hinge at one end and on the bushing at the other, pushed in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from linear import Array, LinearSystem
from scipy.optimize import brentq


@dataclass(frozen=True)
class Beam:
    length: float = 1.0  # m
    width: float = 0.06  # m
    thickness: float = 0.03  # m
    young: float = 2.1e11  # N/m^2
    density: float = 7850.0  # kg/m^3
    # Kelvin-Voigt: 1 % of critical damping in the first bending, at about 110 Hz.
    damping_time: float = 2.9e-5  # s
    elements: int = 4

    @property
    def bending_stiffness(self) -> float:
        return self.young * self.width * self.thickness**3 / 12

    @property
    def axial_stiffness(self) -> float:
        return self.young * self.width * self.thickness

    @property
    def mass_per_length(self) -> float:
        return self.density * self.width * self.thickness


# Steps of the load (s, N), each a ramp of RAMP seconds.
STEPS = ((0.02, 600.0), (0.25, -600.0), (0.45, 0.0))
RAMP = 0.02
END = 0.6
KINKS = np.array([t for start, _ in STEPS for t in (start, start + RAMP)])
LEVELS = np.array([level for before, (_, after) in zip([0.0, *[to for _, to in STEPS]], STEPS) for level in (before, after)])


def push(time: float) -> float:
    """Force on the middle of the beam (N)."""
    return float(np.interp(time, KINKS, LEVELS))


def matrices(beam: Beam) -> tuple[Array, Array]:
    """Mass and stiffness for deflection and slope at the nodes (cubic elements); the hinge has no deflection."""
    n, l = beam.elements, beam.length / beam.elements
    size = 2 * (n + 1)
    mass, stiffness = np.zeros((size, size)), np.zeros((size, size))
    m = beam.mass_per_length * l / 420 * np.array([
        [156, 22 * l, 54, -13 * l],
        [22 * l, 4 * l**2, 13 * l, -3 * l**2],
        [54, 13 * l, 156, -22 * l],
        [-13 * l, -3 * l**2, -22 * l, 4 * l**2],
    ])
    k = beam.bending_stiffness / l**3 * np.array([
        [12, 6 * l, -12, 6 * l],
        [6 * l, 4 * l**2, -6 * l, 2 * l**2],
        [-12, -6 * l, 12, -6 * l],
        [6 * l, 2 * l**2, -6 * l, 4 * l**2],
    ])
    for i in range(n):
        part = slice(2 * i, 2 * i + 4)
        mass[part, part] += m
        stiffness[part, part] += k
    return mass[1:, 1:], stiffness[1:, 1:]


def middle(beam: Beam) -> int:
    """Where the deflection of the middle stands; the number of elements is even."""
    return beam.elements - 1


def tip(beam: Beam) -> int:
    return 2 * beam.elements - 1


def system(beam: Beam = Beam()) -> LinearSystem:
    mass, stiffness = matrices(beam)
    at_tip, at_middle = np.zeros((1, len(mass))), np.zeros(len(mass))
    at_tip[0, tip(beam)] = 1.0
    at_middle[middle(beam)] = 1.0
    return LinearSystem(mass, beam.damping_time * stiffness, stiffness, at_tip, lambda t: push(t) * at_middle)


def frequencies(beam: Beam, spring: float, count: int) -> Array:
    """Exact natural frequencies (rad/s) on a linear spring: zeros of EI b^3 (sin coth - cos) - 2 k sin at b L = s."""
    def end(s: float) -> float:
        shear = beam.bending_stiffness * (s / beam.length) ** 3
        return shear * (np.sin(s) / np.tanh(s) - np.cos(s)) - 2 * spring * np.sin(s)

    grid = np.linspace(1e-3, (count + 1) * np.pi, 2000)
    values = np.array([end(s) for s in grid])
    found = [brentq(end, a, b) for a, b, x, y in zip(grid, grid[1:], values, values[1:]) if x * y < 0][:count]
    return (np.array(found) / beam.length) ** 2 * np.sqrt(beam.bending_stiffness / beam.mass_per_length)
