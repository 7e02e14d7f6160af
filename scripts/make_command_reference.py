"""Write the reference pages of the command from its own help and schema: docs/reference/command.md and command-json.md.

Run it after changing an option; a test compares the pages with what it would write.
"""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import click

from isocost.cli.app import COMMANDS, app

PAGES = Path(__file__).parents[1] / "docs" / "reference"
WIDTH = 100


def help_of(*path: str) -> str:
    """Return the help page of the group or of one of its commands."""
    settings = {**app.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(app, info_name="isocost", **settings)
    command: click.Command = app
    for name in path:
        found = app.get_command(context, name)
        assert found is not None
        command = found
        context = click.Context(command, info_name=name, parent=context)
    return command.get_help(context)


def command_page() -> str:
    """Return the page of all help pages."""
    parts = [
        "# The command\n",
        (
            "This page is made from `isocost --help` by `scripts/make_command_reference.py`. "
            "[Decide from the shell](../how-to/command-line.md) shows the command at work, and "
            "[JSON output](command-json.md) documents `--json`.\n"
        ),
        f"```text\n{help_of()}\n```\n",
    ]
    parts += [f"## isocost {name}\n\n```text\n{help_of(name)}\n```\n" for name in COMMANDS]
    return "\n".join(parts)


def json_page() -> str:
    """Return the page of the JSON form."""
    schema = json.loads((resources.files("isocost.cli") / "schema.json").read_text(encoding="utf-8"))
    return "\n".join(
        [
            "# JSON output\n",
            ("This [JSON Schema](https://json-schema.org) describes what commands print with `--json`. Within one `version`, fields may "
            'be added but are never renamed or removed. JSON has no infinity: it is written as `"Infinity"` or '
            '`"-Infinity"`. What does not exist is `null`. All other numbers carry every digit.\n'),
            "The schema is part of the package: `isocost/cli/schema.json`.\n",
            f"```json\n{json.dumps(schema, indent=2, ensure_ascii=False)}\n```\n",
        ]
    )  # fmt: skip


def main() -> None:
    """Write both pages."""
    (PAGES / "command.md").write_text(command_page(), encoding="utf-8")
    (PAGES / "command-json.md").write_text(json_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
