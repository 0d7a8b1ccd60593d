"""The command line: names, help and exit codes; each command lives in its own module and is loaded when called."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from trainer import __version__

COMMANDS: dict[str, str] = {
    "deal": "trainer.commands.deal:deal",
    "replay": "trainer.commands.replay:replay",
    "check": "trainer.commands.check:check",
    "houses": "trainer.commands.houses:houses",
    "explain": "trainer.commands.explain:explain",
    "demo": "trainer.commands.demo:demo",
    "checklist": "trainer.commands.checklist:checklist",
    "compare": "trainer.commands.compare:compare",
    "questions": "trainer.commands.register:questions",
    "impact": "trainer.commands.impact:impact",
    "trace": "trainer.commands.trace:trace_command",
    "pages": "trainer.commands.pages:pages",
    "trainees": "trainer.commands.trainees:trainees",
    "assign": "trainer.commands.assign:assign",
    "review": "trainer.commands.sign:review",
    "sign": "trainer.commands.sign:sign",
    "verify": "trainer.commands.verify:verify",
    "export": "trainer.commands.export:export",
    "import": "trainer.commands.import_:import_record",
    "findings": "trainer.commands.findings:findings",
    "progress": "trainer.commands.progress:progress",
    "beside": "trainer.commands.beside:beside",
    "store": "trainer.commands.store:store",
}
SHORT: dict[str, str] = {
    "deal": "Deal rounds as the dealer of a house.",
    "replay": "Judge records line by line.",
    "check": "Check procedures and scenarios for mistakes.",
    "houses": "List the houses, or show one on a page or two.",
    "explain": "Explain a rule, statement, default, verb, game or house.",
    "demo": "Deal a perfect round, with citations.",
    "checklist": "Print a house's checklist, filled in from records.",
    "compare": "Compare two houses; find rounds that are right in one and wrong in the other.",
    "questions": "Print what a house's owner has to answer.",
    "impact": "Tell what a new version of a house's procedure touches.",
    "trace": "Trace every statement to the machine and to scenarios that keep and break it.",
    "pages": "Write the generated pages of the documentation.",
    "trainees": "Keep the list of trainees and supervisors.",
    "assign": "Set an assessment for a trainee or a class.",
    "review": "Show a session's findings; confirm or overrule them.",
    "sign": "Sign a session: its verdicts are frozen.",
    "verify": "Tell whether records are what was committed.",
    "export": "Write a session or its evidence pack out of the store.",
    "import": "Bring records from elsewhere into the one format.",
    "findings": "List findings, filtered, as text, CSV or JSON.",
    "progress": "Show faults per hundred rounds over time.",
    "beside": "Set a record in two houses, or two trainees, side by side.",
    "store": "Show the store of records, or take sessions into it.",
}


class LazyGroup(click.Group):
    """A group that imports a command only when it is called or its own help is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        where = COMMANDS.get(name)
        if where is None:
            return None
        module, _, attribute = where.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, SHORT[name]) for name in COMMANDS])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], list(COMMANDS), 1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            ctx.fail(f"there is no command '{args[0]}'.{hint}")
        return super().resolve_command(ctx, args)


class Settings:
    """What the options before the command fix for all commands."""

    def __init__(self, procedures: Path | None, scenarios: Path | None) -> None:
        self._procedures, self._scenarios = procedures, scenarios

    @property
    def procedures(self):  # type: ignore[no-untyped-def]
        """The procedures in force, read when first asked for."""
        from trainer.procedure.load import procedures

        return procedures(self._procedures)

    @property
    def scenarios(self) -> Path:
        from trainer.procedure.load import data_folder

        return self._scenarios or data_folder("scenarios")


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="trainer")
@click.option(
    "--procedures", type=click.Path(path_type=Path, file_okay=False, exists=True), help="Folder of procedures."
)
@click.option("--scenarios", type=click.Path(path_type=Path, file_okay=False, exists=True), help="Folder of scenarios.")
@click.pass_context
def trainer(ctx: click.Context, procedures: Path | None, scenarios: Path | None) -> None:
    """Be the dealer: every act is checked against the house's own written procedure, with its source."""
    ctx.obj = Settings(procedures, scenarios)
    if ctx.invoked_subcommand is not None:
        return
    from trainer.commands.table import at_a_terminal, open_start

    if at_a_terminal():
        sys.exit(open_start(ctx.obj))
    click.echo(ctx.get_help())


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line; a file that cannot be read ends with code 2 and every problem of it."""
    if sys.stdin is None:  # closed by who started the program: there is nothing to read
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    try:
        trainer.main(args=list(argv) if argv is not None else None, prog_name="trainer")
    except BrokenPipeError:
        sys.exit(0)
    except OSError as why:
        from trainer.durable import cannot

        click.echo(cannot(why), err=True)
        sys.exit(2)
    except Exception as why:
        # Imported late: reading files takes longer to load than all that is needed to print a version.
        from trainer.files import BadFile

        if not isinstance(why, BadFile):
            raise
        click.echo(str(why), err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
