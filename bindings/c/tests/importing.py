"""Importers for the tests of FMUs: one instance in Co-Simulation, one in Model Exchange."""

import ctypes
import functools

import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Model, FMU2Slave, defaultCallbacks, fmi2CallbackFunctions, fmi2CallbackLoggerTYPE
from fmpy.fmi3 import FMU3Model, FMU3Slave
from models import FOLDER, scale_of
from scipy.integrate import Radau
from scipy.optimize import brentq

STEP = 1e-3


def drive(name, step=STEP, duration=1.0):
    t = np.arange(round(duration / step) + 1) * step
    return t, *drive_at(name, t)


def drive_at(name, t):
    """Two sines that begin at rest."""
    scale = scale_of(name)
    x = scale * (np.sin(19 * t) - 19 * t * np.exp(-40 * t) + 0.3 * (1 - np.cos(71 * t)))
    v = scale * (19 * np.cos(19 * t) - 19 * (1 - 40 * t) * np.exp(-40 * t) + 0.3 * 71 * np.sin(71 * t))
    return x, v


@functools.cache
def unpacked(fmu):
    """The folder with what an FMU holds."""
    return extract(str(fmu), unzipdir=str(FOLDER / "unpacked" / fmu.stem))


class Opened:
    """One Co-Simulation instance, past its initialisation, and what it said: status, category and text."""

    def __init__(self, fmu, initialise=True, start=0.0, use_velocity=False):
        self.folder = unpacked(fmu)
        self.description = read_model_description(self.folder)
        self.two = self.description.fmiVersion == "2.0"
        self.said = []
        self.fmu = self.instance()
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        if use_velocity:
            self.fmu.setBoolean([self.references["use_velocity"]], [True])
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
        def log(*arguments):
            status, category, text = arguments[-3:]
            self.said.append((status, category.decode(), text.decode()))

        if self.two:
            callbacks = fmi2CallbackFunctions()
            callbacks.logger = fmi2CallbackLoggerTYPE(log)
            callbacks.allocateMemory, callbacks.freeMemory = defaultCallbacks.allocateMemory, defaultCallbacks.freeMemory
            fmu.instantiate(callbacks=callbacks)
        else:
            fmu.instantiate(logMessage=log)
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
        return self.fmu.getDirectionalDerivative(unknowns, knowns, [1.0])[0]

    def bytes_of(self, state):
        return self.fmu.serializeFMUstate(state) if self.two else self.fmu.serializeFMUState(state)

    def from_bytes(self, content):
        return self.fmu.deSerializeFMUstate(content) if self.two else self.fmu.deserializeFMUState(content)

    def keep(self):
        return self.fmu.getFMUstate() if self.two else self.fmu.getFMUState()

    def restore(self, state):
        (self.fmu.setFMUstate if self.two else self.fmu.setFMUState)(state)

    def forget(self, state):
        (self.fmu.freeFMUstate if self.two else self.fmu.freeFMUState)(state)

    def close(self):
        self.fmu.freeInstance()


class Integrated:
    """Model Exchange with a solver of SciPy's. That of FMPy holds inputs over its steps, which no law with
    a velocity survives."""

    TOLERANCE = 1e-8

    def __init__(self, fmu, name):
        self.motion = lambda t: [float(q[0]) for q in drive_at(name, np.array([t]))]
        self.folder = unpacked(fmu)
        self.description = description = read_model_description(self.folder)
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
        self.close()
        return np.array(out)

    def close(self):
        self.fmu.freeInstance()


def at(values):
    return values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
