//! The class `Encoding`, and encodings as arguments.

use std::ops::RangeInclusive;

use pyo3::{
    Borrowed,
    exceptions::{PyLookupError, PyTypeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyList, PyString, PyTuple},
};
use textcodec::{Alias, Bom, Encoding, LATIN1, US_ASCII, oem};

use crate::{
    buffer::Input,
    objects::{self, text_of},
    report::{self, BomArgument},
    text::Source,
};

/// An encoding: one of the 40 of the standard, or one outside the standard.
#[pyclass(frozen, eq, hash, module = "textcodec", name = "Encoding")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyEncoding(pub(crate) Encoding);

#[pymethods]
impl PyEncoding {
    /// The name in the standard, such as `Shift_JIS`.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// All labels, in small letters.
    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let labels = self.0.labels().iter().map(|label| objects::string(py, label).map(Bound::into_any));
        Ok(objects::list(py, labels)?.to_tuple())
    }

    /// Other names, in small letters, which the standard does not have. Those of an encoding outside the standard mean it wherever
    /// an encoding is named.
    #[getter]
    fn aliases<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let page = textcodec_oem::for_name(self.0.name()).filter(|_| self.0.feature() == Some("oem"));
        let listed = Alias::ALL.iter().filter(|alias| alias.encoding == self.0).map(|alias| alias.name);
        let names = listed.chain(page.into_iter().flat_map(textcodec_oem::aliases));
        Ok(objects::list(py, names.map(|name| objects::string(py, name).map(Bound::into_any)))?.to_tuple())
    }

    /// The number of the code page of Windows or IBM.
    #[getter]
    fn code_page(&self) -> Option<u16> {
        self.0.code_page()
    }

    /// The name in MIME: the preferred one that is registered with IANA.
    #[getter]
    fn mime_name(&self) -> Option<&'static str> {
        self.0.mime_name()
    }

    /// The name for `codecs.lookup`, `open` and all else that uses Python's codecs.
    #[getter]
    fn codec_name(&self) -> String {
        codec_name(self.0)
    }

    /// Whether each byte is one character.
    #[getter]
    fn is_single_byte(&self) -> bool {
        self.0.is_single_byte()
    }

    /// Whether text in ASCII has the same bytes.
    #[getter]
    fn is_ascii_compatible(&self) -> bool {
        self.0.is_ascii_compatible()
    }

    /// Whether all bytes decode without an error.
    #[getter]
    fn is_total(&self) -> bool {
        self.0.is_total()
    }

    /// The encoding that forms and URLs use instead: UTF-8 for `UTF-16BE`, `UTF-16LE` and `replacement`, else this one.
    #[getter]
    fn output_encoding(&self, py: Python<'_>) -> PyResult<Py<Self>> {
        object(py, self.0.output_encoding())
    }

    /// Returns whether the encoder maps a character.
    fn can_encode(&self, character: Bound<'_, PyString>) -> PyResult<bool> {
        let source = Source::new(&character)?;
        if source.len() != 1 {
            return Err(PyValueError::new_err("expected a string of length 1"));
        }
        // Nothing maps a surrogate.
        Ok(char::from_u32(source.code_point(0)).is_some_and(|character| self.0.can_encode(character)))
    }

    /// Returns the scalar values that the encoder maps, as ascending pairs of first and last.
    fn repertoire<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        // Ranges of Rust's characters leave out the surrogates between their ends.
        let split = |range: RangeInclusive<char>| match range.into_inner() {
            (first @ ..='\u{D7FF}', last @ '\u{E000}'..) => [Some((first, '\u{D7FF}')), Some(('\u{E000}', last))],
            range => [Some(range), None],
        };
        let ranges = self.0.repertoire().flat_map(split).flatten();
        let int = |character: char| objects::int(py, u32::from(character).into()).map(Bound::into_any);
        let pair = |(first, last)| Ok(objects::tuple(py, [int(first)?, int(last)?])?.into_any());
        objects::list(py, ranges.map(pair))
    }

    /// Decodes bytes. See `textcodec.decode`.
    #[pyo3(
        signature = (data, errors = "strict", *, bom = BomArgument(Bom::Sniff)),
        text_signature = "($self, data, errors='strict', *, bom='sniff')"
    )]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        data: Input<'py>,
        errors: &str,
        bom: BomArgument,
    ) -> PyResult<Bound<'py, PyString>> {
        report::decode(py, data, EncodingArgument(self.0), errors, bom)
    }

    /// Encodes text. See `textcodec.encode`.
    #[pyo3(signature = (text, errors = "strict", *, bom = false))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        text: Bound<'py, PyString>,
        errors: &str,
        bom: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        report::encode(py, text, EncodingArgument(self.0), errors, bom)
    }

    fn __repr__(&self) -> String {
        format!("<Encoding {}>", self.0.name())
    }

    fn __str__(&self) -> &'static str {
        self.0.name()
    }

    /// Pickles by name.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        Ok((py.import("textcodec")?.getattr("_encoding_by_name")?, (self.0.name(),)))
    }
}

/// Returns the name of an encoding's codec.
pub(crate) fn codec_name(encoding: Encoding) -> String {
    match encoding {
        // Their names are labels of windows-1252.
        LATIN1 => "textcodec-isomorphic".to_owned(),
        US_ASCII => "textcodec-strict-ascii".to_owned(),
        _ if encoding.labels().is_empty() => format!("textcodec-{}", encoding.name().to_ascii_lowercase()),
        _ => format!("whatwg-{}", encoding.name().to_ascii_lowercase()),
    }
}

/// The encodings of the standard, and two groups of others.
const GROUPS: [&[Encoding]; 3] = [Encoding::ALL, Encoding::EXTRA, oem::ALL];

/// Returns the encoding of a label, or of a name of an encoding outside the standard.
pub(crate) fn for_name(name: &str) -> Option<Encoding> {
    let outside = || Alias::for_name(name).filter(|alias| alias.encoding.labels().is_empty());
    Encoding::for_label(name).or_else(|| outside().map(|alias| alias.encoding))
}

/// Returns the object for an encoding. There is one for each.
pub(crate) fn object(py: Python<'_>, encoding: Encoding) -> PyResult<Py<PyEncoding>> {
    static OBJECTS: PyOnceLock<Vec<Py<PyEncoding>>> = PyOnceLock::new();
    let objects = OBJECTS.get_or_try_init(py, || {
        let all = GROUPS.into_iter().flatten();
        all.map(|&encoding| Py::new(py, PyEncoding(encoding))).collect::<PyResult<Vec<_>>>()
    })?;
    match objects.iter().find(|object| object.get().0 == encoding) {
        Some(object) => Ok(object.clone_ref(py)),
        None => Py::new(py, PyEncoding(encoding)),
    }
}

/// Returns all encodings: the 40 of the standard in its order, `ISOMORPHIC` and `STRICT_ASCII`, and those of `textcodec::oem`.
#[pyfunction]
pub(crate) fn encodings(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    let group = |group: &[Encoding]| {
        let objects = group.iter().map(|&encoding| Ok(object(py, encoding)?.into_bound(py).into_any()));
        Ok::<_, PyErr>(objects::list(py, objects)?.to_tuple().into_any())
    };
    let [standard, extra, oem] = GROUPS.map(group);
    objects::tuple(py, [standard?, extra?, oem?])
}

/// Gets an encoding from a label, or from a name of an encoding outside the standard. With `aliases`, also from other names of the
/// standard's encodings.
#[pyfunction]
#[pyo3(signature = (label, *, aliases = false))]
pub(crate) fn get_encoding(py: Python<'_>, label: &Bound<'_, PyString>, aliases: bool) -> PyResult<Py<PyEncoding>> {
    let label = &*text_of(label)?;
    let alias = || Alias::for_name(label).filter(|_| aliases).map(|alias| alias.encoding);
    match for_name(label).or_else(alias) {
        Some(encoding) => object(py, encoding),
        None => Err(unknown_label(label)),
    }
}

/// Returns the encoding of a byte order mark, and its length in bytes.
#[pyfunction]
pub(crate) fn for_bom(py: Python<'_>, data: Input<'_>) -> PyResult<Option<(Py<PyEncoding>, usize)>> {
    Encoding::for_bom(data.as_slice()).map(|(encoding, len)| Ok((object(py, encoding)?, len))).transpose()
}

/// An argument that is an `Encoding`, a label or a name outside the standard.
#[derive(Clone, Copy)]
pub(crate) struct EncodingArgument(pub(crate) Encoding);

impl<'py> FromPyObject<'_, 'py> for EncodingArgument {
    type Error = PyErr;

    fn extract(argument: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(encoding) = argument.cast_exact::<PyEncoding>() {
            return Ok(Self(encoding.get().0));
        }
        let Ok(label) = argument.cast::<PyString>() else {
            let name = argument.get_type().name()?;
            return Err(PyTypeError::new_err(format!("an encoding must be a label or an Encoding, not {name}")));
        };
        let label = text_of(&label)?;
        for_name(&label).map(Self).ok_or_else(|| unknown_label(&label))
    }
}

/// The exception for a label that is unknown.
pub(crate) fn unknown_label(label: &str) -> PyErr {
    match label.parse::<Encoding>() {
        Err(error) => PyLookupError::new_err(error.to_string()),
        Ok(_) => PyLookupError::new_err(format!("\"{label}\" is not a label in the Encoding Standard")),
    }
}
