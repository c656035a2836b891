//! What a page says a command prints, beside what it prints.
//!
//! `...` in a line stands for any text; a line that is nothing but `...` stands for any lines.

/// Stands for what may differ.
const ANY: &str = "...";

/// Says where a block differs from what was printed.
pub fn compare(block: &str, printed: &str) -> Result<(), String> {
    let (block, printed) = (lines(block), lines(printed));
    if matches(&block, &printed) {
        return Ok(());
    }
    let missing = block
        .iter()
        .find(|line| !printed.iter().any(|found| line_matches(line, found)));
    Err(match missing {
        Some(line) => format!("no line like `{line}` is printed"),
        None => "lines are missing or stand in another order".to_owned(),
    })
}

/// The block with what was printed, cut where it was cut before.
pub fn renewed(block: &str, printed: &str) -> Result<String, String> {
    let (block, printed) = (lines(block), lines(printed));
    if matches(&block, &printed) {
        return Ok(joined(needed(&block, &printed)));
    }
    let mut out: Vec<String> = Vec::new();
    let mut from = 0;
    let pieces: Vec<&[&str]> = block.split(|line| line.trim() == ANY).collect();
    for (i, piece) in pieces.iter().enumerate() {
        if i > 0 {
            out.push(ANY.to_owned());
        }
        let (Some(first), Some(last)) = (full(piece.iter()), full(piece.iter().rev())) else {
            continue;
        };
        let start = match i {
            0 => 0,
            _ => most_alike(first, &printed, from, from).ok_or_else(|| lost(first))?,
        };
        let end = if i + 1 == pieces.len() {
            printed.len()
        } else {
            let expected = start + piece.len() - 1;
            most_alike(last, &printed, start, expected).ok_or_else(|| lost(last))? + 1
        };
        for line in &printed[start..end] {
            // What was left open in a line stays open.
            let open = piece.iter().find(|old| line_matches(old, line));
            out.push((*open.unwrap_or(line)).to_owned());
        }
        from = end;
    }
    let out: Vec<&str> = out.iter().map(String::as_str).collect();
    Ok(joined(needed(&out, &printed)))
}

/// A block without the `...` at its ends that stand for nothing.
fn needed<'a, 'b>(mut block: &'a [&'b str], printed: &[&str]) -> &'a [&'b str] {
    if let [ANY, rest @ ..] = block
        && matches(rest, printed)
    {
        block = rest;
    }
    if let [rest @ .., ANY] = block
        && matches(rest, printed)
    {
        block = rest;
    }
    block
}

fn lost(line: &str) -> String {
    format!("nothing like `{line}` is printed; cut the block anew by hand")
}

/// Lines without blanks at their ends, and without empty ones at both ends of the text.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let empty = lines.iter().take_while(|line| line.is_empty()).count();
    lines.split_off(empty)
}

fn joined(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

/// The first line that is not empty.
fn full<'a>(mut lines: impl Iterator<Item = &'a &'a str>) -> Option<&'a str> {
    lines.find(|line| !line.is_empty()).copied()
}

fn matches(block: &[&str], printed: &[&str]) -> bool {
    match block {
        [] => printed.is_empty(),
        [any, rest @ ..] if any.trim() == ANY => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        [line, rest @ ..] => printed
            .split_first()
            .is_some_and(|(found, others)| line_matches(line, found) && matches(rest, others)),
    }
}

fn line_matches(line: &str, found: &str) -> bool {
    let mut parts = line.split(ANY);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = found.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    match last {
        None => rest.is_empty(),
        // The last part may occur earlier as well.
        Some(part) => rest.is_empty() || found.ends_with(part),
    }
}

/// The line from a place on that is most like a line, numbers aside; of several the one nearest to where it is expected.
fn most_alike(line: &str, printed: &[&str], from: usize, expected: usize) -> Option<usize> {
    let wanted = words(line);
    let score = |found: &str| {
        let mut found = words(found);
        let both = wanted.len() + found.len();
        let shared = wanted.iter().filter(|word| {
            let at = found.iter().position(|other| other == *word);
            at.map(|at| found.swap_remove(at)).is_some()
        });
        2000 * shared.count() / both.max(1)
    };
    let scored = (from..printed.len()).map(|i| (score(printed[i]), i));
    let best = scored.max_by_key(|(score, i)| (*score, std::cmp::Reverse(i.abs_diff(expected))))?;
    // Less than a third in common is something else.
    (best.0 > 333).then_some(best.1)
}

/// The words of a line; numbers are all alike.
fn words(line: &str) -> Vec<&str> {
    let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let each = line.split_whitespace();
    each.map(|word| if number(word) { "#" } else { word })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str =
        "\nread in 0.12 s\n\n name   value\n------------\n k      2.0  \n c      3.0\n\ndone\n";

    #[test]
    fn what_is_open_may_differ() {
        let whole =
            "read in ... s\n\n name   value\n------------\n k      2.0\n c      3.0\n\ndone\n";
        assert_eq!(compare(whole, PRINTED), Ok(()));
        assert_eq!(compare("...\n k ... 2.0\n...\ndone\n", PRINTED), Ok(()));
        assert!(compare(" name   value\n", PRINTED).is_err());
        let old = "...\n k      1.9\n...\n";
        let message = compare(old, PRINTED).unwrap_err();
        assert!(message.contains("k      1.9"), "{message}");
        assert!(compare("...\ndone\n...\n k      2.0\n...\n", PRINTED).is_err());
    }

    #[test]
    fn blocks_are_renewed_and_stay_cut() {
        let old = "...\n name value\n-----\n k      1.9\n c      2.9\n...\n";
        let new = renewed(old, PRINTED).unwrap();
        assert_eq!(
            new,
            "...\n name   value\n------------\n k      2.0\n c      3.0\n...\n"
        );
        assert_eq!(compare(&new, PRINTED), Ok(()));
        let whole = renewed("read in ... s\nold\n", PRINTED).unwrap();
        assert!(
            whole.starts_with("read in ... s\n\n name   value\n"),
            "{whole}"
        );
        assert_eq!(compare(&whole, PRINTED), Ok(()));
        assert_eq!(renewed("...\ndone\n...\n", PRINTED).unwrap(), "...\ndone\n");
        assert!(renewed("...\nnever seen\n...\n", PRINTED).is_err());
    }
}
