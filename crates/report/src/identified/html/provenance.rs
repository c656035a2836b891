//! What was run, on which files: enough to get the same numbers again.

use crate::{Block, Section, Table};
use masing_identify::result::{InputFile, Provenance};
use masing_identify::{FitOptions, Loss, Method, Weights};
use masing_model::{Model, file};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The choices of a fit, including defaults.
pub fn options(options: &FitOptions) -> Vec<(String, String)> {
    let values =
        |pairs: &[(String, f64)]| listed(pairs, |(name, value)| format!("{name} = {value}"));
    let weights = match options.weights {
        Weights::Equal => "every test counts the same",
        Weights::Noise => "every sample counts by its noise",
    };
    let loss = match options.loss {
        Loss::Linear => "squares",
        Loss::Huber => "huber",
        Loss::SoftL1 => "soft-l1",
    };
    let method = match options.effort.method {
        Method::Auto => "auto",
        Method::TrustRegion => "trust region",
        Method::Bfgs => "bfgs",
        Method::Lbfgs => "lbfgs",
        Method::SemiAnalytic => "semi-analytic",
    };
    let held = listed(&options.tikhonov, |(name, value, weight)| {
        format!("{name} = {value} (weight {weight})")
    });
    let within = listed(&options.bounds, |(name, low, high)| {
        format!("{name} {low} to {high}")
    });
    let facts = [
        ("weights", weights.to_owned()),
        ("loss", loss.to_owned()),
        ("method", method.to_owned()),
        ("seed", options.seed.to_string()),
        ("given", values(&options.fixed)),
        ("started at", values(&options.starts)),
        ("held towards", held),
        ("kept within", within),
    ];
    let made = facts.into_iter().filter(|(_, value)| !value.is_empty());
    made.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Everything in words, between commas.
fn listed<T>(all: &[T], words: impl Fn(&T) -> String) -> String {
    all.iter().map(words).collect::<Vec<_>>().join(", ")
}

/// Looks at a file; `file#part` is looked at as a whole.
pub fn input_file(path: &Path) -> InputFile {
    let name = path.display().to_string();
    let whole = match name.rsplit_once('#') {
        Some((file, _)) if !path.exists() => PathBuf::from(file),
        _ => path.to_owned(),
    };
    InputFile {
        name,
        seen: hash(&whole).ok(),
    }
}

/// Length and SHA-256 of a file, in hexadecimal.
fn hash(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut length = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        length += read as u64;
        hasher.update(&buffer[..read]);
    }
    let digest = hasher.finalize();
    let text = digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    Ok((length, text))
}

/// Command, choices, files, and the model file that came out.
pub fn section(run: &Provenance, model: &Model) -> Section {
    let (version, os) = (env!("CARGO_PKG_VERSION"), std::env::consts::OS);
    let program = format!("masing {version} ({os}, {})", std::env::consts::ARCH);
    let mut facts = vec![("program".to_owned(), program)];
    facts.extend(run.options.iter().cloned());
    let files = run.files.iter().map(|file| {
        let (length, sha256) = match &file.seen {
            Some((length, sha256)) => (length.to_string(), sha256.clone()),
            None => (String::new(), "could not be read again".to_owned()),
        };
        vec![file.name.clone(), length, sha256]
    });
    let files = Table::new(["file", "bytes", "SHA-256"], files).with_words([0, 2]);
    let blocks = vec![
        Block::Listing(typed(&run.command)),
        Block::Facts(facts),
        Block::Table(files),
        Block::Heading("model.toml".to_owned()),
        Block::Listing(file::to_text(model)),
    ];
    Section::new("What was run", blocks)
}

/// Words as one would type them.
fn typed(words: &[String]) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=.,:/\\+#%@[]".contains(c);
    let typed = words.iter().map(|word| {
        if !word.is_empty() && word.chars().all(plain) {
            word.clone()
        } else {
            format!("\"{word}\"")
        }
    });
    typed.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors of FIPS 180-4 as NIST publishes them.
    #[test]
    fn hashes_are_the_standard_ones() {
        let folder = std::env::temp_dir().join(format!("masing-hash-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".to_owned();
        for (text, expected) in [
            (
                "abc".to_owned(),
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                String::new(),
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
            (
                long,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
            (
                "a".repeat(1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            ),
        ] {
            let path = folder.join("file.csv");
            std::fs::write(&path, &text).unwrap();
            let found = hash(&path).unwrap();
            assert_eq!(found, (text.len() as u64, expected.to_owned()));
            // A part of a file is looked at as the whole file.
            let part = input_file(&folder.join("file.csv#sheet"));
            assert_eq!(part.seen, Some(found));
        }
        assert_eq!(input_file(&folder.join("gone")).seen, None);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn commands_can_be_typed_again() {
        let words = ["masing", "fit", "two words.csv", "--model", "rt", ""].map(str::to_owned);
        assert_eq!(
            typed(&words),
            "masing fit \"two words.csv\" --model rt \"\""
        );
    }
}
