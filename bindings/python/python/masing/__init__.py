"""Test-rig data of bushings, isolators, joints and dampers into force models that can be trusted.

The commands of the ``masing`` program as functions, with NumPy arrays in and out. Everything is in SI units: m, N, s,
rad, N m. Options are called as on the command line, with underscores: ``masing.fit(..., no_scan=True)``.

>>> import masing
>>> masing.simulate(masing.model("spring", k=2e5), [0.0, 0.5, 1.0], [0.0, 1e-3, 0.0]).force
array([  0., 200.,   0.])
"""

from masing._commands import (
    compare,
    export,
    fit,
    harmonic,
    inspect,
    models,
    stages,
    terms,
    validate,
)
from masing._masing import Error, InputError, Model, NoResultError, Stepper, __version__
from masing._model import load, loads, model, save
from masing._results import Curve, FitResult, Parameter, Result
from masing._simulate import Gradient, Jacobian, Simulation, gradient, jacobian, simulate
from masing._test import Test, read

__all__ = [
    "Curve",
    "Error",
    "FitResult",
    "Gradient",
    "InputError",
    "Jacobian",
    "Model",
    "NoResultError",
    "Parameter",
    "Result",
    "Simulation",
    "Stepper",
    "Test",
    "__version__",
    "compare",
    "export",
    "fit",
    "gradient",
    "harmonic",
    "inspect",
    "jacobian",
    "load",
    "loads",
    "model",
    "models",
    "read",
    "save",
    "simulate",
    "stages",
    "terms",
    "validate",
]
