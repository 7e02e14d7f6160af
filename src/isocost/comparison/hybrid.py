"""The classifier on the joint hull: at each condition the best model with its best threshold, mixes of two between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isocost import validate
from isocost.conditions import Condition, Conditions
from isocost.conditions.ranges import Spans
from isocost.errors import ConditionError
from isocost.measures.registry import registered_measures
from isocost.results.plurals import counted
from isocost.results.result import Result
from isocost.roc_space import RocCurve
from isocost.roc_space.joint_hull import TRIVIAL_NAMES, JointHull
from isocost.validate import Floats


@dataclass(frozen=True)
class Part(Spans):
    """A vertex of the joint hull: a model at one threshold, cheapest of all for t from `t_low` to `t_high`.

    Attributes
    ----------
    model : str
    threshold, fpr, tpr : float
    t_low, t_high : float
    tied : tuple of str
        Other models with exactly this operating point.
    """

    model: str
    threshold: float
    fpr: float
    tpr: float
    t_low: float
    t_high: float
    tied: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mix(Result):
    """A random mix of two parts, or a single part.

    Attributes
    ----------
    first, second : Part
        Use `second` with `probability` and `first` otherwise; `second` is None if no mix is needed.
    probability : float
    fpr, tpr : float
        Of the mix.
    """

    first: Part
    second: Part | None
    probability: float
    fpr: float
    tpr: float


@dataclass(frozen=True, repr=False)
class Hybrid(Result):
    """Several models as one, which never costs more than any of them at any condition.

    Attributes
    ----------
    curve : RocCurve
        The joint hull; every measure takes it. Its points belong to different models, so it has no thresholds.
    parts : tuple of Part
        Which model and threshold each point is, from (0, 0) to (1, 1).

    References
    ----------
    Provost & Fawcett (2001), Robust classification for imprecise environments, doi:10.1023/A:1007601015854.

    Examples
    --------
    >>> import isocost as ic
    >>> a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a")
    >>> b = ic.RocCurve.from_points([0.4], [0.9], thresholds=[0.2], name="b")
    >>> hybrid = ic.Comparison([a, b]).hybrid()
    >>> hybrid
    <Hybrid: 4 points, 1 of a, 1 of b>
    >>> hybrid.at(ic.Condition.from_t(0.5)).model
    'b'
    >>> mix = hybrid.at_fpr(0.25)
    >>> mix.first.model, mix.second.model, round(mix.probability, 6), round(mix.tpr, 6)
    ('a', 'b', 0.5, 0.7)
    """

    _items = "parts"

    curve: RocCurve
    parts: tuple[Part, ...]

    def at(self, condition: Condition) -> Part:
        """Return the model and threshold to use at a condition."""
        if not isinstance(condition, Condition):
            raise ConditionError(f"condition must be a Condition, got {condition!r}")
        return self.parts[self.curve._choice_at(condition.t)]

    def at_fpr(self, fpr: float) -> Mix:
        """Return the highest tpr that can be had while flagging this share of negatives, as a mix of two parts if need be."""
        return self._mix(validate.number(fpr, "fpr", low=0.0, high=1.0), self.curve.fpr)

    def at_flagged(self, flagged: float, *, prevalence: float | None = None) -> Mix:
        """Return the highest tpr that can be had while flagging this share of all cases, as a mix of two parts if need be.

        Parameters
        ----------
        flagged : float
            What a fixed number of people can look at, as a share of all cases.
        prevalence : float, optional
            Of the cases in use; the data's own by default.

        References
        ----------
        Drummond & Holte (2000), doi:10.1145/347090.347126: the workforce of a set of classifiers.

        Examples
        --------
        >>> import isocost as ic
        >>> a = ic.RocCurve.from_points([0.1], [0.5], thresholds=[0.7], name="a")
        >>> b = ic.RocCurve.from_points([0.4], [0.9], thresholds=[0.2], name="b")
        >>> mix = ic.Comparison([a, b]).hybrid().at_flagged(0.3, prevalence=0.2)
        >>> mix.first.model, mix.second.model, round(mix.probability, 6), round(mix.tpr, 6)
        ('a', 'b', 0.375, 0.65)
        """
        share = validate.number(flagged, "flagged", low=0.0, high=1.0)
        pi = self.curve._prevalence_or(prevalence)
        return self._mix(share, np.asarray(pi * self.curve.tpr + (1 - pi) * self.curve.fpr))

    def _mix(self, wanted: float, along: Floats) -> Mix:
        """Return the mix of neighbouring parts at which something that grows along the hull is as wanted."""
        first = int(np.searchsorted(along, wanted, side="right") - 1)
        part = self.parts[first]
        if along[first] == wanted or first == len(self.parts) - 1:
            return Mix(part, None, 0.0, part.fpr, part.tpr)
        after = self.parts[first + 1]
        share = float((wanted - along[first]) / (along[first + 1] - along[first]))
        # The wanted rate itself where it is the fpr.
        fpr = wanted if along is self.curve.fpr else part.fpr + share * (after.fpr - part.fpr)
        return Mix(part, after, share, fpr, part.tpr + share * (after.tpr - part.tpr))

    def measures(self, condition: Conditions | Condition | None = None) -> dict[str, float]:
        """Return every registered measure that a curve without thresholds can have."""
        known = {n: m for n, m in registered_measures().items() if m.unavailable(self.curve, condition) is None}
        return {name: measure(self.curve, condition=condition) for name, measure in known.items()}

    def __repr__(self) -> str:
        """Say what it is made of."""
        names = [part.model for part in self.parts if part.model not in TRIVIAL_NAMES]
        shares = [f"{names.count(name)} of {name}" for name in dict.fromkeys(names)]
        return f"<Hybrid: {counted(len(self.parts), 'point')}, {', '.join(shares) or 'the trivial ones only'}>"


def hybrid(joint: JointHull, names: tuple[str, ...]) -> Hybrid:
    """Return the joint hull with the model and threshold of each vertex, named as the winners are."""
    runs = {stretch: run for run in joint.runs for stretch in range(run.first, run.last)}
    chosen = {s.vertex: runs[i].models[0] for i, s in enumerate(joint.stretches) if s.trivial is None}
    parts = []
    tied: tuple[str, ...]
    for i, vertex in enumerate(joint.hull.vertices):
        if i in (0, len(joint.hull) - 1):
            name, cut, tied = TRIVIAL_NAMES[i > 0], float(joint.hull.thresholds[i]), ()
        else:
            owners = joint.owners[i]
            model = chosen.get(i, min(owners))
            name, cut = names[model], float(joint.curves[model].hull.thresholds[owners[model]])
            tied = tuple(names[m] for m in sorted(owners) if m != model)
        parts.append(Part(name, cut, vertex.fpr, vertex.tpr, vertex.t_low, vertex.t_high, tied))
    return Hybrid(joint.hull, tuple(parts))
