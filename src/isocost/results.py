"""What every result can do: show itself, become plain data or a dataframe, be drawn, and be written whole."""

from __future__ import annotations

import math
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from html import escape
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from isocost.errors import InputError, IsocostError, MissingDependencyError, UnknownNameError

if TYPE_CHECKING:
    from isocost.plots.display import Display


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: infinities as words, NaN as None, results as dicts of their public fields."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):  # NumPy's own floats are floats too, and print their type
        word = None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return float(value) if math.isfinite(value) else word
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = list(map(plain, value))
        return items if isinstance(value, list | tuple) else sorted(items)
    for method in ("tolist", "to_dict"):
        if hasattr(value, method):
            return plain(getattr(value, method)())
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value) if field.name[0] != "_"}
    raise TypeError(f"no plain form of {value!r}")


MOST_ROWS = 10
MOST_ITEMS = 6
_LEFT = ' style="text-align:left"'
_NUMBER = re.compile(r"(–|[-−]?(∞|inf|\d[\d,]*(\.\d+)?(e[+-]?\d+)?))?\*?( |$)")


def is_numeric(cells: Iterable[str]) -> bool:
    """Tell whether texts of a column are numbers, which stand to the right."""
    return all(map(_NUMBER.match, cells))


def paragraphs(text: str) -> str:
    """Return each line of a text as a paragraph, escaped."""
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())


def sentence(result: object) -> str:
    """Return what a result says of itself as a paragraph; the name of its class if that is only a list of its fields."""
    text = repr(result)
    return paragraphs(text[1:-1] if text.startswith("<") and text.endswith(">") else in_words(type(result)))


def in_words(cls: type) -> str:
    """Return the name of a class as words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", cls.__name__).capitalize()


# What a spreadsheet takes for a formula; a number with its sign is none.
_FORMULA = re.compile(r"[=@\t\r]|[+-](?!\d|\.\d|Infinity$)")


def no_formula(cell: Any) -> Any:
    """Return a cell of an exported table that no spreadsheet takes for a formula: names of models come from outside."""
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def html_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of texts, escaped: names in the first column, words to the left and numbers to the right.

    No colours: whatever theme shows it, the text has that theme's own.
    """
    sides = ["" if is_numeric(row[place] for row in rows) else _LEFT for place in range(len(head))]
    top = "".join(f"<th{side}>{escape(cell)}</th>" for cell, side in zip(head, sides, strict=True))
    return f"<table><thead><tr>{top}</tr></thead>{_body(rows, sides)}</table>"


def _body(rows: Iterable[Sequence[str]], sides: Sequence[str]) -> str:
    tags = ["th", *["td"] * (len(sides) - 1)]
    lines = (
        "".join(f"<{tag}{side}>{escape(cell)}</{tag}>" for tag, side, cell in zip(tags, sides, row, strict=True))
        for row in rows
    )
    return f"<tbody>{''.join(f'<tr>{line}</tr>' for line in lines)}</tbody>"


def names_and_values(values: Mapping[str, Any]) -> str:
    """Return a table of names and values; each value that is a list of results is a table of its own below it."""
    own = {name: text_of(value) for name, value in values.items() if not _is_records(value)}
    found = f"<table>{_body(own.items(), (_LEFT, _LEFT))}</table>" if own else ""
    for name, items in values.items():
        if name in own:
            continue
        shown = [item._shown() if isinstance(item, Result) else vars(item) for item in items[:MOST_ROWS]]  # noqa: SLF001
        head = list(dict.fromkeys(key for row in shown for key in row))
        # What an item holds in turn is counted: its own table shows it.
        rows = [
            [str(len(row[k])) if _is_records(row.get(k)) else text_of(row.get(k, "")) for k in head] for row in shown
        ]
        more = f"<p>and {len(items) - MOST_ROWS} more</p>" if len(items) > MOST_ROWS else ""
        found += f"<p>{escape(name)}:</p>{html_table(head, rows)}{more}"
    return found


def _is_records(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(is_dataclass(item) for item in value)


def text_of(value: Any) -> str:
    """Return one short line for a value: six digits of a number, the ends of a long array, what a result says of itself."""
    if isinstance(value, bool | np.bool_):
        return ("no", "yes")[int(value)]
    if isinstance(value, int | np.integer):
        return f"{int(value)}"
    if isinstance(value, float | np.floating):
        return f"{float(value):.6g}"
    if isinstance(value, np.ndarray) and value.ndim != 1:
        return f"array of shape {value.shape}"
    if isinstance(value, np.ndarray) and value.size > MOST_ITEMS:
        return f"{value.size} values, {text_of(value[0])} to {text_of(value[-1])}"
    if isinstance(value, np.ndarray | Mapping | list | tuple | frozenset):
        pairs = value.items() if isinstance(value, Mapping) else zip(repeat(None), value)
        parts = [text_of(item) if key is None else f"{key}: {text_of(item)}" for key, item in pairs]
        parts = sorted(parts) if isinstance(value, frozenset) else parts
        more = f", … ({len(parts)} in all)" if len(parts) > MOST_ITEMS else ""
        return ", ".join(parts[:MOST_ITEMS]) + more
    reported = str(value) if isinstance(value, str) or hasattr(value, "_shown") else repr(value)
    return reported.partition("\n")[0]


Backend = Literal["pandas", "polars", "pyarrow"]
BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow")
Columns = Mapping[str, Sequence[Any] | np.ndarray]


def frame_of(columns: Columns, what: str, backend: Any) -> Any:
    """Return columns as a dataframe of the library asked for, else of the first that is installed."""
    import narwhals as nw

    if backend is not None and not (isinstance(backend, str) and backend in BACKENDS):
        raise UnknownNameError("backend", backend, BACKENDS)
    plain = {name: np.asarray(c).tolist() if isinstance(c, np.ndarray) else list(c) for name, c in columns.items()}
    for choice in BACKENDS if backend is None else (backend,):
        try:
            return nw.from_dict(plain, backend=choice).to_native()
        except ModuleNotFoundError:
            continue
    # pyarrow comes with the extra that reads files; pandas with none.
    package = backend or "pandas"
    raise MissingDependencyError(f"{what}.to_frame", package, {"polars": "polars", "pyarrow": "duckdb"}.get(package))


def columns_of(data: Mapping[str, Any]) -> Columns:
    """Return arrays of one length as columns; anything else as one row."""
    arrays = {name: value for name, value in data.items() if isinstance(value, np.ndarray) and value.ndim == 1}
    if arrays and len({array.size for array in arrays.values()}) == 1:
        return arrays
    return stacked([data])


def stacked(records: Iterable[Any]) -> Columns:
    """Return one row per record; what a record lacks is None."""
    rows = [flat(data_of(record)) for record in records]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def records(result: Result) -> list[dict[str, Any]]:
    """Return the rows of a result's dataframe."""
    columns = result._columns()  # noqa: SLF001 - the hook of its subclasses
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def data_of(value: Any) -> Any:
    """Return what a result holds, by name; anything else as it is."""
    return value._data() if isinstance(value, Result) else value  # noqa: SLF001 - the hook of its subclasses


def flat(record: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return cells of one row: results within get names with a dot, and lists become text."""
    found: dict[str, Any] = {}
    for key, value in record.items():
        name = f"{before}{key}"
        inner = data_of(value)
        if isinstance(inner, Mapping):
            found |= flat(inner, f"{name}.")
        elif isinstance(value, list | tuple | frozenset | np.ndarray):
            found[name] = text_of(value)
        else:
            found[name] = value.item() if isinstance(value, np.generic) else value
    return found


class Result:
    """A frozen dataclass that shows itself and becomes plain data.

    A field that is no data, such as a function, is marked `metadata={"data": False}`. One that holds the cases themselves is
    marked `metadata={"rows": True}`: it does not travel, and is None in a result that was pickled.

    A class overrides `_data` where values that follow from the fields belong to it, `_shown` where a notebook shows other things,
    and `_columns`, or `_items`, where a dataframe has more than one row.
    """

    # The field that holds one result for each row of the dataframe.
    _items: ClassVar[str | None] = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__eq__" not in vars(cls):
            cls.__eq__ = _equal  # type: ignore[method-assign]

    def to_dict(self) -> dict[str, Any]:
        """Return every public field as data that JSON can hold: infinities as words, NaN as None."""
        return {name: plain(value) for name, value in self._data().items()}

    def to_frame(self, backend: Backend | None = None) -> Any:
        """Return a dataframe with one row per item: the points of a curve, the models of a table, or else a single row.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            By default the first of these that is installed.
        """
        return frame_of(self._columns(), type(self).__name__, backend)

    def _data(self) -> dict[str, Any]:
        """Return the public fields by name, and what else belongs to the data."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)  # type: ignore[arg-type]
            if not field.name.startswith("_") and field.metadata.get("data", True)
        }

    def _columns(self) -> Columns:
        """Return what the dataframe holds, by column."""
        if self._items is None:
            return columns_of(self._data())
        return stacked(getattr(self, self._items))

    def _shown(self) -> dict[str, Any]:
        """Return what the table in a notebook lists, by name; None and what is empty are left out."""
        return {name: value for name, value in self._data().items() if not _is_nothing(value)}

    def _repr_html_(self) -> str:
        return f"{sentence(self)}{names_and_values(self._shown())}"

    def __str__(self) -> str:
        """Say it in a sentence."""
        text = repr(self)
        if text.startswith("<") and text.endswith(">"):
            return text[1:-1]
        if not text.startswith(f"{type(self).__qualname__}("):
            return text
        return f"{in_words(type(self))}: " + ", ".join(
            f"{name.replace('_', ' ')} {text_of(v)}" for name, v in self._shown().items()
        )

    def __getstate__(self) -> dict[str, Any]:
        """Leave the cases behind: a pickle holds results."""
        rows = {field.name for field in fields(self) if field.metadata.get("rows")}  # type: ignore[arg-type]
        return {name: None if name in rows else value for name, value in vars(self).items()}

    def __copy__(self) -> Self:
        """Return the result itself: it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the result itself: it never changes."""
        return self


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | tuple | dict) and not value)


def _equal(self: Any, other: Any) -> Any:
    """Compare field by field, as tuples do: from Python 3.13 on, dataclasses would find no two results with a NaN equal."""
    if other.__class__ is not self.__class__ or not self.__dataclass_params__.eq:
        return NotImplemented
    return all(_same(getattr(self, field.name), getattr(other, field.name)) for field in fields(self) if field.compare)


def _same(own: Any, its: Any) -> bool:
    """Compare values, and arrays value by value."""
    if isinstance(own, tuple) and isinstance(its, tuple):
        return len(own) == len(its) and all(map(_same, own, its))
    arrays = isinstance(own, np.ndarray) or isinstance(its, np.ndarray)
    return own is its or (np.array_equal(own, its) if arrays else bool(own == its))


class Drawn(Result):
    """A result with a figure: names the display in `isocost.plots` that draws it."""

    _display: ClassVar[str] = "Display"

    def _display_name(self) -> str:
        return self._display

    def plot(self, ax: Any = None, **options: Any) -> Display:
        """Draw the result and return its display, with the axes in `ax_` and the figure in `figure_`.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure if not given (see `isocost.plots`).
        **options
            Options of the display, and properties of its lines such as `linewidth`.
        """
        from isocost import plots

        display = getattr(plots, self._display_name())
        own = {key: options.pop(key) for key in list(options) if key in {option.name for option in fields(display)}}
        made: Display = display(self, **own).plot(ax, **options)
        return made


# How the names of files end that hold text, a table or JSON.
TEXTS = (".json", ".csv", ".md", ".txt", "")


def check_writable(output: str | None, suffixes: Sequence[str] = ()) -> None:
    """Complain about an output that cannot be written before any work is done."""
    if output is None:
        return
    path, why = Path(output), None
    if suffixes and path.suffix.lower() not in suffixes:
        *others, last = filter(None, suffixes)
        why = f"its name must end in {', '.join(others)}{' or ' if others else ''}{last}"
    elif path.is_dir():
        why = "it is a directory"
    elif not path.parent.is_dir():
        why = f"there is no folder {path.parent}"
    elif not os.access(path if path.exists() else path.parent, os.W_OK):
        why = "permission denied"
    if why is not None:
        raise InputError.of("unwritable", output=output, why=why)


@contextmanager
def atomically(output: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside the output; it takes the output's name only when all is written."""
    temporary: Path | None = None
    try:
        target = Path(output)
        if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
            yield target
            return
        target = target.resolve()
        with tempfile.NamedTemporaryFile(
            dir=target.parent, prefix=".isocost-", suffix=target.suffix, delete=False
        ) as made:
            temporary = Path(made.name)
        yield temporary
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        os.umask(mask := os.umask(0))  # it can only be read by setting it
        temporary.chmod(target.stat().st_mode if target.exists() else 0o666 & ~mask)
        temporary.replace(target)
    except OSError as error:
        why = f"{error.strerror or error}; nothing was written"
        raise InputError.of("unwritable", output=output, why=why) from error
    except ValueError as error:
        if isinstance(error, IsocostError) or "\0" not in str(output):
            raise
        why = "a file name holds no null character"
        raise InputError.of("unwritable", output=repr(str(output)), why=why) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def write_text(output: str | Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    with atomically(output) as path:
        path.write_text(text, encoding="utf-8")
