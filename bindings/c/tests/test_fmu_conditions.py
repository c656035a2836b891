"""FMUs whose parameters follow a condition: an input of Co-Simulation.

Run by `cargo xtask fmu`.
"""

import os
import unittest

import numpy as np
from fmpy import read_model_description, simulate_fmu
from fmpy.validation import validate_fmu
from importing import STEP, Opened, drive
from models import FOLDER, masing

CONDITION = '\n[conditions.current]\nunit = "A"\nrange = [0.0, 1.0]\n'
NUMERICS = "\n[numerics]\nincrement = 5.0e-5\nmax_dt = 1.0e-3\n"
MODELS = {
    "follows-damper": """schema = "masing.model/1"
[[element]]
type = "series"
[[element.element]]
type = "eyring-dashpot"
f = { of = "current", form = "exp-quadratic", coefficients = [3.363, 4.066, -1.983] }
v0 = 2.61e-4
[[element.element]]
type = "gap"
k = 9.55e6
width = 1.71e-4
centre = 0.0
[[element]]
type = "spring"
k = 970.0
""",
    "follows-slider": """schema = "masing.model/1"
[[element]]
type = "jenkins"
ks = 1.0e5
zs = { of = "current", form = "piecewise", knots = [0.0, 0.4, 1.0], coefficients = [20.0, 35.0, 80.0] }
""",
}


def written(name):
    path = FOLDER / f"{name}.toml"
    path.write_text(MODELS[name] + NUMERICS + CONDITION)
    return path


def exported(name, version, *said):
    fmu = FOLDER / f"{name}-{version}{len(said)}.fmu"
    given = ["--libraries", os.environ["LIBRARIES"]] if "LIBRARIES" in os.environ else []
    done = masing("export", written(name), "--to", f"fmu{version}", "--out", fmu, *given, *said)
    assert done.returncode == 0, done.stderr
    return fmu


class Conditions(unittest.TestCase):
    def test_a_varying_condition_gives_the_forces_of_simulate(self):
        for name in MODELS:
            t, x, v = drive(name)
            current = 0.5 + 0.5 * np.cos(7 * t)
            # The first step stands still: FMPy sets the inputs of its end before it.
            x[1], v[1], current[1] = 0.0, 0.0, current[0]
            motion, out = FOLDER / f"{name}-motion.csv", FOLDER / f"{name}-out.csv"
            rows = ["time [s],displacement [m],velocity [m/s],I [mA]"]
            rows += [",".join(map(repr, row)) for row in zip(t.tolist(), x.tolist(), v.tolist(), (1e3 * current).tolist())]
            motion.write_text("\n".join(rows) + "\n")
            done = masing("simulate", written(name), "--motion", motion, "--out", out, "--condition", "current=I")
            self.assertEqual(done.returncode, 0, done.stderr)
            expected = np.genfromtxt(out, delimiter=",", skip_header=1)[:, 3]
            signals = np.array(
                list(zip(t[:-1], x[1:], v[1:], current[1:])),
                dtype=[("time", float), ("displacement", float), ("velocity", float), ("condition.current", float)],
            )
            for version in (2, 3):
                with self.subTest(name=name, version=version):
                    fmu = exported(name, version)
                    self.assertEqual(validate_fmu(str(fmu)), [])
                    result = simulate_fmu(
                        str(fmu), stop_time=t[-1], output_interval=STEP, fmi_type="CoSimulation", input=signals,
                        output=["force"], start_values={"use_velocity": True},
                    )
                    error = np.abs(result["force"] - expected).max() / np.abs(expected).max()
                    print(f"{name}, FMI {version}: {error:.1e}")
                    self.assertLess(error, 1e-9)

    def test_the_input_is_described_and_kept_with_the_state(self):
        for version in (2, 3):
            fmu = exported("follows-slider", version)
            description = read_model_description(str(fmu))
            by_name = {v.name: v for v in description.modelVariables}
            self.assertEqual(by_name["condition.current"].causality, "input")
            self.assertEqual(by_name["condition.current"].unit, "A")
            self.assertNotIn("jenkins.zs", by_name)
            self.assertIsNone(description.modelExchange)
            one = Opened(fmu)
            one.set("condition.current", 1.0)
            one.step(STEP, 1e-3)
            kept = one.keep()
            one.set("condition.current", 0.0)
            low = one.step(STEP, 2e-3)
            self.assertAlmostEqual(low, 20.0, places=9)
            one.restore(kept)
            self.assertAlmostEqual(one.step(STEP, 2e-3), 80.0, places=9)
            self.assertFalse(one.flag("outside_validity"))
            one.set("condition.current", 1.4)
            one.step(STEP, 2e-3)
            self.assertTrue(one.flag("outside_validity"))
            one.close()

    def test_a_fixed_condition_leaves_an_ordinary_model(self):
        fmu = exported("follows-slider", 3, "--condition", "current=400mA")
        by_name = {v.name: v for v in read_model_description(str(fmu)).modelVariables}
        self.assertNotIn("condition.current", by_name)
        self.assertEqual(float(by_name["jenkins.zs"].start), 35.0)


if __name__ == "__main__":
    unittest.main()
