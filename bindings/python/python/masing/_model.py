"""Models: from files, from names, to files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from masing import _masing, _toml
from masing._masing import Model
from masing._results import decoded


def load(path: str | os.PathLike[str]) -> Model:
    """The model of a model.toml."""
    return Model.load(path)


def loads(text: str, name: str = "model") -> Model:
    """The model in the text of a model.toml; parameters that are left out have their defaults."""
    return Model.parse(text, name)


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Writes a model.toml, whose numbers read back to the same bits."""
    Path(path).write_text(model.to_toml(), encoding="utf-8")


def model(name: str, /, *, system: Mapping[str, Any] | None = None, motion: str | None = None, **given: Any) -> Model:
    """A model by the name of an element, a preset or a sum such as ``bouc-wen+dashpot``.

    Options and parameters are given by name; in a sum by address, as in ``**{"dashpot.c": 300}``. Parameters that are
    left out have their defaults. ``system={"type": "oscillator", "m": 2.0, ...}`` adds a mass.
    """
    kinds: list[str] = []
    presets = {preset["name"]: preset["elements"] for preset in _catalogue()["presets"]}
    for part in name.split("+"):
        kinds.extend(presets.get(part.strip(), [part.strip()]))
    elements: list[dict[str, Any]] = []
    labels: dict[str, dict[str, Any]] = {}
    for kind in kinds:
        repeats = sum(element["type"] == kind for element in elements)
        element: dict[str, Any] = {"type": kind}
        labels[kind if repeats == 0 else f"{kind}-{repeats + 1}"] = element
        elements.append(element)
    for key, value in given.items():
        label, dot, parameter = key.partition(".")
        if not dot and len(elements) == 1:
            elements[0][key] = value
        elif dot and label in labels:
            labels[label][parameter] = value
        else:
            known = ", ".join(f"{label}.NAME" for label in labels)
            raise _masing.InputError(f"`{key}`: expected the address of a parameter: {known}")
    text = _toml.lines({"schema": "masing.model/1", "motion": motion})
    text += "".join("[[element]]\n" + _toml.lines(element) for element in elements)
    if system is not None:
        text += "[system]\n" + _toml.lines(system)
    return Model.parse(text, f"model({name!r})")


def _catalogue() -> dict[str, Any]:
    return decoded(_masing.answer("models", "{}", [])[0])
