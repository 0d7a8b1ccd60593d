"""The page on the commands, from their own help."""

from __future__ import annotations

import click

from trainer.cli import COMMANDS, SHORT, trainer


def commands_page() -> str:
    """Return the page: the help of the program and of every command."""
    context = click.Context(
        trainer, info_name="trainer", max_content_width=100, terminal_width=100, help_option_names=["-h", "--help"]
    )
    out = ["# The commands\n", "Every command explains itself with `--help`. Exit code 0: nothing found; 1: findings; "
           "2: a file could not be read, or what was asked for does not exist.\n"]  # fmt: skip
    out.append("```\n" + trainer.get_help(context) + "\n```\n")
    for name in COMMANDS:
        command = trainer.get_command(context, name)
        assert command is not None
        out.append(f"## trainer {name}\n")
        out.append(f"{SHORT[name]}\n")
        out.extend(_help(command, name, context))
    return "\n".join(out)


def _help(command: click.Command, name: str, above: click.Context) -> list[str]:
    context = click.Context(command, info_name=name, parent=above, max_content_width=100, terminal_width=100)
    out = ["```\n" + command.get_help(context) + "\n```\n"]
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            if found is not None:
                out.extend(_help(found, inner, context))
    return out
