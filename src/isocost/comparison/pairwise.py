"""The part of `Comparison` about two models: which of them is cheaper, where, and by how much."""

from __future__ import annotations

from typing import Literal

from isocost import validate
from isocost.comparison import difference as differing
from isocost.comparison import open_crossovers as open_crossing
from isocost.comparison import rule_winners as ruling
from isocost.comparison.difference import Advantage
from isocost.comparison.dominance import dominates_within_bounds, roc_dominates
from isocost.conditions import Condition, Conditions
from isocost.conditions.ranges import TRange
from isocost.cost_space import CostCurve
from isocost.cost_space.threshold_choice import Rules
from isocost.errors import InputError
from isocost.roc_space import RocCurve

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

        Raises
        ------
        InexactError
            If counts in buckets leave it open; `crossover_bounds` answers then.
        """
        return open_crossing.crossovers(self[a], self[b])

    def crossover_bounds(self, a: str, b: str) -> tuple[TRange, ...]:
        """Return the ranges of t in which the cheaper of two models changes; each is a single t unless buckets leave it open.

        Before and after each range the cheaper model is certain, and it is a different one. Where buckets leave open which one is
        cheaper, it may also change there and back; `winners` of the two shows where.

        Examples
        --------
        >>> import isocost as ic
        >>> a = ic.ScoreCounts([0.9, 0.6, 0.1], [3, 4, 3], [0, 4, 6], upper=[0.9, 0.7, 0.1])
        >>> b = ic.ScoreCounts([0.9, 0.4, 0.1], [2, 7, 1], [0, 3, 7])
        >>> pair = ic.Comparison([ic.RocCurve.from_counts(a, name="a"), ic.RocCurve.from_counts(b, name="b")])
        >>> [(round(span.t_low, 3), round(span.t_high, 3)) for span in pair.crossover_bounds("a", "b")]
        [(0.4, 0.667)]
        """
        return open_crossing.crossover_bounds(self[a], self[b])

    def difference(self, a: str, b: str, *, method: Rules = "best", prevalence: float | None = None) -> CostCurve:
        """Return cost(a) - cost(b) at every pcf, exactly: negative where `a` is cheaper.

        With a `method` of choosing thresholds other than "best", or a pair of methods, one for each model, the curve is over cost
        proportions at a prevalence, by default the data's own. `a` and `b` may then be the same model.

        Raises
        ------
        InexactError
            If counts in buckets leave it open; `difference_bounds` answers then.

        References
        ----------
        Drummond & Holte (2004), What ROC curves can't do (and cost curves can), section 6.
        """
        name = f"{a} − {b}"
        if isinstance(method, str) and method == "best":
            if not (self[a].hull_is_exact and self[b].hull_is_exact):
                raise ruling.unsettled(self[a], self[b])
            return differing.difference(self[a], self[b], name=name)
        return ruling.difference_by_rule(self[a], self[b], method, prevalence, name)

    def difference_bounds(
        self, a: str, b: str, *, method: Rules = "best", prevalence: float | None = None
    ) -> tuple[CostCurve, CostCurve]:
        """Return what cost(a) - cost(b) lies between at every pcf; both curves are the same unless counts in buckets leave it open.

        Where the higher curve is below 0, `a` is cheaper for certain; where the lower one is above 0, `b` is. `method` and `prevalence`
        are those of `difference`.

        Examples
        --------
        >>> import isocost as ic
        >>> a = ic.ScoreCounts([0.5, 0.0], [8, 2], [1, 9], [0.9, 0.4])  # two buckets
        >>> b = ic.ScoreCounts([0.7, 0.2], [4, 6], [3, 7])
        >>> pair = ic.Comparison([ic.RocCurve.from_counts(a, name="a"), ic.RocCurve.from_counts(b, name="b")])
        >>> low, high = pair.difference_bounds("a", "b")
        >>> print(f"{low(0.5):.2f} to {high(0.5):.2f}")
        -0.40 to -0.30
        """
        first, second, name = self[a], self[b], f"{a} − {b}"
        if not (isinstance(method, str) and method == "best"):
            return ruling.difference_bounds_by_rule(first, second, method, prevalence, name)
        return (
            differing.difference(first._optimistic, second._inner_hull, name=name),
            differing.difference(first._inner_hull, second._optimistic, name=name),
        )

    def advantage(self, a: str, b: str, over: Over = None) -> Advantage:
        """Return how much cheaper `a` is than `b`: on average, at most and at least, and where; with bounds if buckets leave it open."""
        return differing.advantage(self[a], self[b], (a, b), Conditions.of(over))

    def dominates(self, a: str, b: str, over: Over = None, *, space: Space = "cost", strict: bool = True) -> bool:
        """Return whether `a` is never worse than `b`, and (if `strict`) somewhere better.

        Parameters
        ----------
        a, b : str
        over : Conditions, optional
            The range of conditions that counts, for `space="cost"`.
        space : {"cost", "roc"}
            "cost": costs with the best thresholds at each condition. "roc": each operating point of `b` has one of `a` that
            catches no fewer positives and flags no more negatives (`roc_dominates`), which is more than any costs require.
        strict : bool
            False also accepts models that are equal throughout.

        Raises
        ------
        InexactError
            If counts in buckets leave it open.
        """
        validate.choice(space, "space", SPACES)
        if space == "cost":
            return dominates_within_bounds(self[a], self[b], Conditions.of(over), strict=strict)
        if over is not None:
            raise InputError(
                "over= goes with space='cost': dominance in ROC space holds under all conditions or not at all"
            )
        return roc_dominates(self[a], self[b], strict=strict)
