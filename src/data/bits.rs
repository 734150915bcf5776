//! Variable-length codes for numbers, the lowest bit of each byte first.

/// Writes codes into a byte buffer.
#[derive(Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that do not fill a byte yet.
    pending: u64,
    pending_bits: u32,
}

impl BitWriter {
    /// Writes the lowest `width` bits of `value`, at most 32. The other bits must be 0.
    pub fn bits(&mut self, value: u32, width: u32) {
        debug_assert!(width <= 32 && u64::from(value) >> width == 0);
        self.pending |= u64::from(value) << self.pending_bits;
        self.pending_bits += width;
        while self.pending_bits >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.pending_bits -= 8;
        }
    }

    /// Writes one of `count` equally likely values in truncated binary: n or n + 1 bits, where n is the
    /// binary logarithm of `count` rounded down (<https://en.wikipedia.org/wiki/Truncated_binary_encoding>).
    pub fn truncated_binary(&mut self, value: u32, count: u32) {
        debug_assert!(value < count);
        let (width, short) = truncated_binary_widths(count);
        if value < short {
            self.bits(value, width);
        } else {
            let long = value + short;
            self.bits(long >> 1, width);
            self.bits(long & 1, 1);
        }
    }

    /// Writes a number in an exponential Golomb code (<https://en.wikipedia.org/wiki/Exponential-Golomb_coding>). The first
    /// 2^`order` numbers take `order` + 1 bits, the next 2^(`order` + 1) numbers two bits more, and so on.
    pub fn exp_golomb(&mut self, value: u32, order: u32) {
        let shifted = u64::from(value) + (1 << order);
        let width = shifted.ilog2();
        self.bits(0, width - order);
        self.bits(1, 1);
        self.bits((shifted ^ 1 << width) as u32, width);
    }

    /// Writes a signed number in an exponential Golomb code of its rank in the sequence 0, -1, 1, -2, 2, ...
    pub fn signed_exp_golomb(&mut self, value: i32, order: u32) {
        self.exp_golomb((value << 1 ^ value >> 31) as u32, order);
    }

    /// Returns the bytes; the last one is padded with zero bits.
    pub fn finish(mut self) -> Vec<u8> {
        if self.pending_bits > 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }
}

/// Returns the width of the shorter codes in bits, and their number.
fn truncated_binary_widths(count: u32) -> (u32, u32) {
    let width = count.ilog2();
    (width, ((2u64 << width) - u64::from(count)) as u32)
}

/// Reads what [`BitWriter`] wrote. Every method returns `None` past the end.
#[derive(Debug)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// The position in bits.
    at: usize,
}

impl BitReader<'_> {
    pub fn new(bytes: &[u8]) -> BitReader<'_> {
        BitReader { bytes, at: 0 }
    }

    /// Reads `width` bits, at most 32.
    pub fn bits(&mut self, width: u32) -> Option<u32> {
        let end = self.at + width as usize;
        if end > 8 * self.bytes.len() {
            return None;
        }
        let rest = &self.bytes[self.at / 8..];
        let mut word = [0; 8];
        let length = rest.len().min(8);
        word[..length].copy_from_slice(&rest[..length]);
        let value = u64::from_le_bytes(word) >> (self.at % 8) & ((1 << width) - 1);
        self.at = end;
        Some(value as u32)
    }

    /// Reads one of `count` values as [`BitWriter::truncated_binary`] writes it; `count` is at least 1.
    pub fn truncated_binary(&mut self, count: u32) -> Option<u32> {
        let (width, short) = truncated_binary_widths(count);
        let value = self.bits(width)?;
        if value < short {
            return Some(value);
        }
        Some((value << 1 | self.bits(1)?) - short)
    }

    /// Reads a number as [`BitWriter::exp_golomb`] writes it, or `None` if it exceeds 32 bits.
    pub fn exp_golomb(&mut self, order: u32) -> Option<u32> {
        let mut width = order;
        while self.bits(1)? == 0 {
            width += 1;
            if width > 32 {
                return None;
            }
        }
        let shifted = u64::from(self.bits(width)?) | 1 << width;
        u32::try_from(shifted - (1 << order)).ok()
    }

    pub fn signed_exp_golomb(&mut self, order: u32) -> Option<i32> {
        let value = self.exp_golomb(order)?;
        Some((value >> 1) as i32 ^ -((value & 1) as i32))
    }

    pub fn bytes_read(&self) -> usize {
        self.at.div_ceil(8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn codes_have_the_documented_lengths() {
        let length = |write: &dyn Fn(&mut BitWriter)| {
            let mut bits = BitWriter::default();
            write(&mut bits);
            8 * bits.bytes.len() + bits.pending_bits as usize
        };
        assert_eq!(length(&|bits| bits.truncated_binary(0, 1)), 0);
        assert_eq!(length(&|bits| bits.truncated_binary(11, 20)), 4);
        assert_eq!(length(&|bits| bits.truncated_binary(12, 20)), 5);
        assert_eq!(length(&|bits| bits.exp_golomb(15, 4)), 5);
        assert_eq!(length(&|bits| bits.exp_golomb(16, 4)), 7);
        assert_eq!(length(&|bits| bits.signed_exp_golomb(-8, 4)), 5);
        assert_eq!(length(&|bits| bits.signed_exp_golomb(8, 4)), 7);
    }

    #[test]
    fn reading_past_the_end_gives_none() {
        assert_eq!(BitReader::new(&[]).bits(1), None);
        assert_eq!(BitReader::new(&[0; 9]).exp_golomb(0), None);
        assert_eq!(BitReader::new(&[0xFF]).bits(9), None);
    }

    proptest! {
        #[test]
        fn written_numbers_are_read_back(
            values in prop::collection::vec((any::<u32>(), 1u32..=400, any::<i32>(), 0u32..20, 0u32..=32), 0..60)
        ) {
            let mut writer = BitWriter::default();
            for &(number, count, signed, order, width) in &values {
                writer.bits((u64::from(number) & ((1 << width) - 1)) as u32, width);
                writer.truncated_binary(number % count, count);
                writer.exp_golomb(number, order);
                writer.signed_exp_golomb(signed, order);
            }
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for &(number, count, signed, order, width) in &values {
                prop_assert_eq!(reader.bits(width), Some((u64::from(number) & ((1 << width) - 1)) as u32));
                prop_assert_eq!(reader.truncated_binary(count), Some(number % count));
                prop_assert_eq!(reader.exp_golomb(order), Some(number));
                prop_assert_eq!(reader.signed_exp_golomb(order), Some(signed));
            }
            prop_assert_eq!(reader.bytes_read(), bytes.len());
        }
    }
}
