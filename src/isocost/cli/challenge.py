"""isocost challenge: a new rule against the one in use, with few labels."""

from __future__ import annotations

from typing import Any

from isocost import numbers
from isocost.cli import session as reading
from isocost.cli.output import Answer, Table
from isocost.cli.session import Session, command
from isocost.curves.joint import TRIVIAL_NAMES
from isocost.data.rows import open_files, open_table, part_labelled, write_rows
from isocost.errors import InputError
from isocost.monitor import Rule
from isocost.monitor import challenge as judged
from isocost.results import check_writable

_SHOWN = {
    "change": "change", "cases": "cases", "labelled": "labelled", "positives": "positive",
    "known": ("known, per 1000", lambda known: numbers.rough(1000 * known)),
}  # fmt: skip


@command("FILES label current new positive TEXT COSTS level seed to-label unit RESULT", suffixes=())
def challenge(session: Session) -> Answer:
    """Compare a new rule with the one in use, from whichever labels there are: an empty label is unknown.

    The rules differ in cost only where they differ in action, so only those cases need labels. The verdict holds however often
    you look and whichever labels are known, if cases are independent of each other. The share of positives is that of the file.

    \b
    Examples:
      isocost challenge live.csv --label fraud --current old:0.5 --new new:0.7 --cost-fn 4
      isocost challenge live.csv --label fraud --current old:0.5 --new new:0.7 --cost-fn 4 --to-label next.csv
      isocost challenge live.csv --label fraud --current rule.json --new new:0.7
      isocost challenge live.parquet --label fraud --current old:0.5 --new old:0.7 --cost-fn 4 --level 95% --json
    """
    given, messages = session.given, session.messages
    check_writable(given["to_label"])
    rules = {name: _checked(name, given[name]) for name in ("current", "new")}
    costs = {name: given[name] for name in reading.COSTS if given.get(name) is not None}
    known = [rule.condition for rule in rules.values() if rule.costs]
    if not costs and not known:
        messages.say("No costs given. Assumed: equal costs (set them with --cost-fp and --cost-fn).")
    # The share of positives does not matter.
    condition = known[0] if known and not costs else reading.condition_of(costs, 0.5)
    columns = {name: None for rule in rules.values() for name in _columns(rule)}
    roles, form = reading.asked({**given, "scores": tuple(columns)})
    with (
        open_files(given["files"], form, reading.WORDS) as files,
        open_table(files, form=form, memory=given["memory"], progress=messages.progress, words=reading.WORDS) as table,
    ):
        cases = part_labelled(table, roles)
        current, new = (rule.apply(cases.scores) == "flag" for rule in rules.values())
        found = judged.challenge(
            cases.labels, current, new, condition, level=given["level"], rng=given["seed"], unit=session.unit
        )  # fmt: skip
        if given["to_label"] is not None:
            write_rows(table, found.to_label, given["to_label"])
            session.wrote(given["to_label"], f": {found.to_label.size:,} rows to label")
    data = {
        "files": [file.name for file in files], "label": cases.label, "positive": cases.positive,
        **{name: [rule.model, rule.threshold] for name, rule in rules.items()},
        "text": str(found), "challenge": found.to_dict(),
    }  # fmt: skip
    held = found._columns()  # noqa: SLF001 - what its dataframe holds
    full = [dict(zip(held, row, strict=True)) for row in zip(*held.values(), strict=True)]
    return Answer([str(found), Table.of(full, _SHOWN)], data)


def _columns(rule: Rule) -> list[str]:
    """Return the columns of scores that a rule needs."""
    models = [rule.model, *([rule.mix["model"]] if rule.mix else [])]
    return [name for name in models if name not in TRIVIAL_NAMES]


def _checked(option: str, given: Any) -> Rule:
    """Return a rule that flags or clears each case by its scores alone."""
    rule = given if isinstance(given, Rule) else Rule(*given)
    for part, why in ((rule.groups, "a rule for each group"), (rule.review_from, "cases that a person looks at")):
        if part is not None:
            raise InputError(f"--{option} has {why}: only rules that flag or clear every case alike can be compared")
    return rule
