"""Prints the single-byte tables of CPython, of the C library's iconv and charmaps, and of ICU's uconv.

Arguments: SOURCE:NAME. A line of output has an argument, a tab, and 256 code points in hexadecimal, separated by spaces;
`----` is an unassigned byte. An encoding that a source does not have is an error.
"""

import codecs
import ctypes
import gzip
import re
import subprocess
import sys

UNASSIGNED = "----"


def field(text):
    """Returns the code point of a text. A byte that is not one character is unassigned."""
    return f"{ord(text):04X}" if len(text) == 1 and text != "\ufffd" else UNASSIGNED


def cpython(name):
    codec = codecs.lookup(name)
    for byte in range(256):
        try:
            yield field(codec.decode(bytes([byte]))[0])
        except UnicodeDecodeError:
            yield UNASSIGNED


def glibc(name):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.iconv_open.restype = ctypes.c_void_p
    libc.iconv.restype = ctypes.c_size_t
    pointer, size = ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.c_size_t)
    libc.iconv.argtypes = [ctypes.c_void_p, pointer, size, pointer, size]
    descriptor = libc.iconv_open(b"UTF-16BE", name.encode())
    if descriptor == ctypes.c_void_p(-1).value:
        raise LookupError(f"glibc has no {name}")
    for byte in range(256):
        libc.iconv(descriptor, None, None, None, None)
        source, left = ctypes.c_char_p(bytes([byte])), ctypes.c_size_t(1)
        buffer = ctypes.create_string_buffer(16)
        target, room = ctypes.c_char_p(ctypes.addressof(buffer)), ctypes.c_size_t(16)
        failed = libc.iconv(descriptor, source, left, target, room) == ctypes.c_size_t(-1).value
        # Some converters keep a letter until they know that no mark follows.
        libc.iconv(descriptor, None, None, target, room)
        yield UNASSIGNED if failed else field(buffer.raw[: 16 - room.value].decode("utf-16-be"))


def charmap(name):
    """Returns a charmap of glibc, for the few that iconv does not know."""
    table = [UNASSIGNED] * 256
    with gzip.open(f"/usr/share/i18n/charmaps/{name}.gz", "rt", encoding="latin-1") as file:
        for line in file:
            if entry := re.match(r"<U(\w{4})>(?:\.\.<U(\w{4})>)? +/x(\w\w) ", line):
                first, last, byte = (int(part or entry[1], 16) for part in entry.groups())
                for offset in range(last - first + 1):
                    table[byte + offset] = f"{first + offset:04X}"
    return table


def icu(name):
    # An unassigned byte becomes U+FFFD, which is one unit.
    command = ["uconv", "--from-code", name, "--to-code", "UTF-16BE", "--from-callback", "substitute"]
    output = subprocess.run(command, input=bytes(range(256)), stdout=subprocess.PIPE, check=True).stdout
    text = output.decode("utf-16-be", "surrogatepass")
    if len(text) != 256:
        raise ValueError(f"{name} is not a single-byte encoding in uconv")
    return map(field, text)


SOURCES = {"charmap": charmap, "cpython": cpython, "glibc": glibc, "icu": icu}

for argument in sys.argv[1:]:
    source, name = argument.split(":", 1)
    print(argument, " ".join(SOURCES[source](name)), sep="\t")
