"""Report: the summary of a comparison as a file, a notebook cell or text."""

from __future__ import annotations

import json
import math
import re
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from isocost.data import checks
from isocost.decide.cascade import CascadeChoice
from isocost.decide.decision import Evaluation
from isocost.decide.question import Question
from isocost.errors import InputError
from isocost.report import groups as group_section
from isocost.report import html
from isocost.report.summary import SCHEMA, VERSION, summarise
from isocost.results import Columns, Result, stacked, write_text

if TYPE_CHECKING:
    import numpy as np

    from isocost.compare import Comparison
    from isocost.groups import Groups


_DATA = re.compile(r'<script type="application/json" class="isocost-data">(.*?)</script>', re.DOTALL)
_UNREADABLE = "this report cannot be read: its data are not as isocost writes them; make the report again"
# What only the script of the page reads.
_READ_BY_SCRIPT: dict[str, Any] = {
    "level": float, "cautions": list, "draws": (dict, type(None)), "measures": list, "sentences": dict, "opened": dict,
}  # fmt: skip


def extract(text: str) -> dict[str, Any]:
    """Return the summary inside the text of a report file (HTML, or JSON as it is).

    Parameters
    ----------
    text : str

    Returns
    -------
    dict

    See Also
    --------
    build
    """
    found = _DATA.search(text)
    try:
        summary = json.loads(text if found is None else found.group(1), parse_constant=_no_number, parse_float=_finite)
    except InputError:
        raise
    except ValueError as error:  # no JSON, or a whole number of thousands of digits
        raise InputError("this is not an isocost report: no data found in it") from error
    except RecursionError as error:
        raise InputError("this is not an isocost report: its data are nested too deeply") from error
    if not isinstance(summary, dict) or summary.get("schema") != SCHEMA:
        raise InputError("this is not an isocost report: its data do not say so")
    if summary.get("version") != VERSION:
        raise InputError(
            f"this report has version {summary.get('version')!r} of its data, and this isocost reads version {VERSION}; "
            "make the report again"
        )
    try:
        html.static_block(summary)
        markdown(summary)
        known = all(isinstance(summary[name], kind) for name, kind in _READ_BY_SCRIPT.items())
    except Exception as error:  # data of another shape fail in any way they can
        raise InputError(f"{_UNREADABLE} ({type(error).__name__}: {error})") from error
    if not known or not summary["models"]:
        raise InputError(_UNREADABLE)
    return summary


def _no_number(word: str) -> NoReturn:
    raise InputError(f"this report cannot be read: it holds {word}, which is not a number; make the report again")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits[:40])


# The condition in a call of provenance.
_PRICED = re.compile(r"condition=ic\.Condition\([^)]*\)")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def _plain(text: str) -> str:
    """Return user text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text.replace("\n", " "))


def markdown(summary: dict[str, Any]) -> str:
    """Return the summary as Markdown text."""
    decision = summary["decision"]
    lines = [f"# {_plain(summary['title'])}", "", f"**{_plain(decision['says']['headline'])}**", ""]
    lines += [_plain(text) for text in html.sentences(decision)]
    lines += [f"- Note: {_plain(text)}" for text in decision["warnings"]]
    lines += [f"- Data: {_plain(text)}" for text in summary["data"].get("notes", ())]
    names = [_plain(text) for text in html.heads(summary)]
    lines += ["", f"| {' | '.join(names)} |", f"|---|---{'|--:' * (len(names) - 2)}|"]
    lines += [f"| {' | '.join(_plain(cell) for cell in row)} |" for row in html.rows(summary)]
    lines += _groups(summary)
    source = summary["provenance"]
    lines += ["", f"isocost {source['isocost']}, data {source['fingerprint'][:12]}, `{source['call']}`", ""]
    return "\n".join(lines)


def _groups(summary: dict[str, Any]) -> list[str]:
    """Return the section about groups, nothing if there is none."""
    found = summary.get("groups")
    if found is None:
        return []
    words, level = group_section.words_of(summary), summary["level"]
    names = [_plain(text) for text in group_section.heads(words, level)]
    said = group_section.sentences(found, words, level)
    prices = [group_section.price_text(curve, words) for curve in found["prices"]]
    lines = [
        "",
        "## Groups",
        "",
        *map(_plain, said),
        "",
        f"| {' | '.join(names)} |",
        f"|---{'|--:' * (len(names) - 1)}|",
    ]
    lines += [
        f"| {' | '.join(_plain(cell.replace(chr(10), ', ')) for cell in group_section.cells(row, words))} |"
        for row in found["rows"]
    ]
    return [*lines, "", *(f"- {_plain(text)}" for text in prices)]


SUFFIXES = (".html", ".json", ".md")


@dataclass(frozen=True, eq=False, repr=False)
class Report(Result):
    """What to deploy, and a page on which anyone can drag the costs and see the answer move.

    Made by `Comparison.report`. In a notebook it shows itself; `save` writes one file that opens offline.

    Attributes
    ----------
    summary : dict
        Everything the report says, as plain data; the schema is documented in `isocost.report.summary`.

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
        if amounts is not None:
            given = checks.instance(amounts, "amounts", Mapping, "a dict of python, condition and command")
            lines = checks.instance(given.get("python"), "python of amounts", list | tuple, "a list of lines")
            amounts = {key: checks.text(given.get(key), f"{key} of amounts") for key in ("condition", "command")}
            amounts["python"] = [checks.text(line, "a line of python") for line in lines]
            found["amounts"] = amounts
        return Report(self.summary | {"data": self.summary["data"] | found, "provenance": self._made_by(amounts)})

    def _made_by(self, amounts: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the provenance; with columns of costs its calls start from these."""
        source: dict[str, Any] = self.summary["provenance"]
        if amounts is None:
            return source
        calls = {
            key: _PRICED.sub(lambda _: f"condition={amounts['condition']}", source[key], count=1)
            for key in ("call", "decide")
        }
        return source | calls | {"call": "; ".join([*amounts["python"], calls["call"]])}

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
        return Report(self.summary | {"data": data | {"notes": notes}, "provenance": source | made})

    def grouped(self, groups: Groups, *, prevalence: Literal["own", "condition"] = "own") -> Report:
        """Return the report with a section about groups of its cases, at the costs of its decision.

        Parameters
        ----------
        groups : Groups
        prevalence : {"own", "condition"}
            As in `Groups.decide`.
        """
        return Report(self.summary | {"groups": group_section.payload(groups, self.summary, prevalence)})

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
        for name in (cascade.first, cascade.then):
            checks.choice(name, "model of the cascade", names)
        return Report(self.summary | {"cascade": cascade.said()})

    def to_dict(self) -> dict[str, Any]:
        """Return the summary."""
        return self.summary

    def _columns(self) -> Columns:
        return stacked(self.summary["models"])

    def save(self, path: str | Path) -> Path:
        """Write the report; the suffix says how: .html (the page), .json (all data) or .md (text)."""
        target = checks.path(path)
        text = {".html": lambda: self.html, ".json": lambda: self.json, ".md": lambda: self.markdown}.get(
            target.suffix.lower()
        )
        if text is None:
            raise InputError(f"a report is saved as {', '.join(SUFFIXES)}, got {str(path)!r}")
        write_text(target, text())
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
        except UnicodeDecodeError as error:
            raise InputError(f"{path} is not an isocost report: it is not text") from error
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
        except InputError as error:
            raise InputError(f"{path}: {error}") from error

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
    """Return the report of a comparison at a question; `Comparison.report` says what the arguments mean.

    Parameters
    ----------
    comparison : Comparison
    question : Question
    title : str, optional
    n_resamples : int, optional
    level : float
    rng : int or numpy.random.Generator, optional
    independent : bool

    Returns
    -------
    Report

    See Also
    --------
    isocost.Comparison.report : the same from costs and limits.
    """
    title = None if title is None else checks.text(title, "title")
    asked: dict[str, Any] = {"n_resamples": n_resamples, "level": level, "rng": rng, "independent": independent}
    return Report(summarise(comparison, question, title=title, **asked))
