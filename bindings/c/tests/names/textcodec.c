/* The functions of textcodec.h that take a name. A line has the name of its encoding if it is a label, and if it is any name. */
#include <textcodec.h>

#include "lines.h"

static bool is(textcodec_encoding encoding, const char *word) {
    const char *name = textcodec_encoding_name(encoding);
    return strcmp(word, name == NULL ? "-" : name) == 0;
}

static void check(const struct line *line) {
    if (!is(textcodec_encoding_for_label(line->name, line->length), line->words[0])) {
        fail(line, "textcodec_encoding_for_label");
    }
    if (!is(textcodec_encoding_for_name(line->name, line->length), line->words[1])) {
        fail(line, "textcodec_encoding_for_name");
    }
}

int main(int count, char **arguments) {
    return for_each_line(count, arguments, check);
}
