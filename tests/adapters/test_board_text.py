"""The drawing of a game is read back from the picture alone and held against the game it shows.

Where a cell lies is found by the letters and digits of the frame; what is printed on tiles and round the
island comes from the tables of the naive judge, typed apart from the kernel's.
"""

import builtins
import json
import re
import unicodedata
from collections.abc import Callable
from itertools import product, zip_longest
from pathlib import Path

import attrs
import pytest

from karuba_adapters.board_text import DRAWN_WITH, game_text, island_text
from karuba_core import COLOURS, Command, Discard, Draw, Event, Game, Layout, Move, Pair, Place, fold, start
from karuba_core.board import BEACH_PLACE, JUNGLE_PLACE
from tests.games_kit import ALL_ROADS, Table, read_messages, setup
from tests.naive_judge import BEACH, CELLS, EXITS, JUNGLE

GAMES = Path(__file__).parents[1] / "games"
SOUND = sorted((GAMES / "sound").glob("*.jsonl"))
UNFINISHED = sorted((GAMES / "unfinished").glob("*.jsonl"))

MARKS = {"blue": "Bl", "brown": "Br", "purple": "Pu", "yellow": "Ye"}
TREASURES = {None: "", "crystal": "*", "gold": "$"}
BREADTH, GAP = 39, 2

TO_ASCII = str.maketrans("═║╔╗╚╝╠╣╦╩╬┌┐─│└┘", "-|+++++++++..-|''")
# What the name of a box-drawing character says about the sides that it joins.
JOINED = {"HORIZONTAL": "EW", "VERTICAL": "NS", "UP": "N", "RIGHT": "E", "DOWN": "S", "LEFT": "W"}

both_modes = pytest.mark.parametrize("ascii_only", [False, True], ids=["unicode", "ascii"])
files = pytest.mark.parametrize(
    "file", SOUND + UNFINISHED, ids=lambda file: f"{file.parent.name}-{file.stem}"
)

HOSTILE = (
    "[red]ana[/red] :smile:",
    "\u202eevil\u2066\u200d\ufeff\u3000",
    "a\\u202e\U000e0001",
    "\u5c0f\u660e" * 32,
)


def load(file: Path) -> Game:
    with file.open("rb") as stream:
        return fold(event for event in read_messages(stream) if isinstance(event, Event))


def named(*names: str) -> Game:
    """Return a game of players with these names, at its opening."""
    return start(attrs.evolve(setup(len(names)), players=names, leader=names[0])).game


def breadth(line: str) -> int:
    """How many columns of a terminal a line fills, by Unicode's own table."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


class Picture:
    """A drawn island, taken apart again."""

    def __init__(self, text: str) -> None:
        self.title, *drawn = text.split("\n")
        self.lines = [line.ljust(BREADTH) for line in ("", *drawn, "")]
        self.top = next(
            at for at, line in enumerate(self.lines) if re.search("a.{4}b.{4}c.{4}d.{4}e.{4}f", line)
        )
        self.left = len(self.lines[self.top]) - len(self.lines[self.top].lstrip())
        self.columns = {letter: self.lines[self.top].index(letter) for letter in "abcdef"}
        edge = [line[self.left] for line in self.lines]
        self.rows = {digit: edge.index(digit, self.top) for digit in "12345"}
        self.bottom = self.rows["5"] + 2

    def cell(self, cell: str) -> list[str]:
        """The three lines of five characters that show a cell."""
        column, row = self.columns[cell[0]], self.rows[cell[1]]
        return [line[column - 2 : column + 3] for line in self.lines[row - 1 : row + 2]]

    def border(self, cell: tuple[int, int], side: str) -> list[str]:
        """What stands at a side of the island beside a cell: the mark, the number, and who is home."""
        row, column = self.rows[str(cell[0])], self.columns["abcdef"[cell[1] - 1]]
        above, below = self.top, self.bottom
        at = {"N": (above - 2, above - 1, above - 3), "S": (below + 2, below + 1)}.get(
            side, (row - 1, row, row + 1)
        )
        part = {"W": slice(0, self.left), "E": slice(self.left + 32, None)}.get(
            side, slice(column - 2, column + 3)
        )
        return [self.lines[line][part].strip() for line in at]


def reached(char: str) -> str:
    """The sides that a box-drawing character joins, in the order N, E, S, W."""
    words = unicodedata.name(char).removeprefix("BOX DRAWINGS DOUBLE ").split(" AND ")
    return "".join(side for side in "NESW" if any(side in JOINED[word] for word in words))


@files
@both_modes
def test_each_cell_shows_its_exits_and_what_is_on_it(file: Path, ascii_only: bool) -> None:
    game = load(file)
    across, down = ("-", "|") if ascii_only else ("═", "║")
    for player, cell in product(game.setup.players, CELLS):
        island = game.island(player)
        block = Picture(island_text(game, player, ascii_only=ascii_only)).cell(cell)
        tile = island.tile(cell)
        if tile is None:
            assert block == ["     ", "  .  ", "     "], cell
            continue
        upper, middle, lower = block
        assert upper == f"  {down if 'N' in EXITS[tile] else ' '}  ", cell
        assert lower == f"  {down if 'S' in EXITS[tile] else ' '}  ", cell
        assert middle[0] == (across if "W" in EXITS[tile] else " "), cell
        assert middle[4] == (across if "E" in EXITS[tile] else " "), cell
        standing = [MARKS[colour] for colour in COLOURS if island.where(colour) == cell]
        marks = "".join(standing) + TREASURES[island.treasure(cell)]
        assert re.sub(r"[^A-Za-z*$]", "", middle) == marks, cell
        if not marks and not ascii_only:
            assert reached(middle[2]) == EXITS[tile], cell


@files
@both_modes
def test_all_numbers_stand_round_the_island_with_who_is_there(file: Path, ascii_only: bool) -> None:
    game = load(file)
    for player in game.setup.players:
        check_border(game, player, ascii_only=ascii_only)


@pytest.mark.parametrize("first", range(11))
@pytest.mark.parametrize("places", [BEACH_PLACE, JUNGLE_PLACE], ids=["beach", "home"])
@both_modes
def test_adventurers_and_temples_are_shown_at_every_number(
    first: int, places: dict[int, int], ascii_only: bool
) -> None:
    numbers = [10 * (1 + (first + step) % 11) for step in range(4)]
    layout = Layout(*(Pair(number, number) for number in numbers))
    game = named("ana", "ben")
    island = attrs.evolve(game.island("ana"), adventurers=bytes(places[number] for number in numbers))
    game = attrs.evolve(game, setup=attrs.evolve(game.setup, layout=layout), islands=(island, island))
    check_border(game, "ana", ascii_only=ascii_only)


def check_border(game: Game, player: str, *, ascii_only: bool) -> None:
    """Check all that is drawn outside the frame."""
    where = {colour: game.island(player).where(colour) for colour in COLOURS}
    pairs = dict(zip(COLOURS, game.setup.layout.pairs, strict=True))
    waiting = {pairs[colour].beach: MARKS[colour] for colour in COLOURS if where[colour] == "beach"}
    temples = {pairs[colour].jungle: MARKS[colour] for colour in COLOURS}
    home = {pairs[colour].jungle: "home" for colour in COLOURS if where[colour] == "temple"}
    picture = Picture(island_text(game, player, ascii_only=ascii_only))
    for number, spot in BEACH.items():
        expected = [waiting.get(number, ""), str(number), ""]
        assert picture.border(*spot) == expected[: 2 if spot[1] == "S" else 3]
    for number, spot in JUNGLE.items():
        assert picture.border(*spot) == [temples.get(number, ""), str(number), home.get(number, "")]


ISLAND = """\
   ana
              home
     Ye        Bl
     10   20   30   40   50   60
   ┌──a────b────c────d────e────f──┐
   │  ║         ║                 │
10 1══╬═════════*    .    .    .  │ 70
   │  ║                           │
   │  ║                           │
20 2  ║    .    .    .    .    .  │ 80
   │  ║                           │
   │  ║                           │ Br
30 3═Ye    .    .    .    .   Br*═│ 90
   │                           ║  │
   │                           ║  │
40 4  .    .    .    .    .    ║  │ 100
   │                           ║  │
   │                           ║  │ Pu
50 5  .    .    .    ╔═════════╬══│ 110
   │                 ║         ║  │
   └──────────────────────────────┘
     60   70   80   90   100  110
                    Pu"""


def midgame() -> Game:
    """Return a game in which ana has blue home, yellow on a tile and brown on a crystal."""
    table = Table(setup()).lay(ALL_ROADS)
    table.walk(25, "blue", "a1 b1 c1 temple", "ana")
    table.walk(30, "yellow", "a3", "ana").walk(6, "brown", "f5 f4 f3", "ana")
    return table.game


def test_an_island_looks_like_this() -> None:
    # On c1 the crystal was passed, on f3 brown stands on one.
    assert island_text(midgame(), "ana") == ISLAND


def test_the_ascii_drawing_is_the_same_drawing() -> None:
    assert island_text(midgame(), "ana", ascii_only=True) == ISLAND.translate(TO_ASCII)


@files
@both_modes
def test_texts_are_trim_and_ascii_where_asked(file: Path, ascii_only: bool) -> None:
    game = load(file)
    texts = [island_text(game, player, ascii_only=ascii_only) for player in game.setup.players]
    for text in (*texts, game_text(game, ascii_only=ascii_only)):
        assert not text.endswith("\n")
        assert all(line == line.rstrip() for line in text.split("\n"))
        assert text.isascii() or not ascii_only
    assert all(breadth(line) <= BREADTH for text in texts for line in text.split("\n"))


def test_a_terminal_can_be_asked_for_all_characters_needed() -> None:
    needed = {char for char in game_text(midgame()) if not char.isascii()}
    assert needed <= set(DRAWN_WITH)


def test_a_player_who_is_not_there_is_refused() -> None:
    with pytest.raises(KeyError, match="cleo"):
        island_text(named("ana", "ben"), "cleo")


# Side by side


@pytest.mark.parametrize(
    ("width", "rows"),
    [
        (1, [1, 1, 1, 1]),
        (79, [1, 1, 1, 1]),
        (80, [2, 2]),
        (100, [2, 2]),
        (121, [3, 1]),
        (161, [3, 1]),
        (162, [4]),
    ],
)
def test_islands_stand_side_by_side_as_they_fit(width: int, rows: list[int]) -> None:
    text = game_text(named(*HOSTILE), width=width)
    corners = [line.count("┌") for line in text.split("\n")]
    assert [count for count in corners if count] == rows
    drawing = text[: text.index("Bl blue")].split("\n")
    assert all(breadth(line) <= max(width, BREADTH) for line in drawing[1:])


@pytest.mark.parametrize("file", UNFINISHED, ids=lambda file: file.stem)
@both_modes
def test_islands_side_by_side_are_the_islands_alone(file: Path, ascii_only: bool) -> None:
    check_row(load(file), ascii_only=ascii_only)


@both_modes
def test_wide_names_keep_the_islands_in_line(ascii_only: bool) -> None:
    check_row(named("\u5c0f\u660e", "\u660e" * 40, "\u5c0f\u660e" * 9, "ben"), ascii_only=ascii_only)


@both_modes
def test_an_island_with_nobody_left_on_the_lower_beach_keeps_its_place(ascii_only: bool) -> None:
    game = all_home("ana").game
    heights = [island_text(game, player).count("\n") for player in game.setup.players]
    assert heights[0] < heights[1]
    check_row(game, ascii_only=ascii_only)


def check_row(game: Game, *, ascii_only: bool) -> None:
    """Check that four islands in a row stand where they should, column for column."""
    lines = game_text(game, ascii_only=ascii_only, width=162).split("\n")
    islands = [island_text(game, name, ascii_only=ascii_only).split("\n") for name in game.setup.players]
    for at, row in enumerate(zip_longest(*islands, fillvalue=""), 2):
        padded = [part + " " * (BREADTH + GAP - breadth(part)) for part in row]
        assert lines[at] == "".join(padded).rstrip()


@pytest.mark.parametrize("name", ["\u660e" * 18, "x\u660e" * 12, "a" * 36])
def test_a_name_that_fits_is_shown_in_full(name: str) -> None:
    assert Picture(island_text(named(name, "ben"), name)).title == "   " + name


@pytest.mark.parametrize("name", ["\u660e" * 19, "x" + "\u660e" * 18, "a" * 37])
def test_a_name_too_long_for_the_title_is_cut(name: str) -> None:
    title = Picture(island_text(named(name, "ben"), name)).title
    assert title.endswith("...")
    assert name.startswith(title.strip().removesuffix("..."))
    assert BREADTH - 1 <= breadth(title) <= BREADTH


# Names that would upset a terminal


@both_modes
def test_hostile_names_are_escaped_everywhere(ascii_only: bool) -> None:
    game = named(*HOSTILE[:3], "ben")
    for text in (
        game_text(game, ascii_only=ascii_only),
        island_text(game, HOSTILE[1], ascii_only=ascii_only),
    ):
        assert all(char == "\n" or char.isprintable() for char in text)
        assert text.isascii() or not ascii_only
    playing = game_text(Table(game.setup).do(Draw(7)).game, ascii_only=ascii_only)
    *_, table, turns = playing.split("\n\n")
    titles = playing.partition("Bl blue")[0]
    for shown in (
        "[red]ana[/red] :smile:",
        r"\u202eevil\u2066\u200d\ufeff\u3000",
        r"a\\u202e\U000e0001",  # the name's own backslash is doubled, so no two names look the same
    ):
        assert shown in titles
        assert shown in table
        assert f"{shown} has still to play tile 7" in turns


def test_ascii_names_keep_what_is_ascii() -> None:
    text = game_text(named("chlo\u00e9", "ben"), ascii_only=True)
    assert r"   chlo\xe9" in text
    assert "chlo\u00e9" in game_text(named("chlo\u00e9", "ben"))


# Scores, and how the game stands


@pytest.mark.parametrize("file", SOUND, ids=lambda file: file.stem)
@both_modes
def test_a_finished_game_shows_the_recorded_end(file: Path, ascii_only: bool) -> None:
    ended = json.loads(file.read_text(encoding="utf-8").splitlines()[-1])
    *_, table, outcome = game_text(load(file), ascii_only=ascii_only).split("\n\n")
    order = ("temples", "crystals", "gold", "total", "tiles")
    heading, *rows = [line.strip("| ") for line in table.split("\n") if re.search(r"\w", line)]
    assert heading.replace("|", " ").split() == ["player", *order]
    names = load(file).setup.players
    for player, row in zip(names, rows, strict=True):
        *words, temples, crystals, gold, total, tiles = row.replace("|", " ").split()
        assert " ".join(words) == shown_in(player, ascii_only=ascii_only)
        assert [int(temples), int(crystals), int(gold), int(total), int(tiles)] == [
            ended["scores"][player][column] for column in order
        ]
    winners = [shown_in(name, ascii_only=ascii_only) for name in ended["winners"]]
    reason = {"all-home": "all four adventurers home", "tiles-exhausted": "all 36 tiles played"}
    assert outcome.startswith(
        " and ".join(winners) + (" wins: " if len(winners) == 1 else " share the win: ")
    )
    assert reason[ended["reason"]] in outcome


@pytest.mark.parametrize("width", [1, 60, 100])
@both_modes
def test_no_name_and_no_score_is_cut_in_the_table(width: int, ascii_only: bool) -> None:
    table = game_text(named(*HOSTILE), ascii_only=ascii_only, width=width).split("\n\n")[-2]
    assert "player" in table
    assert re.sub(r"[\s|]", "", table).count("00000") == len(HOSTILE)
    assert shown_in(HOSTILE[-1], ascii_only=ascii_only) in re.sub(r"[\s|]|\b0\b", "", table)
    assert all(breadth(line) <= max(width, 60) for line in table.split("\n"))


def shown_in(name: str, *, ascii_only: bool) -> str:
    return name.encode("ascii", "backslashreplace").decode() if ascii_only else name


def next_round(tile: int, *commands: Command, roads: dict[str, int]) -> Game:
    """Return a game with roads laid by all, in whose next round ana does what is commanded."""
    return Table(setup()).lay(roads).do(Draw(tile), Place("ben", "d4"), *commands).game


def all_home(*players: str) -> Table:
    """Return a table at which all adventurers of some players are home."""
    return Table(setup()).homeward(*players).walk(26, "purple", "d5 e5 f5 temple", *players)


def nobody_moves(players: int) -> Game:
    table = Table(setup(players))
    for tile in range(1, 37):
        table.round(tile)
    return table.game


LEAVE = (Discard("ana"), Move("ana", "blue", ("a1",)))
ONWARD = Move("ana", "blue", ("b1",))


@pytest.mark.parametrize(
    ("build", "first", "last"),
    [
        (
            lambda: named("ana", "ben"),
            "No tile has been drawn yet",
            "round 1: a tile has to be drawn",
        ),
        (
            lambda: Table(setup()).do(Draw(17)).game,
            "Round 1 of 36, tile 17 (NS): the round is open",
            "round 1: ana has still to play tile 17; ben has still to play tile 17",
        ),
        (
            lambda: Table(setup()).lay({"a1": 13}).game,
            "Round 1 of 36, tile 13 (EW, crystal): the round is over",
            "round 2: a tile has to be drawn",
        ),
        (
            lambda: next_round(8, Discard("ana"), roads={"a1": 1}),
            "Round 2 of 36, tile 8 (NESW): the round is open",
            "round 2: ana has 4 steps left for any adventurer",
        ),
        (
            lambda: next_round(17, *LEAVE, roads={"a1": 1}),
            "Round 2 of 36, tile 17 (NS): the round is open",
            "round 2: ana has 1 step left with blue",
        ),
        (
            lambda: next_round(14, *LEAVE, roads={"a1": 13}),
            "Round 2 of 36, tile 14 (EW, gold): the round is open",
            "round 2: ana has 1 step left with blue, standing on a treasure",
        ),
        (
            lambda: next_round(17, *LEAVE, ONWARD, roads={"a1": 1, "b1": 13}),
            "Round 3 of 36, tile 17 (NS): the round is open",
            "round 3: ana has no steps left with blue, standing on a treasure",
        ),
        (
            lambda: fold(Table(setup()).lay({"a1": 1}).events[:-1]),
            "Round 1 of 36, tile 1 (EW): the round is open",
            "round-ended is due",
        ),
        (
            lambda: fold(all_home("ana").events[:-1]),
            "Round 16 of 36, tile 26 (NESW): the round is over",
            "game-ended is due",
        ),
        (
            lambda: all_home("ana").game,
            "Round 16 of 36, tile 26 (NESW): the game is over",
            "ana wins: all four adventurers home (ana)",
        ),
        (
            lambda: all_home("ana", "ben").game,
            "Round 16 of 36, tile 26 (NESW): the game is over",
            "ana and ben share the win: all four adventurers home (ana, ben)",
        ),
        (
            lambda: nobody_moves(3),
            "Round 36 of 36, tile 36 (NS): the game is over",
            "ana, ben and cleo share the win: all 36 tiles played",
        ),
    ],
)
@both_modes
def test_heading_and_last_line_say_how_the_game_stands(
    build: Callable[[], Game], first: str, last: str, ascii_only: bool
) -> None:
    lines = game_text(build(), ascii_only=ascii_only).split("\n")
    assert [lines[0], lines[-1]] == [first, last]


@pytest.mark.parametrize("variable", ["FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS"])
def test_the_environment_changes_nothing(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(SOUND[0])
    before = game_text(game)
    monkeypatch.setenv(variable, "1")
    assert game_text(game) == before


def test_in_a_notebook_too_the_text_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(SOUND[0])
    before = game_text(game)
    shell = type("ZMQInteractiveShell", (), {})
    monkeypatch.setattr(builtins, "get_ipython", shell, raising=False)
    assert game_text(game) == before
