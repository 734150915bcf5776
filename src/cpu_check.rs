//! Checks at startup that the processor supports the instruction sets of this build. Uses no other module.
//!
//! Without this check, a `-C target-cpu=native` build on an older processor would end with an illegal
//! instruction and no message. The check runs before `main` and before the runtime of the standard library,
//! because link-time optimisation compiles that for the newer processor too. The compiler may use any
//! instruction in this code as well, so it consists only of bit tests and calls. A test starts the program on
//! emulated older processors.

/// A register of `cpuid` with feature bits.
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

/// An instruction set that a compiler may use without intrinsics.
#[derive(Clone, Copy, Debug)]
struct Feature {
    name: &'static str,
    /// Whether this build may use it.
    used: bool,
    /// The mask of its bit in the register.
    bit: u32,
}

/// The features of each register.
type Features = [(CpuidRegister, &'static [Feature]); 4];

/// Defines the table of features, and for tests a function with the results of the standard library.
macro_rules! features {
    ($($register:ident { $($bit:literal $name:tt,)* })*) => {
        static FEATURES: Features = [
            $((CpuidRegister::$register, &[
                $(Feature { name: $name, used: cfg!(target_feature = $name), bit: 1 << $bit },)*
            ]),)*
        ];

        #[cfg(test)]
        fn detected() -> Vec<bool> {
            vec![$($(std::arch::is_x86_feature_detected!($name),)*)*]
        }
    };
}

// The names are those of the compiler. The bit numbers are from the manuals of Intel (volume 2, CPUID) and
// AMD (volume 3, appendix E).
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

/// Calls `on_missing` with each feature that this build may use and the processor lacks. `read_register`
/// returns the value of a register.
fn find_missing(
    features: &Features,
    read_register: fn(CpuidRegister) -> u32,
    mut on_missing: impl FnMut(&'static str),
) {
    for &(register, features) in features {
        let bits = read_register(register);
        let missing = features.iter().filter(|feature| feature.used && bits & feature.bit == 0);
        missing.for_each(|feature| on_missing(feature.name));
    }
}

/// Reads a register of the processor; 0 if the processor does not have its leaf.
fn cpuid(register: CpuidRegister) -> u32 {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let leaf = match register {
        CpuidRegister::Basic => 1,
        CpuidRegister::Extended | CpuidRegister::ExtendedMore => 7,
        CpuidRegister::Amd => 0x8000_0001,
    };
    // Beyond the last leaf, Intel processors return the content of the last leaf.
    if __cpuid(leaf & 0x8000_0000).eax < leaf {
        return 0;
    }
    let registers = __cpuid_count(leaf, 0);
    if register == CpuidRegister::Extended { registers.ebx } else { registers.ecx }
}

/// Writes to standard error and ignores errors.
fn write_stderr(text: &str) {
    // SAFETY: the bytes are those of the text.
    unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
}

/// Ends the program with one line on standard error if the processor lacks a feature. Writes the line in
/// pieces, because formatting may use the missing instructions.
extern "C" fn check() {
    let mut sufficient = true;
    find_missing(&FEATURES, cpuid, |name| {
        write_stderr(if sufficient { "error: expected a processor with " } else { ", " });
        write_stderr(name);
        sufficient = false;
    });
    if !sufficient {
        write_stderr(", found one without, cannot run; what `make ARCH=x86-64` builds can\n");
        // SAFETY: `_exit` has no preconditions.
        unsafe { libc::_exit(1) };
    }
}

// SAFETY: the section holds pointers to functions of this kind, which the C library calls before `main`
// (System V ABI, "Initialization and Termination Functions"). `check` uses nothing that is initialised later.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = check;

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    fn missing(features: &Features, read_register: fn(CpuidRegister) -> u32) -> Vec<&'static str> {
        let mut names = Vec::new();
        find_missing(features, read_register, |name| names.push(name));
        names
    }

    fn all() -> impl Iterator<Item = Feature> {
        FEATURES.iter().flat_map(|(_, features)| features.iter().copied())
    }

    /// The features, all marked as used.
    static ALL_USED: LazyLock<Features> = LazyLock::new(|| {
        FEATURES.map(|(register, features)| {
            let used = features.iter().map(|&feature| Feature { used: true, ..feature });
            (register, &*used.collect::<Vec<_>>().leak())
        })
    });

    #[test]
    fn missing_used_feature_without_bit_is_found() {
        assert_eq!(missing(&ALL_USED, |_| 0), all().map(|feature| feature.name).collect::<Vec<_>>());
        assert_eq!(missing(&ALL_USED, |_| u32::MAX).len(), 0);
        let no_bmi =
            |register| if register == CpuidRegister::Extended { !(1 << 3 | 1 << 8) } else { u32::MAX };
        assert_eq!(missing(&ALL_USED, no_bmi), ["bmi1", "bmi2"]);
        let used = all().filter(|feature| feature.used).map(|feature| feature.name);
        assert_eq!(missing(&FEATURES, |_| 0), used.collect::<Vec<_>>());
    }

    #[test]
    fn cpuid_every_feature_agrees_with_the_standard_library() {
        let missing = missing(&ALL_USED, cpuid);
        for (feature, is_detected) in all().zip(detected()) {
            assert_eq!(!missing.contains(&feature.name), is_detected, "{}", feature.name);
        }
    }
}
