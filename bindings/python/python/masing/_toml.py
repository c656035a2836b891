"""Values as the lines of a TOML file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np


def value(given: Any) -> str:
    """One value."""
    if isinstance(given, (bool, np.bool_)):
        return "true" if given else "false"
    if isinstance(given, (int, np.integer)):
        return str(int(given))
    if isinstance(given, (float, np.floating)):
        return repr(float(given))
    if isinstance(given, (str, os.PathLike)):
        return json.dumps(os.fspath(given))
    if isinstance(given, Mapping):
        return "{ " + ", ".join(f"{json.dumps(str(k))} = {value(v)}" for k, v in given.items()) + " }"
    if isinstance(given, (list, tuple, set, np.ndarray)):
        return "[" + ", ".join(value(item) for item in given) + "]"
    raise TypeError(f"a {type(given).__name__} cannot be written to a file: {given!r}")


def lines(table: Mapping[str, Any]) -> str:
    """The keys of a table; those without a value are left out."""
    return "".join(f"{json.dumps(key)} = {value(given)}\n" for key, given in table.items() if given is not None)
