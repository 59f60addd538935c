"""``roclab completion``: let the shell finish commands, options, file names and names of columns."""

from __future__ import annotations

import sys

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from roclab.cli.shared.command import Command
from roclab.cli.shared.options import quiet_option, verbose_option

__all__ = ["completion"]

_SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}
_WHERE = {
    "bash": "roclab completion bash > ~/.local/share/bash-completion/completions/roclab",
    "zsh": "roclab completion zsh > ~/.zfunc/_roclab   # a folder of $fpath",
    "fish": "roclab completion fish > ~/.config/fish/completions/roclab.fish",
}


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(list(_WHERE)))
@quiet_option
@verbose_option
def completion(shell: str) -> None:
    r"""Let the shell finish commands, options, files and columns.

    Prints a script for bash, zsh or fish. After --label, --score and other names of columns, the columns of FILE are
    offered.

    \b
    Examples:
      roclab completion bash    # for this session: source <(roclab completion bash)
      roclab completion zsh
    """
    from roclab.cli.main import cli

    click.echo(_SHELLS[shell](cli, {}, "roclab", "_ROCLAB_COMPLETE").source())
    if sys.stderr is not None and sys.stderr.isatty():
        click.echo(f"To keep it: {_WHERE[shell]}", err=True)
