"""What the site has beside the pages of docs/: the texts of spec/, and what the program tells of itself.

MkDocs calls the functions `on_…` while it builds.
"""
# ruff: noqa: INP001 - no package: MkDocs loads it by its path

import html
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from typer.core import TyperCommand

from karuba_adapters import finding_line
from karuba_adapters.explanations import EXAMPLE_FILE, Example, Explanation, RuleText, explanations
from karuba_adapters.plain_text import printable
from karuba_cli.verbs import VERBS, app

_OF_SPEC: Final = ("*.md", "*/README.md", "schema/*.json", "vectors/*.json")
_RULE: Final = re.compile(r"^\| ([FNR]-[A-Z]+-\d+) \|", re.MULTILINE)
_FILES: Final[Mapping[str, str]] = MappingProxyType({"F": "log-format", "N": "notation", "R": "rules"})


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Give each page the path that it has in the repository, so that links hold there and on the site."""
    root = Path(config.config_file_path).parent

    def add(
        name: str, dest_uri: str | None = None, inclusion: InclusionLevel = InclusionLevel.INCLUDED
    ) -> None:
        directories = config.use_directory_urls
        files.append(
            File(name, str(root), config.site_dir, directories, dest_uri=dest_uri, inclusion=inclusion)
        )

    for file in [file for file in files if file.src_dir == config.docs_dir]:
        files.remove(file)
        add(f"docs/{file.src_uri}", file.dest_uri, file.inclusion)
    for pattern in _OF_SPEC:
        for path in sorted((root / "spec").glob(pattern)):
            add(path.relative_to(root).as_posix())
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Fill in what the program tells of itself, give each numbered rule an address, and colour doctests."""
    for mark, told in _TOLD.items():
        if mark in markdown:
            markdown = markdown.replace(mark, "\n\n".join(told()))
    markdown = markdown.replace("```python\n>>> ", "```pycon\n>>> ")
    return _RULE.sub(r"| \1 { #\1 } |", markdown)


def _verbs() -> Iterator[str]:
    """Yield what `--help` says of each verb, as Markdown."""
    group = typer.main.get_group(app)
    context = group.context_class(group, info_name="karuba")
    for name in VERBS:
        verb = cast("TyperCommand", group.resolve_command(context, [name])[1])
        own = verb.context_class(verb, info_name=name, parent=context)
        yield f"## karuba {name} {{ #{name} }}"
        yield _fenced("text", verb.get_usage(own).removeprefix("Usage: "))
        yield _plain(verb.help or "")
        told = filter(None, (param.get_help_record(own) for param in verb.get_params(own)))
        rows = (f"| `{names}` | {_plain(text)} |" for names, text in told)
        yield "\n".join(("| argument or option | says |", "| --- | --- |", *rows))


def _codes() -> Iterator[str]:
    """Yield what there is to say about each finding code, as Markdown."""
    for family in dict.fromkeys(map(_family, explanations())):
        yield f"## {family}/"
        for code, told in explanations().items():
            if _family(code) == family:
                yield from _code(told)


def _family(code: str) -> str:
    return code.partition("/")[0]


def _code(told: Explanation) -> Iterator[str]:
    yield f"### {told.code} {{ #{told.code.replace('/', '-')} }}"
    yield _plain(told.means)
    yield _plain(told.fix)
    yield "\n".join(f"- [{text.rule}]({_address(text)}): {text.says}" for text in told.rules)
    if isinstance(told.example, Example):
        yield _fenced("text", "\n".join(_lines(told.example)))
        for finding in told.example.findings():
            yield f"> {_plain(finding_line(EXAMPLE_FILE, finding))}"
    else:
        yield f"No example: {_plain(told.example)}"


def _address(text: RuleText) -> str:
    """Return where a rule stands, seen from a page of the reference."""
    return f"../../spec/{_FILES[text.rule[0]]}.md#{text.rule}"


def _lines(example: Example) -> Iterator[str]:
    """Yield the lines of an example, its shared opening in short."""
    lines = example.log.encode(example.encoding).decode("utf-8", "backslashreplace").split("\n")[:-1]
    lines[: example.opening] = ['{"type":"game-started", ...}'] * example.opening
    yield from map(printable, lines)


def _plain(text: str) -> str:
    """Return a text in which Markdown sees no marks of its own."""
    return re.sub(r"([\\`*_{}\[\]|#])", r"\\\1", html.escape(text, quote=False))


def _fenced(language: str, text: str) -> str:
    return f"````{language}\n{text}\n````"


_TOLD: Final[Mapping[str, Callable[[], Iterator[str]]]] = MappingProxyType(
    {"<!-- every verb -->": _verbs, "<!-- every code -->": _codes}
)
