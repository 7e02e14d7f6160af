"""isocost check, watch and challenge: a rule on labelled cases, over periods of cases in use, and against a new one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from isocost import numbers
from isocost.cli.data import WORDS, Data, asked, counted_tables
from isocost.cli.output import Answer, Table
from isocost.cli.session import COSTS, Session, command, condition_of
from isocost.conditions import Condition
from isocost.curves.joint import TRIVIAL_NAMES
from isocost.data import checks
from isocost.data import tables as choosing
from isocost.data.counts import ScoreCounts
from isocost.data.rows import (
    LoadedRows,
    OpenTable,
    in_use,
    label_typed,
    open_files,
    open_table,
    part_labelled,
    unlabelled_rows,
    write_rows,
)
from isocost.data.tables import Roles
from isocost.decide.question import LIMITS
from isocost.errors import InputError
from isocost.monitor import Challenge, Rule
from isocost.monitor import challenge as challenged
from isocost.monitor import check as gate
from isocost.monitor import watch as over_periods
from isocost.report import save_watch
from isocost.results import check_writable, records

if TYPE_CHECKING:
    from isocost.data.checks import Floats
    from isocost.monitor import Period


@command(
    "FILES label score lower-is-positive fold model case positive missing TEXT group rule threshold LIMITS "
    "max-cost min-auc versus not-worse-than sure accept-uncertain CONDITION seed RESULT"
)
def check(session: Session) -> Answer:
    """Check that a fixed rule keeps its limits on labelled cases: exit code 0 if so, 1 if one is broken, 3 if that is not certain.

    The rule is that of a file (--rule) or of a model and threshold (--threshold, with costs as options). Nothing is chosen on these
    cases. Without limits, those of the rule file are checked. --prevalence is that of the cases unless it is given.

    \b
    Examples:
      isocost check new.csv --label y --rule rule.json --max-fpr 5% --max-cost 560
      isocost check new.csv --label y --rule rule.json --versus old.json --not-worse-than 10 -o summary.md
      isocost check new.csv --label y --threshold m:0.25 --cost-fn 5 --max-cost 560 --sure 90% --accept-uncertain
    """
    given, rule = session.given, _rule(session.given)
    limits = {name: given[name] for name in (*LIMITS, "max_cost", "min_auc", "not_worse_than")}
    others = [] if given["versus"] is None else [Rule.of(given["versus"])]
    session.given = {**given, **columns_of([rule, *others], given)}
    rows = rows_of(session.data, rule)
    found = gate.check(
        rule, rows.y_true, rows.scores, **limits, sure=given["sure"], versus=given["versus"], prevalence=given["prevalence"],
        group=rows.group, rng=given["seed"],
    )  # fmt: skip
    code = 0 if given["accept_uncertain"] and found.verdict == "not certain" else found.exit_code
    if session.output is not None and Path(session.output).suffix not in (".json", ".csv") and not given["as_json"]:
        click.echo(str(found))  # a gate says why it stops a job in the job's log as well
    return Answer([str(found)], {"check": found.to_dict()}, found.to_markdown(), code)


def _rule(given: Mapping[str, Any]) -> Rule:
    """Return the rule to check."""
    costs = {name: given[name] for name in COSTS if given[name] is not None}
    otherwise = "which rule? Name its file with --rule, or a model and threshold with --threshold m:0.25"
    found = checks.needed(given["rule"] or given["threshold"], otherwise)
    return Rule.of((*found, Condition(**costs)) if costs else found)


def rows_of(data: Data, rule: Rule) -> LoadedRows:
    """Return the cases. Whole counts of one model's scores are as good: they are written out."""
    if data.source is not None or data.published or len(data.models) > 1 or rule.groups is not None:
        return data.rows("check")
    [(model, counts)] = data.counts.items()
    if not counts.exact or counts.positives.dtype.kind != "i":
        held = "weights" if counts.exact else "buckets of scores"
        raise InputError(f"check counts independent cases, and {', '.join(data.names)} holds {held} of {model}")
    sizes = np.concatenate([counts.positives, counts.negatives])
    labels = np.repeat([True, False], [counts.positives.sum(), counts.negatives.sum()])
    return LoadedRows(labels, {model: np.repeat(np.tile(counts.scores, 2), sizes)}, None, None)


def _models(rule: Rule) -> list[str]:
    """Return the models whose scores a rule needs."""
    parts = [part["model"] for part in (rule.mix, *(rule.groups or {}).values()) if part is not None]
    return [name for name in dict.fromkeys([rule.model, *parts]) if name not in TRIVIAL_NAMES]


def columns_of(rules: list[Rule], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of scores that rules need; a model whose name begins with a minus is read turned."""
    names = [name for rule in rules for name in _models(rule)]
    turned = dict.fromkeys([*given["lower_is_positive"], *(name[1:] for name in names if name.startswith("-"))])
    straight = [name for name in names if not name.startswith("-")]
    scores = dict.fromkeys([*given["scores"], *straight, *turned])
    return {"scores": tuple(scores), "lower_is_positive": tuple(turned)} if names else {}


@dataclass(frozen=True)
class Deployed:
    """Cases in use, read from the files of --deployed: one period for each file, or for each value of the column `by`.

    `turned` tells whether lower scores are positive. `classes` are the label to detect, and the other one; all others if it stands
    alone, 1 and 0 if there is none.
    """

    session: Session
    column: str
    turned: bool = False
    label: str | None = None
    classes: tuple[Any, ...] | None = None
    by: str | None = None

    @classmethod
    def total(cls, session: Session, model: str, cuts: Floats) -> ScoreCounts:
        """Return all cases in use, counted between cuts of a model's scores; their columns are those of the labelled cases."""
        source = session.data.source
        if source is None:
            found = cls(session, model)
        else:
            turned = model not in source.columns.scores
            column = model.removeprefix("-") if turned else model
            found = cls(session, column, turned, source.columns.label, source.classes_apart)
        first, *others = found.periods(cuts).values()
        return sum(others, start=first)

    def periods(self, cuts: Floats) -> dict[str, ScoreCounts]:
        """Return the cases of each period, counted between cuts in one pass over the files."""
        return {
            name if self.by is None else str(period): counts
            for name, table in self._tables()
            for period, counts in self._counted(table, cuts).items()
        }

    def write_to_label(self, period: Period, path: str) -> int:
        """Write the rows of a period that are to be labelled, in random order and with all columns; return how many. None, no file."""
        wanted, count = period.to_label, 0
        if wanted is None:
            return 0
        for _, table in self._tables(str(period.period)):
            if choosing.is_count_table(list(table.look.types)):
                raise InputError(f"--to-label needs the rows, and {table.engine.name} holds score counts")
            ends, mark = (wanted.score_from, wanted.score_below), None if self.by is None else str(period.period)
            rows = unlabelled_rows(table, self._roles(table.look.types), *ends, mark)[: wanted.count]
            write_rows(table, rows, path)
            count = int(rows.size)
        return count

    def _tables(self, only: str | None = None) -> Iterator[tuple[str, OpenTable]]:
        """Open the files that are read together, and say which period they are: all one table if a column tells; or `only` one period."""
        given, reading = self.session.given, self.session.messages.progress
        form = replace(asked(given)[1], alone=True)
        options: Any = {"form": form, "memory": given["memory"], "progress": reading, "words": WORDS}
        with open_files(list(given["deployed"]), form, WORDS) as files:
            short = [Path(file.name).name.split(".")[0] for file in files]
            named = [
                (name if short.count(name) == 1 else file.name, [file]) for file, name in zip(files, short, strict=True)
            ]
            for name, part in named if self.by is None else [("", files)]:
                if self.by is not None or only in (None, name):
                    with open_table(part, **options) as table:
                        yield name, table

    def _counted(self, table: OpenTable, cuts: Floats) -> dict[Any, ScoreCounts]:
        types, named = table.look.types, table.engine.name
        if choosing.is_count_table(list(types)):
            counts = counted_tables(table.engine, types)
            only = next(iter(counts)) if len(counts) == 1 else self.column
            return {0: counts[checks.choice(only, f"model of {named}", counts)]}
        checks.columns([self.by] if self.by is not None else [], types, f"column of {named} for --by")
        periods, dropped = in_use(table, self._roles(types), cuts, self.classes)
        if dropped:
            self.session.messages.say(f"{named}: {dropped:,} rows without a score were left out.")
        return {period: ScoreCounts(*columns) for period, columns in periods.items()}

    def _roles(self, there: Mapping[str, str]) -> Roles:
        """Return the columns of cases in use: the label only where the file has it."""
        label = self.label if self.label in there else None
        return Roles(
            label=label, scores=(self.column,), fold=self.by, lower_is_positive=(self.column,) if self.turned else (),
            missing=self.session.given["missing"], unlabelled=label is None,
        )  # fmt: skip


@command(
    "rule deployed by label positive missing TEXT ignore-below error-rate to-label challenge fail-on-alarm level title RESULT",
    suffixes=(),
)
def watch(session: Session) -> Answer:
    """Watch a deployed rule: what it costs, whether another threshold is cheaper, and which cases to label to know.

    Files are periods in the order of their names. Rows with a label are measured; without labels two assumptions are shown side by side,
    and a change is advised only if both agree. Nothing is stored: pass the last 32 periods each time.

    \b
    Examples:
      isocost watch --rule rule.json --deployed 'week-*.csv' --ignore-below 20
      isocost watch --rule rule.json --deployed 'week-*.parquet' --label y --to-label next.csv --fail-on-alarm
      isocost watch --rule rule.json --deployed year.csv --by week --ignore-below 20 -o watch.html
      isocost watch --rule rule.json --deployed 'week-*.csv' --challenge challenge.json -o watch.html
    """
    given, rule, output, positive = session.given, session.given["rule"], session.output, session.given["positive"]
    check_writable(given["to_label"], (".csv",))
    challenge = None if given["challenge"] is None else _challenge(given["challenge"], output)
    classes = None if positive is None else (label_typed(positive),)
    turned = rule.model.startswith("-")
    source = Deployed(session, rule.model.removeprefix("-"), turned, given["label"], classes, given["by"])
    counted = source.periods(np.array((rule.reference or {}).get("cuts", []), dtype=np.float64))
    how = {name: given[name] for name in ("ignore_below", "level", "error_rate")}
    watched = over_periods.watch(rule, counted, **how)
    if given["to_label"] is not None:
        count = source.write_to_label(watched.periods[-1], given["to_label"])
        written = f"Wrote {given['to_label']}: {count:,} rows to label"
        session.messages.say(written if count else "Nothing needs a label now.")
    if output is not None and Path(output).suffix == ".html":
        save_watch(watched, output, given["title"], challenge)
        session.wrote(output)
        session.output = None
    data = {"files": list(given["deployed"]), "text": str(watched), "watch": watched.to_dict()}
    code = 1 if given["fail_on_alarm"] and watched.alarm is not None else 0
    table = Table(*over_periods.table_of(watched), records(watched))
    return Answer([table, str(watched)], data, code=code)


def _challenge(path: str, output: str | None) -> dict[str, Any]:
    """Return the challenge that a file holds."""
    if output is None or Path(output).suffix != ".html":
        raise click.UsageError("--challenge is shown on the page only: add -o watch.html")
    try:
        held: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))["challenge"]
        return {field.name: held[field.name] for field in fields(Challenge) if not field.name.startswith("_")} | held
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"--challenge {path} is not what `isocost challenge -o challenge.json` writes") from error


@command("FILES label current new positive TEXT COSTS level seed to-label unit RESULT", suffixes=())
def challenge(session: Session) -> Answer:
    """Compare a new rule with the one in use, from whichever labels there are: an empty label is unknown.

    The rules differ in cost only where they differ in action, so only those cases need labels. The verdict holds however often
    you look and whichever labels are known, if cases are independent of each other. The share of positives is that of the file.

    \b
    Examples:
      isocost challenge live.csv --label fraud --current old:0.5 --new new:0.7 --cost-fn 4
      isocost challenge live.csv --label fraud --current old:0.5 --new new:0.7 --cost-fn 4 --to-label next.csv
      isocost challenge live.parquet --label fraud --current old:0.5 --new old:0.7 --cost-fn 4 --level 95% --json
    """
    given, messages = session.given, session.messages
    check_writable(given["to_label"])
    rules = {name: _checked(name, given[name]) for name in ("current", "new")}
    costs = {name: given[name] for name in COSTS if given[name] is not None}
    known = [rule.condition for rule in rules.values() if rule.costs]
    if not costs and not known:
        messages.say("No costs given. Assumed: equal costs (set them with --cost-fp and --cost-fn).")
    # The share of positives does not matter.
    condition = known[0] if known and not costs else condition_of(costs, 0.5)
    columns = dict.fromkeys(name for rule in rules.values() for name in _models(rule))
    roles, form = asked({**given, "scores": tuple(columns)})
    with (
        open_files(given["files"], form, WORDS) as files,
        open_table(files, form=form, memory=given["memory"], progress=messages.progress, words=WORDS) as table,
    ):
        cases = part_labelled(table, roles)
        current, new = (rule.apply(cases.scores) == "flag" for rule in rules.values())
        found = challenged.challenge(
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
    heads: dict[str, Any] = {name: name for name in ("change", "cases", "labelled")} | {"positives": "positive"}
    heads["known"] = ("known, per 1000", lambda known: numbers.rough(1000 * known))
    return Answer([str(found), Table.of(records(found), heads)], data)


def _checked(option: str, given: Any) -> Rule:
    """Return a rule that flags or clears each case by its scores alone."""
    rule = given if isinstance(given, Rule) else Rule(*given)
    for part, why in ((rule.groups, "a rule for each group"), (rule.review_from, "cases that a person looks at")):
        if part is not None:
            raise InputError(f"--{option} has {why}: only rules that flag or clear every case alike can be compared")
    return rule
