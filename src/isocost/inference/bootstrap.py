"""The bootstrap: draws resamples, gathers what each model costs on them, and answers what follows about the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from isocost._front import documented, documented_by
from isocost.conditions import Condition, Conditions
from isocost.data import checks
from isocost.data.cases import Cases
from isocost.data.checks import Floats
from isocost.data.joint import JointCounts
from isocost.decide.question import Question
from isocost.inference.band import KINDS, Band, Claim, Kind, SignificantPairs, Statistic, Within, significant_pairs
from isocost.inference.intervals import Interval, interval, quantity
from isocost.inference.replicates import TARGETS, Collector, Replicates, Target
from isocost.inference.resample import JUDGES_OF_TWO, Sample
from isocost.inference.study import CasesNeeded, deviates
from isocost.numbers import counted
from isocost.results import Columns, Drawn

_NEEDS = "needs the cases themselves, which confusion matrices, joint counts and pickled bootstraps do not have"


@documented
@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap(Drawn):
    """Costs of one or several models on many resamples, and what follows about the truth.

    Attributes
    ----------
    pcf : ndarray
        The conditions at which costs are known.
    n_resamples : int
    positives, negatives : float

    See Also
    --------
    bootstrap : draws it.
    isocost.delong : the AUC without resamples.

    Examples
    --------
    >>> resampled = ic.inference.bootstrap_confusion({"tree": (16, 4, 4, 6)})
    >>> resampled
    <Bootstrap of 'tree': every outcome with its probability, 20 positives, 10 negatives>
    >>> low, centre, high = resampled.band("tree", level=0.9).at(0.5)
    >>> round(float(low), 4), round(float(centre), 4), round(float(high), 4)
    (0.15, 0.3, 0.45)
    """

    _display = "BootstrapDisplay"

    pcf: Floats
    replicates: dict[str, Replicates] = field(metadata={"data": False})
    n_resamples: int
    positives: float
    negatives: float
    sample: Sample | None = field(default=None, metadata={"data": False, "rows": True})
    shares: Floats | None = field(default=None, metadata={"data": False})

    @property
    def names(self) -> tuple[str, ...]:
        """The models' names."""
        return tuple(self.replicates)

    def _model(self, name: str) -> Replicates:
        return self.replicates[checks.choice(name, "model", self.names)]

    def band(
        self,
        name: str,
        level: float = 0.90,
        kind: Kind = "pointwise",
        *,
        target: Target = "best",
        condition: Condition | Conditions | None = None,
    ) -> Band:
        """Return limits for the cost of a model at each condition.

        Parameters
        ----------
        name : str
        kind : {"pointwise", "simultaneous"}
            "pointwise": right at any one condition with this confidence. "simultaneous": right at all conditions at once.
        target : {"best", "chosen", "apparent"}
            What is to be covered, when thresholds are chosen at each condition. "best": the cost of the truly best
            threshold. "chosen": the true cost of the thresholds that were chosen on these data, a little higher. "apparent":
            the plain percentile band of the resampled curves; it repeats the optimism of the data and covers neither.
            For a fixed threshold and for confusion matrices there is nothing to choose and all three are the same.
        condition : Condition or Conditions, optional
            Only these conditions are looked at, so a simultaneous band is narrower; all of them if not given.
        """
        return self._band((name,), condition, level, kind, target)

    def difference(
        self,
        a: str,
        b: str,
        level: float = 0.90,
        kind: Kind = "pointwise",
        *,
        target: Target = "best",
        condition: Condition | Conditions | None = None,
    ) -> Band:
        """Return limits for cost(a) - cost(b) at each condition: below 0 where `a` is cheaper.

        Parameters are those of `band`.
        """
        return self._band((a, b), condition, level, kind, target)

    def _band(self, names: tuple[str, ...], condition: Any, level: float, kind: Kind, target: Target) -> Band:
        share, kind, target = _checked(level, kind, target)
        within = Within.of(self.pcf, {name: self._model(name) for name in names}, condition)
        steady = len(names) == 2 and kind == "simultaneous" and within.long
        return Statistic.of(within, names, target, steady=steady).band(share, kind)

    def significant(
        self,
        a: str,
        b: str,
        level: float = 0.90,
        kind: Kind = "simultaneous",
        *,
        target: Target = "best",
        condition: Condition | Conditions | None = None,
    ) -> list[Claim]:
        """Return the ranges of t on which one model is significantly cheaper, ascending.

        By default the band of the difference is simultaneous. All ranges found are then real with this confidence. "pointwise"
        answers for one condition named beforehand. For several pairs at once use `significant_pairs`.
        """
        return self.difference(a, b, level, kind, target=target, condition=condition).significant()

    def significant_pairs(
        self, level: float = 0.90, *, condition: Condition | Conditions | None = None, target: Target = "best"
    ) -> SignificantPairs:
        """Return which models are significantly cheaper than which others, and where, over all pairs at once.

        With this confidence no claim is false, however many models are equally good. This takes at least 800 resamples.

        Parameters
        ----------
        condition : Condition or Conditions, optional
            Only these conditions are tested; all of them if not given.
        target : {"best", "chosen", "apparent"}
            As for `band`.

        References
        ----------
        Westfall & Young (1993), Resampling-based multiple testing, Wiley.
        Romano & Wolf (2005), Exact and approximate stepdown methods for multiple hypothesis testing, JASA 100:94-108.

        Examples
        --------
        >>> resampled = ic.bootstrap(*load_german_credit_predictions(), n_resamples=800)
        >>> for claim in resampled.significant_pairs():
        ...     print(claim.better, "<", claim.worse, round(claim.t_low, 2), round(claim.t_high, 2))
        random_forest < naive_bayes 0.83 0.84
        """
        share, _, target = _checked(level, "simultaneous", target)
        return significant_pairs(Within.of(self.pcf, self.replicates, condition), share, target)

    def interval(
        self,
        name: str,
        measure: str | Callable[..., float],
        level: float = 0.90,
        *,
        versus: str | None = None,
        condition: Conditions | Condition | None = None,
        threshold: float | None = None,
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
        condition : Condition or Conditions, optional
            What measures average over, or take the prevalence of. With a threshold one Condition: for costs, and for the prevalence
            that precision and flagged share refer to.
        threshold : float, optional
            A threshold fixed in advance; with folds, the scores of all folds are compared with it.
        **options
            Passed to the measure.

        Notes
        -----
        The limits are corrected for optimism if the measure chooses thresholds; symmetric on the logit scale for the AUC, and exact if
        the classes do not overlap; else percentiles.
        """
        models = [self._model(model) for model in ((name,) if versus is None else (name, versus))]
        if self.sample is None and models[0].areas is not None:
            self.cases("interval")
        what = quantity(self, measure, condition=condition, threshold=threshold, options=options)
        return interval(self, what, name, versus, checks.level(level))

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
        """
        question = Question.of(condition)
        pair = self._model(a), self._model(b)
        at = Within.of(self.pcf, dict(zip("ab", pair, strict=True)), question.at)
        models, weights = at.models.values(), pair[0].probability
        one, two = (model.values("best", at.pcf, judges=JUDGES_OF_TWO, clipped=False)[:, 0] for model in models)
        middle = float(np.average(one - two, weights=weights))
        spread = float(np.average((one - two - middle) ** 2, weights=weights))
        unit = 1000 * question.scale
        asked = middle if difference is None else checks.number(difference, "difference") / unit
        scale = spread * (sum(deviates(power, level, asked)) / asked) ** 2
        return CasesNeeded.of(self.positives * scale, self.negatives * scale, unit * asked, power, level)

    def cases(self, caller: str) -> Sample:
        """Return the cases for what `caller` does, or say that there are none."""
        known = None if self.sample is None or self.sample.joint is not None else self.sample
        return checks.needed(known, f"{caller} {_NEEDS}")

    def _columns(self) -> Columns:
        """Return a row for each model and condition: the cost with its pointwise band of 90 %."""
        parts = [self.band(name) for name in self.names]
        whole = {"model": [band.names[0] for band in parts for _ in band.pcf]}
        return whole | {
            name: np.concatenate([getattr(band, name) for band in parts])
            for name in ("pcf", "low", "centre", "high", "apparent")
        }

    def __repr__(self) -> str:
        exact = any(m.probability is not None for m in self.replicates.values())
        how = "every outcome with its probability" if exact else counted(self.n_resamples, "resample")
        how += "" if self.shares is None else " not stratified"
        who = ", ".join(map(repr, self.names))
        cases = f"{counted(self.positives, 'positive')}, {counted(self.negatives, 'negative')}"
        return f"<Bootstrap of {who}: {how}, {cases}>"


def _checked(level: float, kind: Kind, target: Target) -> tuple[float, Kind, Target]:
    checks.choice(kind, "kind", KINDS)
    checks.choice(target, "target", TARGETS)
    return checks.level(level), kind, target


@documented_by(see="Bootstrap isocost.delong isocost.curves.average_cost_curves")
def bootstrap(
    y_true: ArrayLike | JointCounts,
    scores: Mapping[str, ArrayLike] | None = None,
    *,
    n_resamples: int = 2000,
    sample_weight: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
    grid: int | ArrayLike = 201,
    cluster: ArrayLike | None = None,
    fold: ArrayLike | None = None,
    fixed: float | Mapping[str, float] | None = None,
    stratified: bool = True,
    pos_label: Any = None,
) -> Bootstrap:
    """Resample the cases, the same ones for every model, and evaluate each model on every resample.

    Cases are drawn with replacement within each class, so the class totals stay as they are. At each condition the threshold
    that is best on the resample is taken, as with the data. Thresholds look better on the cases they were chosen on. Default
    bands correct for that.

    Parameters
    ----------
    y_true : array of shape (n,), or JointCounts
        Two classes, as in `ScoreCounts.from_arrays`; at least two cases of each. Or, instead of labels and scores, joint counts of
        cases that do not fit into memory. Resamples then choose among the ends of blocks, and what better thresholds inside them save on
        these cases is taken off every resample.
    scores : dict of name to array of shape (n,)
        Every model scored every case: differences are paired.
    n_resamples : int
        2000 is enough for 90 % bands; intervals of level 0.99 deserve 10 000.
    sample_weight : array of shape (n,), optional
        How much a case counts each time it is drawn. Every row is one independent case, whatever its weight.
    rng : int or Generator, optional
        Seed; 0 if not given. The same seed gives the same numbers on every platform, whatever the order of the rows. Resample i does not
        depend on how many there are.
    cluster : array of shape (n,), optional
        Cases that belong together (of one patient, of one day) are drawn together.
    fold : array of shape (n,), optional
        For cases scored by separately trained models: each fold has its own thresholds, and costs are averaged over folds.
    fixed : float or dict of name to float, optional
        Thresholds fixed in advance and kept at every condition; the cost is then a straight line.
    stratified : bool
        Whether every resample has the class totals of the data, as in a study that sets them. If cases were drawn regardless of their
        class, pass False: the prevalence of the data is then uncertain too, which matters to the minimum error rate, the precision and
        the flagged share, unless a prevalence is given.

    Warns
    -----
    FewCasesWarning
        If a class has fewer than 20 cases, or a model separates the classes completely.

    References
    ----------
    Drummond & Holte (2004), What ROC curves can't do (and cost curves can), sections 8-9.
    Margineantu & Dietterich (2000), Bootstrap methods for the cost-sensitive evaluation of classifiers, ICML 17:582-590.

    Examples
    --------
    >>> y, scores = load_german_credit_predictions()
    >>> resampled = ic.bootstrap(y, scores, n_resamples=500)
    >>> band = resampled.band("random_forest", level=0.9)
    >>> [round(float(v), 2) for v in band.at(0.5)]
    [0.26, 0.28, 0.31]
    >>> [(found.better, round(found.t_low, 2), round(found.t_high, 2)) for found in
    ...  resampled.significant("random_forest", "naive_bayes")]
    [('random_forest', 0.8, 0.85)]
    """
    entropy = checks.entropy(rng)
    if isinstance(y_true, JointCounts):
        why = "goes with labels and scores; joint counts hold the cases already"
        checks.left_out(
            why, scores=scores, sample_weight=sample_weight, cluster=cluster, fold=fold, pos_label=pos_label
        )
        sample = Sample.of_joint(y_true, entropy, stratified=stratified)
    else:
        checks.aligned(y_true=y_true, cluster=cluster)
        cases = Cases.from_scores(y_true, scores, sample_weight, pos_label, fold)
        sample = Sample.of(cases, cluster, entropy, stratified=stratified)
    total = checks.resamples(n_resamples)
    pcf = checks.pcf_grid(grid)
    cuts = _fixed(fixed, sample)
    sample.warn()
    gathered = {
        name: Collector(
            pcf, sample.counts(name, sample.data), cuts.get(name), sample.curves(name)[0] if sample.joint else None
        )
        for name in sample.models
    }
    for drawn in sample.draws(0, total + JUDGES_OF_TWO):
        for name, collector in gathered.items():
            collector.add(sample.counts(name, drawn))
    step = sample.step(pcf)
    models = {name: collector.finish(step, coarse=sample.coarse(name)) for name, collector in gathered.items()}
    shares = None if stratified else next(iter(gathered.values())).shares
    return Bootstrap(pcf, models, total, *sample.totals, sample, shares)


def _fixed(fixed: float | Mapping[str, float] | None, sample: Sample) -> dict[str, list[int]]:
    given = fixed if isinstance(fixed, Mapping) else {} if fixed is None else dict.fromkeys(sample.models, fixed)
    for name in given:
        checks.choice(name, "model in fixed", sample.models)
    return {name: sample.points(name, checks.number(cut, f"fixed[{name!r}]")) for name, cut in given.items()}
