"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from isocost.errors import InputError, IsocostError

# How the names of files end that hold text, a table or JSON.
TEXTS = (".json", ".csv", ".md", ".txt", "")


def _either(suffixes: Sequence[str]) -> str:
    named = [suffix for suffix in suffixes if suffix]
    return f"{', '.join(named[:-1])} or {named[-1]}" if len(named) > 1 else named[0]


def check_writable(output: str | None, suffixes: Sequence[str] = ()) -> None:
    """Complain about an output that cannot be written before any work is done."""
    if output is None:
        return
    path = Path(output)
    if suffixes and path.suffix.lower() not in suffixes:
        raise InputError(f"cannot write {output}: its name must end in {_either(suffixes)}")
    if path.is_dir():
        raise InputError(f"cannot write {output}: it is a directory")
    if not path.parent.is_dir():
        raise InputError(f"cannot write {output}: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"cannot write {output}: permission denied")


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
        temporary.chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror or error}; nothing was written") from error
    except ValueError as error:
        if isinstance(error, IsocostError) or "\0" not in str(output):
            raise
        raise InputError(f"cannot write {str(output)!r}: a file name holds no null character") from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text(output: str | Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    with atomically(output) as path:
        path.write_text(text, encoding="utf-8")
