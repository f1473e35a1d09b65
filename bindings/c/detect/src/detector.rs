//! Detectors and their options.

use alloc::vec::Vec;
use core::{
    ffi::{c_char, c_void},
    ptr,
};

use textcodec_c_runtime::reserve::Reserve;
use textcodec_detect::{DetectOptions, Detection as CoreDetection, Detector as Core, Hints, Language};

use crate::{
    detection::{self, Detection},
    numbers::{self, INVALID_ARGUMENT, NO_MEMORY, NONE, Number, OK, Status, UNAVAILABLE},
    raw,
};

/// A detector.
pub(crate) struct Detector {
    /// Without the hints.
    options: DetectOptions,
    hints: Hints,
    /// The detector of the text, if one was begun.
    text: Result<Option<Core>, NoMemory>,
    reserve: Reserve,
}

// A detector can move between threads.
const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Core>();
};

/// There was not enough memory.
struct NoMemory;

/// The length of the reserve. Detection allocates at most a part of it for a block and for the result: `tests/detect/memory.c`.
const RESERVE: usize = 4 << 20;

/// The number of bytes that are examined with one reserve: the length of a detector's blocks.
const BLOCK: usize = 64 * 1024;

impl Detector {
    fn new() -> Option<Self> {
        let reserve = Reserve::new(RESERVE)?;
        Some(Self { options: DetectOptions::new(), hints: Hints::new(), text: Ok(None), reserve })
    }

    /// Changes the options. They must not be changed within a text.
    fn change(&mut self, change: impl FnOnce(&mut DetectOptions, &mut Hints)) -> Status {
        if !matches!(self.text, Ok(None)) {
            return INVALID_ARGUMENT;
        }
        let changed = self.reserve.run(|| {
            let (mut options, mut hints) = (self.options.clone(), self.hints.clone());
            change(&mut options, &mut hints);
            (options, hints)
        });
        let Some(changed) = changed else { return NO_MEMORY };
        (self.options, self.hints) = changed;
        OK
    }

    fn feed(&mut self, bytes: &[u8]) -> Status {
        for block in bytes.chunks(BLOCK) {
            let fed = self.run(|mut core| {
                core.feed(block);
                core
            });
            let Some(core) = fed else { return NO_MEMORY };
            self.text = Ok(Some(core));
        }
        OK
    }

    /// Ends the text. Returns null if there is not enough memory.
    fn finish(&mut self, partial: bool) -> *mut Detection {
        let end = |core: Core| if partial { core.finish_partial() } else { core.finish() };
        let core: Option<CoreDetection> = self.run(end);
        let detection = core.and_then(|core| Detection::new(&core).ok()).map_or(ptr::null_mut(), detection::into_heap);
        if !detection.is_null() {
            self.text = Ok(None);
        }
        detection
    }

    /// Does something with the detector of the text, with the reserve. The text has failed until the caller sets another one.
    fn run<R>(&mut self, work: impl FnOnce(Core) -> R) -> Option<R> {
        let core = core::mem::replace(&mut self.text, Err(NoMemory)).ok()?;
        let create = || Core::with(self.options.clone().hints(self.hints.clone()));
        self.reserve.run(|| work(core.unwrap_or_else(create)))
    }

    fn reset(&mut self) -> Status {
        if self.reserve.is_kept() {
            let Some(reserve) = Reserve::new(RESERVE) else { return NO_MEMORY };
            self.reserve = reserve;
        }
        self.text = Ok(None);
        OK
    }
}

/// Sets an option of a detector.
///
/// # Safety
/// `detector` is null or a detector, and no other thread uses it.
unsafe fn set(detector: *mut Detector, change: impl FnOnce(&mut DetectOptions, &mut Hints)) -> Status {
    // SAFETY: as this function's caller promises.
    unsafe { raw::get_mut(detector) }.map_or(INVALID_ARGUMENT, |detector| detector.change(change))
}

/// Hands an object over, or null, which means that there was not enough memory.
///
/// # Safety
/// `to` is null, or valid for a write.
unsafe fn hand_over<T>(object: *mut T, to: *mut *mut T) -> Status {
    // SAFETY: as this function's caller promises.
    unsafe { raw::write(to, object) };
    if object.is_null() { NO_MEMORY } else { OK }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detect(bytes: *const c_void, length: usize, detection: *mut *mut Detection) -> Status {
    // SAFETY: as the header demands.
    unsafe { raw::write(detection, ptr::null_mut()) };
    // SAFETY: as the header demands.
    let Ok(bytes) = (unsafe { raw::input::<u8>(bytes.cast(), length) }) else { return INVALID_ARGUMENT };
    if detection.is_null() {
        return INVALID_ARGUMENT;
    }
    let detected = Detector::new().map_or(ptr::null_mut(), |mut detector| {
        if detector.feed(bytes) == OK { detector.finish(false) } else { ptr::null_mut() }
    });
    // SAFETY: as the header demands.
    unsafe { hand_over(detected, detection) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_new(detector: *mut *mut Detector) -> Status {
    if detector.is_null() {
        return INVALID_ARGUMENT;
    }
    // SAFETY: as the header demands.
    unsafe { hand_over(Detector::new().map_or(ptr::null_mut(), detection::into_heap), detector) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_free(detector: *mut Detector) {
    // SAFETY: as the header demands.
    unsafe { detection::free(detector) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_reset(detector: *mut Detector) -> Status {
    // SAFETY: as the header demands.
    unsafe { raw::get_mut(detector) }.map_or(INVALID_ARGUMENT, Detector::reset)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_set_declarations(detector: *mut Detector, declarations: bool) -> Status {
    // SAFETY: as the header demands.
    unsafe { set(detector, |options, _| *options = options.clone().declarations(declarations)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_set_guess(detector: *mut Detector, guess: bool) -> Status {
    // SAFETY: as the header demands.
    unsafe { set(detector, |options, _| *options = options.clone().guess(guess)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_set_candidates(
    detector: *mut Detector,
    encodings: *const Number,
    count: usize,
) -> Status {
    // SAFETY: as the header demands.
    let Ok(encodings) = (unsafe { raw::input(encodings, count) }) else { return INVALID_ARGUMENT };
    if encodings.iter().any(|&number| numbers::encoding(number).is_none()) {
        return INVALID_ARGUMENT;
    }
    let candidates = encodings.iter().filter_map(|&number| numbers::encoding(number));
    // SAFETY: as the header demands.
    unsafe { set(detector, |options, _| *options = options.clone().candidates(candidates)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_set_languages(
    detector: *mut Detector,
    tags: *const c_char,
    length: usize,
) -> Status {
    // SAFETY: as the header demands.
    let tags = unsafe { raw::input::<u8>(tags.cast(), length) };
    let Some(tags) = tags.ok().and_then(|tags| str::from_utf8(tags).ok()) else { return INVALID_ARGUMENT };
    let tags = || tags.split([',', ' ']).filter(|tag| !tag.is_empty());
    let mut is_known = true;
    let set_languages = |options: &mut DetectOptions, _: &mut Hints| {
        let languages: Vec<_> = tags().map(Language::for_tag).collect();
        is_known = languages.iter().all(Option::is_some);
        if is_known {
            *options = options.clone().languages(languages.into_iter().flatten());
        }
    };
    // SAFETY: as the header demands.
    let status = unsafe { set(detector, set_languages) };
    if status == OK && !is_known { UNAVAILABLE } else { status }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_set_top_level_domain(
    detector: *mut Detector,
    domain: *const c_char,
    length: usize,
) -> Status {
    // SAFETY: as the header demands.
    let Ok(domain) = (unsafe { raw::input::<u8>(domain.cast(), length) }) else { return INVALID_ARGUMENT };
    // No domain has other characters.
    let domain = str::from_utf8(domain).unwrap_or_default();
    // SAFETY: as the header demands.
    unsafe { set(detector, |_, hints| *hints = hints.clone().top_level_domain(domain)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_set_content_type(
    detector: *mut Detector,
    header: *const c_char,
    length: usize,
) -> Status {
    // SAFETY: as the header demands.
    let Ok(header) = (unsafe { raw::input::<u8>(header.cast(), length) }) else { return INVALID_ARGUMENT };
    // SAFETY: as the header demands.
    unsafe { set(detector, |_, hints| *hints = hints.clone().content_type(header)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_set_transport(detector: *mut Detector, number: Number) -> Status {
    let encoding = numbers::encoding(number);
    if encoding.is_none() && number != NONE {
        return INVALID_ARGUMENT;
    }
    // SAFETY: as the header demands.
    unsafe { set(detector, |_, hints| *hints = hints.clone().transport(encoding)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_set_fallback(detector: *mut Detector, number: Number) -> Status {
    let encoding = numbers::encoding(number);
    if encoding.is_none() && number != NONE {
        return INVALID_ARGUMENT;
    }
    // SAFETY: as the header demands.
    unsafe { set(detector, |_, hints| *hints = hints.clone().fallback(encoding)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_feed(detector: *mut Detector, bytes: *const c_void, length: usize) -> Status {
    // SAFETY: as the header demands.
    let (detector, bytes) = unsafe { (raw::get_mut(detector), raw::input::<u8>(bytes.cast(), length)) };
    match (detector, bytes) {
        (Some(detector), Ok(bytes)) => detector.feed(bytes),
        _ => INVALID_ARGUMENT,
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_is_decided(detector: *const Detector) -> bool {
    // SAFETY: as the header demands.
    let detector = unsafe { raw::get(detector) };
    detector.is_some_and(|detector| matches!(&detector.text, Ok(Some(core)) if core.is_decided()))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_detector_finish(
    detector: *mut Detector,
    partial: bool,
    detection: *mut *mut Detection,
) -> Status {
    // SAFETY: as the header demands.
    unsafe { raw::write(detection, ptr::null_mut()) };
    // SAFETY: as the header demands.
    match unsafe { raw::get_mut(detector) } {
        // SAFETY: as the header demands.
        Some(detector) if !detection.is_null() => unsafe { hand_over(detector.finish(partial), detection) },
        _ => INVALID_ARGUMENT,
    }
}
