//! A position in bytes, for the algorithms of the HTML standard.

/// A position in bytes. Its methods return `None` at the end.
pub(crate) struct Scan<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

impl Scan<'_> {
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(crate) fn take(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    pub(crate) fn skip(&mut self, unwanted: impl Fn(u8) -> bool) -> Option<()> {
        while unwanted(self.peek()?) {
            self.at += 1;
        }
        Some(())
    }

    /// Returns the position of the next occurrence of some bytes.
    pub(crate) fn find(&self, needle: &[u8]) -> Option<usize> {
        let rest = self.bytes.get(self.at..)?;
        Some(self.at + rest.windows(needle.len()).position(|window| window == needle)?)
    }
}

pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}
