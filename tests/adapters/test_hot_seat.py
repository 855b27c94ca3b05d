"""A round at one terminal: who is asked, what may be done, what comes of it, and the way back."""

import re
from collections import Counter
from contextlib import suppress
from itertools import groupby
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karuba_adapters import Fault
from karuba_adapters.decks import deck
from karuba_adapters.hot_seat import Round, opened
from karuba_adapters.hot_seat_text import points_text, turn_text
from karuba_adapters.notation.turns import action_text
from karuba_adapters.players import Policy, casual, planner
from karuba_core import (
    Collect,
    Command,
    Discard,
    Draw,
    Game,
    Move,
    Pass,
    Place,
    RoundEnded,
    apply,
    legal_commands,
    settle,
)
from tests.games_kit import BLUE_ROAD, Table, setup
from tests.strategies import Played, command_of, open_turns, positions, so_often, whole_games

ANA, BEN, CLEO = "ana", "ben", "cleo"
FREE = " ".join(f"{column}{row}" for row in range(1, 6) for column in "abcdef")


def table(players: int = 3, *, pickup: str = "stop") -> Table:
    """Return a game in which blue has a road home, `a1 b1 c1`, and its third round is over."""
    return Table(setup(players, pickup=pickup)).lay(BLUE_ROAD)


def drawn(tile: int, players: int = 3) -> Round:
    """Return a round that stands in its log with its draw."""
    return opened(table(players).do(Draw(tile)).game, 0)


def refused(now: Round, text: str) -> str:
    """Return the code by which an input is refused."""
    with pytest.raises(Fault) as caught:
        now.act(text)
    (reason,) = caught.value.faults
    return reason.code


def after(game: Game, *commands: Command) -> Game:
    for command in commands:
        game = apply(game, command).game
    return game


# Whole games


@so_often(15)
@given(whole=whole_games(), by_number=st.booleans())
def test_a_whole_game_comes_out_as_it_was_recorded(whole: Played, by_number: bool) -> None:
    """Its rounds are played by seat, by the notation or by the numbers of what is offered."""
    game = whole.games[0]
    rounds: list[list[Any]] = [[]]
    for event in whole.events:
        command = command_of(event)
        rounds[-1] += [] if command is None else [command]
        rounds += [[]] if isinstance(event, RoundEnded) else []
    for draw, *turns in filter(None, rounds):
        now = Round(apply(game, draw).game)
        for player in game.setup.players:
            assert now.player == player
            acts = [command for command in turns if command.player == player]
            for text in _numbers(now, acts) if by_number else [action_text(now.game, acts)]:
                now = now.act(text)
        assert now.player is None
        assert [*now.commands] == sorted(turns, key=lambda command: game.seat(command.player))
        game = now.game
    assert game == whole.games[-1]


def _numbers(now: Round, commands: list[Command]) -> list[str]:
    """Return what to type for the commands of a turn, one by one where there is a number for it."""
    typed: list[str] = []
    for index, command in enumerate(commands):
        if isinstance(command, Place):
            return [command.cell]
        if isinstance(command, Discard):
            continue
        lead = tuple(commands[:1]) if index == 1 else ()
        if (choice := (*lead, command)) in now.choices:
            typed.append(str(now.choices.index(choice) + 1))
        else:  # another way to the same end
            typed.append(action_text(now.game, choice))
        now = now.act(typed[-1])
    return typed


# What is drawn


def test_a_round_opens_with_the_next_tile_of_the_deck_that_is_left() -> None:
    game = table().game
    left = [tile for tile in deck(9) if tile not in BLUE_ROAD.values()]

    assert opened(game, 9).commands == (Draw(left[0]),)
    assert opened(game, 9).start == game


def test_an_open_round_is_gone_on_with() -> None:
    game = table().do(Draw(4), Place(ANA, "b3"), Discard(BEN)).game
    now = opened(game, 9)

    assert (now.commands, now.player, now.game) == ((), BEN, game)
    assert now.act("Bl a1").commands == (Move(BEN, "blue", ("a1",)), Pass(BEN))


# What is offered


@so_often(40)
@given(game=positions().map(lambda game: settle(game).game).filter(open_turns))
def test_all_that_is_legal_can_be_chosen_and_nothing_else(game: Game) -> None:
    now = Round(game)
    player = now.player
    assert player == open_turns(game)[0]
    is_to_play = game.turn(player).stage == "to-play"
    walking = after(game, Discard(player)) if is_to_play else game
    offered = [choice[-1] for choice in now.choices]

    assert Counter(offered) == Counter(legal_commands(walking, player))
    for number, choice in enumerate(now.choices, 1):
        assert now.act(f" {number} ").commands == choice
        assert choice[:-1] == ((Discard(player),) if is_to_play else ())
    adventurers = [getattr(command, "adventurer", None) for command in offered]
    assert [adventurer for adventurer, _ in groupby(adventurers)] == sorted(
        set(adventurers), key=lambda adventurer: adventurer or "~"
    )
    shown = turn_text(now).rpartition("\n\n")[2]
    assert re.findall(r" (\d+): ", shown) == [str(number) for number in range(1, len(offered) + 1)]


def test_a_pick_up_stands_with_the_moves_of_its_adventurer() -> None:
    game = Table(setup(2, pickup="step")).lay({"a1": 1, "f5": 31}).walk(26, "brown", "f5").do(Draw(9)).game
    offered = [choice[-1] for choice in Round(game).choices]

    assert offered == [Move(ANA, "blue", ("a1",)), Collect(ANA, "brown"), Pass(ANA)]


def test_a_turn_goes_on_after_a_number_and_ends_after_a_text() -> None:
    now = drawn(26)
    (one,) = [
        number for number, choice in enumerate(now.choices, 1) if choice[-1] == Move(ANA, "blue", ("a1",))
    ]

    assert now.act(str(one)).player == ANA
    assert now.act("blue a1 .").player == ANA
    assert now.act("blue a1").player == BEN


def test_a_full_stop_alone_does_nothing() -> None:
    now = drawn(26)

    assert now.act(".") is now
    assert now.act("- .").act(" . ") == now.act("- .")


# What is refused


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a1", "rule/cell-occupied"),
        ("g9", "rule/unknown-cell"),
        ("Bl b1", "rule/no-way"),
        ("Bl a1 b1 c1 ^ ^", "rule/beyond-temple"),
        ("Bl a1 *", "rule/no-treasure"),
        ("pass", "rule/not-discarded"),
        ("", "notation/unexpected"),
        ("0", "notation/unexpected"),
        ("-1", "notation/unexpected"),
        ("01", "notation/unexpected"),
        ("9" * 5000, "notation/unexpected"),
        ("\N{ARABIC-INDIC DIGIT ONE}", "notation/unexpected"),
        ("b3 {why}", "notation/unexpected"),
        ("b3 | c4", "notation/unexpected"),
        ("undo", "notation/unexpected"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_code(text: str, code: str) -> None:
    now = drawn(26)

    assert refused(now, text) == code
    assert now == drawn(26)


def test_a_number_that_is_not_offered_is_told_what_is() -> None:
    now = drawn(26)
    with pytest.raises(Fault, match=f"1 to {len(now.choices)}, found"):
        now.act(str(len(now.choices) + 1))


def test_nobody_acts_in_a_closed_round() -> None:
    closed = drawn(26, 2).act("b3").act("b3")

    assert closed.player is None
    for act in (lambda: closed.act("b4"), lambda: closed.play(planner, 0), lambda: turn_text(closed)):
        with pytest.raises(ValueError, match="closed"):
            act()


_WORDS = st.sampled_from(
    [
        *"*^,-.|{}0123456789",
        "pass",
        "temple",
        "Bl",
        "br",
        "yellow",
        "a1",
        "b1",
        "c1",
        "{}",
        '{"a":',
        "\x00",
        "é",
    ]
)


@so_often(80)
@given(
    texts=st.lists(st.text() | st.lists(_WORDS, max_size=7).map(" ".join), max_size=6),
    game=positions().map(lambda game: settle(game).game).filter(open_turns),
)
def test_whatever_is_typed_is_done_by_the_rules_or_refused(texts: list[str], game: Game) -> None:
    now = Round(game)
    for text in texts:
        if now.player is None:
            break
        with suppress(Fault):
            now = now.act(text)
    assert after(game, *now.commands) == now.game


# The way back


def test_every_action_can_be_undone_until_the_round_closes() -> None:
    players = {ANA, BEN, CLEO}
    first = opened(table().game, 3)
    second = first.act("- .")
    third = second.act("pass")
    fourth = third.act("b3")

    assert fourth.player == CLEO
    for later, earlier in ((fourth, third), (third, second), (second, first)):
        assert later.undo(players) == earlier
    assert first.undo(players) is None, "the draw is nobody's"


def test_what_is_undone_can_be_done_otherwise() -> None:
    now = drawn(26).act("b3").act("b4").undo({ANA, BEN, CLEO})
    assert now is not None
    closed = now.act("b5").act("-")

    assert closed.commands == (Place(ANA, "b3"), Place(BEN, "b5"), Discard(CLEO), Pass(CLEO))


def test_several_commands_of_one_line_go_together() -> None:
    now = drawn(26)
    assert len(now.act("Bl a1 b1, c1").commands) == 4
    assert now.act("Bl a1 b1, c1").undo({ANA}) == now


def test_undoing_goes_past_those_who_act_by_themselves() -> None:
    first = drawn(26)
    asked = first.act("b3").play(planner, 1)

    assert asked.player == CLEO
    assert asked.undo({ANA, CLEO}) == first
    assert first.play(planner, 1).undo({BEN, CLEO}) is None


def test_what_stands_in_the_log_is_not_undone() -> None:
    now = opened(table().do(Draw(4), Place(ANA, "b3")).game, 0)

    assert now.undo({ANA, BEN, CLEO}) is None


# Who acts without being asked


@pytest.mark.parametrize("policy", [planner, casual])
def test_a_policy_plays_its_whole_turn_and_the_same_again(policy: Policy) -> None:
    now = drawn(26)
    for seed in range(20):
        played = now.play(policy, seed)
        assert (played.player, len(played.acts)) == (BEN, 1)
        assert played == now.play(policy, seed)


def test_every_seed_round_and_seat_has_dice_of_its_own() -> None:
    """On bare islands the casual player does different things by its dice alone."""
    first = Table(setup(3)).do(Draw(33)).game
    second = Table(setup(3)).round(1).do(Draw(33)).game

    def said(game: Game, seed: int) -> list[str]:
        now, texts = Round(game), []
        while now.player is not None:
            now = now.play(casual, seed)
            texts.append(now.acts[-1].text)
        return texts

    assert len(set(said(first, 1))) > 1
    assert said(first, 1) != said(first, 2)
    assert said(first, 1) != said(second, 1)


# What is shown


def test_the_tile_can_go_on_the_cells_that_are_shown() -> None:
    shown = turn_text(drawn(26))
    cells = shown[shown.index("Place the tile") : shown.index("Or discard")].splitlines()[1:]

    assert " ".join(" ".join(cells).split()) == FREE.replace("a1 b1 c1", "-- -- --")
    assert "Place the tile" not in turn_text(drawn(26).act("- ."))


def test_choices_stand_by_adventurer_and_say_what_they_cost() -> None:
    game = table().walk(26, "blue", "a1 b1 c1").do(Draw(11)).game
    shown = turn_text(Round(game))
    (blue,) = [line for line in shown.splitlines() if line.startswith("  blue, on c1:")]

    assert "its temple" in blue
    assert ": b1 " in blue
    assert "a1 (2 steps)" in blue
    assert "its temple (" not in blue
    assert "nobody:" in shown


def test_a_treasure_to_take_is_named() -> None:
    tables = Table(setup(2, pickup="step")).lay({"a1": 11}).walk(14, "blue", "a1").do(Draw(5))
    assert "take the crystal" in turn_text(Round(tables.game))
    now = Round(tables.game).act("Bl * .")
    assert "take the crystal" not in turn_text(now)


@so_often(30)
@given(game=positions().map(lambda game: settle(game).game).filter(open_turns), width=st.integers(1, 120))
def test_no_line_of_choices_is_wider_than_the_terminal(game: Game, width: int) -> None:
    shown = turn_text(Round(game), width=width, ascii_only=True)
    assert shown.isascii()
    ways = shown.rpartition("\n\n")[2].splitlines()
    assert all(len(line) <= max(width, 40) for line in ways)
    assert all("(" not in line or line.count("(") == line.count("steps)") for line in ways)


def test_points_name_what_they_are_made_of() -> None:
    game = Table(setup(2)).homeward(ANA).game

    assert points_text(game).splitlines()[1] == "ben: 0 (temples 0, crystals 0, gold 0; tiles 10)"
    assert points_text(game).startswith("ana: ")
    assert "crystals 2" in points_text(game)


def test_hostile_names_are_escaped() -> None:
    names = ("[red]a", "b\u202e", "c\\x1b")
    game = Table(attrs.evolve(setup(3), players=names, leader=names[0])).do(Draw(1)).game
    for text in (turn_text(Round(game)), points_text(game)):
        assert "[red]a" in text
        assert "b\\u202e" in text
        assert "\u202e" not in text
        assert "c\\\\x1b" in text
