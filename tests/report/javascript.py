"""The page's arithmetic and words run without a browser."""

import json
from functools import cache

import quickjs

from isocost.report.assemble import _EXPORT, _IMPORT, source

MODULES = (
    "vocabulary", "numbers", "cost_words", "review_words", "words", "cautions", "isometrics", "beliefs", "labels", "claims", "resamples",
    "fixed_rules", "methods", "choices", "uncertain", "core", "review", "review_lines", "limiting", "cost_lines", "reviewing",
    "deed", "bill", "stripes", "typed", "group_prices", "group_rules", "regions",
)  # fmt: skip


@cache
def engine():
    """A JavaScript engine with the page's arithmetic and words loaded."""
    context = quickjs.Context()
    for name in MODULES:
        context.eval(_EXPORT.sub("", _IMPORT.sub("", source(f"{name}.js"))))
    return context


# As `Decision.to_dict` writes what JSON has no word for.
_PLAIN = """(key, value) => {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  return Number.isNaN(value) ? null : String(value);
}"""


def evaluated(expression, *given):
    """What an expression of the page's functions says of values that travel as JSON, there named `a`, `b`, `c`."""
    engine().set("given", json.dumps(given, allow_nan=False))
    names = ", ".join("abcdef"[: len(given)])
    text = engine().eval(f"(([{names}]) => JSON.stringify({expression}, {_PLAIN}))(JSON.parse(given))")
    return None if text is None else json.loads(text)


def call(function, *arguments):
    """Call a function of the page."""
    return evaluated(f"{function}({', '.join('abcdef'[: len(arguments)])})", *arguments)


def state_of(over, belief=None):
    """A condition, or ranges by name, as the page keeps them."""
    names = ("cost_fp", "cost_fn", "prevalence", "cost_tp", "cost_tn")
    defaults = dict.fromkeys(names, (0.0, 0.0))
    if not isinstance(over, dict):
        over = {name: getattr(over, name) for name in names}
    pairs = {name: value if isinstance(value, tuple) else (value, value) for name, value in over.items()}
    return defaults | pairs | {"belief": belief, "author": False}


_LOADED = []


def load(summary):
    """Prepare a summary in the engine, unless it is the one there."""
    if not _LOADED or _LOADED[0] is not summary:
        engine().set("given", json.dumps(summary, allow_nan=False))
        engine().eval("globalThis.loaded = prepare(JSON.parse(given));")
        _LOADED[:] = [summary]


def decided(summary, state):
    """What the page decides at a state, with its sentences."""
    load(summary)
    return evaluated("((d) => ({ ...d, says: says(d) }))(decideAt(loaded, a))", state)
