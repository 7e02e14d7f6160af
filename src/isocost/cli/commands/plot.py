"""isocost plot: figures by kind, to a file by suffix."""

from __future__ import annotations

from typing import Any

import click

from isocost.cli import options
from isocost.cli.session import Session

# Kind of figure and what it shows; each is drawn by the function of that name in `isocost.cli.figures`.
KINDS = {
    "roc": "ROC space: curves and hulls, with the line of equal cost at the condition",
    "cost": "cost space: cost with the best thresholds over all conditions, and who is cheapest where",
    "duality": "both side by side",
    "winners": "a strip of who is cheapest where",
    "difference": "cost of one model minus that of another (two models)",
    "resamples": "cost curves of resampled cases: how much depends on the cases at hand",
    "regret": "extra cost of each model over the best choice",
    "lesser-area": "share of ROC space that is no better than a model; its mean is the VOROS",
    "surface": "the ROC surface (one model)",
    "saddle": "lines of equal cost through the best threshold of one model, as costs change",
    "workforce": "who catches most while a share of cases can be looked at (--flagged), in both spaces",
    "scores": "histogram of the scores of both classes, with the threshold (one model)",
    "thresholds": "a table of the best threshold of each model",
    "rules": "cost of tuning the threshold, trusting the scores or flagging a quota, and which is cheapest (one model)",
    "net-benefit": "decision curves: net benefit of models whose scores are probabilities",
    "pr": "precision against recall, bent between thresholds as mixing them bends it",
    "pr-gain": "precision gain against recall gain, with the hull and its F-measures (one model)",
    "gain": "cumulative gains: share of positives caught against share of cases flagged",
    "lift": "the same as a multiple of flagging at random",
    "det": "misses against false alarms on normal deviates",
    "rates": "sensitivity and specificity against the threshold (one model)",
    "calibration": "share of positives against score: the isotonic line of the hull (probabilities)",
    "kendall": "what a ranking costs at each share of cases flagged, with convex skulls",
    "decomposition": "cost as the sum of what cannot be avoided and what one way of choosing adds (one model)",
}
_LIST = "\n".join(f"      {kind:13} {text}" for kind, text in KINDS.items())


@click.command(
    "plot",
    short_help="A figure of any kind, as PDF, SVG or PNG.",
    help=f"""Draw a figure; the suffix of the output says in which format.

    \b
    Kinds:
{_LIST}

    \b
    Examples:
      isocost plot duality predictions.csv --label y --cost-fn 5 --prevalence 0.02 -o duality.pdf
      isocost plot cost predictions.csv --label y --method rate_driven -o cost.svg
      isocost plot difference predictions.csv --label y --score a --score b --resamples 2000 -o difference.pdf
      isocost plot scores predictions.csv --label y --score model_a --cost-fn 5 -o scores.png
      isocost plot roc predictions.csv --label y --flagged 0.1 --width 3.35 -o roc.pdf
    """,
)
@click.argument("kind", type=click.Choice(list(KINDS)), metavar="KIND")
@options.files
@options.data_options
@options.average_folds
@options.cluster
@options.condition_options
@click.option(
    "--method", type=click.Choice(["best", "rate_driven", "score_driven", "kendall"]), default="best", show_default=True,
    help="For cost and decomposition: how thresholds are chosen.",
)  # fmt: skip
@click.option("--log-odds", is_flag=True, help="Stretch both ends of the axis of conditions.")
@click.option(
    "--flagged",
    type=options.SHARE,
    multiple=True,
    help="For roc and workforce: draw where this share of all cases is flagged; repeatable in roc.",
)
@click.option(
    "--width",
    type=click.FloatRange(1, 50),
    metavar="INCHES",
    help="Width of the figure; one column of a paper is 3.35.",
)
@click.option("--bins", type=click.IntRange(2, 1000), help="For calibration: add this many bins of about equal size.")
@options.resamples(0, "of the cases, for bands where the kind has them, and for resamples")
@options.level
@options.seed
@options.output("Where to write the figure: .pdf, .svg or .png.", required=True)
@options.chatter
@click.pass_context
def command(ctx: click.Context, /, kind: str, output: str, **given: Any) -> None:
    """Draw a figure."""
    from isocost.cli import figures

    session = Session.start(ctx, given, output, suffixes=figures.SUFFIXES)
    figures.save(figures.display(kind, session), output, given["width"])
    session.messages.say(f"Wrote {output}")
