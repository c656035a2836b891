"""What the package is built on; written in Rust."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

_Array: TypeAlias = NDArray[np.float64]
_Told: TypeAlias = tuple[str, str, _Array]

__all__ = [
    "Error",
    "Fitted",
    "InputError",
    "Model",
    "NoResultError",
    "Stepper",
    "__version__",
    "answer",
    "fit",
    "gradient",
    "jacobian",
    "read",
    "simulate",
]

__version__: str

class Error(Exception):
    """Anything that masing cannot do; the text is that of the ``masing`` program."""

class InputError(Error):
    """Bad usage or bad input: what the program ends with code 2 for."""

class NoResultError(Error):
    """The work ran but nothing came out that could be returned: what the program ends with code 3 for."""

class _Test(Protocol):
    @property
    def said(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> list[tuple[str, str | None, _Array]] | None: ...

@final
class Model:
    """A force model with a value for every parameter."""

    @staticmethod
    def load(path: str | PathLike[str]) -> Model:
        """Reads a model.toml."""
    @staticmethod
    def parse(text: str, name: str) -> Model:
        """The model in the text of a model.toml; parameters that are left out have their defaults."""
    @property
    def name(self) -> str:
        """What people call it."""
    @property
    def path(self) -> Path | None:
        """The file it came from, if it did."""
    @property
    def motion(self) -> str:
        """``translation`` or ``rotation``."""
    @property
    def system(self) -> str | None:
        """``oscillator`` or ``structure``; nothing where the motion is prescribed."""
    @property
    def elements(self) -> list[tuple[str, str]]:
        """Labels of the elements and what they are."""
    @property
    def parameters(self) -> dict[str, float]:
        """Values by address, SI."""
    @property
    def units(self) -> dict[str, str]:
        """Units by address."""
    @property
    def states(self) -> list[str]:
        """Names of the states."""
    @property
    def validity(self) -> tuple[list[float], float | None, list[float] | None] | None:
        """What the tests of the fit covered: displacement, speed, frequency."""
    def with_values(self, values: Mapping[str, float | Sequence[float]]) -> Model:
        """The same model with other values, by address."""
    def to_toml(self) -> str:
        """The text of its model.toml."""
    def __getitem__(self, address: str, /) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Stepper:
    """A model and where it stands; stepped by the same code as FMUs and the C library."""

    def __new__(cls, model: Model, conditions: Mapping[str, float] | None = None) -> Stepper: ...
    def step(self, dt: float, displacement: float, velocity: float | None = None) -> float:
        """Moves straight to a displacement within ``dt`` seconds and returns the force there."""
    def set_conditions(self, levels: Mapping[str, float]) -> None:
        """Sets levels of conditions that the model follows, in SI, from the next step on."""
    def rest_at(self, displacement: float = 0.0, velocity: float = 0.0) -> float:
        """Puts the part at rest at a displacement, its memory unstrained, and returns the force there."""
    def slopes(self) -> tuple[float, float]:
        """Derivatives of the present force with respect to displacement and velocity."""
    @property
    def state(self) -> _Array:
        """Everything the part remembers, as numbers; setting it steps back."""
    @state.setter
    def state(self, value: _Array, /) -> None: ...
    @property
    def force(self) -> float:
        """Force on the part (N or N m)."""
    @property
    def displacement(self) -> float:
        """Displacement (m or rad)."""
    @property
    def velocity(self) -> float:
        """Velocity (m/s or rad/s)."""
    @property
    def work(self) -> float:
        """Work done on the part so far (J)."""
    @property
    def outside_validity(self) -> bool:
        """Whether the motion goes beyond the tests of the model."""

@final
class Fitted:
    """A fit that was made."""

    @property
    def json(self) -> str: ...
    @property
    def failure(self) -> str | None: ...
    @property
    def model(self) -> Model: ...
    @property
    def text(self) -> str: ...
    def page(self) -> str: ...
    def curves(self) -> list[tuple[str, str, list[_Told]]]: ...

def answer(name: str, request: str, tests: Sequence[_Test | None]) -> tuple[str, str | None]:
    """Answers a request, in JSON: the document that ``--json`` prints, and why it is not to be trusted, if it is not.

    ``tests`` are those of the request in order, where they hold arrays.
    """

def fit(
    request: str,
    tests: Sequence[_Test | None],
    progress: Callable[[int, float], object] | None = None,
) -> Fitted:
    """Runs a fit."""

def read(test: _Test) -> tuple[str, str, list[_Told], list[str], list[tuple[str, str]]]:
    """Reads a test: its name, format, columns, what was assumed and what was noticed."""

def simulate(
    model: Model, drive: _Test, accuracy: float | None = None, start: _Array | None = None
) -> tuple[str, list[_Told], _Array]:
    """The response of a model: the document, the histories, the states at the end."""

def jacobian(
    model: Model,
    drive: _Test,
    addresses: list[str] | None = None,
    accuracy: float | None = None,
    start: _Array | None = None,
) -> tuple[list[str], _Array, _Array]:
    """Addresses of parameters, forces, and the derivatives of the forces."""

def gradient(
    model: Model,
    drive: _Test,
    force: _Array,
    accuracy: float | None = None,
    start: _Array | None = None,
) -> tuple[list[str], float, _Array]:
    """Addresses of all parameters, half the sum of the squared differences, and its derivatives."""
