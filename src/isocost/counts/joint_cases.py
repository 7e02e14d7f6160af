"""Cases that several models scored together, known by the blocks of scores they fell into: as much as resampling needs of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from isocost import validate
from isocost.counts.joint_counts import JointCounts, counted_together
from isocost.engines.cases import FOLD_USES, FoldUse
from isocost.errors import InputError


@dataclass(frozen=True, eq=False)
class JointCases:
    """What stands in for the rows of a comparison whose cases do not fit into memory."""

    joint: JointCounts
    weights: None = None
    folds: None = None
    clusters: None = None
    index: None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return self.joint.names

    @property
    def sizes(self) -> tuple[int, int]:
        """How many positives and negatives there are."""
        return int(self.joint.positives.sum()), int(self.joint.negatives.sum())

    @property
    def labelled(self) -> float:
        """How many cases have labels."""
        return float(sum(self.sizes))

    @classmethod
    def from_frame(cls, frame: Any, label: str, names: Sequence[str], pos_label: Any) -> JointCases:
        """Count the rows of a frame where they are: all models together, and each by itself in the same passes."""
        from isocost.engines.joint_blocks import count_frame, each_model

        return cls(counted_together(tuple(names), count_frame(frame, label, names, pos_label, each_model(len(names)))))

    def to_resample(self, fold: FoldUse) -> dict[str, Any]:
        """Return the arguments of a bootstrap of these cases."""
        validate.choice(fold, "fold", FOLD_USES)
        if fold != "pooled":
            raise InputError(
                f"fold={fold!r} but joint counts have no folds: build the comparison with from_scores(fold=)"
            )
        return {"y_true": self.joint}

    def clustered(self, cluster: Any) -> JointCases:  # noqa: ARG002 - as rows have it
        """Refuse: who belongs together is not counted."""
        raise InputError("cluster= needs the cases, and joint counts do not know who belongs together")
