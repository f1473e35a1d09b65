//! The languages of the model.

use core::fmt;

/// A language that the model knows.
///
/// ```
/// use textcodec_language::Language;
///
/// let german = Language::for_tag("de-AT").unwrap();
/// assert_eq!((german.tag(), german.name()), ("de", "German"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(u8);

/// The tag and the English name of each language, in the order of the data.
const LANGUAGES: [(&str, &str); 54] = [
    ("en", "English"),
    ("de", "German"),
    ("fr", "French"),
    ("es", "Spanish"),
    ("pt", "Portuguese"),
    ("it", "Italian"),
    ("nl", "Dutch"),
    ("da", "Danish"),
    ("nb", "Norwegian"),
    ("sv", "Swedish"),
    ("fi", "Finnish"),
    ("is", "Icelandic"),
    ("ca", "Catalan"),
    ("gl", "Galician"),
    ("eu", "Basque"),
    ("sq", "Albanian"),
    ("af", "Afrikaans"),
    ("br", "Breton"),
    ("ga", "Irish"),
    ("gd", "Scottish Gaelic"),
    ("oc", "Occitan"),
    ("cy", "Welsh"),
    ("id", "Indonesian"),
    ("mt", "Maltese"),
    ("eo", "Esperanto"),
    ("pl", "Polish"),
    ("cs", "Czech"),
    ("sk", "Slovak"),
    ("hu", "Hungarian"),
    ("sl", "Slovenian"),
    ("hr", "Croatian"),
    ("ro", "Romanian"),
    ("et", "Estonian"),
    ("lt", "Lithuanian"),
    ("lv", "Latvian"),
    ("tr", "Turkish"),
    ("az", "Azerbaijani"),
    ("vi", "Vietnamese"),
    ("el", "Greek"),
    ("ru", "Russian"),
    ("uk", "Ukrainian"),
    ("be", "Belarusian"),
    ("bg", "Bulgarian"),
    ("sr", "Serbian"),
    ("mk", "Macedonian"),
    ("kk", "Kazakh"),
    ("tg", "Tajik"),
    ("he", "Hebrew"),
    ("ar", "Arabic"),
    ("fa", "Persian"),
    ("th", "Thai"),
    ("ja", "Japanese"),
    ("ko", "Korean"),
    ("zh", "Chinese"),
];

impl Language {
    /// Returns all languages.
    ///
    /// ```
    /// use textcodec_language::Language;
    ///
    /// assert!(Language::all().any(|language| language.name() == "Welsh"));
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        (0..LANGUAGES.len() as u8).map(Self)
    }

    /// Returns the language of a [BCP 47](https://www.rfc-editor.org/info/bcp47) tag, such as `fr` or `pt-BR`, or of an English name.
    /// Only the primary language of a tag counts, and ASCII case is ignored. `no` and `nn` are Norwegian, `bs` and `sr-Latn` are
    /// Croatian, which has the same letters.
    ///
    /// ```
    /// use textcodec_language::Language;
    ///
    /// assert_eq!(Language::for_tag("ZH_tw").map(Language::name), Some("Chinese"));
    /// assert_eq!(Language::for_tag("french"), Language::for_tag("fr"));
    /// assert_eq!(Language::for_tag("tlh"), None);
    /// ```
    #[must_use]
    pub fn for_tag(tag: &str) -> Option<Self> {
        let tag = tag.trim();
        let primary = tag.split(['-', '_', '.', '@']).next().unwrap_or_default();
        let is_latin = tag.get(2..).is_some_and(|rest| rest.to_ascii_lowercase().contains("latn"));
        let primary = primary.to_ascii_lowercase();
        let primary = match &*primary {
            "no" | "nn" => "nb",
            "bs" | "sh" => "hr",
            "sr" if is_latin => "hr",
            "iw" => "he",
            "in" | "ms" => "id",
            other => other,
        };
        Self::all().find(|language| language.tag() == primary || language.name().eq_ignore_ascii_case(tag))
    }

    /// Returns the tag of the language: its code in ISO 639-1.
    ///
    /// ```
    /// use textcodec_language::Language;
    ///
    /// assert_eq!(Language::for_tag("Welsh").map(Language::tag), Some("cy"));
    /// ```
    #[must_use]
    pub fn tag(self) -> &'static str {
        LANGUAGES[usize::from(self.0)].0
    }

    /// Returns the English name of the language.
    ///
    /// ```
    /// use textcodec_language::Language;
    ///
    /// assert_eq!(Language::for_tag("el").map(Language::name), Some("Greek"));
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        LANGUAGES[usize::from(self.0)].1
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.tag())
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
