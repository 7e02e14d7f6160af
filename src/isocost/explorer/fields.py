"""The fields of the explorer's form: their names, what stands before each, and an example."""

from __future__ import annotations

from typing import NamedTuple

# Characters of a setting.
MOST_TEXT = 300


class Field(NamedTuple):
    """A field of the form; `share` tells that it takes a share or a percentage."""

    name: str
    label: str
    hint: str = ""
    share: bool = False


RESAMPLING = (
    Field("n_resamples", "Resamples", "as many as fit"),
    Field("seed", "Seed"),
    Field("level", "Level of intervals", "90 %", share=True),
)
# What the page calls things.
NAMED = (
    Field("case", "A case is", "applicant"),
    Field("positive", "A positive is", "bad risk"),
    Field("negative", "A negative is", "good customer"),
    Field("flag", "To flag is to", "turn down"),
)
# Arguments of the report: a person who looks at some of the cases, and what more labelled cases cost.
LOOKS = (
    Field("cost_review", "Price of a look", "nobody looks"),
    Field("max_reviewed", "Looks at most", "no limit", share=True),
    Field("reviewer_tpr", "Positives the person finds", "100 %", share=True),
    Field("reviewer_fpr", "Negatives the person takes for positives", "0 %", share=True),
)
LABELS = (
    Field("cost_per_label", "Price of a label", "not known"),
    Field("cases", "Cases to decide", "1000"),
    Field("good_enough", "Good enough, per 1000 cases", "1 % of the cost"),
)
