/*
 * textcodec_detect: the encoding of text, in C11 and C++.
 *
 * Finds byte order marks, declarations (HTML, XML, CSS, mail, source code and others), structure
 * such as that of UTF-8, and guesses if nothing else helps. A whole text: textcodec_detect. A text
 * in chunks, and options: textcodec_detector. For C++, see also textcodec_detect.hpp.
 *
 * The library textcodec_detect is separate from textcodec, which decodes the text, and needs
 * nothing of it but the numbers in textcodec.h. The rules at the start of that file apply here, too,
 * except that all functions that return a status allocate memory. The tables of the guess are made
 * at its first use, and stay: about 0.8 MB.
 */
#ifndef TEXTCODEC_DETECT_H
#define TEXTCODEC_DETECT_H

#include "textcodec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results ---- */

/* How sure a result is: a level of its probability. */
enum {
    /* The input is not text, or is in an encoding that the library does not have. */
    TEXTCODEC_CONFIDENCE_NONE = 0,
    /* Less than 0.98: do not replace the only copy of the text. */
    TEXTCODEC_CONFIDENCE_LOW = 1,
    /* At least 0.98. */
    TEXTCODEC_CONFIDENCE_MEDIUM = 2,
    /* At least 0.999. */
    TEXTCODEC_CONFIDENCE_HIGH = 3,
    /* An empty input, or a byte order mark. */
    TEXTCODEC_CONFIDENCE_CERTAIN = 4
};

/* The kind of evidence. Later versions may have more. */
enum {
    /* The input is not text. */
    TEXTCODEC_EVIDENCE_NONE = 0,
    /* The input is empty. */
    TEXTCODEC_EVIDENCE_EMPTY = 1,
    /* A byte order mark. */
    TEXTCODEC_EVIDENCE_BOM = 2,
    /* A declaration that the bytes do not contradict. */
    TEXTCODEC_EVIDENCE_DECLARATION = 3,
    /* The structure of UTF-8, UTF-16, ISO-2022-JP or another encoding. */
    TEXTCODEC_EVIDENCE_STRUCTURE = 4,
    /* All bytes are ASCII. */
    TEXTCODEC_EVIDENCE_ASCII = 5,
    /* A guess from what the text looks like. */
    TEXTCODEC_EVIDENCE_GUESS = 6,
    /* None, and nothing was guessed. The encoding is the fallback. */
    TEXTCODEC_EVIDENCE_FALLBACK = 7
};

/* The syntax of a declaration. Later versions may have more. */
enum {
    TEXTCODEC_FORM_OTHER = 0,
    /* Not in the text: textcodec_detector_set_transport, textcodec_detector_set_content_type. */
    TEXTCODEC_FORM_TRANSPORT = 1,
    /* <meta charset="..."> */
    TEXTCODEC_FORM_META = 2,
    /* <meta http-equiv="content-type" content="...; charset=..."> */
    TEXTCODEC_FORM_PRAGMA = 3,
    /* <?xml ... encoding="..."?> */
    TEXTCODEC_FORM_XML = 4,
    /* An XML declaration in UTF-16, whatever encoding it names. */
    TEXTCODEC_FORM_WIDE_XML = 5,
    /* @charset "..."; */
    TEXTCODEC_FORM_CSS = 6,
    /* A comment in source code with coding: ... */
    TEXTCODEC_FORM_COMMENT = 7,
    /* The header of a PO file. */
    TEXTCODEC_FORM_PO = 8,
    /* The header of a mail, or of one of its parts. */
    TEXTCODEC_FORM_MAIL = 9,
    /* \usepackage[...]{inputenc} or \inputencoding{...} */
    TEXTCODEC_FORM_LATEX = 10,
    /* A directive of JSP. */
    TEXTCODEC_FORM_JSP = 11,
    /* header(...) or declare(encoding=...) in PHP. */
    TEXTCODEC_FORM_PHP = 12,
    /* ;CHARSET=... in vCard, iCalendar or vCalendar. */
    TEXTCODEC_FORM_CARD = 13,
    /* 1 CHAR ... in GEDCOM. */
    TEXTCODEC_FORM_GEDCOM = 14,
    /* Encoding=... in a desktop entry. */
    TEXTCODEC_FORM_DESKTOP = 15,
    /* scriptencoding ... in a script of Vim. */
    TEXTCODEC_FORM_VIM = 16,
    /* SET NAMES ... or SET CHARACTER SET ... in SQL. */
    TEXTCODEC_FORM_SQL = 17,
    /* SET client_encoding = ... in SQL, or \encoding ... of psql. */
    TEXTCODEC_FORM_POSTGRES = 18
};

/* An encoding that the text may be in. */
typedef struct textcodec_candidate {
    textcodec_encoding encoding;
    /* 1: all bytes were decoded. 0: decoding has stopped early because another encoding was clearly
     * better, and the numbers are lower bounds. */
    int32_t is_complete;
    /* How likely it is that this is the encoding, from 0 to 1. Encodings in which the text is the
     * same share their probability. */
    double probability;
    /* The number of malformed sequences. */
    uint64_t malformed;
    /* The number of non-ASCII characters, and how many of these rarely occur in text. */
    uint64_t non_ascii;
    uint64_t unlikely;
    /* Always 0. */
    uint32_t reserved[4];
} textcodec_candidate;

/* A declaration that was found in the text, or that the caller has set. */
typedef struct textcodec_declaration {
    /* What it means, or TEXTCODEC_NONE if its label is unknown. */
    textcodec_encoding encoding;
    /* TEXTCODEC_FORM_... */
    int32_t form;
    /* Where it starts, in bytes. */
    uint64_t offset;
    /* The label as written, in UTF-8 with a NUL after it. Bytes that are not printable ASCII are
     * escaped, and after 40 bytes it ends with U+2026. It is freed with the result. */
    const char *label;
    /* Always 0. */
    uint32_t reserved[4];
} textcodec_declaration;

/* A result, which does not change. Any number of threads may read it at the same time. */
typedef struct textcodec_detection textcodec_detection;

/*
 * Detects the encoding of a whole text, with the default options. *detection becomes the result,
 * which the caller must free with textcodec_detection_free, or NULL.
 *
 * TEXTCODEC_INVALID_ARGUMENT: `detection` is NULL, or the input breaks a rule.
 * TEXTCODEC_NO_MEMORY: malloc has failed.
 */
textcodec_status textcodec_detect(const void *bytes, size_t length,
                                  textcodec_detection **detection);

/* Frees a result. No effect for NULL. */
void textcodec_detection_free(textcodec_detection *detection);

/*
 * Returns the encoding, which is only a last resort if the confidence is TEXTCODEC_CONFIDENCE_NONE.
 * TEXTCODEC_NONE for NULL.
 */
textcodec_encoding textcodec_detection_encoding(const textcodec_detection *detection);

/* Returns TEXTCODEC_CONFIDENCE_... TEXTCODEC_CONFIDENCE_NONE for NULL. */
int32_t textcodec_detection_confidence(const textcodec_detection *detection);

/* Returns how likely it is that the text decodes rightly in the encoding, from 0 to 1. 0 for NULL.
 */
double textcodec_detection_probability(const textcodec_detection *detection);

/* Returns TEXTCODEC_EVIDENCE_... TEXTCODEC_EVIDENCE_NONE for NULL. */
int32_t textcodec_detection_evidence(const textcodec_detection *detection);

/*
 * Returns the evidence in one line of UTF-8, for people, which is freed with the result. It may
 * change in any version. NULL for NULL.
 */
const char *textcodec_detection_reason(const textcodec_detection *detection);

/*
 * Returns the language of a guess in English, such as "French", which is freed with the result.
 * NULL if the evidence is no guess, or if the letters fit no known language well.
 */
const char *textcodec_detection_language(const textcodec_detection *detection);

/*
 * Returns the encoding in which some words of a guessed text seem to be, if that is another one.
 * Then no encoding is right for all of the text. TEXTCODEC_NONE if there is no such encoding, and
 * for NULL.
 */
textcodec_encoding textcodec_detection_mixed_with(const textcodec_detection *detection);

/* Returns the number of bytes examined: all, or at most 64 KiB if there is a byte order mark. */
uint64_t textcodec_detection_bytes(const textcodec_detection *detection);

/* Returns the number of candidates. The first is the result, others follow, the likeliest first. */
size_t textcodec_detection_candidate_count(const textcodec_detection *detection);

/*
 * Returns whether there is a candidate with this index. *candidate becomes it, and is unchanged
 * otherwise; `candidate` may be NULL.
 */
bool textcodec_detection_candidate(const textcodec_detection *detection, size_t index,
                                   textcodec_candidate *candidate);

/*
 * Returns the number of declarations, whether the bytes contradict them or not. They are in order
 * of precedence; at the end are those that cannot be followed. After a byte order mark, none are
 * searched.
 */
size_t textcodec_detection_declaration_count(const textcodec_detection *detection);

/*
 * Returns whether there is a declaration with this index. *declaration becomes it, and is unchanged
 * otherwise; `declaration` may be NULL.
 */
bool textcodec_detection_declaration(const textcodec_detection *detection, size_t index,
                                     textcodec_declaration *declaration);

/* ---- Detectors ---- */

/*
 * Detects the encoding of texts in chunks of any length. The result does not depend on how a text is
 * split. The memory does not depend on the length of the text: less than 1 MiB, and 4 MiB of
 * address space, which are only used if malloc fails.
 *
 * The options are set before the first chunk of a text. They apply to the following texts, too.
 * Within a text, functions that set options return TEXTCODEC_INVALID_ARGUMENT. Functions that
 * return a status also return it if `detector` is NULL.
 *
 * TEXTCODEC_NO_MEMORY: malloc has failed. Options are unchanged then. In the functions that read a
 * text, the text is lost: they return this until textcodec_detector_reset.
 */
typedef struct textcodec_detector textcodec_detector;

/*
 * Creates a detector with the default options. *detector becomes the detector, which the caller
 * must free with textcodec_detector_free, or NULL.
 */
textcodec_status textcodec_detector_new(textcodec_detector **detector);

/* Frees a detector. No effect for NULL. */
void textcodec_detector_free(textcodec_detector *detector);

/* Discards the text and starts a new one, with the same options. */
textcodec_status textcodec_detector_reset(textcodec_detector *detector);

/*
 * Sets whether declarations in the text are evidence. The default is true. Use false for text that
 * may have been converted since it got its declarations.
 */
textcodec_status textcodec_detector_set_declarations(textcodec_detector *detector,
                                                     bool declarations);

/*
 * Sets whether to guess from the statistics of text. The default is true. Otherwise, text without
 * other evidence gets the fallback.
 */
textcodec_status textcodec_detector_set_guess(textcodec_detector *detector, bool guess);

/*
 * Sets the encodings of which the guess is one. The default is none, which means all. They do not
 * matter if there is other evidence. If another encoding is far likelier, the confidence is low.
 *
 * TEXTCODEC_INVALID_ARGUMENT: an encoding is unknown.
 */
textcodec_status textcodec_detector_set_candidates(textcodec_detector *detector,
                                                   const textcodec_encoding *encodings,
                                                   size_t count);

/*
 * Sets the languages of which the text probably is in one, for the guess: BCP 47 tags, separated by
 * commas or spaces, such as "de,pt-BR". The default is none. Others remain possible.
 *
 * TEXTCODEC_UNAVAILABLE: the library does not know one of the languages. Nothing has changed then.
 * TEXTCODEC_INVALID_ARGUMENT: the tags are not UTF-8.
 */
textcodec_status textcodec_detector_set_languages(textcodec_detector *detector, const char *tags,
                                                  size_t length);

/*
 * Sets the top-level domain from which the text comes, such as "jp", for the guess. A leading dot
 * and ASCII case are ignored, and a name that is not ASCII or has another dot means none.
 */
textcodec_status textcodec_detector_set_top_level_domain(textcodec_detector *detector,
                                                         const char *domain, size_t length);

/*
 * Sets the encoding that the transport layer declares, from the value of a Content-Type header of
 * HTTP or mail. An unknown label, or none, means none. The bytes can contradict it.
 */
textcodec_status textcodec_detector_set_content_type(textcodec_detector *detector,
                                                     const char *header, size_t length);

/*
 * Sets the encoding that the transport layer declares, or TEXTCODEC_NONE.
 * TEXTCODEC_INVALID_ARGUMENT: the encoding is unknown.
 */
textcodec_status textcodec_detector_set_transport(textcodec_detector *detector,
                                                  textcodec_encoding encoding);

/*
 * Sets the encoding of the result if nothing else is found. TEXTCODEC_NONE is the default:
 * windows-1252. TEXTCODEC_INVALID_ARGUMENT: the encoding is unknown.
 */
textcodec_status textcodec_detector_set_fallback(textcodec_detector *detector,
                                                 textcodec_encoding encoding);

/* Adds a chunk of the text. TEXTCODEC_INVALID_ARGUMENT: the chunk breaks a rule. */
textcodec_status textcodec_detector_feed(textcodec_detector *detector, const void *bytes,
                                         size_t length);

/*
 * Returns whether more text will not change the result. This is so after the first 64 KiB of text
 * with a byte order mark. False for NULL.
 */
bool textcodec_detector_is_decided(const textcodec_detector *detector);

/*
 * Ends the text. *detection becomes the result, which the caller must free with
 * textcodec_detection_free, or NULL. The next chunk starts a new text.
 *
 * `partial` means that more text would follow: an incomplete sequence at the end is ignored.
 * Otherwise, it is malformed.
 *
 * TEXTCODEC_INVALID_ARGUMENT: `detection` is NULL.
 */
textcodec_status textcodec_detector_finish(textcodec_detector *detector, bool partial,
                                           textcodec_detection **detection);

#ifdef __cplusplus
}
#endif

#endif
