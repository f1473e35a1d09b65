//! Things that JavaScript has by number.

/// Numbered places. One that is free is used again.
pub(crate) struct Slots<T> {
    places: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Slots<T> {
    pub(crate) const fn new() -> Self {
        Self { places: Vec::new(), free: Vec::new() }
    }

    /// Keeps a thing; its number.
    pub(crate) fn put(&mut self, thing: T) -> u32 {
        let Some(number) = self.free.pop() else {
            self.places.push(Some(thing));
            return self.places.len() as u32 - 1;
        };
        self.places[number as usize] = Some(thing);
        number
    }

    /// The thing with this number.
    pub(crate) fn get(&mut self, number: u32) -> &mut T {
        self.places[number as usize].as_mut().expect("JavaScript uses no number that it has given back")
    }

    /// Frees a number; what was there.
    pub(crate) fn take(&mut self, number: u32) -> Option<T> {
        let thing = self.places[number as usize].take()?;
        self.free.push(number);
        Some(thing)
    }
}
