"""What every command on files starts with: its data, its condition, and a way to talk."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from isocost.cli.output import Answer, Messages
from isocost.errors import InputError
from isocost.results import TEXTS, check_writable

if TYPE_CHECKING:
    import click

    from isocost.cli.data import Data
    from isocost.conditions import Condition, Conditions

COSTS = ("cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn")


@dataclass(frozen=True)
class Session:
    """The data and options of one run."""

    data: Data
    messages: Messages
    given: Mapping[str, Any]

    @classmethod
    def start(
        cls,
        ctx: click.Context,
        given: Mapping[str, Any],
        output: str | None,
        suffixes: Sequence[str] = TEXTS,
        amounts: Mapping[str, Any] | None = None,
    ) -> Session:
        """Check the output and the costs, then read the files."""
        from isocost.cli import condition_options, data

        check_writable(output, suffixes)
        if amounts is None:
            condition_options.check({name: given[name] for name in COSTS if name in given})
        messages = Messages(given["quiet"], given["verbose"])
        roles, form = data.asked(given)
        found = data.read(ctx, given["files"], roles, messages, form=form, memory=given.get("memory"))
        if amounts is not None and amounts["note"]:
            found.facts["notes"].append(amounts["note"])
        return cls(replace(found, averaged=given.get("average_folds", False), amounts=amounts), messages, given)

    @property
    def condition(self) -> Condition | Conditions:
        """The condition given, or the one supposed (and said so)."""
        from isocost.cli import condition_options

        return condition_options.needed(self._costs, self.data, self.messages)

    @property
    def over(self) -> Condition | Conditions | None:
        """The condition given, or None for all conditions."""
        from isocost.cli import condition_options

        if self.data.row_costs is not None and self.data.amounts is not None:
            return self.data.row_costs.condition(self.data.amounts["multiplier"])
        return condition_options.given(self._costs, self.data)

    @property
    def middle(self) -> Condition:
        """The condition given, ranges at their means; equal costs if none is."""
        from isocost.conditions import Condition, Conditions

        over = self.over
        if over is None:
            return Condition()
        if isinstance(over, Condition):
            return over
        means = Conditions.of(over).means
        assert means is not None  # noqa: S101 - ranges of costs have means
        return means

    def priced(self, *, limited: bool = False) -> dict[str, Any]:
        """Return the arguments `condition` and `prevalence` of a decision; without a cost only the prevalence is known."""
        from isocost.cli import condition_options

        given = self.given
        if any(given[name] is not None for name in COSTS if name != "prevalence"):
            return {"condition": self.over}
        if condition_options.certain(given["prevalence"]):
            if not limited:
                condition_options.one_prevalence(given["prevalence"], self.data)
            return {"prevalence": given["prevalence"]}
        if limited:
            raise InputError("limits without costs need one prevalence, got a range: give one, or say what errors cost")
        raise InputError("a range of the prevalence needs costs to be weighed with: give --cost-fn")

    @property
    def _costs(self) -> dict[str, Any]:
        return {name: self.given[name] for name in COSTS}

    def write_counts(self, output: str | None) -> None:
        """Write the score counts of all models, or print them as CSV."""
        from isocost.data import counts as count_tables

        counts = self.data.counts
        if self.data.has_rows:
            _ = self.data.curves  # which warns of scores that rank backwards or too well
        if output is None:
            sys.stdout.write(count_tables.as_csv(counts))
            return
        count_tables.write(counts, output)
        rows = sum(len(table) for table in counts.values())
        self.messages.say(f"Wrote {output}: {rows:,} rows for {', '.join(counts)}")

    def give(self, answer: Answer, output: str | None) -> None:
        """Print or write an answer, with what was found out about the data and stands not in it yet."""
        said = answer.text()
        notes = [note for note in self.data.to_dict()["notes"] if note not in said]
        answer = replace(answer, parts=[*answer.parts, *(["\n".join(notes)] if notes else [])])
        answer.give(as_json=self.given["as_json"], output=output)
        if output is not None:
            self.messages.say(f"Wrote {output}")
