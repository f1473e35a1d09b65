//! Section 14.1: replacement. It has no encoder.

use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Error, Finished},
    },
    io_queue::{IoQueue, Item},
};

/// <https://encoding.spec.whatwg.org/#replacement-decoder>
#[derive(Clone, Debug, Default)]
pub struct ReplacementDecoder {
    error_returned: bool,
}

impl Handler<u8, char> for ReplacementDecoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(_) = item else {
            return Finished; // 1.
        };
        if !self.error_returned {
            self.error_returned = true;
            return Error(None); // 2.
        }
        Finished // 3. The rest of the queue is never read.
    }
}
