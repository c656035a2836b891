//! What importers read of an FMU, so that changes of it are seen in review.
//!
//! The expected files are in `descriptions/`; `MASING_RENEW=1 cargo test -p masing-export --test descriptions` writes
//! them anew.

use masing_export::fmu::{Fmu, Version};
use masing_model::file;
use std::path::{Path, PathBuf};

/// A chain with validity and sub-steps; sliders and a polynomial; stages in rotation; whole steps only.
const MODELS: [(&str, &str); 4] = [
    (
        "bushing",
        include_str!("../../../bindings/c/examples/bushing.toml"),
    ),
    (
        "metal-rubber",
        "schema = \"masing.model/1\"\nname = \"ring of <metal> & rubber\"\n\
         [[element]]\ntype = \"polynomial-spring\"\nk1 = 1.0e5\nk3 = -2.0e9\nk5 = 3.0e14\nx0 = 0.0\n\
         [[element]]\ntype = \"polynomial-dashpot\"\nc1 = 20.0\nc3 = 0.0\nc5 = 1.0\n\
         [[element]]\ntype = \"jenkins\"\nks = 6.0e4\nzs = 20.0\n",
    ),
    (
        "clutch",
        "schema = \"masing.model/1\"\n[[element]]\ntype = \"staged\"\n\
         angles = [-0.5, -0.1, 0.1, 0.5]\ntorques = [-60.0, 0.0, 0.0, 60.0]\nfriction = [2.0, 1.0, 1.0, 2.0]\n\
         viscous = [0.0, 0.0, 0.0, 0.0]\neta = 10.0\n",
    ),
    (
        "chain",
        "schema = \"masing.model/1\"\n[[element]]\ntype = \"sts\"\ncells = 3\n\
         k0 = 2.0e5\nkpa = 8.0e5\nkr = 3.0e6\nff = 18.0\n",
    ),
];

fn expected(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/descriptions");
    folder.join(name)
}

#[test]
fn descriptions_are_as_they_were() {
    let renew = std::env::var_os("MASING_RENEW").is_some();
    for (name, text) in MODELS {
        let model = file::parse(Path::new(name), text).unwrap();
        for (version, end) in [(Version::Two, "fmi2"), (Version::Three, "fmi3")] {
            let found = Fmu::new(&model, version, name, [1.0, 1e-3]).description();
            let path = expected(&format!("{name}.{end}.xml"));
            if renew {
                std::fs::write(&path, &found).unwrap();
            }
            let expected = std::fs::read_to_string(&path).unwrap_or_default();
            let differs = found.lines().zip(expected.lines()).find(|(a, b)| a != b);
            assert!(
                found == expected,
                "{} has changed, first here: {differs:?}\nif that is meant: MASING_RENEW=1 cargo test -p \
                 masing-export --test descriptions",
                path.display()
            );
        }
    }
}
