"""DuckDB over the files: bounded memory, nothing fetched from the network, and errors that name file and column."""

from __future__ import annotations

import math
import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from isocost.engines.failures import UNREADABLE, readable
from isocost.engines.files import InputFile, folder_prefix
from isocost.engines.page_checksums import damaged_column
from isocost.engines.text_files import NOTHING, mended
from isocost.engines.words import Words
from isocost.errors import InputError, MissingDependencyError

if TYPE_CHECKING:
    import duckdb
    from numpy.typing import NDArray

# What a damaged file says of itself is not believed: the optimiser would count a label of 129 as 0, skip rows, or crash.
_UNBELIEVED = "statistics_propagation,filter_pushdown"
WIDE_INTEGER = re.compile(r"^(U?(BIG|HUGE)INT)$")


# What goes on, and how many percent of it are done, for as long as the context lasts.
Progress = Callable[[str, Callable[[], float]], AbstractContextManager[None]]


def shown_by(progress: Any) -> Progress:
    """Return how progress is shown: as asked, or not at all."""
    if progress is None:
        return silent
    if not callable(progress):
        raise InputError(f"progress must be callable with what is done and a percentage, got {progress!r:.80}")
    return progress  # type: ignore[no-any-return]


def silent(doing: str, percent: Callable[[], float]) -> AbstractContextManager[None]:  # noqa: ARG001 - a form of Progress
    """Show no progress."""
    return nullcontext()


def identifier(name: str) -> str:
    """Return a column's name as SQL."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """Return a string as SQL."""
    return "'" + value.replace("'", "''") + "'"


def literal(value: Any) -> str | None:
    """Return a value as SQL, None if only a parameter can say it: for any of them older DuckDBs load pandas, if it is there."""
    if isinstance(value, str) and "\0" not in value:
        return text(value)
    if isinstance(value, float) and math.isfinite(value):
        return f"CAST({value!r} AS DOUBLE)"
    return str(value) if isinstance(value, bool | int) else None


def place(file: InputFile) -> str:
    """Return a file's path as DuckDB must be told it: absolute, and with every sign of a pattern taken as it is."""
    return re.sub(r"([*?\[])", r"[\1]", str(file.path.absolute()))


class Engine:
    """A connection that reads a list of files of one format as one table."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, files: Sequence[InputFile], progress: Progress, words: Words
    ) -> None:
        self.connection = connection
        self.files = files
        self.progress = progress
        self.words = words
        self.decimal = "."
        # What was said already, and no hint may ask for.
        self.decimal_named = False
        self.scores_named = False
        self._late: str | None = None
        self.name = files[0].name if len(files) == 1 else f"{files[0].name} and {len(files) - 1} more"

    def query(self, sql: str, parameters: Sequence[Any] = (), *, then: Callable[[Any], Any] | None = None) -> Any:
        """Run a query and fetch what is wanted of it, with progress if it is long; errors become lines about the files."""
        if self._late is not None:
            raise InputError(self._late)
        with self.explained(), self.meanwhile():
            done = self.connection.execute(sql, list(parameters))
            return None if then is None else then(done)

    def meanwhile(self, percent: Callable[[], float] | None = None) -> AbstractContextManager[None]:
        """Return the context that shows how far reading got; by default as the engine tells."""
        shown: Any = self.progress(f"reading {self.name}", percent or self.connection.query_progress)
        if not isinstance(shown, AbstractContextManager):
            raise InputError(
                f"progress must return a context manager, got {type(shown).__name__}: decorate it with contextlib.contextmanager"
            )
        return shown

    def believed(self, sql: str) -> tuple[Any, ...]:
        """Return the first row of a query that may be answered by what a file says of itself."""
        self.query("SET disabled_optimizers = ''")
        try:
            return self.row(sql)
        finally:
            self.query(f"SET disabled_optimizers = {text(_UNBELIEVED)}")

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        # All are fetched: an unfinished result would be in the way of the next query.
        found: list[tuple[Any, ...]] = self.query(sql, parameters, then=lambda done: done.fetchall())
        return found

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...]:
        """Return the first row of a query, () if there is none."""
        return next(iter(self.rows(sql, parameters)), ())

    def columns(self, sql: str, parameters: Sequence[Any] = ()) -> dict[str, NDArray[Any]]:
        """Return the columns of a query."""
        found: dict[str, NDArray[Any]] = self.query(sql, parameters, then=lambda done: done.fetchnumpy())
        return found

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn errors of the engine into lines about the files."""
        import duckdb

        try:
            yield
        except InputError:
            raise
        except (duckdb.Error, OSError, RuntimeError) as error:
            if self._late is not None:
                raise InputError(self._late) from error
            if "Query interrupted" in str(error):
                raise KeyboardInterrupt from error
            raise InputError(self._line(str(error))) from error

    @contextmanager
    def within(self, seconds: float | None) -> Iterator[None]:
        """Stop reading after so many seconds, if that is bounded, and say so."""

        def stop() -> None:
            self._late = f"reading {self.name} takes longer than {seconds:g} seconds: use the command for such a file"
            self.connection.interrupt()

        if seconds is None:
            yield
            return
        clock = threading.Timer(seconds, stop)
        clock.daemon = True
        clock.start()
        try:
            yield
        finally:
            clock.cancel()

    def _line(self, message: str) -> str:
        message = message.partition("\nLINE ")[0].strip()
        if "Out of Memory" in message:
            return f"{self.name} needs more memory than {self.words.memory} allows ({message.splitlines()[0]})"
        kind, _, rest = message.partition(": ")
        body = rest if kind.endswith("Error") else message
        for f in self.files:
            message, body = (said.replace(place(f), str(f.path)) for said in (message, body))
        file = next((f.name for f in self.files if str(f.path) in message), self.name)
        line = re.search(r"CSV Error on Line: (\d+)", body)
        column = re.search(r'Error when converting column "(.*)"\. Could not convert string "(.*)" to', body)
        if line and column:
            hint = mended(column[2], self.decimal, None if self.scores_named else self.words.score.format("…"))
            return f"{file}, line {line[1]}: column {column[1]!r} holds {column[2]!r}, which is no number; {hint}"
        if line:
            return f"{file}, line {line[1]}: {_said(body)}"
        first = (readable(body).splitlines() or ["it cannot be read"])[0].strip()
        if self.files[0].format == "parquet" and UNREADABLE.search(body):
            return f"{_damaged(self.files) or file + ' is a damaged or truncated Parquet file'} ({first})"
        for f in self.files:
            first = first.replace(str(f.path), f.name)
        return first if file in first else f"{file}: {first}"

    def table(self, types: dict[str, str] | None = None, *, can_have_nan: bool = True) -> str:
        """Return the SQL of the files' rows; `types` fixes the columns of text formats."""
        first = self.files[0]
        match first.format:
            case "parquet":
                # Statistics of some writers leave NaN out, and the optimiser would believe them.
                options = ", can_have_nan=true" if can_have_nan else ""
                # Otherwise the first file's types would bind the others, and halves be read as whole numbers.
                options += ", union_by_name=true" if self._differing else ""
                return f"read_parquet({self._paths}, hive_partitioning=false{options})"
            case "arrow":
                return "arrow_files"
            case "json":
                # Hundreds of names are columns, not the keys of one map.
                columns = ", map_inference_threshold=-1" if types is None else f", columns={_struct(types)}"
                return f"read_json({self._paths}, {self._json}{columns})"
            case _:
                nothing = "[" + ", ".join(map(text, NOTHING)) + "]"
                form = (
                    f"header=true, delim={text(str(first.delimiter))}, quote='\"', escape='\"', compression={text(first.packing)}, "
                    f"decimal_separator={text(self.decimal)}, nullstr={nothing}, hive_partitioning=false, strict_mode=true, "
                    f"skip={first.skip}"
                )
                if types is None:
                    # The names come from the header, so that "" and names like "0.5" stay what they are.
                    names = "[" + ", ".join(text(name) for name in column_names(first)) + "]"
                    return f"read_csv({self._paths}, {form}, comment='', names={names})"
                return f"read_csv({self._paths}, {form}, auto_detect=false, columns={_struct(types)})"

    @property
    def objects(self) -> str:
        """The SQL of the objects of JSON files."""
        return f"read_json_objects({self._paths}, {self._json})"

    @property
    def _json(self) -> str:
        # The name that every DuckDB knows: some take "none" for CSV alone.
        packing = "uncompressed" if self.files[0].packing == "none" else self.files[0].packing
        return f"format='auto', compression={text(packing)}, hive_partitioning=false"

    @property
    def _paths(self) -> str:
        return "[" + ", ".join(text(place(file)) for file in self.files) + "]"

    @cached_property
    def _differing(self) -> dict[str, str | None]:
        """The columns that are not of one type in all Parquet files, and the first file that has none of that name."""
        if len(self.files) == 1:
            return {}
        rows = self.rows(
            "SELECT name, list(DISTINCT file_name), count(DISTINCT (type, converted_type, precision, scale)) "
            f"FROM parquet_schema({self._paths}) WHERE coalesce(num_children, 0) = 0 GROUP BY name"
        )
        found: dict[str, str | None] = {}
        for name, having, types in rows:
            lacking = next((file.name for file in self.files if str(file.path.absolute()) not in having), None)
            if lacking is not None or types > 1:
                found[str(name)] = lacking
        return found

    def require(self, columns: Sequence[str]) -> None:
        """Raise unless every file has these columns, as they were written where that can be told."""
        if self.files[0].format != "parquet":
            return
        for name in columns:
            if (file := self._differing.get(name)) is not None:
                raise InputError(f"{file} has no column {name!r}, which others of the {len(self.files)} files have")
        for one in self.files:
            if (place := damaged_column(one.path.absolute(), columns)) is not None:
                raise InputError(f"{one.name} is a damaged Parquet file: {place} has another checksum than was written")


def _damaged(files: Sequence[InputFile]) -> str | None:
    """Return where the first damage is that reading everything meets; engines seldom say."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = "its end"
    for file in files:
        try:
            with pq.ParquetFile(file.path.absolute()) as parquet:
                for group in range(parquet.num_row_groups):
                    for column in parquet.schema_arrow.names:
                        place = f"column {column!r}, row group {group + 1} of {parquet.num_row_groups}"
                        parquet.read_row_group(group, columns=[column])
        except (pa.ArrowException, OSError):
            return f"{file.name} is a damaged or truncated Parquet file: {place}"
        place = "its end"
    return None


def column_names(file: InputFile) -> list[str]:
    """Return the names of a header; a column without one gets its place."""
    return [name or f"(unnamed {place})" for place, name in enumerate(file.header, 1)]


def _struct(types: dict[str, str]) -> str:
    return "{" + ", ".join(f"{text(name)}: {text(kind)}" for name, kind in types.items()) + "}"


def default_memory() -> int:
    """Return half of the machine's memory, in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):
        return 4 << 30


# More than any machine has; a larger number means as much as there is.
_MOST_MEMORY = 1e18


def memory_bytes(given: str | int | None, name: str) -> int:
    """Return a size such as 500MB, 2GB or 2GiB in bytes."""
    if given is None:
        return default_memory()
    size_of = f"{given}B" if isinstance(given, int) else str(given)
    found = re.fullmatch(r"(?i)\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?\s*", size_of)
    if found is None:
        raise InputError(f"{name} must be a size such as 500MB or 2GB, got {given!r}")
    power = " kmgt".index(found[2].lower() or " ")
    size = int(min(float(found[1]), _MOST_MEMORY) * (1024 if found[3] else 1000) ** power)
    if size < 16_000_000:
        raise InputError(f"{name} must be at least 16MB, got {given!r}")
    return size


@contextmanager
def engine(
    files: Sequence[InputFile],
    memory: int,
    progress: Progress = silent,
    words: Words = Words(),  # noqa: B008 - frozen
    seconds: float | None = None,
) -> Iterator[Engine]:
    """Yield an engine over the files that spills to a temporary folder, and remove the folder afterwards.

    After so many `seconds` it stops and says so.
    """
    for package in ("duckdb", "pyarrow"):
        try:
            import_module(package)
        except ImportError as error:
            raise MissingDependencyError("reading files", package, words.extra) from error
    import duckdb

    with tempfile.TemporaryDirectory(prefix=folder_prefix()) as folder:
        connection = duckdb.connect(
            config={
                "autoinstall_known_extensions": "false",
                "disabled_optimizers": _UNBELIEVED,
                "memory_limit": f"{max(memory >> 20, 16)}MiB",
                "temp_directory": folder,
            }
        )
        try:
            connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
            if files[0].format == "arrow":
                connection.register("arrow_files", _arrow(files))
            source = Engine(connection, files, progress, words)
            with source.within(seconds):
                yield source
        finally:
            connection.close()


def _arrow(files: Sequence[InputFile]) -> Any:
    import pyarrow as pa
    import pyarrow.dataset

    schemas = []
    for file in files:
        try:
            with pa.memory_map(str(file.path.absolute())) as mapped:
                schemas.append(pa.ipc.open_file(mapped).schema)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise InputError(f"{file.name} is a damaged Arrow file: {str(error).splitlines()[0]}") from error
    try:
        # The widest type of each column: that of the first file would bind the others.
        schema = pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowException as error:
        raise InputError(
            f"{files[0].name} and other files differ in their columns: {str(error).splitlines()[0]}"
        ) from error
    return pyarrow.dataset.dataset([str(file.path.absolute()) for file in files], format="ipc", schema=schema)


def _said(error: str) -> str:
    """Say what is wrong with a line of text, in words of ours where DuckDB's are known."""
    if many := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", error):
        hint = "; put a value with a separator in it in quotes" if int(many[2]) > int(many[1]) else ""
        return f"the file has {many[1]} columns, this line has {many[2]}{hint}"
    if "unterminated quote" in error:
        return "a quote is opened and not closed, or closed within a value"
    rest = [part for part in error.splitlines()[1:] if part and not part.startswith(("Original Line", "Possible"))]
    return rest[0] if rest else "it cannot be read"
