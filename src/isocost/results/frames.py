"""Results as dataframes, in whichever library is there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from isocost.errors import MissingDependencyError, UnknownNameError
from isocost.results.html import text_of

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


def stacked(records: Iterable[Mapping[str, Any]]) -> Columns:
    """Return one row a record; what a record lacks is None."""
    rows = [flat(record) for record in records]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def flat(record: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return cells of one row: results within get names with a dot, and lists become text."""
    found: dict[str, Any] = {}
    for key, value in record.items():
        name = f"{before}{key}"
        inner = value._data() if hasattr(value, "_data") else value
        if isinstance(inner, Mapping):
            found |= flat(inner, f"{name}.")
        elif isinstance(value, list | tuple | frozenset | np.ndarray):
            found[name] = text_of(value)
        else:
            found[name] = value.item() if isinstance(value, np.generic) else value
    return found
