//! The file of a network. All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `89 44 55 49 4E 4E 0D 0A` |
//! | 2 | format version, 2 |
//! | 4 | length of the file |
//! | 2 | length of the text |
//! | … | text in UTF-8: the game, a line feed, one line on how the network was made |
//! | 4, 4, 4 | number of inputs, of elements of an accumulator, of output buckets |
//! | 4 | scale: the score that an output of 1 stands for |
//! | … | bias of the accumulators, then the row of each input |
//! | … | for each bucket the weights of the side to move, then of the other side, and the bias in 4 bytes |
//! | 4 | CRC-32 of all bytes before |
//!
//! A weight from -127 to 127 takes one byte; another the byte -128 and two more. Nearly all are so small.

use super::error::NetworkError;
use super::limits::{LANES, MAX_OUTPUT_SUM, MAX_OUTPUT_WEIGHT, MAX_SCALE, MAX_WIDTH, VERSION};
use super::network::{Lanes, Network, OutputWeights};

const MAGIC: [u8; 8] = *b"\x89DUINN\r\n";
const CHECKSUM_BYTES: usize = 4;
/// The byte after which a weight follows in two bytes.
const WIDE: i8 = i8::MIN;

impl Network {
    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    /// If the bytes are no network, if they are damaged, or if weights are so large that sums could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut input = Input { rest: bytes, length: bytes.len() };
        if input.array() != Ok(MAGIC) {
            return Err(NetworkError::Other("a network file, found other bytes at its start".into()));
        }
        let version = input.u16()?;
        if version != VERSION {
            return Err(NetworkError::Other(format!("format version {VERSION}, found {version}")));
        }
        let text_error = || NetworkError::Other("a text of two lines in UTF-8".into());
        let length = input.size()?;
        if length != bytes.len() {
            return Err(length_error(length, bytes.len()));
        }
        let length = input.u16()?.into();
        let text = std::str::from_utf8(input.take(length)?).map_err(|_| text_error())?;
        let (variant, description) = text.split_once('\n').ok_or_else(text_error)?;
        if variant.contains(char::is_control) || description.contains(char::is_control) {
            return Err(text_error());
        }
        let (inputs, width, buckets) = (input.size()?, input.size()?, input.size()?);
        if width == 0 || width > MAX_WIDTH || !width.is_multiple_of(LANES) {
            let width = format!("a width that is a multiple of {LANES}, at most {MAX_WIDTH}, found {width}");
            return Err(NetworkError::Other(width));
        }
        let scale = input.i32()?;
        let found = u32::from_le_bytes(bytes[bytes.len() - CHECKSUM_BYTES..].try_into().expect("4 bytes"));
        let expected = checksum(bytes);
        if expected != found {
            return Err(NetworkError::Checksum { expected, found });
        }
        if !(1..=MAX_SCALE).contains(&scale) {
            return Err(NetworkError::Other(format!("a scale from 1 to {MAX_SCALE}, found {scale}")));
        }
        let (bias, rows) = (input.rows(width)?, input.rows(inputs.saturating_mul(width))?);
        let outputs = (0..buckets).map(|_| output(&mut input, width)).collect::<Result<_, _>>()?;
        if input.rest.len() != CHECKSUM_BYTES {
            return Err(length_error(bytes.len() - input.rest.len() + CHECKSUM_BYTES, bytes.len()));
        }
        let (variant, description) = (variant.into(), description.into());
        Ok(Network { variant, description, bias, inputs: rows, outputs, scale })
    }

    /// The bytes of the network's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let length = bytes.len()..bytes.len() + 4;
        bytes.extend([0; 4]);
        let text = format!("{}\n{}", self.variant, self.description);
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        for size in [self.inputs.len() / self.bias.len(), self.width(), self.outputs.len()] {
            bytes.extend((size as u32).to_le_bytes());
        }
        bytes.extend(self.scale.to_le_bytes());
        write_weights(&mut bytes, self.bias.iter().chain(&self.inputs));
        for OutputWeights { weights, bias } in &self.outputs {
            write_weights(&mut bytes, weights.iter().flatten());
            bytes.extend(bias.to_le_bytes());
        }
        let file_length = (bytes.len() + CHECKSUM_BYTES) as u32;
        bytes[length].copy_from_slice(&file_length.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The checksum of the network's file, by which files of games and `bench` name the network.
    pub fn hash(&self) -> u32 {
        checksum(&self.to_bytes())
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(&bytes[..bytes.len().saturating_sub(CHECKSUM_BYTES)])
}

fn write_weights<'a>(bytes: &mut Vec<u8>, rows: impl Iterator<Item = &'a Lanes>) {
    for weight in rows.flat_map(|lanes| lanes.0) {
        match i8::try_from(weight) {
            Ok(small) if small != WIDE => bytes.extend(small.to_le_bytes()),
            _ => {
                bytes.extend(WIDE.to_le_bytes());
                bytes.extend(weight.to_le_bytes());
            }
        }
    }
}

fn length_error(expected: usize, found: usize) -> NetworkError {
    NetworkError::Other(format!("{expected} bytes, found {found}"))
}

/// Reads numbers from the bytes of a file.
struct Input<'a> {
    rest: &'a [u8],
    /// The length of the whole file.
    length: usize,
}

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], NetworkError> {
        let expected = (self.length - self.rest.len()).saturating_add(count);
        let (taken, rest) =
            self.rest.split_at_checked(count).ok_or_else(|| length_error(expected, self.length))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        Ok(self.take(N)?.try_into().expect("N bytes were taken"))
    }

    fn u16(&mut self) -> Result<u16, NetworkError> {
        self.array().map(u16::from_le_bytes)
    }

    fn i32(&mut self) -> Result<i32, NetworkError> {
        self.array().map(i32::from_le_bytes)
    }

    fn size(&mut self) -> Result<usize, NetworkError> {
        Ok(u32::from_le_bytes(self.array()?) as usize)
    }

    /// Some rows of `elements` in all. They take no more memory than twice the length of the file.
    fn rows(&mut self, elements: usize) -> Result<Box<[Lanes]>, NetworkError> {
        if elements > self.rest.len() {
            return Err(length_error((self.length - self.rest.len()).saturating_add(elements), self.length));
        }
        let mut rows = Vec::new();
        rows.try_reserve_exact(elements / LANES).map_err(|_| NetworkError::Memory(elements))?;
        for _ in 0..elements / LANES {
            rows.push(self.lanes()?);
        }
        Ok(rows.into())
    }

    /// The next weights: at once if all take one byte, as most do.
    #[inline]
    fn lanes(&mut self) -> Result<Lanes, NetworkError> {
        if let Some((bytes, rest)) = self.rest.split_first_chunk::<LANES>() {
            let small = bytes.map(u8::cast_signed);
            if small.iter().fold(true, |all, &weight| all & (weight != WIDE)) {
                self.rest = rest;
                return Ok(Lanes(small.map(i16::from)));
            }
        }
        let mut lanes = Lanes([0; LANES]);
        for weight in &mut lanes.0 {
            *weight = match i8::from_le_bytes(self.array()?) {
                WIDE => self.wide_weight()?,
                small => small.into(),
            };
        }
        Ok(lanes)
    }

    #[cold]
    fn wide_weight(&mut self) -> Result<i16, NetworkError> {
        match i16::from_le_bytes(self.array()?) {
            weight @ -127..=127 => {
                Err(NetworkError::Other(format!("a weight of one byte for {weight}, found three bytes")))
            }
            weight => Ok(weight),
        }
    }
}

fn output(input: &mut Input, width: usize) -> Result<OutputWeights, NetworkError> {
    let (weights, bias) = ([input.rows(width)?, input.rows(width)?], input.i32()?);
    let elements = || weights.iter().flatten().flat_map(|lanes| lanes.0);
    let sizes = || elements().map(|weight| i32::from(weight).abs());
    check_limit("output weight", MAX_OUTPUT_WEIGHT.into(), sizes().max().unwrap_or(0))?;
    check_limit("sum of output weights", MAX_OUTPUT_SUM, sizes().sum())?;
    // The sum of products is divided by QA before the bias is added.
    check_limit("output bias", i32::MAX / 2, bias.saturating_abs())?;
    Ok(OutputWeights { weights, bias })
}

fn check_limit(what: &str, limit: i32, found: i32) -> Result<(), NetworkError> {
    if found <= limit { Ok(()) } else { Err(NetworkError::overflow(what, limit, found)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> Network {
        let rows = |rows: usize, seed: i16| -> Box<[Lanes]> {
            let lanes = |_| Lanes(std::array::from_fn(|i| (i as i16 * 7 + seed) % 120 - 60));
            (0..3 * rows).map(lanes).collect()
        };
        Network {
            variant: "chess".into(),
            description: "made by a test".into(),
            bias: rows(1, 3),
            inputs: rows(5, 0),
            outputs: (0..2).map(|i| OutputWeights { weights: [rows(1, i), rows(1, -i)], bias: 12 }).collect(),
            scale: 171,
        }
    }

    #[test]
    fn written_network_reads_back_equal() {
        let network = network();
        assert_eq!(Network::from_bytes(&network.to_bytes()), Ok(network));
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_an_error() {
        let bytes = network().to_bytes();
        for index in (0..bytes.len()).step_by(13).chain(0..64) {
            let mut damaged = bytes.clone();
            damaged[index] ^= 0x10;
            assert!(Network::from_bytes(&damaged).is_err(), "byte {index}");
            assert!(Network::from_bytes(&bytes[..index]).is_err(), "cut to {index} bytes");
        }
        let longer = [&bytes[..], &[0]].concat();
        let (expected, found) = (bytes.len(), bytes.len() + 1);
        assert_eq!(Network::from_bytes(&longer), Err(length_error(expected, found)));
        assert_eq!(Network::from_bytes(&with_header_of(&longer)), Err(length_error(expected, found)));
    }

    /// `bytes` with the length and the checksum that belong to them.
    fn with_header_of(bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        let (length, end) = (bytes.len() as u32, bytes.len() - CHECKSUM_BYTES);
        bytes[10..14].copy_from_slice(&length.to_le_bytes());
        let checksum = checksum(&bytes);
        bytes[end..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    #[test]
    fn weights_take_one_byte_or_three() {
        let mut network = network();
        let written = network.to_bytes();
        let widest = [i16::MIN, -129, -128, 128, 129, i16::MAX];
        network.inputs[7].0[..8]
            .copy_from_slice(&[-127, 127, widest[0], widest[1], widest[2], widest[3], widest[4], widest[5]]);
        let wider = network.to_bytes();
        assert_eq!(wider.len(), written.len() + 2 * widest.len());
        assert_eq!(Network::from_bytes(&wider), Ok(network));
        // A small weight in three bytes.
        let place = wider.windows(3).position(|bytes| bytes == [0x80, 0x80, 0x00]).unwrap();
        let mut bytes = wider.clone();
        bytes[place + 1] = 5;
        let error = Network::from_bytes(&with_header_of(&bytes)).unwrap_err().to_string();
        assert_eq!(error, "expected a weight of one byte for 5, found three bytes");
        // More weights than the file has bytes.
        let text = 16 + "chess\nmade by a test".len();
        bytes[text..text + 4].fill(0xFF);
        let error = Network::from_bytes(&with_header_of(&bytes)).unwrap_err().to_string();
        assert!(
            error.starts_with("expected ") && error.ends_with(&format!(" bytes, found {}", bytes.len())),
            "{error}"
        );
    }

    #[test]
    fn scale_out_of_range_is_an_error() {
        for scale in [i32::MIN, -1, 0, MAX_SCALE + 1] {
            let network = Network { scale, ..network() };
            assert_eq!(
                Network::from_bytes(&network.to_bytes()),
                Err(NetworkError::Other(format!("a scale from 1 to {MAX_SCALE}, found {scale}")))
            );
        }
    }

    #[test]
    fn weights_that_could_overflow_are_an_error() {
        let mut network = network();
        network.outputs[1].weights[0][0].0[3] = 200;
        let error = Network::from_bytes(&network.to_bytes()).unwrap_err().to_string();
        assert_eq!(error, "expected at most 128 for the largest output weight, found 200");
        network.outputs[1].weights.iter_mut().flatten().for_each(|lanes| lanes.0.fill(-100));
        let error = Network::from_bytes(&network.to_bytes()).unwrap_err().to_string();
        assert_eq!(error, "expected at most 33025 for the largest sum of output weights, found 38400");
    }
}
