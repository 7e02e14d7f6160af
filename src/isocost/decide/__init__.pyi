# The public names, each with its module: loaded when first used.

from isocost.decide.choice import Band, Choice, Drift, ModelCost, Uncertain
from isocost.decide.decision import (
    Alternative,
    Confidence,
    Current,
    Decision,
    Evaluation,
    Labels,
    best_threshold,
    neyman_pearson,
    workforce,
)
from isocost.decide.limits import LimitConfidence
from isocost.decide.question import Question, Reviews
from isocost.decide.review import ReviewChoice, review_band

__all__ = [
    "Alternative", "Band", "Choice", "Confidence", "Current", "Decision", "Drift", "Evaluation", "Labels",
    "LimitConfidence", "ModelCost", "Question", "ReviewChoice", "Reviews", "Uncertain", "best_threshold", "neyman_pearson",
    "review_band", "workforce",
]  # fmt: skip
