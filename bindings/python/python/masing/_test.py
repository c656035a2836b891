"""Tests: files with what is said about them, or arrays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from masing import _json, _masing

Array: TypeAlias = "NDArray[np.float64]"


def numbers(given: ArrayLike, what: str) -> Array:
    """A column of numbers."""
    array = np.ascontiguousarray(given, dtype=np.float64)
    if array.ndim != 1:
        raise _masing.InputError(f"{what} has {array.ndim} dimensions; expected one")
    return array


class Test:
    """A test: arrays, or a file with what is said about it.

    Arrays are in SI units and go by the names of columns: ``time``, ``displacement`` (or ``angle``), ``velocity``,
    ``acceleration``, ``base_acceleration``, ``force`` (or ``torque``), ``load``. ``data`` takes any other columns, with
    names as a file has them, such as ``"load.1"`` or ``"displacement [mm]"``.

    What else can be said is what an ``[[experiment]]`` of a study says: ``start``, ``preload``, ``weight``, ``window``,
    ``columns``, ``units``, ``flip``, ``zero``, ``nuisance`` and the rest.
    """

    # Not a class of test functions, whatever it is called.
    __test__ = False

    def __init__(
        self,
        data: Mapping[str, ArrayLike] | None = None,
        /,
        *,
        name: str | None = None,
        role: str = "fit",
        time: ArrayLike | None = None,
        displacement: ArrayLike | None = None,
        angle: ArrayLike | None = None,
        velocity: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        force: ArrayLike | None = None,
        torque: ArrayLike | None = None,
        load: ArrayLike | None = None,
        file: str | os.PathLike[str] | None = None,
        **said: Any,
    ) -> None:
        arrays: dict[str, ArrayLike | None] = {
            "time": time,
            "displacement": displacement,
            "angle": angle,
            "velocity": velocity,
            "acceleration": acceleration,
            "base_acceleration": base_acceleration,
            "force": force,
            "torque": torque,
            "load": load,
        }
        arrays |= dict(data or {})
        given = {key: numbers(values, key) for key, values in arrays.items() if values is not None}
        if bool(given) == (file is not None):
            raise _masing.InputError("a test is either arrays or a file")
        self.role = role
        self.columns: list[tuple[str, str | None, Array]] | None = None
        if given:
            self.columns = [(*_label(key), values) for key, values in given.items()]
            name = name or "test"
        self.path = os.fspath(file) if file is not None else name or "test"
        self.name = name or ""
        said = {key.replace("_", "-"): what for key, what in said.items()}
        if isinstance(said.get("nuisance"), Mapping):
            said["nuisance"] = {key.replace("_", "-"): what for key, what in said["nuisance"].items()}
        given_role = None if role == "fit" else role
        self.request = _json.plain({"file": self.path, "name": name, "role": given_role, **said})
        self.said = _json.text(self.request)

    @cached_property
    def _read(self) -> tuple[str, str, list[tuple[str, str, Array]], list[str], list[tuple[str, str]]]:
        return _masing.read(self)

    @property
    def format(self) -> str:
        """Name of the file format; ``array`` for arrays."""
        return self._read[1]

    @property
    def data(self) -> dict[str, Array]:
        """All columns that play a role, by role, in SI units."""
        return {name: values for name, _, values in self._read[2]}

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns."""
        return {name: unit for name, unit, _ in self._read[2]}

    @property
    def assumptions(self) -> list[str]:
        """Which columns and units were taken."""
        return self._read[3]

    @property
    def findings(self) -> list[tuple[str, str]]:
        """What was noticed while reading: code and message."""
        return self._read[4]

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_"):
            raise AttributeError(name)
        data = self.data
        if name not in data:
            raise AttributeError(f"the test has no {name}; it has {', '.join(data)}")
        return data[name]

    def __getitem__(self, name: str) -> Array:
        return self.data[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.data]

    def __repr__(self) -> str:
        return f"<masing.Test {self.name or self.path}>"


def _label(header: str) -> tuple[str, str | None]:
    """Name and unit of ``name [unit]``."""
    name, bracket, unit = header.partition(" [")
    if bracket and unit.endswith("]"):
        return name, unit[:-1]
    return header, _SI.get(header.partition(".")[0])


# What arrays are in unless they say otherwise. A velocity, acceleration or load is straight or turning as the rest is.
_SI = {
    "time": "s",
    "displacement": "m",
    "angle": "rad",
    "force": "N",
    "torque": "N m",
    "frequency": "Hz",
    "loss_angle": "rad",
    "tan_delta": "1",
}


def read(path: str | os.PathLike[str], **said: Any) -> Test:
    """Reads a file: a record of motion and force, or a dynamic stiffness table.

    ``columns={"displacement": "x"}`` says which column plays which role, ``units={"force": "kN"}`` which units they
    have; see :class:`Test` for what else can be said. The numbers are in ``.time``, ``.displacement``, ``.force`` and
    ``.data``; all of it can be given to :func:`fit`.
    """
    test = Test(file=path, **said)
    # A file that cannot be read is told here, not where its numbers are used.
    test._read
    return test
