"""The commands of the program as functions: each builds a request and gets its document.

Options are those of the program, with underscores; their names and types are in ``_options.py``.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, Unpack

from masing import _json, _masing
from masing._masing import Model
from masing._options import CompareKeywords, FitKeywords, ReadingKeywords, StagesKeywords, TermsKeywords, ValidateKeywords
from masing._results import FitResult, Result
from masing._test import Test

PathLike: TypeAlias = "str | os.PathLike[str]"
Given: TypeAlias = "PathLike | Test"
Several: TypeAlias = "Given | Iterable[Given]"

# How files are read; a Test says it itself.
_READING = ("columns", "units", "flip", "zero", "window", "cycle", "gaps", "rate")


class _Tests:
    """Tests of a request: what is said about them, and those that hold arrays."""

    def __init__(self, options: dict[str, Any], said: tuple[str, ...] = ()) -> None:
        self.reading = {key: options.pop(key) for key in _READING if options.get(key) is not None}
        if "cycle" in self.reading:
            self.reading["window"] = {"cycle": self.reading.pop("cycle")}
        if isinstance(self.reading.get("window"), (int, float)):
            self.reading["window"] = str(self.reading["window"])
        for key in ("columns", "units", "zero"):
            if isinstance(self.reading.get(key), str):
                self.reading[key] = _pairs(self.reading[key])
        self.said = {key: options.pop(key) for key in said if options.get(key) is not None}
        if "nuisance" in self.said:
            self.said["nuisance"] = _nuisance(self.said["nuisance"])
        self.contents: list[Test | None] = []

    def add(self, given: Given, role: str | None = None) -> dict[str, Any]:
        if isinstance(given, Test):
            self.contents.append(given)
            test = {**self.said, **given.request}
        else:
            self.contents.append(None)
            test = {**self.reading, **self.said, "file": os.fspath(given)}
        if role is not None:
            test["role"] = role
        return test

    def all(self, given: Several, role: str | None = None) -> list[dict[str, Any]]:
        return [self.add(test, role) for test in _each(given)]


def _pairs(text: str) -> dict[str, str]:
    return {key.strip(): value.strip() for key, _, value in (part.partition("=") for part in text.split(","))}


def _nuisance(given: Any) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return {key.replace("_", "-"): value for key, value in given.items()}
    parts = given.split(",") if isinstance(given, str) else list(given)
    named = (part.strip().partition("=") for part in parts)
    return {key: value or True for key, _, value in named}


def _each(given: Several) -> list[Given]:
    if isinstance(given, (str, os.PathLike, Test)):
        return [given]
    return list(given)


def _model(given: PathLike | Model) -> Any:
    """A model as requests name it: by its name or file, or as it is."""
    if not isinstance(given, Model):
        return os.fspath(given)
    if given.path is not None:
        return os.fspath(given.path)
    return {"toml": given.to_toml(), "name": given.name or "model"}


def _answer(name: str, request: Mapping[str, Any], contents: list[Test | None] | None = None) -> Result:
    return Result(*_masing.answer(name, _json.text(request), contents or []))


def _is_study(tests: list[Given]) -> bool:
    return len(tests) == 1 and not isinstance(tests[0], Test) and os.fspath(tests[0]).lower().endswith(".toml")


def fit(
    tests: Several,
    model: PathLike | Model | None = None,
    *,
    validate: Several = (),
    out: PathLike | None = None,
    progress: Callable[[int, float], object] | None = None,
    **options: Unpack[FitKeywords],
) -> FitResult:
    """Finds the parameters of a model from tests, with error bars and a verdict.

    ``tests`` are files, :class:`Test` objects or one study.toml. ``model`` is the name of an element or preset, a sum,
    a model.toml or a :class:`Model`, whose values are then starts. Tests in ``validate``, or with ``role="validate"``,
    are predicted, not fitted. Without ``model`` the one that predicts tests left out best is found first, as by
    :func:`compare`. Options are those of ``masing fit``: ``fix={"rt.alpha": 0.1}``, ``start={...}``,
    ``cells=15``, ``method="lbfgs"``, ``profile=["rt.k0"]``, ``threads=1`` and the rest.

    ``progress(evaluations, error)`` is called as the search goes; returning True ends it with the best so far, and the
    result is then not ``converged``. Ctrl-C raises KeyboardInterrupt and gives no result.
    """
    rest: dict[str, Any] = dict(options)
    read = _Tests(rest, ("preload", "nuisance"))
    given = _each(tests)
    request: dict[str, Any] = {"out": out, "options": rest}
    if _is_study(given):
        request["study"] = given[0]
        given = []
    request["tests"] = read.all(given) + read.all(validate, "validate")
    if model is not None:
        request["model"] = _model(model)
    return FitResult(_masing.fit(_json.text(request), read.contents, progress))


def validate(model: PathLike | Model, tests: Several, **options: Unpack[ValidateKeywords]) -> Result:
    """Predicts tests with a model as it is, and compares; options are those of ``masing validate``."""
    rest: dict[str, Any] = dict(options)
    read = _Tests(rest, ("preload", "nuisance"))
    return _answer("validate", {"model": _model(model), "tests": read.all(tests), **rest}, read.contents)


def compare(
    tests: Several,
    *,
    validate: Several = (),
    target: Given | None = None,
    out: PathLike | None = None,
    **options: Unpack[CompareKeywords],
) -> Result:
    """Ranks models by what they predict of tests left out; options are those of ``masing compare``.

    ``models`` are texts such as ``"bouc-wen+dashpot"``; without them candidates are built from what the records show.
    Tests in ``validate`` have no part in any choice. ``target`` is the motion that the model is for, a file or a
    :class:`Test` without force: errors count as often as it has their speed and amplitude.
    """
    rest: dict[str, Any] = dict(options)
    read = _Tests(rest, ("preload", "nuisance"))
    if isinstance(rest.get("models"), str):
        rest["models"] = [rest["models"]]
    if rest.get("budget") is not None:
        rest["budget"] = str(rest["budget"])
    given = _each(tests)
    request: dict[str, Any] = {"out": out, "options": rest}
    if _is_study(given):
        request["study"] = given[0]
        given = []
    request["tests"] = read.all(given) + read.all(validate, "validate")
    if target is not None:
        # Preloads, rigs and the part of a test that counts are not said of a motion.
        motion = read.add(target)
        keep = target.request if isinstance(target, Test) else {"file", *read.reading} - {"window"}
        rest["target"] = {key: motion[key] for key in motion if key in keep}
    return _answer("compare", request, read.contents)


def inspect(tests: Several, *, out: PathLike | None = None, **options: Unpack[ReadingKeywords]) -> Result:
    """What is in files, and what is wrong with them; options are those of ``masing inspect``."""
    rest: dict[str, Any] = dict(options)
    read = _Tests(rest)
    return _answer("inspect", {"tests": read.all(tests), "out": out, **rest}, read.contents)


def terms(
    tests: Several, *, validate: Several = (), out: PathLike | None = None, **options: Unpack[TermsKeywords]
) -> Result:
    """Which terms of a force model the data support; options are those of ``masing terms``."""
    rest: dict[str, Any] = dict(options)
    read = _Tests(rest)
    if isinstance(rest.get("preload"), Mapping):
        rest["preload"] = ",".join(f"{name}={value}" for name, value in rest["preload"].items())
    elif rest.get("preload") is not None:
        rest["preload"] = str(rest["preload"])
    given = _each(tests)
    request: dict[str, Any] = {"out": out, "options": rest}
    if _is_study(given):
        request["study"] = given[0]
        given = []
    request["tests"] = read.all(given) + read.all(validate, "validate")
    return _answer("terms", request, read.contents)


def stages(
    slow: Given,
    *,
    dynamic: Given | None = None,
    dynamic_columns: Mapping[str, str] | None = None,
    dynamic_units: Mapping[str, str] | None = None,
    out: PathLike | None = None,
    **options: Unpack[StagesKeywords],
) -> Result:
    """The stages of a clutch damper from a slow record, and from a fast one; options are those of ``masing stages``."""
    rest: dict[str, Any] = dict(options)
    read = _Tests(rest)
    if isinstance(rest.get("stages"), (list, tuple)):
        rest["stages"] = ",".join(str(count) for count in rest["stages"])
    request: dict[str, Any] = {"slow": read.add(slow), "options": rest, "out": out}
    if dynamic is not None:
        request["dynamic"] = read.add(dynamic)
        if dynamic_columns is not None:
            request["dynamic"]["columns"] = dynamic_columns
        if dynamic_units is not None:
            request["dynamic"]["units"] = dynamic_units
    return _answer("stages", request, read.contents)


def harmonic(
    model: PathLike | Model,
    amplitude: Any,
    frequency: Any,
    *,
    points: int | None = None,
    mean: float | str | None = None,
    accuracy: float | None = None,
    out: PathLike | None = None,
) -> Result:
    """Dynamic stiffness, loss angle and energy per cycle.

    Amplitudes and frequencies are numbers in SI, lists of them, or texts such as ``"0.1..1mm"``. ``.arrays("points")``
    gives the table as columns.
    """
    request = {"model": _model(model), "amplitude": amplitude, "frequency": frequency}
    return _answer("harmonic", {**request, "points": points, "mean": mean, "accuracy": accuracy, "out": out})


def export(
    model: PathLike | Model, out: PathLike, *, to: str = "fmu3", libraries: PathLike | None = None
) -> Result:
    """Writes a model as an FMU and checks it.

    The library that goes into the FMU is looked for beside the ``masing`` program unless ``libraries`` names a folder.
    """
    program = shutil.which("masing")
    if libraries is None and program is not None:
        libraries = os.path.dirname(os.path.realpath(program))
    return _answer("export", {"model": _model(model), "to": to, "out": out, "libraries": libraries})


def models(name: str | None = None) -> Result:
    """The catalogue of elements and presets, or one of them: equations, parameters, units, ranges, reference."""
    return _answer("models", {"name": name})
