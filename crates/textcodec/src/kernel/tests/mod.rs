mod differential;
mod guard_pages;
