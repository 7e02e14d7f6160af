"""Checksums of Parquet pages, where a writer left some: the engine does not look at them."""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Sequence
from pathlib import Path

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
