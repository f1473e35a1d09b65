//! Encoding.

use textcodec::{EncodeOptions, Encoder, EncoderState, Encoding, ISO_2022_JP, Status, Unmappable, utf};

use crate::{Buffer, Module, NoMemory, OK, Outcome, UNMAPPABLE, call, decode::no_such_state, encoding};

// Policies for unmappable characters. Any smaller number is the code point of a replacement.
const FAIL: u32 = 0x11_0000;
const HTML: u32 = 0x11_0001;
const SKIP: u32 = 0x11_0002;
const REPORT: u32 = 0x11_0003;

fn unmappable(policy: u32) -> Unmappable {
    match policy {
        HTML => Unmappable::Html,
        SKIP => Unmappable::Skip,
        REPORT => Unmappable::Pause,
        FAIL => Unmappable::Fail,
        character => char::from_u32(character).map_or(Unmappable::Fail, Unmappable::Replace),
    }
}

/// Creates an encoder. With a replacement that is unmappable itself, it fails if the text needs it.
#[inline(never)]
fn encoder(encoding: Encoding, policy: u32, state: u32) -> Encoder {
    let state = EncoderState::try_from(state as u8).unwrap_or(EncoderState::TEXT);
    let Ok(encoder) = encoding.encoder_at(state, EncodeOptions::from(unmappable(policy))) else { no_such_state() };
    encoder
}

fn state_of(encoder: &Encoder) -> u32 {
    encoder.state().map_or(0, u8::from).into()
}

/// Encodes the code units in `start..end`. `last` says that no more text follows. `state` is that of the outcome before, or 0 at
/// the start. The units do not end within a surrogate pair, so a high surrogate at their end is unpaired.
///
/// With the policy `REPORT`, unmappable characters are left out and listed, each as three numbers: the code point, the
/// index of the first unit after it, and the number of bytes before it. In ISO-2022-JP, the first one ends the call instead,
/// because what follows depends on what replaces it.
#[unsafe(no_mangle)]
extern "C" fn encode(number: u32, state: u32, policy: u32, start: usize, end: usize, last: u32) -> u32 {
    call(|module| {
        let encoding = encoding(number);
        let mut encoder = encoder(encoding, policy, state);
        let units = &mut module.units.slice_mut()[start..end];
        if let Some(unit @ 0xD800..=0xDBFF) = units.last_mut() {
            // The encoder would wait for the other half.
            *unit = 0xFFFD;
        }
        module.list.clear();
        let lists = policy == REPORT && encoding != ISO_2022_JP;
        let (mut read, mut written) = (0, 0);
        // Two bytes per code unit are enough for most text. References have up to eight. There is no step between, because
        // both buffers may exist while one is copied to the other.
        let mut bytes_per_unit = 2;
        let code_point = loop {
            module.bytes.grow(written + (units.len() - read) * bytes_per_unit + 64)?;
            bytes_per_unit = 8;
            let progress =
                encoder.encode_from_utf16(&units[read..], &mut module.bytes.slice_mut()[written..], last != 0);
            read += progress.read;
            written += progress.written;
            match progress.status {
                Status::InputEmpty => break None,
                Status::Error(error) => {
                    let code_point = error.code_point().map_or(0, u32::from);
                    if !lists {
                        break Some(code_point);
                    }
                    module.list.try_reserve(3).map_err(|_| NoMemory)?;
                    module.list.extend([code_point, (start + read) as u32, written as u32]);
                }
                _ => {}
            }
        };
        module.outcome = Outcome {
            address: module.bytes.address(),
            len: written as u32,
            state: state_of(&encoder),
            read: read as u32,
            code_point: code_point.unwrap_or(0),
            list: module.list.as_ptr().addr() as u32,
            list_len: module.list.len() as u32 / 3,
            ..Outcome::default()
        };
        Ok(if code_point.is_some() { UNMAPPABLE } else { OK })
    })
}

/// `TextEncoder.encodeInto`: encodes the first `len` code units to UTF-8, at most `capacity` bytes. Only whole characters are
/// written.
#[unsafe(no_mangle)]
extern "C" fn encode_into(len: usize, capacity: usize) -> u32 {
    call(|module| {
        module.bytes.grow(capacity)?;
        let units = &module.units.slice()[..len];
        let to = &mut module.bytes.slice_mut()[..capacity];
        let (mut read, mut written) = (0, 0);
        loop {
            let rest = &units[read..];
            let progress = utf::utf16_to_utf8(rest, &mut to[written..]);
            read += progress.read;
            written += progress.written;
            if progress.read > 0 {
                continue;
            }
            // The next character does not fit, or is an unpaired surrogate.
            let Some(Err(_)) = char::decode_utf16(rest.iter().copied()).next() else { break };
            let Some(space) = to[written..].first_chunk_mut() else { break };
            *space = REPLACEMENT;
            read += 1;
            written += REPLACEMENT.len();
        }
        module.outcome =
            Outcome { address: module.bytes.address(), len: written as u32, read: read as u32, ..Outcome::default() };
        Ok(OK)
    })
}

/// U+FFFD in UTF-8.
const REPLACEMENT: [u8; 3] = [0xEF, 0xBF, 0xBD];

/// *Percent-encode after encoding*: the first `len` code units. `state` and `last` are as for [`encode`]. The input has 256 bytes,
/// of which those that are not 0 are in the percent-encode set. A space becomes a plus sign if `space_as_plus` is not 0.
#[unsafe(no_mangle)]
extern "C" fn percent_encode(number: u32, state: u32, len: usize, last: u32, space_as_plus: u32) -> u32 {
    call(|module| {
        let mut encoder = encoder(encoding(number), REPORT, state);
        let Module { units, bytes, input, .. } = module;
        let set: &[u8] = input.slice();
        let units = &units.slice()[..len];
        let mut block = [0; 256];
        let (mut read, mut written) = (0, 0);
        loop {
            let progress = encoder.encode_from_utf16(&units[read..], &mut block, last != 0);
            read += progress.read;
            bytes.grow(written + 3 * progress.written + 32)?;
            for &byte in &block[..progress.written] {
                written += put_byte(bytes, written, byte, set, space_as_plus != 0);
            }
            match progress.status {
                Status::InputEmpty => break,
                Status::Error(error) => {
                    // The reference is ASCII, which ISO-2022-JP may have to switch to: all bytes before that of the first character.
                    let ascii = encoder.encode_from_utf16(&[u16::from(b'&')], &mut block, false).written;
                    for &byte in &block[..ascii - 1] {
                        written += put_byte(bytes, written, byte, set, false);
                    }
                    written += put_reference(bytes, written, error.code_point().map_or(0, u32::from));
                }
                _ => {}
            }
        }
        module.outcome = Outcome {
            address: module.bytes.address(),
            len: written as u32,
            state: state_of(&encoder),
            read: read as u32,
            ..Outcome::default()
        };
        Ok(OK)
    })
}

/// Writes a byte, percent-encoded if it is in the set. Returns the number of bytes.
fn put_byte(to: &mut Buffer<u8>, at: usize, byte: u8, set: &[u8], space_as_plus: bool) -> usize {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";

    let to = &mut to.slice_mut()[at..at + 3];
    if space_as_plus && byte == b' ' {
        to[0] = b'+';
        return 1;
    }
    if set[usize::from(byte)] == 0 {
        to[0] = byte;
        return 1;
    }
    to.copy_from_slice(&[b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
    3
}

/// Writes the percent-encoded numeric character reference of a code point. Returns the number of bytes.
fn put_reference(to: &mut Buffer<u8>, at: usize, code_point: u32) -> usize {
    let mut digits = [0; 7];
    let (mut len, mut rest) = (0, code_point);
    while rest > 0 || len == 0 {
        digits[len] = b'0' + (rest % 10) as u8;
        rest /= 10;
        len += 1;
    }
    let mut end = at;
    let mut put = |bytes: &[u8]| {
        to.slice_mut()[end..end + bytes.len()].copy_from_slice(bytes);
        end += bytes.len();
    };
    put(b"%26%23");
    for digit in digits[..len].iter().rev() {
        put(&[*digit]);
    }
    put(b"%3B");
    end - at
}
