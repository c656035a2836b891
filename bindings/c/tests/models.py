"""A model file and FMUs of every element and preset, and of a sum.

MASING says where the program is, FOLDER where files may go, LIBRARIES (if set) where the libraries for FMUs are.
"""

import functools
import json
import os
import subprocess
from pathlib import Path

MASING = os.environ["MASING"]
FOLDER = Path(os.environ["FOLDER"])


def masing(*arguments):
    return subprocess.run([MASING, *map(str, arguments)], capture_output=True, text=True)


CATALOGUE = json.loads(masing("models", "--json").stdout)
ELEMENTS = {kind["name"]: kind for kind in CATALOGUE["elements"]}
WRAPPERS = {kind["name"]: kind for kind in CATALOGUE["wrappers"]}
MODELS = {name: [name] for name in ELEMENTS}
MODELS |= {preset["name"]: preset["elements"] for preset in CATALOGUE["presets"]}
MODELS["sum"] = ["rt", "jenkins", "spring"]
NETWORKS = {
    "gap-slider": "gap | slider",
    "spring-slider": "spring | slider",
    "sts-spring": "sts | spring",
    "spring-dashpot": "spring | dashpot",
    "eyring-gap": "eyring-dashpot | gap + eyring-dashpot",
    "three": "spring | gap | dashpot",
    "bouc-wen-spring": "bouc-wen | spring",
    "iwan-spring": "iwan | spring + jenkins",
    "maxwell-spring": "maxwell | curve-spring",
    "dahl-dashpot": "dahl | spring + dashpot",
}
# Elements side by side, wrapped by softening.
WRAPPED = {"softened-springs": "polynomial-spring + gap", "softened-iwan": "iwan"}
NETWORKS |= WRAPPED
# Elements that have steps only: no Model Exchange.
WITHOUT_RATES = {"sts", "slider"}


def scale_of(name):
    """A displacement of usual size; wide enough for the stages of a clutch."""
    return 0.3 if name == "staged" else 1e-3


def element(path, kind, among=ELEMENTS):
    text = f'\n[[{path}]]\ntype = "{kind}"\n'
    for parameter in among[kind]["parameters"]:
        text += f"{parameter['name']} = {json.dumps(parameter['default'])}\n"
    return text


def series(branches):
    """A series, its branches separated by `|`, each with its elements side by side."""
    text = '\n[[element]]\ntype = "series"\n'
    for branch in branches.split("|"):
        kinds = [kind.strip() for kind in branch.split("+")]
        path = "element.element"
        if len(kinds) > 1:
            text += f'\n[[{path}]]\ntype = "parallel"\n'
            path += ".element"
        for kind in kinds:
            text += element(path, kind)
    return text


def network(name):
    """A series, or what softening wraps."""
    if name not in WRAPPED:
        return series(NETWORKS[name])
    text = element("element", "softening", WRAPPERS)
    return text + "".join(element("element.element", kind.strip()) for kind in WRAPPED[name].split("+"))


def written(name):
    """The model file of an element, preset or sum, with the default of every parameter."""
    text = 'schema = "masing.model/1"\n'
    for kind in MODELS.get(name, [name]):
        text += network(kind) if kind in NETWORKS else element("element", kind)
    text += "\n[numerics]\nincrement = 5.0e-5\nmax_dt = 1.0e-3\n"
    size = scale_of(name)
    text += f"\n[validity]\ndisplacement = [{-0.6 * size!r}, {2 * size!r}]\n"
    path = FOLDER / f"{name}.toml"
    path.write_text(text)
    return path


@functools.cache
def exported(name, version):
    fmu = FOLDER / f"{name}-{version}.fmu"
    given = ["--libraries", os.environ["LIBRARIES"]] if "LIBRARIES" in os.environ else []
    done = masing("export", written(name), "--to", f"fmu{version}", "--out", fmu, *given)
    assert done.returncode == 0, done.stderr
    return fmu
