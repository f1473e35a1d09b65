"""Runs the test suites of packages that use `webencodings`, with `textcodec.webencodings` in its place.

    python consumers/run.py [--wheel FILE] [--work DIR] [NAME...]

Each suite runs twice in an environment of its own, first with webencodings itself, and the outcomes of each test are compared.
The sources are from PyPI. Without `--wheel`, the package in `python/` next to this folder is used, which must be built.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent

WEBENCODINGS = "webencodings==0.6.1"


class Suite(NamedTuple):
    """A package whose tests are run."""

    requirement: str
    sha256: str
    """The sum of the source distribution."""
    tools: list[str]
    arguments: list[str]
    differences: dict[str, str]
    """The tests that must have another outcome, and why."""
    newest_python: tuple[int, int] = (3, 99)


SUITES = {
    "webencodings": Suite(
        WEBENCODINGS,
        "565f9ad031c702dae404e27a099e3e09186a3ab1b9520f06d215502b651fd910",
        ["pytest==8.4.2"],
        ["."],
        {"test_webencodings::test_remapping": "it wants the names of CPython's codecs; those of this package begin with whatwg-"},
    ),
    "html5lib": Suite(
        "html5lib==1.1",
        "b2e5b40261e20f354d198eae92afc10d750afb487ed5e50f9c4eaf07c184146f",
        # The suite needs pytest 5, which rewrites assertions in a way that later versions of Python refuse.
        ["pytest==5.4.3", "pytest-expect==1.1.0", "mock==4.0.3", "six", "lxml", "setuptools<81", WEBENCODINGS],
        ["--assert=plain", "-p", "no:warnings", "html5lib/tests"],
        {},
        # pytest 5 imports `imp`.
        (3, 11),
    ),
}


def fetch(suite: Suite, work: Path) -> Path:
    """Downloads and unpacks a source distribution. Returns its folder."""
    name, version = suite.requirement.split("==")
    file = work / f"{name}-{version}.tar.gz"
    if not file.exists():
        # pip builds metadata, for which html5lib needs a setuptools with pkg_resources.
        constraint = work / "constraints.txt"
        constraint.write_text("setuptools<81\n")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", name, suite.requirement]
        subprocess.run(command, cwd=work, env={**os.environ, "PIP_CONSTRAINT": str(constraint)}, check=True)
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if found != suite.sha256:
        raise SystemExit(f"{file.name} has the SHA-256 sum {found}, not {suite.sha256}")
    with tarfile.open(file) as archive:
        archive.extractall(work, filter="data")
    return work / f"{name}-{version}"


def environment(name: str, suite: Suite, work: Path, wheel: Path | None) -> Path:
    """Creates an environment with the tools of a suite. Returns its Python."""
    folder = work / f"environment-{name}"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *suite.tools], check=True)
    if wheel is not None:
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", wheel], check=True)
    return python


def outcomes(python: Path, suite: Suite, tests: Path, path: list[Path], module: str, report: Path) -> dict[str, str]:
    """Runs a suite in a folder. Returns the outcome of each test."""
    report.unlink(missing_ok=True)
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *suite.arguments]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1"}
    check = f"import sys, webencodings; sys.exit(webencodings.Encoding.__module__ != {module!r})"
    if subprocess.run([python, "-c", check], cwd=tests, env=variables).returncode:
        raise SystemExit(f"`import webencodings` does not give {module}")
    process = subprocess.run(command, cwd=tests, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # 1 means that tests have failed.
    if process.returncode > 1 or not report.exists():
        raise SystemExit(f"pytest has failed:\n{process.stdout[-5000:]}")
    found: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        test = f"{case.get('classname')}::{case.get('name')}"
        while test in found:
            # Tests that are made from data may share a name.
            test += "'"
        problem = next((child for child in case if child.tag in ("failure", "error", "skipped")), None)
        found[test] = "passed" if problem is None else f"{problem.tag}: {(problem.get('message') or '').splitlines()[:1]}"
    return found


def run(name: str, work: Path, wheel: Path | None) -> bool:
    """Runs a suite with both packages, and prints the differences. Returns whether they are those that are expected."""
    suite = SUITES[name]
    if sys.version_info[:2] > suite.newest_python:
        print(f"SKIPPED: the tools of {name}'s tests need Python {'.'.join(map(str, suite.newest_python))} or older")
        return True
    source = fetch(suite, work)
    python = environment(name, suite, work, wheel)
    shim = work / "shim"
    shim.mkdir(exist_ok=True)
    lines = "import sys\n\nimport textcodec.webencodings\n\nsys.modules[__name__] = textcodec.webencodings\n"
    (shim / "webencodings.py").write_text(lines)
    package = [] if wheel else [HERE.parent / "python"]
    path = []
    if name == "webencodings":
        # The tests must not find the package in their own folder.
        path, source = [source], Path(shutil.copytree(source / "tests", work / "tests-of-webencodings", dirs_exist_ok=True))
    before = outcomes(python, suite, source, path, "webencodings", work / "before.xml")
    after = outcomes(python, suite, source, [shim, *package], "textcodec.webencodings", work / "after.xml")
    different = {test for test in before.keys() | after.keys() if before.get(test) != after.get(test)}
    passed = sum(outcome == "passed" for outcome in after.values())
    print(f"{suite.requirement}: {len(after)} tests, {passed} passed, {len(different)} differ from webencodings")
    for test in sorted(different):
        print(f"  {test}: {before.get(test)} before, {after.get(test)} after")
        print(f"    {suite.differences.get(test, 'UNEXPECTED')}")
    missing = suite.differences.keys() - different
    for test in sorted(missing):
        print(f"  {test}: a difference was expected: {suite.differences[test]}")
    return not missing and different == suite.differences.keys() and passed > 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"a suite: {', '.join(SUITES)}; all by default")
    parser.add_argument("--wheel", type=Path, help="the wheel of textcodec to test")
    parser.add_argument("--work", type=Path, help="a folder for downloads and environments, which is kept")
    arguments = parser.parse_args()
    names = arguments.names or list(SUITES)
    if unknown := set(names) - SUITES.keys():
        parser.error(f"no suite is named {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as temporary:
        work = (arguments.work or Path(temporary)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        results = [run(name, work, arguments.wheel and arguments.wheel.resolve()) for name in names]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
