"""Options that say what the page calls things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from isocost.cli.options import stacked

_WORDS = {"case_name": "case", "positive_name": "positive", "negative_name": "negative", "flag_verb": "flag"}

word_options = stacked(
    click.option("--case-name", metavar="TEXT", help="What the page calls a case, such as applicant."),
    click.option("--positive-name", metavar="TEXT", help="What it calls a positive, such as 'bad risk'."),
    click.option("--negative-name", metavar="TEXT", help="What it calls a negative, such as 'good customer'."),
    click.option("--flag-verb", metavar="TEXT", help="What is done with a flagged case, such as 'turn down'."),
)


def words(given: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the words that were given; None if there are none."""
    found = {word: given[name] for name, word in _WORDS.items() if given[name] is not None}
    return found or None
