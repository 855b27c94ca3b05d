"""The site: built without a warning, it loads nothing from elsewhere, and leads nowhere that is not there."""

import os
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from typer.main import get_group

from karuba_adapters.explanations import explanations, rule_texts
from karuba_cli.verbs import VERBS, app

ROOT = Path(__file__).parent.parent
LOADED: Final = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
LISTED: Final = {"log-format": "F", "notation": "N", "rules": "R"}


class Page(HTMLParser):
    """What a page links to, what it loads, which places it has, and what its code says."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.links, self.loads, self.places = path, list[str](), list[str](), {""}
        self.text = path.read_text("utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.places |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if LOADED.get(tag) in values:
            self.loads.append(values[LOADED[tag]])

    def leads_to(self) -> Iterator[tuple[Path, str]]:
        """Yield the files on the site that it links to or loads, with the place in them."""
        for link in (*self.links, *self.loads):
            if not urlsplit(link).scheme and not link.startswith("/"):
                address, place = urldefrag(link)
                target = (self.path.parent / unquote(address)).resolve() if address else self.path
                yield target / "index.html" if target.is_dir() else target, unquote(place)


def built(folder: Path) -> dict[str, Page]:
    """Build the site strictly; return its pages by their addresses."""
    if find_spec("mkdocs") is None or find_spec("mkdocstrings") is None:
        if os.environ.get("KARUBA_REQUIRE_DOCS") == "1":
            pytest.fail("mkdocs is not installed (extra docs), and KARUBA_REQUIRE_DOCS=1 asks for it")
        pytest.skip("mkdocs is not installed (extra docs)")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # no news of the theme beside our faults
    done = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return {path.parent.relative_to(folder).as_posix(): Page(path) for path in folder.rglob("index.html")}


# One test, since it takes seconds to build the site.
def test_the_site_is_whole(tmp_path: Path) -> None:
    pages = built(tmp_path.resolve())

    by_path = {page.path: page for page in pages.values()}
    for page in pages.values():
        assert [load for load in page.loads if urlsplit(load).netloc] == [], page.path  # it stands alone
        for target, place in page.leads_to():
            assert target.exists(), (page.path, target)
            assert target not in by_path or place in by_path[target].places, (page.path, target, place)

    verbs = pages["reference/command-line"]
    group = get_group(app)
    for name in VERBS:
        assert name in verbs.places
        _, verb, _ = group.resolve_command(group.context_class(group), [name])
        assert verb is not None
        told = verbs.text.partition(f'id="{name}"')[2].partition("<h2")[0]
        assert all(option in told for param in verb.params for option in param.opts if option[0] == "-")

    assert {code.replace("/", "-") for code in explanations()} <= pages["reference/codes"].places
    for text, letter in LISTED.items():
        rules = {rule for rule in rule_texts() if rule[0] == letter}
        assert rules
        assert rules <= pages[f"spec/{text}"].places
