"""Results are those of the program, bit for bit, and so are the words of its errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import PROGRAM, Run, without_seconds

import masing


def same(result: masing.Result, printed: str) -> None:
    assert without_seconds(result.json) == without_seconds(printed)


def test_fit(program: Run, examples: Path) -> None:
    files = [examples / "bushing/triangle.csv", examples / "bushing/sine-1mm-1Hz.csv"]
    held = examples / "bushing/step.csv"
    words = ["--model", "rt", "--cells", 5, "--fix", "rt.alpha=0.1", "--validate", held]
    printed = program("fit", *files, *words)
    result = masing.fit(files, "rt", cells=5, fix={"rt.alpha": 0.1}, validate=held)
    same(result, printed)
    assert result.converged and result.failure is None
    assert result.parameters["rt.alpha"].status == "fixed"
    assert result.parameters["rt.k0"].value == result.to_dict()["parameters"]["rt.k0"]["value"]


def test_fit_of_a_study(program: Run, examples: Path) -> None:
    study = examples / "joint/study.toml"
    same(masing.fit(study), program("fit", study))


def test_files_that_were_read_are_fitted_as_files(program: Run, examples: Path) -> None:
    file = examples / "joint/medium.csv"
    printed = program("fit", file, "--model", "dahl", "--window", "stabilised")
    test = masing.read(file, window="stabilised")
    same(masing.fit(test, "dahl"), printed)


def test_folder_of_results(program: Run, examples: Path, tmp_path: Path) -> None:
    file = examples / "joint/medium.csv"
    program("fit", file, "--model", "dahl", "--out", tmp_path / "a")
    result = masing.fit(file, "dahl", out=tmp_path / "b")
    for name in ("model.toml", "summary.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    result.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == (tmp_path / "b/report.html").read_text()
    assert "masing.fit" in (tmp_path / "page.html").read_text()
    masing.save(result.model, tmp_path / "again.toml")
    assert (tmp_path / "again.toml").read_bytes() == (tmp_path / "a/model.toml").read_bytes()


def test_validate(program: Run, examples: Path) -> None:
    model, files = examples / "bushing/model.toml", [examples / "bushing/triangle.csv", examples / "bushing/kdyn.csv"]
    printed = program("validate", model, *files)
    same(masing.validate(model, files), printed)
    same(masing.validate(masing.load(model), files), printed)


def test_compare_for_a_motion(program: Run, examples: Path) -> None:
    files = [examples / f"joint/{name}.csv" for name in ("small", "medium", "large")]
    printed = program("compare", *files, "--models", "jenkins,dahl", "--for", files[0])
    result = masing.compare(files, models="jenkins,dahl", target=files[0])
    same(result, printed)
    time = np.linspace(0.0, 20.0, 400)
    motion = masing.Test(name="job", time=time, displacement=2e-5 * np.sin(time))
    assert masing.compare(files, models=["dahl"], target=motion).to_dict()["target"]["name"] == "job"


def test_inspect(program: Run, examples: Path) -> None:
    files = [examples / "bushing/triangle.csv", examples / "bushing/kdyn.csv"]
    same(masing.inspect(files), program("inspect", *files))


def test_terms(program: Run, examples: Path) -> None:
    file, held = examples / "metal-rubber/sine-1mm-10Hz.csv", examples / "metal-rubber/steady.csv"
    printed = program("terms", file, "--validate", held, "--preload", "2.2mm", "--degree", 6)
    same(masing.terms(file, validate=held, preload="2.2mm", degree=6), printed)


def test_stages(program: Run, examples: Path) -> None:
    slow, fast = examples / "clutch/slow.csv", examples / "clutch/step.csv"
    same(masing.stages(slow), program("stages", slow))
    printed = program("stages", slow, "--dynamic", fast, "--inertia", 0.25)
    same(masing.stages(slow, dynamic=masing.read(fast), inertia=0.25), printed)


def test_harmonic(program: Run, examples: Path) -> None:
    model = examples / "bushing/model.toml"
    printed = program("harmonic", model, "--amplitude", "0.0001,0.0002", "--frequency", "10..20Hz", "--points", 2)
    result = masing.harmonic(model, [1e-4, 2e-4], "10..20Hz", points=2)
    same(result, printed)
    assert result.arrays("points")["dynamic_stiffness"].shape == (4,)


@pytest.mark.parametrize("model, drive, option", [
    ("bushing/model.toml", "bushing/sine.csv", "--motion"),
    ("oscillator/model.toml", "oscillator/sweep.csv", "--load"),
])
def test_simulate(program: Run, examples: Path, tmp_path: Path, model: str, drive: str, option: str) -> None:
    out = tmp_path / "out.csv"
    printed = program("simulate", examples / model, option, examples / drive)
    program("simulate", examples / model, option, examples / drive, "--out", out)
    result = masing.simulate(examples / model, examples / drive)
    assert result.json.strip() == printed.strip()
    written = np.genfromtxt(out, delimiter=",", skip_header=1)
    assert np.array_equal(written, np.column_stack(list(result.histories.values())))


def test_export(program: Run, examples: Path, tmp_path: Path) -> None:
    model = examples / "bushing/model.toml"
    printed = program("export", model, "--to", "fmu3", "--out", tmp_path / "bushing.fmu")
    written = (tmp_path / "bushing.fmu").read_bytes()
    libraries = Path(PROGRAM).parent
    same(masing.export(model, tmp_path / "bushing.fmu", libraries=libraries), printed)
    assert (tmp_path / "bushing.fmu").read_bytes() == written


def test_models(program: Run) -> None:
    same(masing.models(), program("models"))
    same(masing.models("rt"), program("models", "rt"))


def test_errors_have_the_same_words(program: Run, examples: Path, tmp_path: Path) -> None:
    triangle = examples / "bushing/triangle.csv"
    damaged = tmp_path / "damaged.toml"
    damaged.write_text('schema = "masing.model/1"\n[[element]]\ntype = "rt"\nk0 = "stiff"\n')
    wrong = tmp_path / "wrong.csv"
    data = np.genfromtxt(triangle, delimiter=",", skip_header=1)
    np.savetxt(wrong, data * [1, 1, -1], delimiter=",", header="time,displacement,force", comments="")
    cases: list[tuple[list[object], Callable[[], object]]] = [
        (["fit", "none.csv", "--model", "rt"], lambda: masing.fit("none.csv", "rt")),
        (["fit", "--model=rtt", triangle], lambda: masing.fit(triangle, "rtt")),
        (["fit", "--model=rt", "--fix=rt.none=1", triangle], lambda: masing.fit(triangle, "rt", fix={"rt.none": 1})),
        (["fit", "--model=dahl", wrong], lambda: masing.fit(wrong, "dahl")),
        (["fit", "--model=rt", "--threads=0", triangle], lambda: masing.fit(triangle, "rt", threads=0)),
        (["models", "dahll"], lambda: masing.models("dahll")),
        (["inspect", "--columns=force=none", triangle], lambda: masing.inspect(triangle, columns={"force": "none"})),
        (["validate", damaged, triangle], lambda: masing.validate(damaged, triangle)),
        (["harmonic", damaged, "--amplitude=1mm", "--frequency=1"], lambda: masing.load(damaged)),
        (["stages", triangle, "--stages=x"], lambda: masing.stages(triangle, stages="x")),
        (["terms", triangle, "--preload=fast"], lambda: masing.terms(triangle, preload="fast")),
    ]
    for words, call in cases:
        told = program(*words, code=2).strip()
        with pytest.raises(masing.InputError) as caught:
            call()
        assert f"error: {caught.value}" == told, words
        assert isinstance(caught.value, masing.Error)


def test_a_result_that_cannot_be_trusted_is_no_exception(examples: Path) -> None:
    study = examples / "joint/study.toml"
    result = masing.fit(study, progress=lambda evaluations, error: True)
    assert not result.converged
    assert result.failure is not None and "did not settle" in result.failure
    assert result.stop == "interrupted"


def test_options_that_there_are_not_are_named(examples: Path) -> None:
    triangle = examples / "bushing/triangle.csv"
    with pytest.raises(masing.InputError, match="unknown field `modle`, expected one of `fix`"):
        masing.fit(triangle, modle="rt")  # type: ignore[call-arg]
    with pytest.raises(masing.InputError, match="expected u64"):
        masing.fit(triangle, "rt", seed="x")  # type: ignore[arg-type]


def test_values_may_have_units_and_lists_may_be_texts(examples: Path) -> None:
    file = examples / "joint/medium.csv"
    result = masing.fit(file, "dahl", fix={"dahl.fc": "0.1kN"}, columns="time=time", nuisance="force-offset")
    assert result.parameters["dahl.fc"].value == 100.0
