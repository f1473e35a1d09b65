"""Legacy encodings in Spark 4.1 and later: column functions, SQL functions, and a data source for files.

Spark's own ``decode`` and ``encode`` know seven charsets. These know the 40 of the Encoding Standard, and convert exactly as
browsers do.

>>> from textcodec import spark as whatwg
>>> frame.select(whatwg.decode("body", "shift_jis"))                              # doctest: +SKIP
>>> whatwg.read_text(session, "s3a://bucket/logs/*.txt", "gbk")                    # doctest: +SKIP
>>> whatwg.register(session)                                                      # doctest: +SKIP
>>> session.sql("SELECT whatwg_decode(body, 'euc-jp') FROM messages")             # doctest: +SKIP
>>> session.read.format("textcodec").option("encoding", "utf-16").load("dump/")   # doctest: +SKIP

**Which reader.** :func:`read_text` lets Spark split and read the files, and decodes their lines. It is the right choice for 36 of
the 40 encodings, for HDFS, for compressed files, and for many small files. The data source ``textcodec`` reads the files in
Python. Use it for UTF-16 and ISO-2022-JP, to find malformed lines, for the offsets of lines, and to write files. It is described
at :class:`TextSource`.

**On the cluster.** The executors need the package, PyArrow and pandas, and fsspec for paths with a scheme. Either they are installed
there, or ``spark.archives`` ships an environment. ``docs/python/spark.md`` shows both.
"""

from textcodec.spark._columns import decode, encode, read_text, register
from textcodec.spark._source import TextSource

__all__ = ["TextSource", "decode", "encode", "read_text", "register"]
