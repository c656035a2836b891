"""FMUs of every element and preset, run by FMPy: an importer that this project did not write.

Run by `cargo xtask fmu`, which says where the program is (MASING) and where files may go (FOLDER).
"""

import unittest

import numpy as np
from fmpy import read_model_description, simulate_fmu
from fmpy.validation import validate_fmu
from importing import STEP, Integrated, drive
from models import FOLDER, MODELS, NETWORKS, WITHOUT_RATES, exported, masing, written

OUTPUTS = ["force", "reaction_force", "dissipated_energy"]


def simulated(name, t, x, v, refined=False):
    """Forces of `masing simulate`, with the sub-steps of the model or finer ones."""
    angle = name == "staged"
    names = ("angle [rad]", "velocity [rad/s]") if angle else ("displacement [m]", "velocity [m/s]")
    motion, out = FOLDER / f"{name}-motion.csv", FOLDER / f"{name}-out.csv"
    rows = [f"time [s],{names[0]},{names[1]}"]
    rows += [f"{a!r},{b!r},{c!r}" for a, b, c in zip(t.tolist(), x.tolist(), v.tolist())]
    motion.write_text("\n".join(rows) + "\n")
    accuracy = ["--accuracy", "1e-6"] if refined else []
    done = masing("simulate", written(name), "--motion", motion, "--out", out, *accuracy)
    assert done.returncode == 0, done.stderr
    table = np.genfromtxt(out, delimiter=",", skip_header=1)
    return table[:, 3]


def signals(t, x, v):
    rows = list(zip(t, x, v))
    return np.array(rows, dtype=[("time", float), ("displacement", float), ("velocity", float)])


class EveryModel(unittest.TestCase):
    def test_descriptions_are_valid_and_forces_are_those_of_simulate(self):
        worst = {}
        for name in [*MODELS, *NETWORKS]:
            t, x, v = drive(name)
            x[1] = v[1] = 0.0
            expected = simulated(name, t, x, v)
            # FMPy sets inputs before a step; this FMU takes them for those at its end.
            shifted = signals(t[:-1], x[1:], v[1:])
            for version in (2, 3):
                with self.subTest(name=name, version=version):
                    fmu = exported(name, version)
                    self.assertEqual(validate_fmu(str(fmu)), [])
                    result = simulate_fmu(
                        str(fmu), stop_time=t[-1], output_interval=STEP, fmi_type="CoSimulation",
                        input=shifted, output=OUTPUTS, start_values={"use_velocity": True},
                    )
                    self.assertEqual(len(result), len(t))
                    error = np.abs(result["force"] - expected).max() / np.abs(expected).max()
                    worst[name, version] = error
                    self.assertLess(error, 1e-9)
                    np.testing.assert_array_equal(result["reaction_force"], -result["force"])
                    work = np.concatenate([[0.0], np.cumsum(0.5 * (expected[1:] + expected[:-1]) * np.diff(x))])
                    # 1 %: the FMU adds up the work over its sub-steps.
                    size = np.abs(work).max()
                    self.assertLess(np.abs(result["dissipated_energy"] - work).max(), 0.01 * size)
        print(f"Co-Simulation: {len(worst)} FMUs, largest difference {max(worst.values()):.1e}")

    def test_model_exchange_agrees_to_the_tolerance_of_the_solver(self):
        worst, events, without = {}, {}, set()
        for name in MODELS:
            t, x, v = drive(name, step=5e-5, duration=0.08)
            expected = simulated(name, t, x, v, refined=True)
            for version in (2, 3):
                with self.subTest(name=name, version=version):
                    fmu = exported(name, version)
                    if read_model_description(str(fmu)).modelExchange is None:
                        without.add(name)
                        continue
                    solver = Integrated(fmu, name)
                    force = solver.forces(t[::40])
                    error = np.abs(force - expected[::40]).max() / np.abs(expected).max()
                    worst[name, version] = error
                    events[name] = solver.events
                    # 1e-5: straight pieces of 0.05 ms against a smooth motion.
                    self.assertLess(error, 1e-5)
        self.assertEqual(without, WITHOUT_RATES)
        for name in ("jenkins", "iwan", "staged"):
            self.assertGreater(events[name], 3, name)
        print(f"Model Exchange: {len(worst)} FMUs, largest difference {max(worst.values()):.1e}",
              f"({max(worst, key=worst.get)}); events {events}")

    def test_units_starts_and_ranges_are_described(self):
        description = read_model_description(str(exported("rt", 2)))
        by_name = {v.name: v for v in description.modelVariables}
        self.assertEqual(by_name["rt.k0"].unit, "N/m")
        self.assertEqual(by_name["rt.c0"].unit, None)
        self.assertEqual(float(by_name["rt.k0"].start), 2e5)
        self.assertEqual(by_name["rt.k0"].variability, "tunable")
        self.assertEqual(by_name["force"].unit, "N")
        description = read_model_description(str(exported("staged", 3)))
        by_name = {v.name: v for v in description.modelVariables}
        self.assertEqual(by_name["force"].unit, "N m")
        self.assertEqual(by_name["displacement"].unit, "rad")
