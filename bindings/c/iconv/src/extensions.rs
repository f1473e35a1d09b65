//! The functions of libiconv that POSIX does not have.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};

use iconv::{Form, Order};
use textcodec::{Encoding, oem};

use crate::{descriptor, next, set_errno};

/// The version of libiconv whose interface this is.
#[unsafe(no_mangle)]
pub static _libiconv_version: c_int = 0x0112;

/// Reads or changes a property of a descriptor. Returns 0, or -1.
///
/// # Safety
/// `cd` is from `libiconv_open`, and `argument` points to an `int`, or they are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconvctl(cd: *mut c_void, request: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    let Some(descriptor) = (unsafe { descriptor::get(cd) }) else {
        // SAFETY: as the caller promises; the descriptor is of another library.
        return unsafe { next::LIBICONVCTL.get_for(cd) }
            .map_or(-1, |control| unsafe { control(cd, request, argument) });
    };
    let conversion = &mut descriptor.conversion;
    if argument.is_null() {
        return invalid();
    }
    let argument = argument.cast::<c_int>();
    let mut options = conversion.options();
    let get = |value: bool| {
        // SAFETY: it points to an `int`, as the caller promises.
        unsafe { argument.write(value.into()) };
        0
    };
    // SAFETY: it points to an `int`, as the caller promises.
    let set = || unsafe { argument.read() } != 0;
    match request {
        0 => return get(conversion.from() == conversion.to()),
        1 => return get(options.transliterate),
        3 => return get(options.skip_malformed && options.skip_unmappable),
        11 => return get(options.skip_malformed),
        13 => return get(options.skip_unmappable),
        2 => options.transliterate = set(),
        4 => {
            let skip = set();
            options.skip_malformed = skip;
            options.skip_unmappable = skip;
        }
        12 => options.skip_malformed = set(),
        14 => options.skip_unmappable = set(),
        _ => return invalid(),
    }
    conversion.set_options(options);
    0
}

fn invalid() -> c_int {
    set_errno(libc::EINVAL);
    -1
}

/// A function that is called for an encoding, with the number of its names, the names, and the caller's data.
type DoOne = unsafe extern "C" fn(c_uint, *const *const c_char, *mut c_void) -> c_int;

/// The maximum number of names of an encoding, and the maximum length of a name with its terminator.
const MAX_NAMES: usize = 64;
const MAX_LEN: usize = Form::MAX_NAME_LEN + 1;

/// Calls a function for each encoding, until it returns something else than 0.
///
/// # Safety
/// The function can be called with `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconvlist(do_one: Option<DoOne>, data: *mut c_void) {
    let Some(do_one) = do_one else { return };
    for (number, (_, form)) in Form::names().enumerate() {
        if Form::names().take(number).any(|(_, other)| other == form) {
            continue;
        }
        let mut strings = [[0_u8; MAX_LEN]; MAX_NAMES];
        let mut names = [core::ptr::null::<c_char>(); MAX_NAMES];
        let mut count = 0;
        let of_form = Form::names().filter(|(_, other)| *other == form);
        for (((name, _), string), pointer) in of_form.zip(&mut strings).zip(&mut names) {
            // The last byte stays 0.
            for (to, byte) in string[..MAX_LEN - 1].iter_mut().zip(name.bytes()) {
                *to = byte.to_ascii_uppercase();
            }
            *pointer = string.as_ptr().cast();
            count += 1;
        }
        // SAFETY: as the caller promises. The pointers are to strings that end with 0.
        if unsafe { do_one(count, names.as_ptr(), data) } != 0 {
            return;
        }
    }
}

/// Returns the canonical name of an encoding, or the argument if the name is unknown.
///
/// # Safety
/// `name` is null or a string of C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_canonicalize(name: *const c_char) -> *const c_char {
    if name.is_null() {
        return name;
    }
    // SAFETY: as the caller promises.
    let form = Form::for_name(unsafe { CStr::from_ptr(name) }.to_bytes());
    form.and_then(canonical_name).map_or(name, CStr::as_ptr)
}

fn canonical_name(form: Form) -> Option<&'static CStr> {
    let number = (0..COUNT).find(|&number| form_at(number) == form)?;
    CStr::from_bytes_until_nul(&NAMES[number]).ok()
}

/// The forms that are not encodings.
const OTHERS: [Form; 8] = [
    Form::MarkedUtf16,
    Form::MarkedUtf32,
    Form::Utf32(Order::Little),
    Form::Utf32(Order::Big),
    Form::Ucs2(Order::Little),
    Form::Ucs2(Order::Big),
    Form::Utf7,
    Form::Utf7Imap,
];

/// The lists of encodings.
const LISTS: [&[Encoding]; 3] = [Encoding::ALL, Encoding::EXTRA, oem::ALL];

/// The number of forms.
const COUNT: usize = OTHERS.len() + LISTS[0].len() + LISTS[1].len() + LISTS[2].len();

/// Returns a form by its number.
const fn form_at(mut number: usize) -> Form {
    if number < OTHERS.len() {
        return OTHERS[number];
    }
    number -= OTHERS.len();
    let mut list = 0;
    while number >= LISTS[list].len() {
        number -= LISTS[list].len();
        list += 1;
    }
    Form::Encoding(LISTS[list][number])
}

/// The names of all forms, each with a terminator.
static NAMES: [[u8; 24]; COUNT] = {
    let mut names = [[0; 24]; COUNT];
    let mut at = 0;
    while at < COUNT {
        let (name, mut byte) = (form_at(at).name().as_bytes(), 0);
        while byte < name.len() {
            names[at][byte] = name[byte];
            byte += 1;
        }
        at += 1;
    }
    names
};
