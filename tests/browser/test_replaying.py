"""A page shows, record by record, the game that the kernel has, whichever way one moves through it."""

from itertools import pairwise
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from karuba_core import Game
from tests.browser.browser_kit import (
    EXPEDITION,
    GAMES,
    Browser,
    Show,
    emulate,
    games,
    seen,
    seen_at_each,
    to_see,
    without_turns,
)

FOUR = GAMES / "sound" / "17-4p-step-expert.jsonl"


def press(browser: Browser, *keys: str) -> None:
    chain = ActionChains(browser, duration=0)
    for key in keys:
        chain.send_keys(key)
    chain.perform()


def record(browser: Browser) -> int:
    return int(seen(browser)["record"])


def rounds(history: list[Game]) -> list[int]:
    """Return the records with which rounds open."""
    return [index for index, (before, game) in enumerate(pairwise(history), 2) if game.round > before.round]


@pytest.mark.parametrize("log", [GAMES / "commands" / "07-2p-landing-expert.jsonl"], ids=str)
def test_keys_go_through_a_game_round_by_round_and_back(show: Show, log: Path) -> None:
    browser, history = show(log), games(log)
    assert without_turns(seen(browser)) == to_see(history[0], 1)
    stops = [*rounds(history), len(history)]
    for stop in stops:
        press(browser, Keys.PAGE_DOWN)
        assert without_turns(seen(browser)) == to_see(history[stop - 1], stop)
    for stop in [*reversed(stops[:-1]), 1]:
        press(browser, Keys.PAGE_UP)
        assert record(browser) == stop
    assert without_turns(seen(browser)) == to_see(history[0], 1)


def test_the_slider_goes_anywhere_forwards_and_backwards(show: Show) -> None:
    browser, history = show(FOUR), games(FOUR)
    there = list(range(1, len(history), 3))[1:]
    stops = [*there, *there[::-5], len(history), 1]
    for stop, page in zip(stops, seen_at_each(browser, stops), strict=True):
        assert without_turns(page) == to_see(history[stop - 1], stop)


def test_what_a_record_changed_is_marked_until_the_next(show: Show) -> None:
    def marked(stop: int) -> list[list[str]]:
        seen_at_each(browser, [stop])
        script = """
        return [...document.querySelectorAll('.player')].map((card) => [...card.querySelectorAll('.new')]
          .filter((one) => one.dataset.spot || one.querySelector('.ring').getBoundingClientRect().width)
          .map((one) => one.dataset.spot ?? one.dataset.tileOn).sort());
        """
        told: list[list[str]] = browser.execute_script(script)
        return told

    browser = show(EXPEDITION)
    assert marked(50) == [[], ["c5", "tiles", "turn"], []]  # ben places the tile on c5
    assert marked(209) == [[], ["a1", "crystals", "total", "turn"], []]  # ben takes a crystal on a1
    assert marked(1) == [[], [], []]


def test_turns_are_told_as_they_stand(show: Show) -> None:
    def turns(stop: int) -> list[str]:
        return [island["turn"] for island in seen_at_each(browser, [stop])[0]["islands"]]

    browser = show(EXPEDITION)
    assert turns(1) == ["", "", ""]
    assert turns(2) == ["to play", "to play", "to play"]
    assert turns(3) == ["to play", "done", "to play"]
    assert turns(150) == ["to play", "to play", "3 steps left"]
    assert turns(208) == ["no steps left", "no steps left", "2 steps left"]
    assert turns(213) == ["wins", "", ""]


def test_keys_go_from_record_to_record_and_to_the_ends_and_no_further(show: Show) -> None:
    browser = show(EXPEDITION)
    press(browser, Keys.ARROW_LEFT)
    assert record(browser) == 1
    press(browser, *[Keys.ARROW_RIGHT] * 9)
    assert record(browser) == 10
    press(browser, Keys.ARROW_LEFT)
    assert record(browser) == 9
    press(browser, Keys.PAGE_UP)
    assert record(browser) == 7  # the draw of the round that is shown
    press(browser, Keys.END, Keys.ARROW_RIGHT)
    assert record(browser) == 213
    press(browser, Keys.HOME)
    assert record(browser) == 1


def test_buttons_and_the_list_go_there_too(show: Show) -> None:
    browser = show(EXPEDITION)
    for button, stop in (("on", 2), ("round-on", 7), ("on", 8), ("back", 7), ("round-back", 2)):
        browser.find_element(By.ID, button).click()
        assert record(browser) == stop
    browser.find_element(By.ID, "record-6").click()
    assert without_turns(seen(browser)) == to_see(games(EXPEDITION)[5], 6)
    assert browser.find_element(By.ID, "says").text == "Round 1 ends"
    press(browser, Keys.ARROW_DOWN)  # the list has the focus now
    assert record(browser) == 7


def test_the_current_record_is_in_sight_and_the_page_stays_where_it_is(show: Show) -> None:
    browser = show(EXPEDITION)
    emulate(browser, 360, 640)
    browser.execute_script("scrollTo(0, 200)")
    press(browser, Keys.END, *[Keys.ARROW_LEFT] * 60)
    script = """
    const [list, row] = ['records', 'record-153']
      .map((id) => document.getElementById(id).getBoundingClientRect());
    return [list.top <= row.top && row.bottom <= list.bottom, scrollY];
    """
    assert browser.execute_script(script) == [True, 200]


def test_the_space_bar_plays_and_pauses_and_the_end_stops_it(show: Show) -> None:
    browser = show(EXPEDITION)
    play, says = browser.find_element(By.ID, "play"), browser.find_element(By.ID, "says")
    browser.find_element(By.CSS_SELECTOR, "#speed option:last-child").click()
    browser.execute_script("document.activeElement.blur()")
    assert (play.accessible_name, says.get_attribute("aria-live")) == ("Play", "polite")
    press(browser, Keys.SPACE)
    assert (play.accessible_name, says.get_attribute("aria-live")) == ("Pause", "off")
    WebDriverWait(browser, 10, 0.02).until(lambda _: record(browser) > 2)
    press(browser, Keys.SPACE)
    stopped = record(browser)
    assert play.accessible_name == "Play"
    press(browser, Keys.END, Keys.ARROW_LEFT, Keys.SPACE)
    WebDriverWait(browser, 10, 0.02).until(lambda _: play.accessible_name == "Play")
    assert record(browser) == 213 > stopped
    press(browser, Keys.SPACE)  # from the end it plays again
    WebDriverWait(browser, 10, 0.02).until(lambda _: record(browser) < 213)
    press(browser, Keys.ARROW_RIGHT)
    assert play.accessible_name == "Play"


def test_keys_that_a_control_needs_are_left_to_it(show: Show) -> None:
    browser = show(EXPEDITION, "#r20")
    browser.execute_script("document.getElementById('speed').focus()")
    press(browser, Keys.HOME, Keys.ARROW_DOWN)
    assert record(browser) == 20
    browser.execute_script("document.getElementById('on').focus()")
    press(browser, Keys.SPACE)
    assert record(browser) == 21
    assert browser.find_element(By.ID, "play").accessible_name == "Play"
    browser.execute_script("document.getElementById('slider').focus()")
    press(browser, Keys.ARROW_RIGHT)
    assert record(browser) == 22


def test_the_address_names_a_record(show: Show) -> None:
    browser = show(EXPEDITION, "#r143")
    assert without_turns(seen(browser)) == to_see(games(EXPEDITION)[142], 143)
    browser.execute_script("location.hash = '#r12'")
    WebDriverWait(browser, 10, 0.02).until(lambda _: record(browser) == 12)
    browser.execute_script("location.hash = '#elsewhere'")
    WebDriverWait(browser, 10, 0.02).until(lambda _: browser.current_url.endswith("#elsewhere"))
    assert record(browser) == 12


def test_the_address_follows_and_leaves_no_trail(show: Show, browser: Browser) -> None:
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")  # a history holds fifty pages at most, and other tests have filled it
    try:
        show(EXPEDITION)
        steps = browser.execute_script("return history.length")
        press(browser, *[Keys.ARROW_RIGHT] * 30)
        WebDriverWait(browser, 10, 0.02).until(lambda _: browser.current_url.endswith("#r31"))
        assert browser.execute_script("return history.length") == steps < 50
    finally:
        browser.close()
        browser.switch_to.window(first)


@pytest.mark.parametrize(("at", "stop"), [("#r0", 1), ("#r999", 213), ("#r-3", 1), ("#143", 1), ("", 1)])
def test_an_address_that_names_no_record_shows_the_nearest(show: Show, at: str, stop: int) -> None:
    assert record(show(EXPEDITION, at)) == stop
