"""Calls each entry point of the package with little memory: `python entry_points.py text|columns [N]`; every Nth alone.

Each call is made in processes of its own, whose address space may grow by 0 bytes, by a little more, and so on, up to what it
needs. It must return, or raise `MemoryError`. Prints what else has happened, as lines of JSON: the call, the number of bytes, the
signal, and what was written. `test_memory.py` runs this.

Two failures end the process and are counted in `columns`: pyarrow's, if it has no memory for the chunks of an array
(`std::bad_alloc`), and those of allocations of less than 1000 bytes, which the crates of arrow make for each chunk.
"""

from __future__ import annotations

import codecs
import ctypes
import io
import json
import os
import re
import resource
import signal
import sys
import unicodedata  # noqa: F401 - `namereplace` would load it, and cannot without memory
from collections.abc import Callable
from typing import Any

import textcodec
import textcodec.chardet
import textcodec.lines
import textcodec.web
from textcodec import _native, webencodings

SIZE = 1 << 20
STEPS = [0, 1 << 14, 1 << 16, 1 << 18, 1 << 19, 3 << 19, 3 << 20, 6 << 20, 12 << 20, 64 << 20]

Entries = dict[str, Callable[[], object]]

codecs.register_error("test.mark", lambda error: (f"<{error.end - error.start}>", error.end))
codecs.register_error("test.long", lambda error: ("\ud800" + "x" * SIZE, error.end))
TEXTS = {
    "ascii": "a" * SIZE,
    "utf-8": "\xe9" * (SIZE // 2),
    "gb18030": "\u6f22\U0001f600" * (SIZE // 6),
    "utf-16le": "\u6f22" * (SIZE // 2),
    "shift_jis": "\u6f22\n" * (SIZE // 3),
    "iso-2022-jp": "\u6f22\u5b57\n" * (SIZE // 12),
    "windows-1251": "\u0436\n" * (SIZE // 2),
}


def text_entries() -> Entries:
    entries: Entries = {}
    mixed = "a\u6f22\ufdd0\udc80\U0001f600" * (SIZE // 5)
    broken = {label: text.encode(f"whatwg-{label}") + b"\xff\n" * 100 for label, text in TEXTS.items()}
    broken["bad"] = b"a\xff" * (SIZE // 32)
    broken["worse"] = b"\xff" * SIZE
    broken["lines"] = b"\n" * (SIZE // 8)
    for name, data in broken.items():
        label = {"bad": "utf-8", "worse": "shift_jis", "lines": "utf-8"}.get(name, name)
        good = data if name == "lines" else data[:-200]
        for errors in ("strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass", "test.mark", "x" * SIZE):
            entries[f"decode {name} {errors[:20]}"] = lambda d=data, e=errors, c=label: textcodec.decode(d, c, e)
            entries[f"codec {name} {errors[:20]}"] = lambda d=data, e=errors, c=label: codecs.decode(d, f"whatwg-{c}-bom", e)
            entries[f"transcode {name} {errors[:20]}"] = lambda d=data, e=errors, c=label: textcodec.transcode(d, c, "gb18030", e)
            entries[f"to utf-8 {name} {errors[:20]}"] = lambda d=data, e=errors, c=label: textcodec.transcode(bytearray(d), c, errors=e)
            decoder = codecs.getincrementaldecoder(f"whatwg-{label}")(errors)
            entries[f"incremental {name} {errors[:20]}"] = lambda d=data, f=decoder: (f.decode(d), f.getstate(), f.errors, f.reset())
        decoder = codecs.getincrementaldecoder(f"whatwg-{label}")()
        entries[f"good {name}"] = lambda d=good, c=label: textcodec.get_encoding(c).decode(memoryview(d))
        entries[f"setstate {name}"] = lambda d=good, f=decoder: (f.setstate((d, 0)), f.getstate(), f.decode(b"a"))
        entries[f"report {name}"] = lambda d=data, c=label: textcodec.decode_report(d, c, limit=1 << 30)
        entries[f"detect {name}"] = lambda d=data: textcodec.detect(d, tld="jp")
        entries[f"detector {name}"] = lambda d=data: detect_in_chunks(d)
        entries[f"chardet {name}"] = lambda d=data: textcodec.chardet.detect_all(d, ignore_threshold=True)
        for encodings in (["utf-8", "gbk"], ["utf-8", "cp1252"], ["utf-8", "utf-16le"]):
            entries[f"mixed {name} {encodings[1]}"] = lambda d=data, e=encodings: decode_mixed_in_chunks(d, e)
            entries[f"decode_mixed {name} {encodings[1]}"] = lambda d=data, e=encodings: textcodec.decode_mixed(d, e, errors="backslashreplace")
        entries[f"sniff {name}"] = lambda d=data: (_native.prescan(d), _native.sniff_html("text/html", d), textcodec.for_bom(d))
        entries[f"web {name}"] = lambda d=data, c=label: textcodec.web.html_to_unicode(f"text/html; charset={c}", d)
        entries[f"webencodings {name}"] = lambda d=data, c=label: (webencodings.decode(d, c), list(webencodings.iter_decode([d, d], c)[0]))
        entries[f"reader {name}"] = lambda d=data, c=label: codecs.getreader(f"whatwg-{c}")(io.BytesIO(d), "replace").read()
        entries[f"reader of lines {name}"] = lambda d=data, c=label: list(codecs.getreader(f"whatwg-{c}")(io.BytesIO(d), "replace"))
        entries[f"file {name}"] = lambda d=data, c=label: io.TextIOWrapper(io.BytesIO(d), f"whatwg-{c}", "replace").readlines()
        for errors in ("strict", "replace", "test.mark"):
            entries[f"Utf8Reader {name} {errors}"] = lambda d=data, c=label, e=errors: textcodec.Utf8Reader(io.BytesIO(d), c, e).read()
            entries[f"lines of Utf8Reader {name} {errors}"] = lambda d=data, c=label, e=errors: list(textcodec.Utf8Reader(io.BytesIO(d), c, e))
        for errors in ("replace", "null", "drop", "strict"):
            entries[f"read_lines {name} {errors}"] = lambda d=data, c=label, e=errors: list(textcodec.lines.read_lines(io.BytesIO(d), c, errors=e))
        entries[f"part {name}"] = lambda d=data, c=label: list(textcodec.lines.read_lines(io.BytesIO(d), c, 5, SIZE // 4))
    for name, text in (TEXTS | {"mixed": mixed}).items():
        label = "euc-jp" if name in ("mixed", "ascii") else name
        for errors in ("strict", "replace", "ignore", "backslashreplace", "xmlcharrefreplace", "surrogateescape", "namereplace", "test.mark"):
            entries[f"encode {name} {errors}"] = lambda t=text, c=label, e=errors: textcodec.encode(t, c, e)
            encoder = codecs.getincrementalencoder(f"whatwg-{label}")(errors)
            entries[f"incremental encode {name} {errors}"] = lambda t=text, f=encoder: (f.encode(t), f.getstate(), f.errors)
        entries[f"codec encode {name}"] = lambda t=text, c=label: t.encode(f"whatwg-{c}-bom", "replace")
        entries[f"encode iso-2022-jp {name}"] = lambda t=text: t.encode("whatwg-iso-2022-jp", "xmlcharrefreplace")
        entries[f"encode utf-8 {name}"] = lambda t=text: textcodec.get_encoding("utf-8").encode(t, "surrogateescape", bom=True)
        entries[f"writer {name}"] = lambda t=text, c=label: codecs.getwriter(f"whatwg-{c}")(io.BytesIO(), "replace").write(t)
        entries[f"webencodings encode {name}"] = lambda t=text, c=label: webencodings.encode(t, c, "replace")
    entries["a long replacement"] = lambda: textcodec.decode(b"a\xffb\xff" * 3, "utf-8", "test.long")
    entries["surrogates"] = lambda d=b"\xed\xa0\x80" * (SIZE // 3): textcodec.decode(d, "utf-8", "surrogatepass")
    entries["to surrogates"] = lambda t="\udc80" * SIZE: textcodec.encode(t, "utf-8", "surrogateescape")
    for name, argument in {"label": "x" * SIZE, "label with surrogates": "\ud800" * SIZE, "spaces": " " * SIZE + "utf-8"}.items():
        entries[f"decode, {name}"] = lambda a=argument: ignore(lambda: textcodec.decode(b"", a))
        entries[f"get_encoding, {name}"] = lambda a=argument: ignore(lambda: textcodec.get_encoding(a, aliases=True))
        entries[f"languages, {name}"] = lambda a=argument: ignore(lambda: textcodec.detect(b"", languages=[a]))
        entries[f"tld, {name}"] = lambda a=argument: ignore(lambda: textcodec.detect(b"", tld=a, content_type=a))
        entries[f"content_type, {name}"] = lambda a=argument: ignore(lambda: textcodec.detect(b"", content_type="a/b; charset=" + a))
        entries[f"per, {name}"] = lambda a=argument: ignore(lambda: textcodec.Mixed(["utf-8", "gbk"], per=a))
        entries[f"bom, {name}"] = lambda a=argument: ignore(lambda: textcodec.decode(b"", "utf-8", bom=a))
        entries[f"errors, {name}"] = lambda a=argument: ignore(lambda: textcodec.decode(b"\xff", "utf-8", a))
        entries[f"errors of lines, {name}"] = lambda a=argument: ignore(lambda: textcodec.lines.read_lines(io.BytesIO(), "utf-8", errors=a))
        entries[f"bom of lines, {name}"] = lambda a=argument: ignore(lambda: textcodec.lines.read_lines(io.BytesIO(), "utf-8", bom=a))
        entries[f"lookup, {name}"] = lambda a=argument: ignore(lambda: codecs.lookup("whatwg-" + a))
    entries["repertoire"] = lambda: [encoding.repertoire() for encoding in textcodec.ENCODINGS]
    entries["labels"] = lambda: [(encoding.labels, encoding.codec_name, repr(encoding), encoding.can_encode("a")) for encoding in textcodec.ENCODINGS]
    return entries


def detect_in_chunks(data: bytes) -> None:
    detector = textcodec.Detector(candidates=["gbk"] * 1000, languages=["de"] * 1000)
    for _ in range(3):
        detector.feed(data)
    detector.finish()


def decode_mixed_in_chunks(data: bytes, encodings: list[str]) -> None:
    mixed = textcodec.Mixed(encodings, errors="replace")
    for at in range(0, len(data), 100_000):
        mixed.push(data[at : at + 100_000])
    mixed.finish()
    assert mixed.summary.parts


def ignore(call: Callable[[], object]) -> None:
    """Ignores the exception for a wrong argument."""
    try:
        call()
    except (LookupError, ValueError):
        pass


def column_entries() -> Entries:
    import pyarrow

    import textcodec.arrow

    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    entries: Entries = {}
    rows = [b"\xc4\xe3\xba\xc3", None, b"a", b"\xc4\xe3" * 40, b"\xff"] * (SIZE // 100)
    kinds = {
        "binary": pyarrow.array(rows, pyarrow.binary()),
        "large": pyarrow.array(rows, pyarrow.large_binary()),
        "view": pyarrow.array(rows, pyarrow.binary_view()),
        "dictionary": pyarrow.array(rows, pyarrow.binary()).dictionary_encode(),
        "row": pyarrow.array([b"\xc4\xe3" * (SIZE // 2)]),
        "chunks": pyarrow.chunked_array([[b"\xc4\xe3"]] * 10_000),
    }
    labels = pyarrow.array((["gbk", "big5", "x" * 1000] * len(rows))[: len(rows)])
    for name, array in kinds.items():
        for errors in ("strict", "replace", "ignore", "null"):
            entries[f"decode {name} {errors}"] = lambda a=array, e=errors: textcodec.arrow.decode(a, "gbk", errors=e)
        entries[f"count {name}"] = lambda a=array: textcodec.arrow.count_errors(a, "gbk")
        if len(array) == len(labels):
            entries[f"labels {name}"] = lambda a=array: textcodec.arrow.decode(a, labels, errors="null")
        text = textcodec.arrow.decode(array, "gbk", errors="replace")
        for errors in ("strict", "replace", "xmlcharrefreplace", "null"):
            entries[f"encode {name} {errors}"] = lambda a=text, e=errors: textcodec.arrow.encode(a, "big5", errors=e)
    for label, text in TEXTS.items():
        data = text.encode(f"whatwg-{label}")
        entries[f"read_batches {label}"] = lambda d=data, c=label: list(textcodec.lines.read_batches(io.BytesIO(d), c))
    return entries


def return_memory_that_is_free() -> None:
    """Makes glibc return memory when it is freed, and reserve none for threads. Otherwise calls use it, which no limit prevents."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        options = {"M_TRIM_THRESHOLD": (-1, 0), "M_TOP_PAD": (-2, 0), "M_MMAP_THRESHOLD": (-3, 1 << 15), "M_ARENA_MAX": (-8, 1)}
        for parameter, value in options.values():
            mallopt(parameter, value)


def used() -> int:
    """The size of the address space."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def run(call: Callable[[], object], more: int) -> dict[str, Any] | str:
    """Calls with this number of bytes in addition. Returns "returned", "memory" for a `MemoryError`, or what else has happened."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        message = b""
        os.dup2(writer, 2)
        try:
            limit = used() + more
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
            call()
            message = b"returned"
        except MemoryError:
            message = b"memory"
        except (UnicodeError, LookupError):
            message = b"returned"
        except BaseException as error:
            message = f"{type(error).__name__}: {error}"[:200].encode("utf-8", "replace")
        os.write(writer, message)
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as file:
        message = file.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    text = message.decode("utf-8", "replace")
    if status == 0 and text in ("returned", "memory"):
        return text
    if status == -signal.SIGABRT and "pyarrow" in sys.modules:
        if "std::bad_alloc" in text:
            return "pyarrow"
        if re.match(r"memory allocation of \d{1,3} bytes failed", text):
            return "small"
    return {"status": status, "text": text[:300]}


def main(entries: Entries, every: int) -> None:
    counts = {"calls": 0, "returned": 0, "memory": 0, "pyarrow": 0, "small": 0}
    for name, call in list(entries.items())[::every]:
        for more in STEPS:
            result = run(call, more)
            counts["calls"] += 1
            if isinstance(result, dict):
                print(json.dumps({"call": name, "bytes": more} | result), flush=True)
                continue
            counts[result] += 1
            if result == "returned":
                break
    print(json.dumps(counts))


if __name__ == "__main__":
    return_memory_that_is_free()
    main(text_entries() if sys.argv[1] == "text" else column_entries(), int(sys.argv[2]) if sys.argv[2:] else 1)
