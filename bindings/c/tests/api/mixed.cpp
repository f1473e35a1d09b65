// A program of two files for different standards. The linker merges inline functions that have the
// same symbol.
#include <cstdio>

#include <textcodec.hpp>

bool decodes_in_other_file();

#ifdef OTHER_FILE
bool decodes_in_other_file()
#else
static bool decodes()
#endif
{
    auto decoder = textcodec::decoder::create(textcodec::encoding::shift_jis);
    const auto text = textcodec::decode(textcodec::encoding::shift_jis, "\x93\xFA\x96{\x8C\xEA");
    const auto wrong = textcodec::decode(textcodec::encoding::none, "");
    return decoder.has_value() && decoder->clone().has_value() && text.has_value() &&
           *text == "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E" && !wrong.has_value() &&
           wrong.error().code == textcodec::status::invalid_argument;
}

#ifndef OTHER_FILE
int main() {
    if (decodes() && decodes_in_other_file()) {
        return 0;
    }
    std::fprintf(stderr, "mixed.cpp: a file has got the result of the other one's standard\n");
    return 1;
}
#endif
