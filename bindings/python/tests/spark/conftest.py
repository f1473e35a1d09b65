"""A cluster of Spark with executors in processes of their own, which get the package as a shipped archive."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import textcodec

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Spark's settings for the tests: small partitions, and little work that has nothing to do with them.
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.driver.memory": "1g",
    # A task that fails is repeated once.
    "spark.task.maxFailures": "2",
    "spark.log.level": "OFF",
    # Snappy, the default, does not load where musl is installed next to glibc: it takes the system for one with musl.
    "spark.sql.parquet.compression.codec": "gzip",
}


def missing() -> str | None:
    """Returns why Spark cannot run here."""
    for module in "pyspark", "pandas", "pyarrow":
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed"
    java = os.environ.get("JAVA_HOME")
    if not (java and Path(java, "bin", "java").exists()) and shutil.which("java") is None:
        return "Java is not installed"
    return None


def package(folder: Path) -> Path:
    """Makes an archive of the package: what a wheel contains. `TEXTCODEC_WHEEL` names a wheel to use."""
    archive = folder / "textcodec.zip"
    wheel = os.environ.get("TEXTCODEC_WHEEL")
    if wheel:
        shutil.copyfile(wheel, archive)
    else:
        installed = Path(textcodec.__file__).parent
        copy = folder / "package"
        shutil.copytree(installed, copy / "textcodec", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.make_archive(str(archive.with_suffix("")), "zip", copy)
    return archive


@pytest.fixture(scope="session")
def working(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working directory of the driver. Executors have others."""
    return tmp_path_factory.mktemp("working")


@pytest.fixture(scope="session")
def session(tmp_path_factory: pytest.TempPathFactory, working: Path) -> Iterator[SparkSession]:
    reason = missing()
    if reason is not None:
        pytest.skip(f"SKIPPED: {reason}")
    import pyspark
    from pyspark.sql import SparkSession

    import textcodec.spark

    folder = tmp_path_factory.mktemp("spark")
    # The executors' own interpreter. It would find the installed package, too, but the archive is before it.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("textcodec")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    archive = package(folder)
    before = os.getcwd()
    os.chdir(working)
    session = (
        builder.config("spark.archives", f"{archive}#textcodec_package")
        .config("spark.executorEnv.PYTHONPATH", "textcodec_package")
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .getOrCreate()
    )
    os.chdir(before)
    textcodec.spark.register(session)
    yield session
    application = session.sparkContext.applicationId
    session.stop()
    # The workers of a local cluster keep files of an application next to Spark.
    work = Path(os.environ.get("SPARK_HOME", Path(pyspark.__file__).parent)) / "work"
    shutil.rmtree(work / application, ignore_errors=True)
