"""The page's arithmetic run without a browser."""

import json
from functools import cache

import quickjs

from isocost.report.assemble import _EXPORT, _IMPORT, source


@cache
def engine():
    """A JavaScript engine with the page's arithmetic and words loaded."""
    context = quickjs.Context()
    for name in ("numbers.js", "isometrics.js", "beliefs.js", "resamples.js", "methods.js", "core.js", "words.js"):
        context.eval(_EXPORT.sub("", _IMPORT.sub("", source(name))))
    return context


def call(function, *arguments):
    """Call a function of the page; arguments and result travel as JSON."""
    given = ", ".join(json.dumps(a) for a in arguments)
    text = engine().eval(f"JSON.stringify({function}({given}))")
    return None if text is None else json.loads(text)


def said(summary, state):
    """What the page says at a state: every sentence and the numbers of the table."""
    engine().set("given", json.dumps([summary, state]))
    return json.loads(
        engine().eval("""(() => {
      const [summary, state] = JSON.parse(given);
      for (const key of ['below', 'above']) if (state[key] === null) state[key] = Infinity;
      const data = prepare(summary);
      const f = facts(data, state);
      return JSON.stringify({
        rule: rule(f.chosen), price: price(f, summary.unit), sure: sure(f, summary), holds: holds(f), following: following(f, summary),
        warnings: warnings(f, summary), grade: f.grade, condition: conditionText(state, f), pcf: f.pcf, rows: [...f.rows, ...f.ends],
        lesser: f.lesser,
      });
    })()""")
    )
