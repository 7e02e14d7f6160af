"""The data of a command: score counts of each model, made by the engine, and the rows only when they are asked for."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from isocost.cli.output import Messages
from isocost.data import tables as choosing
from isocost.data.files import InputFile, TextForm, Words
from isocost.data.rows import FileRows, LoadedRows, open_files, open_table
from isocost.data.tables import Engine, Roles, by_model, memory_bytes, published_form, read_published
from isocost.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    import click

    from isocost.curves import RocCurve
    from isocost.data.counts import ScoreCounts
    from isocost.data.joint import JointCounts
    from isocost.decide.amounts import RowCosts


# Beyond so many cases several models are resampled by blocks of their scores, which takes the same time for any number of cases.
MANY = 2**22
# Bytes that the engine takes for each combination of blocks while it counts them.
_A_CELL = 512
WORDS = Words(
    label="--label {}", score="--score {}", positive="--positive {}", lower="--lower-is-positive {}",
    missing="add --missing drop", decimal="add --decimal ,", encoding="for example --encoding latin-1",
    sheet="name one, such as --sheet {}",
    memory="--memory", extra="cli", several="`isocost classes` takes several", quoted=shlex.quote,
)  # fmt: skip


@dataclass(frozen=True)
class Data:
    """Models to judge. `rows()` loads the cases themselves; score counts alone have none."""

    names: tuple[str, ...]
    models: tuple[str, ...]
    facts: dict[str, Any]
    source: FileRows | None
    messages: Messages
    given: Mapping[str, ScoreCounts] = field(default_factory=dict)
    published: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    averaged: bool = False
    amounts: Mapping[str, Any] | None = None

    @cached_property
    def counts(self) -> dict[str, ScoreCounts]:
        """The score counts of each model."""
        if self.published:
            raise InputError(f"score counts need scores, and {', '.join(self.names)} holds published results")
        if self.source is None:
            return {name: self.given[name] for name in self.models}
        from isocost.data.counts import MAX_DISTINCT, ScoreCounts

        made = {}
        for name in self.models:
            start = time.perf_counter()
            made[name] = counted = ScoreCounts(*self.source.counts(name, max_distinct=MAX_DISTINCT).counted)
            self.messages.detail(f"{name}: {repr(counted)[14:-1]}, counted in {time.perf_counter() - start:.2f} s")
        return made

    @cached_property
    def curves(self) -> list[RocCurve]:
        """The ROC curve of each model."""
        from isocost.curves import RocCurve

        if self.published:
            from isocost.curves.joint import published_curves

            return published_curves({name: self.published[name] for name in self.models})
        if self.averaged:
            return self._averaged()
        if self.source is not None and self.source.several:
            return []
        if self.row_costs is not None:
            scores = self.rows("--cost-column").scores
            return [self.row_costs.curve(values, name=name) for name, values in scores.items()]
        curves = [RocCurve.from_counts(counts, name=name) for name, counts in self.counts.items()]
        for curve in curves:
            if curve.resolution > 0:
                self.messages.say(
                    f"{curve.name}: scores were counted together in buckets; finer thresholds could save up to "
                    f"{100 * curve.resolution:.2g} % of the worst cost."
                )
        for warning in _warnings(curves):
            self.messages.say(f"Warning: {warning}")
        return curves

    @cached_property
    def row_costs(self) -> RowCosts | None:
        """What each outcome costs for each case, if columns say so."""
        from isocost.decide.amounts import RowCosts

        if self.amounts is None or self.source is None:
            return None
        rows = self.source.load("--cost-column")
        return RowCosts.from_columns(rows.y_true, **{**self.amounts["numbers"], **rows.costs})

    def _averaged(self) -> list[RocCurve]:
        """Return curves whose costs are the means of the folds' costs."""
        from isocost.compare import Comparison

        rows = self.rows("averaging folds")
        if rows.fold is None:
            raise InputError("--average-folds needs the column of folds: name it with --fold")
        pooled = Comparison.from_scores(rows.y_true, rows.scores, sample_weight=rows.weight, fold=rows.fold)
        return list(pooled.fold_average().curves)

    def note(self, text: str) -> None:
        """Say something about the data that must stand in every output, once."""
        if text not in self.facts["notes"]:
            self.facts["notes"].append(text)
            self.messages.say(text)

    @property
    def has_rows(self) -> bool:
        """Whether the cases themselves are there."""
        return self.source is not None

    @property
    def together(self) -> bool:
        """Whether the models are better counted together by blocks of scores than loaded: the cases count the same, and are many."""
        source = self.source
        if source is None or not self.countable:
            return False
        return (source.cases > MANY and len(self.models) > 1) or source.size > source.memory

    @property
    def countable(self) -> bool:
        """Whether the models can be counted together by blocks of scores: the cases count the same and are drawn one by one."""
        from isocost.data.joint import MOST_MODELS

        return self.alike and len(self.models) <= MOST_MODELS

    @property
    def alike(self) -> bool:
        """Whether the cases are there, count the same and are drawn one by one."""
        source = self.source
        return (
            source is not None
            and source.columns.weight is None
            and source.columns.cluster is None
            and self.amounts is None
        )

    def joint(self, *, sooner: bool = False) -> JointCounts | None:
        """Count the models together by blocks of scores if that is better than loading the cases, or if it is sooner done."""
        from isocost.data.joint import MOST_CELLS, cells_of, counted_together, each_model

        if self.source is None or not (self.together or (sooner and self.countable)):
            return None
        # Fewer where time counts.
        fit = min(MOST_CELLS if self.together else MOST_CELLS // 2, int(self.source.memory / _A_CELL))
        return counted_together(self.models, cells_of(self.source, max(2, each_model(len(self.models), fit))))

    def rows(self, purpose: str) -> LoadedRows:
        """Load the cases, or say why that cannot be."""
        if self.source is None:
            raise InputError(f"{purpose} needs the cases, and {', '.join(self.names)} holds only {self.facts['kind']}")
        rows = self.source.load(purpose)
        return rows if self.row_costs is None else replace(rows, weight=self.row_costs.weights)

    def to_dict(self) -> dict[str, Any]:
        """Return what the JSON form says about the data."""
        notes = [*self.facts["notes"], *_warnings(self.curves)]
        return {"files": list(self.names), "models": list(self.models), **self.facts, "notes": notes}


def _warnings(curves: Sequence[RocCurve]) -> list[str]:
    """Return what the scores of models warn of, a sentence each."""
    from isocost.decide.cautions import score_warnings
    from isocost.decide.question import Words
    from isocost.decide.say import say

    return [say("warning", {"question": {"words": Words().to_dict()}} | found) for found in score_warnings(curves)]


def asked(given: Mapping[str, Any]) -> tuple[Roles, TextForm]:
    """Return what the options say about columns, and about text."""
    named = ("label", "scores", "weight", "fold", "cluster", "group", "positive", "lower_is_positive", "missing")
    roles = Roles(**{name: given[name] for name in named if name in given})
    if roles.group is not None and roles.group == roles.label:
        raise InputError("--group and --label name the same column: give groups another one")
    roles = replace(roles, costs=tuple(given.get("cost_columns", ())), several=given.get("each_class", False))
    return roles, TextForm(given.get("decimal"), given.get("encoding"), sheet=given.get("sheet"))


def read(
    ctx: click.Context,
    names: Sequence[str],
    roles: Roles,
    messages: Messages,
    *,
    form: TextForm,
    memory: str | None,
) -> Data:
    """Open the files, settle and check their columns; everything is closed when the command ends."""
    memory_bytes(memory, WORDS.memory)
    stack = ctx.with_resource(ExitStack())
    files = stack.enter_context(open_files(names, form, WORDS))
    shown = tuple(file.name for file in files)
    if files[0].format == "npz":
        return _counted(shown, _summed([("score", _load(file)) for file in files]), roles, messages)
    table = stack.enter_context(open_table(files, form=form, memory=memory, progress=messages.progress, words=WORDS))
    types = table.look.types
    if choosing.is_count_table(list(types)):
        return _counted(shown, count_tables(table.engine, types), roles, messages)
    if published_form(list(types)) is not None:
        return _published(shown, read_published(table.engine, types), roles, messages)
    rows = table.rows(roles)
    for line in (rows.introduction(), *rows.notes):
        messages.say(line)
    return Data(shown, rows.columns.models, rows.facts(), rows, messages)


def _load(file: InputFile) -> ScoreCounts:
    from isocost.data.counts import ScoreCounts

    return ScoreCounts.load(file.path)


def _summed(tables: Sequence[tuple[str, ScoreCounts]]) -> dict[str, ScoreCounts]:
    total: dict[str, ScoreCounts] = {}
    for name, counts in tables:
        total[name] = total[name] + counts if name in total else counts
    return total


def count_tables(source: Engine, types: Mapping[str, str]) -> dict[str, ScoreCounts]:
    """Return the counts of each model of one or several tables, added up."""
    from isocost.data.counts import ScoreCounts, merged, verify

    for file in source.files:
        verify(file.path, file.name, file.format)
    numbers = [column for column in (*choosing.COUNTS, *choosing.OPTIONAL) if column in types]
    return {
        name: ScoreCounts(
            *merged(part["score"], part["positives"], part["negatives"], part.get("upper"), part.get("unlabelled"))
        )
        for name, part in by_model(source, types, numbers).items()
    }


def _counted(names: tuple[str, ...], counts: Mapping[str, ScoreCounts], roles: Roles, messages: Messages) -> Data:
    models = _models(names, counts, "score counts", roles)
    for name in models:
        messages.detail(f"{name}: {repr(counts[name])[14:-1]}")
    first = counts[models[0]]
    positives, negatives = first.positives.sum().item(), first.negatives.sum().item()
    facts = {
        "kind": "score counts", "rows": None, "label": None, "positive": None, "weight": None, "fold": None, "cluster": None,
        "group": None, "positives": positives, "negatives": negatives, "dropped": 0, "left_out": {}, "notes": [],
    }  # fmt: skip
    messages.say(
        f"{', '.join(names)}: score counts of {', '.join(models)} ({positives:.12g} positive, {negatives:.12g} negative)"
    )
    return Data(names, models, facts, None, messages, counts)


def _models(names: tuple[str, ...], known: Mapping[str, Any], what: str, roles: Roles) -> tuple[str, ...]:
    """Return the models that were asked for, or all; options that go with predictions alone are refused."""
    given = (
        ("--label", roles.label),
        ("--weight", roles.weight),
        ("--fold", roles.fold),
        ("--cluster", roles.cluster),
        ("--group", roles.group),
        ("--positive", roles.positive),
        ("--cost-column", roles.costs or None),
        ("--each-class", roles.several or None),
        ("--lower-is-positive", roles.lower_is_positive or None),
    )
    for option, value in given:
        if value is not None:
            raise InputError(f"{option} goes with predictions; {', '.join(names)} holds {what} already")
    for name in roles.scores:
        if name not in known:
            raise UnknownNameError(f"model (--score) of {', '.join(names)}", name, known)
    return tuple(dict.fromkeys(roles.scores)) or tuple(known)


def _published(
    names: tuple[str, ...],
    tables: Mapping[str, Mapping[str, Any]],
    roles: Roles,
    messages: Messages,
) -> Data:
    models = _models(names, tables, "published results", roles)
    rows = sum(len(next(iter(tables[name].values()))) for name in models)
    facts = {
        "kind": "published results", "rows": rows, "label": None, "positive": None, "weight": None, "fold": None, "cluster": None,
        "group": None, "positives": None, "negatives": None, "dropped": 0, "left_out": {}, "notes": [],
    }  # fmt: skip
    data = Data(names, models, facts, None, messages, published=tables)
    first = data.curves[0]
    facts["positives"], facts["negatives"] = first.positives, first.negatives
    known = "" if first.positives is None else f" ({first.positives:.12g} positive, {first.negatives:.12g} negative)"
    messages.say(f"{', '.join(names)}: published results of {', '.join(models)}, {rows} operating points{known}")
    return data
