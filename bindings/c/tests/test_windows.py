"""FMUs of every element and preset in an importer written in C: on Windows (under Wine) as on Linux.

Run by `cargo xtask windows`, which builds libraries (LIBRARIES) and importers (IMPORTER, IMPORTER_EXE), and says how to
run programs for Windows (WINE).
"""

import math
import os
import shutil
import subprocess
import unittest
import zipfile
from pathlib import Path

from fmpy import read_model_description
from models import FOLDER, MODELS, exported, scale_of

# Blanks and letters that ASCII lacks, as folders of users have them.
HOME = FOLDER.resolve() / "Prüfstand 3, größte Lager 軸"
BROKEN = {
    "missing": lambda model: model.unlink(),
    "empty": lambda model: model.write_text(""),
    "torn": lambda model: model.write_text(model.read_text()[:-40]),
    "invalid": lambda model: model.write_text(model.read_text().replace("kpa = ", "kpa = -")),
    "binary": lambda model: model.write_bytes(bytes(range(256))),
}


def unpacked(name, version, folder):
    target = HOME / folder
    if target.exists():
        shutil.rmtree(target)
    with zipfile.ZipFile(exported(name, version)) as archive:
        archive.extractall(target)
    return target


def line(task, name, version, folder):
    description = read_model_description(str(folder))
    exchange = description.modelExchange is not None
    states = description.numberOfContinuousStates if exchange else 0
    indicators = description.numberOfEventIndicators if exchange else 0
    identifier = description.coSimulation.modelIdentifier
    return [task, str(version), folder.name, identifier, description.guid, str(states), str(indicators), repr(scale_of(name))]


def run(command, lines, drive):
    """What the importer says of the FMUs: numbers by name, version and quantity, and messages by name and version."""
    plan = FOLDER / ("plan-windows.txt" if drive else "plan-linux.txt")
    rows = ["\t".join([*fields, drive + folder.as_posix()]) for fields, folder in lines]
    plan.write_text("\n".join(rows) + "\n", encoding="utf-8")
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "WINEDEBUG": "-all"}
    done = subprocess.run([*command, plan.name], cwd=FOLDER, capture_output=True, env=environment, timeout=600)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    numbers, messages = {}, {}
    for row in done.stdout.decode("utf-8").splitlines():
        name, version, quantity, value = row.split("\t", 3)
        if quantity == "refused":
            messages[name, version] = value
        else:
            numbers.setdefault((name, version, quantity), []).append(float(value))
    return numbers, messages


class Windows(unittest.TestCase):
    def test_forces_and_refusals_are_those_of_linux(self):
        lines = []
        for version in (2, 3):
            for name in MODELS:
                folder = unpacked(name, version, f"{name}-{version}")
                lines.append((line("run", name, version, folder), folder))
            for how, breaks in BROKEN.items():
                folder = unpacked("rt", version, f"{how}-{version}")
                lines.append((line("refuse", "rt", version, folder), folder))
                breaks(folder / "resources" / "model.toml")
        here, said_here = run([os.environ["IMPORTER"]], lines, "")
        wine = [os.environ["WINE"], os.environ["IMPORTER_EXE"]]
        # Z: is the root of this machine.
        there, said_there = run(wine, lines, "Z:")

        self.assertEqual(here.keys(), there.keys())
        worst = {}
        for key, expected in here.items():
            found = there[key]
            self.assertEqual(len(found), len(expected), key)
            size = max(map(abs, expected)) or 1.0
            difference = max(abs(a - b) for a, b in zip(found, expected)) / size
            self.assertTrue(math.isfinite(difference), key)
            worst[key[2]] = max(worst.get(key[2], 0.0), difference)
            # Powers and exponentials of two C libraries.
            self.assertLessEqual(difference, 1e-12, key)
        count = len({key[:2] for key in here})
        self.assertEqual(count, 2 * len(MODELS))
        told = ", ".join(f"{quantity} {difference:.1e}" for quantity, difference in worst.items())
        print(f"{count} FMUs on Windows under Wine, largest difference to Linux: {told}")

        self.assertEqual(said_here.keys(), said_there.keys())
        self.assertEqual(len(said_there), 2 * len(BROKEN))
        for key, message in said_there.items():
            # The file is named, letters and all.
            for words in ("model.toml", "größte Lager 軸"):
                self.assertIn(words, message, key)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    HOME.mkdir(exist_ok=True)
    unittest.main(verbosity=1)
