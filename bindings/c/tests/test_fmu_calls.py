"""Calls of one FMU, as importers make them and as they should not.

Run by `cargo xtask fmu`.
"""

import ctypes
import shutil
import time
import unittest
from pathlib import Path

import numpy as np
from fmpy.fmi1 import FMICallException
from importing import Opened
from models import FOLDER, exported


class OneModel(unittest.TestCase):
    def both(self, name="sum"):
        for version in (2, 3):
            opened = Opened(exported(name, version))
            yield opened
            opened.close()

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

    def test_leaving_the_tested_range_is_logged_once(self):
        for one in self.both("spring"):
            for x in (5e-4, -7e-4, 5e-4, -8e-4, -9e-4):
                one.step(1e-3, x)
            self.assertEqual(len(one.said), 1, one.said)
            status, category, text = one.said[0]
            self.assertEqual(status, 1)
            self.assertEqual(category, "logStatusWarning")
            self.assertIn("displacement -0.7 mm (tested -0.6 mm to 2 mm)", text)

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
            copy = FOLDER / "broken"
            shutil.copytree(one.folder, copy, dirs_exist_ok=True)
            model = copy / "resources" / "model.toml"
            text = model.read_text()
            for broken in (None, "", "schema = 1", text.replace("kpa = ", "kpa = -"), text + "\n"):
                model.unlink(missing_ok=True)
                if broken is not None:
                    model.write_text(broken)
                with self.assertRaises(Exception, msg=repr(broken)):
                    one.instance(str(copy))
            shutil.rmtree(copy)

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
