//! Detection: the class `Detector`. Its result is a tuple, of which `textcodec._detect` makes an object.

use std::sync::{Mutex, PoisonError};

use pyo3::{
    exceptions::{PyLookupError, PyTypeError, PyValueError},
    prelude::*,
    sync::MutexExt,
    types::{PyBool, PyString, PyTuple},
};
use textcodec::Encoding;
use textcodec_detect::{
    Candidate, DetectOptions, Detection, Detector, Hints, Language,
    declaration::{Declaration, Form},
    mail::Group,
};

use crate::{
    buffer::{Input, LONG},
    bytes::probe,
    encoding::{EncodingArgument, object},
    objects::{self, SHOWN, shown, text_of},
};

/// More memory than a detector uses at a time.
const DETECTOR: usize = 4 << 20;

/// Detects the encoding of text that comes in chunks.
#[pyclass(frozen, subclass, module = "textcodec._native", name = "Detector")]
pub(crate) struct PyDetector(
    /// `None` after the end. No code of Python runs while this is locked.
    Mutex<Option<Detector>>,
);

#[pymethods]
impl PyDetector {
    #[new]
    #[pyo3(signature = (
        *, candidates = None, languages = None, tld = None, declarations = true, guess = true, content_type = None,
        transport = None, fallback = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        candidates: Option<Bound<'_, PyAny>>,
        languages: Option<Bound<'_, PyAny>>,
        tld: Option<&str>,
        declarations: bool,
        guess: bool,
        content_type: Option<&str>,
        transport: Option<EncodingArgument>,
        fallback: Option<EncodingArgument>,
    ) -> PyResult<Self> {
        let mut hints = Hints::new();
        // Parts of these are copied.
        probe(2 * content_type.map_or(0, str::len) + tld.map_or(0, str::len))?;
        if let Some(header) = content_type {
            hints = hints.content_type(header);
        }
        if let Some(EncodingArgument(encoding)) = transport {
            hints = hints.transport(encoding);
        }
        if let Some(EncodingArgument(encoding)) = fallback {
            hints = hints.fallback(encoding);
        }
        if let Some(tld) = tld {
            hints = hints.top_level_domain(tld);
        }
        let candidates = candidates.map(|candidates| encodings(&candidates, "candidates")).transpose()?;
        let languages = languages.map(|languages| items(&languages, "languages", |tag| language(&tag))).transpose()?;
        let options = DetectOptions::new()
            .declarations(declarations)
            .guess(guess)
            .hints(hints)
            .candidates(candidates.unwrap_or_default())
            .languages(languages.unwrap_or_default());
        Ok(Self(Mutex::new(Some(Detector::with(options)))))
    }

    /// Adds a chunk of the text.
    fn feed(&self, py: Python<'_>, data: Input<'_>) -> PyResult<()> {
        // The detector works on blocks of 64 KiB, whatever the length of the chunk, and allocates as it needs.
        probe(DETECTOR)?;
        let mut detector = self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let detector = detector.as_mut().ok_or_else(finished)?;
        let bytes = data.as_slice();
        let mut run = || detector.feed(bytes);
        if data.is_frozen() && bytes.len() >= LONG {
            py.detach(run);
        } else {
            run();
        }
        Ok(())
    }

    /// Whether more text will not change the result.
    #[getter]
    fn is_decided(&self, py: Python<'_>) -> bool {
        let detector = self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        detector.as_ref().is_none_or(Detector::is_decided)
    }

    /// Ends the text. Returns the fields of the result.
    fn end<'py>(&self, py: Python<'py>, partial: bool) -> PyResult<Bound<'py, PyTuple>> {
        probe(DETECTOR)?;
        let detector = self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner).take();
        let detector = detector.ok_or_else(finished)?;
        let detection = py.detach(|| if partial { detector.finish_partial() } else { detector.finish() });
        fields(py, &detection)
    }
}

fn finished() -> PyErr {
    PyValueError::new_err("the detector has finished: create another one for another text")
}

/// Returns the encodings of an argument.
pub(crate) fn encodings(argument: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Encoding>> {
    items(argument, name, |item| Ok(item.extract::<EncodingArgument>()?.0))
}

/// Returns the items of an argument. A string is not a list of its characters.
fn items<'py, T>(
    argument: &Bound<'py, PyAny>,
    name: &str,
    get: impl Fn(Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    if argument.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("{name} must be a list, not a str")));
    }
    argument.try_iter()?.map(|item| get(item?)).collect()
}

fn language(tag: &Bound<'_, PyAny>) -> PyResult<Language> {
    let tag = tag.cast::<PyString>()?;
    let tag = text_of(tag)?;
    // A long one would be copied.
    let language = Some(&tag).filter(|tag| tag.len() <= SHOWN).and_then(|tag| Language::for_tag(tag));
    language.ok_or_else(|| {
        let known: Vec<_> = Language::all().map(Language::tag).collect();
        PyLookupError::new_err(format!("unknown language {:?}; known are {}", shown(&tag), known.join(", ")))
    })
}

/// Returns the fields of `textcodec.Detection`.
fn fields<'py>(py: Python<'py>, detection: &Detection) -> PyResult<Bound<'py, PyTuple>> {
    let candidates = detection.candidates.iter().map(|candidate| candidate_fields(py, candidate));
    let declarations = detection.declarations.iter().map(|declaration| declaration_fields(py, declaration));
    let charsets = detection.charsets.iter().map(|group| group_fields(py, group));
    objects::tuple(
        py,
        [
            object(py, detection.encoding)?.into_bound(py).into_any(),
            objects::string(py, detection.confidence.name())?.into_any(),
            objects::float(py, detection.probability)?.into_any(),
            objects::string(py, detection.evidence.name())?.into_any(),
            optional(py, detection.language, |name| Ok(objects::string(py, name)?.into_any()))?,
            optional(py, detection.mixed_with, |encoding| Ok(object(py, encoding)?.into_bound(py).into_any()))?,
            objects::list(py, candidates)?.into_any(),
            objects::list(py, declarations)?.into_any(),
            objects::list(py, charsets)?.into_any(),
            objects::int(py, detection.bytes)?.into_any(),
            objects::string(py, detection.reason())?.into_any(),
        ],
    )
}

/// Returns the fields of `textcodec.Candidate`.
fn candidate_fields<'py>(py: Python<'py>, candidate: &Candidate) -> PyResult<Bound<'py, PyAny>> {
    let fields = [
        object(py, candidate.encoding)?.into_bound(py).into_any(),
        objects::float(py, candidate.probability)?.into_any(),
        objects::int(py, candidate.malformed)?.into_any(),
        objects::int(py, candidate.non_ascii)?.into_any(),
        objects::int(py, candidate.unlikely)?.into_any(),
        PyBool::new(py, candidate.is_complete).to_owned().into_any(),
    ];
    Ok(objects::tuple(py, fields)?.into_any())
}

/// Returns the fields of `textcodec.Declaration`.
fn declaration_fields<'py>(py: Python<'py>, declaration: &Declaration) -> PyResult<Bound<'py, PyAny>> {
    let fields = [
        optional(py, declaration.encoding(), |encoding| Ok(object(py, encoding)?.into_bound(py).into_any()))?,
        objects::string(py, &form(declaration.form()))?.into_any(),
        objects::string(py, declaration.label())?.into_any(),
        objects::int(py, declaration.offset() as u64)?.into_any(),
        objects::string(py, &declaration.to_string())?.into_any(),
    ];
    Ok(objects::tuple(py, fields)?.into_any())
}

/// Returns the fields of `textcodec.MailCharset`.
fn group_fields<'py>(py: Python<'py>, group: &Group) -> PyResult<Bound<'py, PyAny>> {
    let fields = [
        objects::string(py, &group.charset)?.into_any(),
        objects::int(py, group.count)?.into_any(),
        objects::string(py, &group.first)?.into_any(),
    ];
    Ok(objects::tuple(py, fields)?.into_any())
}

/// Returns the name of a form: that of the variant, such as `wide-xml`.
fn form(form: Form) -> String {
    let mut name = String::new();
    for (at, letter) in format!("{form:?}").char_indices() {
        if at > 0 && letter.is_ascii_uppercase() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// Makes an object, or `None`.
pub(crate) fn optional<'py, T>(
    py: Python<'py>,
    value: Option<T>,
    make: impl FnOnce(T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    value.map_or_else(|| Ok(py.None().into_bound(py)), make)
}
