"""One engine: a question, a table of rules, one decision, and the sentences that say it."""

from __future__ import annotations

from isocost.decide.choice import Band, Choice, Drift
from isocost.decide.decision import (
    Alternative,
    BestModel,
    Confidence,
    Current,
    Decision,
    Either,
    Evaluation,
    Labels,
    best_threshold,
    neyman_pearson,
    workforce,
)
from isocost.decide.limits import LimitConfidence
from isocost.decide.question import Question, Reviews, Words
from isocost.decide.review import ReviewChoice, review_band
from isocost.decide.uncertain import ModelCost, Uncertain

__all__ = [
    "Alternative", "Band", "BestModel", "Choice", "Confidence", "Current", "Decision", "Drift", "Either", "Evaluation", "Labels",
    "LimitConfidence", "ModelCost", "Question", "ReviewChoice", "Reviews", "Uncertain", "Words", "best_threshold", "neyman_pearson",
    "review_band", "workforce",
]  # fmt: skip
