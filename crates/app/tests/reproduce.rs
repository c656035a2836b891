//! `masing reproduce`: text, JSON, the page, bad use. The numbers are tested in `crates/papers`.

mod bench;

use bench::{Bench, Json as _};

#[test]
fn text_json_and_page_say_the_same() {
    let bench = Bench::new();
    let json = bench.run("reproduce metal-rubber --json --out page.html");
    let json = json.succeeds().json();
    assert_eq!(json["schema"], "masing.reproduce/1");
    assert_eq!(json["paper"], "metal-rubber");
    assert_eq!(json["out"], "page.html");
    let text = bench.run("reproduce metal-rubber").succeeds();
    let page = bench.read("page.html");
    let parts = json["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 7);
    for part in parts {
        let title = part["title"].as_str().unwrap();
        assert!(page.contains(title) && text.contains(title), "{title}");
        let columns = part["columns"].as_array().unwrap().len();
        for row in part["rows"].as_array().unwrap() {
            assert!(row["values"].as_array().unwrap().len() <= columns, "{row}");
            assert!(text.contains(row["label"].as_str().unwrap()), "{row}");
        }
    }
    assert!(page.contains("not public"));
}

#[test]
fn bad_use_is_refused() {
    let bench = Bench::new();
    let message = bench.run("reproduce bushings").fails(2);
    assert!(message.contains("bushing"), "{message}");
    // Said before the work is done, not after it.
    let message = bench
        .run("reproduce bushing --out nowhere/page.html")
        .fails(2);
    assert!(message.contains("nowhere/page.html"), "{message}");
    let message = bench.run("reproduce bouc-wen-benchmark").fails(2);
    assert!(message.contains("--train"), "{message}");
    let message = bench.run("reproduce bushing --train x.h5").fails(2);
    assert!(message.contains("bouc-wen-benchmark"), "{message}");
    assert!(bench.files().is_empty());
}
