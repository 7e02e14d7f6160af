"""isocost completion: a script for the shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion", short_help="Print a script that teaches a shell to complete isocost.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, /, shell: str) -> None:
    """Print a script that makes a SHELL complete commands, options and files.

    \b
    Examples:
      isocost completion bash > ~/.local/share/bash-completion/completions/isocost
      isocost completion zsh > ~/.zfunc/_isocost
      isocost completion fish > ~/.config/fish/completions/isocost.fish
    """
    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"no completion for {shell}")
    click.echo(made(ctx.find_root().command, {}, "isocost", "_ISOCOST_COMPLETE").source())
