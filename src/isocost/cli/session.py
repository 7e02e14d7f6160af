"""What every command starts with: its options, its data, its condition, and a way to talk; and how its answer is given."""

from __future__ import annotations

import copy
import inspect
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import click

from isocost.cli import options
from isocost.cli.amounts import amounts
from isocost.cli.output import Answer, Messages, is_job_summary
from isocost.compare import Comparison
from isocost.conditions import Condition, Conditions, stated
from isocost.curves import RocCurve
from isocost.curves.joint import published_curves
from isocost.data import counts as count_tables
from isocost.data import tables as choosing
from isocost.data.counts import MAX_DISTINCT, ScoreCounts, merged
from isocost.data.files import TextForm, Words
from isocost.data.joint import MOST_CELLS, MOST_MODELS, JointCounts, cells_of, counted_together, each_model
from isocost.data.rows import FileRows, LoadedRows, open_files, open_table
from isocost.data.tables import Engine, Published, Roles, by_model, memory_bytes, published_form, read_published
from isocost.decide.amounts import RowCosts
from isocost.decide.cautions import score_warnings
from isocost.decide.question import LIMITS
from isocost.decide.question import Words as Called
from isocost.decide.say import say
from isocost.errors import InputError, UnknownNameError
from isocost.results import TEXTS, check_writable, plain

COSTS = ("cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn")
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
_NO_PREVALENCE = "the file does not tell which share of cases is positive: say it with --prevalence"
# What the JSON form says of data, besides files and models.
_FACTS: dict[str, Any] = {
    "rows": None, "label": None, "positive": None, "weight": None, "fold": None, "cluster": None, "group": None, "positives": None,
    "negatives": None, "dropped": 0, "left_out": {},
}  # fmt: skip


@dataclass(frozen=True)
class Data:
    """Models to judge. `rows()` loads the cases themselves; score counts alone have none."""

    names: tuple[str, ...]
    models: tuple[str, ...]
    facts: dict[str, Any]
    source: FileRows | None
    messages: Messages
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
        made = {}
        for name in self.models:
            start = time.perf_counter()
            made[name] = counted = ScoreCounts(*self.source.counts(name, max_distinct=MAX_DISTINCT).counted)
            self.messages.detail(f"{name}: {repr(counted)[14:-1]}, counted in {time.perf_counter() - start:.2f} s")
        return made

    @cached_property
    def curves(self) -> list[RocCurve]:
        """The ROC curve of each model."""
        if self.published:
            return published_curves(self.published.of(self.models))
        if self.averaged:
            rows = self.rows("averaging folds")
            if rows.fold is None:
                raise InputError("--average-folds needs the column of folds: name it with --fold")
            pooled = Comparison.from_scores(rows.y_true, rows.scores, sample_weight=rows.weight, fold=rows.fold)
            return list(pooled.fold_average().curves)
        if self.source is not None and self.source.several:
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
    def has_rows(self) -> bool:
        """Whether the cases themselves are there."""
        return self.source is not None

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
    words = {"question": {"words": Called().to_dict()}}
    return [say("warning", words | found) for found in score_warnings(curves)]


def asked(given: Mapping[str, Any]) -> tuple[Roles, TextForm]:
    """Return what the options say about columns, and about text."""
    named = (
        "label",
        "scores",
        "weight",
        "fold",
        "cluster",
        "group",
        "positive",
        "lower_is_positive",
        "missing",
        "model",
        "case",
    )
    costs, several = tuple(given.get("cost_columns", ())), given.get("each_class", False)
    roles = Roles(**{name: given[name] for name in named if name in given}, costs=costs, several=several)
    if roles.group is not None and roles.group == roles.label:
        raise InputError("--group and --label name the same column: give groups another one")
    return roles, TextForm(given.get("decimal"), given.get("encoding"), sheet=given.get("sheet"))


def loaded(files: Sequence[Any]) -> ScoreCounts:
    """Return the sum of the counts that .npz files hold."""
    first, *others = (ScoreCounts.load(file.path) for file in files)
    return sum(others, start=first)


def counted_tables(source: Engine, types: Mapping[str, str]) -> dict[str, ScoreCounts]:
    """Return the counts of each model of one or several tables, added up."""
    for file in source.files:
        if file.format in ("parquet", "arrow"):
            count_tables.load(file.path, form=file.format)
    numbers = [column for column in (*choosing.COUNTS, *choosing.OPTIONAL) if column in types]
    order = ("score", "positives", "negatives", "upper", "unlabelled")
    return {
        name: ScoreCounts(*merged(*map(part.get, order)))  # type: ignore[arg-type]
        for name, part in by_model(source, types, numbers).items()
    }


def _known(positives: float | None, negatives: float | None) -> str:
    return "" if positives is None else f" ({positives:.12g} positive, {negatives:.12g} negative)"


def _models(names: str, known: Mapping[str, Any], what: str, roles: Roles) -> tuple[str, ...]:
    """Return the models that were named, or all; options that go with predictions alone are refused."""
    fields = ("label", "weight", "fold", "cluster", "group", "positive", "lower_is_positive", "model", "case")
    spelt = {name: f"--{name.replace('_', '-')}" for name in fields} | {
        "costs": "--cost-column",
        "several": "--each-class",
    }
    for name, option in spelt.items():
        if getattr(roles, name):
            raise InputError(f"{option} goes with predictions; {names} holds {what} already")
    for name in roles.scores:
        if name not in known:
            raise UnknownNameError(f"model (--score) of {names}", name, known)
    return tuple(dict.fromkeys(roles.scores)) or tuple(known)


def condition_of(costs: Mapping[str, Any], prevalence: float | None) -> Condition | Conditions:
    """Return the condition of the costs given, at this prevalence unless one was given; costs that were not are 1; or that of PCF(+)."""
    said = {name: value for name, value in costs.items() if value is not None}
    if (pcf := said.pop("pcf", None)) is not None:
        if said:
            other = " and ".join(map(options.spelt, said))
            raise InputError(f"--pcf joins costs and prevalence in one number: give it without {other}")
        if hasattr(pcf, "rvs"):
            raise InputError("--pcf is a number or a range, such as 0.2 or 0.2:0.5")
        return Conditions.uniform(pcf=pcf) if isinstance(pcf, tuple) else Conditions.from_t(1 - pcf)
    if prevalence is None and "prevalence" not in said:
        raise InputError(_NO_PREVALENCE)
    return stated({"cost_fp": 1.0, "cost_fn": 1.0, "prevalence": prevalence, **said})


def condition_to_dict(condition: Condition | Conditions | None) -> dict[str, Any] | None:
    """Return what the JSON form says about a condition: every quantity as [low, high]."""
    if condition is None:
        return None
    over = Conditions.of(condition)
    ranges = {name: (over.ranges or {}).get(name) for name in ("cost_fp", "cost_fn", "prevalence")}
    found: dict[str, Any] = plain({"text": str(condition), **ranges, "t": [over.low, over.high]})
    return found


class Session:
    """The options and the data of one run, which are read when they are first needed.

    Attributes
    ----------
    ctx : click.Context
    given : dict
        Options by name.
    output : str or None
    messages : Messages
    """

    def __init__(self, ctx: click.Context, given: Mapping[str, Any], output: str | None) -> None:
        self.ctx, self.given, self.output = ctx, given, output
        self.messages = Messages(given.get("quiet", False), given.get("verbose", False))

    def having(self, **other: Any) -> Session:
        """Return the same session with other options; data that were read stay."""
        made = copy.copy(self)
        made.given = {**self.given, **other}
        return made

    @cached_property
    def data(self) -> Data:
        """The files of the command."""
        terms = amounts(self.ctx, self.given)
        if terms is None:  # whatever the data's prevalence is, it can be
            condition_of(self._costs, 0.5)
        found = self.read(self.given["files"])
        found.facts["notes"] += [terms["note"]] if terms is not None and terms["note"] else []
        return replace(found, averaged=self.given.get("average_folds", False), amounts=terms)

    def read(self, names: Sequence[str]) -> Data:
        """Open files, settle and check their columns; everything is closed when the command ends."""
        (roles, form), memory, messages = asked(self.given), self.given.get("memory"), self.messages
        memory_bytes(memory, WORDS.memory)
        stack = self.ctx.with_resource(ExitStack())
        files = stack.enter_context(open_files(names, form, WORDS))
        shown = tuple(file.name for file in files)
        if files[0].format == "npz":
            return self._counted(shown, {"score": loaded(files)}, roles)
        table = stack.enter_context(
            open_table(files, form=form, memory=memory, progress=messages.progress, words=WORDS)
        )
        types = table.look.types
        if choosing.is_count_table(list(types)):
            return self._counted(shown, counted_tables(table.engine, types), roles)
        if published_form(list(types)) is not None:
            return self._published(shown, read_published(table.engine, types), roles)
        rows = table.rows(roles)
        for line in (rows.introduction(), *rows.notes):
            messages.say(line)
        return Data(shown, rows.columns.models, rows.facts(), rows, messages)

    def _counted(self, names: tuple[str, ...], counts: Mapping[str, ScoreCounts], roles: Roles) -> Data:
        models = _models(", ".join(names), counts, "score counts", roles)
        for name in models:
            self.messages.detail(f"{name}: {repr(counts[name])[14:-1]}")
        first = counts[models[0]]
        found = {"positives": first.positives.sum().item(), "negatives": first.negatives.sum().item()}
        self.messages.say(f"{', '.join(names)}: score counts of {', '.join(models)}{_known(**found)}")
        return Data(
            names, models, {"kind": "score counts", **_FACTS, **found, "notes": []}, None, self.messages, counts
        )

    def _published(self, names: tuple[str, ...], tables: Published, roles: Roles) -> Data:
        models = _models(", ".join(names), tables, "published results", roles)
        rows = sum(len(next(iter(tables[name].values()))) for name in models)
        facts: dict[str, Any] = {"kind": "published results", **_FACTS, "rows": rows, "notes": []}
        data = Data(names, models, facts, None, self.messages, published=tables)
        facts["positives"], facts["negatives"] = data.curves[0].positives, data.curves[0].negatives
        known = _known(facts["positives"], facts["negatives"])
        self.messages.say(
            f"{', '.join(names)}: published results of {', '.join(models)}, {rows} operating points{known}"
        )
        return data

    @property
    def unit(self) -> str:
        """The unit of the costs; empty for none."""
        return self.given["unit"] or ""

    @property
    def _costs(self) -> dict[str, Any]:
        return {name: self.given[name] for name in (*COSTS, "pcf") if self.given.get(name) is not None}

    @property
    def condition(self) -> Condition | Conditions:
        """The condition given, or equal costs, which is then said."""
        if (over := self.over) is not None:
            return over
        supposed = Condition(prevalence=self.prevalence)
        self.messages.say(
            f"No costs given. Assumed: equal costs, {100 * supposed.prevalence:.4g} % positive as in the data "
            "(set them with --cost-fp, --cost-fn and --prevalence)."
        )
        return supposed

    @property
    def over(self) -> Condition | Conditions | None:
        """The condition given, or None for all conditions."""
        if self.data.row_costs is not None and self.data.amounts is not None:
            return self.data.row_costs.condition(self.data.amounts["multiplier"])
        return condition_of(self._costs, self.data.curves[0].prevalence) if self._costs else None

    @property
    def middle(self) -> Condition:
        """The condition given, ranges at their means; equal costs if none is."""
        if self.over is None:
            return Condition()
        if (means := Conditions.of(self.over).means) is None:
            raise InputError("groups are judged by costs and a prevalence: give these instead of --pcf")
        return means

    @property
    def prevalence(self) -> float:
        """The prevalence given, the mean of a range or a belief, or the data's own."""
        said = self.given["prevalence"]
        if said is not None:
            return sum(said) / 2 if isinstance(said, tuple) else float(said.mean() if hasattr(said, "mean") else said)
        if (own := self.data.curves[0].prevalence) is None:
            raise InputError(_NO_PREVALENCE)
        return own

    def priced(self) -> dict[str, Any]:
        """Return the arguments `condition` and `prevalence` of a decision; without a cost only the prevalence is known."""
        said, limited = self.given["prevalence"], any(self.given.get(name) is not None for name in LIMITS)
        if set(self._costs) - {"prevalence"} or self.data.amounts is not None:
            return {"condition": self.over}
        if said is None or isinstance(said, float):
            if not limited:
                _ = self.prevalence  # refused where neither the option nor the data says it
            return {"prevalence": said}
        if limited:
            raise InputError("limits without costs need one prevalence, got a range: give one, or say what errors cost")
        raise InputError("a range of the prevalence needs costs to be weighed with: give --cost-fn")

    def give(self, answer: Answer) -> int:
        """Print or write an answer, with what was found out about the data and stands not in it yet; return its exit code."""
        name, as_json = str(self.ctx.command.name), self.given["as_json"]
        if "data" in vars(self):
            said = answer.text()
            facts = self.data.to_dict()
            notes = [note for note in facts["notes"] if note not in said]
            parts = [*answer.parts, *(["\n".join(notes)] if notes else [])]
            answer = replace(answer, parts=parts, data={"data": facts, **answer.data})
        if self.output is None:
            answer.show(name, as_json=as_json)
        else:
            answer.save(name, self.output, as_json=as_json)
            self.wrote(self.output)
        return answer.code

    def wrote(self, path: Any, what: str = "") -> None:
        """Say that a file was written."""
        self.messages.say(f"Wrote {path}{what}")


def command(
    names: str, *, suffixes: Sequence[str] = TEXTS, complete: Mapping[str, Any] | None = None
) -> Callable[[Callable[[Session], Answer | None]], click.Command]:
    """Return a decorator that makes a function of a session the command of its name, with these options; its answer is printed."""

    def decorate(function: Callable[[Session], Answer | None]) -> click.Command:
        def run(ctx: click.Context, /, output: str | None = None, **given: Any) -> int:
            check_writable(output, () if output is None or is_job_summary(output) else suffixes)
            session = Session(ctx, given, output)
            answer = function(session)
            return 0 if answer is None else session.give(answer)

        name = function.__name__
        made = options.options_of(name, names, complete)(click.pass_context(run))
        return click.command(name, help=inspect.getdoc(function))(made)

    return decorate
