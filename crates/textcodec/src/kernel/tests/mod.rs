mod differential;
mod gb18030;
mod guard_pages;
mod out;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small)))]
mod short;
mod utf32;
