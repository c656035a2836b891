"""Whether the example holds: every way against another that does not share its code.

Run by `cargo xtask multibody`, which says where the program is (MASING) and where files may go (FOLDER).
"""

from __future__ import annotations

import os
import unittest
from pathlib import Path

import beam
import beam_model
import car_model
import coupling
import exudyn_beam
import exudyn_car
import masing_beam
import numpy as np
import steering
from car_model import ANGLE, TOE, YAW, Turn
from fmpy import simulate_fmu
from fmu import MODELS, Rates, Stepped, exported
from scipy.linalg import eigvals

FOLDER = Path(os.environ["FOLDER"])
FMU: dict[str, Path] = {}
SPRING = 4.5e5  # N/m, of spring.toml


def setUpModule() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for law in steering.LAWS:
        FMU[law] = exported(MODELS / f"{law}.toml", FOLDER)


def relative(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a - b).max() / np.abs(b).max())


class BeamOnASpring(unittest.TestCase):
    """What is known exactly: a spring in place of the bushing."""

    def test_natural_frequencies_are_those_of_the_exact_beam(self) -> None:
        exact = beam_model.frequencies(beam_model.Beam(), SPRING, 3)
        errors = []
        for elements in (4, 8):
            system = beam_model.system(beam_model.Beam(elements=elements))
            stiffness = system.stiffness + SPRING * system.attachments.T @ system.attachments
            squares = np.sort(eigvals(stiffness, system.mass).real)
            errors.append(np.abs(np.sqrt(squares[:3]) / exact - 1))
        # Cubic elements: the error falls by 2^4 with half the length, and the first bending is met to 0.1 %.
        self.assertLess(errors[0][1], 1e-3)
        for coarse, fine in zip(*errors):
            self.assertGreater(coarse / fine, 13)
        print(f"frequencies against the exact beam: {errors[0]} with 4 elements")

    def test_it_swings_with_the_exact_period(self) -> None:
        """A spring through the whole coupling, let go after a push: the tip swings with the first natural frequency."""
        step = 2.5e-4
        history = beam.co_simulation(FMU["spring"], coupling.iterated, step)
        free = history.time > beam_model.KINKS[-1]
        swing = history.displacement[free, 0]
        time = history.time[free]
        # The higher modes are damped away by then; whole swings between crossings of zero.
        rising = np.flatnonzero((swing[:-1] < 0) & (swing[1:] >= 0))
        crossings = time[rising] - swing[rising] * step / (swing[rising + 1] - swing[rising])
        found = (len(crossings) - 1) / (crossings[-1] - crossings[0])
        exact = beam_model.frequencies(beam_model.Beam(), SPRING, 1)[0] / (2 * np.pi)
        # 0.2 %: the trapezoidal rule slows a swing down by (w h)^2 / 12 = 0.04 %, and other modes move the crossings.
        self.assertAlmostEqual(found / exact, 1, delta=2e-3)

    def test_exudyn_bends_as_these_matrices_do(self) -> None:
        step = 5e-4
        ours = beam.co_simulation(FMU["spring"], coupling.iterated, step).displacement[:, 0]
        theirs = exudyn_beam.on_spring(beam_model.Beam(), SPRING, step, beam_model.END)
        error = relative(theirs, ours)
        # The same rule and step; what is left is the large deflection of Exudyn's elements.
        self.assertLess(error, 2e-5)
        print(f"beam on a spring, Exudyn: {error:.1e}")


class BeamOnABushing(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.exact = beam.reference(FMU["rt"], 1e-6)
        cls.tip = cls.exact.displacement[:, 0]

    def test_model_exchange_is_the_structure_of_masing(self) -> None:
        displacement, force = masing_beam.simulated(beam.MODEL, FOLDER, self.exact.time)
        errors = relative(displacement, self.tip), relative(force, self.exact.force[:, 0])
        # Tolerance of the solver, 1e-6, of every step.
        self.assertLess(max(errors), 5e-6)
        print(f"Model Exchange against masing simulate: {errors[0]:.1e}, force {errors[1]:.1e}")

    def test_iterated_co_simulation_comes_to_model_exchange_at_second_order(self) -> None:
        runs = [beam.co_simulation(FMU["rt"], coupling.iterated, h) for h in (5e-4, 2.5e-4, 1.25e-4)]
        errors = [beam.difference(run.displacement[:, 0], self.tip) for run in runs]
        self.assertLess(errors[-1], 1e-3)
        for coarse, fine in zip(errors, errors[1:]):
            # 4 at second order.
            self.assertAlmostEqual(coarse / fine, 4, delta=0.5)
        # Newton's method with the directional derivative of the FMU: about two trials a step.
        trials = runs[1].calls / (len(runs[1].time) - 1)
        self.assertLess(trials, 2.5)
        print(f"iterated Co-Simulation against Model Exchange: {errors}, {trials:.2f} trials a step")

    def test_without_iteration_it_is_first_order_and_breaks_down(self) -> None:
        errors = [
            beam.difference(beam.co_simulation(FMU["rt"], coupling.explicit, h).displacement[:, 0], self.tip)
            for h in (5e-4, 1.25e-4, 6.25e-5)
        ]
        # 2 at first order.
        self.assertAlmostEqual(errors[1] / errors[2], 2, delta=0.4)
        iterated = beam.co_simulation(FMU["rt"], coupling.iterated, 5e-4)
        # The delay pumps: at 0.5 ms the swings grow, where the iteration is off by less than a per cent.
        self.assertGreater(errors[0], 0.2)
        self.assertLess(beam.difference(iterated.displacement[:, 0], self.tip), 0.01)
        print(f"explicit Co-Simulation against Model Exchange: {errors}")

    def test_fmpy_gives_the_same_forces_for_the_same_motion(self) -> None:
        """Trial steps and steps back leave no trace: FMPy's own loop, without either, finds the same forces."""
        history = beam.co_simulation(FMU["rt"], coupling.iterated, 5e-4)
        x = history.displacement[:, 0]
        # FMPy sets inputs before a step; this FMU takes them for those at its end.
        rows = np.array(list(zip(history.time[:-1], x[1:])), dtype=[("time", float), ("displacement", float)])
        result = simulate_fmu(
            str(FMU["rt"]), stop_time=history.time[-1], output_interval=5e-4, fmi_type="CoSimulation", input=rows,
            output=["force"],
        )
        # Rounding of times.
        self.assertLess(relative(result["force"], history.force[:, 0]), 1e-9)

    def test_exudyn_with_co_simulation_moves_alike(self) -> None:
        step = 5e-4
        ours = beam.co_simulation(FMU["rt"], coupling.iterated, step).displacement[:, 0]
        error = relative(beam.exudyn_co_simulation(FMU["rt"], step).tip, ours)
        # The same rule and step, another beam, another Newton iteration.
        self.assertLess(error, 2e-5)
        print(f"Exudyn with Co-Simulation against the iteration here: {error:.1e}")

    def test_exudyn_with_model_exchange_comes_to_model_exchange(self) -> None:
        end = 0.1
        exact = self.tip[self.exact.time <= end + 1e-9]
        errors = []
        for step in (1e-4, 5e-5):
            path = beam.exudyn_exchange(FMU["rt"], step, end).tip
            errors.append(relative(path[:: round(1e-3 / step)], exact))
        self.assertLess(errors[1], 1e-3)
        # 4 at second order.
        self.assertAlmostEqual(errors[0] / errors[1], 4, delta=0.8)
        print(f"Exudyn with Model Exchange against SciPy: {errors}")


class CarOnBushings(unittest.TestCase):
    """The car itself, before anything is said about its bushings."""

    TURNS = (Turn(0.1, ANGLE), Turn(0.9, -ANGLE))

    def history(self, law: str, step: float) -> coupling.History:
        times = np.arange(round(1.6 / step) + 1) * step
        with Stepped(FMU[law]) as left, Stepped(FMU[law]) as right:
            return coupling.iterated(car_model.system(self.TURNS), [left, right], times)

    def test_a_steady_turn_on_springs_is_the_one_of_the_formula(self) -> None:
        history = steering.turned_once(FMU["spring"])
        rate, toe = car_model.settled(car_model.Car(), SPRING, ANGLE)
        # What is left of the swing after six seconds.
        self.assertAlmostEqual(history.v[-1, YAW] / rate, 1, delta=1e-7)
        self.assertAlmostEqual(history.q[-1, TOE] / toe, 1, delta=1e-7)

    def test_both_bushings_carry_the_same_load(self) -> None:
        for law in ("rt", "sts"):
            # Two instances of one library; the laws are odd, up to rounding.
            self.assertLess(np.abs(self.history(law, 4e-3).force.sum(axis=1)).max(), 1e-12)

    def test_co_simulation_comes_to_model_exchange(self) -> None:
        kinks = [t for turn in self.TURNS for t in (turn.start, turn.start + car_model.RAMP)]
        times = np.arange(81) * 0.02
        with Rates(FMU["rt"]) as left, Rates(FMU["rt"]) as right:
            exact = coupling.exchange(car_model.system(self.TURNS), [left, right], times, kinks)
        errors = [relative(self.history("rt", h).q[:: round(0.02 / h), TOE], exact.q[:, TOE]) for h in (2e-3, 1e-3)]
        self.assertLess(errors[0], 2e-4)
        # 4 at second order.
        self.assertAlmostEqual(errors[0] / errors[1], 4, delta=0.5)
        print(f"car, Co-Simulation against Model Exchange: {errors}")

    def test_exudyn_steers_alike(self) -> None:
        step = 2e-3
        for law in ("rt", "sts"):
            with Stepped(FMU[law]) as left, Stepped(FMU[law]) as right:
                theirs = exudyn_car.toe(self.TURNS, [left, right], step, 1.6)
            error = relative(theirs, self.history(law, step).q[:, TOE])
            # The tolerance of Exudyn's Newton iteration.
            self.assertLess(error, 1e-6)
            print(f"car with {law}, Exudyn: {error:.1e}")


class Steering(unittest.TestCase):
    """Figures 8 and 9 of the paper."""

    def test_only_the_rate_dependent_bushing_relaxes(self) -> None:
        falls = {law: steering.drift(steering.turned_once(FMU[law]), 1.5, 6.0) for law in steering.LAWS}
        # From 1.5 s on the car is settled: what still changes does so by relaxation.
        self.assertGreater(falls["rt"], 0.01)
        for law in ("sts", "spring"):
            # What is left of the swing of the car.
            self.assertLess(abs(falls[law]), 1e-4)
        print(f"load falls by {falls}")

    def test_the_memory_of_the_first_turn_fades_with_rate_dependence_alone(self) -> None:
        waits = (2.0, 8.0, 32.0)
        gaps = {law: [] for law in steering.LAWS}
        for law, found in gaps.items():
            for wait in waits if law == "rt" else waits[:2]:
                same, opposite = steering.memory(FMU[law], wait)
                found.append(opposite.load - same.load)
        # A spring has no memory; 1e-3 N of some 300 N is what is left of the swing after two seconds.
        self.assertLess(max(map(abs, gaps["spring"])), 1e-3)
        # Rate-independent: the second turn remembers the first for ever, and that is a quarter of the load it adds.
        self.assertGreater(gaps["sts"][0], 50)
        self.assertAlmostEqual(gaps["sts"][0], gaps["sts"][1], delta=1e-3)
        # Rate-dependent: power-law dashpots relax as t^(-alpha/(1 - alpha)), so fourfold waiting leaves 89 %.
        fading = [late / early for early, late in zip(gaps["rt"], gaps["rt"][1:])]
        alpha = 0.075
        for share in fading:
            self.assertAlmostEqual(share, 4 ** (-alpha / (1 - alpha)), delta=0.02)
        print(f"opposite less same (N): {gaps}; fourfold waiting leaves {fading}")

    def test_more_of_the_load_relaxes_after_a_turn_back(self) -> None:
        same, opposite = steering.memory(FMU["rt"], 2.0)
        # Of the load that then acts; turned back, most of that is memory.
        self.assertGreater(opposite.relaxed, 3 * same.relaxed)
        # The toe: the second turn has less effect backwards, where the bushing is stiffer at first.
        self.assertGreater(same.toe, 1.1 * opposite.toe)
        print(f"relaxed of the load: same {same.relaxed:.4f}, opposite {opposite.relaxed:.4f};",
              f"toe {np.degrees(same.toe):.4f}, {np.degrees(opposite.toe):.4f} deg")


if __name__ == "__main__":
    unittest.main(verbosity=1)
