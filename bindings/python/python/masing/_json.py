"""Values as JSON, the way requests are written."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(given: Any) -> Any:
    """A value without NumPy, paths and sets; keys without a value are left out."""
    if isinstance(given, (bool, np.bool_)):
        return bool(given)
    if isinstance(given, (int, np.integer)):
        return int(given)
    if isinstance(given, (float, np.floating)):
        return float(given)
    if isinstance(given, (str, os.PathLike)):
        return os.fspath(given)
    if isinstance(given, Mapping):
        return {str(key): plain(value) for key, value in given.items() if value is not None}
    if isinstance(given, (list, tuple, set, np.ndarray)):
        return [plain(item) for item in given]
    raise TypeError(f"a {type(given).__name__} cannot be part of a request: {given!r}")


def text(given: Any) -> str:
    """The JSON of a value."""
    return json.dumps(plain(given))
