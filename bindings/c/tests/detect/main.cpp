// The interface for C++.
#include <cstdio>
#include <string>
#include <textcodec_detect.hpp>

namespace {

int failures = 0;

void check(bool condition, const char *text, int line) {
    if (!condition) {
        failures++;
        std::fprintf(stderr, "main.cpp:%d: %s is false\n", line, text);
    }
}

#define CHECK(condition) check(condition, #condition, __LINE__)

using textcodec::encoding;
using textcodec::status;

void test_whole() {
    auto found = textcodec::detect("<meta charset=gbk>\xC4\xE3\xBA\xC3");
    CHECK(found.has_value());
    CHECK(found->encoding() == encoding::gbk);
    CHECK(found->evidence() == textcodec::evidence::declaration);
    CHECK(found->confidence() >= textcodec::confidence::medium);
    CHECK(found->probability() >= 0.98 && found->bytes() == 22);
    CHECK(found->reason() == "declared by <meta charset=\"gbk\"> at byte 0");
    CHECK(!found->language());
    CHECK(found->declarations().size() == 1);
    CHECK(found->declarations()[0].label == std::string("gbk"));
    CHECK(found->candidates()[0].encoding == TEXTCODEC_GBK);
    auto moved = std::move(*found);
    CHECK(moved.encoding() == encoding::gbk && moved.get() != nullptr);
    const auto invalid = textcodec::detect(textcodec::bytes_view(nullptr, 1));
    CHECK(!invalid && invalid.error().code == status::invalid_argument);
}

void test_detector() {
    auto detector = textcodec::detector::create();
    CHECK(detector.has_value());
    CHECK(detector->set_candidates({encoding::iso_8859_2, encoding::windows_1250}) == status::ok);
    CHECK(detector->set_candidates({encoding::none}) == status::invalid_argument);
    CHECK(detector->set_languages("cs") == status::ok);
    CHECK(detector->set_languages("tlh") == status::unavailable);
    CHECK(detector->set_top_level_domain("cz") == status::ok);
    CHECK(detector->feed("Dne\xB9 sv\xEDt\xED ") == status::ok);
    CHECK(detector->feed(std::string("slunce.")) == status::ok);
    CHECK(!detector->is_decided());
    auto found = detector->finish();
    CHECK(found && found->encoding() == encoding::iso_8859_2);
    CHECK(detector->set_declarations(false) == status::ok);
    CHECK(detector->set_guess(false) == status::ok);
    CHECK(detector->set_fallback(encoding::koi8_u) == status::ok);
    CHECK(detector->feed("\xE9") == status::ok && detector->set_guess(true) != status::ok);
    CHECK(detector->reset() == status::ok);
    CHECK(detector->feed("caf\xE9") == status::ok);
    CHECK(detector->finish()->encoding() == encoding::koi8_u);
    CHECK(detector->set_content_type("text/plain; charset=big5") == status::ok);
    CHECK(detector->set_transport(encoding::windows_1253) == status::ok);
    CHECK(detector->feed("caf\xE9") == status::ok);
    CHECK(detector->finish(true)->encoding() == encoding::windows_1253);
    CHECK(detector->get() != nullptr);
}

} // namespace

int main() {
    test_whole();
    test_detector();
    return failures > 0;
}
