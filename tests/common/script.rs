//! Patterns and escapes for the tests that are written as data.

/// Returns true if `text` matches `pattern`, in which `*` stands for any text.
pub fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).filter(|&at| tail.is_char_boundary(at)).any(|at| matches(rest, &tail[at..]))
        }),
    }
}

/// The bytes of `text` after its escapes are replaced. `\t`, `\r`, `\n`, `\0`, `\\` and `\xFF` mean the same as in Rust,
/// `\bom` is a byte order mark, and `{x*1000}` repeats x 1000 times.
pub fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '{']) {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let (escape, tail) = rest[at..].split_at(1);
        if escape == "{" {
            let (repeated, after) = tail.split_once('}').expect("a closing brace");
            let (text, count) = repeated.rsplit_once('*').expect("a text, * and a count");
            bytes.extend(unescape(text).repeat(count.parse().expect("a number")));
            rest = after;
            continue;
        }
        let escapes: [(&str, &[u8]); 6] = [
            ("t", b"\t"),
            ("r", b"\r"),
            ("n", b"\n"),
            ("0", b"\0"),
            ("bom", "\u{feff}".as_bytes()),
            ("\\", b"\\"),
        ];
        let known = escapes.iter().find(|(name, _)| tail.starts_with(name));
        rest = match (known, tail.strip_prefix('x')) {
            (Some((name, meaning)), _) => {
                bytes.extend_from_slice(meaning);
                &tail[name.len()..]
            }
            (None, Some(hex)) => {
                bytes.push(u8::from_str_radix(&hex[..2], 16).expect("two hexadecimal digits"));
                &hex[2..]
            }
            (None, None) => panic!("expected an escape, found {tail:?}"),
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}
