/*
 * Lets malloc fail again and again, from some allocation on. Detection must not need more memory than
 * its reserve has, whatever the text. The program has functions of the names of malloc and its
 * relatives, which the library uses, too.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <textcodec_detect.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static bool failing;
static size_t left;

static bool may_allocate(void) {
    if (!failing) {
        return true;
    }
    return left > 0 && left-- > 0;
}

void *malloc(size_t size) {
    return may_allocate() ? __libc_malloc(size) : NULL;
}

void *calloc(size_t count, size_t size) {
    return may_allocate() ? __libc_calloc(count, size) : NULL;
}

void *realloc(void *memory, size_t size) {
    return may_allocate() ? __libc_realloc(memory, size) : NULL;
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = may_allocate() ? __libc_memalign(alignment, size) : NULL;
    return *memory != NULL ? 0 : ENOMEM;
}

static size_t failures = 0;

static void check(bool condition, const char *text, int line, const char *what) {
    if (!condition) {
        failures++;
        fprintf(stderr, "memory.c:%d: %s is false: %s\n", line, text, what);
    }
}

#define CHECK(condition) check(condition, #condition, __LINE__, what)

/* Two blocks and a part. */
enum { BLOCK = 65536, LENGTH = 2 * BLOCK + 1000 };
static char text[LENGTH];

/* Fills the text with a start and then lines, in each of which "%" becomes other bytes. */
static void fill(const char *start, const char *line) {
    static unsigned state = 1;
    size_t length = strlen(start), at = 0, lines = strlen(line);
    memcpy(text, start, length);
    for (; length < LENGTH; length++, at++) {
        state = state * 1664525 + 1013904223;
        char c = line[at % lines];
        text[length] = c == '%' ? (char)(state >> 24 | 0x80) : c == '#' ? (char)('a' + (state >> 24) % 26) : c;
    }
}

static const struct {
    const char *start, *line;
} TEXTS[] = {
    {"", "%"},
    {"", "%%%% "},
    {"", "%%\n"},
    {"", "%## "},
    {"", "a"},
    {"", "#### "},
    {"", "\xC3\xA9t\xC3\xA9 # "},
    {"", "\xE3\x81\x82\xE3\x81# "},
    {"", "<meta charset=##>"},
    {"", "<meta charset=gbk>%"},
    {"", "<meta http-equiv=content-type content='charset=##'>"},
    {"<?xml version='1.0' encoding='", "##"},
    {"BEGIN:VCARD\r\n", "N;CHARSET=##:%\r\n"},
    {"BEGIN:VCARD\r\n", "N;CHARSET=gbk:\r\n"},
    {"-- \n", "SET NAMES gbk;\n"},
    {"-- \n", "SET NAMES ##;%\n"},
    {"<?php ", "header('Content-Type: text/html; charset=##');"},
    {"<%@ page ", "pageEncoding=\"##\" "},
    {"<%@ page ", "a=b "},
    {"From: a\nContent-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: text/plain; charset=##\n\n%\n"},
    {"From a\nFrom: a\n\n", "\nFrom a\nContent-Type: text/plain; charset=gbk\n\n%\n"},
    {"From: a\n", "Content-Type: multipart/mixed; boundary=##\n\n--##\n"},
    {"\\documentclass{a}\n", "\\inputencoding{##}%"},
    {"\x1B$)C", "\x0E##"},
    {"", "+##-"},
    {"", "~{####~}"},
    {"\xEF\xBB\xBF", "%"},
    {"\xFF\xFE", "#"},
    {"", "\xED\xA0\x80"},
};

/* Detects the text. malloc fails after `count` allocations of a step: of each block, or of the end. */
static void run(const char *what, size_t step, size_t count) {
    textcodec_detector *detector = NULL;
    textcodec_detection *detection = NULL;
    CHECK(textcodec_detector_new(&detector) == TEXTCODEC_OK);
    textcodec_status status = TEXTCODEC_OK;
    for (size_t at = 0, block = 0; at < LENGTH && status == TEXTCODEC_OK; at += BLOCK, block++) {
        failing = step == block;
        left = count;
        status = textcodec_detector_feed(detector, text + at, LENGTH - at < BLOCK ? LENGTH - at : BLOCK);
        failing = false;
    }
    if (status == TEXTCODEC_OK) {
        failing = step == 3;
        left = count;
        status = textcodec_detector_finish(detector, false, &detection);
        failing = false;
    }
    CHECK(status == TEXTCODEC_OK || status == TEXTCODEC_NO_MEMORY);
    CHECK((status == TEXTCODEC_OK) == (detection != NULL));
    textcodec_detection_free(detection);
    /* It works again after a reset. */
    CHECK(textcodec_detector_reset(detector) == TEXTCODEC_OK);
    CHECK(textcodec_detector_feed(detector, "a", 1) == TEXTCODEC_OK);
    CHECK(textcodec_detector_finish(detector, false, &detection) == TEXTCODEC_OK);
    CHECK(textcodec_detection_encoding(detection) == TEXTCODEC_UTF_8);
    textcodec_detection_free(detection);
    textcodec_detector_free(detector);
}

int main(void) {
    size_t counts[] = {0, 30};
    /* The first time, the tables of the guess are made with the reserve. */
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        fill(TEXTS[i].start, TEXTS[i].line);
        for (size_t step = 4; step-- > 0;) {
            for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
                run(TEXTS[i].line, step, counts[j]);
            }
        }
    }
    printf("%zu failures\n", failures);
    return failures > 0;
}
