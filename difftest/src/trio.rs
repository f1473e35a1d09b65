//! An encoding in the library, the witness and the model.

/// The same encoding in the library, the witness and the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trio {
    pub(crate) library: textcodec::Encoding,
    pub(crate) witness: &'static encoding_rs::Encoding,
    pub(crate) model: spec_model::Encoding,
}

impl Trio {
    /// Returns all 40 encodings.
    pub(crate) fn all() -> Vec<Self> {
        let all = textcodec::Encoding::ALL.iter().zip(spec_model::Encoding::all());
        all.map(|(&library, &model)| {
            assert_eq!(library.name(), model.name(), "both are in the standard's order");
            let witness = encoding_rs::Encoding::for_label(library.name().as_bytes()).expect("a name is a label");
            assert_eq!(library.name(), witness.name(), "the witness has the same names");
            Self { library, witness, model }
        })
        .collect()
    }

    /// Returns the encoding with this name.
    pub(crate) fn named(name: &str) -> Self {
        Self::all().into_iter().find(|trio| trio.name() == name).expect("a name of the standard")
    }

    /// Returns the name.
    pub(crate) fn name(self) -> &'static str {
        self.library.name()
    }

    /// Returns whether a character may have more than one byte.
    pub(crate) fn is_multi_byte(self) -> bool {
        !self.library.is_single_byte() && self.library != textcodec::REPLACEMENT
    }

    /// Returns the output encoding.
    pub(crate) fn output(self) -> Self {
        Self::named(self.library.output_encoding().name())
    }
}

/// Formats bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}
