//! The structs and numbers of the header. `cargo xtask c api` compares both.

use textcodec::{
    Bom, DecodeError, DecodeOptions as CoreDecodeOptions, DecodeReason, EncodeOptions as CoreEncodeOptions,
    EncodeReason, Malformed, Unmappable,
};

use crate::encodings;

/// A result. Negative: the function has done nothing.
pub(crate) type Status = i32;

/// The number of an encoding.
pub(crate) type Number = i32;

pub(crate) const TEXTCODEC_OK: Status = 0;
pub(crate) const TEXTCODEC_OUTPUT_FULL: Status = 1;
pub(crate) const TEXTCODEC_MALFORMED: Status = 2;
pub(crate) const TEXTCODEC_UNMAPPABLE: Status = 3;
pub(crate) const TEXTCODEC_INVALID_ARGUMENT: Status = -1;
pub(crate) const TEXTCODEC_NO_MEMORY: Status = -2;
pub(crate) const TEXTCODEC_UNAVAILABLE: Status = -3;

/// No encoding.
pub(crate) const TEXTCODEC_NONE: Number = -1;

const TEXTCODEC_BOM_SNIFF: i32 = 0;
const TEXTCODEC_BOM_STRIP_OWN: i32 = 1;
const TEXTCODEC_BOM_KEEP: i32 = 2;

const TEXTCODEC_MALFORMED_REPLACE: i32 = 0;
const TEXTCODEC_MALFORMED_FAIL: i32 = 1;
const TEXTCODEC_MALFORMED_PAUSE: i32 = 2;

const TEXTCODEC_UNMAPPABLE_FAIL: i32 = 0;
const TEXTCODEC_UNMAPPABLE_PAUSE: i32 = 1;
const TEXTCODEC_UNMAPPABLE_HTML: i32 = 2;
const TEXTCODEC_UNMAPPABLE_REPLACE: i32 = 3;
const TEXTCODEC_UNMAPPABLE_SKIP: i32 = 4;

const TEXTCODEC_REASON_NONE: i32 = 0;
const TEXTCODEC_REASON_INVALID_BYTE: i32 = 1;
const TEXTCODEC_REASON_INTERRUPTED: i32 = 2;
const TEXTCODEC_REASON_UNMAPPED: i32 = 3;
const TEXTCODEC_REASON_INCOMPLETE: i32 = 4;
const TEXTCODEC_REASON_UNPAIRED_SURROGATE: i32 = 5;
const TEXTCODEC_REASON_UNKNOWN_ESCAPE: i32 = 6;
const TEXTCODEC_REASON_EMPTY_ESCAPE: i32 = 7;
const TEXTCODEC_REASON_REPLACEMENT: i32 = 8;
pub(crate) const TEXTCODEC_REASON_UNMAPPABLE: i32 = 16;
pub(crate) const TEXTCODEC_REASON_ILL_FORMED: i32 = 17;

/// `textcodec_error`.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct Error {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) reason: i32,
    pub(crate) code_point: u32,
    pub(crate) encoding: Number,
    pub(crate) bytes: [u8; 4],
    pub(crate) reserved: [u32; 2],
}

impl Error {
    /// The value if there is no error.
    pub(crate) const NONE: Self = Self {
        start: 0,
        end: 0,
        reason: TEXTCODEC_REASON_NONE,
        code_point: 0,
        encoding: TEXTCODEC_NONE,
        bytes: [0; 4],
        reserved: [0; 2],
    };
}

impl From<&DecodeError> for Error {
    fn from(error: &DecodeError) -> Self {
        let reason = match error.reason() {
            DecodeReason::InvalidByte => TEXTCODEC_REASON_INVALID_BYTE,
            DecodeReason::Interrupted => TEXTCODEC_REASON_INTERRUPTED,
            DecodeReason::Unmapped => TEXTCODEC_REASON_UNMAPPED,
            DecodeReason::Incomplete => TEXTCODEC_REASON_INCOMPLETE,
            DecodeReason::UnpairedSurrogate => TEXTCODEC_REASON_UNPAIRED_SURROGATE,
            DecodeReason::UnknownEscape => TEXTCODEC_REASON_UNKNOWN_ESCAPE,
            DecodeReason::EmptyEscape => TEXTCODEC_REASON_EMPTY_ESCAPE,
            DecodeReason::Replacement => TEXTCODEC_REASON_REPLACEMENT,
            // Not an error of a decoder that exists: `Unavailable`.
            _ => TEXTCODEC_REASON_NONE,
        };
        let mut bytes = [0; 4];
        for (to, byte) in bytes.iter_mut().zip(error.bytes()) {
            *to = *byte;
        }
        let (range, encoding) = (error.range(), encodings::number(error.encoding()));
        Self { start: range.start, end: range.end, reason, encoding, bytes, ..Self::default() }
    }
}

/// Returns the number of an encoder's reason.
pub(crate) fn encode_reason(reason: EncodeReason) -> i32 {
    if reason == EncodeReason::UnpairedSurrogate { TEXTCODEC_REASON_ILL_FORMED } else { TEXTCODEC_REASON_UNMAPPABLE }
}

/// `textcodec_summary`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Summary {
    pub(crate) error_count: u64,
    pub(crate) first_error: Error,
    pub(crate) encoding: Number,
    pub(crate) bom_removed: i32,
    pub(crate) reserved: [u32; 4],
}

impl Summary {
    /// The summary of a function that has done nothing.
    pub(crate) const NONE: Self =
        Self { error_count: 0, first_error: Error::NONE, encoding: TEXTCODEC_NONE, bom_removed: 0, reserved: [0; 4] };
}

/// `textcodec_decode_options`.
#[repr(C)]
pub(crate) struct DecodeOptions {
    bom: i32,
    malformed: i32,
    reject_unassigned: i32,
    reserved: [u32; 5],
}

impl DecodeOptions {
    /// Returns the options of the library, or `None` if a field has no meaning.
    pub(crate) fn read(&self) -> Option<CoreDecodeOptions> {
        let bom = match self.bom {
            TEXTCODEC_BOM_SNIFF => Bom::Sniff,
            TEXTCODEC_BOM_STRIP_OWN => Bom::StripOwn,
            TEXTCODEC_BOM_KEEP => Bom::Keep,
            _ => return None,
        };
        let options = CoreDecodeOptions::new().bom(bom).malformed(malformed(self.malformed)?);
        (self.reserved == [0; 5]).then_some(options.reject_unassigned(flag(self.reject_unassigned)?))
    }
}

/// Returns the policy of a number.
pub(crate) fn malformed(number: i32) -> Option<Malformed> {
    Some(match number {
        TEXTCODEC_MALFORMED_REPLACE => Malformed::Replace,
        TEXTCODEC_MALFORMED_FAIL => Malformed::Fail,
        TEXTCODEC_MALFORMED_PAUSE => Malformed::Pause,
        _ => return None,
    })
}

/// `textcodec_encode_options`.
#[repr(C)]
pub(crate) struct EncodeOptions {
    unmappable: i32,
    replacement: u32,
    write_bom: i32,
    reject_ill_formed: i32,
    reserved: [u32; 4],
}

impl EncodeOptions {
    /// Returns the options of the library and the policy among them, or `None` if a field has no meaning.
    pub(crate) fn read(&self) -> Option<(CoreEncodeOptions, Unmappable)> {
        let unmappable = unmappable(self.unmappable, self.replacement)?;
        let options = CoreEncodeOptions::new().unmappable(unmappable).bom(flag(self.write_bom)?);
        let options = options.reject_unpaired_surrogates(flag(self.reject_ill_formed)?);
        (self.reserved == [0; 4]).then_some((options, unmappable))
    }
}

/// Returns the policy of a number. Only `TEXTCODEC_UNMAPPABLE_REPLACE` has a replacement: for others it must be 0.
pub(crate) fn unmappable(number: i32, replacement: u32) -> Option<Unmappable> {
    let policy = match number {
        TEXTCODEC_UNMAPPABLE_FAIL => Unmappable::Fail,
        TEXTCODEC_UNMAPPABLE_PAUSE => Unmappable::Pause,
        TEXTCODEC_UNMAPPABLE_HTML => Unmappable::Html,
        TEXTCODEC_UNMAPPABLE_REPLACE => return char::from_u32(replacement).map(Unmappable::Replace),
        TEXTCODEC_UNMAPPABLE_SKIP => Unmappable::Skip,
        _ => return None,
    };
    (replacement == 0).then_some(policy)
}

/// Returns the value of a field that is 0 or 1.
fn flag(number: i32) -> Option<bool> {
    match number {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// `textcodec_decoder_storage`.
#[repr(C)]
pub(crate) struct DecoderStorage {
    words: [u64; 32],
}

/// `textcodec_encoder_storage`.
#[repr(C)]
pub(crate) struct EncoderStorage {
    words: [u64; 32],
}
