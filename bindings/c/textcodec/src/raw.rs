//! Slices and values from pointers, with the checks. No other file makes references from pointers.
//!
//! A caller in C promises for each function what the header says: that pointers are null or valid for their lengths, and that no
//! other thread uses an object. Everything else is checked here.

use core::mem::MaybeUninit;

/// The caller has broken a rule that can be checked.
pub(crate) struct Invalid;

/// Returns the elements at `start`. Fails if the pointer is null or misaligned, or if the length is more than a slice can have.
///
/// # Safety
/// `start` is null, or valid for `len` elements during `'a`.
#[inline]
pub(crate) unsafe fn input<'a, T>(start: *const T, len: usize) -> Result<&'a [T], Invalid> {
    if len == 0 {
        return Ok(&[]);
    }
    check(start, len)?;
    // SAFETY: not null, aligned, and at most `isize::MAX` bytes, which `check` has checked. Valid: the caller promises that.
    Ok(unsafe { core::slice::from_raw_parts(start, len) })
}

/// Returns the elements at `start`, to be written. Fails like [`input`].
///
/// # Safety
/// `start` is null, or valid for writes of `len` elements during `'a`, and nothing else refers to them.
#[inline]
pub(crate) unsafe fn output<'a, T>(start: *mut T, len: usize) -> Result<&'a mut [MaybeUninit<T>], Invalid> {
    if len == 0 {
        return Ok(&mut []);
    }
    check(start, len)?;
    // SAFETY: not null, aligned, and at most `isize::MAX` bytes, which `check` has checked. Valid: the caller promises that.
    Ok(unsafe { core::slice::from_raw_parts_mut(start.cast(), len) })
}

#[inline]
fn check<T>(start: *const T, len: usize) -> Result<(), Invalid> {
    let longest = isize::MAX.unsigned_abs() / size_of::<T>().max(1);
    let is_valid = !start.is_null() && start.is_aligned() && len <= longest;
    // The end of a slice is an address.
    let end = start.addr().checked_add(len.saturating_mul(size_of::<T>()));
    if is_valid && end.is_some() { Ok(()) } else { Err(Invalid) }
}

/// The source and the destination of a conversion that reads and writes its two lengths.
pub(crate) struct Buffers<'a, S, D> {
    pub(crate) src: &'a [S],
    pub(crate) dst: &'a mut [MaybeUninit<D>],
    read: &'a mut usize,
    written: &'a mut usize,
}

impl<S, D> Buffers<'_, S, D> {
    /// Returns the source and the destination. Fails if one of them is invalid or if they overlap; both lengths become 0 then.
    ///
    /// # Safety
    /// Each pointer is null, or valid as long as the result: `src` and `dst` for the elements at `*read` and `*written`.
    #[inline]
    pub(crate) unsafe fn new(
        src: *const S,
        read: *mut usize,
        dst: *mut D,
        written: *mut usize,
    ) -> Result<Self, Invalid> {
        if read.is_null() || written.is_null() || core::ptr::eq(read, written) {
            // SAFETY: null, or valid, as this function's caller promises.
            unsafe { write(read, 0) };
            // SAFETY: null, or valid, as this function's caller promises.
            unsafe { write(written, 0) };
            return Err(Invalid);
        }
        // SAFETY: not null, as just checked, and valid, as this function's caller promises.
        let read = unsafe { &mut *read };
        // SAFETY: not null and another variable than `read`, as just checked; valid, as this function's caller promises.
        let written = unsafe { &mut *written };
        let (src_len, dst_len) = (core::mem::take(read), core::mem::take(written));
        if overlap(src, src_len, dst, dst_len) {
            return Err(Invalid);
        }
        // SAFETY: as this function's caller promises.
        let src = unsafe { input(src, src_len)? };
        // SAFETY: as this function's caller promises. `src` does not overlap, which was just checked.
        let dst = unsafe { output(dst, dst_len)? };
        Ok(Self { src, dst, read, written })
    }

    /// Returns the destination for functions that take initialised memory.
    ///
    /// # Safety
    /// `D` is an integer, and the destination is memory of the caller in C. The compiler knows nothing about its contents, so it
    /// must assume some value for each element. The library writes them, and does not read others.
    pub(crate) unsafe fn initialised(&mut self) -> &mut [D] {
        // SAFETY: initialised, as this function's caller promises.
        unsafe { self.dst.assume_init_mut() }
    }

    /// Reports how much was read and written.
    #[inline]
    pub(crate) fn report(self, read: usize, written: usize) {
        (*self.read, *self.written) = (read, written);
    }
}

/// Whether two arrays have a byte in common. References to both at the same time would be undefined behaviour.
#[inline]
fn overlap<S, D>(src: *const S, src_len: usize, dst: *mut D, dst_len: usize) -> bool {
    let (src_end, dst_end) = (
        src.addr().saturating_add(src_len.saturating_mul(size_of::<S>())),
        dst.addr().saturating_add(dst_len.saturating_mul(size_of::<D>())),
    );
    src_len > 0 && dst_len > 0 && src.addr() < dst_end && dst.addr() < src_end
}

/// Writes a value that the caller may not want.
///
/// # Safety
/// `to` is null, or valid for a write.
#[inline]
pub(crate) unsafe fn write<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: valid, as this function's caller promises.
        unsafe { to.write(value) }
    }
}

/// Returns the value at `from`, or `None` for null.
///
/// # Safety
/// `from` is null, or valid for reads during `'a`, and nothing writes it.
#[inline]
pub(crate) unsafe fn get<'a, T>(from: *const T) -> Option<&'a T> {
    // SAFETY: as this function's caller promises.
    unsafe { from.as_ref() }
}

/// Returns the object at `from`, or `None` for null.
///
/// # Safety
/// `from` is null, or valid for reads and writes during `'a`, and nothing else refers to it.
#[inline]
pub(crate) unsafe fn get_mut<'a, T>(from: *mut T) -> Option<&'a mut T> {
    // SAFETY: as this function's caller promises.
    unsafe { from.as_mut() }
}

/// Whether an object fits into a storage.
pub(crate) const fn fits<T, Storage>() -> bool {
    size_of::<T>() <= size_of::<Storage>() && align_of::<T>() <= align_of::<Storage>() && !core::mem::needs_drop::<T>()
}

/// Moves an object into a caller's storage, or returns null if that is null or misaligned.
///
/// # Safety
/// `storage` is null, or valid for writes of a storage.
pub(crate) unsafe fn place<T, Storage>(storage: *mut Storage, object: T) -> *mut T {
    const { assert!(fits::<T, Storage>()) };
    if storage.is_null() || !storage.is_aligned() {
        return core::ptr::null_mut();
    }
    let place: *mut T = storage.cast();
    // SAFETY: not null, just checked; aligned and large enough, by the assertion; valid, as this function's caller promises.
    unsafe { place.write(object) };
    place
}

/// Moves an object into memory from `malloc`, or returns null if there is none.
pub(crate) fn allocate<T>(object: T) -> *mut T {
    const { assert!(align_of::<T>() <= align_of::<libc::max_align_t>()) };
    // SAFETY: `malloc` accepts every size.
    let place: *mut T = unsafe { libc::malloc(size_of::<T>()) }.cast();
    // SAFETY: null, or valid for an object of this size, and aligned, by the assertion.
    unsafe { write(place, object) };
    place
}

/// Frees memory from [`allocate`].
///
/// # Safety
/// `object` is from [`allocate`], and nothing refers to it.
pub(crate) unsafe fn release<T>(object: *mut T) {
    const { assert!(!core::mem::needs_drop::<T>()) };
    // SAFETY: as this function's caller promises.
    unsafe { libc::free(object.cast()) }
}
