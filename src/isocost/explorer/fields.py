"""The fields of the explorer's side panel: their names, what stands before each, and an example."""

from __future__ import annotations

from typing import NamedTuple

# Characters of a setting.
MOST_TEXT = 300


class Field(NamedTuple):
    """A field of the panel; `share` tells that it takes a share or a percentage."""

    name: str
    label: str
    hint: str = ""
    share: bool = False


RESAMPLING = (
    Field("n_resamples", "Resamples", "as many as fit"),
    Field("seed", "Seed", "0"),
    Field("level", "Level of ranges", "90 %", share=True),
)
# What the page calls things.
NAMED = (
    Field("case", "a case, cases", "applicant, applicants"),
    Field("positive", "to catch", "bad risk, bad risks"),
    Field("negative", "the others", "good customer, good customers"),
    Field("flag", "to flag", "turn down, turns down, turned down, turning down"),
)
# The forms of each, in the order in which they are typed.
FORMS = {
    "case": ("case", "cases"),
    "positive": ("positive", "positives"),
    "negative": ("negative", "negatives"),
    "flag": ("flag", "flags", "flagged", "flagging"),
}
