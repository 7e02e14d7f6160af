"""The part of `Comparison` about two models: which of them is cheaper, where, and by how much."""

from __future__ import annotations

from typing import Literal

from isocost import validate
from isocost.comparison import difference as differing
from isocost.comparison import rule_winners as ruling
from isocost.comparison import winners as winning
from isocost.comparison.difference import Advantage
from isocost.comparison.dominance import dominates_on, roc_dominates
from isocost.conditions import Condition, Conditions
from isocost.cost_space import CostCurve
from isocost.cost_space.threshold_choice import Rules
from isocost.errors import InputError
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import JointHull

Over = Conditions | Condition | None
Space = Literal["cost", "roc"]
SPACES: tuple[Space, ...] = ("cost", "roc")


class Pairwise:
    """The part of `Comparison` about two models."""

    def __getitem__(self, name: str) -> RocCurve:
        """Return the curve of a model."""
        raise NotImplementedError

    def crossovers(self, a: str, b: str) -> list[float]:
        """Return each t at which the cheaper of two models changes, ascending.

        A stretch on which both cost the same counts once, and only if a different model is cheaper after it than before it. It counts as
        the t at which that model becomes strictly cheaper.
        """
        return winning.crossovers(JointHull((self[a], self[b])))

    def difference(self, a: str, b: str, *, method: Rules = "best", prevalence: float | None = None) -> CostCurve:
        """Return cost(a) - cost(b) at every pcf, exactly: negative where `a` is cheaper.

        With a `method` of choosing thresholds other than "best", or a pair of methods, one for each model, the curve is over cost
        proportions at a prevalence, by default the data's own. `a` and `b` may then be the same model.

        References
        ----------
        Drummond & Holte (2004), What ROC curves can't do (and cost curves can), section 6.
        """
        name = f"{a} − {b}"
        if isinstance(method, str) and method == "best":
            return differing.difference(self[a], self[b], name=name)
        return ruling.difference_by_rule(self[a], self[b], method, prevalence, name)

    def advantage(self, a: str, b: str, condition: Over = None) -> Advantage:
        """Return how much cheaper `a` is than `b`: on average, at most and at least, and where."""
        return differing.advantage(self[a], self[b], (a, b), Conditions.of(condition))

    def dominates(self, a: str, b: str, condition: Over = None, *, space: Space = "cost", strict: bool = True) -> bool:
        """Return whether `a` is never worse than `b`, and (if `strict`) somewhere better.

        Parameters
        ----------
        a, b : str
        condition : Conditions, optional
            The range of conditions that counts, for `space="cost"`.
        space : {"cost", "roc"}
            "cost": costs with the best thresholds at each condition. "roc": each operating point of `b` has one of `a` that
            catches no fewer positives and flags no more negatives (`roc_dominates`), which is more than any costs require.
        strict : bool
            False also accepts models that are equal throughout.
        """
        validate.choice(space, "space", SPACES)
        if space == "cost":
            return dominates_on(JointHull((self[a], self[b])), Conditions.of(condition), strict=strict)
        if condition is not None:
            raise InputError(
                "condition= goes with space='cost': dominance in ROC space holds under all conditions or not at all"
            )
        return roc_dominates(self[a], self[b], strict=strict)
