//! `report.html` of `masing fit`: everything that people ask for is on the page, and nothing is fetched.

mod bench;

use bench::{Bench, root};
use serde_json::Value;

/// Tests of the bushing example: a record and a table to fit, a record to predict.
fn tests() -> Bench {
    let bench = Bench::new();
    for name in ["sine-0.3mm-1Hz.csv", "kdyn.csv", "sine-0.3mm-10Hz.csv"] {
        let path = root().join("examples/bushing").join(name);
        bench.write(name, &std::fs::read_to_string(path).unwrap());
    }
    bench.write(
        "study.toml",
        r#"
schema = "masing.study/1"
[part]
number = "4711 <A> & \"B\""
direction = "radial"
[[model.element]]
type = "rt"
cells = 5
[[experiment]]
name = "sine"
file = "sine-0.3mm-1Hz.csv"
nuisance = { force-offset = true }
[[experiment]]
name = "supplier table"
file = "kdyn.csv"
amplitude = "zero-to-peak"
[[experiment]]
name = "fast sine"
file = "sine-0.3mm-10Hz.csv"
role = "validate"
"#,
    );
    bench
}

/// What the pictures of a page are drawn from.
fn pictures(page: &str) -> Vec<Value> {
    let (_, rest) = page.split_once("id=\"pictures\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

/// Text between the headings of a section.
fn section<'a>(page: &'a str, title: &str) -> &'a str {
    let (_, rest) = page
        .split_once(&format!("<h2>{title}</h2>"))
        .unwrap_or_else(|| panic!("no section `{title}`"));
    rest.split_once("</section>").unwrap().0
}

#[test]
fn the_page_says_it_all() {
    let bench = tests();
    bench.run("fit study.toml --out result --quiet").succeeds();
    let page = bench.read("result/report.html");
    assert!(page.len() < 1_000_000, "{}", page.len());
    // Nothing of the machine or the clock: the same run writes the same page.
    bench.run("fit study.toml --out result --quiet").succeeds();
    assert_eq!(page, bench.read("result/report.html"));

    // The only character that is escaped without need.
    let page = page.replace("&#x2f;", "/");
    let result = section(&page, "Result");
    assert!(result.contains("class=\"verdict"), "{result}");
    assert!(
        result.contains("<code>fast sine</code>, which was held out"),
        "{result}"
    );
    assert!(
        result.contains("4711 &lt;A&gt; &amp; &quot;B&quot;"),
        "{result}"
    );
    let parameters = section(&page, "Parameters");
    for word in ["rt.alpha", "N/mm", "sine force offset", "95 % interval"] {
        assert!(parameters.contains(word), "{word}: {parameters}");
    }
    let errors = section(&page, "Errors");
    assert_eq!(errors.matches("held out").count(), 1, "{errors}");
    assert!(section(&page, "Test: supplier table").contains("loss angle"));
    assert!(section(&page, "Dynamic stiffness of the model").contains("Circles are rows"));
    assert!(section(&page, "Data").contains("read from kdyn.csv"));
    let run = section(&page, "What was run");
    for word in [
        "masing fit study.toml --out result",
        "seed",
        env!("CARGO_PKG_VERSION"),
        "k0 =",
        "kdyn.csv",
        "study.toml",
    ] {
        assert!(run.contains(word), "{word}: {run}");
    }
    let hashes = run
        .split(|c: char| !c.is_ascii_hexdigit())
        .filter(|word| word.len() == 64);
    assert_eq!(hashes.count(), 4, "the study and its three files");
    let expert = section(&page, "Statistics for experts");
    for word in ["chi2", "lag1", "condition", "Weakest direction"] {
        assert!(expert.contains(word), "{word}: {expert}");
    }
    // Statistics are for those who unfold them.
    let open = page.split("<details>").next().unwrap();
    assert!(!open.contains("chi2") && !open.contains("lag1"));
}

#[test]
fn a_validation_has_the_same_page() {
    let bench = tests();
    let model = root().join("examples/bushing/model.toml");
    bench.write("model.toml", &std::fs::read_to_string(model).unwrap());
    let run = "validate model.toml sine-0.3mm-1Hz.csv kdyn.csv --out result";
    // Whole or not at all.
    bench.write("taken", "");
    let refused = run.replace("result", "taken");
    assert!(bench.run(&refused).fails(2).contains("taken"));
    let broken = run.replace("kdyn.csv", "nowhere.csv");
    bench.run(&broken).fails(2);
    assert!(!bench.files().contains(&"result".to_owned()));
    let text = bench.run(run).succeeds();
    assert!(
        text.contains("written: validate.json, report.html in result"),
        "{text}"
    );
    let json: Value = serde_json::from_str(&bench.read("result/validate.json")).unwrap();
    let mut keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(keys, ["experiments", "model", "schema", "warnings"]);
    let page = bench.read("result/report.html").replace("&#x2f;", "/");
    let result = section(&page, "Result");
    assert!(result.contains("predicts the 2 tests"), "{result}");
    assert!(section(&page, "Errors").contains("kdyn"));
    assert!(section(&page, "Test: kdyn").contains("loss angle"));
    assert!(section(&page, "Data").contains("read from kdyn.csv"));
    let run = section(&page, "What was run");
    for word in ["masing validate model.toml", "kdyn.csv", "k0 ="] {
        assert!(run.contains(word), "{word}: {run}");
    }
    assert!(!page.contains("fitted to") && !page.contains("Parameters</h2>"));
    let kinds: Vec<Value> = pictures(&page).iter().map(|p| p["kind"].clone()).collect();
    assert!(kinds.iter().any(|kind| kind == "bars"), "{kinds:?}");
    // Loop, force and residual of the record.
    let plots = kinds.iter().filter(|kind| *kind == "plot").count();
    assert!(plots >= 3, "{kinds:?}");
}

#[test]
fn every_picture_has_its_data() {
    let bench = tests();
    bench.run("fit study.toml --out result --quiet").succeeds();
    let pictures = pictures(&bench.read("result/report.html"));
    let of = |kind: &str| -> Vec<&Value> {
        let all = pictures.iter().filter(|p| p["kind"] == kind);
        all.map(|p| &p["content"]).collect()
    };
    let [intervals] = of("intervals")[..] else {
        panic!("one picture of intervals")
    };
    assert_eq!(intervals["rows"].as_array().unwrap().len(), 5);
    for row in intervals["rows"].as_array().unwrap() {
        let ends = row["ratio"].as_array().unwrap();
        assert!(
            ends[0].as_f64() < Some(1.0) && ends[1].as_f64() > Some(1.0),
            "{row}"
        );
    }
    let [bars] = of("bars")[..] else {
        panic!("one picture of errors")
    };
    let marked: Vec<&Value> = bars["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| &r["marked"])
        .collect();
    assert_eq!(marked, [false, false, true]);
    let [matrix] = of("matrix")[..] else {
        panic!("one picture of correlations")
    };
    // Five parameters and an offset.
    assert_eq!(matrix["names"].as_array().unwrap().len(), 6);
    let values = matrix["values"].as_array().unwrap();
    assert_eq!(values.len(), 36);
    assert!(
        values
            .iter()
            .all(|v| v.as_f64().unwrap().abs() <= 1.0 + 1e-9)
    );
    let titles: Vec<&str> = of("plot")
        .iter()
        .map(|p| p["title"].as_str().unwrap())
        .collect();
    for title in [
        "Loop, sine",
        "Force over time, sine",
        "Force, model minus measured, sine",
        "Dynamic stiffness, supplier table",
        "Loss angle, supplier table",
        "Loop, fast sine",
        "Dynamic stiffness, model",
        "Loss angle, model",
        "Convergence",
        "Singular values of the Jacobian",
    ] {
        assert!(titles.contains(&title), "{title}: {titles:?}");
    }
    for plot in of("plot") {
        for trace in plot["traces"].as_array().unwrap() {
            assert!(trace["y"]["data"].as_str().unwrap().len() > 4, "{plot}");
        }
    }
}

#[test]
fn a_poor_model_is_said_to_be_one() {
    let bench = tests();
    bench
        .run("fit sine-0.3mm-1Hz.csv --model dashpot --out result --quiet")
        .fails(3);
    let page = bench.read("result/report.html");
    let result = section(&page, "Result");
    assert!(result.contains("verdict look"), "{result}");
    assert!(result.contains("does not describe the tests"), "{result}");
    assert!(result.contains("No test was held out"), "{result}");
}
