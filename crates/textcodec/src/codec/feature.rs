//! Which codecs this build has: the Cargo features of the families, as types, in this one place.
//!
//! A codec of a family is kept in an [`If`]. Where the family is off, that type has no values, so the compiler drops the arms that
//! would handle one, and with them the codec and its tables. All code is compiled and checked in every build all the same.

use core::{convert::Infallible, fmt::Debug};

pub(crate) type SingleByte = Feature<{ cfg!(feature = "single-byte") }>;
pub(crate) type Japanese = Feature<{ cfg!(feature = "japanese") }>;
pub(crate) type Korean = Feature<{ cfg!(feature = "korean") }>;
pub(crate) type Chinese = Feature<{ cfg!(feature = "chinese") }>;

pub(crate) type SingleByteEncoders = Feature<{ cfg!(all(feature = "single-byte", feature = "encoders")) }>;
pub(crate) type JapaneseEncoders = Feature<{ cfg!(all(feature = "japanese", feature = "encoders")) }>;
pub(crate) type KoreanEncoders = Feature<{ cfg!(all(feature = "korean", feature = "encoders")) }>;
pub(crate) type ChineseEncoders = Feature<{ cfg!(all(feature = "chinese", feature = "encoders")) }>;

/// A part of the library that is on or off.
#[derive(Clone, Debug)]
pub(crate) struct Feature<const ON: bool>;

/// What [`Feature<true>`](Feature) and [`Feature<false>`](Feature) say of themselves.
pub(crate) trait Switch {
    /// Has a value where the feature is on.
    type On: Clone + Debug;
    /// Has a value where it is off.
    type Off: Debug;

    /// The one value that there is.
    const STATE: Result<Self::On, Self::Off>;
}

impl Switch for Feature<true> {
    type On = ();
    type Off = Infallible;

    const STATE: Result<(), Infallible> = Ok(());
}

impl Switch for Feature<false> {
    type On = Infallible;
    type Off = ();

    const STATE: Result<Infallible, ()> = Err(());
}

/// A codec, if its feature is on; without values where it is off.
#[derive(Clone, Debug)]
pub(crate) struct If<F: Switch, C>(pub(crate) C, F::On);

impl<F: Switch, C> If<F, C> {
    pub(crate) fn new(codec: C) -> Result<Self, F::Off> {
        F::STATE.map(|on| Self(codec, on))
    }
}

/// The family that an encoding belongs to and that is off. Without values where all are on.
#[derive(Debug)]
pub(crate) enum Missing {
    SingleByte(<SingleByte as Switch>::Off),
    Japanese(<Japanese as Switch>::Off),
    Korean(<Korean as Switch>::Off),
    Chinese(<Chinese as Switch>::Off),
}
