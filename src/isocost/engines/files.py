"""Which files are read: paths, globs, standard input and bytes, and what each holds, told by its first bytes."""

from __future__ import annotations

import csv
import difflib
import glob
import gzip
import os
import re
import shutil
import stat
import sys
import tempfile
import threading
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Literal

from isocost.engines.text_files import HEAD, TextForm, encoding_of, has_mixed_ends, head_of, recoded, table_of
from isocost.engines.words import Words
from isocost.errors import InputError, MissingDependencyError, UnknownNameError

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


@dataclass(frozen=True)
class Upload:
    """The bytes of a file and its name, as a browser sends them."""

    data: bytes
    name: str


def folder_prefix(pid: int | None = None) -> str:
    """Return how the temporary folders of this process, or another, begin: whoever ends it can remove them."""
    return f"isocost-{os.getpid() if pid is None else pid}-"


@contextmanager
def opened(names: Sequence[str] | Upload, form: TextForm, words: Words) -> Iterator[list[InputFile]]:
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
    return InputFile(path, name, "csv", packing, table.delimiter, table.header, table.rows, table.skip, note, origin)


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
