#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| duiyi_fuzz::sgf(input));
