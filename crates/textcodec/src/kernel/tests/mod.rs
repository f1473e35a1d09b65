mod differential;
mod gb18030;
mod guard_pages;
mod utf32;
