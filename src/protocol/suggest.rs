//! "Did you mean": the known word that is closest to a mistyped one.

/// Longer words are not compared.
const MAX_CHARS: usize = 32;

/// Returns the one of `known` that `typed` most likely stands for: at most a third of its characters differ.
pub fn closest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = typed.chars().take(MAX_CHARS + 1).count();
    if length > MAX_CHARS {
        return None;
    }
    let typed = typed.to_lowercase();
    let with_distance = |word: &'a str| (strsim::osa_distance(&typed, &word.to_lowercase()), word);
    let best = known.into_iter().map(with_distance).min_by_key(|(distance, _)| *distance);
    best.filter(|(distance, word)| *distance <= length.min(word.len()) / 3).map(|(_, word)| word)
}

/// Returns `did you mean "X"? ` for the closest candidate, or nothing.
pub fn hint<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    closest(typed, known).map_or(String::new(), |word| format!("did you mean \"{word}\"? "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closest_finds_slips_and_no_other_words() {
        let known = ["go", "stop", "isready", "position", "setoption", "help", "d"];
        let check = |typed, expected| assert_eq!(closest(typed, known), expected, "{typed}");
        check("isreayd", Some("isready"));
        check("psition", Some("position"));
        check("POSITION", Some("position"));
        check("hlep", Some("help"));
        check("stopp", Some("stop"));
        check("GO", Some("go"));
        check("foo", None);
        check("x", None);
        check("xboard", None);
        check(&"stop".repeat(1000), None);
        assert_eq!(hint("hepl", known), "did you mean \"help\"? ");
        assert_eq!(hint("castle", known), "");
    }
}
