//! Huge pages for results.

/// Asks the system to back the spare capacity of a large vector with huge pages, so that the first write to its memory costs one
/// page fault for each 2 MiB and not for each 4 KiB. Faults are most of the time to decode a large column otherwise.
///
/// NumPy does the same from 4 MiB on.
pub(super) fn prefer_huge(bytes: &mut Vec<u8>) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let spare = bytes.spare_capacity_mut();
        if spare.len() < 1 << 22 {
            return;
        }
        let skipped = spare.as_ptr().align_offset(PAGE);
        if let Some(spare) = spare.get_mut(skipped..) {
            let len = spare.len() / PAGE * PAGE;
            // SAFETY: the memory is `len` bytes of `spare`, which nobody else uses, from the start of a page on. The advice does
            // not change what it holds. If the system does not take it, nothing happens.
            unsafe { libc::madvise(spare.as_mut_ptr().cast(), len, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = bytes;
}
