//! Numbers as bits, the low bit of each byte first.

/// Appends bits to bytes.
#[derive(Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that fill no byte yet, and how many they are.
    pending: u64,
    filled: u32,
}

impl BitWriter {
    /// The lowest `width` bits of `value`, at most 32 of them; the others must be 0.
    pub fn bits(&mut self, value: u32, width: u32) {
        debug_assert!(width <= 32 && u64::from(value) >> width == 0);
        self.pending |= u64::from(value) << self.filled;
        self.filled += width;
        while self.filled >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.filled -= 8;
        }
    }

    /// One of `count` equally likely values in truncated binary: all take n or n + 1 bits, where
    /// n is the logarithm of `count` rounded down (<https://en.wikipedia.org/wiki/Truncated_binary_encoding>).
    pub fn truncated_binary(&mut self, value: u32, count: u32) {
        debug_assert!(value < count);
        let (width, short) = widths(count);
        if value < short {
            self.bits(value, width);
        } else {
            let long = value + short;
            self.bits(long >> 1, width);
            self.bits(long & 1, 1);
        }
    }

    /// A number of any size in an exponential Golomb code: those below 2^`order` take `order` + 1 bits, and
    /// twice as many numbers take two bits more, and so on
    /// (<https://en.wikipedia.org/wiki/Exponential-Golomb_coding>).
    pub fn exp_golomb(&mut self, value: u32, order: u32) {
        let shifted = u64::from(value) + (1 << order);
        let width = shifted.ilog2();
        self.bits(0, width - order);
        self.bits(1, 1);
        self.bits((shifted ^ 1 << width) as u32, width);
    }

    /// A number with its sign: 0, -1, 1, -2, 2 and so on are numbered from 0.
    pub fn signed_exp_golomb(&mut self, value: i32, order: u32) {
        self.exp_golomb((value << 1 ^ value >> 31) as u32, order);
    }

    /// The bytes, the last one filled up with zeros.
    pub fn finish(mut self) -> Vec<u8> {
        if self.filled > 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }
}

/// The bits of the shorter codes and how many of these there are.
fn widths(count: u32) -> (u32, u32) {
    let width = count.ilog2();
    (width, ((2u64 << width) - u64::from(count)) as u32)
}

/// Reads what [`BitWriter`] wrote; every method gives `None` past the end.
#[derive(Debug)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// In bits.
    at: usize,
}

impl BitReader<'_> {
    /// From the first bit of `bytes` on.
    pub fn new(bytes: &[u8]) -> BitReader<'_> {
        BitReader { bytes, at: 0 }
    }

    /// `width` bits, at most 32.
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

    /// See [`BitWriter::choice`]; `count` is at least 1.
    pub fn choice(&mut self, count: u32) -> Option<u32> {
        let (width, short) = widths(count);
        let value = self.bits(width)?;
        if value < short {
            return Some(value);
        }
        Some((value << 1 | self.bits(1)?) - short)
    }

    /// See [`BitWriter::number`].
    pub fn number(&mut self, order: u32) -> Option<u32> {
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

    /// See [`BitWriter::signed`].
    pub fn signed(&mut self, order: u32) -> Option<i32> {
        let value = self.number(order)?;
        Some((value >> 1) as i32 ^ -((value & 1) as i32))
    }

    /// The bytes read from, a part of one counted whole.
    pub fn bytes_read(&self) -> usize {
        self.at.div_ceil(8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn codes_are_as_long_as_they_should_be() {
        let length = |write: &dyn Fn(&mut BitWriter)| {
            let mut bits = BitWriter::default();
            write(&mut bits);
            8 * bits.bytes.len() + bits.filled as usize
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
    fn an_end_is_no_number() {
        assert_eq!(BitReader::new(&[]).bits(1), None);
        assert_eq!(BitReader::new(&[0; 9]).number(0), None);
        assert_eq!(BitReader::new(&[0xFF]).bits(9), None);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
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
                prop_assert_eq!(reader.choice(count), Some(number % count));
                prop_assert_eq!(reader.number(order), Some(number));
                prop_assert_eq!(reader.signed(order), Some(signed));
            }
            prop_assert_eq!(reader.bytes_read(), bytes.len());
        }
    }
}
