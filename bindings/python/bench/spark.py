"""Times Spark's ways to decode legacy text, interleaved, and compares their results.

    python bench/spark.py                        # 1 GiB of generated Shift_JIS
    python bench/spark.py --corpus DIR           # text from files in UTF-8
    python bench/spark.py --size 10GiB --only pass,read_text,source   # the rate of a large input

Every way reads the same files with Spark's text source or the data source `textcodec`, and aggregates the decoded text to one row:
the sums of the lengths in bytes and of 64-bit hashes. So all text is read in the JVM, and a difference is found.
`pass` sends the same column through `mapInArrow` unchanged, which measures the transfer to Python and back. The others are
compared with it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
# In all of them, Spark's decoder and CPython's give the same text as the standard's for the characters that are used.
JAVA = {"shift_jis": ("windows-31j", "cp932"), "gbk": ("GBK", "gbk"), "euc-kr": ("x-windows-949", "cp949"), "windows-1251": ("windows-1251", "cp1251")}


def size(text: str) -> int:
    for unit, factor in UNITS.items():
        if text.endswith(unit):
            return int(text.removesuffix(unit)) * factor
    return int(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, help="a folder of text in UTF-8 (default: generated text)")
    parser.add_argument("--size", type=size, default=1 << 30, help="bytes of input: a number, or such as 256MiB (default: 1GiB)")
    parser.add_argument("--encoding", default="shift_jis", choices=sorted(JAVA))
    parser.add_argument("--master", default="local-cluster[2,1,1024]")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--line", type=int, default=96, help="mean bytes of a line of generated text")
    parser.add_argument("--only", default="", help="ways to run, separated by commas")
    parser.add_argument("--conf", action="append", default=[], help="a setting of Spark: NAME=VALUE")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="textcodec-bench-"))
    try:
        lines = write_input(folder / "input", arguments)
        run(folder / "input", lines, arguments)
    finally:
        shutil.rmtree(folder)


def write_input(folder: Path, arguments: argparse.Namespace) -> int:
    """Writes files of 64 MiB or less, and returns the number of lines."""
    folder.mkdir()
    codec = JAVA[arguments.encoding][1]
    lines = list(corpus(arguments.corpus, codec) if arguments.corpus else generated(codec, arguments.line))
    block = b"".join(lines)
    block_lines = len(lines)
    total = count = 0
    number = 0
    while total < arguments.size:
        with open(folder / f"{number:04}.txt", "wb") as file:
            written = 0
            while written < 64 << 20 and total < arguments.size:
                file.write(block)
                written += len(block)
                total += len(block)
                count += block_lines
        number += 1
    print(f"{total / (1 << 20):.0f} MiB of {arguments.encoding} in {number} files, {count} lines", file=sys.stderr)
    return count


def generated(codec: str, mean: int) -> Iterator[bytes]:
    source = random.Random(1)
    words = {
        "cp932": "".join(map(chr, range(0x3041, 0x3094))) + "日本語文字符号化方式変換表東京都千代田区株式会社",
        "gbk": "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动",
        "cp949": "가나다라마바사아자차카타파하대한민국서울특별시문자변환표",
        "cp1251": "".join(map(chr, range(0x0430, 0x0450))),
    }[codec]
    for number in range(60_000):
        length = source.randrange(mean // 4, mean * 3 // 4) if codec != "cp1251" else source.randrange(mean // 2, mean * 3 // 2)
        text = f"{number},2024-01-{number % 28 + 1:02}," + "".join(source.choices(words, k=length // 2)) + ",OK\n"
        yield text.encode(codec)


def corpus(folder: Path, codec: str) -> Iterator[bytes]:
    total = 0
    for path in sorted(folder.rglob("*")):
        if path.is_file() and total < 32 << 20:
            for line in path.read_text("utf-8", "replace").split("\n"):
                data = line.replace("\r", " ").encode(codec, "replace") + b"\n"
                total += len(data)
                yield data


def ways(session: SparkSession, folder: str, encoding: str) -> dict[str, Callable[[], DataFrame]]:
    from pyspark.sql import functions as F

    from textcodec import spark as whatwg

    java, python = JAVA[encoding]

    def raw() -> DataFrame:
        return session.read.text(folder).select(F.col("value").cast("binary"))

    def unchanged(batches: Iterator[Any]) -> Iterator[Any]:
        yield from batches

    @F.pandas_udf("string")
    def by_pandas(column: pandas.Series) -> pandas.Series:
        return column.str.decode(python, "replace")

    @F.udf("string")
    def plain(value: bytes | None) -> str | None:
        return None if value is None else bytes(value).decode(python, "replace")

    def mapped() -> DataFrame:
        import pyarrow

        import textcodec.arrow

        def convert(batches: Iterator[Any]) -> Iterator[Any]:
            for batch in batches:
                yield pyarrow.record_batch([textcodec.arrow.decode(batch.column(0), encoding, errors="replace")], ["value"])

        return raw().mapInArrow(convert, "value string")

    def source(schema: str) -> DataFrame:
        reader = session.read.format("textcodec").option("encoding", encoding).option("splitSize", "64m")
        return reader.schema(schema).load(folder).select("value")

    return {
        "pass": lambda: raw().mapInArrow(unchanged, "value binary"),
        "read_text": lambda: whatwg.read_text(session, folder, encoding),
        "mapInArrow + arrow.decode": mapped,
        "data source, value": lambda: source("value string"),
        "data source, all columns": lambda: source("value string, _file string, _offset bigint, _corrupt binary"),
        f"JVM {java}": lambda: raw().select(F.decode("value", java).alias("value")),
        "pandas UDF": lambda: raw().select(by_pandas("value").alias("value")),
        "plain UDF": lambda: raw().select(plain("value").alias("value")),
    }


def measure(frame: DataFrame) -> tuple[float, tuple[Any, ...]]:
    from pyspark.sql import functions as F

    started = time.perf_counter()
    row = frame.agg(
        F.count("value"), F.sum(F.octet_length("value")), F.expr("sum(cast(xxhash64(cast(value AS binary)) AS decimal(38, 0)))")
    ).first()
    assert row is not None
    return time.perf_counter() - started, (*row[:2], str(row[2]))


def run(folder: Path, lines: int, arguments: argparse.Namespace) -> None:
    import pyspark
    from pyspark.sql import SparkSession

    import textcodec.spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(arguments.master).appName("textcodec-bench")
    settings = {
        "spark.ui.enabled": "false",
        "spark.log.level": "OFF",
        "spark.sql.files.maxPartitionBytes": "64m",
        # The JVM's decoder: all charsets of Java, and U+FFFD for what is malformed.
        "spark.sql.legacy.javaCharsets": "true",
        "spark.sql.legacy.codingErrorAction": "true",
        **dict(setting.split("=", 1) for setting in arguments.conf),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    textcodec.spark.register(session)
    chosen = ways(session, str(folder), arguments.encoding)
    if arguments.only:
        wanted = arguments.only.split(",")
        chosen = {name: way for name, way in chosen.items() if any(part in name for part in wanted)}
        if not chosen:
            sys.exit(f"no way is called {arguments.only}. There are: {', '.join(ways(session, str(folder), arguments.encoding))}")
    times: dict[str, list[float]] = {name: [] for name in chosen}
    processor: dict[str, list[float]] = {name: [] for name in chosen}
    peak: dict[str, int] = {name: 0 for name in chosen}
    results: dict[str, tuple[Any, ...]] = {}
    bytes_read = sum(file.stat().st_size for file in folder.iterdir())
    # The first round warms up the virtual machines and is not counted.
    for number in range(arguments.rounds + 1):
        for name, way in chosen.items():
            with Usage() as usage:
                seconds, results[name] = measure(way())
            if number > 0 or arguments.rounds == 0:
                times[name].append(seconds)
                processor[name].append(usage.cpu)
            peak[name] = max(peak[name], usage.peak)
            print(f"round {number}: {name}: {seconds:.1f} s, {usage.cpu:.1f} s of processor time", file=sys.stderr)
    work = Path(os.environ.get("SPARK_HOME", Path(pyspark.__file__).parent)) / "work" / session.sparkContext.applicationId
    session.stop()
    shutil.rmtree(work, ignore_errors=True)

    texts = {result for name, result in results.items() if name != "pass"}
    if len(texts) > 1 or any(result[0] != lines for result in results.values()):
        sys.exit(f"the results differ ({lines} lines): {json.dumps(results, indent=1)}")
    print(
        f"\nPySpark {pyspark.__version__}, {arguments.master}, {bytes_read / (1 << 20):.0f} MiB of {arguments.encoding}, "
        f"{lines} lines, median of {len(next(iter(times.values())))}:\n"
    )
    print("| way | s | MiB/s | of `pass` | processor s | of `pass` | Python's memory, MiB |\n|---|---|---|---|---|---|---|")
    for name in chosen:
        cells = [name]
        for all_seconds in times, processor:
            seconds = statistics.median(all_seconds[name])
            cells.append(f"{seconds:.1f}")
            if all_seconds is times:
                cells.append(f"{bytes_read / (1 << 20) / seconds:.0f}")
            cells.append(f"{seconds / statistics.median(all_seconds['pass']):.2f}" if "pass" in chosen else "")
        print(f"| {' | '.join(cells)} | {peak[name] >> 20} |")


class Usage:
    """Measures what the processes that this one has started use: the driver's JVM, executors and Python workers.

    `cpu` is the processor time of all of them, which other work on the machine disturbs less than the elapsed time. `peak` is the
    largest resident memory of a Python process.
    """

    def __enter__(self) -> Usage:
        self.peak = 0
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.sample, daemon=True)
        self.thread.start()
        self.before = self.total()
        return self

    def __exit__(self, *error: object) -> None:
        self.cpu = self.total() - self.before
        self.done.set()
        self.thread.join()

    def processes(self) -> dict[int, tuple[str, float]]:
        """The name and the processor time of each descendant, with those of its children that have ended."""
        found: dict[int, tuple[int, str, float]] = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                head, _, rest = (folder / "stat").read_text().rpartition(")")
            except OSError:
                continue
            fields = rest.split()
            found[int(folder.name)] = (int(fields[1]), head.partition("(")[2], sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK"))
        family = {os.getpid()}
        while more := {pid for pid, (parent, _, _) in found.items() if parent in family} - family:
            family |= more
        return {pid: found[pid][1:] for pid in family if pid in found and pid != os.getpid()}

    def total(self) -> float:
        return sum(cpu for _, cpu in self.processes().values())

    def sample(self) -> None:
        page = resource.getpagesize()
        while not self.done.wait(0.2):
            for pid, (name, _) in self.processes().items():
                try:
                    if name.startswith("python"):
                        self.peak = max(self.peak, int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * page)
                except OSError:
                    pass


if __name__ == "__main__":
    main()
