"""The beam in masing itself: the same matrices as a `structure`, the bushing between its tip and ground."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from beam_model import Beam, KINKS, LEVELS, middle, system, tip
from fmu import masing
from linear import Array


def simulated(model: Path, folder: Path, times: Array, beam: Beam = Beam()) -> tuple[Array, Array]:
    """Displacement and force of the bushing at evenly spaced times."""
    structure, load, out = folder / "beam.toml", folder / "beam-load.csv", folder / "beam-out.csv"
    structure.write_text(as_structure(model, beam))
    rows = [f"time [s],load.{middle(beam) + 1} [N]"]
    rows += [f"{t!r},{float(np.interp(t, KINKS, LEVELS))!r}" for t in times.tolist()]
    load.write_text("\n".join(rows) + "\n")
    masing("simulate", structure, "--load", load, "--out", out)
    names = out.read_text().splitlines()[0].split(",")
    table = np.genfromtxt(out, delimiter=",", skip_header=1)
    column = {name.split(" ")[0]: i for i, name in enumerate(names)}
    force = next(i for name, i in column.items() if name.startswith("force"))
    return table[:, column[f"displacement.{tip(beam) + 1}"]], table[:, force]


def as_structure(model: Path, beam: Beam) -> str:
    """A model file with masses from one without."""
    parts = system(beam)
    element = model.read_text().split("[numerics]")[0].replace("[[element]]", f"[[element]]\nbetween = [0, {tip(beam) + 1}]")
    matrices = {"m": parts.mass, "c": parts.damping, "k": parts.stiffness}
    rows = "".join(f"{name} = {matrix.tolist()}\n" for name, matrix in matrices.items())
    return f'{element}\n[system]\ntype = "structure"\n{rows}'
