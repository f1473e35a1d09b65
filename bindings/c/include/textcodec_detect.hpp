// textcodec_detect: the encoding of text, in C++17 and later.
//
// This header needs the library textcodec_detect and textcodec_detect.h, which documents the options
// and the results. What textcodec.hpp says of exceptions, results and threads applies here, too.
#ifndef TEXTCODEC_DETECT_HPP
#define TEXTCODEC_DETECT_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "textcodec.hpp"
#include "textcodec_detect.h"

namespace textcodec {

// How sure a result is. See TEXTCODEC_CONFIDENCE_NONE and others.
enum class confidence : std::int32_t {
    none = TEXTCODEC_CONFIDENCE_NONE,
    low = TEXTCODEC_CONFIDENCE_LOW,
    medium = TEXTCODEC_CONFIDENCE_MEDIUM,
    high = TEXTCODEC_CONFIDENCE_HIGH,
    certain = TEXTCODEC_CONFIDENCE_CERTAIN,
};

// The kind of evidence. See TEXTCODEC_EVIDENCE_NONE and others.
enum class evidence : std::int32_t {
    none = TEXTCODEC_EVIDENCE_NONE,
    empty = TEXTCODEC_EVIDENCE_EMPTY,
    bom = TEXTCODEC_EVIDENCE_BOM,
    declaration = TEXTCODEC_EVIDENCE_DECLARATION,
    structure = TEXTCODEC_EVIDENCE_STRUCTURE,
    ascii = TEXTCODEC_EVIDENCE_ASCII,
    guess = TEXTCODEC_EVIDENCE_GUESS,
    fallback = TEXTCODEC_EVIDENCE_FALLBACK,
};

using candidate = textcodec_candidate;
using declaration = textcodec_declaration;

// A result.
class detection {
  public:
    // Takes an object from a function of textcodec_detect.h, and owns it.
    explicit detection(textcodec_detection *object) noexcept : object_(object) {}

    textcodec::encoding encoding() const noexcept {
        return static_cast<textcodec::encoding>(textcodec_detection_encoding(object_.get()));
    }
    textcodec::confidence confidence() const noexcept {
        return static_cast<textcodec::confidence>(textcodec_detection_confidence(object_.get()));
    }
    double probability() const noexcept { return textcodec_detection_probability(object_.get()); }
    textcodec::evidence evidence() const noexcept {
        return static_cast<textcodec::evidence>(textcodec_detection_evidence(object_.get()));
    }
    std::uint64_t bytes() const noexcept { return textcodec_detection_bytes(object_.get()); }

    // Returns the evidence in one line, which is valid as long as this object.
    std::string_view reason() const noexcept {
        const char *const reason = textcodec_detection_reason(object_.get());
        return reason != nullptr ? std::string_view(reason) : std::string_view();
    }

    // Returns the language of a guess in English, which is valid as long as this object.
    std::optional<std::string_view> language() const noexcept {
        const char *const language = textcodec_detection_language(object_.get());
        return language != nullptr ? std::optional<std::string_view>(language) : std::nullopt;
    }

    // Returns the encoding in which some words of a guessed text seem to be, if that is another one.
    std::optional<textcodec::encoding> mixed_with() const noexcept {
        const textcodec_encoding number = textcodec_detection_mixed_with(object_.get());
        if (number == TEXTCODEC_NONE) {
            return std::nullopt;
        }
        return static_cast<textcodec::encoding>(number);
    }

    // Returns the encoding, followed by other likely ones.
    std::vector<candidate> candidates() const {
        std::vector<candidate> all(textcodec_detection_candidate_count(object_.get()));
        std::size_t index = 0;
        for (candidate &one : all) {
            textcodec_detection_candidate(object_.get(), index++, &one);
        }
        return all;
    }

    // Returns the declarations. Their labels are valid as long as this object.
    std::vector<declaration> declarations() const {
        std::vector<declaration> all(textcodec_detection_declaration_count(object_.get()));
        std::size_t index = 0;
        for (declaration &one : all) {
            textcodec_detection_declaration(object_.get(), index++, &one);
        }
        return all;
    }

    // Returns the object for functions of textcodec_detect.h. This object still owns it.
    textcodec_detection *get() const noexcept { return object_.get(); }

  private:
    struct deleter {
        void operator()(textcodec_detection *object) const noexcept {
            textcodec_detection_free(object);
        }
    };
    std::unique_ptr<textcodec_detection, deleter> object_;
};

#ifdef __cpp_lib_expected
#define TEXTCODEC_RESULT_ with_expected
#else
#define TEXTCODEC_RESULT_ with_optional
#endif

inline namespace TEXTCODEC_RESULT_ {

// Detects the encoding of a whole text, with the default options.
[[nodiscard]] inline result<detection> detect(bytes_view text) {
    textcodec_detection *made = nullptr;
    const textcodec_status code = textcodec_detect(text.data(), text.size(), &made);
    if (code != TEXTCODEC_OK) {
        return detail::fail(failure{static_cast<status>(code), {}});
    }
    return detection(made);
}

// Detects the encoding of texts in chunks. See textcodec_detector_new.
class detector {
  public:
    [[nodiscard]] static result<detector> create() {
        textcodec_detector *made = nullptr;
        const textcodec_status code = textcodec_detector_new(&made);
        if (code != TEXTCODEC_OK) {
            return detail::fail(failure{static_cast<status>(code), {}});
        }
        return detector(made);
    }

    // Set options. They are set before the first chunk of a text.
    status set_declarations(bool declarations) noexcept {
        return static_cast<status>(
            textcodec_detector_set_declarations(object_.get(), declarations));
    }
    status set_guess(bool guess) noexcept {
        return static_cast<status>(textcodec_detector_set_guess(object_.get(), guess));
    }
    status set_candidates(const std::vector<encoding> &encodings) {
        std::vector<textcodec_encoding> numbers;
        numbers.reserve(encodings.size());
        for (const encoding one : encodings) {
            numbers.push_back(static_cast<textcodec_encoding>(one));
        }
        return static_cast<status>(
            textcodec_detector_set_candidates(object_.get(), numbers.data(), numbers.size()));
    }
    status set_languages(std::string_view tags) noexcept {
        return static_cast<status>(
            textcodec_detector_set_languages(object_.get(), tags.data(), tags.size()));
    }
    status set_top_level_domain(std::string_view domain) noexcept {
        return static_cast<status>(
            textcodec_detector_set_top_level_domain(object_.get(), domain.data(), domain.size()));
    }
    status set_content_type(std::string_view header) noexcept {
        return static_cast<status>(
            textcodec_detector_set_content_type(object_.get(), header.data(), header.size()));
    }
    status set_transport(encoding of) noexcept {
        return static_cast<status>(textcodec_detector_set_transport(
            object_.get(), static_cast<textcodec_encoding>(of)));
    }
    status set_fallback(encoding to) noexcept {
        return static_cast<status>(
            textcodec_detector_set_fallback(object_.get(), static_cast<textcodec_encoding>(to)));
    }

    // Adds a chunk of the text.
    status feed(bytes_view chunk) noexcept {
        return static_cast<status>(
            textcodec_detector_feed(object_.get(), chunk.data(), chunk.size()));
    }

    // Returns whether more text will not change the result.
    bool is_decided() const noexcept { return textcodec_detector_is_decided(object_.get()); }

    // Ends the text. `partial` means that more text would follow.
    [[nodiscard]] result<detection> finish(bool partial = false) {
        textcodec_detection *made = nullptr;
        const textcodec_status code = textcodec_detector_finish(object_.get(), partial, &made);
        if (code != TEXTCODEC_OK) {
            return detail::fail(failure{static_cast<status>(code), {}});
        }
        return detection(made);
    }

    // Discards the text and starts a new one, with the same options.
    status reset() noexcept { return static_cast<status>(textcodec_detector_reset(object_.get())); }

    // Returns the object for functions of textcodec_detect.h. This object still owns it.
    textcodec_detector *get() const noexcept { return object_.get(); }

  private:
    explicit detector(textcodec_detector *object) noexcept : object_(object) {}

    struct deleter {
        void operator()(textcodec_detector *object) const noexcept {
            textcodec_detector_free(object);
        }
    };
    std::unique_ptr<textcodec_detector, deleter> object_;
};

} // namespace TEXTCODEC_RESULT_

} // namespace textcodec

#undef TEXTCODEC_RESULT_

#endif
