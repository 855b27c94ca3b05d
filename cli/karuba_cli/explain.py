"""`karuba explain`: what a finding code, a rule or a clause of the log format says."""

from collections.abc import Iterable, Iterator
from shutil import get_terminal_size
from textwrap import fill, indent
from typing import TYPE_CHECKING, Annotated, Final

import typer

from karuba_cli.outputs import Format, say, write

if TYPE_CHECKING:
    from karuba_adapters.explanations import Example, Explanation, RuleText

_OPENING: Final = '{"type":"game-started", ...}'
_NARROWEST: Final = 40
_WIDEST: Final = 100


def explain(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CODE",
            help="A code (rule/cell-occupied), rule (R-PLACE-2) or clause (F-TEXT-4); none lists all codes.",
            show_default=False,
        ),
    ] = None,
    report_format: Annotated[
        Format, typer.Option("--format", help="Text, or one JSON object for each, one a line.")
    ] = Format.TEXT,
) -> None:
    """Explain finding codes: the rule behind each, what it means, what to do, and a log that gets it.

    Exit code 0: explained. 2: wrong usage, or there is no such code.
    """
    import orjson

    from karuba_adapters import explanations as known

    wanted = [_explained(name) for name in names or known.explanations()]
    if report_format is Format.JSON:
        for told in wanted:
            write(orjson.dumps(known.explanation_json(told), option=orjson.OPT_APPEND_NEWLINE))
    elif names:
        say("\n\n".join(_text(told) for told in wanted))
    else:
        say("\n".join(_lines_of_codes(known.explanations())))


def _explained(name: str) -> "Explanation | RuleText":
    from karuba_adapters import explanations as known
    from karuba_adapters.plain_text import printable

    try:
        return known.explain(name)
    except KeyError:
        similar = known.similar(name)
        hint = f"did you mean {' or '.join(similar)}?" if similar else "karuba explain lists all codes"
        message = printable(f"there is no code, rule or clause {name}: {hint}")
        raise typer.BadParameter(message, param_hint="CODE") from None


def _lines_of_codes(codes: Iterable[str]) -> list[str]:
    """Return a line for each of some codes, with what it means."""
    from karuba_adapters.explanations import explanations

    width = max(map(len, explanations()))
    return [f"{code:{width}}  {explanations()[code].means}" for code in codes]


def _text(told: "Explanation | RuleText") -> str:
    from karuba_adapters.explanations import RuleText

    if isinstance(told, RuleText):
        codes = _lines_of_codes(told.codes) or ["A record that breaks it is found by another code."]
        return "\n".join([f"{told.rule} ({told.chapter})", _block(told.says), "", *map(_indented, codes)])
    parts = [
        f"{told.code}\n{_block(told.means)}",
        *(_block(f"{text.rule}: {text.says}") for text in told.rules),
        _block(told.fix),
        _block(f"No example: {told.example}") if isinstance(told.example, str) else _shown(told.example),
    ]
    return "\n\n".join(parts)


def _shown(example: "Example") -> str:
    """Return an example, its shared opening in short, and what is found in it."""
    from karuba_adapters import finding_line
    from karuba_adapters.explanations import EXAMPLE_FILE
    from karuba_adapters.plain_text import printable

    written = example.log.encode(example.encoding).decode("utf-8", "backslashreplace")
    lines = written.split("\n")[:-1]
    lines[: example.opening] = [_OPENING] * example.opening
    found = [finding_line(EXAMPLE_FILE, finding) for finding in example.findings()]
    asked = "".join(f" with {option}" for option in _options(example))
    return "\n".join(
        [
            _indented(f"For example, {EXAMPLE_FILE}{asked}:"),
            *(_indented(_indented(printable(line))) for line in lines),
            *(_indented(line) for line in found),
        ]
    )


def _options(example: "Example") -> Iterator[str]:
    """Yield the options of `karuba validate` by which a reader is asked what the example requires."""
    names = {"finished": "--require-finished", "sealed": "--require-seal", "rules": "--require-rules"}
    for name, value in example.required.items():
        yield names[name] if value is True else f"{names[name]} {value}"


def _block(text: str) -> str:
    width = max(_NARROWEST, min(_WIDEST, get_terminal_size((_WIDEST, 24)).columns)) - 2
    return indent(fill(text, width, break_long_words=False, break_on_hyphens=False), "  ")


def _indented(line: str) -> str:
    return f"  {line}"
