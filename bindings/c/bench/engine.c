#include "engine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *open_function(const char *to, const char *from);
typedef size_t iconv_function(void *cd, char **in, size_t *in_left, char **out, size_t *out_left);
typedef int close_function(void *cd);

/* POSIX lets a pointer to an object be one to a function; C does not. */
static open_function *as_open(void *symbol) {
    open_function *function;
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static iconv_function *as_iconv(void *symbol) {
    iconv_function *function;
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static close_function *as_close(void *symbol) {
    close_function *function;
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static void *open_iconv(const struct engine *engine, const char *to, const char *from) {
    void *cd = as_open(engine->iconv_open)(to, from);
    return (size_t)cd == (size_t)-1 ? NULL : cd;
}

static void close_iconv(const struct engine *engine, void *cd) {
    as_close(engine->iconv_close)(cd);
}

static size_t convert_iconv(const struct engine *engine, void *cd, const char *in, size_t len,
                            char *out, size_t room) {
    iconv_function *call = as_iconv(engine->iconv);
    char *from = (char *)(size_t)in, *to = out;
    size_t left = room;
    call(cd, NULL, NULL, NULL, NULL);
    if (call(cd, &from, &len, &to, &left) == (size_t)-1) {
        return (size_t)-1;
    }
    call(cd, NULL, NULL, &to, &left);
    return room - left;
}

static size_t single_iconv(const struct engine *engine, void *cd, const char *in,
                           const size_t *ends, size_t count, char *out, size_t room) {
    iconv_function *call = as_iconv(engine->iconv);
    char *from = (char *)(size_t)in, *to = out;
    size_t left = room, at = 0;
    call(cd, NULL, NULL, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        size_t len = ends[i] - at;
        if (call(cd, &from, &len, &to, &left) == (size_t)-1) {
            return (size_t)-1;
        }
        at = ends[i];
    }
    call(cd, NULL, NULL, &to, &left);
    return room - left;
}

static void *symbol(void *library, const char *first, const char *second) {
    void *found = dlsym(library, first);
    return found != NULL ? found : dlsym(library, second);
}

struct engine load_iconv(const char *name, const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s: %s\n", name, dlerror());
        exit(2);
    }
    struct engine engine = {
        .name = name,
        .open = open_iconv,
        .close = close_iconv,
        .convert = convert_iconv,
        .single = single_iconv,
        /* In this library, the libiconv names have the habits of POSIX.1-2024, and the others those
           of glibc, so those are looked for first. */
        .iconv_open = symbol(library, "iconv_open", "libiconv_open"),
        .iconv = symbol(library, "iconv", "libiconv"),
        .iconv_close = symbol(library, "iconv_close", "libiconv_close"),
    };
    if (engine.iconv_open == NULL || engine.iconv == NULL || engine.iconv_close == NULL) {
        fprintf(stderr, "%s: %s has neither iconv nor libiconv\n", name, path);
        exit(2);
    }
    return engine;
}

#ifdef WITH_ICU
#include <unicode/ucnv.h>

struct pair {
    UConverter *to, *from;
};

static void *open_icu(const struct engine *engine, const char *to, const char *from) {
    (void)engine;
    UErrorCode error = U_ZERO_ERROR;
    struct pair *pair = malloc(sizeof *pair);
    if (pair == NULL) {
        return NULL;
    }
    pair->to = ucnv_open(to, &error);
    pair->from = ucnv_open(from, &error);
    if (U_FAILURE(error)) {
        free(pair);
        return NULL;
    }
    ucnv_setFromUCallBack(pair->to, UCNV_FROM_U_CALLBACK_STOP, NULL, NULL, NULL, &error);
    ucnv_setToUCallBack(pair->from, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &error);
    return pair;
}

static void close_icu(const struct engine *engine, void *converter) {
    (void)engine;
    struct pair *pair = converter;
    ucnv_close(pair->to);
    ucnv_close(pair->from);
    free(pair);
}

/* The state between calls. */
struct pivot {
    UChar buffer[1024];
    UChar *source, *target;
};

static bool step_icu(struct pair *pair, struct pivot *pivot, char **out, const char *limit,
                     const char *in, size_t len, bool first, bool last) {
    UErrorCode error = U_ZERO_ERROR;
    ucnv_convertEx(pair->to, pair->from, out, limit, &in, in + len, pivot->buffer, &pivot->source,
                   &pivot->target, pivot->buffer + sizeof pivot->buffer / sizeof *pivot->buffer,
                   first, last, &error);
    return !U_FAILURE(error);
}

static size_t convert_icu(const struct engine *engine, void *converter, const char *in, size_t len,
                          char *out, size_t room) {
    (void)engine;
    struct pivot pivot;
    pivot.source = pivot.target = pivot.buffer;
    char *to = out;
    bool ok = step_icu(converter, &pivot, &to, out + room, in, len, true, true);
    return ok ? (size_t)(to - out) : (size_t)-1;
}

static size_t single_icu(const struct engine *engine, void *converter, const char *in,
                         const size_t *ends, size_t count, char *out, size_t room) {
    (void)engine;
    struct pivot pivot;
    pivot.source = pivot.target = pivot.buffer;
    char *to = out;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count;
        if (!step_icu(converter, &pivot, &to, out + room, in + at, ends[i] - at, i == 0, last)) {
            return (size_t)-1;
        }
        at = ends[i];
    }
    return (size_t)(to - out);
}

struct engine load_icu(void) {
    return (struct engine){.name = "ICU",
                           .open = open_icu,
                           .close = close_icu,
                           .convert = convert_icu,
                           .single = single_icu};
}
#endif
