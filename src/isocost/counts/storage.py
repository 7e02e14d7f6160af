"""Tables of counts as text and as files, the same on every platform, written whole or not at all.

Parquet and .npz files carry the version of their form and a checksum of their columns: a damaged file is an error, never
other counts. A CSV is plain text for people and other programs, and carries neither.
"""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isocost.errors import InputError, MissingDependencyError
from isocost.results import atomically

# What a table holds at least; `UPPER` stands beside the score where scores were counted together in buckets, `UNLABELLED` beside
# the classes where the class of some cases is not known.
COLUMNS = ("score", "positives", "negatives")
UPPER, UNLABELLED = OPTIONAL = ("upper", "unlabelled")

# The form of the files below; a file of a later form is not guessed at.
VERSION = 1
_VERSION, _CHECKSUM = "isocost_version", "isocost_checksum"

Columns = dict[str, NDArray[Any]]


def to_text(columns: Columns) -> str:
    """Return CSV text that `from_text` reads back exactly."""
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(repr, row)) for row in rows)]) + "\n"


def from_text(text: str) -> Columns:
    """Read what `to_text` wrote."""
    if not isinstance(text, str):
        raise InputError(f"a score count table must be text, got {type(text).__name__}; files are read with load")
    header, _, body = text.partition("\n")
    names = header.strip().split(",")
    if not is_table(names):
        raise InputError(f"not a score count table: the first line must be {','.join(COLUMNS)!r}, got {header[:80]!r}")
    if not body.strip():
        return {name: np.empty(0) for name in names}
    try:
        rows = np.loadtxt(io.StringIO(body), delimiter=",", ndmin=2)
    except ValueError as error:
        raise InputError(f"not a score count table: {error}") from error
    if rows.shape[1] != len(names):
        raise InputError(f"not a score count table: {len(names)} columns are named, rows have {rows.shape[1]} values")
    return {name: rows[:, i] for i, name in enumerate(names)}


def is_table(names: list[str]) -> bool:
    """Return whether these are the columns of a table of counts."""
    return len(names) == len(set(names)) and set(names) - set(OPTIONAL) == set(COLUMNS)


def save(path: Path, columns: Columns) -> None:
    """Write columns to a .parquet (needs pyarrow), .npz or .csv file."""
    match path.suffix.lower():
        case ".parquet":
            arrow, parquet = _pyarrow("ScoreCounts.save")
            with atomically(path) as file:
                parquet.write_table(sealed(arrow.Table.from_pydict(columns), columns), file)
        case ".npz":
            save_npz(path, columns)
        case ".csv":
            with atomically(path) as file:
                file.write_text(to_text(columns), encoding="utf-8")
        case other:
            raise InputError(f"cannot tell the format of {path.name!r} from {other!r}: use .parquet, .npz or .csv")


def load(path: Path) -> Columns:
    """Read what `save` wrote."""
    match path.suffix.lower():
        case ".parquet":
            return _whole(path, _load_parquet(path), "score counts")
        case ".npz":
            return _whole(path, load_npz(path, "score counts"), "score counts")
        case ".csv":
            try:
                return from_text(_bytes(path, "score counts").decode("utf-8"))
            except UnicodeDecodeError as error:
                raise InputError(f"{path.name} could not be read as score counts: {error}") from error
        case other:
            raise InputError(f"cannot tell the format of {path.name!r} from {other!r}: use .parquet, .npz or .csv")


def _whole(path: Path, columns: Columns, what: str) -> Columns:
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise InputError(f"{path.name} could not be read as {what}: no column {missing[0]!r} among {list(columns)}")
    return {name: columns[name] for name in (*COLUMNS, *OPTIONAL) if name in columns}


def checksum(columns: Columns) -> str:
    """Return the SHA-256 of columns of numbers or text, the same on every platform."""
    digest = hashlib.sha256()
    for name, column in sorted(columns.items()):
        text = column.dtype.kind in "OU"
        content = "\0".join(map(str, column.tolist())).encode() if text else _little_endian(column)
        for part in (name, "text" if text else column.dtype.str[1:], str(column.shape), str(len(content))):
            digest.update(part.encode() + b"\0")
        digest.update(content)
    return digest.hexdigest()


def _little_endian(column: NDArray[Any]) -> bytes:
    return np.ascontiguousarray(column).astype(column.dtype.newbyteorder("<"), copy=False).tobytes()


def save_npz(path: Path, columns: Columns) -> None:
    """Write columns to an .npz file, with their version and checksum."""
    seal = {_VERSION: np.array(VERSION), _CHECKSUM: np.array(checksum(columns))}
    with atomically(path) as file, file.open("wb") as stream:
        np.savez_compressed(stream, **columns, **seal)  # type: ignore[arg-type]


def load_npz(path: Path, what: str) -> Columns:
    """Read what `save_npz` wrote; a file without version and checksum is none of ours."""
    content = io.BytesIO(_bytes(path, what))
    try:
        with np.load(content) as stored:
            columns = {name: stored[name] for name in stored.files}
            version, given = int(columns.pop(_VERSION)), str(columns.pop(_CHECKSUM))
    except Exception as error:  # a damaged file makes its readers fail in any way they can
        raise InputError(f"{path.name} could not be read as {what}: {_said(error)}") from error
    _verify(path.name, what, version, given, columns)
    return columns


def sealed(table: Any, columns: Columns) -> Any:
    """Return an Arrow table with the version and the checksum of its columns among its metadata."""
    return table.replace_schema_metadata({_VERSION: str(VERSION), _CHECKSUM: checksum(columns)})


def verify_table(name: str, table: Any) -> Columns:
    """Return the columns of an Arrow table, unless it carries a checksum that is not theirs; tables made elsewhere have none."""
    columns = {column: table[column].to_numpy() for column in table.column_names}
    seal = table.schema.metadata or {}
    if _VERSION.encode() in seal or _CHECKSUM.encode() in seal:
        try:
            version, given = int(seal[_VERSION.encode()]), seal[_CHECKSUM.encode()].decode()
        except (KeyError, ValueError) as error:
            raise InputError(
                f"{name} is damaged: its version or checksum cannot be read; save the counts again"
            ) from error
        _verify(name, "score counts", version, given, columns)
    return columns


def _load_parquet(path: Path) -> Columns:
    arrow, parquet = _pyarrow("ScoreCounts.load")
    content = arrow.BufferReader(_bytes(path, "score counts"))
    try:
        table = parquet.read_table(content)
        return verify_table(path.name, table)
    except InputError:
        raise
    except Exception as error:  # a damaged file makes its readers fail in any way they can
        raise InputError(f"{path.name} could not be read as score counts: {_said(error)}") from error


def _verify(name: str, what: str, version: int, given: str, columns: Columns) -> None:
    if version > VERSION:
        raise InputError(
            f"{name} holds {what} of form {version}, this isocost reads up to {VERSION}: install a newer one"
        )
    if version < 1 or given != checksum(columns):
        raise InputError(
            f"{name} is damaged: its checksum is not that of its {what}; save them again where they came from"
        )


def _bytes(path: Path, what: str) -> bytes:
    try:
        if not path.is_file():
            raise InputError(f"no such file: {path}")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path.name} could not be read as {what}: {_said(error)}") from error


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".strip(": ")


def _pyarrow(caller: str) -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        raise MissingDependencyError(caller, "pyarrow", "duckdb") from error
    return pa, pyarrow.parquet
