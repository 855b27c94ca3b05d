"""The peers: what of theirs stands beside what of ours, how fast ours has to be, how alike the two are."""

from collections.abc import Callable
from pkgutil import resolve_name
from typing import Final

from attrs import frozen

from tests.bench.figures import Gate, at_least
from tests.bench.measuring import Work


@frozen
class Comparison:
    """Work of a peer beside work of ours.

    Attributes:
        ours: The side of ours: a kernel or a name of `pipeline.py`.
        theirs: What the peer does, in some words.
        maker: The function of `peers/` that makes the peer's work of a number of games.
        unit: What the peer's work counts; ours counts events.
        note: How alike the two are.
        gate: What our rate over the peer's has to be; None for information only.
        aim: What it should be.
    """

    ours: str
    theirs: str
    maker: str
    unit: str
    note: str
    gate: Gate | None = None
    aim: float | None = None

    def work(self, games: int) -> Work | None:
        """Return the peer's work, None where it is not installed."""
        try:
            make: Callable[[int], Work] = resolve_name(f"tests.bench.peers.{self.maker}")
        except ModuleNotFoundError as missing:
            if str(missing.name).startswith(("tests", "karuba")):
                raise  # a slip of ours is no peer that is not installed
            return None
        return make(games)


COMPARISONS: Final = (
    Comparison(
        "check",
        "python-chess push_uci",
        "python_chess:replaying",
        "plies",
        "Both find each recorded step legal on the state before it and make the next state. push_uci also"
        " parses four characters, and changes its board in place; we begin with decoded events, keep every"
        " state as it was, and hold the event against all that the rules yield. Random games of chess,"
        " planned games of Karuba.",
        at_least(1.6),
        2.7,
    ),
    Comparison(
        "validate",
        "python-chess read_game",
        "python_chess:reading",
        "plies",
        "Both read a whole text, check every step and refuse what is illegal. PGN is terser and has to be"
        " resolved among the legal moves, and a tree of the game is kept; JSON Lines spell every field, and"
        " we keep nothing but the state.",
        at_least(2),
        3,
    ),
    Comparison(
        "random play",
        "python-chess random games",
        "python_chess:playing",
        "plies",
        "Both list the legal steps of whoever acts, draw one with the same function and apply it. The lists"
        " differ: some 30 moves there; here up to 36 tiles, or 30 cells and the discard, or walks searched"
        " on a net of paths. Here several players may act, and one is drawn first.",
        at_least(3),
        4,
    ),
    Comparison(
        "fold",
        "eventsourcing repository.get",
        "event_store:from_store",
        "events",
        "Both bring a state back from as many events without judging them. Theirs come from a store in"
        " memory as JSON and become objects first; ours are objects already. So this compares what a user of"
        " each has to wait for, not the same work; the next two rows are nearer to that.",
        at_least(8),
        12,
    ),
    Comparison(
        "decode and fold",
        "eventsourcing repository.get",
        "event_store:from_store",
        "events",
        "The whole way from JSON to the state on both sides; ours is strict about the JSON as well.",
    ),
    Comparison(
        "fold",
        "eventsourcing mutate",
        "event_store:from_events",
        "events",
        "Events at hand as objects on both sides; both change one state in place. Theirs checks ids and"
        " versions; ours makes a new island for most events.",
    ),
    Comparison(
        "check",
        "OpenSpiel backgammon, checked",
        "spiel:backgammon",
        "actions",
        "Both find each recorded step legal and make the next state. OpenSpiel is C++ behind Python; it lists"
        " all legal actions as numbers, among which Python looks, and changes its state in place.",
        at_least(1.5),
        1.5,
    ),
    Comparison(
        "check",
        "OpenSpiel backgammon, own check",
        "spiel:backgammon_by_own_check",
        "actions",
        "The same by apply_action_with_legality_check, all of it in C++.",
    ),
    Comparison(
        "check",
        "OpenSpiel hex, checked",
        "spiel:hexagons",
        "actions",
        "The same with a game whose rules are hardly any: an action is legal where the cell is empty.",
    ),
    Comparison(
        "random play",
        "OpenSpiel backgammon, random",
        "spiel:random_backgammon",
        "actions",
        "Both list the legal steps and draw one with the same function; the games are of different depth.",
    ),
    Comparison(
        "random play",
        "OpenSpiel hex, random",
        "spiel:random_hexagons",
        "actions",
        "The same; the legal actions of hex are the empty cells.",
    ),
    Comparison(
        "random play",
        "catanatron random games",
        "settlers:playing",
        "actions",
        "Both list the legal steps, draw one and apply it, and Catan is the bigger game. catanatron lists the"
        " actions of one player, looks the one drawn up among them, and changes its state in place; its games"
        " are cut at 500 actions.",
    ),
)
