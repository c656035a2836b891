"""A bushing in an FMU: exported by masing, called through FMPy (FMI 3.0).

`Stepped` is Co-Simulation, where the FMU integrates itself (the VARSUB of the paper); `Rates` is Model Exchange, where
the solver of the simulation integrates the states of the FMU (GSESUB).
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from ctypes import POINTER, byref, c_double, c_void_p
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Model, FMU3Slave

MASING = os.environ.get("MASING", "masing")
MODELS = Path(__file__).parent


def masing(*arguments: object) -> str:
    """Runs a command of masing and returns what it prints."""
    done = subprocess.run([MASING, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"masing {arguments[0]}: {done.stderr.strip()}")
    return done.stdout


def exported(model: Path, folder: Path) -> Path:
    """The FMU of a model file."""
    fmu = folder / f"{model.stem}.fmu"
    masing("export", model, "--to", "fmu3", "--out", fmu)
    return fmu


class Bushing:
    """What both kinds have in common: unpacked, at rest at displacement zero."""

    def __init__(self, fmu: Path, kind: type[FMU3Slave] | type[FMU3Model]) -> None:
        self.folder = extract(str(fmu))
        description = read_model_description(self.folder)
        interface = description.coSimulation if kind is FMU3Slave else description.modelExchange
        if interface is None:
            raise ValueError(f"{fmu.name} has no Model Exchange; use Co-Simulation")
        self.description = description
        # Steps, or evaluations of the rates: what a coupling costs.
        self.calls = 0
        self.references = {v.name: v.valueReference for v in description.modelVariables}
        self.fmu = kind(
            guid=description.guid,
            unzipDirectory=self.folder,
            modelIdentifier=interface.modelIdentifier,
            instanceName=fmu.stem,
        )
        self.fmu.instantiate()
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()

    def get(self, name: str) -> float:
        return self.fmu.getFloat64([self.references[name]])[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.fmu.terminate()
        self.fmu.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)


class Stepped(Bushing):
    """Co-Simulation. Trial steps begin where the last accepted step ended."""

    def __init__(self, fmu: Path) -> None:
        super().__init__(fmu, FMU3Slave)
        self.time = 0.0
        self.force = self.get("force")
        self.accepted = c_void_p()
        self._trial = (0.0, 0.0)
        self.accept()

    def attempt(self, step: float, displacement: float) -> float:
        """The force after a step to `displacement`, from the last accepted point."""
        self.fmu.fmi3SetFMUState(self.fmu.component, self.accepted)
        self.fmu.setFloat64([self.references["displacement"]], [displacement])
        self.fmu.doStep(currentCommunicationPoint=self.time, communicationStepSize=step)
        self.calls += 1
        self._trial = (step, self.get("force"))
        return self._trial[1]

    def slope(self) -> float:
        """How the force of the last trial changes with its displacement."""
        return self.fmu.getDirectionalDerivative(
            [self.references["force"]], [self.references["displacement"]], [1.0]
        )[0]

    def accept(self) -> None:
        """Makes the last trial the point from which the next step begins."""
        step, force = self._trial
        self.time += step
        self.force = force
        self._trial = (0.0, force)
        self.fmu.fmi3GetFMUState(self.fmu.component, byref(self.accepted))


class Rates(Bushing):
    """Model Exchange: rates and force at a motion and states that somebody else integrates."""

    def __init__(self, fmu: Path) -> None:
        super().__init__(fmu, FMU3Model)
        if self.description.numberOfEventIndicators:
            raise ValueError(f"{fmu.name} has events, which the solvers of this example do not locate")
        self.fmu.updateDiscreteStates()
        self.fmu.enterContinuousTimeMode()
        self.count = self.description.numberOfContinuousStates
        self.start = self._filled(self.fmu.getContinuousStates)
        self.nominal = self._filled(self.fmu.getNominalsOfContinuousStates)
        self.inputs = [self.references["displacement"], self.references["velocity"]]
        # In the order in which the solver gets them.
        rates = [v for v in self.description.modelVariables if v.derivative is not None]
        self.answers = [self.references["force"], *[v.valueReference for v in rates]]
        self.causes = [*self.inputs, *[v.derivative.valueReference for v in rates]]

    def _filled(self, getter: Callable[[object, int], object]) -> np.ndarray:
        values = np.zeros(self.count)
        getter(address(values), self.count)
        return values

    def at(self, time: float, displacement: float, velocity: float, states: np.ndarray) -> tuple[float, np.ndarray]:
        """Force and rates of the states."""
        self.calls += 1
        states = np.ascontiguousarray(states, dtype=float)
        self.fmu.setTime(time)
        self.fmu.setFloat64(self.inputs, [displacement, velocity])
        self.fmu.setContinuousStates(address(states), self.count)
        return self.get("force"), self._filled(self.fmu.getContinuousStateDerivatives)

    def slopes(self) -> np.ndarray:
        """How force and rates (rows) change with displacement, velocity and states (columns), at the place of the last
        call of `at`."""
        columns = [self.fmu.getDirectionalDerivative(self.answers, [cause], [1.0]) for cause in self.causes]
        return np.array(columns).T


def address(values: np.ndarray) -> object:
    """Where the numbers of an array are, for functions in C."""
    return values.ctypes.data_as(POINTER(c_double))
