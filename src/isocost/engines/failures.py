"""An engine that fails: what it said, in one line, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from isocost.errors import EngineError, IsocostError

_UNREACHABLE = re.compile(
    r"UNAVAILABLE|connection (refused|reset|lost|closed)|failed to connect|connect timeout|Timed out.*connect"
    r"|stopped SparkContext|masters are unresponsive|Master removed our application|not running|scheduler.*(closed|lost)"
    r"|find actor|actor.*(dead|died)",
    re.IGNORECASE,
)
UNREADABLE = re.compile(
    r"parquet|magic bytes|footer|thrift|TProtocol|don't know what type|decompress|zstd|snappy|corrupt|FAILED_READ_FILE",
    re.IGNORECASE,
)
# What gRPC says is one line of many, and what Java says comes after the calls that led to it.
_GRPC = re.compile(r'details = "(.*)"')
_JAVA = re.compile(r"^Caused by: (?:[\w.$]+\.)?(.*)$", re.MULTILINE)

Answer = TypeVar("Answer")


def run(engine: str, doing: str, query: Callable[[], Answer]) -> Answer:
    """Run a query; what goes wrong in the engine becomes one readable error."""
    try:
        return query()
    except (IsocostError, MemoryError):
        raise
    except Exception as error:
        said = _said(error)
        what = f"the {engine} failed while {doing}: {said}"
        raise EngineError(f"{what}; {hint}" if (hint := _hint(error, said)) else what) from error


def readable(message: str) -> str:
    """Return a message without the bytes of a damaged file in it."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in message)


def _said(error: Exception) -> str:
    """Return the line that tells most."""
    whole = readable(str(error)).strip()
    if java := _JAVA.search(whole):
        return java[1].strip().removesuffix(".")
    grpc = _GRPC.search(whole)
    line = grpc[1] if grpc else whole.partition("\n")[0].strip().removesuffix(".")
    return f"{type(error).__name__}: {line}" if line else type(error).__name__


def _hint(error: Exception, said: str) -> str | None:
    # Seldom needed, and it would load with the package.
    from concurrent.futures import CancelledError

    # PySpark asserts, without a word, that there is a context.
    stopped = isinstance(error, AssertionError) and not str(error)
    if stopped or isinstance(error, ConnectionError | TimeoutError | CancelledError) or _UNREACHABLE.search(said):
        return "its session was stopped or its cluster cannot be reached: connect again, make the frame anew and count again"
    if UNREADABLE.search(said):
        return "a file may be damaged: ScoreCounts.scan(files, ...) says which"
    return None
