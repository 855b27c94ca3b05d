"""Pictures are read back and held against the games they show: by where shapes stand, not by what they say.

What is printed on tiles and round the island comes from the tables of the naive judge, typed apart from
the kernel's; a shape is known by looking like a symbol.
"""

import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given

from karuba_adapters import read_events
from karuba_adapters.drawing.board_svg import game_svg, island_base_svg, island_svg, tile_svg
from karuba_adapters.drawing.island_shapes import cell_centre
from karuba_adapters.drawing.marks import Marks, Way, last_round
from karuba_adapters.drawing.notebook import shown
from karuba_adapters.drawing.palette import COLOURS as PALETTE
from karuba_adapters.drawing.palette import STYLE, Theme, style
from karuba_adapters.drawing.tile_shapes import symbols
from karuba_core import (
    CELLS,
    COLOURS,
    Collect,
    Discard,
    Draw,
    Event,
    Game,
    Layout,
    Move,
    Place,
    Step,
    rederive,
    scores,
    start,
    winners,
)
from karuba_core.board import PLACES
from tests.games_kit import NEAR, Table, setup
from tests.naive_judge import BEACH, EXITS, JUNGLE, SHIFT, TREASURES
from tests.strategies import Spot, beach_spot, positions, so_often, spot_of, temple_spot

ROOT = Path(__file__).parents[2]
FOUR = ROOT / "tests" / "games" / "sound" / "17-4p-step-expert.jsonl"
SVG = "{http://www.w3.org/2000/svg}"

Point = tuple[float, float]


def steps_of(file: Path) -> list[Step[Game, Event]]:
    with file.open("rb") as stream:
        return list(rederive(read_events(stream)))


def named(*names: str) -> Game:
    """Return a game of players with these names, at its opening."""
    return start(attrs.evolve(setup(len(names)), players=names, leader=names[0])).game


def classes(element: ET.Element) -> list[str]:
    return element.get("class", "").split()


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in classes(element)]


def likeness(element: ET.Element) -> str:
    """Return what an element looks like, wherever it stands and whatever it is a part of."""
    return (
        ET.tostring(element, encoding="unicode").replace("ns0:", "").replace(f' xmlns:ns0="{SVG[1:-1]}"', "")
    )


SYMBOLS = {
    symbol.attrib["id"]: symbol
    for symbol in ET.fromstring(f'<svg xmlns="{SVG[1:-1]}">{symbols()}</svg>')  # noqa: S314 - our own
}
LOOKS = {likeness(symbol[0]): name.removeprefix("k-") for name, symbol in SYMBOLS.items()}


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - our own


def placed(element: ET.Element, x: float = 0, y: float = 0) -> Iterator[tuple[ET.Element, Point]]:
    """Yield an element and all in it, each with where its own square begins."""
    if moved := re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", "")):
        x, y = x + float(moved[1]), y + float(moved[2])
    yield element, (x, y)
    for child in element:
        yield from placed(child, x, y)


def on_island(island: ET.Element) -> dict[str, Counter[tuple[str, Point]]]:
    """Return what stands on a drawn island, by kind: what looks like which symbol, and on which spot."""
    found: dict[str, Counter[tuple[str, Point]]] = {
        kind: Counter() for kind in ("tile", "treasure", "adventurer", "temple")
    }
    _, (left, top) = next(placed(island))
    for element, (x, y) in placed(island):
        name = LOOKS.get(likeness(element), "")
        kind, _, which = name.partition("-")
        if name:
            spot = ((x - left) / 100, (y - top) / 100)
            found[kind if which else "treasure"][which or kind, spot] += 1
    return found


def expected(game: Game, player: str) -> dict[str, Counter[tuple[str, Spot]]]:
    """Return what has to stand on the island of a player."""
    island, layout = game.island(player), game.setup.layout
    ends: dict[str, Callable[[Layout, str], Spot]] = {"beach": beach_spot, "temple": temple_spot}
    where = {colour: island.where(colour) for colour in COLOURS}
    laid = {cell: number for cell in CELLS if (number := island.tile(cell))}
    left = {cell: kind for cell in CELLS if (kind := island.treasure(cell))}
    return {
        "tile": Counter((str(number), spot_of(cell)) for cell, number in laid.items()),
        "treasure": Counter((kind, spot_of(cell)) for cell, kind in left.items()),
        "adventurer": Counter(
            (colour, ends[at](layout, colour) if at in ends else spot_of(at)) for colour, at in where.items()
        ),
        "temple": Counter((colour, temple_spot(layout, colour)) for colour in COLOURS),
    }


def texts(root: ET.Element, name: str) -> list[str]:
    return [element.text or "" for element in of_class(root, name)]


# Shapes


@pytest.mark.parametrize("name", ["k-path", "k-path-edge"])
def test_every_tile_has_exactly_its_exits(name: str) -> None:
    for number, exits in EXITS.items():
        tile = SYMBOLS[f"k-tile-{number}"]
        ways, rounded = of_class(tile, name)
        ends = re.findall(r"M50 50([VH])(-?\d+)", ways.attrib["d"])
        assert "".join(f"M50 50{way}{end}" for way, end in ends) == ways.attrib["d"]
        sides = {("V", True): "N", ("H", False): "E", ("V", False): "S", ("H", True): "W"}
        assert sorted(sides[way, int(end) <= 0] for way, end in ends) == sorted(exits)
        assert all(int(end) <= 0 or int(end) >= 100 for _, end in ends)
        assert (rounded.get("cx"), rounded.get("cy")) == ("50", "50")
        assert texts(tile, "k-tile-number") == [str(number)]


def test_there_is_a_symbol_for_everything_and_no_two_look_alike() -> None:
    assert set(SYMBOLS) == {
        *(f"k-tile-{number}" for number in range(1, 37)),
        "k-crystal",
        "k-gold",
        *(f"k-{kind}-{colour}" for kind in ("adventurer", "temple") for colour in COLOURS),
    }
    assert len(LOOKS) == len(SYMBOLS)
    assert {symbol.get("viewBox") for symbol in SYMBOLS.values()} == {"0 0 100 100"}


@pytest.mark.parametrize("kind", ["adventurer", "temple"])
def test_colours_differ_in_shape_and_letters_too(kind: str) -> None:
    drawn = [SYMBOLS[f"k-{kind}-{colour}"] for colour in COLOURS]
    outlines = ["".join(path.get("d", "") for path in symbol.iter(f"{SVG}path")) for symbol in drawn]

    assert len(set(outlines)) == len(COLOURS)
    assert [texts(symbol, "k-letters") for symbol in drawn] == [["Bl"], ["Br"], ["Pu"], ["Ye"]]


@pytest.mark.parametrize("number", [1, 3, 16])
def test_a_single_tile_is_drawn_with_its_treasure(number: int) -> None:
    drawn = parsed(tile_svg(number))

    looks = [LOOKS[look] for look in map(likeness, drawn.iter()) if look in LOOKS]
    assert looks == [f"tile-{number}", *([TREASURES[number]] if number in TREASURES else [])]


@pytest.mark.parametrize("number", [0, 37, -1])
def test_there_are_no_other_tiles(number: int) -> None:
    with pytest.raises(ValueError, match=f"no tile {number}"):
        tile_svg(number)


# The empty island


def test_the_middle_of_every_place_is_known() -> None:
    middles = [cell_centre(place) for place in range(PLACES)]

    assert middles == [(100 * column + 50, 100 * row + 50) for row in range(7) for column in range(8)]


def test_the_empty_island_has_its_cells_and_its_printed_numbers_in_their_places() -> None:
    island = parsed(island_base_svg(NEAR))

    assert {
        cell.attrib["data-cell"]: (cell.get("x"), cell.get("y")) for cell in of_class(island, "k-cell")
    } == {cell: (str(100 * spot_of(cell)[0]), str(100 * spot_of(cell)[1])) for cell in CELLS}
    for kind, numbers in (("beach", BEACH), ("jungle", JUNGLE)):
        printed = {
            text.text: (float(text.attrib["x"]) // 100, (float(text.attrib["y"]) - 10) // 100)
            for text in of_class(island, f"k-{kind}-number")
        }
        assert printed == {
            str(number): (column + SHIFT[side][1], row + SHIFT[side][0])
            for number, ((row, column), side) in numbers.items()
        }
    left, top, width, height = map(int, island.attrib["viewBox"].split())
    assert left <= 0 >= top
    assert left + width >= 800
    assert top + height >= 700
    assert on_island(island) == {**expected(named("ana", "ben"), "ana"), "adventurer": Counter()}
    assert not [
        element for element in island.iter() if "id" in element.attrib or element.tag == f"{SVG}style"
    ]


@pytest.mark.parametrize("wanted", [True, False])
def test_coordinates_stand_beside_their_columns_and_rows(wanted: bool) -> None:
    drawn = [
        parsed(island_base_svg(NEAR, coordinates=wanted)),
        parsed(island_svg(named("ana", "ben"), "ana", coordinates=wanted)),
    ]
    for picture in drawn:
        at = {
            text.text: (int(text.attrib["x"]) // 100, int(text.attrib["y"]) // 100)
            for text in of_class(picture, "k-coordinate")
        }
        letters = {letter: (column, 6) for column, letter in enumerate("abcdef", 1)}
        assert at == ({**letters, **{str(row): (0, row) for row in range(1, 6)}} if wanted else {})


# Games


@given(positions())
@so_often(15)
def test_all_that_stands_on_an_island_is_drawn_in_its_place_and_nothing_else(game: Game) -> None:
    drawn = parsed(game_svg(game))
    islands = of_class(drawn, "k-island")

    assert len(islands) == len(game.setup.players)
    for player, island in zip(game.setup.players, islands, strict=True):
        assert on_island(island) == expected(game, player)
    alone = parsed(island_svg(game, game.setup.players[-1]))
    assert [*map(on_island, of_class(alone, "k-island"))] == [expected(game, game.setup.players[-1])]


@given(positions())
@so_often(15)
def test_what_players_have_is_told_over_their_islands(game: Game) -> None:
    drawn = of_class(parsed(game_svg(game)), "k-player")

    for score, player in zip(scores(game), drawn, strict=True):
        (row,) = of_class(player, "k-score")
        told = [re.sub("s$", "", text.text or "") for text in row.iter(f"{SVG}text")]
        figures = map(str, (score.temples, score.crystals, score.gold))
        assert told == [f"{score.total} point", *figures, f"{score.tiles} tile"]
        assert texts(player, "k-name") == [score.player]
        assert bool(of_class(player, "k-winner")) == (winners(game) == (score.player,))
    heading = of_class(parsed(game_svg(game)), "k-heading")[0]
    for stack in of_class(heading, "k-stack"):
        left = list(map(str, game.stack(stack.attrib["data-temple"])))
        assert "".join(stack.itertext()).endswith(" ".join(left[:4]) + " …" * (len(left) > 4) or "none")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_islands_lie_apart_inside_the_picture(players: int) -> None:
    picture = parsed(game_svg(named(*"abcd"[:players])))
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    boxes = []
    for element, (x, y) in placed(picture):
        if "k-sea" in classes(element):
            left, top = x + float(element.attrib["x"]), y + float(element.attrib["y"])
            boxes.append(
                (left, top, left + float(element.attrib["width"]), top + float(element.attrib["height"]))
            )
    assert len(boxes) == players
    for left, top, right, bottom in boxes:
        assert 0 < left < right < width
        assert 0 < top < bottom < height
    for one, other in combinations(boxes, 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]


def test_what_stands_on_a_tile_is_drawn_over_it() -> None:
    layers = [
        name
        for part in of_class(parsed(game_svg(named("ana", "ben"))), "k-island")[0]
        for name in classes(part)
    ]

    order = ["k-land", "k-cells", "k-temples", "k-tiles", "k-marks", "k-ways", "k-treasures", "k-adventurers"]
    assert [name for name in layers if name in order] == order


def test_what_a_turn_waits_for_is_told() -> None:
    table = Table(setup(4)).lay({"a1": 1}).do(Draw(5))
    table.do(Discard("ana"), Discard("ben"), Move("ben", "blue", ("a1",)), Place("cleo", "b1"))
    picture = parsed(game_svg(table.game))

    assert texts(picture, "k-turn") == ["3 steps left", "2 steps left, blue", "turn closed", "to play"]
    assert "3 of 4 turns are open" in texts(picture, "k-soft")


def test_a_collected_treasure_is_gone() -> None:
    table = (
        Table(setup(pickup="stop")).lay({"a1": 13}).do(Draw(1), Discard("ana"), Move("ana", "blue", ("a1",)))
    )
    before = of_class(parsed(island_svg(table.game, "ana")), "k-treasures")[0]
    after = of_class(parsed(island_svg(table.do(Collect("ana", "blue")).game, "ana")), "k-treasures")[0]

    assert (len(before), len(after)) == (1, 0)


def test_nobody_else_has_an_island() -> None:
    with pytest.raises(KeyError):
        island_svg(named("ana", "ben"), "cleo")


@pytest.mark.parametrize("cell", [1, 20, 300])
def test_a_cell_is_as_wide_as_is_asked(cell: int) -> None:
    for svg in (game_svg(named("ana", "ben"), cell=cell), tile_svg(1, cell=cell)):
        picture = parsed(svg)
        _, _, width, height = map(float, picture.attrib["viewBox"].split())
        assert float(picture.attrib["width"]) == pytest.approx(width * cell / 100, abs=0.5)
        assert float(picture.attrib["height"]) == pytest.approx(height * cell / 100, abs=0.5)
    with pytest.raises(ValueError, match="no width"):
        game_svg(named("ana", "ben"), cell=0)


# Marks


def test_the_last_round_is_marked_on_the_islands_of_those_who_did_it() -> None:
    table = Table(setup(3)).lay({"a1": 1, "b1": 5})
    table.do(Draw(8), Discard("ana"), Move("ana", "blue", ("a1",)), Move("ana", "blue", ("b1", "a1")))
    table.do(Place("ben", "c3"))
    ana, ben, cleo = of_class(
        parsed(game_svg(table.game, marks=last_round(rederive(table.events)))), "k-player"
    )

    ways = [way.attrib["d"].split("M")[1:] for way in of_class(ana, "k-way")]
    assert [line for line, _ in ways] == ["50 150L114 150", "150 150L250 150L186 150"]
    assert [head.split("L")[1] for _, head in ways] == ["114 150", "186 150"]
    assert all(float(barb.split()[0]) < 114 for barb in ways[0][1].split("L")[::2])
    assert all(float(barb.split()[0]) > 186 for barb in ways[1][1].split("L")[::2])
    assert [frame.get("data-cell") for frame in of_class(ben, "k-mark")] == ["c3"]
    assert [(frame.get("x"), frame.get("y")) for frame in of_class(ben, "k-mark")] == [("303", "303")]
    for player, name in ((ana, "k-mark"), (ben, "k-way"), (cleo, "k-mark"), (cleo, "k-way")):
        assert not of_class(player, name)


def test_a_way_ends_in_the_own_temple() -> None:
    table = Table(setup()).homeward()
    table.do(Draw(24), Discard("ben"), Move("ben", "purple", ("d5", "e5", "f5")))
    (_, ben) = of_class(parsed(game_svg(table.game, marks=last_round(rederive(table.events)))), "k-player")
    assert [way.attrib["d"].split("M")[1] for way in of_class(ben, "k-way")] == [
        "450 650L450 550L550 550L614 550"
    ]
    home = Table(setup()).homeward().do(Draw(26), Discard("ben"))
    home.do(Move("ben", "purple", ("d5", "e5", "f5", "temple")))
    (_, ben) = of_class(parsed(game_svg(home.game, marks=last_round(rederive(home.events)))), "k-player")
    assert [way.attrib["d"].split("M")[1] for way in of_class(ben, "k-way")] == [
        "450 650L450 550L550 550L650 550L714 550"
    ]


def test_a_draw_begins_the_marks_anew() -> None:
    table = Table(setup()).lay({"a1": 1, "b1": 5}).walk(8, "blue", "a1 b1")
    assert last_round(rederive(table.events)).ways
    assert last_round(rederive(table.do(Draw(2)).events)) == Marks()
    assert last_round(rederive(table.do(Place("ana", "c1")).events)) == Marks({"ana": ["c1"]})


def test_any_cells_can_be_marked() -> None:
    picture = parsed(
        island_svg(named("ana", "ben"), "ana", marks=Marks({"ana": ("f5", "a1"), "ben": ("c3",)}))
    )

    assert [frame.get("data-cell") for frame in of_class(picture, "k-mark")] == ["f5", "a1"]


# Names

HOSTILE = (
    "<script>alert(1)</script>",
    '"\' onload="alert(1)" &amp; ]]>',
    "\u202eevil\u2066\u200d\ufeff",
    "W" * 64,
    "\u5c0f\u660e" * 32,
    "url(http://example.com)",
    "a\\u202e",
)
TAGS = {"svg", "title", "desc", "style", "rect", "g", "path", "circle", "ellipse", "text"}


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_are_text_and_nothing_else(name: str) -> None:
    plain, picture = parsed(game_svg(named("ben", "ana"))), parsed(game_svg(named(name, "ana")))

    assert [element.tag for element in picture.iter()] == [element.tag for element in plain.iter()]
    assert [element.attrib for element in picture.iter()] == [element.attrib for element in plain.iter()]
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} <= TAGS
    first = of_class(picture, "k-player-heading")[0]
    whole, cut = first[0].text or "", texts(first, "k-name")[0]
    assert whole == "".join(
        char if char.isprintable() else ascii(char)[1:-1] for char in name.replace("\\", "\\\\")
    )
    assert whole in (picture[1].text or "")
    assert cut == whole or (cut.endswith("…") and whole.startswith(cut[:-1]) and len(cut) <= 22)
    assert of_class(picture, "k-name")[0] in of_class(picture, "k-player-heading")[0].iter(f"{SVG}text")


def test_a_short_name_is_not_cut() -> None:
    for name in ("a", "W" * 22, "\u5c0f" * 11):
        assert texts(parsed(game_svg(named(name, "-"))), "k-name")[0] == name
    for name in ("W" * 23, "\u5c0f" * 12):
        assert texts(parsed(game_svg(named(name, "-"))), "k-name")[0].endswith("…")


def test_nothing_comes_from_elsewhere() -> None:
    for svg in (game_svg(steps_of(FOUR)[-1].game), tile_svg(14), island_base_svg(NEAR), STYLE, symbols()):
        assert not re.search(r"href|url\(|@import|https?://(?!www\.w3\.org/2000/svg\")", svg)


# Words, ids, styles


def test_a_picture_is_told_in_words() -> None:
    table = Table(setup()).lay({"a1": 13}).do(Draw(1), Discard("ana"), Move("ana", "blue", ("a1",)))
    picture = parsed(game_svg(table.game, prefix="p"))

    title, described = picture[:2]
    assert picture.attrib["role"] == "img"
    assert (
        picture.attrib["aria-labelledby"].split()
        == [title.get("id"), described.get("id")]
        == ["p-title", "p-desc"]
    )
    assert title.text == "Round 2 of 36, tile 1 (EW): the round is open"
    assert described.text == (
        "round 2: ana has 1 step left with blue, standing on a treasure; ben has still to play tile 1."
        " ana: 0 points, 1 tile; blue on a1, brown on the beach, purple on the beach, yellow on the beach;"
        " crystal on a1."
        " ben: 0 points, 1 tile; blue on the beach, brown on the beach, purple on the beach,"
        " yellow on the beach; crystal on a1."
    )
    alone = parsed(island_svg(Table(setup()).homeward().game, "ben"))
    assert alone[0].text == "The island of ben"
    assert (alone[1].text or "").startswith("ben: ")
    assert "blue home, brown home, purple on the beach, yellow home" in (alone[1].text or "")


def ids(svg: str) -> list[str]:
    return [element.attrib["id"] for element in parsed(svg).iter() if "id" in element.attrib]


def test_pictures_in_one_page_have_ids_of_their_own() -> None:
    game = named("ana", "ben")
    made = [
        game_svg(game),
        game_svg(game, prefix="a"),
        island_svg(game, "ana", prefix="b"),
        tile_svg(1, prefix="c"),
    ]

    every = [name for svg in made for name in ids(svg)]
    assert len(every) == len(set(every)) == 8
    for prefix in ("", "1", 'a"b', "a b", "a\n", "é"):
        with pytest.raises(ValueError, match="no prefix"):
            game_svg(game, prefix=prefix)


def test_a_notebook_shows_games_and_islands_with_ids_of_their_own() -> None:
    game = named("ana", "ben")
    made = [
        shown(game),
        shown(game, "ana"),
        shown(game, "ben"),
        shown(game, theme="dark"),
        shown(game, prefix="x"),
    ]

    pictures = [value._repr_svg_() for value in made]
    every = [name for svg in pictures for name in ids(svg)]
    assert len(every) == len(set(every)) == 10
    assert pictures[-1] == game_svg(game, prefix="x")
    (prefix,) = {name.rpartition("-")[0] for name in ids(pictures[1])}
    assert pictures[1] == island_svg(game, "ana", prefix=prefix)
    assert shown(game) == made[0]


def test_the_same_game_makes_the_same_picture_in_every_process() -> None:
    code = (
        "from tests.adapters.test_board_svg import *;"
        "steps = steps_of(FOUR);"
        "print(game_svg(steps[-1].game, marks=last_round(steps[:-1])))"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            cwd=ROOT,
            env={
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": f"{ROOT}:{ROOT / 'adapters'}",
                "PYTHONIOENCODING": "utf-8",
            },
        ).stdout
        for seed in ("1", "2")
    }
    assert len(made) == 1


def test_a_picture_of_one_theme_has_its_colours_written_out_and_leaves_others_alone() -> None:
    game = named("ana", "ben")
    for index, theme in enumerate(("light", "dark")):
        picture = parsed(game_svg(game, theme=theme))  # type: ignore[arg-type] # both are themes
        sheet = picture[2].text or ""
        assert "var(" not in sheet
        assert "@media" not in sheet
        assert {rule.strip().split(" ")[0] for rule in re.findall(r"([^{},]+)[{,](?=[^}]*\})", sheet)} >= {
            f".karuba-{theme}"
        }
        assert f".karuba-{theme} .k-path{{stroke:{PALETTE['path'][index]}" in sheet
        assert classes(picture) == ["karuba", f"karuba-{theme}"]
    assert style("auto") == STYLE
    with pytest.raises(ValueError, match="sepia"):
        style("sepia")  # type: ignore[arg-type] # that is what is tried


def test_a_page_follows_its_reader_or_its_class() -> None:
    light = ";".join(f"--k-{name}:{both[0]}" for name, both in PALETTE.items())
    dark = ";".join(f"--k-{name}:{both[1]}" for name, both in PALETTE.items())

    assert STYLE.index(f".karuba{{{light}}}") < STYLE.index(
        f"@media (prefers-color-scheme:dark){{.karuba{{{dark}}}}}"
    )
    assert (
        STYLE.index("@media")
        < STYLE.index(f".karuba-light{{{light}}}")
        < STYLE.index(f".karuba-dark{{{dark}}}")
    )
    assert classes(parsed(game_svg(named("ana", "ben")))) == ["karuba"]


def test_every_rule_of_the_style_is_about_something_that_is_drawn() -> None:
    steps = steps_of(FOUR)
    table = Table(setup()).lay({"a1": 1}).walk(8, "blue", "a1")
    drawn = {
        name
        for svg in (
            game_svg(steps[-1].game, marks=Marks({"ana": ["a1"]})),
            game_svg(table.game, marks=last_round(rederive(table.events))),
        )
        for element in parsed(svg).iter()
        for name in classes(element)
    }
    ruled = set(re.findall(r"\.(k-[a-z-]+)", STYLE))
    assert ruled <= drawn | {"k-winner"}
    assert set(re.findall(r"var\(--k-([a-z-]+)\)", STYLE)) == set(PALETTE)


# Seen by everybody


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, as WCAG 2 defines it."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


LETTERS = [
    *(
        ("ink", "page"),
        ("soft", "page"),
        ("beach-ink", "beach"),
        ("jungle-ink", "jungle"),
        ("jungle-ink", "leaf"),
    ),
    *(("tile-ink", "tile"), ("tile-ink", "leaf"), ("dark", "light"), ("dark", "yellow")),
    *(("light", "blue"), ("light", "brown"), ("light", "purple")),
]
SHAPES = [
    *(
        ("path", "tile"),
        ("path", "leaf"),
        ("grid", "ground"),
        ("tile", "ground"),
        ("soft", "page"),
        ("mark", "page"),
    ),
    *(("dark", "light"), ("dark", "crystal"), ("dark", "gold"), ("dark", "yellow")),
    *(("light", "blue"), ("light", "brown"), ("light", "purple"), ("mark", "light")),
]
GROUNDS = ["page", "beach", "jungle", "ground", "tile", "leaf", "path"]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    "edges", [("dark", "light"), ("mark", "light"), ("dark", "crystal"), ("dark", "gold")]
)
def test_what_has_two_edges_is_seen_on_every_ground(edges: tuple[str, str], theme: int) -> None:
    for ground in GROUNDS:
        assert max(contrast(PALETTE[edge][theme], PALETTE[ground][theme]) for edge in edges) >= 3


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [*((*pair, 4.5) for pair in LETTERS), *((*pair, 3) for pair in SHAPES)],
)
def test_what_stands_on_a_colour_is_seen_on_it(front: str, back: str, least: float, theme: int) -> None:
    assert contrast(PALETTE[front][theme], PALETTE[back][theme]) >= least


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_png_has_the_size_and_the_colours_of_its_picture(theme: Theme) -> None:
    from matplotlib.image import imread  # noqa: PLC0415 - slow to load, and needed here only

    from karuba_adapters.drawing.png import png  # noqa: PLC0415 - an extra

    pixels = imread(io.BytesIO(png(tile_svg(7, cell=100, theme=theme))), format="png")
    assert pixels.shape[:2] == (108, 108)
    for name, (x, y) in {"path": (54, 54), "tile": (98, 33)}.items():
        red, green, blue = (round(float(part) * 255) for part in pixels[y, x, :3])
        assert f"#{red:02x}{green:02x}{blue:02x}" == PALETTE[name][theme == "dark"]


# What is asked for and is not there


@pytest.mark.parametrize("asked", [{"thme": "dark"}, {"margin": 3}, {"look": {}}], ids=str)
def test_a_keyword_that_there_is_not_is_refused_by_name(asked: dict[str, Any]) -> None:
    game = named("ana", "ben")
    for draw in (
        partial(game_svg, game),
        partial(island_svg, game, "ana"),
        partial(tile_svg, 1),
        partial(shown, game),
        partial(shown, game, "ana"),
    ):
        with pytest.raises(TypeError, match=f"'{next(iter(asked))}'"):
            draw(**asked)


@pytest.mark.parametrize("cells", [["z9"], ["a1", "a6"], "a1", [""]], ids=str)
def test_a_cell_that_there_is_not_cannot_be_marked(cells: Iterable[str]) -> None:
    with pytest.raises(ValueError, match="no cell "):
        Marks(cells={"ana": cells})


@pytest.mark.parametrize(("adventurer", "place"), [("green", 9), ("blue", -1), ("blue", PLACES)])
def test_a_way_has_an_adventurer_and_places(adventurer: str, place: int) -> None:
    Way("ana", "blue", (0, PLACES - 1))
    with pytest.raises(ValueError, match="no adventurer 'green'" if place == 9 else f"no place {place}"):
        Way("ana", adventurer, (9, place))


@pytest.mark.parametrize(
    "marks", [Marks({"cleo": ()}), Marks(ways=(Way("cleo", "blue", (9, 10)),))], ids=["cell", "way"]
)
def test_nothing_is_marked_of_a_player_who_is_not_in_the_game(marks: Marks) -> None:
    game = named("ana", "ben")
    for draw in (partial(game_svg, game), partial(island_svg, game, "ana")):
        with pytest.raises(ValueError, match="no player 'cleo' to mark: expected 'ana', 'ben'"):
            draw(marks=marks)


def test_what_can_be_read_once_only_is_marked_all_the_same() -> None:
    marks = Marks({"ana": iter(["a1", "c3"])})
    pictures = {game_svg(named("ana", "ben"), marks=marks) for _ in range(2)}
    assert pictures == {game_svg(named("ana", "ben"), marks=Marks({"ana": ["a1", "c3"]}))}
