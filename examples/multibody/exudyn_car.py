"""The car in Exudyn: the matrices as a body of second-order equations, both bushings through FMUs, Exudyn's solver."""

from __future__ import annotations

from collections.abc import Sequence

import exudyn
import numpy as np
from car_model import TOE, Turn, system
from exudyn.utilities import (
    CoordinateSpringDamper,
    MarkerNodeCoordinate,
    NodeGenericODE2,
    NodePointGround,
    ObjectGenericODE2,
)
from exudyn_solver import SteppedForce, solve
from fmu import Stepped


def toe(turns: Sequence[Turn], bushings: Sequence[Stepped], step: float, end: float) -> np.ndarray:
    """The toe angle (rad) at every step."""
    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    car = system(turns)
    zeros = [0.0] * car.size
    body = mbs.AddNode(
        NodeGenericODE2(
            referenceCoordinates=zeros, initialCoordinates=zeros, initialCoordinates_t=zeros, numberOfODE2Coordinates=car.size
        )
    )
    mbs.AddObject(
        ObjectGenericODE2(
            nodeNumbers=[body],
            massMatrix=car.mass,
            dampingMatrix=car.damping,
            stiffnessMatrix=car.stiffness,
            forceUserFunction=lambda mbs, t, item, q, v: car.load(t),
        )
    )
    forces = [SteppedForce(bushing) for bushing in bushings]
    levers = car.attachments[:, TOE]

    def moment(time: float, angle: float) -> float:
        return sum(lever * force(time, lever * angle) for force, lever in zip(forces, levers))

    ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
    axle = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=body, coordinate=TOE))
    mbs.AddObject(
        CoordinateSpringDamper(
            markerNumbers=[ground, axle],
            stiffness=0.0,
            damping=0.0,
            springForceUserFunction=lambda mbs, t, item, x, v, stiffness, damping, offset: moment(t, x),
        )
    )

    def angle() -> float:
        return float(mbs.GetNodeOutput(body, exudyn.OutputVariableType.Coordinates)[TOE])

    return solve(mbs, step, end, angle, forces, levers)
