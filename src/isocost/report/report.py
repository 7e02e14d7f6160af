"""Report: the summary of a comparison as a file, a notebook cell or text."""

from __future__ import annotations

import json
import re
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Literal

from isocost._front import documented_by
from isocost.data import checks
from isocost.decide.cascade import CascadeChoice
from isocost.decide.decision import Evaluation, table_of
from isocost.decide.question import Question
from isocost.errors import InputError
from isocost.report import groups as group_section
from isocost.report import html
from isocost.report.figures import capital
from isocost.report.summary import SCHEMA, VERSION, summarise
from isocost.results import Columns, Result, stacked, write_text

if TYPE_CHECKING:
    import numpy as np

    from isocost.compare import Comparison
    from isocost.groups import Groups


_DATA = re.compile(r'<script type="application/json" class="isocost-data">(.*?)</script>', re.DOTALL)
# What only the script of the page reads.
_READ_BY_SCRIPT: dict[str, Any] = {
    "level": float, "cautions": list, "draws": dict | None, "measures": list, "sentences": dict, "opened": dict,
}  # fmt: skip


@documented_by(see="Report")
def extract(text: str) -> dict[str, Any]:
    """Return the summary inside the text of a report file (HTML, or JSON as it is).

    Parameters
    ----------
    text : str
    """
    found = _DATA.search(text)
    try:
        summary: dict[str, Any] = json.loads(text if found is None else found.group(1))
        made = summary["schema"], summary.get("version")
    except Exception as error:  # no JSON, endless numbers and nesting, or other data
        raise InputError(
            f"this is not an isocost report: no data found in it ({type(error).__name__}: {error})"
        ) from error
    if made != (SCHEMA, VERSION):
        raise InputError(
            f"this {made[0]} has version {made[1]!r} of its data, and this isocost reads version {VERSION}; make the report again"
        )
    try:
        html.mount(summary)
        markdown(summary)
        checks.some(summary["models"], "models", "nothing to show")
        for name, kind in _READ_BY_SCRIPT.items():
            checks.instance(summary[name], name, kind, "of another type")
    except Exception as error:  # data of another shape fail in any way they can
        why = f"{type(error).__name__}: {error}"
        raise InputError(
            f"this report cannot be read: its data are not as isocost writes them ({why}); make the report again"
        ) from error
    return summary


# The condition in a call of provenance.
_PRICED = re.compile(r"condition=ic\.Condition\([^)]*\)")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def _plain(text: str) -> str:
    """Return user text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text.replace("\n", " "))


def _grid(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return a table, its first columns to the left and the numbers to the right."""
    top, *lines = (f"| {' | '.join(map(_plain, row))} |" for row in (map(capital, heads), *rows))
    return ["", top, f"|{'---|' * left}{'--:|' * (len(heads) - left)}", *lines]


def markdown(summary: dict[str, Any]) -> str:
    """Return the summary as Markdown text."""
    decision, source, found = summary["decision"], summary["provenance"], summary.get("groups")
    lines = [f"# {_plain(summary['title'])}", "", f"**{_plain(decision['says']['headline'])}**", ""]
    lines += [_plain(text) for text in html.sentences(decision)]
    lines += [f"- Note: {_plain(text)}" for text in decision["warnings"]]
    lines += [f"- Data: {_plain(text)}" for text in summary["data"].get("notes", ())]
    lines += _grid(*table_of(decision), 2)
    if found is not None:
        words, level = decision["question"]["words"], summary["level"]
        rows = [[cell.replace("\n", ", ") for cell in group_section.cells(row, words)] for row in found["rows"]]
        lines += ["", "## Groups", "", *map(_plain, group_section.sentences(found, words, level))]
        lines += [*_grid(group_section.heads(words, level), rows, 1), ""]
        lines += [f"- {_plain(group_section.price_text(curve, words))}" for curve in found["prices"]]
    lines += ["", f"isocost {source['isocost']}, data {source['fingerprint'][:12]}, `{source['call']}`", ""]
    return "\n".join(lines)


_FORMS = {".html": "html", ".json": "json", ".md": "markdown"}
SUFFIXES = tuple(_FORMS)


@dataclass(frozen=True, eq=False, repr=False)
class Report(Result):
    """What to deploy, and a page on which anyone can drag the costs and see the answer move.

    Made by `Comparison.report`. In a notebook it shows itself; `save` writes one file that opens offline.

    Attributes
    ----------
    summary : dict
        Everything the report says, as plain data; the reference of the report documents its schema.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> comparison = ic.Comparison.from_scores(*load_german_credit_predictions())
    >>> report = comparison.report(condition=ic.Condition(cost_fp=1, cost_fn=5, prevalence=0.3), unit="DM", n_resamples=0)
    >>> report
    <Report: Use random_forest and flag scores of 0.2486 or more. How certain this is has not been worked out.>
    >>> report.html.startswith("<!doctype html>")
    True
    """

    summary: dict[str, Any]

    @cached_property
    def html(self) -> str:
        """The page: one file, nothing fetched."""
        return html.page(self.summary)

    @property
    def json(self) -> str:
        """The summary as JSON text."""
        return json.dumps(self.summary, ensure_ascii=False, allow_nan=False, indent=1)

    @property
    def markdown(self) -> str:
        """The decision and the table as Markdown text."""
        return markdown(self.summary)

    def _with(self, **parts: Any) -> Report:
        return Report(self.summary | parts)

    def noted(
        self,
        notes: Sequence[str],
        *,
        file: str | None = None,
        label: str | None = None,
        amounts: Mapping[str, Any] | None = None,
    ) -> Report:
        """Return the report with what reading its file found out: what was taken, and what was left out and why.

        `amounts` says how columns of costs are written: `python` makes `costs` and `comparison`, `condition` is theirs, and `command` has
        the options.
        """
        checks.instance(notes, "notes", list | tuple, "a list of sentences")
        found: dict[str, Any] = {"notes": [checks.text(note, "a note") for note in notes], "file": file, "label": label}
        source = dict(self.summary["provenance"])
        if amounts is not None:
            found["amounts"] = dict(checks.instance(amounts, "amounts", Mapping, "a mapping"))
            checks.columns(("python", "condition"), amounts, "entry of amounts")
            lines = [checks.text(line, "a line") for line in checks.sequence(amounts["python"], "python of amounts")]
            for key in ("call", "decide"):
                source[key] = _PRICED.sub(lambda _: f"condition={amounts['condition']}", source[key], count=1)
            source["call"] = "; ".join([*lines, source["call"]])
        return self._with(data=self.summary["data"] | found, provenance=source)

    def evaluated(self, evaluation: Evaluation, name: str = "Held-out cases") -> Report:
        """Return the report with what its rule does and costs on other cases, as `Decision.evaluate_on` found it.

        Parameters
        ----------
        evaluation : Evaluation
        name : str
            Of these cases.
        """
        checks.instance(evaluation, "evaluation", Evaluation, "what Decision.evaluate_on returns")
        data, source = self.summary["data"], self.summary["provenance"]
        found = f"{source['decide']}.evaluate_on(y_held_out, scores_held_out)"
        made = {"call": f"{source['call']}.evaluated({found}, {name!r})"}
        notes = [*data["notes"], f"{name}: {evaluation}"]
        return self._with(data=data | {"notes": notes}, provenance=source | made)

    def grouped(self, groups: Groups, *, prevalence: Literal["own", "condition"] = "own") -> Report:
        """Return the report with a section about groups of its cases, at the costs of its decision.

        Parameters
        ----------
        groups : Groups
        prevalence : {"own", "condition"}
            As in `Groups.decide`.
        """
        return self._with(groups=group_section.payload(groups, self.summary, prevalence))

    def cascaded(self, cascade: CascadeChoice) -> Report:
        """Return the report with a second model that may be asked in place of a person, as `Comparison.cascade` found it.

        The page shows it among the second looks, at the costs of the cascade.

        Parameters
        ----------
        cascade : CascadeChoice
            Of two of the report's models, at best with `new_cases`.
        """
        checks.instance(cascade, "cascade", CascadeChoice, "what Comparison.cascade returns")
        names = tuple(model["name"] for model in self.summary["models"])
        checks.columns((cascade.first, cascade.then), names, "model of the cascade")
        return self._with(cascade=cascade.reported())

    def to_dict(self) -> dict[str, Any]:
        """Return the summary."""
        return self.summary

    def _columns(self) -> Columns:
        return stacked(self.summary["models"])

    def save(self, path: str | Path) -> Path:
        """Write the report; the suffix says how: .html (the page), .json (all data) or .md (text)."""
        target = checks.path(path)
        write_text(target, getattr(self, _FORMS[checks.suffix(target, SUFFIXES, "report")]))
        return target

    def show(self) -> Path:
        """Write the page into a temporary folder, open it in the browser, and return where it is."""
        target = self.save(Path(mkdtemp(prefix="isocost-")) / "report.html")
        webbrowser.open(target.as_uri())
        return target

    def explore(self, *, port: int = 0, browse: bool = True) -> None:
        """Serve the page on this machine, with other files at hand, until Ctrl-C."""
        from isocost.explorer import Explorer, View, explore

        browse = checks.flag(browse, "browse")
        explore(Explorer(View(report=self), port=port), browse=browse)

    @classmethod
    def load(cls, path: str | Path) -> Report:
        """Return the report inside a saved .html or .json file."""
        file = checks.path(path)
        try:
            return cls(extract(file.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:  # no such file, no text, or no report
            raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error

    def _repr_html_(self) -> str:
        # In a frame of its own the page cannot disturb the notebook, nor the notebook the page.
        return (
            f'<iframe srcdoc="{escape(self.html)}" title="{escape(self.summary["title"])}" '
            'sandbox="allow-scripts allow-downloads allow-popups" width="100%" height="900" frameborder="0"></iframe>'
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/markdown": self.markdown, "text/plain": repr(self)}

    def __str__(self) -> str:
        """Say the decision in words."""
        return str(self.summary["decision"]["text"])

    def __repr__(self) -> str:
        """Say what to do, in short."""
        return f"<Report: {self.summary['decision']['says']['headline']}>"


def build(
    comparison: Comparison,
    question: Question,
    *,
    title: str | None = None,
    n_resamples: int | None = None,
    level: float = 0.9,
    rng: int | np.random.Generator | None = None,
    independent: bool = False,
) -> Report:
    """Return the report of a comparison at a question; `Comparison.report` says what the arguments mean."""
    title = None if title is None else checks.text(title, "title")
    drawn = {"level": level, "rng": rng, "independent": independent}
    return Report(summarise(comparison, question, title, n_resamples, drawn))
