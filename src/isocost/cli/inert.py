"""Text that cannot steer a terminal."""

from __future__ import annotations

import re

# Control characters, those that reverse the direction of text, and halves of characters, which no encoding can print.
_ACTIVE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_IN_TEXT = re.compile(f"[{_ACTIVE}]")
_IN_LINE = re.compile(f"[{_ACTIVE}\t\n\u2028\u2029]")


def inert(text: str, *, lines: bool = True) -> str:
    r"""Return text with control characters written out; without `lines`, ends of lines and tabs as well.

    Names of files, columns and models come from outside, and an escape sequence in one of them must not be obeyed.

    Examples
    --------
    >>> inert("model \x1b[31mred")
    'model \\x1b[31mred'
    """
    return (_IN_TEXT if lines else _IN_LINE).sub(_written, text)


def _written(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape", "surrogatepass").decode("ascii")
