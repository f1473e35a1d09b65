/* What the tests of the C library share. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <textcodec.h>

/* The number of failed checks. */
extern size_t failures;

/* Which part of the inputs to test. Not a divisor of their number for each encoding. */
extern size_t every;

/* Fails the test without stopping it if a condition is false. */
#define CHECK(condition) check(condition, #condition, __FILE__, __LINE__)

void check(bool condition, const char *text, const char *file, int line);

/* Names the case that the following checks belong to. */
void set_case(const char *format, ...);

/* Returns memory, or ends the program. */
void *allocate(size_t size);

/* A form of Unicode: the number of bits of a unit. */
enum form { UTF8 = 8, UTF16 = 16, UTF32 = 32, FORMS = 3 };
extern const enum form forms[FORMS];

/* A string of units. */
struct text {
    enum form form;
    size_t length;
    void *units;
};

/* Converts well-formed UTF-8, without the library. */
struct text text_from_utf8(const uint8_t *bytes, size_t length, enum form form);
size_t unit_size(enum form form);

/* A line of the file of vectors: see tools/c/src/vectors.rs. */
struct vector {
    char kind;
    textcodec_encoding encoding;
    int32_t bom;
    uint8_t *input;
    size_t input_length;
    uint8_t *output;
    size_t output_length;
    textcodec_encoding used;
    bool bom_removed;
    size_t error_count;
    /* Starts and ends, or indexes and code points. */
    uint64_t (*errors)[2];
};

/* Reads the next vector of a file. Returns false at its end. */
bool read_vector(FILE *file, struct vector *vector);
void free_vector(struct vector *vector);

/* The tests. Each is in the file of its name. */
void test_encodings(void);
void test_decoding(const struct vector *vector);
void test_encoding(const struct vector *vector);
void test_ill_formed(void);
void test_conversions(void);
void test_time(void);
void test_arguments(void);
void test_objects(void);

#endif
