/* Reads the files of names: each line has the bytes of a name in hexadecimal, and what they mean. See tools/c/src/names.rs. */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name in memory of exactly its length, so that a sanitizer sees any access beyond it, and the other words of its line. */
struct line {
    char *name;
    size_t length;
    char words[2][64];
};

static size_t failures = 0;

/* Fails the test without stopping it. */
static void fail(const struct line *line, const char *what) {
    if (failures++ < 20) {
        size_t shown = line->length < 60 ? line->length : 60;
        fprintf(stderr, "%s is wrong for \"%.*s\", which means %s\n", what, (int)shown, line->name,
                line->words[0]);
    }
}

static unsigned digit(int c) {
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Reads a line, whose name must be freed. Returns false at the end of the file. */
static bool next_line(FILE *file, struct line *line) {
    size_t capacity = 64;
    line->name = malloc(capacity);
    line->length = 0;
    int c = fgetc(file);
    if (c == EOF || line->name == NULL) {
        free(line->name);
        return false;
    }
    for (; c != ' '; c = fgetc(file)) {
        if (line->length == capacity) {
            line->name = realloc(line->name, capacity *= 2);
            if (line->name == NULL) {
                abort();
            }
        }
        unsigned high = digit(c);
        line->name[line->length++] = (char)(high << 4 | digit(fgetc(file)));
    }
    char *exact = malloc(line->length > 0 ? line->length : 1);
    if (exact == NULL || fscanf(file, "%63s %63s", line->words[0], line->words[1]) != 2) {
        abort();
    }
    memcpy(exact, line->name, line->length);
    free(line->name);
    line->name = exact;
    fgetc(file);
    return true;
}

/* Calls a function for each line of a file, and returns the status of the program. */
static int for_each_line(int count, char **arguments, void (*check)(const struct line *line)) {
    FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "the first argument must be a file of names\n");
        return 2;
    }
    struct line line;
    size_t lines = 0;
    for (; next_line(file, &line); lines++) {
        check(&line);
        free(line.name);
    }
    fclose(file);
    printf("%s: %zu names, %zu failures\n", arguments[0], lines, failures);
    return failures > 0 || lines < 5000;
}

#endif
