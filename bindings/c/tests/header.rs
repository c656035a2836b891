//! `masing.h` says what the code does.

const CODE: &str = include_str!("../src/api.rs");
const HEADER: &str = include_str!("../include/masing.h");

/// A type of the code in C.
fn in_c(rust: &str) -> &'static str {
    match rust {
        "*const c_char" => "const char *",
        "*mut c_char" => "char *",
        "*mut OpenModel" => "masing_model *",
        "*const OpenModel" => "const masing_model *",
        "*const f64" => "const double *",
        "*mut f64" => "double *",
        "f64" => "double",
        "usize" => "size_t",
        "c_int" => "int",
        other => panic!("{other} has no name in C here"),
    }
}

/// Type and name, as C writes them.
fn declared(kind: &str, name: &str) -> String {
    if kind.ends_with('*') {
        format!("{kind}{name}")
    } else {
        format!("{kind} {name}")
    }
}

/// The prototypes of all entry points in the code.
fn prototypes() -> Vec<String> {
    let functions = CODE.split("pub extern \"C\" fn ").skip(1);
    functions
        .map(|text| {
            let (name, rest) = text.split_once('(').expect("arguments");
            let (arguments, rest) = rest.split_once(')').expect("end of arguments");
            let (result, _) = rest.split_once('{').expect("a body");
            let result = match result.trim().strip_prefix("->") {
                Some(kind) => in_c(kind.trim()),
                None => "void",
            };
            let arguments: Vec<String> = arguments
                .split(',')
                .filter(|argument| !argument.trim().is_empty())
                .map(|argument| {
                    let (name, kind) = argument.split_once(':').expect("name and type");
                    declared(in_c(kind.trim()), name.trim())
                })
                .collect();
            declared(result, &format!("{name}({});", arguments.join(", ")))
        })
        .collect()
}

#[test]
fn header_and_code_agree() {
    let prototypes = prototypes();
    assert!(prototypes.len() >= 8);
    for prototype in &prototypes {
        assert!(
            HEADER.contains(prototype.as_str()),
            "not in masing.h: {prototype}"
        );
    }
    let declared = HEADER.lines().filter(|line| {
        line.ends_with(");") && line.contains(" *masing_") | line.contains(" masing_")
    });
    let declared: Vec<&str> = declared.filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(declared.len(), prototypes.len(), "{declared:?}");
}
