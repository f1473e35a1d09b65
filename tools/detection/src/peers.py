"""Prints the guesses of a Python package: `peers.py PACKAGE < PATHS`. The first line is the version.

A guess is a name, and the SHA-256 sum of the text that Python decodes with it.
"""

import hashlib
import sys

package = sys.argv[1]
if package == "chardet":
    import chardet

    print(chardet.__version__)
    guess = lambda text: chardet.detect(text)["encoding"]
else:
    import charset_normalizer

    print(charset_normalizer.__version__)

    def guess(text):
        best = charset_normalizer.from_bytes(text).best()
        return best and best.encoding


def decoded(text, name):
    try:
        return hashlib.sha256(text.decode(name).encode()).hexdigest()
    except (LookupError, TypeError, UnicodeError):
        return ""


for path in sys.stdin.read().splitlines():
    with open(path, "rb") as file:
        text = file.read()
    name = guess(text)
    print(name, decoded(text, name))
