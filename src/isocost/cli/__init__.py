"""The `isocost` command; its parts are imported only when it runs."""

from __future__ import annotations

import re
import sys

# Control characters of terminals, marks that reorder text, and halves of characters, which no encoding can print.
_ACTIVE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_IN_TEXT, _IN_LINE = re.compile(f"[{_ACTIVE}]"), re.compile(f"[{_ACTIVE}\t\n\u2028\u2029]")


def inert(text: str, *, lines: bool = True) -> str:
    r"""Return text with control characters escaped; without `lines`, ends of lines and tabs as well.

    Names of files, columns and models come from outside, and an escape sequence in one of them must not be obeyed.

    Examples
    --------
    >>> inert("model \x1b[31mred")
    'model \\x1b[31mred'
    """
    escaped = (_IN_TEXT if lines else _IN_LINE).sub
    return escaped(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode("ascii"), text)


def main() -> None:
    """Run the command, or name what has to be installed first."""
    try:
        import click  # noqa: F401
    except ImportError:
        print("isocost: the command needs the package 'click': pip install 'isocost[cli]'", file=sys.stderr)
        sys.exit(2)
    from isocost.cli.termination import survived

    sys.exit(survived(_run))


def _run() -> int:
    from isocost.cli.app import run

    return run()
