"""Prints what glibc reads and writes by each of its names.

A line of output has a name, 256 code points in hexadecimal, and the characters of plane 0 that are written as a byte of another
character, each with this byte: `203E=BC`. Fields are separated by tabs, their parts by spaces. `----` is a malformed byte, and `FFFF`
one that is not a whole character in plane 0.
"""

import ctypes
import errno
import subprocess

libc = ctypes.CDLL(None, use_errno=True)
libc.iconv_open.restype = ctypes.c_void_p
libc.iconv.restype = ctypes.c_size_t
pointer, size = ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.c_size_t)
libc.iconv.argtypes = [ctypes.c_void_p, pointer, size, pointer, size]
libc.iconv_close.argtypes = [ctypes.c_void_p]
FAILURE = ctypes.c_size_t(-1).value


class Conversion:
    def __init__(self, to, source):
        self.descriptor = libc.iconv_open(to.encode(), source.encode())
        if self.descriptor == FAILURE:
            raise LookupError(f"glibc does not convert from {source} to {to}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        libc.iconv_close(self.descriptor)

    def convert(self, text):
        """Returns a whole text, or None if it cannot be converted."""
        libc.iconv(self.descriptor, None, None, None, None)
        source, left = ctypes.c_char_p(text), ctypes.c_size_t(len(text))
        buffer = ctypes.create_string_buffer(32)
        target, room = ctypes.c_char_p(ctypes.addressof(buffer)), ctypes.c_size_t(32)
        if libc.iconv(self.descriptor, source, left, target, room) == FAILURE:
            return None
        # Some converters keep a letter until they know that no mark follows.
        libc.iconv(self.descriptor, None, None, target, room)
        return buffer.raw[: 32 - room.value]


def table(name):
    """Returns the characters by byte. A malformed byte is None, and one that is not a whole character in plane 0 is U+FFFF."""

    def character(text):
        if text is None:
            return None if ctypes.get_errno() == errno.EILSEQ else 0xFFFF
        return int.from_bytes(text, "big") if len(text) == 2 else 0xFFFF

    with Conversion("UTF-16BE", name) as conversion:
        return tuple(character(conversion.convert(bytes([byte]))) for byte in range(256))


def others(name, characters):
    """Returns the characters that are written as a byte of another one, with the byte."""
    known, found = set(characters), []
    with Conversion(name, "UTF-16BE") as conversion:
        for character in range(0x10000):
            if character in known or 0xD800 <= character < 0xE000:
                continue
            written = conversion.convert(character.to_bytes(2, "big"))
            if written is not None and len(written) == 1:
                found.append((character, written[0]))
    return found


def all_written(name):
    """Returns what is written for all of plane 0, without the positions."""
    text = "".join(chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000)
    return subprocess.run(
        ["iconv", "-c", "-f", "UTF-8", "-t", name], input=text.encode(), stdout=subprocess.PIPE, check=False
    ).stdout


seen = {}
for line in subprocess.run(["iconv", "-l"], stdout=subprocess.PIPE, check=True, text=True).stdout.split():
    name = line.rstrip("/,")
    characters = table(name)
    found = []
    if 0xFFFF not in characters:
        # Many names have the same table.
        key = characters, all_written(name)
        if key not in seen:
            seen[key] = others(name, characters)
        found = seen[key]
    codes = ["----" if character is None else f"{character:04X}" for character in characters]
    print(name, " ".join(codes), " ".join(f"{a:04X}={b:02X}" for a, b in found), sep="\t")
