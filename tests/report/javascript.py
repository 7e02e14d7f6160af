"""The page's arithmetic and words run without a browser."""

import json
from functools import cache

import quickjs

from isocost.report.html import _EXPORT, _IMPORT, source

# Each after those it imports from.
MODULES = (
    "numbers", "rules", "state", "limits", "ranges", "review", "say", "draws", "task", "confidence", "core",
)  # fmt: skip


# Browsers and Node have it; QuickJS does not.
_ATOB = """globalThis.atob = (text) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const value = new Map([...alphabet].map((one, i) => [one, i]));
  const parts = [];
  let [held, bits] = [0, 0];
  for (const one of text.replace(/=+$/, '')) {
    [held, bits] = [((held << 6) | value.get(one)) & 0xffff, bits + 6];
    if (bits >= 8) parts.push(String.fromCharCode((held >> (bits -= 8)) & 255));
  }
  return parts.join('');
};"""


@cache
def engine():
    """A JavaScript engine with the page's arithmetic and words loaded."""
    context = quickjs.Context()
    context.eval(_ATOB)
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
    engine().set("handed", json.dumps(given, allow_nan=False))
    names = ", ".join("abcdef"[: len(given)])
    text = engine().eval(f"(([{names}]) => JSON.stringify({expression}, {_PLAIN}))(JSON.parse(handed))")
    return None if text is None else json.loads(text)


def call(function, *arguments):
    """Call a function of the page."""
    return evaluated(f"{function}({', '.join('abcdef'[: len(arguments)])})", *arguments)


_LOADED = []


def load(summary):
    """Prepare a summary in the engine, unless it is the one there."""
    if not _LOADED or _LOADED[0] is not summary:
        engine().set("handed", json.dumps(summary, allow_nan=False))
        engine().eval("globalThis.loaded = prepare(JSON.parse(handed));")
        _LOADED[:] = [summary]


def decided(summary, state):
    """What the page decides at a state; None where no rule keeps the limits."""
    load(summary)
    return evaluated("decideAt(loaded, a)", state)


def state_of(question):
    """The page's state that asks a question of the library, given as plain data."""
    held = question["quantities"]
    state = {name: [held[name]["low"], held[name]["high"]] for name in held}
    p = question["prevalence"]
    state |= {} if "prevalence" in state or p is None else {"prevalence": [p, p]}
    names = ("costs_given", "aim", "method", "threshold", "randomised", "current", "sure", "good_enough", "words")
    limits = {row["kind"]: row["value"] for row in question["limits"]}
    return state | {name: question[name] for name in names} | {"limits": limits, "review": question["reviews"]}
