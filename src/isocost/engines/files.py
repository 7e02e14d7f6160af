"""Which files a command reads: paths, globs and standard input, and what each holds, told by its first bytes."""

from __future__ import annotations

import codecs
import csv
import difflib
import glob
import gzip
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from isocost.errors import InputError

Format = Literal["csv", "json", "parquet", "arrow", "npz"]

STDIN = "-"
_HEAD = 1 << 20
_DELIMITERS = ",;\t|"


@dataclass(frozen=True)
class InputFile:
    """A file to read, what to call it, and what it holds."""

    path: Path
    name: str
    format: Format
    gzipped: bool = False
    delimiter: str | None = None
    header: tuple[str, ...] = ()


@contextmanager
def opened(names: Sequence[str]) -> Iterator[list[InputFile]]:
    """Yield the files behind the arguments; what comes through a pipe waits in a temporary file meanwhile."""
    if names.count(STDIN) > 1:
        raise InputError("standard input (-) can be read only once")
    with tempfile.TemporaryDirectory(prefix="isocost-") as folder:
        found = [_examined(*_readable(place, name, Path(folder))) for name in names for place in _expanded(name)]
        places = [file.path.resolve() for file in found]
        twice = next((file.name for i, file in enumerate(found) if places[i] in places[:i]), None)
        if twice is not None:
            raise InputError(f"{twice} is named twice: its cases would count twice")
        kinds = {file.format for file in found}
        if len(kinds) > 1:
            first, other = found[0], next(f for f in found if f.format != found[0].format)
            raise InputError(
                f"all files must be of one kind: {first.name} is {first.format}, {other.name} is {other.format}"
            )
        for file in found[1:]:
            if file.header != found[0].header:
                raise InputError(
                    f"{file.name} has other columns than {found[0].name}: {_names(file.header)} and not {_names(found[0].header)}"
                )
        yield found


def _names(header: Sequence[str]) -> str:
    return ", ".join(map(repr, header))


def _expanded(name: str) -> list[str]:
    if name == STDIN or Path(name).exists():
        return [name]
    if glob.has_magic(name):
        if found := sorted(glob.glob(name, recursive=True)):  # noqa: PTH207 - a pattern may be absolute
            return found
        raise InputError(f"no file matches {name!r}")
    folder = Path(name).parent
    beside = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    close = difflib.get_close_matches(Path(name).name, beside, n=1)
    raise InputError(f"no such file: {name}" + (f"; did you mean {folder / close[0]}?" if close else ""))


def _readable(place: str, given: str, folder: Path) -> tuple[Path, str]:
    """Return a file that can be read twice, and its name."""
    if place == STDIN:
        if sys.stdin is None or sys.stdin.isatty():
            raise InputError("nothing comes in on standard input (-): pipe a file into it")
        return _spooled(sys.stdin.buffer, folder / "stdin"), "standard input"
    path = Path(place)
    if path.is_dir():
        raise InputError(f"{given} is a directory: name its files, for example '{path}/*.parquet'")
    if path.is_file():
        return path, place
    with path.open("rb") as pipe:  # a pipe, as the shell makes for <(command)
        return _spooled(pipe, folder / f"pipe{len(list(folder.iterdir()))}"), place


def _spooled(source: BinaryIO, target: Path) -> Path:
    with target.open("wb") as copy:
        shutil.copyfileobj(source, copy)
    return target


def _examined(path: Path, name: str) -> InputFile:
    with path.open("rb") as stream:
        start = stream.read(8)
    if not start:
        raise InputError(f"{name} is empty (0 bytes)")
    if start.startswith(b"PAR1"):
        return InputFile(path, name, "parquet")
    if start.startswith(b"ARROW1"):
        return InputFile(path, name, "arrow")
    if start.startswith(b"PK\x03\x04"):
        if path.suffix == ".npz":
            return InputFile(path, name, "npz")
        raise InputError(f"{name} is a ZIP archive or an Excel workbook: save the table as CSV or Parquet")
    gzipped = start.startswith(b"\x1f\x8b")
    text = _text(_head(path, name, gzipped=gzipped), name)
    if not text.strip():
        raise InputError(f"{name} is empty: it holds nothing but white space")
    if text.lstrip()[0] in "{[":
        return InputFile(path, name, "json", gzipped)
    delimiter, header = _csv_header(text, name)
    return InputFile(path, name, "csv", gzipped, delimiter, header)


def _head(path: Path, name: str, *, gzipped: bool) -> bytes:
    try:
        with gzip.open(path, "rb") if gzipped else path.open("rb") as stream:
            return stream.read(_HEAD)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{name} is a damaged gzip file: {error}") from error


def _text(head: bytes, name: str) -> str:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in head[:4096]:
        kind = "UTF-16 text" if head.startswith((b"\xff\xfe", b"\xfe\xff")) else "neither text nor Parquet nor Arrow"
        raise InputError(f"{name} is {kind}: save it as UTF-8 CSV or as Parquet")
    try:
        # Incremental, because the end of the head may cut a character in two.
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(head, final=len(head) < _HEAD)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name} is not UTF-8 text: byte 0x{head[error.start]:02x} at position {error.start}; save it as UTF-8"
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _csv_header(text: str, name: str) -> tuple[str, tuple[str, ...]]:
    line = text.split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=line.count)
    header = next(csv.reader([line], delimiter=delimiter))
    if len(header) < 2:
        raise InputError(
            f"{name} has a single column, {header[0][:60]!r}: columns must be separated by a comma, semicolon, tab or |"
        )
    if all(_is_number(column) for column in header):
        raise InputError(
            f"{name} begins with numbers, {line[:60]!r}: its first line must hold the names of the columns"
        )
    twice = next((column for column in header if header.count(column) > 1), None)
    if twice is not None:
        raise InputError(f"{name} has {header.count(twice)} columns called {twice!r}: give each a name of its own")
    return delimiter, tuple(header)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
