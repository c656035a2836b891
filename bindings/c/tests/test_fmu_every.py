"""What every FMU promises: steps back, derivatives, parameters that may be changed while it runs.

Run by `cargo xtask fmu`.
"""

import random
import unittest

import numpy as np
from importing import Integrated, Opened, at
from models import MODELS, WITHOUT_RATES, exported, scale_of

VERSIONS = (2, 3)


class Steps(unittest.TestCase):
    def test_a_thousand_sequences_lead_back_to_the_same_bits(self):
        chance = random.Random(1)
        for version in VERSIONS:
            parts = {name: Opened(exported(name, version)) for name in MODELS}
            for _ in range(500):
                name = chance.choice(list(parts))
                one, scale = parts[name], scale_of(name)

                def steps(most, scale=scale):
                    return [(chance.uniform(1e-4, 5e-3), scale * chance.uniform(-1, 1))
                            for _ in range(chance.randint(1, most))]

                kept, then, away = one.keep(), steps(5), steps(3)
                first = [one.step(*s) for s in then]
                end = one.get("dissipated_energy"), one.slope("displacement"), one.flag("outside_validity")
                # Through bytes, as into another process, or not.
                content = one.bytes_of(kept)
                again = one.from_bytes(content)
                for state in (kept, again):
                    for s in away:
                        one.step(*s)
                    one.restore(state)
                    self.assertEqual([one.step(*s) for s in then], first, name)
                    found = one.get("dissipated_energy"), one.slope("displacement"), one.flag("outside_validity")
                    self.assertEqual(found, end, name)
                    one.forget(state)
            for one in parts.values():
                one.close()


class Derivatives(unittest.TestCase):
    def test_in_co_simulation_they_are_those_of_differences(self):
        for name in MODELS:
            scale = scale_of(name)
            for version in VERSIONS:
                for use_velocity in (False, True):
                    with self.subTest(name=name, version=version, use_velocity=use_velocity):
                        one = Opened(exported(name, version), use_velocity=use_velocity)
                        for known in ("displacement", "velocity") if use_velocity else ("displacement",):
                            self.difference(one, known, scale)
                        one.close()

    def difference(self, one, known, scale):
        one.set("velocity", 0.2 * scale)
        one.step(1e-3, 0.2 * scale)
        kept = one.keep()
        # Not a whole number of sub-steps away: one more would show.
        place = {"displacement": 0.33 * scale, "velocity": 0.13 * scale}

        def force(by):
            one.restore(kept)
            one.set("velocity", place["velocity"] + (by if known == "velocity" else 0.0))
            return one.step(1e-3, place["displacement"] + (by if known == "displacement" else 0.0))

        here = force(0.0)
        slope = one.slope(known)
        h = 1e-6 * scale
        difference = (force(h) - force(-h)) / (2 * h)
        # Curvature, and rounding of the forces; within a gap there is none.
        self.assertLessEqual(abs(slope - difference), 1e-5 * abs(difference) + 1e-14 * abs(here) / h)
        one.forget(kept)

    def test_in_model_exchange_they_are_those_of_differences(self):
        checked = 0
        for name in MODELS:
            if WITHOUT_RATES & set(MODELS[name]):
                continue
            for version in VERSIONS:
                with self.subTest(name=name, version=version):
                    checked += self.jacobian(name, version)
        self.assertGreater(checked, 500)

    def jacobian(self, name, version):
        one = Integrated(exported(name, version), name)
        variables = {v.name: v for v in one.description.modelVariables}
        rates = [v for v in variables.values() if v.derivative is not None and v.name != "der(dissipated_energy)"]
        states = [v.derivative for v in rates]
        scale, chance = scale_of(name), random.Random(2)
        # Typical sizes: states in metres move with the part, others are forces or strains.
        sizes = [1e-2 * scale if v.unit in ("m", "rad") else 1e-2 for v in states]
        place = np.array([0.1 * scale, 5 * scale, *(s * chance.uniform(0.2, 1) for s in sizes)])
        knowns = [variables["displacement"], variables["velocity"], *states]
        unknowns = [variables["force"], *rates]
        get = one.fmu.getReal if one.two else one.fmu.getFloat64
        put = one.fmu.setReal if one.two else one.fmu.setFloat64

        def values(q):
            put([v.valueReference for v in knowns[:2]], list(q[:2]))
            one.fmu.setContinuousStates(at(np.array([*q[2:], 0.0])), len(q) - 1)
            return np.array(get([v.valueReference for v in unknowns]))

        values(place)
        one.fmu.completedIntegratorStep()
        for i, known in enumerate(knowns):
            values(place)
            found = np.array(one.fmu.getDirectionalDerivative(
                [v.valueReference for v in unknowns], [known.valueReference], [1.0]))
            h = 1e-6 * abs(place[i])
            step = np.zeros_like(place)
            step[i] = h
            difference = (values(place + step) - values(place - step)) / (2 * h)
            # Curvature of powers as high as 1/alpha, and rounding.
            allowed = 1e-5 * np.abs(difference) + 1e-14 * np.abs(values(place)) / h + 1e-12 * np.abs(difference).max()
            worst = np.argmax(np.abs(found - difference) - allowed)
            self.assertLessEqual(abs(found - difference)[worst], allowed[worst],
                                 f"{unknowns[worst].name} by {known.name}")
        one.close()
        return len(knowns) * len(unknowns)


class Parameters(unittest.TestCase):
    def test_they_may_be_changed_while_the_simulation_runs(self):
        for name in MODELS:
            scale, chance = scale_of(name), random.Random(3)
            steps = [(1e-3, scale * chance.uniform(-1, 1)) for _ in range(20)]
            for version in VERSIONS:
                with self.subTest(name=name, version=version):
                    before = Opened(exported(name, version), initialise=False)
                    changed = {v.name: 1.02 * float(v.start) for v in before.description.modelVariables
                               if v.variability == "tunable"}
                    given = {p: value / 1.02 for p, value in changed.items()}
                    self.assertTrue(changed)
                    self.tune(before, changed)
                    before.initialise()
                    expected = [before.step(*s) for s in steps]
                    before.close()

                    # Before the first step, where all laws are at rest whatever their values.
                    running = Opened(exported(name, version))
                    self.tune(running, changed)
                    self.assertEqual([running.step(*s) for s in steps], expected)
                    # There and back between steps leaves no trace; another value does.
                    kept = running.keep()
                    after = [running.step(*s) for s in steps]
                    running.restore(kept)
                    self.tune(running, given)
                    other = [running.step(*s) for s in steps]
                    running.restore(kept)
                    self.tune(running, given)
                    self.tune(running, changed)
                    self.assertEqual([running.step(*s) for s in steps], after)
                    self.assertNotEqual(other, after)
                    running.close()

    def tune(self, one, values):
        put = one.fmu.setReal if one.two else one.fmu.setFloat64
        put([one.references[p] for p in values], list(values.values()))


if __name__ == "__main__":
    unittest.main(verbosity=1)
