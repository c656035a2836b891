//! `masing export`: files that are whole, checks that are told, complaints that help.

mod bench;

use bench::Bench;
use serde_json::Value;

const BUSHING: &str = include_str!("../../../bindings/c/examples/bushing.toml");

/// A bench with a model and something in the place of the library.
fn bench(model: &str) -> Bench {
    let bench = Bench::new();
    bench.write("model.toml", model);
    bench.write(
        "libmasing_c.so",
        "not a library, but nobody looks inside here",
    );
    bench
}

#[test]
fn an_fmu_and_its_check_are_written() {
    let bench = bench(BUSHING);
    let told = bench
        .run("export model.toml --to fmu3 --out bushing.fmu --libraries .")
        .succeeds();
    for words in [
        "rubber bushing, radial",
        "Linux x86-64",
        "Model Exchange, Co-Simulation",
        "-1 mm to 1 mm",
        "30 mm/s",
        "1 to 5 Hz",
        "export check",
        "does not run on Windows x86-64: masing_c.dll was not found",
    ] {
        assert!(told.contains(words), "`{words}` is missing: {told}");
    }
    let check: Value = serde_json::from_str(&bench.read("export-check.json")).unwrap();
    assert_eq!(check["schema"], "masing.export/1");
    assert_eq!(check["libraries"], serde_json::json!(["Linux x86-64"]));
    assert_eq!(check["missing"][0]["library"], "masing_c.dll");
    assert_eq!(check["validity"]["speed"], 0.03);
    assert_eq!(check["check"]["same_motion"], 0.0);
    let steps = check["check"]["steps"].as_array().unwrap();
    let worst = |i: usize| steps[i]["difference"].as_f64().unwrap();
    // Coarse steps cost accuracy, fine ones do not.
    assert!(worst(0) > 1e-3 && worst(steps.len() - 1) < 1e-4);

    let first = std::fs::read(bench.path("bushing.fmu")).unwrap();
    assert!(first.starts_with(b"PK\x03\x04"));
    bench
        .run("export model.toml --to fmu3 --out bushing.fmu --libraries .")
        .succeeds();
    assert_eq!(std::fs::read(bench.path("bushing.fmu")).unwrap(), first);
}

#[test]
fn sub_steps_and_lack_of_model_exchange_are_told() {
    let bench = bench(
        "schema = \"masing.model/1\"\n[[element]]\ntype = \"sts\"\nk0 = 2e5\nkpa = 8e5\nkr = 3e6\nff = 18.0\n",
    );
    let told = bench
        .run("export model.toml --to fmu2 --out chain.fmu --libraries .")
        .succeeds();
    assert!(told.contains("no Model Exchange: `sts`"), "{told}");
    assert!(told.contains("the model has no [validity]"), "{told}");
}

#[test]
fn complaints_name_what_is_missing() {
    let bench = Bench::new();
    bench.write("model.toml", BUSHING);
    let message = bench
        .run("export model.toml --to fmu3 --out bushing.fmu --libraries .")
        .fails(2);
    for words in ["libmasing_c.so", "masing_c.dll", "cargo xtask dist"] {
        assert!(message.contains(words), "{message}");
    }
    assert_eq!(bench.files(), ["model.toml"]);
    bench.write(
        "model.toml",
        "schema = \"masing.model/1\"\n[[element]]\ntype = \"spring\"\nk = 1.0\n[system]\n\
         type = \"oscillator\"\nm = 1.0\nc = 0.0\nk = 1.0\nx0 = 0.0\nv0 = 0.0\n",
    );
    let message = bench
        .run("export model.toml --to fmu3 --out bushing.fmu --libraries .")
        .fails(2);
    assert!(
        message.contains("model.toml") && message.contains("masses"),
        "{message}"
    );
    bench
        .run("export model.toml --to fmu4 --out bushing.fmu")
        .fails(2);
    bench
        .run("export nothing.toml --to fmu3 --out bushing.fmu")
        .fails(2);
}
