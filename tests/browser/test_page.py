"""What a page is to its reader beside the game: safe, legible, usable, and clear about faults."""

import re
from pathlib import Path

import orjson
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from karuba_core import CELLS
from tests.browser.browser_kit import (
    EXPEDITION,
    GAMES,
    Browser,
    Show,
    console,
    emulate,
    games,
    seen,
    seen_at_each,
    to_see,
    without_turns,
)

HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "\"'`${x}&lt;\\u003c<!--",
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd",
    "W" * 64,
)


def renamed(log: Path, names: tuple[str, ...]) -> bytes:
    """Return a log in which the players are called otherwise."""
    old = orjson.loads(log.read_bytes().splitlines()[0])["players"]
    text = log.read_text(encoding="utf-8")
    for index, name in enumerate(old):
        text = text.replace(orjson.dumps(name).decode(), f'"@{index}@"')
    for index, name in enumerate(names):
        text = text.replace(f'"@{index}@"', orjson.dumps(name).decode())
    return text.encode()


def text(browser: Browser, selector: str) -> str:
    return browser.find_element(By.CSS_SELECTOR, selector).text


def test_hostile_names_are_shown_as_text_everywhere(show: Show) -> None:
    browser = show(renamed(GAMES / "sound" / "05-4p-stop-expert.jsonl", HOSTILE))
    names = [name.replace("\\", "\\\\") for name in HOSTILE]
    shown = browser.find_elements(By.CSS_SELECTOR, ".player h2")
    assert [name.get_attribute("textContent") for name in shown] == names
    assert browser.find_elements(By.CSS_SELECTOR, "img, iframe, .player script") == []
    who = {name.get_attribute("textContent") for name in browser.find_elements(By.CSS_SELECTOR, "#says .who")}
    assert who == set(names)
    isolated = browser.execute_script(
        "return [...document.querySelectorAll('.who, .player h2 > *')]"
        ".map((name) => getComputedStyle(name).unicodeBidi)"
    )
    assert set(isolated) == {"isolate"}


def complained(browser: Browser, of: str) -> bool:
    """Wait until the browser complains of something."""
    return WebDriverWait(browser, 10, 0.02).until(lambda _: any(of in said for said in console(browser)))


def test_a_page_runs_no_script_but_its_own(show_at_odds: Show, browser: Browser) -> None:
    show_at_odds(EXPEDITION, change=lambda page: page.replace('"use strict"', '"use  strict"'))
    assert complained(browser, "Content Security Policy")
    assert browser.find_elements(By.CSS_SELECTOR, ".player") == []


def test_a_page_makes_no_markup_of_text(show_at_odds: Show, browser: Browser) -> None:
    show_at_odds(EXPEDITION)
    script = "try { document.body.innerHTML = '<p>'; } catch (error) { return error.name; }"
    assert browser.execute_script(script) == "TypeError"
    assert complained(browser, "TrustedHTML")


def test_a_page_loads_nothing(show: Show) -> None:
    loaded = "return performance.getEntriesByType('resource').map((each) => each.name)"
    assert show(EXPEDITION).execute_script(loaded) == []


def test_a_fault_is_marked_and_the_state_before_it_is_shown(show: Show) -> None:
    log = GAMES / "broken" / "place-elsewhere-2.jsonl"
    browser, history = show(log), games(log)
    assert without_turns(seen(browser)) == to_see(history[-1], 54)
    assert len(history) == 53
    assert text(browser, "#says") == "Line 54 is at fault; this is the game before it"
    assert text(browser, "#detail") == (
        "f5 holds tile 5 already; tiles go on free cells rule/cell-occupied · line 54 · $.cell · R-PLACE-2"
    )
    row = browser.find_elements(By.CSS_SELECTOR, "[role=option]")[-1]
    assert row.text.split("\n") == [
        "54",
        "rule/cell-occupied: f5 holds tile 5 already; tiles go on free cells",
    ]
    reds = "return ['.record.fault', '#says'].map((one) => getComputedStyle(document.querySelector(one)))"
    background, color = browser.execute_script(
        reds + ".map((style, index) => index ? style.color : style.backgroundColor)"
    )
    assert background == color == "rgb(179, 38, 30)"
    slider = browser.find_element(By.ID, "slider")
    assert (slider.get_attribute("max"), slider.get_attribute("aria-valuetext")) == (
        "54",
        "54 of 54, the fault",
    )
    track = "return getComputedStyle(document.getElementById('slider')).getPropertyValue('--track')"
    ActionChains(browser).send_keys(Keys.ARROW_LEFT).perform()
    assert "#b3261e" in browser.execute_script(track)  # its end is red, wherever one is
    assert without_turns(seen(browser)) == to_see(history[-1], 53)
    assert text(browser, "#detail") == ""
    browser.find_element(By.CSS_SELECTOR, "#verdict a").click()
    assert seen(browser)["record"] == 54
    # So it does while the address still names the fault, since it follows a little later.
    WebDriverWait(browser, 10, 0.02).until(lambda _: browser.current_url.endswith("#r54"))
    there_and_back = ("#back", "#verdict a")
    browser.execute_script(
        "for (const one of arguments[0]) document.querySelector(one).click()", there_and_back
    )
    assert seen(browser)["record"] == 54
    assert "#b3261e" not in show(EXPEDITION).execute_script(track)


@pytest.mark.parametrize("name", ["empty", "setup-1", "text-not-utf8"])
def test_a_log_that_is_at_fault_from_its_beginning_on_has_its_page(show: Show, name: str) -> None:
    browser = show(GAMES / "broken" / f"{name}.jsonl")
    assert re.match(r"Line \d+ is at fault; ", text(browser, "#says"))
    assert text(browser, "#detail")
    ActionChains(browser).send_keys(Keys.HOME, Keys.END, Keys.SPACE, Keys.SPACE).perform()


def test_an_unfinished_game_says_what_it_waits_for(show: Show) -> None:
    log = b"".join(EXPEDITION.read_bytes().splitlines(keepends=True)[:5])
    browser = show(log, "#r5")
    assert text(browser, "#verdict") == "incomplete · official rules · 5 records · round-ended is due"
    assert text(browser, "#detail") == "The game is not finished: round-ended is due."
    ActionChains(browser).send_keys(Keys.HOME).perform()
    assert text(browser, "#detail") == ""


def test_a_phone_needs_no_sideways_scrolling_and_thumbs_hit_the_controls(show: Show) -> None:
    browser = show(renamed(GAMES / "sound" / "05-4p-stop-expert.jsonl", HOSTILE), "#r268")
    emulate(browser, 360, 640)
    assert browser.execute_script("return document.documentElement.scrollWidth") == 360
    lefts = {island.rect["x"] for island in browser.find_elements(By.CSS_SELECTOR, ".player")}
    assert len(lefts) == 1
    for control in browser.find_elements(By.CSS_SELECTOR, ".dock button, .dock select"):
        assert min(control.rect["width"], control.rect["height"]) >= 44
        assert control.is_displayed()


def test_on_a_wide_screen_all_islands_are_in_sight(show: Show) -> None:
    for log in ("01-2p-stop-expert", "03-3p-stop-expert", "05-4p-stop-expert"):
        browser = show(GAMES / "sound" / f"{log}.jsonl")
        lowest = "return Math.max(...[...document.querySelectorAll('.k-island')]"
        lowest += ".map((island) => island.getBoundingClientRect().bottom))"
        top = browser.execute_script("return document.querySelector('.dock').getBoundingClientRect().top")
        assert browser.execute_script(lowest) <= top


@pytest.mark.parametrize("size", [(1300, 860), (1024, 600)], ids=str)
@pytest.mark.parametrize("players", [2, 4])
def test_a_long_finding_covers_nothing(show: Show, players: int, size: tuple[int, int]) -> None:
    log = GAMES / "sound" / ("01-2p-stop-expert.jsonl" if players == 2 else "05-4p-stop-expert.jsonl")
    right = log.read_bytes().splitlines(keepends=True)[:90]
    browser = show(b"".join(right) + b'{"type":"tile-drawn","tile":"%s"}\n' % (b"very long " * 300))
    emulate(browser, *size)
    browser.refresh()
    script = """
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const row = box('[aria-selected=true]'), list = box('#records'), main = box('main'), dock = box('.dock');
    return [
      row.top >= list.top && row.bottom <= list.bottom, list.bottom <= dock.top, main.bottom <= dock.top,
      dock.bottom <= innerHeight, list.height > 100, document.documentElement.scrollHeight <= innerHeight,
    ];
    """
    assert text(browser, "[aria-selected=true] .number") == "91"
    assert browser.execute_script(script) == [True] * 6


# Text and what is behind it, as WCAG 2 has their contrast.
_CONTRASTS = """
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const rgb = (...colors) => {
  canvas.clearRect(0, 0, 1, 1);
  for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
const light = (...colors) => {
  const part = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const [red, green, blue] = rgb(...colors).map((value) => part(value / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const behind = (one) => one ? [...behind(one.parentElement), getComputedStyle(one).backgroundColor] : [];
const found = {};
for (const one of document.querySelectorAll('body *:not(svg *, script, style, .unseen)')) {
  if (![...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim())) continue;
  const back = behind(one);
  const [paler, darker] = [light(...back, getComputedStyle(one).color), light(...back)].sort((a, b) => b - a);
  const name = `${one.tagName} ${one.id} ${one.className}`;
  found[name] = Math.min(found[name] ?? 99, (paler + 0.05) / (darker + 0.05));
}
return found;
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("log", [EXPEDITION, GAMES / "broken" / "award-1.jsonl"], ids=["right", "at fault"])
def test_text_has_contrast_in_light_and_dark(show: Show, browser: Browser, scheme: str, log: Path) -> None:
    emulate(browser, scheme=scheme)
    show(log, "#r9999")
    contrasts = browser.execute_script(_CONTRASTS)
    assert len(contrasts) > 12
    assert {name: ratio for name, ratio in contrasts.items() if ratio < 4.5} == {}
    page = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert page == {"light": "rgb(251, 248, 238)", "dark": "rgb(20, 24, 26)"}[scheme]


@pytest.mark.parametrize(("motion", "count"), [("no-preference", 1), ("reduce", 0)])
def test_an_adventurer_walks_unless_its_reader_wants_no_motion(
    show: Show, browser: Browser, motion: str, count: int
) -> None:
    emulate(browser, motion=motion)
    show(EXPEDITION, "#r141")
    ActionChains(browser).send_keys(Keys.ARROW_RIGHT).perform()  # ana moves yellow over a2 to b2
    walkers = "document.getAnimations().filter(({ effect }) => effect.target.matches('[data-adventurer]'))"
    walks = f"return {walkers}.length"
    assert browser.execute_script(walks) == count
    assert browser.execute_script("return document.getAnimations().length > 0") == bool(count)
    way = browser.find_element(By.CSS_SELECTOR, ".player:first-child .k-way").get_attribute("points")
    assert way == "50,250 150,250 250,250"
    ActionChains(browser).send_keys(Keys.ARROW_LEFT).perform()
    assert browser.execute_script(walks) == 0


def test_every_control_has_a_name_and_its_turn_and_shows_that_it_has_the_focus(show: Show) -> None:
    browser = show(EXPEDITION)
    order = []
    for _ in range(9):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        focused = browser.switch_to.active_element
        if focused.tag_name != "body":
            assert focused.accessible_name
            assert focused.value_of_css_property("outline-style") == "solid"
            order.append(focused.get_attribute("id"))
    turns = ["records", "round-back", "back", "play", "on", "round-on", "speed", "slider"]
    assert order[: len(turns)] == turns
    controls = browser.find_elements(By.CSS_SELECTOR, "button, select, input, a, [tabindex]")
    assert {control.get_attribute("id") for control in controls} == set(turns)


def test_an_island_is_told_in_words(show: Show) -> None:
    browser = show(EXPEDITION)
    seen_at_each(browser, [4])
    island = browser.find_element(By.CSS_SELECTOR, ".player .k-island")
    assert island.get_attribute("role") == "img"
    assert island.accessible_name == (
        "Island of ana. Adventurers: blue on the beach, brown on the beach, purple on the beach, "
        "yellow on the beach. Tiles: 4 on e5 with crystal."
    )
    seen_at_each(browser, [213])
    told = island.accessible_name
    assert "blue in its temple, brown in its temple, purple on b1, yellow in its temple" in told
    game = games(EXPEDITION)[-1]
    laid = [cell for cell in CELLS if game.islands[0].tile(cell)]
    assert re.findall(r"\d+ on ([a-f]\d)", told) == laid


def test_without_javascript_a_page_says_so(show: Show, browser: Browser) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show(EXPEDITION)
        assert "JavaScript" in text(browser, "body")
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
