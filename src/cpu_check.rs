//! Whether the processor knows the instructions that this build was made of. Knows nothing else.
//!
//! A build with `-C target-cpu=native` that is started on an older machine would be ended by the system, with no
//! word about the reason. This runs before `main`, even before what the standard library does there: link-time
//! optimisation compiles that for the newer processor too. It may itself be made of any instructions, and therefore
//! consists of comparisons with single bits and of calls; a test starts the program on such processors.

/// A register in which `cpuid` says what a processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CpuidRegister {
    /// Leaf 1, ECX.
    Basic,
    /// Leaf 7, EBX.
    Extended,
    /// Leaf 7, ECX.
    ExtendedMore,
    /// Leaf 8000_0001, ECX.
    Amd,
}

/// Some instructions that a compiler uses without being asked.
#[derive(Clone, Copy, Debug)]
struct Feature {
    name: &'static str,
    /// Whether this build was allowed to use them.
    used: bool,
    /// The one bit of its word that says that they are there.
    bit: u32,
}

/// The features of each word.
type Features = [(CpuidRegister, &'static [Feature]); 4];

/// The table, and for tests what the standard library finds out about each feature.
macro_rules! features {
    ($($word:ident { $($bit:literal $name:tt,)* })*) => {
        static FEATURES: Features = [
            $((CpuidRegister::$word, &[
                $(Feature { name: $name, used: cfg!(target_feature = $name), bit: 1 << $bit },)*
            ]),)*
        ];

        #[cfg(test)]
        fn detected() -> Vec<bool> {
            vec![$($(std::arch::is_x86_feature_detected!($name),)*)*]
        }
    };
}

// Names as the compiler has them, numbers from the manuals of Intel (volume 2, CPUID) and AMD (volume 3, appendix E).
features! {
    Basic {
        0 "sse3", 9 "ssse3", 12 "fma", 13 "cmpxchg16b", 19 "sse4.1", 20 "sse4.2", 22 "movbe", 23 "popcnt", 28 "avx",
        29 "f16c",
    }
    Extended {
        3 "bmi1", 5 "avx2", 8 "bmi2", 16 "avx512f", 17 "avx512dq", 21 "avx512ifma", 28 "avx512cd", 30 "avx512bw",
        31 "avx512vl",
    }
    ExtendedMore {
        1 "avx512vbmi", 6 "avx512vbmi2", 8 "gfni", 11 "avx512vnni", 12 "avx512bitalg", 14 "avx512vpopcntdq",
    }
    Amd { 5 "lzcnt", 6 "sse4a", }
}

/// Tells `each` what is used and not there, where `said` is what the processor says.
fn find_missing(features: &Features, said: fn(CpuidRegister) -> u32, mut each: impl FnMut(&'static str)) {
    for &(word, features) in features {
        let there = said(word);
        features.iter().filter(|it| it.used && there & it.bit == 0).for_each(|it| each(it.name));
    }
}

fn cpuid(word: CpuidRegister) -> u32 {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let leaf = match word {
        CpuidRegister::Basic => 1,
        CpuidRegister::Extended | CpuidRegister::ExtendedMore => 7,
        CpuidRegister::Amd => 0x8000_0001,
    };
    // A leaf beyond the last one has the last one's content.
    if __cpuid(leaf & 0x8000_0000).eax < leaf {
        return 0;
    }
    let said = __cpuid_count(leaf, 0);
    if word == CpuidRegister::Extended { said.ebx } else { said.ecx }
}

/// Nobody can be told if it fails.
fn write_stderr(text: &str) {
    // SAFETY: the bytes are those of the text.
    unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
}

/// Ends the program, with one line on standard error, if it cannot run here. The line is said piece by piece, as to
/// put it together may take the instructions that are not there.
extern "C" fn check() {
    let mut sufficient = true;
    find_missing(&FEATURES, cpuid, |name| {
        write_stderr(if sufficient { "error: expected a processor with " } else { ", " });
        write_stderr(name);
        sufficient = false;
    });
    if !sufficient {
        write_stderr(", found one without, cannot run; what `make ARCH=x86-64` builds can\n");
        // SAFETY: nothing has begun that would have to be ended in order.
        unsafe { libc::_exit(1) };
    }
}

// SAFETY: the section holds pointers to functions of this kind, which the C library calls before `main`
// (System V ABI, "Initialization and Termination Functions"); `check` needs nothing that is not there yet.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = check;

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    fn missing(features: &Features, said: fn(CpuidRegister) -> u32) -> Vec<&'static str> {
        let mut names = Vec::new();
        find_missing(features, said, |name| names.push(name));
        names
    }

    fn all() -> impl Iterator<Item = Feature> {
        FEATURES.iter().flat_map(|(_, features)| features.iter().copied())
    }

    /// As if everything were used.
    static DEMANDING: LazyLock<Features> = LazyLock::new(|| {
        FEATURES.map(|(word, features)| {
            let used = features.iter().map(|&feature| Feature { used: true, ..feature });
            (word, &*used.collect::<Vec<_>>().leak())
        })
    });

    #[test]
    fn what_is_used_and_not_there_is_missing() {
        assert_eq!(missing(&DEMANDING, |_| 0), all().map(|it| it.name).collect::<Vec<_>>());
        assert_eq!(missing(&DEMANDING, |_| u32::MAX).len(), 0);
        let no_bmi = |word| if word == CpuidRegister::Extended { !(1 << 3 | 1 << 8) } else { u32::MAX };
        assert_eq!(missing(&DEMANDING, no_bmi), ["bmi1", "bmi2"]);
        let used = all().filter(|it| it.used).map(|it| it.name);
        assert_eq!(missing(&FEATURES, |_| 0), used.collect::<Vec<_>>());
    }

    #[test]
    fn the_standard_library_finds_the_same() {
        let missing = missing(&DEMANDING, cpuid);
        for (feature, there) in all().zip(detected()) {
            assert_eq!(!missing.contains(&feature.name), there, "{}", feature.name);
        }
    }
}
