//! Files named by a pattern: `eol/*.csv`.

use crate::error::AppError;
use masing_data::ReadOptions;
use std::path::{Path, PathBuf};

/// The files that a name stands for, sorted: itself, unless it is a pattern and no file is called so. `file#part` keeps
/// its part, and `file#*` stands for every part that can be a test.
pub fn expanded(name: &Path) -> Result<Vec<PathBuf>, AppError> {
    let text = name.to_string_lossy();
    let Some(all) = text.strip_suffix("#*").filter(|_| !name.exists()) else {
        return files(name);
    };
    let mut parts = Vec::new();
    for file in files(Path::new(all))? {
        for test in masing_data::read_all(&file, &ReadOptions::default())? {
            parts.push(match test.part.as_str() {
                "" => file.clone(),
                part => PathBuf::from(format!("{}#{part}", file.display())),
            });
        }
    }
    Ok(parts)
}

fn files(name: &Path) -> Result<Vec<PathBuf>, AppError> {
    let text = name.to_string_lossy();
    let (pattern, part) = match text.rsplit_once('#') {
        Some((file, part)) => (file, Some(part)),
        None => (text.as_ref(), None),
    };
    if !pattern.contains(['*', '?', '[']) || name.exists() || Path::new(pattern).exists() {
        return Ok(vec![name.to_owned()]);
    }
    let refuse = |expected: String| AppError::option("FILE", &text, expected);
    let found =
        glob::glob(pattern).map_err(|error| refuse(format!("a pattern ({})", error.msg)))?;
    let mut files: Vec<PathBuf> = found
        .filter_map(Result::ok)
        .filter(|p| p.is_file())
        .collect();
    // Some systems do not read files in order.
    files.sort();
    if files.is_empty() {
        return Err(refuse("a pattern that matches a file".to_owned()));
    }
    if let Some(part) = part {
        for file in &mut files {
            *file = PathBuf::from(format!("{}#{part}", file.display()));
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_for_files_in_order() {
        let folder = std::env::temp_dir().join(format!("masing-glob-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for name in ["b.csv", "a.csv", "c.txt", "odd[1].csv"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let names = |pattern: &str| -> Vec<String> {
            let files = expanded(&folder.join(pattern)).unwrap();
            let name = |p: &PathBuf| p.file_name().unwrap().to_string_lossy().into_owned();
            files.iter().map(name).collect()
        };
        assert_eq!(names("*.csv"), ["a.csv", "b.csv", "odd[1].csv"]);
        assert_eq!(names("?.csv#x"), ["a.csv#x", "b.csv#x"]);
        assert_eq!(names("odd[1].csv"), ["odd[1].csv"]);
        assert_eq!(names("gone.csv"), ["gone.csv"]);
        std::fs::write(
            folder.join("b.csv"),
            "t,x1,f1,x2,f2\n0,0,0,0,0\n1,1,2,3,4\n2,0,1,0,1\n",
        )
        .unwrap();
        assert_eq!(names("b.csv#*"), ["b.csv#1", "b.csv#2"]);
        assert!(expanded(&folder.join("*.mat")).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
