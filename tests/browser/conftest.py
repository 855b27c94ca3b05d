"""One browser for all tests of a process, and a look at its console after each of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.browser_kit import Browser, Show, console, emulate, open_browser, shower


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def show_at_odds(browser: Browser, tmp_path: Path) -> Show:
    """Show pages of which the browser complains."""
    emulate(browser)
    return shower(browser, tmp_path)


@pytest.fixture
def show(browser: Browser, show_at_odds: Show) -> Iterator[Show]:
    """Show pages, and see afterwards that the browser has not complained of them."""
    browser.get("about:blank")
    console(browser)
    yield show_at_odds
    assert console(browser) == []
