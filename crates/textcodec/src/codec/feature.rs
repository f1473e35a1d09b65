//! The codecs of this build: the Cargo features of the encoding families, as types.
//!
//! A codec of a family is wrapped in an [`If`]. If the family is disabled, this type has no values. The compiler then removes
//! the match arms that would handle one. The codec itself is then the one in `off.rs`, so that only enabled families are compiled:
//! the methods of a trait's implementation would be, even if nothing called them.

use core::{convert::Infallible, fmt::Debug};

use crate::conversion::DecodeReason;

pub(crate) type SingleByte = Feature<{ cfg!(feature = "single-byte") }>;
pub(crate) type Japanese = Feature<{ cfg!(feature = "japanese") }>;
pub(crate) type Korean = Feature<{ cfg!(feature = "korean") }>;
pub(crate) type Chinese = Feature<{ cfg!(feature = "chinese") }>;

pub(crate) type SingleByteEncoders = Feature<{ cfg!(all(feature = "single-byte", feature = "encoders")) }>;
pub(crate) type JapaneseEncoders = Feature<{ cfg!(all(feature = "japanese", feature = "encoders")) }>;
pub(crate) type KoreanEncoders = Feature<{ cfg!(all(feature = "korean", feature = "encoders")) }>;
pub(crate) type ChineseEncoders = Feature<{ cfg!(all(feature = "chinese", feature = "encoders")) }>;

/// A part of the library that is enabled or disabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature<const ON: bool>;

/// The state of [`Feature<true>`](Feature) and [`Feature<false>`](Feature), as types.
pub(crate) trait Switch {
    /// Has a value if the feature is enabled.
    type On: Copy + Debug;
    /// Has a value if the feature is disabled.
    type Off: Copy + Debug;

    /// The value of the type that has one.
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

/// A codec whose feature is enabled. The type has no values if the feature is disabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct If<F: Switch, C>(pub(crate) C, F::On);

impl<F: Switch, C: Copy> If<F, C> {
    pub(crate) const fn new(codec: C) -> Result<Self, F::Off> {
        match F::STATE {
            Ok(on) => Ok(Self(codec, on)),
            Err(off) => Err(off),
        }
    }
}

/// The disabled family of an encoding. The type has no values if all families are enabled.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Missing {
    SingleByte(<SingleByte as Switch>::Off),
    Japanese(<Japanese as Switch>::Off),
    Korean(<Korean as Switch>::Off),
    Chinese(<Chinese as Switch>::Off),
    /// There is not enough memory for the table of a code page.
    #[cfg(feature = "oem")]
    Memory,
}

impl Missing {
    /// Why the decoder cannot be created.
    pub(crate) fn reason(self) -> DecodeReason {
        match self {
            #[cfg(feature = "oem")]
            Self::Memory => DecodeReason::OutOfMemory,
            _ => DecodeReason::Unavailable,
        }
    }
}
