"""A real Chromium for the tests of pages, and what it shows of a replayed game."""

import io
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import orjson
import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from karuba_adapters import Right, validate
from karuba_adapters.drawing.replay_page import replay_page
from karuba_core import Game, scores

ROOT: Final = Path(__file__).parents[2]
GAMES: Final = ROOT / "tests" / "games"
EXPEDITION: Final = ROOT / "docs" / "examples" / "expedition.jsonl"

_FLAGS: Final = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

Browser = webdriver.Chrome
Json = dict[str, Any]


def _chromium() -> tuple[str, str]:
    """Return Chromium and its driver; without them, skip the test, or fail it where they have to be there.

    They have to be there where `CI` is set, and where `KARUBA_REQUIRE_BROWSER` is 1.
    """
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if browser is not None and driver is not None:
        return browser, driver
    if os.environ.get("CI") or os.environ.get("KARUBA_REQUIRE_BROWSER") == "1":
        pytest.fail("no chromium and chromedriver, and CI or KARUBA_REQUIRE_BROWSER=1 asks for them")
    pytest.skip("there are no chromium and chromedriver on the PATH")


@contextmanager
def open_browser(profile: Path) -> Iterator[Browser]:
    """Open a browser that fetches nothing by itself."""
    browser, driver = _chromium()
    options = Options()
    options.binary_location = browser
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield opened
    finally:
        opened.quit()


Show = Callable[..., Browser]
"""Makes the page of a log, opens it from disk, and returns the browser; `at` is what follows the name."""


def shower(browser: Browser, folder: Path) -> Show:
    """Return what opens pages from a folder."""

    def show(log: bytes | Path, at: str = "", change: Callable[[str], str] = str) -> Browser:
        data = log if isinstance(log, bytes) else log.read_bytes()
        page = folder / "page.html"
        page.write_text(change(replay_page(io.BytesIO(data), "game.jsonl")), encoding="utf-8")
        browser.get("about:blank")  # so that a new fragment alone loads the page anew
        browser.get(page.as_uri() + at)
        return browser

    return show


def emulate(
    browser: Browser,
    width: int = 1280,
    height: int = 800,
    *,
    scheme: str = "light",
    motion: str = "reduce",
) -> None:
    """Give the browser a screen, and its reader preferences."""
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    wishes = {"prefers-color-scheme": scheme, "prefers-reduced-motion": motion}
    features = [{"name": name, "value": value} for name, value in wishes.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def console(browser: Browser) -> list[str]:
    """Return what the browser has complained of since it was asked last."""
    said: list[Json] = browser.get_log("browser")  # type: ignore[no-untyped-call] # selenium has no type for it
    return [str(entry["message"]) for entry in said]


# What is seen on the islands is found by where it is drawn: a place of the bordered grid of 8 x 7.
_SEEN: Final = """
const seen = () => ({
  record: Number(document.querySelector('[role=option][aria-selected=true] .number').textContent),
  round: document.getElementById('round').textContent,
  drawn: document.querySelector('#drawn use').getAttribute('href'),
  stacks: [...document.querySelectorAll('#stacks dd')].map((stack) => stack.textContent),
  islands: [...document.querySelectorAll('.player')].map((card) => {
    const island = card.querySelector('.k-island').getBoundingClientRect();
    const place = (shape) => {
      const box = shape.getBoundingClientRect();
      const right = (box.left + box.right) / 2 - island.left, down = (box.top + box.bottom) / 2 - island.top;
      return Math.floor(7 * down / island.height) * 8 + Math.floor(8 * right / island.width);
    };
    const drawn = {};
    for (const use of card.querySelectorAll('[data-tile-on] use[href], [data-adventurer]')) {
      const what = use.getAttribute('href').replace('#k-', '');
      drawn[place(use)] = [...(drawn[place(use)] ?? []), what].sort();
    }
    const told = [...card.querySelectorAll('[data-spot]')].map((one) => [one.dataset.spot, one.textContent]);
    return {
      name: card.querySelector('h2').textContent,
      ...Object.fromEntries(told),
      awards: [...card.querySelectorAll('.token')].map((token) => token.title),
      drawn,
    };
  }),
});
"""


def seen(browser: Browser) -> Json:
    """Return what a page shows of a game."""
    page: Json = orjson.loads(browser.execute_script(f"{_SEEN} return JSON.stringify(seen())"))
    return page


def seen_at_each(browser: Browser, stops: list[int]) -> list[Json]:
    """Return what a page shows of a game while its slider is moved over some records."""
    script = """
    const slider = document.getElementById('slider');
    return JSON.stringify(arguments[0].map((stop) => {
      slider.value = stop;
      slider.dispatchEvent(new Event('input'));
      return seen();
    }));
    """
    pages: list[Json] = orjson.loads(browser.execute_script(f"{_SEEN} {script}", stops))
    return pages


def games(log: Path) -> list[Game]:
    """Return the game after each record of a log, as the kernel has it."""
    rights: list[Right] = []
    with log.open("rb") as stream:
        next(validate(stream, observe=rights.append))
    return [right.step.game for right in rights]


def to_see(game: Game, record: int) -> Json:
    """Return what has to be seen of a game after a record, but for turns."""
    return {
        "record": record,
        "round": f"Round {game.round} of 36, tile {game.drawn[-1]}" if game.round else "",
        "drawn": f"#k-tile-{game.drawn[-1]}" if game.round else None,
        "stacks": [
            " ".join(map(str, game.stack(colour))) or "none"
            for colour in ("blue", "brown", "purple", "yellow")
        ],
        "islands": [_island_to_see(game, seat) for seat in range(len(game.islands))],
    }


def _island_to_see(game: Game, seat: int) -> Json:
    score, island = scores(game)[seat], game.islands[seat]
    drawn: dict[str, list[str]] = {}
    for place, tile in enumerate(island.tiles):
        if 1 <= tile <= 36:
            lying = island.treasure_at(place)
            drawn[str(place)] = [f"tile-{tile}", *([lying] if lying else [])]
    for place, colour in zip(island.adventurers, ("blue", "brown", "purple", "yellow"), strict=True):
        drawn.setdefault(str(place), []).append(f"adventurer-{colour}")
    awards = [award for award in game.awards if award.player == score.player]
    return {
        "name": score.player,
        **{part: str(getattr(score, part)) for part in ("temples", "crystals", "gold", "total", "tiles")},
        "awards": [
            f"{award.temple} temple: {award.token}"
            + (f" +{award.crystals} crystals" if award.crystals else "")
            for award in awards
        ],
        "drawn": {place: sorted(what) for place, what in drawn.items()},
    }


def without_turns(page: Json) -> Json:
    """Return what a page shows but for what it tells of turns."""
    islands = [{name: told for name, told in island.items() if name != "turn"} for island in page["islands"]]
    return {**page, "islands": islands}
