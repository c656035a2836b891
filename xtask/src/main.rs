//! Project tasks: `cargo xtask TASK`.

mod bench;
mod beside;
mod bindings;
mod book;
mod browser;
mod debian;
mod dist;
mod docs;
mod examples;
mod generate;
mod laws;
mod multibody;
mod needs;
mod package;
mod pictures;
mod process;
mod python;
mod sources;
mod study;
mod test;
mod windows;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask TASK

  test              set up what the tests need and run every check
  generate          write the generated pages of the docs
  generate --check  say whether the pages are up to date
  examples          write the test records of the examples
  examples --check  say whether they are what would be written
  book [PAGE]       try the commands that the book and the examples show, and compare what they print
  book --write [PAGE]
                    write what they print into the pages
  pictures          draw the pictures of the README and the book from what their commands find
  pictures --check  say whether they are what the last run of the commands gives
  laws              list names of laws that stand outside crates/model
  browser           open a page of results in a browser
  fmu               call the library from C and Fortran, and its FMUs in FMPy
  multibody         run the example of FMUs in multibody simulations against other ways
  multibody --draw  print its figures and write its pictures
  python            build, install and test the Python package
  windows           run FMUs of every element on Windows, under Wine
  dist              build what is handed out, for Linux and Windows, into target/dist
  bench             measure speed and growth; prints tables
  bench terms       measure the selection of terms alone, beside others
  study [NAME]      run a study; without a name, list them";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["test"] => test::run_all(),
        ["step", name] => test::run_beside(name),
        ["generate"] => generate::write(),
        ["generate", "--check"] => generate::check(),
        ["examples"] => examples::write(),
        ["examples", "--check"] => examples::check(),
        ["book"] => book::check(""),
        ["book", "--write"] => book::write(""),
        ["book", "--write", page] => book::write(page),
        ["book", page] => book::check(page),
        ["pictures"] => pictures::write(),
        ["pictures", "--check"] => pictures::check(),
        ["laws"] => laws::check(),
        ["browser"] => browser::check(),
        ["fmu"] => bindings::check(),
        ["multibody"] => multibody::check(),
        ["multibody", "--draw"] => multibody::draw(),
        ["python"] => package::check(),
        ["windows"] => windows::check(),
        ["dist"] => dist::build(),
        ["bench"] => bench::run(),
        ["bench", "terms"] => bench::terms(),
        ["study"] => {
            study::list();
            Ok(())
        }
        ["study", name] => study::run(name),
        [] | ["help" | "--help" | "-h"] | [_, "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        other => Err(format!("unknown task `{}`\n\n{HELP}", other.join(" "))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
