"""The state of a page and its three figures, said from data: the page's script says the same from the same file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from isocost.decide.say import Speaker

FIGURES = ("cost", "today", "stake")
PARTS = ("title", "value", "small", "below")
_TRIVIAL = ("always-negative", "always-positive")


@cache
def sentences() -> dict[str, Any]:
    """Return the sentences of decisions and of the page, as a page holds them."""
    held = json.loads(files("isocost.decide").joinpath("sentences.json").read_text(encoding="utf-8"))
    own = json.loads(files("isocost.report").joinpath("figures.json").read_text(encoding="utf-8"))
    return {**held, "sentences": held["sentences"] | own}


def told(decision: Mapping[str, Any], models: int) -> dict[str, Any]:
    """Return what the sentences of the page are said of: a decision, with the best rule without a model beside it."""
    broken = (decision.get("confidence") or {}).get("broken")
    current = decision.get("current")
    data = dict(decision) | {
        "models": models,
        "no_model": next((row for row in decision["alternatives"] if row["model"] in _TRIVIAL), None),
        "in_use": None if current is None else {key: current[key] for key in ("model", "threshold")},
        "holds": None if broken is None else 1 - broken,
        "limits_cost": None,
    }
    return data | {"state": Speaker(sentences()).say("state", data)}


def figures(decision: Mapping[str, Any], models: int) -> list[tuple[str, str, str, str]]:
    """Return title, value, unit and one line below of each of the three figures."""
    speaker, data = Speaker(sentences()), told(decision, models)
    rows = [[speaker.say(f"{name}_{part}", data) for part in PARTS] for name in FIGURES]
    return [(title, value, small, below) for title, value, small, below in rows]
