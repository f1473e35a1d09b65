// Decodes a file in Shift_JIS to UTF-8: decode FILE.
#include <fstream>
#include <iostream>
#include <iterator>
#include <textcodec.hpp>

int main(int, char **arguments) {
    std::ifstream file(arguments[1], std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(file), {});
    textcodec::summary summary;
    auto text = textcodec::decode(textcodec::encoding::shift_jis, bytes, {}, &summary);
    std::cout << text.value_or("");
    if (summary.error_count > 0) {
        std::cerr << "malformed at byte " << summary.first_error.start << "\n";
    }
}
