"""Responses of models to arrays, and their derivatives."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from masing import _masing
from masing._masing import Model
from masing._results import Result
from masing._test import Test, numbers

Array: TypeAlias = "NDArray[np.float64]"
PathLike: TypeAlias = "str | os.PathLike[str]"


class Simulation(Result):
    """A response: its histories as arrays, and the document that ``masing simulate --json`` prints.

    ``.time``, ``.displacement`` (``.angle``), ``.velocity``, ``.force`` (``.torque``), with masses ``.acceleration``;
    names that are no attributes, such as ``force.rt``, are in ``.histories``.
    """

    def __init__(self, text: str, histories: list[tuple[str, str, Array]], state: Array) -> None:
        super().__init__(text)
        self.histories = {name: values for name, _, values in histories}
        self.units = {name: unit for name, unit, _ in histories}
        #: States after the last sample, to go on from; none where there are masses.
        self.state = state

    def __getattr__(self, name: str) -> Any:
        histories = self.__dict__.get("histories", {})
        if name in histories:
            return histories[name]
        return super().__getattr__(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.histories]


@dataclass(frozen=True)
class Jacobian:
    """Forces and their derivatives with respect to parameters."""

    parameters: list[str]
    force: Array
    #: A row per sample, a column per parameter.
    values: Array

    def __getitem__(self, address: str) -> Array:
        column: Array = self.values[:, self.parameters.index(address)]
        return column


@dataclass(frozen=True)
class Gradient:
    """Half the sum of squared differences to measured forces, and its derivatives with respect to parameters."""

    parameters: list[str]
    loss: float
    values: Array

    def __getitem__(self, address: str) -> float:
        return float(self.values[self.parameters.index(address)])


def simulate(
    model: Model | PathLike,
    time: ArrayLike | PathLike | Test,
    displacement: ArrayLike | None = None,
    *,
    velocity: ArrayLike | None = None,
    load: ArrayLike | Mapping[int, ArrayLike] | None = None,
    base_acceleration: ArrayLike | None = None,
    conditions: Mapping[str, float | str | ArrayLike] | None = None,
    accuracy: float | None = None,
    state: ArrayLike | None = None,
    **said: Any,
) -> Simulation:
    """The response of a model to a motion, or to a load if it has masses; SI units.

    Instead of arrays, ``time`` may be a file or a :class:`Test` that holds the motion or the load; ``columns``,
    ``units`` and the rest then say how it is read. Where a model has several masses, ``load={1: ..., 2: ...}`` says on
    which of them each load acts. ``conditions`` are levels of what the model follows: numbers in SI, texts with a unit, or
    arrays over the samples. ``state`` begins with the states of an earlier response instead of at rest.
    """
    model = model if isinstance(model, Model) else Model.load(model)
    said, columns = _conditions(conditions, said)
    drive = _drive(model, time, displacement, velocity, load, base_acceleration, said, columns)
    return Simulation(*_masing.simulate(model, drive, accuracy, _start(state)))


def jacobian(
    model: Model | PathLike,
    time: ArrayLike,
    displacement: ArrayLike,
    *,
    velocity: ArrayLike | None = None,
    parameters: Iterable[str] | None = None,
    accuracy: float | None = None,
    state: ArrayLike | None = None,
) -> Jacobian:
    """Derivatives of the force with respect to parameters, all of them or those of the addresses given.

    They are exact: those of the very steps that :func:`simulate` takes. For models without masses.
    """
    model = model if isinstance(model, Model) else Model.load(model)
    drive = _drive(model, time, displacement, velocity, None, None, {})
    addresses = None if parameters is None else list(parameters)
    return Jacobian(*_masing.jacobian(model, drive, addresses, accuracy, _start(state)))


def gradient(
    model: Model | PathLike,
    time: ArrayLike,
    displacement: ArrayLike,
    force: ArrayLike,
    *,
    velocity: ArrayLike | None = None,
    accuracy: float | None = None,
    state: ArrayLike | None = None,
) -> Gradient:
    """Derivatives of half the sum of squared differences to measured forces, by the adjoint.

    The cost does not grow with the number of parameters. Forces that are NaN do not count. For models without masses.
    """
    model = model if isinstance(model, Model) else Model.load(model)
    drive = _drive(model, time, displacement, velocity, None, None, {})
    return Gradient(*_masing.gradient(model, drive, numbers(force, "force"), accuracy, _start(state)))


def _start(state: ArrayLike | None) -> Array | None:
    return None if state is None else numbers(state, "state")


def _conditions(
    conditions: Mapping[str, float | str | ArrayLike] | None, said: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, ArrayLike]]:
    """What is said about conditions, and the columns of those that vary."""
    if conditions is None:
        return said, {}
    levels: dict[str, float | str] = {}
    columns: dict[str, ArrayLike] = {}
    for name, level in conditions.items():
        if isinstance(level, str):
            levels[name] = level
        elif np.ndim(level) == 0:
            levels[name] = float(np.asarray(level))
        else:
            levels[name] = f"condition {name}"
            columns[f"condition {name}"] = level
    return {**said, "conditions": levels}, columns


def _drive(
    model: Model,
    time: ArrayLike | PathLike | Test,
    displacement: ArrayLike | None,
    velocity: ArrayLike | None,
    load: ArrayLike | Mapping[int, ArrayLike] | None,
    base_acceleration: ArrayLike | None,
    said: dict[str, Any],
    columns: Mapping[str, ArrayLike] | None = None,
) -> Test:
    if isinstance(time, Test):
        return time
    if isinstance(time, (str, os.PathLike)):
        return Test(file=time, **said)
    turning = model.motion == "rotation"
    units = ("rad", "rad/s", "N m", "rad/s^2") if turning else ("m", "m/s", "N", "m/s^2")
    loads = load if isinstance(load, Mapping) else {None: load}
    arrays: dict[str, ArrayLike | None] = {
        "time [s]": time,
        f"{'angle' if turning else 'displacement'} [{units[0]}]": displacement,
        f"velocity [{units[1]}]": velocity,
        f"base_acceleration [{units[3]}]": base_acceleration,
    }
    arrays.update(columns or {})
    for dof, values in loads.items():
        arrays[f"load{'' if dof is None else f'.{dof}'} [{units[2]}]"] = values
    given = {label: values for label, values in arrays.items() if values is not None}
    return Test(given, name="motion" if displacement is not None else "load", **said)
