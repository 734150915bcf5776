//! A loop for tables that the compiler computes.

/// Runs `$body` for each number of `$range`: the `for` that constant functions do not have.
macro_rules! const_for {
    ($number:ident, $range:expr, $body:block) => {{
        let range: std::ops::Range<_> = $range;
        let (mut next, end) = (range.start, range.end);
        while next < end {
            let $number = next;
            next += 1;
            $body
        }
    }};
}

pub(crate) use const_for;
