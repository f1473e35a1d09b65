/* Reads vectors, and converts text without the library. */
#include "check.h"

static unsigned digit(char c) {
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static uint8_t *read_hex(const char *word, size_t *length) {
    *length = word[0] == '-' ? 0 : strlen(word) / 2;
    uint8_t *bytes = allocate(*length);
    for (size_t i = 0; i < *length; i++) {
        bytes[i] = (uint8_t)(digit(word[2 * i]) << 4 | digit(word[2 * i + 1]));
    }
    return bytes;
}

static textcodec_encoding read_encoding(const char *name) {
    return textcodec_encoding_for_label(name, strlen(name));
}

/* Returns the next word of a file. The caller frees it. */
static char *read_word(FILE *file) {
    size_t length = 0, capacity = 16;
    char *word = allocate(capacity);
    int c = fgetc(file);
    while (c == ' ') {
        c = fgetc(file);
    }
    while (c != EOF && c != ' ' && c != '\n') {
        if (length + 2 > capacity) {
            word = realloc(word, capacity *= 2);
            if (word == NULL) {
                abort();
            }
        }
        word[length++] = (char)c;
        c = fgetc(file);
    }
    word[length] = '\0';
    return word;
}

static uint64_t read_number(FILE *file) {
    char *word = read_word(file);
    uint64_t number = strtoull(word, NULL, 10);
    free(word);
    return number;
}

bool read_vector(FILE *file, struct vector *vector) {
    int kind = fgetc(file);
    if (kind == EOF) {
        return false;
    }
    *vector = (struct vector){.kind = (char)kind};
    char *word = read_word(file);
    vector->encoding = read_encoding(word);
    free(word);
    if (kind == 'D') {
        vector->bom = (int32_t)read_number(file);
    }
    word = read_word(file);
    vector->input = read_hex(word, &vector->input_length);
    free(word);
    word = read_word(file);
    vector->output = read_hex(word, &vector->output_length);
    free(word);
    if (kind == 'D') {
        word = read_word(file);
        vector->used = read_encoding(word);
        free(word);
        vector->bom_removed = read_number(file) == 1;
    }
    vector->error_count = read_number(file);
    vector->errors = allocate(vector->error_count * sizeof *vector->errors);
    for (size_t i = 0; i < vector->error_count; i++) {
        vector->errors[i][0] = read_number(file);
        vector->errors[i][1] = read_number(file);
    }
    return true;
}

void free_vector(struct vector *vector) {
    free(vector->input);
    free(vector->output);
    free(vector->errors);
}

size_t unit_size(enum form form) {
    return (size_t)form / 8;
}

struct text text_from_utf8(const uint8_t *bytes, size_t length, enum form form) {
    struct text text = {form, 0, allocate(length * unit_size(form))};
    char16_t *units = text.units;
    char32_t *numbers = text.units;
    if (form == UTF8) {
        memcpy(text.units, bytes, length);
        text.length = length;
        return text;
    }
    for (size_t i = 0; i < length;) {
        unsigned lead = bytes[i], extra = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        unsigned number = extra == 0 ? lead : lead & (0x3Fu >> extra);
        for (i++; extra > 0; extra--, i++) {
            number = number << 6 | (bytes[i] & 0x3Fu);
        }
        if (form == UTF32) {
            numbers[text.length++] = number;
        } else if (number < 0x10000) {
            units[text.length++] = (char16_t)number;
        } else {
            units[text.length++] = (char16_t)(0xD7C0 + (number >> 10));
            units[text.length++] = (char16_t)(0xDC00 | (number & 0x3FF));
        }
    }
    return text;
}
