"""The bootstrap: checks what is given, draws resamples and gathers what each model costs on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from isocost import validate
from isocost.counts.joint_counts import JointCounts
from isocost.engines.cases import Cases
from isocost.errors import UnknownNameError
from isocost.inference.bootstrap import Bootstrap
from isocost.resampling import engine, joint
from isocost.resampling.replicates import JUDGES_OF_TWO, Collector
from isocost.resampling.sample import Sample
from isocost.results import Progress, Report

if TYPE_CHECKING:
    import numpy as np


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
        cases that do not fit into memory. Scores are then known only by their block: thresholds are chosen among the ends of blocks, and
        bands and intervals are widened by what better thresholds between them could save (`open`).
    scores : dict of name to array of shape (n,)
        Every model scored every case: differences are paired.
    n_resamples : int
        2000 is enough for 90 % bands; intervals of level 0.99 deserve 10 000.
    sample_weight : array of shape (n,), optional
        How much a case counts each time it is drawn. Every row is one independent case, whatever its weight.
    rng : int or Generator, optional
        Seed; 0 if not given. The same seed gives the same numbers on every platform (of one model with 5000 cases or more: on
        every platform with the same NumPy and mathematical library), whatever the order of the rows. Resample i does not depend on how
        many there are.
    grid : int or array
        How many conditions, equally spaced in pcf from 0 to 1, or which ones.
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
    pos_label : optional
        The label to detect.
    progress : function of (done, total), or bool, optional
        By default a line on a terminal or a bar in a notebook, shown after a second; the bar is that of tqdm if it is installed.

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
        sample = joint.sample_of(y_true, given, validate.entropy(rng), stratified=stratified)
    else:
        validate.aligned(y_true=y_true, cluster=cluster)
        rows = Cases.from_scores(y_true, scores, sample_weight, pos_label, fold)
        sample = Sample.of(rows, cluster, validate.entropy(rng), stratified=stratified)
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
    models = {name: collector.finish(step, total, coarse=sample.coarse(name)) for name, collector in gathered.items()}
    shares = None if stratified else next(iter(gathered.values())).shares(total)
    return Bootstrap(pcf, models, total, *sample.totals, sample, _shares=shares)


def _fixed(fixed: float | Mapping[str, float] | None, sample: Sample) -> dict[str, list[int]]:
    given = fixed if isinstance(fixed, Mapping) else {} if fixed is None else dict.fromkeys(sample.models, fixed)
    for name in given:
        if name not in sample.models:
            raise UnknownNameError("model in fixed", name, sample.models)
    return {name: sample.points(name, validate.number(cut, f"fixed[{name!r}]")) for name, cut in given.items()}


def first_resamples(boot: Bootstrap, many: int) -> Bootstrap:
    """Return a bootstrap with the first of its resamples only."""
    models = {name: model.first(many) for name, model in boot._models.items()}
    shares = None if boot._shares is None else boot._shares[:many]
    return replace(boot, _models=models, n_resamples=min(many, boot.n_resamples), _shares=shares)
