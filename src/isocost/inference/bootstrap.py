"""What resamples tell: how sure costs, differences, measures and choices are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.errors import InputError
from isocost.inference import bands, cheapest
from isocost.inference.bands import Band, Kind, Significance
from isocost.inference.cheapest import Cheapest
from isocost.inference.cost_bands import Within, band_of, difference_of
from isocost.inference.pairs import SignificantPairs, significant_pairs
from isocost.inference.roc_bands import RocBand, roc_band
from isocost.numbers import counted
from isocost.resampling.replicates import TARGETS, Replicates, Target
from isocost.resampling.sample import Sample
from isocost.results import Columns, Drawn
from isocost.validate import Floats

# What few ask of a bootstrap is loaded when asked for: the first one of a process is not to wait for all of it.
if TYPE_CHECKING:
    from isocost.curves.cost import Method as Rule
    from isocost.curves.cost import Rules
    from isocost.inference.intervals import Interval, Method
    from isocost.inference.sample_size import CasesNeeded


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap(Drawn):
    """Costs of one or several models on many resamples, and what follows about the truth.

    Attributes
    ----------
    pcf : ndarray
        The conditions at which costs are known.
    n_resamples : int
    positives, negatives : float

    Examples
    --------
    >>> import isocost as ic
    >>> resampled = ic.bootstrap_confusion({"tree": (16, 4, 4, 6)})
    >>> resampled
    <Bootstrap of 'tree': every outcome with its probability, 20 positives, 10 negatives>
    >>> low, centre, high = resampled.band("tree", level=0.9).at(0.5)
    >>> round(float(low), 4), round(float(centre), 4), round(float(high), 4)
    (0.15, 0.3, 0.45)
    """

    _display = "BootstrapDisplay"

    pcf: Floats
    _models: dict[str, Replicates]
    n_resamples: int
    positives: float
    negatives: float
    # The cases, for measures and choices; None when only confusion matrices were given.
    _sample: Sample | None = None
    # The share of positives in each resample; None if it is that of the data in all of them.
    _shares: Floats | None = None
    # Whether it was pickled: the cases stayed behind.
    _pickled: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The models' names."""
        return tuple(self._models)

    def _model(self, name: str) -> Replicates:
        return self._models[validate.choice(name, "model", self.names)]

    def band(
        self,
        name: str,
        level: float = 0.90,
        kind: Kind = "pointwise",
        *,
        target: Target = "best",
        over: Condition | Conditions | None = None,
        method: Rule = "best",
        prevalence: float | None = None,
    ) -> Band:
        """Return limits for the cost of a model at each condition.

        Parameters
        ----------
        name : str
        level : float
            Strictly between 0 and 1.
        kind : {"pointwise", "simultaneous"}
            "pointwise": right at any one condition with this confidence. "simultaneous": right at all conditions at once.
        target : {"best", "chosen", "apparent"}
            What is to be covered, when thresholds are chosen at each condition. "best": the cost of the truly best
            threshold. "chosen": the true cost of the thresholds that were chosen on these data, a little higher. "apparent":
            the plain percentile band of the resampled curves; it repeats the optimism of the data and covers neither.
            For a fixed threshold and for confusion matrices there is nothing to choose and all three are the same.
        over : Condition or Conditions, optional
            Only these conditions are looked at, so a simultaneous band is narrower; all of them if not given.
        method, prevalence : optional
            Another way of choosing thresholds (see `cost_curve`), and the prevalence for it, by default the data's own.
        """
        return self._band((name,), over, method, prevalence, _checked(level, kind, target))

    def difference(
        self,
        a: str,
        b: str,
        level: float = 0.90,
        kind: Kind = "pointwise",
        *,
        target: Target = "best",
        over: Condition | Conditions | None = None,
        method: Rules = "best",
        prevalence: float | None = None,
    ) -> Band:
        """Return limits for cost(a) - cost(b) at each condition: below 0 where `a` is cheaper.

        Parameters are those of `band`; `method` may be a pair, one way of choosing thresholds for each model.
        """
        return self._band((a, b), over, method, prevalence, _checked(level, kind, target))

    def _band(self, names: tuple[str, ...], over: Any, method: Rules, prevalence: Any, asked: tuple[Any, ...]) -> Band:
        within = Within.of(self.pcf, {name: self._model(name) for name in names}, over)
        if not isinstance(method, str) or method != "best":
            from isocost.inference.rule_bands import rule_band

            return rule_band(self, within, names, method, prevalence, level=asked[0], kind=asked[1])
        return (
            band_of(within, *names, *asked) if len(names) == 1 else difference_of(within, (names[0], names[1]), *asked)
        )

    def significant(
        self,
        a: str,
        b: str,
        level: float = 0.90,
        kind: Kind = "simultaneous",
        *,
        target: Target = "best",
        over: Condition | Conditions | None = None,
    ) -> list[Significance]:
        """Return the ranges of t on which one model is significantly cheaper: (t_low, t_high, better), ascending.

        By default the band of the difference is simultaneous. All ranges found are then real with this confidence. "pointwise"
        answers for one condition named beforehand. For several pairs at once use `significant_pairs`.
        """
        return self.difference(a, b, level, kind, target=target, over=over).significant()

    def significant_pairs(
        self, level: float = 0.90, *, over: Condition | Conditions | None = None, target: Target = "best"
    ) -> SignificantPairs:
        """Return which models are significantly cheaper than which others, and where, over all pairs at once.

        With this confidence no claim is false, however many models are equally good. This takes at least 800 resamples.

        Parameters
        ----------
        level : float
            Strictly between 0 and 1.
        over : Condition or Conditions, optional
            Only these conditions are tested; all of them if not given.
        target : {"best", "chosen", "apparent"}
            As for `band`.

        References
        ----------
        Westfall & Young (1993), Resampling-based multiple testing, Wiley.
        Romano & Wolf (2005), Exact and approximate stepdown methods for multiple hypothesis testing, JASA 100:94-108.

        Examples
        --------
        >>> import isocost as ic
        >>> from isocost.datasets import load_german_credit_predictions
        >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=800)
        >>> for claim in resampled.significant_pairs():
        ...     print(claim.better, "<", claim.worse, round(claim.t_low, 2), round(claim.t_high, 2))
        random_forest < naive_bayes 0.83 0.84
        """
        share, _, target = _checked(level, "simultaneous", target)
        return significant_pairs(Within.of(self.pcf, self._models, over), share, target, over)

    def cheapest(self) -> Cheapest:
        """Return how often each model, or a trivial classifier, is the cheapest on a resample, at each condition."""
        if any(model.slack is not None for model in self._models.values()):
            self._cases("cheapest")
        return cheapest.cheapest(self._models, self.pcf)

    def interval(
        self,
        name: str,
        measure: str | Callable[..., float],
        level: float = 0.90,
        *,
        versus: str | None = None,
        over: Conditions | Condition | None = None,
        threshold: float | None = None,
        condition: Condition | None = None,
        method: Method = "auto",
        **options: Any,
    ) -> Interval:
        """Return limits for one number: a measure, something about one threshold, or any function of the curve.

        Parameters
        ----------
        name : str
        measure : str or function
            Any registered measure ("auc", "voros", "mean_normalised_cost", …); "partial_auc" and "tpr_at_fpr" with their options
            `fpr=` and `tpr=`; or, with `threshold`, one of "tpr", "fpr", "precision", "flagged", "normalised_cost" and "cost" (per
            case, in the unit of the condition's costs). Or a function that takes a `RocCurve` and returns a number: its limits are
            percentiles, which say where resamples put it. For a chosen threshold they say no more than that.
        level : float
        versus : str, optional
            Another model: the limits are for the difference `name` minus `versus`, paired.
        over : Conditions, optional
            For measures that average over conditions.
        threshold : float, optional
            A threshold fixed in advance; with folds, the scores of all folds are compared with it.
        condition : Condition, optional
            For costs at a threshold, and for the prevalence that precision and flagged share refer to.
        method : {"auto", "percentile", "bca"}
            "auto": corrected for optimism if the measure chooses thresholds; symmetric on the logit scale for the AUC, and exact if
            the classes do not overlap; else percentiles. "bca": bias-corrected and accelerated percentiles (Efron 1987).
        **options
            Passed to the measure.

        References
        ----------
        Efron (1987), Better bootstrap confidence intervals, JASA 82:171-185, doi:10.1080/01621459.1987.10478410.
        """
        from isocost.inference.intervals import interval
        from isocost.inference.quantity import quantity

        for model in (name,) if versus is None else (name, versus):
            self._model(model)
        self._not_pickled("interval")
        what = quantity(self, measure, over=over, threshold=threshold, condition=condition, options=options)
        return interval(self, what, name, versus, validate.level(level), method)

    def roc_band(
        self, name: str, level: float = 0.90, kind: Kind = "pointwise", *, fpr: int | ArrayLike = 101
    ) -> RocBand:
        """Return limits for the tpr of a model at each fpr.

        Parameters
        ----------
        name : str
        level : float
            Strictly between 0 and 1.
        kind : {"pointwise", "simultaneous"}
            "simultaneous" has the same width everywhere.
        fpr : int or array
            How many places, equally spaced from 0 to 1, or which ones.

        References
        ----------
        Campbell (1994), Advances in statistical methodology for the evaluation of diagnostic and laboratory tests, Statistics in
        Medicine 13:499-508.
        """
        self._model(name)
        return roc_band(self._cases("roc_band"), name, self.n_resamples, level, kind, fpr)

    def cases_needed(
        self,
        a: str,
        b: str,
        condition: Condition | Conditions,
        *,
        difference: float | None = None,
        power: float = 0.80,
        level: float = 0.90,
    ) -> CasesNeeded:
        """Return how many cases it takes to show which of two models is cheaper, with these cases as a pilot.

        Parameters
        ----------
        a, b : str
        condition : Condition or Conditions
        difference : float, optional
            The difference in cost per 1000 cases to detect; by default the one estimated here.
        power, level : float
            Strictly between 0 and 1.
        """
        from isocost.decide import Question
        from isocost.inference.sample_size import needed_from_pilot

        question = Question.of(condition)
        pair = self._model(a), self._model(b)
        at = Within.of(self.pcf, dict(zip("ab", pair, strict=True)), question.at)
        return needed_from_pilot(at, self.positives, self.negatives, question, difference, power, level)

    def _cases(self, caller: str) -> Sample:
        """Return the cases, or say that there are none."""
        self._not_pickled(caller)
        if self._sample is None or self._sample.counted is not None:
            given = "confusion matrices" if self._sample is None else "joint counts"
            raise InputError(f"{caller} needs the cases themselves: use bootstrap(y_true, scores) instead of {given}")
        return self._sample

    def _not_pickled(self, caller: str) -> None:
        if self._pickled:
            raise InputError(
                f"{caller} needs the cases themselves, which a pickled bootstrap does not have: ask before pickling it"
            )

    def _columns(self) -> Columns:
        """Return a row for each model and condition: the cost with its pointwise band of 90 %."""
        parts = [self.band(name) for name in self.names]
        whole = {"model": [band.names[0] for band in parts for _ in band.pcf]}
        return whole | {
            name: np.concatenate([getattr(band, name) for band in parts])
            for name in ("pcf", "low", "centre", "high", "apparent")
        }

    def __getstate__(self) -> dict[str, Any]:
        """Leave cases behind; tables of counts travel."""
        counted = self._sample is None or self._sample.counted is not None
        return vars(self) if counted else vars(self) | {"_sample": None, "_pickled": True}

    def __repr__(self) -> str:
        """Say what was resampled."""
        exact = any(m.probability is not None for m in self._models.values())
        how = "every outcome with its probability" if exact else counted(self.n_resamples, "resample")
        how += "" if self._shares is None else " not stratified"
        who = ", ".join(map(repr, self.names))
        cases = f"{counted(self.positives, 'positive')}, {counted(self.negatives, 'negative')}"
        return f"<Bootstrap of {who}: {how}, {cases}>"


def _checked(level: float, kind: Kind, target: Target) -> tuple[float, Kind, Target]:
    validate.choice(kind, "kind", bands.KINDS)
    validate.choice(target, "target", TARGETS)
    return validate.level(level), kind, target
