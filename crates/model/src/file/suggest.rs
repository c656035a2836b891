//! The nearest known name to a misspelt one.

/// The known name that `word` most likely stands for, if one is near enough.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Long nonsense has no near name and need not be measured.
    if word.chars().count() > 64 {
        return None;
    }
    let word = word.to_lowercase();
    known
        .into_iter()
        .map(|name| (distance(&word, &name.to_lowercase()), name))
        .filter(|(d, name)| *d <= 1 + name.chars().count().max(word.chars().count()) / 4)
        .filter(|(d, name)| *d < name.chars().count().max(word.chars().count()))
        // Of two equally near, the one that goes on as the word began.
        .min_by_key(|(d, name)| (*d, !name.to_lowercase().starts_with(&word)))
        .map(|(_, name)| name)
}

/// Fewest insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let width = b.len() + 1;
    let mut d = vec![0; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            d[i * width + j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = d[(i - 1) * width + j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replaced
                    .min(d[(i - 1) * width + j] + 1)
                    .min(d[i * width + j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(d[(i - 2) * width + j - 2] + 1);
                }
                best
            };
        }
    }
    d[d.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["spring", "bouc-wen", "rt", "k0", "kpa", "kr"];
        assert_eq!(nearest("sprnig", known), Some("spring"));
        assert_eq!(nearest("boucwen", known), Some("bouc-wen"));
        assert_eq!(nearest("K0", known), Some("k0"));
        assert_eq!(nearest("kp", known), Some("kpa"));
        assert_eq!(nearest("banana", known), None);
        assert_eq!(nearest("z", known), None);
    }
}
