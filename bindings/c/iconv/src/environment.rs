//! The environment: the variable `TEXTCODEC_ICONV`, and the locale.

use core::{
    ffi::CStr,
    sync::atomic::{AtomicU8, Ordering},
};

use iconv::{Form, conflicts_with_glibc};

/// What the variable `TEXTCODEC_ICONV` says: words, separated by commas.
#[derive(Clone, Copy)]
pub(crate) struct Environment {
    /// Whether names that this library does not know go to the next `iconv_open`: not with the word `nofallback`.
    pub(crate) allows_next: bool,
    /// Whether names go there whose tables differ from those of the C library, and tag characters are dropped as there: with the
    /// word `identical`.
    pub(crate) leaves_conflicts: bool,
}

impl Environment {
    /// Reads the variable at the first call. Programs that run with more rights than their user ignore it.
    pub(crate) fn get() -> Self {
        /// The bits of the words, and a bit that says that they are read.
        static BITS: AtomicU8 = AtomicU8::new(0);
        const READ: u8 = 4;

        let mut bits = BITS.load(Ordering::Relaxed);
        if bits == 0 {
            // SAFETY: the words are read before anything else is called.
            let words = unsafe { words() };
            let has = |word: &str| words.split(|&byte| byte == b',').any(|other| other == word.as_bytes());
            bits = READ | u8::from(has("nofallback")) | u8::from(has("identical")) << 1;
            BITS.store(bits, Ordering::Relaxed);
        }
        Self { allows_next: bits & 1 == 0, leaves_conflicts: bits & 2 != 0 }
    }
}

/// Returns the value of the variable.
///
/// # Safety
/// The value is used before the environment changes.
unsafe fn words() -> &'static [u8] {
    // SAFETY: the call has no requirements. The entry says whether the program has more rights than its user.
    if unsafe { libc::getauxval(libc::AT_SECURE) } != 0 {
        return b"";
    }
    // SAFETY: the name is a string of C.
    let value = unsafe { libc::getenv(c"TEXTCODEC_ICONV".as_ptr()) };
    if value.is_null() {
        return b"";
    }
    // SAFETY: it is a string of C, and the caller uses it before the environment changes.
    unsafe { CStr::from_ptr(value) }.to_bytes()
}

/// Returns the form of the locale's character set, unless it is one that goes to the next `iconv_open`.
pub(crate) fn locale_form(environment: Environment) -> Option<Form> {
    // SAFETY: the call has no requirements, and returns a string that is valid until the locale changes.
    let name = unsafe { CStr::from_ptr(libc::nl_langinfo(libc::CODESET)) }.to_bytes();
    let is_left = environment.leaves_conflicts && conflicts_with_glibc(name);
    Form::for_name(name).filter(|_| !is_left)
}
