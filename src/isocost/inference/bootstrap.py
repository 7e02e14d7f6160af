"""The bootstrap: how sure costs, differences, measures and choices are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.counts.joint_counts import JointCounts
from isocost.engines.cases import Rows
from isocost.errors import InputError, UnknownNameError
from isocost.inference import bands, cheapest, honest, intervals
from isocost.inference.bands import Band, Kind, Significance
from isocost.inference.cheapest import Cheapest
from isocost.inference.honest import Honest
from isocost.inference.intervals import Interval, Method
from isocost.inference.quantity import quantity
from isocost.inference.review_saving import review_saving
from isocost.resampling import engine, joint
from isocost.resampling.replicates import JUDGES_OF_TWO, TARGETS, Collector, Replicates, Target
from isocost.resampling.sample import Sample
from isocost.results.doors import Drawn
from isocost.results.progress import Progress, Report
from isocost.validate import Floats


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
    pos_label: Any = None,
    progress: Report | bool | None = None,
) -> Bootstrap:
    """Resample the cases, the same ones for every model, and evaluate each model on every resample.

    Cases are drawn with replacement within each class, so the class totals stay as they are. At each condition the threshold
    that is best on the resample is taken, as with the data. Thresholds look better on the cases they were chosen on. Default
    bands correct for that.

    Parameters
    ----------
    y_true : array of shape (n,), or JointCounts
        Two classes, as in `ScoreCounts.from_arrays`; at least two cases of each. Or, instead of labels and scores, joint counts of
        cases that do not fit into memory. Scores are known up to their block then: thresholds are chosen among the ends of
        blocks, and bands and intervals are widened by what better ones could lie between (`open`).
    scores : dict of name to array of shape (n,)
        Every model scored every case: differences are paired.
    n_resamples : int
        2000 is enough for 90 % bands; intervals of level 0.99 deserve 10 000.
    sample_weight : array of shape (n,), optional
        What a case counts each time it is drawn. Every row is one independent case, whatever its weight.
    rng : int or Generator, optional
        Seed; 0 if not given. The same seed gives the same numbers on every platform (of one model with 5000 cases or more: on
        every platform with the same NumPy and mathematical library), in whatever order the rows are. Resample i does not depend
        on how many there are.
    grid : int or array
        How many conditions, equally spaced in pcf from 0 to 1, or which ones.
    cluster : array of shape (n,), optional
        Cases that belong together (of one patient, of one day) are drawn together.
    fold : array of shape (n,), optional
        Cases scored by separately trained models: each fold has thresholds of its own, and costs are averaged over folds.
    fixed : float or dict of name to float, optional
        Thresholds settled beforehand, kept at every condition: the cost is a straight line then.
    pos_label : optional
        The label to detect.
    progress : function of (done, total), or bool, optional
        By default a line on stderr, only on a terminal and only after a second.

    Returns
    -------
    Bootstrap

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
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y, scores = load_german_credit_predictions()
    >>> resampled = ic.bootstrap(y, scores, n_resamples=500)
    >>> band = resampled.band("random_forest", level=0.9)
    >>> [round(float(v), 2) for v in band.at(0.5)]
    [0.26, 0.28, 0.31]
    >>> [(round(t_low, 2), round(t_high, 2), better) for t_low, t_high, better in
    ...  resampled.significant("random_forest", "naive_bayes")]
    [(0.8, 0.85, 'random_forest')]
    """
    if isinstance(y_true, JointCounts):
        given = {
            "scores": scores,
            "sample_weight": sample_weight,
            "cluster": cluster,
            "fold": fold,
            "pos_label": pos_label,
        }
        sample = joint.sample_of(y_true, given, validate.entropy(rng))
    else:
        validate.aligned(y_true=y_true, cluster=cluster)
        rows = Rows.from_scores(y_true, scores, sample_weight, pos_label, fold)
        sample = Sample.of(rows, cluster, validate.entropy(rng))
    total = validate.whole(n_resamples, "n_resamples", low=1)
    pcf = validate.pcf_grid(grid)
    lines = _fixed(fixed, sample)
    sample.warn()
    resampler = engine.choose(sample, fixed=bool(lines))
    gathered = {name: Collector(pcf, resampler.data(name), lines.get(name)) for name in sample.models}
    done = 0
    with Progress(total, progress, "bootstrap") as told:
        for batch in resampler.batches(total + JUDGES_OF_TWO):
            for name, collector in gathered.items():
                collector.add(batch.curves(name))
            done += len(batch)
            told.update(min(max(0, done - JUDGES_OF_TWO), total))
    step = sample.step(pcf)
    models = {name: collector.finish(step, total) for name, collector in gathered.items()}
    return Bootstrap(pcf, models, total, *sample.totals, sample)


def _fixed(fixed: float | Mapping[str, float] | None, sample: Sample) -> dict[str, list[int]]:
    given = fixed if isinstance(fixed, Mapping) else {} if fixed is None else dict.fromkeys(sample.models, fixed)
    for name in given:
        if name not in sample.models:
            raise UnknownNameError("model in fixed", name, sample.models)
    return {name: sample.points(name, validate.number(cut, f"fixed[{name!r}]")) for name, cut in given.items()}


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

    @property
    def names(self) -> tuple[str, ...]:
        """The models' names."""
        return tuple(self._models)

    def _model(self, name: str) -> Replicates:
        if name not in self._models:
            raise UnknownNameError("model", name, self._models)
        return self._models[name]

    @property
    def _trivial(self) -> Floats:
        return np.minimum(self.pcf, 1 - self.pcf)

    def band(self, name: str, level: float = 0.90, kind: Kind = "pointwise", *, target: Target = "best") -> Band:
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
        """
        model, share, kind, target = self._model(name), *_checked(level, kind, target)
        estimate = model.estimate(target, self.pcf)
        # Single curves stop at the trivial classifiers, so their mean lies below the estimate there.
        middle = estimate if model.chosen and target != "apparent" else None
        values = model.values(target, self.pcf)
        low, high = bands.limits(values, share, kind, model.step, model.probability, middle=middle)
        top = self._trivial if model.chosen and target == "best" else 1.0
        low, high = (low if model.slack is None else low - model.slack).clip(0.0, top), high.clip(0.0, top)
        centre = np.clip(estimate, low, high)
        what = bands.covers(target, chosen=model.chosen)
        return Band(self.pcf, low, centre, high, model.apparent, share, kind, what, (name,), model.slack)

    def difference(
        self, a: str, b: str, level: float = 0.90, kind: Kind = "pointwise", *, target: Target = "best"
    ) -> Band:
        """Return limits for cost(a) - cost(b) at each condition: below 0 where `a` is cheaper.

        Parameters are those of `band`.
        """
        first, second, share, kind, target = self._model(a), self._model(b), *_checked(level, kind, target)
        steady = kind == "simultaneous"
        one, two = (m.values(target, self.pcf, judges=JUDGES_OF_TWO, steady=steady) for m in (first, second))
        estimate = first.estimate(target, self.pcf) - second.estimate(target, self.pcf)
        middle = estimate if (first.chosen or second.chosen) and target != "apparent" else None
        step = np.maximum(first.step, second.step)
        low, high = bands.limits(one - two, share, kind, step, first.probability, middle=middle)
        top = self._trivial if first.chosen and second.chosen and target == "best" else 1.0
        below, above = (m.slack if m.slack is not None else np.zeros(self.pcf.size) for m in (first, second))
        low, high = np.clip(low - below, -top, top), np.clip(high + above, -top, top)
        unknown = None if first.slack is None and second.slack is None else below + above
        what = "the difference of " + bands.covers(target, chosen=first.chosen or second.chosen)
        apparent = first.apparent - second.apparent
        centre = np.clip(estimate, low, high)
        return Band(self.pcf, low, centre, high, apparent, share, kind, what, (a, b), unknown)

    def significant(
        self, a: str, b: str, level: float = 0.90, kind: Kind = "simultaneous", *, target: Target = "best"
    ) -> list[Significance]:
        """Return the ranges of t on which one model is significantly cheaper: (t_low, t_high, better), ascending.

        By default the band of the difference is simultaneous, so that whatever ranges are found, all of them are real with
        this confidence. "pointwise" answers for one condition named beforehand.
        """
        return self.difference(a, b, level, kind, target=target).significant()

    def cheapest(self) -> Cheapest:
        """Return how often each model, or a trivial classifier, is the cheapest on a resample, at each condition."""
        if any(model.slack is not None for model in self._models.values()):
            self._cases("cheapest")
        return cheapest.cheapest(self._models, self.pcf)

    def interval(
        self,
        name: str,
        measure: str,
        level: float = 0.90,
        *,
        versus: str | None = None,
        over: Conditions | Condition | None = None,
        threshold: float | None = None,
        condition: Condition | None = None,
        method: Method = "auto",
        **options: Any,
    ) -> Interval:
        """Return limits for one number: a registered measure, or something about one threshold.

        Parameters
        ----------
        name : str
        measure : str
            Any registered measure ("auc", "voros", "mean_normalised_cost", …), or, with `threshold`, one of "tpr", "fpr",
            "precision", "flagged", "normalised_cost" and "cost" (per case, in the unit of the condition's costs).
        level : float
        versus : str, optional
            Another model: the limits are for the difference `name` minus `versus`, paired.
        over : Conditions, optional
            For measures that average over conditions.
        threshold : float, optional
            A threshold settled beforehand; the scores of all folds, if there are any, are compared with it.
        condition : Condition, optional
            For costs at a threshold, and for the prevalence that precision and flagged share refer to.
        method : {"auto", "percentile", "bca"}
            "auto": corrected for optimism if the measure chooses thresholds, else percentiles. "bca": bias-corrected and
            accelerated percentiles (Efron 1987).
        **options
            Passed to the measure.

        References
        ----------
        Efron (1987), Better bootstrap confidence intervals, JASA 82:171-185, doi:10.1080/01621459.1987.10478410.
        """
        for model in (name,) if versus is None else (name, versus):
            self._model(model)
        what = quantity(self, measure, over=over, threshold=threshold, condition=condition, options=options)
        return intervals.interval(self, what, name, versus, validate.level(level), method)

    def honest(self, condition: Condition | Conditions, level: float = 0.90) -> Honest:
        """Return what choosing model and threshold on such data really costs at a condition.

        On every resample the cheapest model and threshold are chosen, and paid for on the cases that were not drawn.

        Parameters
        ----------
        condition : Condition or Conditions
            For uncertain conditions one threshold is chosen for their mean t.
        level : float
        """
        return honest.honest(self._cases("honest"), condition, validate.level(level), self.n_resamples)

    def review_saving(
        self,
        name: str,
        condition: Condition | Conditions,
        *,
        cost_review: float,
        max_reviewed: float | None = None,
        reviewer_fpr: float = 0.0,
        reviewer_tpr: float = 1.0,
        level: float = 0.90,
    ) -> Interval:
        """Return limits for what the best review band saves per case, in the unit of the costs; see `review_band`.

        The saving is read off three points of the cost curve, each corrected for optimism. The apparent one is that of the mixture
        under a limit. It tends to be too low: one threshold looks better on its own cases than it is, and so do two, but by less.
        """
        self._model(name)
        return review_saving(
            self, name, condition, cost_review=cost_review, max_reviewed=max_reviewed,
            reviewer_fpr=reviewer_fpr, reviewer_tpr=reviewer_tpr, level=validate.level(level),
        )  # fmt: skip

    def _cases(self, caller: str) -> Sample:
        """Return the cases, or say that there are none."""
        if self._sample is None:
            raise InputError(
                f"{caller} needs the cases themselves: use bootstrap(y_true, scores) instead of confusion matrices"
            )
        if self._sample.counted is not None:
            raise InputError(
                f"{caller} needs the cases themselves: use bootstrap(y_true, scores) instead of joint counts"
            )
        return self._sample

    def __repr__(self) -> str:
        """Say what was resampled."""
        exact = any(m.probability is not None for m in self._models.values())
        how = "every outcome with its probability" if exact else f"{self.n_resamples} resamples"
        who = ", ".join(map(repr, self.names))
        return f"<Bootstrap of {who}: {how}, {self.positives:.12g} positives, {self.negatives:.12g} negatives>"


def _checked(level: float, kind: Kind, target: Target) -> tuple[float, Kind, Target]:
    validate.choice(kind, "kind", bands.KINDS)
    validate.choice(target, "target", TARGETS)
    return validate.level(level), kind, target
