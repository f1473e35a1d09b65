/* The functions of encoding_rs.h that take a name. A line has the name of its encoding if it is a label. */
#include <stdint.h>

#include <encoding_rs.h>

#include "lines.h"

static bool is(const ENCODING_RS_ENCODING *encoding, const char *word) {
    uint8_t name[ENCODING_NAME_MAX_LENGTH + 1] = "-";
    if (encoding != NULL) {
        name[encoding_name(encoding, name)] = 0;
    }
    return strcmp(word, (const char *)name) == 0;
}

static void check(const struct line *line) {
    const uint8_t *label = (const uint8_t *)line->name;
    if (!is(encoding_for_label(label, line->length), line->words[0])) {
        fail(line, "encoding_for_label");
    }
    bool is_replacement = strcmp(line->words[0], "replacement") == 0;
    if (!is(encoding_for_label_no_replacement(label, line->length),
            is_replacement ? "-" : line->words[0])) {
        fail(line, "encoding_for_label_no_replacement");
    }
}

int main(int count, char **arguments) {
    return for_each_line(count, arguments, check);
}
