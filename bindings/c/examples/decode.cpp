// Decodes a file in Shift_JIS to UTF-8: decode FILE.
#include <fstream>
#include <iostream>
#include <iterator>
#include <textcodec.hpp>

int main(int count, char **arguments) {
    if (count != 2) {
        std::cerr << "usage: decode FILE\n";
        return 1;
    }
    std::ifstream file(arguments[1], std::ios::binary);
    if (!file) {
        std::cerr << arguments[1] << ": cannot be opened\n";
        return 1;
    }
    std::string bytes(std::istreambuf_iterator<char>(file), {});
    textcodec::summary summary;
    auto text = textcodec::decode(textcodec::encoding::shift_jis, bytes, {}, &summary);
    std::cout << text.value_or("");
    if (summary.error_count > 0) {
        std::cerr << "malformed at byte " << summary.first_error.start << "\n";
    }
}
