"""Results of commands."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from masing._masing import Fitted, Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array: TypeAlias = "NDArray[np.float64]"


def decoded(text: str) -> dict[str, Any]:
    """A document."""
    document: dict[str, Any] = json.loads(text)
    return document


class Result(Mapping[str, Any]):
    """What a command answers: the document that ``--json`` prints, by key and by attribute.

    ``converged`` says whether the search settled. ``failure`` says why where the result is not to be trusted: what the
    program ends with code 3 for.
    """

    def __init__(self, text: str, failure: str | None = None) -> None:
        self.json = text
        self.failure = failure
        self._document = decoded(text)

    @property
    def converged(self) -> bool:
        """Whether the search settled."""
        refined = self._document.get("refined") or {}
        return bool(self._document.get("converged", refined.get("converged", True)))

    def to_dict(self) -> dict[str, Any]:
        """The whole document, as a copy."""
        return decoded(self.json)

    def arrays(self, key: str) -> dict[str, Array]:
        """A list of rows as columns: the numbers that all of them have."""
        rows = self._document[key]
        names = [name for name in (rows[0] if rows else {}) if all(isinstance(r.get(name), int | float) for r in rows)]
        return {name: np.array([row[name] for row in rows], dtype=np.float64) for name in names}

    def __getitem__(self, key: str) -> Any:
        return self._document[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._document)

    def __len__(self) -> int:
        return len(self._document)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._document:
            raise AttributeError(f"the result has no {name}")
        return self._document[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._document]

    def __repr__(self) -> str:
        return f"<masing result {self._document.get('schema', '')}: {', '.join(self._document)}>"


@dataclass(frozen=True)
class Parameter:
    """A parameter that was found or given, SI."""

    value: float
    unit: str
    std_error: float | None
    ci95: tuple[float, float] | None
    status: str
    leave_one_out: float | None = None


@dataclass(frozen=True)
class Curve:
    """A test and what the model gives for it: columns by name, those of the model with ``_model`` behind it."""

    name: str
    role: str
    columns: dict[str, Array]
    units: dict[str, str]

    def __getattr__(self, name: str) -> Array:
        columns: dict[str, Array] = self.__dict__.get("columns", {})
        if name not in columns:
            raise AttributeError(f"the curve has no {name}")
        return columns[name]

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]


class FitResult(Result):
    """A fit: parameters with error bars, the model, curves, warnings."""

    def __init__(self, fitted: Fitted) -> None:
        super().__init__(fitted.json, fitted.failure)
        self._fitted = fitted

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters, by address."""
        return {address: _parameter(entry) for address, entry in self["parameters"].items()}

    @cached_property
    def model(self) -> Model:
        """The model with the values found."""
        return self._fitted.model

    @cached_property
    def tests(self) -> dict[str, Curve]:
        """What was measured and what the model gives, by test."""
        curves = self._fitted.curves()
        return {
            name: Curve(name, role, {key: v for key, _, v in columns}, {key: unit for key, unit, _ in columns})
            for name, role, columns in curves
        }

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes the page that ``--out`` writes as report.html."""
        Path(path).write_text(self._fitted.page(), encoding="utf-8")

    def plot(self) -> Figure:
        """Measured and modelled, test by test; needs matplotlib."""
        from masing._plot import figure

        return figure(self)

    def __str__(self) -> str:
        return self._fitted.text


def _parameter(entry: Mapping[str, Any]) -> Parameter:
    ci95 = entry["ci95"]
    return Parameter(
        value=entry["value"],
        unit=entry["unit"],
        std_error=entry["std_error"],
        ci95=None if ci95 is None else (ci95[0], ci95[1]),
        status=entry["status"],
        leave_one_out=entry.get("leave_one_out"),
    )
