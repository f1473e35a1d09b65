"""Options and fixtures. `pytest` in this folder needs the built package and Hypothesis; see CONTRIBUTING.md."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

import support

# Examples are the same in each run, unless TEXTCODEC_EXAMPLES asks for more of them.
hypothesis.settings.register_profile(
    "textcodec", deadline=None, database=None, derandomize=support.MORE_EXAMPLES == 1, print_blob=True
)
hypothesis.settings.load_profile("textcodec")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors",
        default=os.environ.get("TEXTCODEC_VECTORS"),
        help="the test vectors of the oracle: cargo run --release --manifest-path bindings/js/Cargo.toml -p vectors -- FILE",
    )
    parser.addoption(
        "--program",
        default=os.environ.get("TEXTCODEC_PROGRAM"),
        help="the program textcodec: cargo build -p textcodec-cli",
    )


@pytest.fixture(scope="session")
def program(request: pytest.FixtureRequest) -> str:
    """The program `textcodec`."""
    file = request.config.getoption("--program")
    if not file:
        pytest.skip("SKIPPED: the comparison with the program needs --program FILE or TEXTCODEC_PROGRAM")
    return str(file)


@pytest.fixture(scope="session")
def vectors(request: pytest.FixtureRequest) -> support.Vectors:
    file = request.config.getoption("--vectors")
    if not file:
        pytest.skip("SKIPPED: the test vectors need --vectors FILE or TEXTCODEC_VECTORS")
    return support.Vectors(Path(file))


@pytest.fixture(params=support.NAMES)
def name(request: pytest.FixtureRequest) -> str:
    """The name of each encoding."""
    return str(request.param)


@pytest.fixture(params=support.WITH_ENCODER)
def encodable(request: pytest.FixtureRequest) -> str:
    """The name of each encoding that encodes: all but `replacement`."""
    return str(request.param)


