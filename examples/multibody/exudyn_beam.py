"""The beam in Exudyn: its own beam elements and solver, the bushing through the FMU.

Nothing of `linear.py` or `coupling.py` is used: cable elements of Exudyn (absolute nodal coordinates, large deflection) bend,
and Exudyn integrates.
"""

from __future__ import annotations

from collections.abc import Callable

import exudyn
import numpy as np
from beam_model import Beam, push
from exudyn.beams import GenerateBeamElementsAlongLine
from exudyn.utilities import (
    CoordinateSpringDamper,
    LoadCoordinate,
    MarkerNodeCoordinate,
    NodeGenericODE1,
    NodePointGround,
    ObjectANCFCable2D,
    ObjectGenericODE1,
)
from exudyn_solver import SteppedForce, solve
from fmu import Rates, Stepped

SIDEWAYS = 1  # the second coordinate of a node


class ExudynBeam:
    """A beam on a hinge, pushed in the middle; somebody else holds the tip."""

    def __init__(self, beam: Beam) -> None:
        self.container = exudyn.SystemContainer()
        self.mbs = self.container.AddSystem()
        cable = ObjectANCFCable2D(
            massPerLength=beam.mass_per_length,
            bendingStiffness=beam.bending_stiffness,
            axialStiffness=beam.axial_stiffness,
            bendingDamping=beam.damping_time * beam.bending_stiffness,
            axialDamping=beam.damping_time * beam.axial_stiffness,
        )
        nodes = GenerateBeamElementsAlongLine(
            self.mbs, [0, 0, 0], [beam.length, 0, 0], beam.elements, cable,
            groundConstraintsStart=[True, True, False, False],
        )["nodes"]
        self.tip_node = nodes[-1]
        self.tip = self.mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=self.tip_node, coordinate=SIDEWAYS))
        ground = self.mbs.AddNode(NodePointGround())
        self.ground = self.mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
        middle = self.mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[beam.elements // 2], coordinate=SIDEWAYS))
        self.mbs.AddLoad(LoadCoordinate(markerNumber=middle, load=1.0, loadUserFunction=lambda mbs, t, load: push(t)))

    def displacement(self) -> float:
        return float(self.mbs.GetNodeOutput(self.tip_node, exudyn.OutputVariableType.Displacement)[SIDEWAYS])

    def velocity(self) -> float:
        return float(self.mbs.GetNodeOutput(self.tip_node, exudyn.OutputVariableType.Velocity)[SIDEWAYS])

    def hold(self, force: Callable[[float, float, float], float]) -> None:
        """Holds the tip by a force of time, displacement and velocity."""
        self.mbs.AddObject(
            CoordinateSpringDamper(
                markerNumbers=[self.ground, self.tip],
                stiffness=0.0,
                damping=0.0,
                springForceUserFunction=lambda mbs, t, item, x, v, stiffness, damping, offset: force(t, x, v),
            )
        )


def on_spring(beam: Beam, stiffness: float, step: float, end: float) -> np.ndarray:
    """The tip on a linear spring."""
    model = ExudynBeam(beam)
    model.hold(lambda t, x, v: stiffness * x)
    return solve(model.mbs, step, end, model.displacement)


def stepped(beam: Beam, bushing: Stepped, step: float, end: float) -> np.ndarray:
    """Co-Simulation: the displacement of the tip, which the FMU holds."""
    model = ExudynBeam(beam)
    force = SteppedForce(bushing)
    model.hold(lambda t, x, v: force(t, x))
    return solve(model.mbs, step, end, model.displacement, [force])


def exchanged(beam: Beam, bushing: Rates, step: float, end: float) -> np.ndarray:
    """Model Exchange: Exudyn integrates the states of the FMU as first-order coordinates of its own."""
    model = ExudynBeam(beam)
    states = model.mbs.AddNode(
        NodeGenericODE1(
            referenceCoordinates=[0.0] * bushing.count,
            initialCoordinates=bushing.start.tolist(),
            numberOfODE1Coordinates=bushing.count,
        )
    )

    def rates(mbs: exudyn.MainSystem, t: float, item: int, z: list[float]) -> np.ndarray:
        return bushing.at(t, model.displacement(), model.velocity(), np.array(z))[1]

    def force(t: float, x: float, v: float) -> float:
        z = model.mbs.GetNodeOutput(states, exudyn.OutputVariableType.Coordinates)
        return bushing.at(t, x, v, np.array(z))[0]

    model.mbs.AddObject(ObjectGenericODE1(nodeNumbers=[states], rhsUserFunction=rates))
    model.hold(force)
    return solve(model.mbs, step, end, model.displacement)
