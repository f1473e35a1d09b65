/* Libraries that convert text, behind one interface. */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdbool.h>
#include <stddef.h>

struct engine {
    const char *name;
    void *(*open)(const struct engine *engine, const char *to, const char *from);
    void (*close)(const struct engine *engine, void *converter);
    /* Converts a whole text. Returns the number of bytes written, or (size_t)-1. */
    size_t (*convert)(const struct engine *engine, void *converter, const char *in, size_t len,
                      char *out, size_t room);
    /* Converts a text, one character a call. `ends` are the ends of the characters. */
    size_t (*single)(const struct engine *engine, void *converter, const char *in,
                     const size_t *ends, size_t count, char *out, size_t room);
    /* The functions of a library for iconv. */
    void *iconv_open, *iconv, *iconv_close;
};

/* Loads a library with iconv() or libiconv(). Ends the program with a message if it has neither. */
struct engine load_iconv(const char *name, const char *path);

#ifdef WITH_ICU
struct engine load_icu(void);
#endif

#endif
