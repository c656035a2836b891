"""Arrays in and out."""

from __future__ import annotations

import copy
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import masing
from masing import Test


def loop(cycles: int = 2, samples: int = 400) -> tuple[np.ndarray, np.ndarray]:
    time = np.linspace(0.0, float(cycles), cycles * samples + 1)
    return time, 1e-3 * np.sin(2.0 * np.pi * time)


def test_read_gives_si(examples: Path) -> None:
    test = masing.read(examples / "bushing/triangle.csv")
    assert test.units == {"time": "s", "displacement": "m", "force": "N"}
    assert test.time.dtype == np.float64 and test.time.shape == test.force.shape
    assert 0.9e-3 < np.max(test.displacement) < 1.1e-3
    assert test["force"] is test.data["force"]
    with pytest.raises(AttributeError, match="has no torque"):
        _ = test.torque
    table = masing.read(examples / "bushing/kdyn.csv")
    assert set(table.data) == {"frequency", "amplitude", "stiffness", "loss_angle"}


def test_columns_and_units_can_be_said(examples: Path, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a;b;c\n0;0;0\n1;2;0.5\n2;1;0.25\n3;0;0\n")
    test = masing.read(
        tmp_path / "a.csv",
        columns={"time": "a", "displacement": "b", "force": "c"},
        units={"displacement": "mm", "force": "kN"},
    )
    assert np.allclose(test.displacement, [0, 2e-3, 1e-3, 0], rtol=1e-15)
    assert np.allclose(test.force, [0, 500, 250, 0], rtol=1e-15)


def test_arrays_are_fitted_as_their_file_is(examples: Path) -> None:
    file = examples / "joint/medium.csv"
    read = masing.read(file)
    arrays = Test(time=read.time, displacement=read.displacement, force=read.force, name="medium")
    of_file, of_arrays = masing.fit(file, "dahl"), masing.fit(arrays, "dahl")
    assert of_file["parameters"] == of_arrays["parameters"]
    assert of_file["experiments"] == of_arrays["experiments"]


def test_what_is_said_about_arrays_counts(examples: Path) -> None:
    tests = []
    for name, role in (("medium", "fit"), ("large", "validate")):
        read = masing.read(examples / f"joint/{name}.csv")
        columns = {"time": read.time, "displacement [mm]": 1e3 * read.displacement, "force": -read.force}
        tests.append(Test(columns, name=name, role=role, flip=["force"], start="free"))
    result = masing.fit(tests, "dahl")
    assert [(test["name"], test["role"], test["start"]) for test in result.experiments] == [
        ("medium", "fit", "free"),
        ("large", "validate", "free"),
    ]
    assert result.experiments[0]["relative_misfit"] < 0.1


def test_curves_of_a_fit(examples: Path) -> None:
    result = masing.fit([examples / "joint/medium.csv"], "dahl", validate=examples / "joint/large.csv")
    curve = result.tests["medium"]
    assert curve.role == "fit" and result.tests["large"].role == "validate"
    assert curve.time.shape == curve.force.shape == curve.force_model.shape == curve["displacement"].shape
    kept = np.isfinite(curve.force)
    relative = np.linalg.norm((curve.force_model - curve.force)[kept]) / np.linalg.norm(curve.force[kept])
    assert relative == pytest.approx(result.experiments[0]["relative_misfit"], rel=0.05)
    parameter = result.parameters["dahl.sigma"]
    assert parameter.ci95 is not None and parameter.ci95[0] < parameter.value < parameter.ci95[1]
    assert parameter.unit == "N/m" and parameter.std_error is not None
    assert "dahl.sigma" in str(result)
    assert result.model["dahl.sigma"] == parameter.value


def test_a_model_is_a_start(examples: Path) -> None:
    start = masing.model("dahl", sigma=1e7, fc=100.0)
    file = examples / "joint/medium.csv"
    found = masing.fit(file, masing.fit(file, start).model)
    assert found.converged


def test_models_by_name_copy_and_pickle() -> None:
    model = masing.model("rt", cells=4, k0=2e5)
    assert model.elements == [("rt", "rt")] and len(model.states) >= 4
    assert model["rt.k0"] == 2e5 and model.units["rt.k0"] == "N/m"
    assert pickle.loads(pickle.dumps(model)) == model == copy.copy(model) == masing.loads(model.to_toml())
    other = model.with_values({"rt.k0": 3e5})
    assert other["rt.k0"] == 3e5 and other != model and hash(other) != hash(model)
    both = masing.model("spring+dashpot", **{"dashpot.c": 300.0})
    assert both["dashpot.c"] == 300.0
    with pytest.raises(masing.InputError, match="known"):
        masing.model("rtt")
    with pytest.raises(masing.InputError, match="kk"):
        masing.model("spring", kk=1.0)
    with pytest.raises(masing.InputError):
        masing.model("spring", k=-1e30)
    with pytest.raises(KeyError):
        _ = model["rt.none"]


@pytest.mark.parametrize("kind", [element["name"] for element in masing.models()["elements"]])
def test_every_element_simulates_and_steps(kind: str) -> None:
    model = masing.model(kind)
    time, x = loop(1)
    run = masing.simulate(model, time, x)
    force = run.torque if model.motion == "rotation" else run.force
    assert force.shape == time.shape and np.all(np.isfinite(force))
    stepper = masing.Stepper(model)
    stepper.step(0.0, x[0])
    early = [stepper.step(time[i] - time[i - 1], x[i]) for i in range(1, 50)]
    kept = stepper.state
    later = [stepper.step(time[i] - time[i - 1], x[i]) for i in range(50, 100)]
    stepper.state = kept
    assert later == [stepper.step(time[i] - time[i - 1], x[i]) for i in range(50, 100)]
    assert np.all(np.isfinite(early))


def test_steps_are_those_of_simulate(examples: Path) -> None:
    model = masing.load(examples / "bushing/model.toml")
    time, x = loop()
    slopes = np.gradient(x, time)
    run = masing.simulate(model, time, x, velocity=slopes, accuracy=1e-7)
    stepper = masing.Stepper(model)
    stepper.step(0.0, x[0], slopes[0])
    forces = [stepper.step(time[i] - time[i - 1], x[i], slopes[i]) for i in range(1, len(time))]
    # The stepper keeps the usual sub-steps of a model without its own; the accuracy of those is 1e-4.
    assert np.allclose(forces, run.force[1:], atol=1e-3 * np.max(np.abs(run.force)))
    assert stepper.displacement == x[-1] and stepper.work > 0.0 and not stepper.outside_validity


def test_a_response_goes_on_where_it_was_left(examples: Path) -> None:
    model = masing.load(examples / "joint/model.toml")
    time, x = loop()
    v = 2e-3 * np.pi * np.cos(2.0 * np.pi * time)
    whole = masing.simulate(model, time, x, velocity=v, accuracy=1e-6)
    half = len(time) // 2
    first = masing.simulate(model, time[: half + 1], x[: half + 1], velocity=v[: half + 1], accuracy=1e-6)
    second = masing.simulate(model, time[half:], x[half:], velocity=v[half:], accuracy=1e-6, state=first.state)
    assert np.allclose(second.force, whole.force[half:], atol=1e-5 * np.max(np.abs(whole.force)))


def test_masses_under_loads(examples: Path) -> None:
    model = masing.load(examples / "oscillator/model.toml")
    drive = masing.read(examples / "oscillator/sweep.csv")
    of_file = masing.simulate(model, examples / "oscillator/sweep.csv")
    load = drive.data.get("load")
    base = drive.data.get("base_acceleration")
    of_arrays = masing.simulate(model, drive.time, load=load, base_acceleration=base)
    assert np.array_equal(of_file.acceleration, of_arrays.acceleration)
    assert model.system == "oscillator"


def test_derivatives_against_central_differences() -> None:
    model = masing.model("rt", cells=5)
    time, x = loop(1, 200)
    measured = masing.simulate(model, time, x).force * 1.1
    # The sub-steps are kept, so that only the parameter changes.
    fixed = masing.loads(model.to_toml() + "\n[numerics]\nincrement = 2e-5\nmax_dt = 1e-3\n")
    slopes, down = masing.jacobian(fixed, time, x), masing.gradient(fixed, time, x, measured)
    assert slopes.parameters == down.parameters == list(model.parameters)

    def run(value: dict[str, float]) -> np.ndarray:
        return np.asarray(masing.simulate(fixed.with_values(value), time, x).force)

    for address, value in fixed.parameters.items():
        step = 1e-5 * max(abs(value), 1e-3)
        high, low = run({address: value + step}), run({address: value - step})
        central = (high - low) / (2.0 * step)
        # Central differences are good to the square of the step over the curvature.
        assert np.allclose(slopes[address], central, atol=1e-5 * np.max(np.abs(central)) + 1e-9), address
        loss = (np.sum((high - measured) ** 2) - np.sum((low - measured) ** 2)) / (4.0 * step)
        assert down[address] == pytest.approx(loss, rel=1e-4, abs=1e-6 * down.loss), address
    assert down.loss == pytest.approx(0.5 * np.sum((slopes.force - measured) ** 2), rel=1e-12)
    one = masing.jacobian(fixed, time, x, parameters=["rt.k0"])
    assert np.array_equal(one.values[:, 0], slopes["rt.k0"])


def test_arrays_that_cannot_be_used() -> None:
    model = masing.model("spring")
    time, x = loop(1, 10)
    bad = x.copy()
    bad[3] = np.nan
    backwards = time.copy()
    backwards[4] = 0.0
    for call in (
        lambda: masing.simulate(model, time, x[:-1]),
        lambda: masing.simulate(model, time, bad),
        lambda: masing.simulate(model, backwards, x),
        lambda: masing.simulate(model, time.reshape(1, -1), x),
        lambda: masing.simulate(model, time[:1], x[:1]),
        lambda: masing.simulate(model, time, x, accuracy=-1.0),
        lambda: masing.simulate(model, time, x, state=[1.0, 2.0]),
        lambda: masing.gradient(model, time, x, x[:-1]),
        lambda: masing.jacobian(model, time, x, parameters=["spring.none"]),
        lambda: masing.Stepper(model).step(-1.0, 0.0),
        lambda: masing.Stepper(model).step(0.1, float("nan")),
        lambda: setattr(masing.Stepper(model), "state", np.zeros(2)),
        lambda: masing.fit(Test(time=time, displacement=x), "spring"),
        lambda: masing.fit(Test(time=time, displacement=x, force=x, begins="rest"), "spring"),
        lambda: Test(name="empty"),
        lambda: model.with_values({"spring.k": [1.0, 2.0]}),
    ):
        with pytest.raises(masing.InputError):
            call()


def test_plot(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [examples / "bushing/kdyn.csv", examples / "bushing/triangle.csv"]
    result = masing.fit(files, "rt", cells=3, no_scan=True, fix={"rt.alpha": 0.1})
    figure = result.plot()
    assert [axes.get_title() for axes in figure.axes] == ["kdyn", "triangle"]
    assert figure.axes[1].get_xlabel() == "displacement [mm]"
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(masing.Error, match="matplotlib"):
        result.plot()
