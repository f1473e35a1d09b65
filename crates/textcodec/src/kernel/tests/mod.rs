mod differential;
mod guard_pages;
mod utf32;
