"""The commands of the program as functions.

Options are passed on under their own names, with underscores: what the program takes, these functions take.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from typing import Any, TypeAlias

import numpy as np

from masing import _masing
from masing._masing import Model
from masing._model import file_of
from masing._results import FitResult, Result
from masing._test import Test

PathLike: TypeAlias = "str | os.PathLike[str]"
Given: TypeAlias = "PathLike | Test"
Several: TypeAlias = "Given | Iterable[Given]"


class _Words:
    """Files and options as the program takes them, and the tests that some of the words stand for."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.options: list[tuple[str, list[str]]] = []
        self.tests: list[tuple[str, Test]] = []

    def word(self, given: Any) -> str:
        if isinstance(given, Test):
            word = f":test:{len(self.tests)}"
            self.tests.append((word, given))
            return word
        if isinstance(given, (bool, np.bool_)):
            return "true" if given else "false"
        if isinstance(given, (int, np.integer)):
            return str(int(given))
        if isinstance(given, (float, np.floating)):
            return repr(float(given))
        path: str = os.fspath(given)
        return path

    def option(self, name: str, given: Any) -> None:
        if given is None or given is False:
            return
        if isinstance(given, Mapping):
            values = [f"{key}={self.word(value)}" for key, value in given.items()]
        elif isinstance(given, (list, tuple, set, np.ndarray)):
            values = [self.word(value) for value in given]
        else:
            values = [self.word(given)]
        if values:
            self.options.append((name, values))

    def all(self, options: Mapping[str, Any]) -> None:
        for name, given in options.items():
            self.option(name, given)


def _each(given: Several) -> list[Given]:
    if isinstance(given, (str, os.PathLike, Test)):
        return [given]
    return list(given)


def _run(command: str, words: _Words) -> Result:
    return Result(*_masing.command(command, words.files, words.options, words.tests))


def fit(
    tests: Several,
    model: PathLike | Model | None = None,
    *,
    validate: Several = (),
    progress: Callable[[int, float], object] | None = None,
    **options: Any,
) -> FitResult:
    """Finds the parameters of a model from tests, with error bars and a verdict.

    ``tests`` are files, :class:`Test` objects or one study.toml. ``model`` is the name of an element or preset, a sum,
    a model.toml or a :class:`Model`, whose values are then starts. Tests in ``validate``, or with ``role="validate"``,
    are predicted, not fitted. Options are those of ``masing fit``: ``fix={"rt.alpha": 0.1}``, ``start={...}``,
    ``cells=15``, ``method="lbfgs"``, ``profile=["rt.k0"]``, ``out="folder"``, ``threads=1`` and the rest.

    ``progress(evaluations, error)`` is called as the search goes; returning True ends it with the best so far, and the
    result is then not ``converged``. Ctrl-C raises KeyboardInterrupt and gives no result.
    """
    words = _Words()
    for test in _each(tests):
        if isinstance(test, Test) and test.role == "validate":
            words.option("validate", [test])
        else:
            words.files.append(words.word(test))
    words.option("validate", _each(validate))
    words.all(options)
    with ExitStack() as files:
        if isinstance(model, Model):
            model = files.enter_context(file_of(model))
        words.option("model", model)
        return FitResult(_masing.fit(words.files, words.options, words.tests, progress))


def validate(model: PathLike | Model, tests: Several, **options: Any) -> Result:
    """Predicts tests with a model as it is, and compares; options are those of ``masing validate``."""
    words = _Words()
    with file_of(model) as path:
        words.files = [path, *(words.word(test) for test in _each(tests))]
        words.all(options)
        return _run("validate", words)


def inspect(tests: Several, **options: Any) -> Result:
    """What is in files, and what is wrong with them; options are those of ``masing inspect``."""
    words = _Words()
    words.files = [words.word(test) for test in _each(tests)]
    words.all(options)
    return _run("inspect", words)


def terms(tests: Several, *, validate: Several = (), **options: Any) -> Result:
    """Which terms of a force model the data support; options are those of ``masing terms``."""
    words = _Words()
    words.files = [words.word(test) for test in _each(tests)]
    words.option("validate", _each(validate))
    words.all(options)
    return _run("terms", words)


def stages(slow: Given, *, dynamic: Given | None = None, **options: Any) -> Result:
    """The stages of a clutch damper from a slow record, and from a fast one; options are those of ``masing stages``."""
    words = _Words()
    words.files = [words.word(slow)]
    words.option("dynamic", dynamic)
    words.all(options)
    return _run("stages", words)


def harmonic(model: PathLike | Model, amplitude: Any, frequency: Any, **options: Any) -> Result:
    """Dynamic stiffness, loss angle and energy per cycle; options are those of ``masing harmonic``.

    Amplitudes and frequencies are numbers in SI, lists of them, or texts such as ``"0.1..1mm"``. ``.arrays("points")``
    gives the table as columns.
    """
    words = _Words()
    with file_of(model) as path:
        words.files = [path]
        words.all({"amplitude": amplitude, "frequency": frequency, **options})
        return _run("harmonic", words)


def export(model: PathLike | Model, out: PathLike, *, to: str = "fmu3", **options: Any) -> Result:
    """Writes a model as an FMU and checks it; options are those of ``masing export``.

    The library that goes into the FMU is looked for beside the ``masing`` program unless ``libraries`` names a folder.
    """
    program = shutil.which("masing")
    if "libraries" not in options and program is not None:
        options["libraries"] = os.path.dirname(os.path.realpath(program))
    words = _Words()
    with file_of(model) as path:
        words.files = [path]
        words.all({"to": to, "out": out, **options})
        return _run("export", words)


def models(name: str | None = None) -> Result:
    """The catalogue of elements and presets, or one of them: equations, parameters, units, ranges, reference."""
    words = _Words()
    words.files = [] if name is None else [name]
    return _run("models", words)
