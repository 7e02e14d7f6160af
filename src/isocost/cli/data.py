"""What files hold, as commands use it: models with their cases, counts or published results; and the commands that write counts."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from isocost.cli.output import Messages
from isocost.compare import Comparison
from isocost.compare.comparison import APART, agreement_of, can_be_resampled, matrices_of, published_comparison
from isocost.curves import RocCurve
from isocost.curves.joint import published_curves
from isocost.data import checks
from isocost.data import counts as count_tables
from isocost.data import tables as choosing
from isocost.data.counts import MAX_DISTINCT, ScoreCounts, merged
from isocost.data.files import TextForm, Words
from isocost.data.joint import MOST_CELLS, MOST_MODELS, JointCounts, count_rows, each_model
from isocost.data.rows import FileRows, LoadedRows, open_files, open_table
from isocost.data.tables import Engine, Published, Roles, by_model, memory_bytes, published_form, read_published
from isocost.decide.amounts import RowCosts
from isocost.decide.decision import ranking
from isocost.decide.say import say
from isocost.errors import InputError
from isocost.inference import bootstrap_confusion
from isocost.inference.bootstrap import Bootstrap

# Beyond so many cases several models are resampled by blocks of their scores, which takes the same time for any number of cases.
MANY = 2**22
# Bytes that the engine takes for each combination of blocks while it counts them.
_A_CELL = 512
WORDS = Words(
    label="--label {}", score="--score {}", positive="--positive {}",
    missing="add --missing drop", decimal="add --decimal ,", point="add --decimal .", encoding="for example --encoding latin-1",
    sheet="name one, such as --sheet {}",
    model="--model", case="--case {}", long="add --model {} --case {}", cluster="--cluster {}",
    memory="--memory", extra="cli", several="`isocost classes` takes several", quoted=shlex.quote,
)  # fmt: skip
# Options about the columns of predictions, by the role that each gives.
_ROLES = {
    name: f"--{name.replace('_', '-')}"
    for name in (
        "label", "weight", "fold", "cluster", "group", "positive", "lower_is_positive", "missing", "model", "case", "scores",
    )
}  # fmt: skip
# What the JSON form says of data, besides files and models.
_FACTS: dict[str, Any] = {
    "rows": None, "label": None, "positive": None, "weight": None, "fold": None, "cluster": None, "group": None, "positives": None,
    "negatives": None, "dropped": 0, "left_out": {},
}  # fmt: skip


@dataclass(frozen=True)
class Data:
    """Models to judge. `rows()` loads the cases themselves; score counts and published results alone have none."""

    names: tuple[str, ...]
    models: tuple[str, ...]
    facts: dict[str, Any]
    messages: Messages
    source: FileRows | None = None
    given: Mapping[str, ScoreCounts] = field(default_factory=dict)
    published: Published = field(default_factory=Published)
    averaged: bool = False
    amounts: Mapping[str, Any] | None = None

    @cached_property
    def counts(self) -> dict[str, ScoreCounts]:
        """The score counts of each model."""
        if self.published:
            raise InputError(f"score counts need scores, and {', '.join(self.names)} holds published results")
        if self.source is None:
            return {name: self.given[name] for name in self.models}
        return {name: ScoreCounts(*self.source.counts(name, max_distinct=MAX_DISTINCT).counted) for name in self.models}

    @cached_property
    def curves(self) -> list[RocCurve]:
        """The ROC curve of each model."""
        if self.published:
            return published_curves(self.published.of(self.models))
        if self.averaged:
            rows = self.rows("averaging folds")
            checks.needed(rows.fold, "--average-folds needs the column of folds: name it with --fold")
            return list(self.with_cases("averaging folds").fold_average().curves)
        if self.source is not None and self.source.roles.several:
            return []
        if self.row_costs is not None:
            scores = self.rows("--cost-column").scores
            return [self.row_costs.curve(values, name=name) for name, values in scores.items()]
        curves = [RocCurve.from_counts(counts, name=name) for name, counts in self.counts.items()]
        for curve in curves:
            if curve.resolution > 0:
                self.messages.say(say("buckets", {"model": curve.name, "resolution": curve.resolution}))
        for warning in _warnings(curves):
            self.messages.say(f"Warning: {warning}")
        return curves

    @cached_property
    def row_costs(self) -> RowCosts | None:
        """What each outcome costs for each case, if columns say so."""
        if self.amounts is None or self.source is None:
            return None
        rows = self.source.load("--cost-column")
        return RowCosts.from_columns(rows.y_true, **{**self.amounts["numbers"], **rows.costs})

    def note(self, text: str) -> None:
        """Say something about the data that must stand in every output, once."""
        if text not in self.facts["notes"]:
            self.facts["notes"].append(text)
            self.messages.say(text)

    @property
    def fits(self) -> bool:
        """Whether the cases are there, and fit the memory."""
        return self.source is not None and self.source.size <= self.source.memory

    @property
    def alike(self) -> bool:
        """Whether the cases are there, count the same and are drawn one by one."""
        columns = None if self.source is None else self.source.columns
        return columns is not None and columns.weight is None and columns.cluster is None and self.amounts is None

    @property
    def countable(self) -> bool:
        """Whether the models can be counted together by blocks of scores."""
        return self.alike and len(self.models) <= MOST_MODELS

    @property
    def together(self) -> bool:
        """Whether the models are better counted together by blocks of scores than loaded: the cases are many."""
        many = self.source is not None and self.source.cases > MANY and len(self.models) > 1
        return self.countable and (many or not self.fits)

    def joint(self, *, sooner: bool = False) -> JointCounts | None:
        """Count the models together by blocks of scores if that is better than loading the cases, or if it is sooner done."""
        if self.source is None or not (self.together or (sooner and self.countable)):
            return None
        # Fewer where time counts.
        fit = min(MOST_CELLS if self.together else MOST_CELLS // 2, int(self.source.memory / _A_CELL))
        found = count_rows(self.source, self.models, max(2, each_model(len(self.models), fit)))
        self.messages.say(f"Resampled in {max(low.size for low in found.low)} score blocks per model.")
        return found

    def rows(self, purpose: str) -> LoadedRows:
        """Load the cases, or say why that cannot be."""
        if self.source is None:
            raise InputError(f"{purpose} needs the cases, and {', '.join(self.names)} holds only {self.facts['kind']}")
        rows = self.source.load(purpose)
        return rows if self.row_costs is None else replace(rows, weight=self.row_costs.weights)

    @property
    def comparison(self) -> Comparison:
        """The models, without the cases."""
        return Comparison(self.curves, pos_label=self.facts["positive"])

    def with_cases(
        self, purpose: str, *, weights: Any = None, single: bool = False, sooner: bool = False
    ) -> Comparison:
        """Return the models with the cases to resample, or with blocks of scores in their place unless single cases are needed."""
        label = self.facts["positive"]
        if self.published:
            tables = self.published.of(self.models)
            if len(tables) > 1 and tables.agreement is None and can_be_resampled(tables):
                self.note(APART)
            return published_comparison(tables)
        if not single and weights is None and not self.averaged and (joint := self.joint(sooner=sooner)) is not None:
            return Comparison.from_joint_counts(joint, pos_label=label)
        others = {} if self.source is None else self.source.others()
        return Comparison.from_scores(**self.rows(purpose).compared(label, others, weights=weights))

    def resampled(self, purpose: str, total: int, seed: int, *, single: bool, sooner: bool) -> Bootstrap:
        """Return resamples of the cases, of blocks of their scores, or of published matrices."""
        if self.published:
            tables = self.published.of(self.models)
            if any("tp" not in table or len(table["tp"]) > 1 for table in tables.values()):
                raise InputError(f"{purpose} needs the cases, or one confusion matrix (tp, fn, fp, tn) per model")
            if len(tables) > 1 and tables.agreement is None:
                self.note(APART)
            return bootstrap_confusion(matrices_of(tables), joint=agreement_of(tables), n_resamples=total, rng=seed)
        comparison = self.with_cases(purpose, single=single, sooner=sooner)
        return comparison.bootstrap(total, seed, fold="average" if self.averaged else "pooled")

    def to_dict(self) -> dict[str, Any]:
        """Return what the JSON form says about the data."""
        notes = [*self.facts["notes"], *_warnings(self.curves)]
        return {"files": list(self.names), "models": list(self.models), **self.facts, "notes": notes}


def _warnings(curves: Sequence[RocCurve]) -> list[str]:
    """Return what the scores of models warn of, a sentence each."""
    return [say("warning", {"kind": kind, "model": curve.name}) for curve in curves if (kind := ranking(curve))]


def asked(given: Mapping[str, Any]) -> tuple[Roles, TextForm]:
    """Return what the options say about columns, and about text."""
    costs, several = tuple(given.get("cost_columns", ())), given.get("each_class", False)
    roles = Roles(**{name: given[name] for name in _ROLES if name in given}, costs=costs, several=several)
    if roles.group is not None and roles.group == roles.label:
        raise InputError("--group and --label name the same column: give groups another one")
    return roles, TextForm(given.get("decimal"), given.get("encoding"), sheet=given.get("sheet"))


def read(names: Sequence[str], given: Mapping[str, Any], messages: Messages, stack: ExitStack) -> Data:
    """Open files, settle and check their columns; the stack closes everything."""
    (roles, form), memory = asked(given), given.get("memory")
    memory_bytes(memory, WORDS.memory)
    files = stack.enter_context(open_files(names, form, WORDS))
    shown = tuple(file.name for file in files)
    table = stack.enter_context(open_table(files, form=form, memory=memory, progress=messages.progress, words=WORDS))
    types = table.look.types
    if choosing.is_count_table(list(types)):
        return _counted(shown, counted_tables(table.engine, types), roles, messages)
    if published_form(list(types)) is not None:
        return _published(shown, read_published(table.engine, types), roles, messages)
    rows = table.rows(roles)
    for line in (rows.introduction(), *rows.notes):
        messages.say(line)
    return Data(shown, rows.columns.models, rows.facts(), messages, rows)


def _counted(names: tuple[str, ...], counts: Mapping[str, ScoreCounts], roles: Roles, messages: Messages) -> Data:
    models = _models(names, counts, "score counts", roles)
    first = counts[models[0]]
    found = {"positives": first.positives.sum().item(), "negatives": first.negatives.sum().item()}
    messages.say(f"{', '.join(names)}: score counts of {', '.join(models)}{_known(**found)}")
    return Data(names, models, {"kind": "score counts", **_FACTS, **found, "notes": []}, messages, given=counts)


def _published(names: tuple[str, ...], tables: Published, roles: Roles, messages: Messages) -> Data:
    models = _models(names, tables, "published results", roles)
    rows = sum(len(next(iter(tables[name].values()))) for name in models)
    facts: dict[str, Any] = {"kind": "published results", **_FACTS, "rows": rows, "notes": []}
    data = Data(names, models, facts, messages, published=tables)
    facts |= (found := {"positives": data.curves[0].positives, "negatives": data.curves[0].negatives})
    held = f"published results of {', '.join(models)}, {rows} operating points{_known(**found)}"
    messages.say(f"{', '.join(names)}: {held}")
    return data


def _known(positives: float | None, negatives: float | None) -> str:
    return "" if positives is None else f" ({positives:.12g} positive, {negatives:.12g} negative)"


def _models(names: Sequence[str], known: Mapping[str, Any], what: str, roles: Roles) -> tuple[str, ...]:
    """Return the models that were named, or all; options that go with predictions alone are refused."""
    spelt = _ROLES | {"costs": "--cost-column", "several": "--each-class"}
    for name, option in spelt.items():
        if name not in ("missing", "scores") and getattr(roles, name):
            raise InputError(f"{option} goes with predictions; {', '.join(names)} holds {what} already")
    checks.columns(roles.scores, known, f"model (--score) of {', '.join(names)}")
    return tuple(dict.fromkeys(roles.scores)) or tuple(known)


def counted_tables(source: Engine, types: Mapping[str, str]) -> dict[str, ScoreCounts]:
    """Return the counts of each model of one or several tables, added up."""
    for file in source.files:
        if file.format == "parquet":
            count_tables.load(file.path, ".parquet")  # which notices damage
    numbers = [column for column in (*choosing.COUNTS, *choosing.OPTIONAL) if column in types]
    order = ("score", "positives", "negatives", "upper", "unlabelled")
    return {
        name: ScoreCounts(*merged(*map(part.get, order)))  # type: ignore[arg-type]
        for name, part in by_model(source, types, numbers).items()
    }
