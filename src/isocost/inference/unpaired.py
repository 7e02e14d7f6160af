"""Models of different cases side by side: resamples that have nothing to do with each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from isocost.errors import InputError
from isocost.inference.bootstrap import Bootstrap
from isocost.resampling.replicates import Replicates
from isocost.validate import Floats


def unpaired(first: Bootstrap, second: Bootstrap) -> Bootstrap:
    """Return the models of both together, to compare models judged on different cases: two hospitals, years or published studies.

    Resample r of the first goes with resample r + n_resamples/2 of the second, so equal seeds do no harm.

    Parameters
    ----------
    first, second : Bootstrap
        On the same grid, with equally many resamples; no model may be in both.

    Examples
    --------
    >>> import isocost as ic
    >>> from isocost.datasets import load_german_credit_predictions
    >>> y, scores = load_german_credit_predictions()
    >>> old, new = (ic.bootstrap(y[part], {name: scores[name][part]}, n_resamples=200)
    ...             for name, part in (("naive_bayes", slice(0, 500)), ("random_forest", slice(500, 1000))))
    >>> both = ic.unpaired(new, old)
    >>> both.names
    ('random_forest', 'naive_bayes')
    >>> both.significant("random_forest", "naive_bayes")
    []
    """
    for name, boot in (("first", first), ("second", second)):
        if not isinstance(boot, Bootstrap):
            raise InputError(f"{name} must be a Bootstrap, got {type(boot).__name__}")
        if any(model.probability is not None for model in boot._models.values()):
            raise InputError(
                f"{name} lists every outcome of one confusion matrix: pass both matrices to bootstrap_confusion"
            )
    if again := [name for name in first.names if name in second.names]:
        raise InputError(f"both have a model {again[0]!r}: give it two names")
    if first.n_resamples != second.n_resamples:
        raise InputError(f"as many resamples of both, got {first.n_resamples} and {second.n_resamples}")
    if not np.array_equal(first.pcf, second.pcf):
        raise InputError("both must have costs at the same conditions: pass the same grid= to both")
    order = np.roll(np.arange(second.n_resamples), -(second.n_resamples // 2))
    models = first._models | {name: _turned(model, order) for name, model in second._models.items()}
    return Bootstrap(first.pcf, models, first.n_resamples, first.positives, first.negatives)


def _turned(model: Replicates, order: NDArray[np.intp]) -> Replicates:
    """Return the resamples in another order."""

    def turned(values: Floats | None) -> Floats | None:
        return None if values is None else values[order]

    return replace(
        model,
        own=model.own[order],
        cross=turned(model.cross),
        cross_of_two=turned(model.cross_of_two),
        luck_of_two=turned(model.luck_of_two),
        areas=turned(model.areas),
    )
