"""isocost demo: the commands at work on bundled data."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

COMMANDS = (
    "choose predictions.csv --label bad --cost-fp 1 --cost-fn 5 --prevalence 0.3 --save rule.json",
    "compare predictions.csv --label bad --cost-fn 2:8 --prevalence 0.3",
    "check predictions.csv --label bad --rule rule.json --max-cost 600 --min-auc 0.75",
    "plot duality predictions.csv --label bad --cost-fn 5 -o duality.svg",
    "report predictions.csv --label bad --cost-fn 5 --title 'German credit' -o report.html",
)


@click.command("demo", short_help="See all of it at work on bundled data.")
@click.argument("folder", type=click.Path(file_okay=False), default="isocost-demo")
@click.pass_context
def command(ctx: click.Context, folder: str) -> None:
    """Write the predictions of three credit models into FOLDER ("isocost-demo" by default) and run the main commands on them.

    Each command is shown before it runs, as you would type it in that folder. 300 of the 1000 customers are bad, and
    accepting a bad one costs five times as much as refusing a good one.

    \b
    Examples:
      isocost demo
      isocost demo /tmp/credit
    """
    from importlib import resources

    from isocost.results import write_text

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    source = resources.files("isocost") / "data" / "german_credit_predictions.csv"
    write_text(target / "predictions.csv", source.read_text(encoding="utf-8"))
    click.echo(f"In {target}: predictions.csv, what three models say about 1000 customers.")
    app = ctx.find_root().command
    for line in COMMANDS:
        click.echo(f"\n$ isocost {line}")
        words = [
            str(target / word) if Path(word).suffix and not word[0].isdigit() else word for word in shlex.split(line)
        ]
        app.main(args=[*words, "--quiet"], prog_name="isocost", standalone_mode=False)
    click.echo(f"\nOpen {target / 'report.html'} in a browser, and drag.")
