"""The verbs of `karuba`: each a function in a module of its name, loaded when it is called."""

from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from karuba_cli import __version__

# Each with the first line of its help, so that the list of verbs loads none of them.
VERBS: Final[Mapping[str, str]] = {
    "replay": "Replay a recorded game: its islands, scores and winners, or how far it got and what is due.",
    "show": "Draw a recorded game as a picture (SVG, PNG), or write a page that replays it (HTML).",
    "validate": "Judge logs: each record against its text, its shape, and the rules that its log declares.",
    "explain": "Explain finding codes: the rule behind each, what it means, what to do, and a log that"
    " gets it.",
    "convert": "Write a log as events or as commands, to standard output; a sealed log is sealed anew.",
    "stats": "Tell what the finished games of logs come to: scores, lengths, treasures, winning seats.",
    "referee": "Answer what the rules say of a position, for programs that play or judge Karuba.",
    "seal": "Seal a log: write it to standard output as it stands, with its number of records and its"
    " digest.",
    "recover": "Mend a log that a crash has cut: a torn last line is cut away, and what is due is written.",
    "simulate": "Play games by a policy, from a seed or on from a log, and write their sealed logs.",
    "play": "Play a game at this terminal, one player after the other, and write its log round by round.",
    "new": "Write the opening of a game, a log that karuba apply and karuba simulate go on from.",
    "legal": "List the legal commands after a log, or after one of its records, as apply takes them.",
    "apply": "Play commands on a log and write the log that they lead to, to standard output.",
    "diff": "Tell where two logs part: the first records that differ, and in what the games differ after"
    " them.",
}


def _new_app(**settings: Any) -> typer.Typer:  # noqa: ANN401 - whatever Typer takes
    # Plain help, since Rich takes longer to load than all that it would draw.
    return typer.Typer(
        add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None, **settings
    )


class _Verbs(TyperGroup):
    """Knows its verbs by their names and first lines, and loads the one that is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401 - the types are Typer's own
        name, _, rest = super().resolve_command(ctx, args)
        if name is None:
            return None, None, rest
        verb = _new_app()
        verb.command()(getattr(import_module(f"karuba_cli.{name}"), name))
        return name, get_command(verb), rest


def _unloaded() -> None:
    """Stand for a verb in the list; what is called is loaded in its place."""
    raise NotImplementedError


app = _new_app(cls=_Verbs, no_args_is_help=True)
for _name, _line in VERBS.items():
    app.command(_name, short_help=_line)(_unloaded)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"karuba {__version__}")
        raise typer.Exit


_Version = Annotated[
    bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
]


@app.callback()
def karuba(_version: _Version = False) -> None:
    """Replay and judge recorded games of Karuba."""
