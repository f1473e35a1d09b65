/* The functions of the library for iconv. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "memory.h"

/* <iconv.h> has not all of them, and textcodec/iconv.h not the standard names. */
typedef void *iconv_t;
iconv_t iconv_open(const char *to, const char *from);
size_t iconv(iconv_t cd, char **in, size_t *in_left, char **out, size_t *out_left);
int iconv_close(iconv_t cd);
int iconv_open_into(const char *to, const char *from, void *memory);
iconv_t libiconv_open(const char *to, const char *from);
size_t libiconv(iconv_t cd, char **in, size_t *in_left, char **out, size_t *out_left);
int libiconv_close(iconv_t cd);
int libiconv_open_into(const char *to, const char *from, void *memory);
int libiconvctl(iconv_t cd, int request, void *argument);
void libiconvlist(int (*do_one)(unsigned int, const char *const *, void *), void *data);
const char *iconv_canonicalize(const char *name);
extern int _libiconv_version;

enum { COUNT = 1 << 18, MANY = 40000 };
static char utf8[3 * COUNT], bytes[2 * COUNT], room[4 * COUNT];

void prepare(void) {
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(utf8 + 3 * i, "\xE3\x81\x82", 3);
        memcpy(bytes + 2 * i, "\x82\xA0", 2);
    }
    /* They search another library once, which allocates a message for dlerror(). */
    iconv_open_into("UTF-8", "GBK", room);
    libiconv_open_into("UTF-8", "GBK", room);
}

/* Opens as many descriptors as there is memory for, up to a number, and closes all. */
static enum outcome opens(iconv_t (*open)(const char *, const char *), int (*close)(iconv_t), size_t many) {
    static iconv_t descriptors[MANY];
    size_t count = 0;
    enum outcome outcome = DONE;
    while (count < many && outcome == DONE) {
        errno = 0;
        descriptors[count] = open("SHIFT_JIS//TRANSLIT", "UTF-8");
        if (descriptors[count] == (iconv_t)-1) {
            outcome = errno == ENOMEM ? NO_MEMORY : WRONG;
        } else {
            count++;
        }
    }
    while (count > 0) {
        if (close(descriptors[--count]) != 0) {
            outcome = WRONG;
        }
    }
    return outcome;
}

static enum outcome converts(size_t (*convert)(iconv_t, char **, size_t *, char **, size_t *)) {
    iconv_t cd = iconv_open("SHIFT_JIS", "UTF-8");
    if (cd == (iconv_t)-1) {
        return errno == ENOMEM ? NO_MEMORY : WRONG;
    }
    char *in = utf8, *out = room;
    size_t in_left = sizeof utf8, out_left = sizeof room;
    bool right = convert(cd, &in, &in_left, &out, &out_left) == 0 && in_left == 0 && memcmp(room, bytes, sizeof bytes) == 0;
    right = convert(cd, NULL, NULL, &out, &out_left) == 0 && right;
    return is(iconv_close(cd) == 0 && right);
}

static enum outcome controls(void) {
    iconv_t cd = libiconv_open("SHIFT_JIS", "UTF-8");
    if (cd == (iconv_t)-1) {
        return errno == ENOMEM ? NO_MEMORY : WRONG;
    }
    int value = 1;
    bool right = libiconvctl(cd, 2, &value) == 0;
    return is(libiconv_close(cd) == 0 && right);
}

static int count_names(unsigned int count, const char *const *names, void *data) {
    *(unsigned int *)data += names[0] != NULL ? count : 0;
    return 0;
}

static enum outcome lists(void) {
    unsigned int count = 0;
    libiconvlist(count_names, &count);
    return is(count > 400);
}


#define LIST(E)                                                                          \
    E(_libiconv_version, is(_libiconv_version > 0x100))                                  \
    E(iconv, converts(iconv))                                                            \
    E(iconv_canonicalize, is(strcmp(iconv_canonicalize("latin1"), "ISO-8859-1") == 0))   \
    E(iconv_close, opens(iconv_open, iconv_close, 1))                                    \
    E(iconv_open, opens(iconv_open, iconv_close, is_each ? 3 : MANY))                                  \
    E(iconv_open_into, is(iconv_open_into("UTF-8", "GBK", room) == -1))                  \
    E(libiconv, converts(libiconv))                                                      \
    E(libiconv_close, opens(libiconv_open, libiconv_close, 1))                           \
    E(libiconv_open, opens(libiconv_open, libiconv_close, is_each ? 3 : MANY))                         \
    E(libiconv_open_into, is(libiconv_open_into("UTF-8", "GBK", room) == -1))            \
    E(libiconvctl, controls())                                                           \
    E(libiconvlist, lists())
DEFINE_ENTRIES(LIST)
