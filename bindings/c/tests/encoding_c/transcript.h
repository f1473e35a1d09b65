/*
 * A program that prints the results of all functions for many inputs. It is linked with this
 * library and with the original, and both must print the same. Each line has the name of what was
 * called, the case, and the results.
 */

#ifndef TRANSCRIPT_H
#define TRANSCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uchar.h>

#include "encoding_rs.h"
#include "encoding_rs_mem.h"

#define ENCODINGS 40

/* The encodings, and what their constants are called. */
extern const Encoding *encodings[ENCODINGS];
extern const char *const constants[ENCODINGS];

/* How much to try: the number of random inputs for each kind, and the step between code points. */
extern unsigned inputs;
extern unsigned step;

/* Returns a random number below `limit`. Both programs see the same sequence. */
uint32_t below(uint32_t limit);

/* Starts the sequence for a case, so that one case does not depend on others. */
void seed(uint64_t number);

/* Returns a random scalar value, of all lengths in UTF-8 and all kinds of scripts. */
char32_t random_scalar(void);

/* Write a scalar value, and return the number of units. */
size_t put_utf8(uint8_t *to, char32_t c);
size_t put_utf16(char16_t *to, char32_t c);

/* Results that are too long to print are added to a hash. */
typedef struct {
    uint64_t state;
} Hash;

void hash_start(Hash *hash);
void hash_bytes(Hash *hash, const void *bytes, size_t len);
void hash_number(Hash *hash, uint64_t number);

/* Print bytes or units in hexadecimal, or their hash if there are many. */
void print_bytes(const uint8_t *bytes, size_t len);
void print_units(const char16_t *units, size_t len);

void print_encodings(const char *labels);
void print_decoders(void);
void print_encoders(void);
void print_mem(void);

#endif
