"""What every result can do: say itself in a sentence, show itself in a notebook, become plain data or a dataframe."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar, Self

from isocost.results.frames import Backend, Columns, columns_of, frame_of, stacked
from isocost.results.html import in_words, names_and_values, sentence, text_of
from isocost.results.plain import plain


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
        return stacked(item._data() for item in getattr(self, self._items))

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
    pairs = ((getattr(self, field.name), getattr(other, field.name)) for field in fields(self) if field.compare)
    return all(own is its or own == its for own, its in pairs)
