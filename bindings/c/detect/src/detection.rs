//! Results: copies of what `textcodec-detect` returns, in the form of C.

use alloc::{boxed::Box, collections::TryReserveError, vec::Vec};
use core::{alloc::Layout, ffi::c_char, ptr};

use textcodec_detect::Detection as Core;

use crate::{
    numbers::{self, NONE, Number, TEXTCODEC_CONFIDENCE_NONE, TEXTCODEC_EVIDENCE_NONE},
    raw,
};

/// `textcodec_candidate`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Candidate {
    encoding: Number,
    is_complete: i32,
    probability: f64,
    malformed: u64,
    non_ascii: u64,
    unlikely: u64,
    reserved: [u32; 4],
}

/// `textcodec_declaration`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Declaration {
    encoding: Number,
    form: i32,
    offset: u64,
    label: *const c_char,
    reserved: [u32; 4],
}

/// A result. Strings are offsets in `text`.
pub(crate) struct Detection {
    encoding: Number,
    confidence: i32,
    evidence: i32,
    probability: f64,
    bytes: u64,
    reason: usize,
    language: Option<usize>,
    mixed_with: Number,
    candidates: Vec<Candidate>,
    declarations: Vec<(Declaration, usize)>,
    /// The strings, with a NUL after each.
    text: Vec<u8>,
}

impl Detection {
    /// Copies a result. Fails if there is not enough memory.
    pub(crate) fn new(core: &Core) -> Result<Self, TryReserveError> {
        let mut text = Vec::new();
        let reason = add(&mut text, core.reason())?;
        let language = core.language.map(|language| add(&mut text, language)).transpose()?;
        let mut candidates = Vec::new();
        candidates.try_reserve_exact(core.candidates.len())?;
        candidates.extend(core.candidates.iter().map(|candidate| Candidate {
            encoding: numbers::number(candidate.encoding),
            is_complete: candidate.is_complete.into(),
            probability: candidate.probability,
            malformed: candidate.malformed,
            non_ascii: candidate.non_ascii,
            unlikely: candidate.unlikely,
            reserved: [0; 4],
        }));
        let mut declarations = Vec::new();
        declarations.try_reserve_exact(core.declarations.len())?;
        for of in &core.declarations {
            let declaration = Declaration {
                encoding: of.encoding().map_or(NONE, numbers::number),
                form: numbers::form(of.form()),
                offset: of.offset() as u64,
                label: ptr::null(),
                reserved: [0; 4],
            };
            declarations.push((declaration, add(&mut text, of.label())?));
        }
        Ok(Self {
            encoding: numbers::number(core.encoding),
            confidence: numbers::confidence(core.confidence),
            evidence: numbers::evidence(core.evidence),
            probability: core.probability,
            bytes: core.bytes,
            reason,
            language,
            mixed_with: core.mixed_with.map_or(NONE, numbers::number),
            candidates,
            declarations,
            text,
        })
    }

    fn string(&self, offset: usize) -> *const c_char {
        self.text.get(offset..).map_or(ptr::null(), |text| text.as_ptr().cast())
    }
}

/// Adds a string, and returns its offset.
fn add(text: &mut Vec<u8>, string: &str) -> Result<usize, TryReserveError> {
    let offset = text.len();
    text.try_reserve(string.len() + 1)?;
    text.extend_from_slice(string.as_bytes());
    text.push(0);
    Ok(offset)
}

/// Moves a value to the heap. Returns null if there is not enough memory; the value is dropped then.
pub(crate) fn into_heap<T>(value: T) -> *mut T {
    const { assert!(size_of::<T>() > 0) };
    // SAFETY: the size is not 0, by the assertion.
    let place: *mut T = unsafe { alloc::alloc::alloc(Layout::new::<T>()) }.cast();
    if !place.is_null() {
        // SAFETY: just allocated, with the layout of the value.
        unsafe { place.write(value) };
    }
    place
}

/// Drops a value and frees its memory. Null has no effect.
///
/// # Safety
/// `value` is null, or from [`into_heap`], and nothing refers to it.
pub(crate) unsafe fn free<T>(value: *mut T) {
    if !value.is_null() {
        // SAFETY: from the global allocator, with the layout of a `Box`; the rest is as this function's caller promises.
        drop(unsafe { Box::from_raw(value) });
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_free(detection: *mut Detection) {
    // SAFETY: as the header demands.
    unsafe { free(detection) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_encoding(detection: *const Detection) -> Number {
    // SAFETY: as the header demands.
    unsafe { raw::get(detection) }.map_or(NONE, |detection| detection.encoding)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_confidence(detection: *const Detection) -> i32 {
    // SAFETY: as the header demands.
    unsafe { raw::get(detection) }.map_or(TEXTCODEC_CONFIDENCE_NONE, |detection| detection.confidence)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_probability(detection: *const Detection) -> f64 {
    // SAFETY: as the header demands.
    unsafe { raw::get(detection) }.map_or(0.0, |detection| detection.probability)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_evidence(detection: *const Detection) -> i32 {
    // SAFETY: as the header demands.
    unsafe { raw::get(detection) }.map_or(TEXTCODEC_EVIDENCE_NONE, |detection| detection.evidence)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_reason(detection: *const Detection) -> *const c_char {
    // SAFETY: as the header demands.
    unsafe { raw::get(detection) }.map_or(ptr::null(), |detection| detection.string(detection.reason))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_language(detection: *const Detection) -> *const c_char {
    // SAFETY: as the header demands.
    let detection = unsafe { raw::get(detection) };
    detection.and_then(|detection| Some(detection.string(detection.language?))).unwrap_or(ptr::null())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_mixed_with(detection: *const Detection) -> Number {
    // SAFETY: as the header demands.
    unsafe { raw::get(detection) }.map_or(NONE, |detection| detection.mixed_with)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_bytes(detection: *const Detection) -> u64 {
    // SAFETY: as the header demands.
    unsafe { raw::get(detection) }.map_or(0, |detection| detection.bytes)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_candidate_count(detection: *const Detection) -> usize {
    // SAFETY: as the header demands.
    unsafe { raw::get(detection) }.map_or(0, |detection| detection.candidates.len())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_candidate(
    detection: *const Detection,
    index: usize,
    candidate: *mut Candidate,
) -> bool {
    // SAFETY: as the header demands.
    let Some(found) = (unsafe { raw::get(detection) }).and_then(|detection| detection.candidates.get(index)) else {
        return false;
    };
    // SAFETY: as the header demands.
    unsafe { raw::write(candidate, *found) };
    true
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_declaration_count(detection: *const Detection) -> usize {
    // SAFETY: as the header demands.
    unsafe { raw::get(detection) }.map_or(0, |detection| detection.declarations.len())
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detection_declaration(
    detection: *const Detection,
    index: usize,
    declaration: *mut Declaration,
) -> bool {
    // SAFETY: as the header demands.
    let Some(detection) = (unsafe { raw::get(detection) }) else { return false };
    let Some((found, label)) = detection.declarations.get(index) else { return false };
    // SAFETY: as the header demands.
    unsafe { raw::write(declaration, Declaration { label: detection.string(*label), ..*found }) };
    true
}
