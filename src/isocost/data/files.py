"""Files of tables: paths, pipes and uploads, recognised by their content; the dialects of text; the sheets of workbooks."""

from __future__ import annotations

import codecs
import csv
import difflib
import glob
import gzip
import io
import os
import re
import stat
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeVar

from isocost.data.checks import columns, is_number
from isocost.errors import EngineError, InputError, IsocostError, MissingDependencyError


@dataclass(frozen=True)
class Words:
    """What to write to name a column, a value or a way of reading, as the library spells it; {} stands for it."""

    label: str = "label={!r}"
    score: str = "score={!r}"
    positive: str = "pos_label={!r}"
    missing: str = "pass missing='drop'"
    decimal: str = "pass decimal=','"
    point: str = "pass decimal='.'"
    encoding: str = "pass encoding='latin-1'"
    sheet: str = "save the sheet to use, such as {!r}, as a file of its own"
    memory: str = "memory="
    extra: str = "duckdb"
    several: str = "ClassComparison takes several"
    model: str = "model="
    case: str = "case={!r}"
    long: str = "Comparison.from_frame(..., model={!r}, case={!r}) takes it as it is"
    cluster: str = "Comparison.from_frame(..., cluster={!r})"
    # How a value is written so that it can be typed; None: as Python does.
    quoted: Callable[[str], str] | None = None

    def naming(self, template: str, value: Any) -> str:
        """Return what to write to name a value."""
        return template.format(value if self.quoted is None else self.quoted(str(value)))


def listed(names: Sequence[str], most: int = 12) -> str:
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
        cause, kind = readable(str(error)).strip(), type(error).__name__
        if java := _JAVA.search(cause):
            line = java[1].strip().removesuffix(".")
        else:
            first = grpc[1] if (grpc := _GRPC.search(cause)) else cause.partition("\n")[0].strip().removesuffix(".")
            line = f"{kind}: {first}" if first else kind
        # PySpark asserts, without a word, that there is a context.
        lost = (kind == "AssertionError" and not str(error)) or isinstance(error, ConnectionError | TimeoutError)
        hint = "; a file may be damaged: ScoreCounts.scan(files, ...) says which" if UNREADABLE.search(line) else ""
        if lost or kind.endswith("CancelledError") or _UNREACHABLE.search(line):
            hint = "; its session was stopped or its cluster cannot be reached: connect again, make the frame anew and count again"
        raise EngineError(f"the {engine} failed while {doing}: {line}{hint}") from error


def readable(message: str) -> str:
    """Return a message without the bytes of a damaged file in it."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in message)


# How programs write that there is nothing.
NOTHING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None")
# The type of numbers that are written with a percent sign, for which DuckDB has none.
PERCENT = "PERCENT"
_COMMA = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*%?\s*")
_POINT = re.compile(r"\s*[+-]?\d*\.\d+([eE][+-]?\d+)?\s*%?\s*")
_WHOLE = re.compile(r"\s*[+-]?\d+\s*%?\s*")
_PERCENT = re.compile(r"\s*[+-]?\d*([.,]\d+)?\s?%\s*")
# 1,234 and 1.234.567,8 and 1 234 and 1'234: a mark before every three digits, and none of them begins with 0.
_THOUSANDS = re.compile(r"\s*[+-]?[1-9]\d{0,2}(([,.' \u00a0\u202f’_])\d{3})(\2\d{3})*([.,]\d+)?\s*")
# 1.234 and 12.345.678, in which every dot may stand between thousands.
DOTTED_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+")


def present(values: Iterable[str]) -> tuple[str, ...]:
    """Return the values that say something."""
    return tuple(value for value in values if value.strip() not in NOTHING)


def _fit(values: Iterable[str], *patterns: re.Pattern[str]) -> bool:
    return all(any(pattern.fullmatch(value) for pattern in patterns) for value in values)


def decimal_mark(columns: Iterable[Sequence[str]]) -> str:
    """Return the decimal mark of text: a comma where a column has one that stands between no thousands, and no column has points."""
    found = [column for column in columns if _fit(column, _COMMA, _WHOLE, _POINT)]
    sure = any(_COMMA.fullmatch(value) and not _THOUSANDS.fullmatch(value) for column in found for value in column)
    return "," if sure and not any(map(_POINT.fullmatch, (value for column in found for value in column))) else "."


def kind_of(values: Sequence[str], decimal: str) -> str:
    """Return what a column of text looks like: numbers are meant if most values are, in any spelling; the rest is found when it is read."""
    if values and all(value.strip().lower() in ("true", "false") for value in values):
        return "BOOLEAN"
    if values and _fit(values, _PERCENT):
        return PERCENT
    if values and _fit(values, _WHOLE):
        return "BIGINT"
    meant = sum(is_number(value.replace(decimal, ".")) or _fit([value], _COMMA, _POINT, _THOUSANDS) for value in values)
    return "DOUBLE" if meant * 2 >= len(values) > 0 else "VARCHAR"


HEAD = 1 << 20
_DELIMITERS = ",;\t|"
# Cells and rows at the beginning that are looked at.
_MOST_CELLS, _MOST_ROWS = 200_000, 1000
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
# What Excel writes before a table.
_NAMES_DELIMITER = re.compile(rf"sep=([{_DELIMITERS}])\s*")


@dataclass(frozen=True)
class TextForm:
    """What the user gave about text: the decimal mark, the encoding and the sheet of a workbook; None leaves it to the file."""

    decimal: str | None = None
    encoding: str | None = None
    alone: bool = False  # scores of cases without labels are a table of one column
    sheet: str | None = None

    def checked(self) -> TextForm:
        """Return it, or say what is wrong with it."""
        if self.decimal not in (None, ".", ","):
            raise InputError.of("decimal mark", given=self.decimal)
        try:
            known = codecs.lookup(self.encoding or "utf-8")
            known.incrementaldecoder().decode(b"", final=True)
            of_text = known._is_text_encoding  # noqa: SLF001 - rot13 and the like are no encodings of text
        except (LookupError, TypeError, UnicodeError, AttributeError, ValueError):
            of_text = False
        if not of_text:
            raise InputError.of("unknown encoding", given=self.encoding)
        return self


def _encoding_of(head: bytes, name: str, form: TextForm, words: Words) -> str:
    """Return how text is encoded: as given, as its byte order mark says, or UTF-8."""
    marked = next((encoding for mark, encoding in _BOMS if head.startswith(mark)), None)
    if form.encoding is not None or marked is not None:
        return form.encoding or str(marked)
    if b"\x00" in head[:4096]:
        raise InputError.of("no table", name=name, option=words.encoding)
    try:
        _decoded(head, "utf-8-sig")
    except UnicodeDecodeError as error:
        found = {"byte": head[error.start], "place": error.start, "option": words.encoding}
        raise InputError.of("not UTF-8", name=name, **found) from error
    return "utf-8-sig"


def _decoded(head: bytes, encoding: str) -> str:
    # Incremental, because the end of the head may cut a character in two.
    return codecs.getincrementaldecoder(encoding)().decode(head, final=len(head) < HEAD)


def _recode(source: BinaryIO, target: BinaryIO, encoding: str) -> None:
    """Copy text as UTF-8 with plain ends of lines, piece by piece."""
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(encoding)(), translate=True)
    while part := source.read(HEAD):
        target.write(decoder.decode(part).encode())
    target.write(decoder.decode(b"", final=True).encode())


@dataclass(frozen=True)
class InputFile:
    """A file to read, what to call it, and what it holds: of a table in text its columns, its first rows and its delimiter."""

    path: Path
    name: str
    format: Literal["csv", "json", "parquet", "arrow"]
    packing: Literal["none", "gzip", "zstd"] = "none"
    delimiter: str | None = None
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    skip: int = 0  # lines before the header: empty ones, and one in which a spreadsheet names its delimiter
    note: str | None = None  # what was found out about its text
    origin: Path | None = None  # where a copy in another encoding came from
    twice: tuple[str, ...] = ()  # names that several columns have, which are called by their places too

    @property
    def is_text(self) -> bool:
        """Whether the file holds text, whose types are found by looking."""
        return self.format in ("csv", "json")

    def with_table(self, text: str, *, whole: bool, alone: bool) -> InputFile:
        """Return the file with the columns and first rows of its text; unless that is `whole`, its last line may be cut."""
        skip, named = _before(text)
        text = text.split("\n", skip)[-1]
        line = text.partition("\n")[0]
        if not whole and "\n" not in text:
            raise InputError.of("long line", name=self.name, many=len(text))
        delimiter = named or max(_DELIMITERS, key=re.sub(r'"[^"]*"', "", line).count)
        rows = _rows(text if whole else text.rpartition("\n")[0], delimiter)
        header = tuple(name.strip() for name in rows[0]) if rows else ()
        twice = tuple(dict.fromkeys(column for column in header if header.count(column) > 1))
        if len(header) < (1 if alone else 2):  # one column is a table without delimiters
            raise InputError.of("one column", name=self.name, line=line[:60])
        if all(map(is_number, header)):
            raise InputError.of("no header", name=self.name, line=line[:60])
        if "" in twice:
            raise InputError.of("twin columns", name=self.name, many=header.count(""), column="")
        header = tuple(f"{column} (column {i})" if column in twice else column for i, column in enumerate(header, 1))
        rows = [row for row in rows[1:] if len(row) == len(header)]
        return replace(self, delimiter=delimiter, header=header, rows=tuple(rows), skip=skip, twice=twice)


def _before(text: str) -> tuple[int, str | None]:
    """Return how many lines stand before the names of columns, and the delimiter if one of them names it."""
    skip, named = 0, None
    for line in text.split("\n"):
        found = _NAMES_DELIMITER.fullmatch(line)
        if line.strip() and (found is None or named is not None):
            break
        named = found[1] if found else named
        skip += 1
    return skip, named


def _rows(text: str, delimiter: str) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    cells = 0
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            rows += [tuple(row)] if row else []
            cells += len(row)
            if len(rows) > _MOST_ROWS or cells > _MOST_CELLS:
                break
    except csv.Error:
        # A cell longer than Python reads; the engine that reads the whole file takes it or says why not.
        pass
    return rows


STDIN = "-"
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
# What comes as bytes, from a browser, may become this large when it is unpacked.
MOST_UNPACKED = 1 << 30
# What else people have, recognised by its first bytes.
_OTHERS = {
    b"\xd0\xcf\x11\xe0": "an old Excel workbook or another file of Office: save it as .xlsx or as CSV UTF-8",
    b"\xfd7zXZ\x00": "packed with xz: unpack it, or pack it with gzip or zstd",
    b"%PDF-": "a PDF: export the table as CSV or Parquet",
    b"\x93NUMPY": "a NumPy array without names of columns: save it as CSV or Parquet",
    b"SQLite format 3\x00": "an SQLite database: export the table as CSV",
} | {b"BZh%d1AY&SY" % size: "packed with bzip2: unpack it, or pack it with gzip or zstd" for size in range(1, 10)}


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
        opening = _Opening(Path(folder), form, words)
        if isinstance(names, Upload):
            found = [opening.examined(opening.unpacked(names), names.name)]
        else:
            if list(names).count(STDIN) > 1:
                raise InputError.of("read twice")
            paths = [(path, name) for name in names for path in _expanded(name)]
            found = [opening.examined(*opening.readable(path, name)) for path, name in paths]
        _fit_together(found)
        yield found


def _fit_together(found: Sequence[InputFile]) -> None:
    """Refuse files that are no parts of one table."""
    places = [(file.origin or file.path).resolve() for file in found]
    first = found[0]
    for place, (i, file) in zip(places, enumerate(found), strict=True):
        if place in places[:i]:
            raise InputError.of("named twice", name=file.name)
        for what, here, there in (
            ("format and packing", (file.format, file.packing), (first.format, first.packing)),
            ("columns", file.header, first.header),
            ("lines before the names of columns", file.skip, first.skip),
            ("marks between columns", file.delimiter, first.delimiter),
        ):
            if here != there:
                parts = {"what": what, "here": here, "there": there}
                raise InputError.of("other table", name=file.name, first=first.name, **parts)


def _expanded(name: str) -> list[str]:
    """Return the file of that name, or the files of that pattern if there is none."""
    if name == STDIN or os.path.lexists(name):
        return [name]
    if _ADDRESS.match(name):
        raise InputError.of("address", name=name)
    if glob.has_magic(name):
        if found := sorted(glob.glob(name, recursive=True)):  # noqa: PTH207 - a pattern may be absolute
            return found
        raise InputError.of("no match", name=name)
    folder = Path(name).parent
    beside = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    close = difflib.get_close_matches(Path(name).name, beside, n=1)
    raise InputError.of("no file", name=name, hint=f"; did you mean {folder / close[0]!s}?" if close else "")


def _packing(start: bytes) -> Literal["none", "gzip", "zstd"]:
    return "gzip" if start.startswith(b"\x1f\x8b") else "zstd" if start.startswith(b"\x28\xb5\x2f\xfd") else "none"


@contextmanager
def _unpacking(path: Path, name: str, packing: str) -> Iterator[Any]:
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
        raise InputError.of("damaged", name=name, kind=f"or truncated {packing} file", why=error) from error


@dataclass(frozen=True)
class _Opening:
    """Files being opened, with a folder for copies of them."""

    folder: Path
    form: TextForm
    words: Words

    def _copy(self, suffix: str = "") -> Path:
        return self.folder / f"copy{len(list(self.folder.iterdir()))}{suffix}"

    def _spooled(self, source: Any, what: str, most: float = float("inf")) -> Path:
        """Copy what can be read only once, as far as it may grow."""
        size, target = 0, self._copy()
        with target.open("wb") as copy:
            while part := source.read(HEAD):
                if (size := size + len(part)) > most:
                    raise InputError.of("unpacks", name=what, most=MOST_UNPACKED >> 30, hint="use the command for it")
                copy.write(part)
        return target

    def readable(self, place: str, given: str) -> tuple[Path, str]:
        """Return a file that can be read twice, and its name."""
        if place == STDIN:
            if sys.stdin is None or sys.stdin.isatty():
                raise InputError.of("no input")
            return self._spooled(sys.stdin.buffer, place), "standard input"
        path = Path(place)
        try:
            mode = path.stat().st_mode
            if stat.S_ISDIR(mode):
                raise InputError.of("directory", name=given, place=place)
            if stat.S_ISREG(mode):
                with path.open("rb"):
                    return self._without_pattern(path), place
            if not stat.S_ISFIFO(mode):
                raise InputError.of("device", name=place)
            with path.open("rb") as pipe:  # as the shell makes for <(command)
                return self._spooled(pipe, place), place
        except OSError as error:
            raise InputError.of("unreadable", name=place, why=error.strerror or error) from error

    def _without_pattern(self, path: Path) -> Path:
        """Return the file, by a link to it if its name is not UTF-8 or looks like a pattern, by which an engine meets its neighbours."""
        full = str(path.absolute())
        if not glob.has_magic(full) and full.isprintable():
            return path
        link = self._copy()
        try:
            link.symlink_to(path.absolute())
        except OSError:  # a system without links; the engine gets the name with every sign taken as it is
            return path
        return link

    def unpacked(self, upload: Upload) -> Path:
        """Write bytes to a file, unpacked as far as they may grow: nobody chose to trust them."""
        path = self._copy()
        path.write_bytes(upload.data)
        if (packing := _packing(upload.data[:8])) == "none":
            return path
        with _unpacking(path, upload.name, packing) as source:
            return self._spooled(source, upload.name, MOST_UNPACKED)

    def examined(self, path: Path, name: str) -> InputFile:
        """Return what a file holds."""
        with path.open("rb") as stream:
            start = stream.read(16)
        if not start:
            raise InputError.of("empty", name=name)
        if start.startswith((b"PAR1", b"ARROW1")):
            return InputFile(path, name, "parquet" if start.startswith(b"PAR1") else "arrow")
        if start.startswith(b"PK\x03\x04"):
            sheet, form = self._sheet_as_text(path, name), TextForm(".", "utf-8", alone=self.form.alone)
            return replace(_Opening(self.folder, form, self.words).examined(sheet, name), origin=path)
        if what := next((what for beginning, what in _OTHERS.items() if start.startswith(beginning)), None):
            raise InputError.of("other format", name=name, what=what)
        return self._text(path, name, _packing(start))

    def _text(self, path: Path, name: str, packing: Literal["none", "gzip", "zstd"]) -> InputFile:
        """Return what a file of text holds, by way of a copy if it is not UTF-8 with one kind of line ends."""
        with _unpacking(path, name, packing) as stream:
            head = stream.read(HEAD)
        if not head:
            raise InputError.of("empty", name=name)
        encoding = _encoding_of(head, name, self.form, self.words)
        note, origin = None, None
        recode = encoding.lower().replace("_", "-") not in ("utf-8", "utf-8-sig", "utf8")
        try:
            text = _decoded(head, encoding).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
            if text.strip() and (recode or 0 < head.count(b"\r\n") < head.count(b"\n")):
                note = None if self.form.encoding is not None or not recode else f"{name} is {encoding.upper()} text"
                path, origin = self._copy(), path
                with _unpacking(origin, name, packing) as source, path.open("wb") as copy:
                    _recode(source, copy, encoding)
                packing = "none"
        except UnicodeError as error:
            raise InputError.of("not in encoding", name=name, encoding=encoding, why=error) from error
        if not text.strip():
            raise InputError.of("blank", name=name)
        is_json = text.lstrip()[0] in "{["
        file = InputFile(path, name, "json" if is_json else "csv", packing, note=note, origin=origin)
        return file if is_json else file.with_table(text, whole=len(head) < HEAD, alone=self.form.alone)

    def _sheet_as_text(self, path: Path, name: str) -> Path:
        """Write the sheet of an Excel workbook as CSV, and return where; several sheets are asked about."""
        try:
            with zipfile.ZipFile(path) as archive:
                workbook = any(part.startswith("xl/") for part in archive.namelist())
                unpacked = sum(part.file_size for part in archive.infolist())
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            raise InputError.of(
                "damaged", name=name, kind="ZIP archive or Excel workbook", why="save it again"
            ) from error
        if not workbook:
            raise InputError.of("archive", name=name)
        if unpacked > MOST_UNPACKED:
            hint = "save the table as CSV or Parquet"
            raise InputError.of("unpacks", name=name, most=MOST_UNPACKED >> 30, hint=hint)
        try:
            from python_calamine import CalamineError, CalamineWorkbook
        except ImportError as error:
            raise MissingDependencyError("reading Excel workbooks", "python-calamine", self.words.extra) from error
        try:
            book = CalamineWorkbook.from_path(str(path))
            tables = {s: book.get_sheet_by_name(s).to_python(skip_empty_area=True) for s in book.sheet_names}
        except (CalamineError, OSError, ValueError) as error:
            why = str(error).partition("\n")[0]
            raise InputError.of("damaged", name=name, kind="Excel workbook", why=why) from error
        target = self._copy()
        with target.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows(map(_cells, tables[self._chosen(tables, name)]))
        return target

    def _chosen(self, tables: dict[str, list[Any]], name: str) -> str:
        filled = [sheet for sheet, rows in tables.items() if len(rows) > 1]
        if self.form.sheet is not None:
            columns([self.form.sheet], tables, f"sheet in {name}")
        if not filled:
            raise InputError.of("no sheet", name=name)
        if self.form.sheet is None and len(filled) > 1:
            found = {"many": len(filled), "sheets": ", ".join(filled)}
            raise InputError.of(
                "several sheets", name=name, **found, how=self.words.naming(self.words.sheet, filled[0])
            )
        return self.form.sheet or filled[0]


def _cells(row: Sequence[Any]) -> Iterator[Any]:
    """Go over a row of a workbook, whole numbers without the point that a workbook gives every number."""
    return (int(v) if isinstance(v, float) and v.is_integer() and abs(v) < 2**53 else v for v in row)
