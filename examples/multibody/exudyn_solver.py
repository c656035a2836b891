"""What the models in Exudyn share: its implicit trapezoidal rule, and an FMU as the force of a user function."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import exudyn
import numpy as np
from fmu import Stepped


class SteppedForce:
    """Co-Simulation behind a user function: every call of a Newton iteration is a trial step from the last accepted point, and
    what the iteration ends with is accepted after the step."""

    def __init__(self, bushing: Stepped) -> None:
        self.bushing = bushing

    def __call__(self, time: float, displacement: float) -> float:
        ahead = time - self.bushing.time
        # Before the first step the solver asks for the force at the start.
        return self.bushing.attempt(ahead, displacement) if ahead > 1e-12 else self.bushing.force

    def accept(self, time: float, displacement: float) -> None:
        self(time, displacement)
        self.bushing.accept()


def solve(
    mbs: exudyn.MainSystem, step: float, end: float, place: Callable[[], float], forces: Sequence[SteppedForce] = (),
    levers: Sequence[float] = (1.0,),
) -> np.ndarray:
    """Steps to the end and returns `place` at every step. The displacements of the forces are `place` times their levers."""
    path: list[float] = []

    def finished(_: exudyn.MainSystem, time: float) -> bool:
        path.append(place())
        if time > 0:  # the first call comes before the first step
            for force, lever in zip(forces, levers):
                force.accept(time, lever * path[-1])
        return True

    mbs.SetPostStepUserFunction(finished)
    mbs.Assemble()
    settings = exudyn.SimulationSettings()
    settings.solution.file.write = False
    integration = settings.timeIntegration
    integration.numberOfSteps = round(end / step)
    integration.endTime = end
    integration.verboseMode = 0
    integration.adaptiveStep = False
    # Newtons: rounding of an axial stiffness of 4e8 N leaves 1e-7.
    integration.newton.absoluteTolerance = 1e-5
    integration.newton.relativeTolerance = 1e-9
    mbs.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.TrapezoidalIndex2)
    return np.array(path)
