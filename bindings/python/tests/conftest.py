"""The program, to compare with, and the records of the examples."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("MASING_ROOT", Path(__file__).parents[3]))
PROGRAM = os.environ.get("MASING", str(ROOT / "target/debug/masing"))

Run = Callable[..., str]


@pytest.fixture
def examples() -> Path:
    return ROOT / "examples"


@pytest.fixture
def program() -> Run:
    """What the program prints as JSON; `code` is how it has to end."""

    def run(*words: object, code: int = 0) -> str:
        done = subprocess.run([PROGRAM, "--json", *map(str, words)], capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout if code != 2 else done.stderr

    return run


def without_seconds(text: str) -> str:
    """A document without the time that it took."""
    return re.sub(r'"seconds": [^,\n]*', '"seconds": 0', text)
