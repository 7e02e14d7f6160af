"""Tables written as text: their encoding, delimiter, header and first rows, and how their numbers are spelt."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from isocost.engines.words import Words
from isocost.errors import InputError

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
    header = rows[0] if rows else ()
    if len(header) < (1 if alone else 2):
        raise InputError(
            f"{name} has a single column, {line[:60]!r}: columns must be separated by a comma, semicolon, tab or |"
        )
    if all(_is_number(column) for column in header):
        raise InputError(
            f"{name} begins with numbers, {line[:60]!r}: its first line must hold the names of the columns"
        )
    if len(set(header)) < len(header):
        twice = next(column for column in header if header.count(column) > 1)
        raise InputError(f"{name} has {header.count(twice)} columns called {twice!r}: give each a name of its own")
    return TextTable(delimiter, header, tuple(row for row in rows[1:] if len(row) == len(header)), skip)


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


def mended(value: str, decimal: str, score: str | None) -> str:
    """Return what to do about a value that is no number; `score` is how to name other columns, None if they were named."""
    if thousands_mark([value]):
        return "write it without thousands marks"
    if DECIMAL_COMMA.fullmatch(value) and decimal != ",":
        return POINTS
    if _DECIMAL_POINT.fullmatch(value) and decimal == ",":
        return "write all numbers with decimal points, or all with commas"
    return "mend it" if score is None else f"mend it, or name the columns to use with {score}"


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
