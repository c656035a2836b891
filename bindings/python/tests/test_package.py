"""The package itself: names, documentation, pages."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest
from conftest import ROOT

import masing

PAGE = ROOT / "docs/book/src/python.md"


def test_everything_is_documented() -> None:
    for name in masing.__all__:
        if name != "__version__":
            assert inspect.getdoc(getattr(masing, name)), name


def test_examples_in_docstrings() -> None:
    assert doctest.testmod(masing).failed == 0


def test_version_is_that_of_the_project() -> None:
    assert f'version = "{masing.__version__}"' in (ROOT / "Cargo.toml").read_text()


def test_package_is_typed() -> None:
    assert (Path(masing.__file__).parent / "py.typed").exists()


def test_quick_start_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of the page are one program, run beside the examples."""
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) > 3
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    exec(compile("\n".join(blocks), str(PAGE), "exec"), {"__name__": "page"})
