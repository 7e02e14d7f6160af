"""isocost explore: the report page served on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from isocost.cli import options

if TYPE_CHECKING:
    from isocost.explorer.explorer import View


@click.command("explore", short_help="The report in the browser, with other files and columns at hand.")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False))
@click.option("--label", metavar="COLUMN", help="Column of labels. Default: one called label, y_true, y or target.")
@click.option(
    "--score",
    "scores",
    metavar="COLUMN",
    multiple=True,
    help="Column of a model's scores; repeatable. Default: every other numeric column.",
)
@click.option("--positive", metavar="VALUE", help="The label to detect. Default: 1 or true.")
@options.condition_options
@click.option("--title", help="Title of the page.")
@click.option("--unit", default="€", show_default=True, help="Unit of the costs.")
@click.option(
    "--resamples",
    type=click.IntRange(0),
    metavar="N",
    help="Bootstrap resamples for intervals; 0 for none. Default: 200, fewer or none for many models or cases.",
)
@options.seed
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on. Default: a free one.")
@click.option("--no-browser", is_flag=True, help="Print the address only.")
def command(file: str | None, **given: Any) -> None:
    """Serve the report of FILE (CSV or Parquet, up to 100 MB) on this machine, and open it in the browser.

    On the page another file can be opened, columns chosen, the resampling changed and the report saved. The server listens on
    127.0.0.1 only, its address holds a secret, nothing is written, and Ctrl-C ends it.

    \b
    Examples:
      isocost explore predictions.csv --label y --cost-fp 1 --cost-fn 5 --prevalence 0.02
      isocost explore --no-browser --port 8000
    """
    from isocost.explorer.explorer import Explorer, explore

    view = None if file is None else _view(Path(file), given)
    explore(Explorer(view, port=given["port"]), browse=not given["no_browser"])


def _view(path: Path, given: dict[str, Any]) -> View:
    from isocost import validate
    from isocost.conditions import Condition, Conditions
    from isocost.errors import InputError
    from isocost.explorer.explorer import MOST_BYTES, Settings, view_of
    from isocost.report.tables import chosen, guessed, read_table

    size = path.stat().st_size
    if size > MOST_BYTES:
        raise InputError(
            f"{path} has {size / 1e6:.0f} MB, the explorer takes up to {MOST_BYTES / 1e6:.0f}: use `isocost report` for larger files"
        )
    columns = read_table(path.read_bytes(), str(path))
    roles = guessed(columns)
    if given["label"] or given["scores"] or given["positive"]:
        label = given["label"] or roles.label
        numbers = [name for name, values in columns.items() if values.dtype.kind in "fiu" and name != label]
        roles = chosen(columns, label, list(given["scores"]) or numbers, given["positive"])
    said = {name: given[name] for name in ("cost_fp", "cost_fn", "prevalence") if given[name] is not None}
    condition: Condition | Conditions | None = None
    if said:
        own = float(validate.labels(columns[roles.label], roles.pos_label).mean())
        values = {"prevalence": own} | said
        condition = (
            Conditions.from_costs(**values)
            if any(isinstance(v, tuple) for v in values.values())
            else Condition(**values)
        )
    settings = Settings(
        condition=condition if isinstance(condition, Condition) else None,
        over=condition if isinstance(condition, Conditions) else None,
        title=given["title"], unit=given["unit"], n_resamples=given["resamples"], seed=given["seed"],
    )  # fmt: skip
    return view_of(columns, path.name, roles, settings)
