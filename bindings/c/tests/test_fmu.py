"""FMUs of every element and preset, run by FMPy: an importer that this project did not write.

Run by `cargo xtask fmu`, which says where the program is (MASING) and where files may go (FOLDER).
"""

import ctypes
import functools
import json
import os
import random
import shutil
import subprocess
import time
import unittest
from pathlib import Path

import numpy as np
from fmpy import extract, read_model_description, simulate_fmu
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Model, FMU2Slave
from fmpy.fmi3 import FMU3Model, FMU3Slave
from fmpy.validation import validate_fmu
from scipy.integrate import Radau
from scipy.optimize import brentq

MASING = os.environ["MASING"]
FOLDER = Path(os.environ["FOLDER"])
STEP = 1e-3
OUTPUTS = ["force", "reaction_force", "dissipated_energy"]


def masing(*arguments):
    return subprocess.run([MASING, *map(str, arguments)], capture_output=True, text=True)


CATALOGUE = json.loads(masing("models", "--json").stdout)
ELEMENTS = {kind["name"]: kind for kind in CATALOGUE["elements"]}
MODELS = {name: [name] for name in ELEMENTS}
MODELS |= {preset["name"]: preset["elements"] for preset in CATALOGUE["presets"]}
MODELS["sum"] = ["rt", "jenkins", "spring"]


def written(name):
    """The model file of an element, preset or sum, with the default of every parameter."""
    text = 'schema = "masing.model/1"\n'
    for kind in MODELS[name]:
        text += f'\n[[element]]\ntype = "{kind}"\n'
        for parameter in ELEMENTS[kind]["parameters"]:
            text += f"{parameter['name']} = {json.dumps(parameter['default'])}\n"
    text += "\n[numerics]\nincrement = 5.0e-5\nmax_dt = 1.0e-3\n"
    text += "\n[validity]\ndisplacement = [-6.0e-4, 1.0]\n"
    path = FOLDER / f"{name}.toml"
    path.write_text(text)
    return path


@functools.cache
def exported(name, version):
    fmu = FOLDER / f"{name}-{version}.fmu"
    done = masing("export", written(name), "--to", f"fmu{version}", "--out", fmu)
    assert done.returncode == 0, done.stderr
    return fmu


def drive(name, step=STEP, duration=1.0):
    t = np.arange(round(duration / step) + 1) * step
    return t, *drive_at(name, t)


def drive_at(name, t):
    """Two sines that begin at rest; wide enough for stages of a clutch."""
    scale = 0.3 if name == "staged" else 1e-3
    x = scale * (np.sin(19 * t) - 19 * t * np.exp(-40 * t) + 0.3 * (1 - np.cos(71 * t)))
    v = scale * (19 * np.cos(19 * t) - 19 * (1 - 40 * t) * np.exp(-40 * t) + 0.3 * 71 * np.sin(71 * t))
    return x, v


def simulated(name, t, x, v, refined=False):
    """Forces of `masing simulate`, with the sub-steps of the model or finer ones."""
    angle = MODELS[name] == ["staged"]
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


class Opened:
    """One Co-Simulation instance, past its initialisation."""

    def __init__(self, fmu, initialise=True, start=0.0):
        self.folder = extract(str(fmu))
        self.description = read_model_description(self.folder)
        self.two = self.description.fmiVersion == "2.0"
        self.fmu = self.instance()
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        if initialise:
            self.initialise(start)

    def instance(self, folder=None):
        kind = FMU2Slave if self.two else FMU3Slave
        fmu = kind(
            guid=self.description.guid,
            unzipDirectory=folder or self.folder,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="one",
        )
        fmu.instantiate()
        return fmu

    def initialise(self, start=0.0):
        if self.two:
            self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()
        self.set("displacement", start)
        self.fmu.exitInitializationMode()
        self.time = 0.0

    def set(self, name, value):
        put = self.fmu.setReal if self.two else self.fmu.setFloat64
        put([self.references[name]], [value])

    def get(self, name):
        take = self.fmu.getReal if self.two else self.fmu.getFloat64
        return take([self.references[name]])[0]

    def flag(self, name):
        return bool(self.fmu.getBoolean([self.references[name]])[0])

    def step(self, dt, x):
        self.set("displacement", x)
        self.fmu.doStep(currentCommunicationPoint=self.time, communicationStepSize=dt)
        self.time += dt
        return self.get("force")

    def slope(self, known):
        unknowns, knowns = [self.references["force"]], [self.references[known]]
        if self.two:
            return self.fmu.getDirectionalDerivative(unknowns, knowns, [1.0])[0]
        return self.fmu.getDirectionalDerivative(unknowns, knowns, [1.0])[0]

    def keep(self):
        return self.fmu.getFMUstate() if self.two else self.fmu.getFMUState()

    def restore(self, state):
        (self.fmu.setFMUstate if self.two else self.fmu.setFMUState)(state)

    def forget(self, state):
        (self.fmu.freeFMUstate if self.two else self.fmu.freeFMUState)(state)

    def close(self):
        self.fmu.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)


class Integrated:
    """Model Exchange with a solver of SciPy's. That of FMPy holds inputs over its steps, which no law with
    a velocity survives."""

    TOLERANCE = 1e-8

    def __init__(self, fmu, name):
        self.motion = lambda t: [float(q[0]) for q in drive_at(name, np.array([t]))]
        self.folder = extract(str(fmu))
        description = read_model_description(self.folder)
        self.two = description.fmiVersion == "2.0"
        self.fmu = (FMU2Model if self.two else FMU3Model)(
            guid=description.guid, unzipDirectory=self.folder, instanceName="one",
            modelIdentifier=description.modelExchange.modelIdentifier,
        )
        self.references = {v.name: v.valueReference for v in description.modelVariables}
        self.states = np.zeros(description.numberOfContinuousStates)
        self.rates = np.zeros_like(self.states)
        self.indicators = np.zeros(description.numberOfEventIndicators)
        self.events = 0
        self.fmu.instantiate()
        if self.two:
            self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()
        self.set_inputs(0.0)
        self.fmu.exitInitializationMode()
        self.update()

    def set_inputs(self, t):
        put = self.fmu.setReal if self.two else self.fmu.setFloat64
        put([self.references["displacement"], self.references["velocity"]], self.motion(t))

    def update(self):
        (self.fmu.newDiscreteStates if self.two else self.fmu.updateDiscreteStates)()
        self.fmu.enterContinuousTimeMode()

    def place(self, t, y):
        self.fmu.setTime(t)
        self.set_inputs(t)
        self.fmu.setContinuousStates(at(np.ascontiguousarray(y)), len(y))

    def rate(self, t, y):
        self.place(t, y)
        get = self.fmu.getDerivatives if self.two else self.fmu.getContinuousStateDerivatives
        get(at(self.rates), len(self.rates))
        return self.rates.copy()

    def kinks(self, t, y):
        self.place(t, y)
        self.fmu.getEventIndicators(at(self.indicators), len(self.indicators))
        return self.indicators.copy()

    def forces(self, times):
        get = self.fmu.getReal if self.two else self.fmu.getFloat64
        nominals = np.zeros_like(self.states)
        self.fmu.getNominalsOfContinuousStates(at(nominals), len(nominals))
        out, now = [], 0.0
        self.fmu.getContinuousStates(at(self.states), len(self.states))
        out.append(get([self.references["force"]])[0])
        while now < times[-1]:
            solver = Radau(self.rate, now, self.states.copy(), times[-1], rtol=self.TOLERANCE,
                           atol=self.TOLERANCE * nominals, max_step=2e-3)
            before = self.kinks(now, self.states)
            event = False
            while solver.status == "running" and not event:
                message = solver.step()
                assert solver.status != "failed", message
                now, path = solver.t, solver.dense_output()
                after = self.kinks(now, solver.y)
                changed = np.flatnonzero((before > 0) != (after > 0))
                if changed.size:
                    def beyond(t, i):
                        return self.kinks(t, path(t))[i]
                    now = min(brentq(beyond, solver.t_old, solver.t, (i,), xtol=1e-13) for i in changed) + 1e-12
                    event = True
                for t in times[len(out):]:
                    if t > now:
                        break
                    self.place(t, path(t))
                    out.append(get([self.references["force"]])[0])
                self.place(now, path(now))
                self.fmu.completedIntegratorStep()
                before = self.kinks(now, path(now))
            if event:
                self.events += 1
                self.fmu.enterEventMode()
                self.update()
            self.fmu.getContinuousStates(at(self.states), len(self.states))
        self.fmu.terminate()
        self.fmu.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)
        return np.array(out)


def at(values):
    return values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


class EveryModel(unittest.TestCase):
    def test_descriptions_are_valid_and_forces_are_those_of_simulate(self):
        worst = {}
        for name in MODELS:
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
            t, x, v = drive(name, step=1e-4, duration=0.08)
            expected = simulated(name, t, x, v, refined=True)
            for version in (2, 3):
                with self.subTest(name=name, version=version):
                    fmu = exported(name, version)
                    if read_model_description(str(fmu)).modelExchange is None:
                        without.add(name)
                        continue
                    solver = Integrated(fmu, name)
                    force = solver.forces(t[::20])
                    error = np.abs(force - expected[::20]).max() / np.abs(expected).max()
                    worst[name, version] = error
                    events[name] = solver.events
                    # 1e-5: straight pieces of 0.1 ms against a smooth motion.
                    self.assertLess(error, 1e-5)
        self.assertEqual(without, {"sts"})
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


class OneModel(unittest.TestCase):
    def both(self, name="sum"):
        for version in (2, 3):
            opened = Opened(exported(name, version))
            yield opened
            opened.close()

    def test_steps_back_give_the_same_bits(self):
        chance = random.Random(1)
        for one in self.both():
            for _ in range(50):
                kept = one.keep()
                at = one.time
                steps = [(chance.uniform(1e-4, 5e-3), chance.uniform(-1e-3, 1e-3)) for _ in range(4)]
                first = [one.step(*s) for s in steps]
                slope = one.slope("displacement")
                size = one.fmu.serializeFMUstate(kept) if one.two else one.fmu.serializeFMUState(kept)
                one.restore(kept)
                self.assertEqual([one.step(*s) for s in steps], first)
                self.assertEqual(one.slope("displacement"), slope)
                # Through bytes, as into another process.
                again = one.fmu.deSerializeFMUstate(size) if one.two else one.fmu.deserializeFMUState(size)
                one.restore(again)
                self.assertEqual([one.step(*s) for s in steps], first)
                one.forget(kept)
                one.forget(again)
                self.assertGreater(one.time, at)

    def test_instances_do_not_know_of_each_other(self):
        for one in self.both():
            other = Opened(exported("sum", 2 if one.two else 3))
            x = [1e-4, 3e-4, -2e-4, 5e-4]
            alone = [one.step(1e-3, q) for q in x]
            one.fmu.reset()
            one.initialise()
            mixed = []
            for q in x:
                other.step(2e-3, -q)
                mixed.append(one.step(1e-3, q))
            self.assertEqual(alone, mixed)
            other.close()

    def test_directional_derivatives_are_those_of_differences(self):
        for one in self.both():
            one.step(1e-3, 2e-4)
            kept = one.keep()
            # Not a whole number of sub-steps away: one more would show.
            one.step(1e-3, 3.3e-4)
            slope = one.slope("displacement")
            force = {}
            for h in (-1e-9, 1e-9):
                one.restore(kept)
                force[h] = one.step(1e-3, 3.3e-4 + h)
            difference = (force[1e-9] - force[-1e-9]) / 2e-9
            self.assertAlmostEqual(slope / difference, 1.0, delta=1e-5)

    def test_parameters_are_tunable_and_checked(self):
        for one in self.both("spring"):
            self.assertEqual(one.step(1e-3, 1e-3), 1e5 * 1e-3)
            one.set("spring.k", 2e5)
            self.assertEqual(one.get("spring.k"), 2e5)
            self.assertEqual(one.step(1e-3, 1e-3), 2e5 * 1e-3)
            with self.assertRaises(FMICallException):
                one.set("spring.k", -1.0)
            self.assertEqual(one.get("spring.k"), 2e5)

    def test_every_variable_can_be_read(self):
        for one in self.both():
            one.step(1e-3, 1e-4)
            for variable in one.description.modelVariables:
                if variable.type == "Boolean":
                    one.flag(variable.name)
                else:
                    self.assertTrue(np.isfinite(one.get(variable.name)), variable.name)

    def test_validity_is_told(self):
        for one in self.both("spring"):
            one.step(1e-3, 5e-4)
            self.assertFalse(one.flag("outside_validity"))
            one.step(1e-3, -7e-4)
            self.assertTrue(one.flag("outside_validity"))

    def test_bad_input_is_an_error_and_no_crash(self):
        for one in self.both():
            before = one.step(1e-3, 1e-4)
            for name, value in [("displacement", float("nan")), ("velocity", float("inf")),
                                ("force", 1.0), ("rt.alpha", 2.0), ("rt.y[1]", 0.0)]:
                with self.assertRaises(FMICallException, msg=name):
                    one.set(name, value)
            for dt in (-1e-3, 0.0, float("nan")):
                with self.assertRaises(FMICallException, msg=dt):
                    one.fmu.doStep(currentCommunicationPoint=one.time, communicationStepSize=dt)
            one.references["nothing"] = 10**6
            with self.assertRaises(FMICallException):
                one.get("nothing")
            with self.assertRaises(FMICallException):
                one.restore(ctypes.c_void_p(12345))
            junk = b"masing/1" + bytes(16)
            read = one.fmu.deSerializeFMUstate if one.two else one.fmu.deserializeFMUState
            for bytes_ in (junk, b"x", bytes(1000)):
                with self.assertRaises(FMICallException):
                    read(bytes_)
            self.assertEqual(one.get("force"), before)

    def test_null_pointers_are_errors(self):
        for one in self.both():
            # Functions of its own: those of FMPy keep their types.
            library = ctypes.CDLL(one.fmu.dll._name)
            error = 3
            prefix = "fmi2" if one.two else "fmi3"
            value = ctypes.c_double()
            reference = ctypes.c_uint32(3)
            get = getattr(library, "fmi2GetReal" if one.two else "fmi3GetFloat64")
            size = ctypes.c_size_t(1)
            tail = [] if one.two else [size]
            handle = ctypes.c_void_p(one.fmu.component)
            calls = [
                (get, [None, ctypes.byref(reference), size, ctypes.byref(value), *tail]),
                (get, [handle, None, size, ctypes.byref(value), *tail]),
                (get, [handle, ctypes.byref(reference), size, None, *tail]),
                (getattr(library, prefix + "ExitInitializationMode"), [None]),
                (getattr(library, prefix + ("SetFMUstate" if one.two else "SetFMUState")), [handle, None]),
                (getattr(library, prefix + ("GetFMUstate" if one.two else "GetFMUState")), [handle, None]),
            ]
            for function, arguments in calls:
                function.restype = ctypes.c_int
                self.assertEqual(function(*arguments), error, function.__name__)
            free = getattr(library, prefix + "FreeInstance")
            free.restype = None
            free(None)

    def test_broken_resources_are_refused(self):
        for one in self.both():
            model = Path(one.folder) / "resources" / "model.toml"
            text = model.read_text()
            for broken in (None, "", "schema = 1", text.replace("kpa = ", "kpa = -"), text + "\n"):
                model.unlink(missing_ok=True)
                if broken is not None:
                    model.write_text(broken)
                with self.assertRaises(Exception, msg=repr(broken)):
                    one.instance()
            model.write_text(text)

    def test_every_function_of_the_standard_is_there(self):
        import fmpy
        headers = Path(fmpy.__file__).parent / "c-code"
        one = Opened(exported("spring", 3))
        for version in (2, 3):
            header = (headers / f"fmi{version}Functions.h").read_text()
            names = {w.split(")")[0] for w in header.split(f"fmi{version}FullName(")[1:]}
            names -= {"name"}
            self.assertGreater(len(names), 40)
            missing = [name for name in sorted(names) if not hasattr(one.fmu.dll, name)]
            self.assertEqual(missing, [])
        one.close()

    def test_a_minute_at_one_kilohertz(self):
        one = Opened(exported("rt", 2))
        x = 5e-4 * np.sin(2 * np.pi * np.arange(1, 60_001) * 1e-3)
        set_real, do_step = one.fmu.dll.fmi2SetReal, one.fmu.dll.fmi2DoStep
        set_real.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
        do_step.argtypes = [ctypes.c_void_p, ctypes.c_double, ctypes.c_double, ctypes.c_int]
        reference = ctypes.c_uint32(one.references["displacement"])
        at, where = ctypes.byref(reference), x.ctypes.data
        begun = time.process_time()
        for i in range(len(x)):
            set_real(one.fmu.component, at, 1, where + 8 * i)
            do_step(one.fmu.component, i * 1e-3, 1e-3, 1)
        seconds = time.process_time() - begun
        print(f"rt, 15 cells: 60 s at 1 kHz in {seconds:.2f} s of CPU, {1e6 * seconds / len(x):.2f} us a step")
        one.close()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    unittest.main(verbosity=1)
