"""Files of tables: paths, pipes and uploads, told by their content; the dialects of text; the checksums of Parquet pages."""

from __future__ import annotations

import codecs
import csv
import difflib
import glob
import gzip
import io
import mmap
import os
import re
import shutil
import stat
import sys
import tempfile
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeVar

from isocost.errors import EngineError, InputError, IsocostError, MissingDependencyError, UnknownNameError


@dataclass(frozen=True)
class Words:
    """What to write to name a column, a value or a way of reading; {} stands for it.

    These are the words of the library; the command and the explorer have their own.
    """

    label: str = "label={!r}"
    score: str = "score={!r}"
    positive: str = "pos_label={!r}"
    lower: str = "lower_is_positive={!r}"
    missing: str = "pass missing='drop'"
    decimal: str = "pass decimal=','"
    point: str = "pass decimal='.'"
    encoding: str = "pass encoding='latin-1'"
    sheet: str = "save the sheet to use, such as {!r}, as a file of its own"
    memory: str = "memory="
    extra: str = "duckdb"
    several: str = "ClassComparison takes several"
    # How a value is written so that it can be typed; None: as Python does.
    quoted: Callable[[str], str] | None = None

    def naming(self, template: str, value: Any) -> str:
        """Return what to write to name a value."""
        return template.format(value if self.quoted is None else self.quoted(str(value)))


def listed(names: list[str], most: int = 12) -> str:
    """Return the first few names, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


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


HEAD = 1 << 20
_DELIMITERS = ",;\t|"
# Cells of the first rows that are looked at.
_MOST_CELLS = 200_000
_MOST_ROWS = 1000
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
# What Excel writes before a table.
_TELLS_DELIMITER = re.compile(rf"sep=([{_DELIMITERS}])\s*")
# How programs write that there is nothing.
NOTHING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None")

DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*")
_DECIMAL_POINT = re.compile(r"\s*[+-]?\d*\.\d+([eE][+-]?\d+)?\s*")
_WHOLE = re.compile(r"\s*[+-]?\d+\s*")
_PERCENT = re.compile(r"\s*[+-]?\d*([.,]\d+)?\s?%\s*")
# 1,234 and 1.234.567,8 and 1 234 and 1'234: a mark before every three digits, and none of them begins with 0.
_THOUSANDS = re.compile(r"\s*[+-]?[1-9]\d{0,2}(([,.' \u00a0\u202f’_])\d{3})(\2\d{3})*([.,]\d+)?\s*")
# 1.234 and 12.345.678, in which every dot may stand between thousands.
DOTTED_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+")
POINTS = "write decimal points instead of commas (pandas: to_csv(..., decimal='.'))"


@dataclass(frozen=True)
class TextForm:
    """What the user gave about text: the decimal mark, the encoding and the sheet of a workbook; None leaves it to the file.

    Scores of cases without labels are a table even if they are `alone`.
    """

    decimal: str | None = None
    encoding: str | None = None
    alone: bool = False
    sheet: str | None = None

    def checked(self) -> TextForm:
        """Return it, or say what is wrong with it."""
        if self.decimal not in (None, ".", ","):
            raise InputError(f"the decimal mark must be '.' or ',', got {self.decimal!r}")
        if self.encoding is not None:
            try:
                known = codecs.lookup(self.encoding)
                known.incrementaldecoder().decode(b"", final=True)
            except (LookupError, TypeError, UnicodeError, AttributeError, ValueError):
                raise InputError(
                    f"unknown encoding {self.encoding!r}: use a name such as utf-8, utf-16, latin-1 or cp1252"
                ) from None
            if not getattr(known, "_is_text_encoding", True):
                raise InputError(f"{self.encoding!r} is no encoding of text: use utf-8, utf-16, latin-1 or cp1252")
        return self


@dataclass(frozen=True)
class TextTable:
    """The beginning of a table in text: its delimiter, the names of its columns, and its first rows.

    `skip` is the number of lines before the names: empty ones, and one in which a spreadsheet tells its delimiter.
    """

    delimiter: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    skip: int = 0
    # Names that several columns have; these columns are called by their places too.
    twice: tuple[str, ...] = ()


def encoding_of(head: bytes, name: str, form: TextForm, words: Words) -> str:
    """Return how text is encoded: as given, as its byte order mark says, or UTF-8."""
    if form.encoding is not None:
        return form.encoding
    marked = next((encoding for mark, encoding in _BOMS if head.startswith(mark)), None)
    if marked is not None:
        return marked
    if b"\x00" in head[:4096]:
        if _looks_like_utf16(head[:4096]):
            raise InputError(
                f"{name} looks like UTF-16 text without a byte order mark: save it as UTF-8 CSV or as Parquet"
            )
        raise InputError(f"{name} is neither text nor Parquet nor Arrow: save it as UTF-8 CSV or as Parquet")
    try:
        _decoded(head, "utf-8-sig")
    except UnicodeDecodeError as error:
        byte = f"byte 0x{head[error.start]:02x} at position {error.start}"
        raise InputError(
            f"{name} is not UTF-8 text: {byte}. Save it as UTF-8, or say how it is encoded ({words.encoding})"
        ) from error
    return "utf-8-sig"


def _looks_like_utf16(head: bytes) -> bool:
    """Return whether every other byte is nothing and most of the rest can be printed, as in Latin letters of two bytes each."""
    halves = head[::2], head[1::2]
    return any(
        one.count(0) * 10 >= 9 * len(one) > 0 and sum(map(_is_printed, other)) * 10 >= 9 * len(other) > 0
        for one, other in (halves, halves[::-1])
    )


def _is_printed(byte: int) -> bool:
    return byte >= 32 or byte in b"\t\n\r"


def _decoded(head: bytes, encoding: str) -> str:
    # Incremental, because the end of the head may cut a character in two.
    return codecs.getincrementaldecoder(encoding)().decode(head, final=len(head) < HEAD)


def head_of(head: bytes, name: str, encoding: str) -> str:
    """Return the beginning of a file as text with plain ends of lines."""
    try:
        text = _decoded(head, encoding)
    except UnicodeError as error:
        raise InputError(f"{name} is not {encoding} text: {error}") from error
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def has_mixed_ends(head: bytes) -> bool:
    """Return whether some lines end with CR LF and some with LF alone."""
    return 0 < head.count(b"\r\n") < head.count(b"\n")


def recoded(source: BinaryIO, target: BinaryIO, name: str, encoding: str) -> None:
    """Copy text as UTF-8 with plain ends of lines, piece by piece."""
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(encoding)(), translate=True)
    first = True
    try:
        while part := source.read(HEAD):
            text = decoder.decode(part)
            target.write((text.removeprefix("\ufeff") if first else text).encode())
            first = first and not text
        target.write(decoder.decode(b"", final=True).encode())
    except UnicodeError as error:
        raise InputError(f"{name} is not {encoding} text: {error}") from error


def table_of(text: str, name: str, *, whole: bool, alone: bool = False) -> TextTable:
    """Return the columns and first rows of a table; unless the text is `whole`, its last line may be cut.

    One column is taken for a table without delimiters unless it may stand `alone`.
    """
    skip, told = _before(text)
    text = text.split("\n", skip)[-1]
    line = text.partition("\n")[0]
    if not whole and "\n" not in text:
        raise InputError(f"{name} has a first line of more than {len(text):,} characters: is it a table in text?")
    delimiter = told or max(_DELIMITERS, key=re.sub(r'"[^"]*"', "", line).count)
    rows = _rows(text if whole else text.rpartition("\n")[0], delimiter)
    header = tuple(name.strip() for name in rows[0]) if rows else ()
    if len(header) < (1 if alone else 2):
        raise InputError(
            f"{name} has a single column, {line[:60]!r}: columns must be separated by a comma, semicolon, tab or |"
        )
    if all(_is_number(column) for column in header):
        raise InputError(
            f"{name} begins with numbers, {line[:60]!r}: its first line must hold the names of the columns"
        )
    twice = tuple(dict.fromkeys(column for column in header if header.count(column) > 1))
    if "" in twice:
        raise InputError(f"{name} has {header.count('')} columns called '': give each a name of its own")
    header = tuple(f"{column} (column {i})" if column in twice else column for i, column in enumerate(header, 1))
    return TextTable(delimiter, header, tuple(row for row in rows[1:] if len(row) == len(header)), skip, twice)


def _before(text: str) -> tuple[int, str | None]:
    """Return how many lines stand before the names of columns, and the delimiter if one of them tells it."""
    skip, told = 0, None
    for line in text.split("\n"):
        found = _TELLS_DELIMITER.fullmatch(line)
        if line.strip() and (found is None or told is not None):
            break
        told = found[1] if found else told
        skip += 1
    return skip, told


def _rows(text: str, delimiter: str) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    cells = 0
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if row:
                rows.append(tuple(row))
                cells += len(row)
            if len(rows) > _MOST_ROWS or cells > _MOST_CELLS:
                break
    except csv.Error:
        # A cell longer than Python reads; the engine that reads the whole file takes it or says why not.
        pass
    return rows


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def present(values: Iterable[str]) -> tuple[str, ...]:
    """Return the values that say something."""
    return tuple(value for value in values if value.strip() not in NOTHING)


def is_percent(values: Sequence[str]) -> bool:
    """Return whether all values are numbers with a percent sign."""
    return bool(values) and all(_PERCENT.fullmatch(value) for value in values)


def has_decimal_commas(values: Sequence[str]) -> bool:
    """Return whether all values are numbers, some of them with a decimal comma, which is no thousands mark."""
    bare = [value.rstrip().removesuffix("%") for value in values]
    commas = [value for value in bare if DECIMAL_COMMA.fullmatch(value)]
    return (
        any(not _THOUSANDS.fullmatch(value) for value in commas)
        and all(DECIMAL_COMMA.fullmatch(value) or _WHOLE.fullmatch(value) for value in bare)
    )  # fmt: skip


def has_decimal_points(values: Sequence[str]) -> bool:
    """Return whether all values are numbers, some of them with a decimal point."""
    return any(map(_DECIMAL_POINT.fullmatch, values)) and all(
        _DECIMAL_POINT.fullmatch(value) or _WHOLE.fullmatch(value) for value in values
    )


def thousands_mark(values: Sequence[str]) -> str | None:
    """Return a value with marks between the thousands, if there are only numbers."""
    marked = [value for value in values if _THOUSANDS.fullmatch(value)]
    others = (value for value in values if not _THOUSANDS.fullmatch(value))
    plain = all(_is_number(value) or DECIMAL_COMMA.fullmatch(value) for value in others)
    return marked[0] if marked and plain else None


def remedy(value: str, decimal: str, score: str | None) -> str:
    """Return what to do about a value that is not a number; `score` is how to name other columns, None if they were named."""
    if thousands_mark([value]):
        return "write it without thousands marks"
    if DECIMAL_COMMA.fullmatch(value) and decimal != ",":
        return POINTS
    if _DECIMAL_POINT.fullmatch(value) and decimal == ",":
        return "write all numbers with decimal points, or all with commas"
    return "fix it" if score is None else f"fix it, or name the columns to use with {score}"


def misspelt(values: Sequence[str], decimal: str, comma: str | None) -> str | None:
    """Return what is wrong with a column of text that is meant to hold numbers, None if it holds other text.

    `comma` is how to say that commas are decimal marks, None if the decimal mark was given.
    """
    if marked := thousands_mark(values):
        unclear = f", or {comma} if it is a decimal comma" if comma and DECIMAL_COMMA.fullmatch(marked) else ""
        return f"holds numbers with thousands marks, such as {marked!r}; write them without{unclear}"
    if has_decimal_commas(values):
        return f"holds numbers with decimal commas, such as {next(filter(DECIMAL_COMMA.fullmatch, values))!r}; {POINTS}"
    if decimal == "," and has_decimal_points(values):
        point = next(filter(_DECIMAL_POINT.fullmatch, values))
        return f"holds numbers with decimal points, such as {point!r}, and others have decimal commas; write all with points"
    return None


# Fields of a page's header, and types of Thrift's compact protocol.
_SIZE, _CHECKSUM = 3, 4
_BYTE, _LAST_NUMBER, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 3, 6, 7, 8, 9, 10, 12


def damaged_column(path: Path, columns: Sequence[str]) -> str | None:
    """Return where the first page of these columns is that has another checksum than was written; None if all are sound or have none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        about = pq.read_metadata(path)
    except (pa.ArrowException, OSError):
        return None  # whoever reads the file says how it is damaged
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for group in range(about.num_row_groups):
            for place in range(about.num_columns):
                chunk = about.row_group(group).column(place)
                if chunk.path_in_schema not in columns:
                    continue
                start = chunk.data_page_offset
                if chunk.has_dictionary_page and chunk.dictionary_page_offset is not None:
                    start = min(start, chunk.dictionary_page_offset)
                sound = _sound(data, start, start + chunk.total_compressed_size)
                if sound is None:
                    return None  # a writer has checksums for all pages or for none
                if not sound:
                    return f"column {chunk.path_in_schema!r}, row group {group + 1} of {about.num_row_groups}"
    return None


def _sound(data: mmap.mmap, at: int, end: int) -> bool | None:
    """Return whether the pages between two places have the checksums that were written; None if the first has none."""
    known = False
    try:
        while at < end:
            header = _Header(data, at)
            at = header.at + header.found[_SIZE]
            if _CHECKSUM in header.found:
                known = True
                if zlib.crc32(data[header.at : at]) != header.found[_CHECKSUM] & 0xFFFFFFFF:
                    return False
            elif not known:
                return None
    except (IndexError, KeyError, ValueError):
        # What is no header at the beginning may be a form of file that is not known here.
        return False if known else None
    return True


class _Header:
    """The header of a page: its whole numbers by field, and where the page begins."""

    def __init__(self, data: mmap.mmap, at: int) -> None:
        self.data = data
        self.at = at
        self.found: dict[int, int] = {}
        self._struct(outer=True)

    def _next(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _varint(self) -> int:
        value, shift = 0, 0
        while (byte := self._next()) & 0x80:
            value |= (byte & 0x7F) << shift
            shift += 7
        return value | byte << shift

    def _zigzag(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)

    def _struct(self, *, outer: bool = False) -> None:
        field = 0
        while head := self._next():
            field = field + (head >> 4) if head >> 4 else self._zigzag()
            value = self._value(head & 15)
            if outer and value is not None:
                self.found[field] = value

    def _value(self, kind: int) -> int | None:
        """Return a whole number, or pass over anything else."""
        if kind < _BYTE:
            return None  # true or false, without a value
        if kind == _BYTE:
            return self._next()
        if kind <= _LAST_NUMBER:
            return self._zigzag()
        if kind == _DOUBLE:
            self.at += 8
        elif kind == _BINARY:
            size = self._varint()
            self.at += size
        elif kind in (_LIST, _SET):
            head = self._next()
            for _ in range(head >> 4 if head >> 4 < 15 else self._varint()):
                if self._value(head & 15) is None and head & 15 < _BYTE:
                    self.at += 1
        elif kind == _STRUCT:
            self._struct()
        else:
            raise ValueError(kind)
        return None


Format = Literal["csv", "json", "parquet", "arrow", "npz"]
Packing = Literal["none", "gzip", "zstd"]

STDIN = "-"
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
# Seconds to wait for somebody to write into a named pipe.
_PATIENCE = 10.0
# What comes as bytes, from a browser, may become this large when it is unpacked.
MOST_UNPACKED = 1 << 30


# What else people have, told by its first bytes.
_OTHERS = {
    b"\xd0\xcf\x11\xe0": "an old Excel workbook or another file of Office: save it as .xlsx or as CSV UTF-8",
    b"\xfd7zXZ\x00": "packed with xz: unpack it, or pack it with gzip or zstd",
    b"%PDF-": "a PDF: export the table as CSV or Parquet",
    b"\x93NUMPY": "a NumPy array without names of columns: save it as CSV or Parquet",
    b"SQLite format 3\x00": "an SQLite database: export the table as CSV",
} | {b"BZh%d1AY&SY" % size: "packed with bzip2: unpack it, or pack it with gzip or zstd" for size in range(1, 10)}


@dataclass(frozen=True)
class InputFile:
    """A file to read, what to call it, and what it holds; `note` says what was found out about its text."""

    path: Path
    name: str
    format: Format
    packing: Packing = "none"
    delimiter: str | None = None
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    # Lines before the header.
    skip: int = 0
    note: str | None = None
    # Where it came from, if `path` is a copy in another encoding.
    origin: Path | None = None
    # Names that several columns have.
    twice: tuple[str, ...] = ()


@dataclass(frozen=True)
class Upload:
    """The bytes of a file and its name, as a browser sends them."""

    data: bytes
    name: str


def folder_prefix(pid: int | None = None) -> str:
    """Return how the temporary folders of this process, or another, begin: whoever ends it can remove them."""
    return f"isocost-{os.getpid() if pid is None else pid}-"


@contextmanager
def open_inputs(names: Sequence[str] | Upload, form: TextForm, words: Words) -> Iterator[list[InputFile]]:
    """Yield the files behind the arguments; what comes through a pipe waits in a temporary file meanwhile."""
    form = form.checked()
    with tempfile.TemporaryDirectory(prefix=folder_prefix()) as folder:
        place = Path(folder)
        if isinstance(names, Upload):
            found = [_examined(_unpacked(names, place), names.name, place, form, words)]
        else:
            if list(names).count(STDIN) > 1:
                raise InputError("standard input (-) can be read only once")
            found = [
                _examined(*_readable(path, name, place), place, form, words)
                for name in names
                for path in _expanded(name)
            ]
        _fit_together(found)
        yield found


def _fit_together(found: Sequence[InputFile]) -> None:
    """Refuse files that are no parts of one table."""
    places = [(file.origin or file.path).resolve() for file in found]
    twice = next((file.name for i, file in enumerate(found) if places[i] in places[:i]), None)
    if twice is not None:
        raise InputError(f"{twice} is named twice: its cases would count twice")
    first = found[0]
    for file in found[1:]:
        if file.format != first.format or file.packing != first.packing:
            kinds = [f.format if f.packing == "none" else f"{f.format} ({f.packing})" for f in (first, file)]
            raise InputError(f"all files must be of one kind: {first.name} is {kinds[0]}, {file.name} is {kinds[1]}")
        if file.header != first.header:
            raise InputError(
                f"{file.name} has other columns than {first.name}: {_names(file.header)} and not {_names(first.header)}"
            )
        if file.skip != first.skip:
            raise InputError(
                f"columns are named in line {file.skip + 1} of {file.name}, in line {first.skip + 1} of {first.name}: write both alike"
            )
        if file.delimiter != first.delimiter:
            raise InputError(
                f"{file.name} separates columns by {file.delimiter!r}, {first.name} by {first.delimiter!r}: write both alike"
            )


def _names(header: Sequence[str]) -> str:
    return ", ".join(map(repr, header))


def _expanded(name: str) -> list[str]:
    """Return the file of that name, or the files of that pattern if there is none."""
    if name == STDIN or os.path.lexists(name):
        return [name]
    if _ADDRESS.match(name):
        raise InputError(
            f"{name} is an address, and isocost reads files of this machine only: download it, and name the file"
        )
    if glob.has_magic(name):
        if found := sorted(glob.glob(name, recursive=True)):  # noqa: PTH207 - a pattern may be absolute
            return found
        raise InputError(f"no file matches {name!r}")
    folder = Path(name).parent
    beside = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    close = difflib.get_close_matches(Path(name).name, beside, n=1)
    raise InputError(f"no such file: {name}" + (f"; did you mean {folder / close[0]!s}?" if close else ""))


def _readable(place: str, given: str, folder: Path) -> tuple[Path, str]:
    """Return a file that can be read twice, and its name."""
    if place == STDIN:
        if sys.stdin is None or sys.stdin.isatty():
            raise InputError("nothing comes in on standard input (-): pipe a file into it")
        return _spooled(sys.stdin.buffer, folder / "stdin"), "standard input"
    path, name = Path(place), place
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise InputError(f"{given} is a directory: name its files, for example '{name}/*.parquet'")
        if stat.S_ISREG(mode):
            with path.open("rb"):
                return _without_pattern(path, folder), name
        if not stat.S_ISFIFO(mode):
            raise InputError(f"{name} is a device or a socket, not a file: name a file or a pipe")
        with _pipe(path, name) as pipe:  # as the shell makes for <(command)
            return _spooled(pipe, folder / f"pipe{len(list(folder.iterdir()))}"), name
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror or error}") from error


def _without_pattern(path: Path, folder: Path) -> Path:
    """Return the file, by a link to it if its name looks like a pattern: looking for such a name, an engine meets its neighbours."""
    if not glob.has_magic(str(path.absolute())):
        return path
    link = folder / f"link{len(list(folder.iterdir()))}{path.suffix if path.suffix == '.npz' else ''}"
    try:
        link.symlink_to(path.absolute())
    except OSError:  # a system without links; the engine gets the name with every sign taken as it is
        return path
    return link


def _pipe(path: Path, name: str) -> BinaryIO:
    """Open a pipe, which waits until somebody writes into it; not for ever."""
    opened: list[BinaryIO] = []
    waiting = threading.Thread(target=lambda: opened.append(path.open("rb")), daemon=True)
    waiting.start()
    waiting.join(_PATIENCE)
    if not opened:
        # Opened for writing for a moment, the pipe lets the waiting thread go.
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        waiting.join()
        opened[0].close()
        raise InputError(f"{name} is a pipe, and nobody wrote into it for {_PATIENCE:g} seconds")
    return opened[0]


def _spooled(source: BinaryIO, target: Path) -> Path:
    with target.open("wb") as copy:
        shutil.copyfileobj(source, copy)
    return target


def _unpacked(upload: Upload, folder: Path) -> Path:
    """Write bytes to a file, unpacked as far as they may grow: nobody chose to trust them."""
    path = folder / "upload"
    path.write_bytes(upload.data)
    packing = _packing(upload.data[:8])
    if packing == "none":
        return path
    target, size = folder / "unpacked", 0
    with _unpacking(path, upload.name, packing) as source, target.open("wb") as copy:
        while part := source.read(HEAD):
            size += len(part)
            if size > MOST_UNPACKED:
                raise InputError(f"{upload.name} unpacks to more than {MOST_UNPACKED >> 30} GB: use the command for it")
            copy.write(part)
    return target


def _packing(start: bytes) -> Packing:
    return "gzip" if start.startswith(b"\x1f\x8b") else "zstd" if start.startswith(b"\x28\xb5\x2f\xfd") else "none"


@contextmanager
def _unpacking(path: Path, name: str, packing: Packing) -> Iterator[Any]:
    """Yield the bytes of a file as they were before they were packed."""
    try:
        if packing == "zstd":
            try:
                import pyarrow as pa
            except ImportError as error:
                raise MissingDependencyError("reading zstd files", "pyarrow", "duckdb") from error
            with pa.CompressedInputStream(pa.OSFile(str(path), "rb"), "zstd") as stream:
                yield stream
        else:
            with gzip.open(path, "rb") if packing == "gzip" else path.open("rb") as stream:
                yield stream
    except (EOFError, zlib.error, OSError) as error:
        if packing == "none":
            raise
        raise InputError(f"{name} is a damaged or truncated {packing} file: {error}") from error


def _examined(path: Path, name: str, folder: Path, form: TextForm, words: Words) -> InputFile:
    with path.open("rb") as stream:
        start = stream.read(16)
    if not start:
        raise InputError(f"{name} is empty (0 bytes)")
    if start.startswith(b"PAR1"):
        return InputFile(path, name, "parquet")
    if start.startswith(b"ARROW1"):
        return InputFile(path, name, "arrow")
    if start.startswith(b"PK\x03\x04"):
        if path.suffix == ".npz":
            return InputFile(path, name, "npz")
        sheet = _sheet_as_text(path, name, folder, form, words)
        return replace(_examined(sheet, name, folder, TextForm(".", "utf-8", alone=form.alone), words), origin=path)
    for beginning, what in _OTHERS.items():
        if start.startswith(beginning):
            raise InputError(f"{name} is {what}")
    packing = _packing(start)
    with _unpacking(path, name, packing) as stream:
        head = stream.read(HEAD)
    if not head:
        raise InputError(f"{name} is empty (0 bytes)")
    encoding = encoding_of(head, name, form, words)
    text = head_of(head, name, encoding)
    if not text.strip():
        raise InputError(f"{name} is empty: it holds nothing but white space")
    note, origin = None, None
    recode = encoding.lower().replace("_", "-") not in ("utf-8", "utf-8-sig", "utf8")
    if recode or has_mixed_ends(head):
        note = None if form.encoding is not None or not recode else f"{name} is {encoding.upper()} text"
        target = folder / f"text{len(list(folder.iterdir()))}"
        with _unpacking(path, name, packing) as source, target.open("wb") as copy:
            recoded(source, copy, name, encoding)
        path, packing, origin = target, "none", path
    if text.lstrip()[0] in "{[":
        return InputFile(path, name, "json", packing, note=note, origin=origin)
    table = table_of(text, name, whole=len(head) < HEAD, alone=form.alone)
    return InputFile(
        path, name, "csv", packing, table.delimiter, table.header, table.rows, table.skip, note, origin, table.twice
    )


def _sheet_as_text(path: Path, name: str, folder: Path, form: TextForm, words: Words) -> Path:
    """Write the sheet of an Excel workbook as CSV, and return where; several sheets are asked about."""
    try:
        with zipfile.ZipFile(path) as archive:
            workbook = any(part.startswith("xl/") for part in archive.namelist())
            unpacked = sum(part.file_size for part in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise InputError(f"{name} is a damaged ZIP archive or Excel workbook: save it again") from error
    if not workbook:
        raise InputError(f"{name} is a ZIP archive: unpack it, and name the file inside")
    if unpacked > MOST_UNPACKED:
        raise InputError(f"{name} unpacks to more than {MOST_UNPACKED >> 30} GB: save the table as CSV or Parquet")
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError as error:
        raise MissingDependencyError("reading Excel workbooks", "python-calamine", words.extra) from error
    try:
        book = CalamineWorkbook.from_path(str(path))
        tables = {sheet: book.get_sheet_by_name(sheet).to_python(skip_empty_area=True) for sheet in book.sheet_names}
    except (CalamineError, OSError, ValueError) as error:
        raise InputError(f"{name} is a damaged Excel workbook: {str(error).partition(chr(10))[0]}") from error
    filled = {sheet: rows for sheet, rows in tables.items() if len(rows) > 1}
    if form.sheet is not None and form.sheet not in tables:
        raise UnknownNameError(f"sheet in {name}", form.sheet, tables)
    if not filled:
        raise InputError(f"{name} holds no sheet with a table")
    if form.sheet is None and len(filled) > 1:
        raise InputError(
            f"{name} has {len(filled)} sheets ({', '.join(filled)}): {words.naming(words.sheet, next(iter(filled)))}"
        )
    target = folder / f"sheet{len(list(folder.iterdir()))}"
    with target.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerows([_cell(value) for value in row] for row in tables[form.sheet or next(iter(filled))])
    return target


def _cell(value: Any) -> Any:
    """Return what text says of a cell: whole numbers without the point that a workbook gives every number."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value
