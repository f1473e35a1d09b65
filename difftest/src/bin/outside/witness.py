"""Converts lines by another implementation: `witness.py PROGRAM ENCODING decode|encode < LINES > RESULTS`.

A line has the bytes of an input, or the scalar values of a text, in hexadecimal. Its result is the text or the bytes, or `!` if the
program rejects any part of the input. A text has 8 digits for each scalar value.
"""

import ctypes
import ctypes.util
import sys


def words(text):
    return "".join(f"{ord(c):08x}" for c in text)


class Python:
    def __init__(self, encoding):
        self.encoding = encoding

    def decode(self, source):
        return source.decode(self.encoding)

    def encode(self, text):
        return text.encode(self.encoding)


class Glibc:
    """iconv(3), opened for each line, because some headers are only written once."""

    def __init__(self, encoding):
        self.encoding = encoding.encode()
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.iconv_open.restype = ctypes.c_void_p
        self.libc.iconv.restype = ctypes.c_size_t
        self.libc.iconv.argtypes = [ctypes.c_void_p] + [ctypes.c_void_p] * 4
        self.libc.iconv_close.argtypes = [ctypes.c_void_p]

    def run(self, to, source, data):
        descriptor = self.libc.iconv_open(to, source)
        assert descriptor != ctypes.c_void_p(-1).value, (to, source)
        try:
            buffer = ctypes.create_string_buffer(data, max(len(data), 1))
            out = ctypes.create_string_buffer(16 * len(data) + 64)
            src, dst = ctypes.c_void_p(ctypes.addressof(buffer)), ctypes.c_void_p(ctypes.addressof(out))
            left, room = ctypes.c_size_t(len(data)), ctypes.c_size_t(len(out))
            refs = [ctypes.byref(x) for x in (src, left, dst, room)]
            result = self.libc.iconv(descriptor, *refs)
            if result != 0 or left.value:
                raise ValueError
            if self.libc.iconv(descriptor, None, None, refs[2], refs[3]) == ctypes.c_size_t(-1).value:
                raise ValueError
            return out.raw[: len(out) - room.value]
        finally:
            self.libc.iconv_close(descriptor)

    def decode(self, source):
        return self.run(b"UTF-32LE", self.encoding, source).decode("utf-32le")

    def encode(self, text):
        return self.run(self.encoding, b"UTF-32LE", text.encode("utf-32le"))


class Icu:
    def __init__(self, encoding):
        for version in range(60, 90):
            try:
                self.library, self.version = ctypes.CDLL(f"libicuuc.so.{version}"), version
                break
            except OSError:
                pass
        error = ctypes.c_int(0)
        opened = self.function("ucnv_open")
        opened.restype = ctypes.c_void_p
        self.converter = ctypes.c_void_p(opened(encoding.encode(), ctypes.byref(error)))
        assert error.value <= 0, encoding
        for name, callback in [
            ("ucnv_setToUCallBack", "UCNV_TO_U_CALLBACK_STOP"),
            ("ucnv_setFromUCallBack", "UCNV_FROM_U_CALLBACK_STOP"),
        ]:
            stop = ctypes.cast(self.function(callback), ctypes.c_void_p)
            self.function(name)(self.converter, stop, None, None, None, ctypes.byref(error))
        self.function("ucnv_setFallback")(self.converter, ctypes.c_int8(0))

    def function(self, name):
        return getattr(self.library, f"{name}_{self.version}")

    def decode(self, source):
        out, error = (ctypes.c_uint16 * (4 * len(source) + 16))(), ctypes.c_int(0)
        count = self.function("ucnv_toUChars")(
            self.converter, out, len(out), source, len(source), ctypes.byref(error)
        )
        if error.value > 0:
            raise ValueError
        return bytes(out)[: 2 * count].decode("utf-16le", "surrogatepass")

    def encode(self, text):
        units = text.encode("utf-16le", "surrogatepass")
        out, error = ctypes.create_string_buffer(16 * len(text) + 64), ctypes.c_int(0)
        count = self.function("ucnv_fromUChars")(
            self.converter, out, len(out), units, len(units) // 2, ctypes.byref(error)
        )
        if error.value > 0:
            raise ValueError
        return out.raw[:count]


def main():
    program, encoding, direction = sys.argv[1:]
    witness = {"python": Python, "glibc": Glibc, "icu": Icu}[program](encoding)
    for line in sys.stdin:
        data = bytes.fromhex(line)
        try:
            if direction == "decode":
                print("=" + words(witness.decode(data)))
            else:
                print("=" + witness.encode(data.decode("utf-32be")).hex())
        except (ValueError, UnicodeError):
            print("!")


main()
