//! What the tests that are written as data have in common: patterns, and texts with escapes.

/// Whether `text` is like `pattern`, in which `*` stands for anything.
pub fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).filter(|&at| tail.is_char_boundary(at)).any(|at| matches(rest, &tail[at..]))
        }),
    }
}

/// The bytes that `text` means: `\t`, `\r`, `\n`, `\0`, `\bom` and `\xFF` are what they look like, `{x*1000}` is a
/// thousand x.
pub fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '{']) {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let (escape, tail) = rest[at..].split_at(1);
        if escape == "{" {
            let (repeated, after) = tail.split_once('}').expect("a closing brace");
            let (what, count) = repeated.rsplit_once('*').expect("what and how often");
            bytes.extend(unescape(what).repeat(count.parse().expect("a number")));
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
            (None, None) => panic!("no escape: {tail:?}"),
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}
