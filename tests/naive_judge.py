"""
A second, slow reading of spec/log-format.md that shares no code with the kernel.

The test suite holds the kernel against this file: two programs written apart that reach the same verdict are
harder to fool than one. Everything here favours being obvious over being fast or general: the tables are
typed out, a cell is a (row, column) pair counted from 1, the state is changed in place, and legal moves are
found by trying every entry and asking the same question that judges a recorded move.

A file is expected to hold one log. The opening of a further log behind a finished or sealed one is not read
here and raises NotImplementedError.
"""

import hashlib
import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

Cell = tuple[int, int]
Record = dict[str, Any]

LINE_LIMIT = 1024 * 1024  # bytes of a line, its LF not counted
DEPTH_LIMIT = 128  # objects and lists inside each other, the record itself being the first
SAFE_INTEGER = 2**53 - 1

COLOURS = ["blue", "brown", "purple", "yellow"]
CELLS: dict[str, Cell] = {f"{'abcdef'[c - 1]}{r}": (r, c) for r in range(1, 6) for c in range(1, 7)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
SHIFT = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}

EXITS = {
    1: "EW", 2: "EW", 3: "ES", 4: "SW", 5: "ESW", 6: "ESW",
    7: "NESW", 8: "NESW", 9: "NE", 10: "NW", 11: "NEW", 12: "NEW",
    13: "EW", 14: "EW", 15: "EW", 16: "EW", 17: "NS", 18: "NS",
    19: "EW", 20: "EW", 21: "ES", 22: "SW", 23: "NES", 24: "NSW",
    25: "NESW", 26: "NESW", 27: "NE", 28: "NW", 29: "NES", 30: "NSW",
    31: "NS", 32: "NS", 33: "NS", 34: "NS", 35: "NS", 36: "NS",
}  # fmt: skip
CRYSTALS = [3, 4, 9, 10, 11, 13, 15, 27, 31, 33]
NUGGETS = [14, 16, 32, 34]
TREASURES = dict.fromkeys(CRYSTALS, "crystal") | dict.fromkeys(NUGGETS, "gold")

# The cell a number of the printed edge belongs to, and the side of that cell on which it stands.
BEACH: dict[int, tuple[Cell, str]] = {
    10: ((1, 1), "W"), 20: ((2, 1), "W"), 30: ((3, 1), "W"), 40: ((4, 1), "W"), 50: ((5, 1), "W"),
    60: ((5, 1), "S"), 70: ((5, 2), "S"), 80: ((5, 3), "S"), 90: ((5, 4), "S"), 100: ((5, 5), "S"),
    110: ((5, 6), "S"),
}  # fmt: skip
JUNGLE: dict[int, tuple[Cell, str]] = {
    10: ((1, 1), "N"), 20: ((1, 2), "N"), 30: ((1, 3), "N"), 40: ((1, 4), "N"), 50: ((1, 5), "N"),
    60: ((1, 6), "N"), 70: ((1, 6), "E"), 80: ((2, 6), "E"), 90: ((3, 6), "E"), 100: ((4, 6), "E"),
    110: ((5, 6), "E"),
}  # fmt: skip

EVENT_OF = {
    "draw": "tile-drawn",
    "place": "tile-placed",
    "discard": "tile-discarded",
    "move": "adventurer-moved",
    "collect": "treasure-collected",
    "pass": "turn-passed",
}
COMMAND_OF = {event: command for command, event in EVENT_OF.items()}
COMMAND_FIELDS = {
    "draw": ["tile"],
    "place": ["player", "cell"],
    "discard": ["player"],
    "move": ["player", "adventurer", "path"],
    "collect": ["player", "adventurer"],
    "pass": ["player"],
}
FOLLOWING = ["round-ended", "game-ended"]


class FaultError(Exception):
    """The record or line at hand is wrong."""


def must(holds: bool, rule: str) -> None:
    if not holds:
        raise FaultError(rule)


# Text


def whole_number(digits: str) -> int:
    number = int(digits)
    must(-SAFE_INTEGER <= number <= SAFE_INTEGER, "an integer too large to be exact everywhere")
    return number


def other_number(digits: str) -> float:
    number = float(digits)
    must(math.isfinite(number), "a number no double holds")
    return number


def no_constant(name: str) -> None:
    raise FaultError(f"{name} is not JSON")


def object_of(pairs: list[tuple[str, Any]]) -> Record:
    found: Record = {}
    for key, value in pairs:
        must(key not in found, "a key stands twice in one object")
        found[key] = value
    return found


def depth_of(text: str) -> int:
    depth = deepest = 0
    for character in re.sub(r'"(?:[^"\\]|\\.)*"', "", text):
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def check_strings(value: object) -> None:
    if isinstance(value, str):
        must(not any(0xD800 <= ord(character) <= 0xDFFF for character in value), "half a surrogate pair")
    elif isinstance(value, list):
        for item in value:
            check_strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            check_strings(key)
            check_strings(item)


def record_of(line: bytes) -> Record:
    """The object that a line holds; whatever is wrong with its text is a fault."""
    must(len(line) <= LINE_LIMIT, "a line too long")
    try:
        text = line.decode("utf-8")
        must(depth_of(text) <= DEPTH_LIMIT, "nested too deeply")
        value = json.loads(
            text,
            object_pairs_hook=object_of,
            parse_int=whole_number,
            parse_float=other_number,
            parse_constant=no_constant,
        )
    except ValueError as error:  # not UTF-8, not JSON, or more digits than int() takes
        raise FaultError("not a line of JSON") from error
    must(isinstance(value, dict), "not an object")
    check_strings(value)
    must("meta" not in value or isinstance(value["meta"], dict), "meta is not an object")
    must(isinstance(value.get("type"), str), "no type")
    return {key: item for key, item in value.items() if key != "meta"}


def same(left: object, right: object) -> bool:
    """Equal in value and JSON type, all the way down: True and 1.0 are not 1."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    return left == right


# Opening


def check_fields(value: object, fields: list[str]) -> None:
    must(isinstance(value, dict) and set(value) == set(fields), "exactly these fields: " + ", ".join(fields))


def check_players(players: object) -> None:
    if not isinstance(players, list):
        raise FaultError("players is not a list")
    must(2 <= len(players) <= 4, "two to four players")
    for player in players:
        must(isinstance(player, str) and 1 <= len(player) <= 64, "a name has 1 to 64 characters")
        for character in player:
            code = ord(character)
            must(not (code < 0x20 or 0x7F <= code <= 0x9F), "a control character in a name")
    must(len(set(players)) == len(players), "two players of one name")


def far_enough(beach: int, jungle: int, separation: str) -> bool:
    if separation == "value-30":
        return abs(beach - jungle) >= 30
    walk = min(beach // 10 + jungle // 10 - 1, 23 - beach // 10 - jungle // 10)
    return walk >= (4 if separation == "edge-4" else 3)


def check_layout(layout: Record, separation: str) -> None:
    check_fields(layout, COLOURS)
    for colour in COLOURS:
        pair = layout[colour]
        check_fields(pair, ["beach", "jungle"])
        must(type(pair["beach"]) is int and pair["beach"] in BEACH, "not a beach number")
        must(type(pair["jungle"]) is int and pair["jungle"] in JUNGLE, "not a jungle number")
        must(far_enough(pair["beach"], pair["jungle"], separation), "adventurer and temple too close")
    must(len({layout[colour]["beach"] for colour in COLOURS}) == 4, "a shared beach number")
    must(len({layout[colour]["jungle"] for colour in COLOURS}) == 4, "a shared jungle number")


def check_rules(rules: Record, seats: int) -> None:
    check_fields(rules, ["pickup", "temple_treasures", "separation"])
    must(rules["pickup"] in ["stop", "landing", "step"], "no such pick-up rule")
    must(rules["separation"] in ["edge-3", "edge-4", "value-30"], "no such separation rule")
    stack = rules["temple_treasures"]
    must(isinstance(stack, list) and seats <= len(stack) <= 8, "one treasure a player, at most 8")
    for place, token in enumerate(stack):
        must(type(token) is int and 1 <= token <= 99, "a treasure is worth 1 to 99")
        must(place == 0 or token <= stack[place - 1], "a stack never rises")


def check_opening(record: Record) -> None:
    check_fields(record, ["type", "format", "players", "leader", "layout", "rules"])
    must(record["type"] == "game-started", "a log begins with game-started")
    must(record["format"] == "karuba-log/1", "another format")
    check_players(record["players"])
    must(record["leader"] in record["players"], "the leader is no player")
    check_rules(record["rules"], len(record["players"]))
    check_layout(record["layout"], record["rules"]["separation"])


# State


@dataclass
class Seat:
    """One player's island and gains; `where` holds a cell, "beach" or "temple" for each colour."""

    where: dict[str, Cell | str] = field(default_factory=lambda: dict.fromkeys(COLOURS, "beach"))
    board: dict[Cell, int] = field(default_factory=dict)
    lying: dict[Cell, str] = field(default_factory=dict)
    crystals: int = 0
    gold: int = 0
    temples: int = 0

    def treasure_under(self, colour: str) -> str | None:
        spot = self.where[colour]
        return None if isinstance(spot, str) else self.lying.get(spot)

    def is_home(self) -> bool:
        return all(spot == "temple" for spot in self.where.values())


@dataclass
class Turn:
    """One player's part of a round: "choosing", then "walking" after a discard, at last "closed"."""

    phase: str = "choosing"
    steps: int = 0
    adventurer: str | None = None


class Game:
    """Everything that the opening and the records so far amount to."""

    def __init__(self, opening: Record) -> None:
        self.players: list[str] = opening["players"]
        self.layout: dict[str, dict[str, int]] = opening["layout"]
        self.pickup: str = opening["rules"]["pickup"]
        self.stacks: dict[str, list[int]] = {c: list(opening["rules"]["temple_treasures"]) for c in COLOURS}
        self.seats = {player: Seat() for player in self.players}
        self.drawn: list[int] = []
        self.turns: dict[str, Turn] = {}  # empty while no round is open
        self.arrived: list[tuple[str, str]] = []  # (player, colour) of this round
        self.over = False


# What a command leads to: the event, or a fault. Nothing is changed here.


def decide(game: Game, command: Record) -> Record:
    kind = command["type"]
    if kind == "draw":
        return decide_draw(game, command["tile"])
    player = command["player"]
    must(isinstance(player, str) and player in game.players, "no such player")
    must(player in game.turns, "no round is open")
    turn = game.turns[player]
    event: Record = {"type": EVENT_OF[kind], "player": player}
    if kind in ["place", "discard"]:
        must(turn.phase == "choosing", "the tile of this round is used")
        tile = game.drawn[-1]
        event["tile"] = tile
        if kind == "discard":
            return event | {"steps": len(EXITS[tile])}
        check_place(game.seats[player], command["cell"])
        return event | {"cell": command["cell"]}
    must(turn.phase == "walking", "only between a discard and the end of the turn")
    if kind == "pass":
        check_pass(game, player)
        return event
    colour = command["adventurer"]
    must(isinstance(colour, str) and colour in COLOURS, "no such adventurer")
    event["adventurer"] = colour
    if kind == "move":
        check_move(game, player, colour, command["path"])
        return event | {"path": list(command["path"])}
    return event | decide_collect(game, player, colour)


def decide_draw(game: Game, tile: object) -> Record:
    must(not game.over, "the game is over")
    must(not game.turns, "a round is open")
    must(type(tile) is int and tile in EXITS, "no such tile")
    must(tile not in game.drawn, "drawn before")
    return {"type": "tile-drawn", "round": len(game.drawn) + 1, "tile": tile}


def check_place(seat: Seat, cell: object) -> None:
    must(isinstance(cell, str) and cell in CELLS, "no such cell")
    must(CELLS[str(cell)] not in seat.board, "a tile lies there")


def check_pass(game: Game, player: str) -> None:
    mover = game.turns[player].adventurer
    if game.pickup == "landing" and mover is not None:
        must(game.seats[player].treasure_under(mover) is None, "the treasure has to be taken")


def check_move(game: Game, player: str, colour: str, path: object) -> None:
    seat = game.seats[player]
    turn = game.turns[player]
    must(turn.adventurer in [None, colour], "another adventurer has this turn")
    if not isinstance(path, list):
        raise FaultError("a path is a list")
    must(1 <= len(path) <= turn.steps, "no step or too many")
    held = [spot for other, spot in seat.where.items() if other != colour]
    spot = seat.where[colour]
    for entry in path:
        must(isinstance(entry, str) and (entry == "temple" or entry in CELLS), "no such cell")
        must(spot != "temple", "nobody leaves a temple")
        if entry == "temple":
            must(reaches_temple(seat, spot, game.layout[colour]["jungle"]), "the temple is elsewhere")
            spot = "temple"
        else:
            must(CELLS[entry] not in held, "held by another adventurer")
            must(connected(seat, spot, CELLS[entry], game.layout[colour]["beach"]), "no way there")
            spot = CELLS[entry]


def reaches_temple(seat: Seat, spot: Cell | str, jungle: int) -> bool:
    if isinstance(spot, str):
        return False
    cell, side = JUNGLE[jungle]
    return spot == cell and side in EXITS[seat.board[cell]]


def connected(seat: Seat, spot: Cell | str, target: Cell, beach: int) -> bool:
    if target not in seat.board:
        return False
    if isinstance(spot, str):
        cell, side = BEACH[beach]
        return target == cell and side in EXITS[seat.board[cell]]
    for side in EXITS[seat.board[spot]]:
        if (spot[0] + SHIFT[side][0], spot[1] + SHIFT[side][1]) == target:
            return OPPOSITE[side] in EXITS[seat.board[target]]
    return False


def decide_collect(game: Game, player: str, colour: str) -> Record:
    seat = game.seats[player]
    turn = game.turns[player]
    if game.pickup == "step":
        must(turn.adventurer in [None, colour], "another adventurer has this turn")
        must(turn.steps >= 1, "no step left to pay with")
    else:
        must(turn.adventurer == colour, "this adventurer has not moved")
    treasure = seat.treasure_under(colour)
    must(treasure is not None, "no treasure there")
    cell = next(name for name, spot in CELLS.items() if spot == seat.where[colour])
    return {"cell": cell, "treasure": treasure}


# What an event changes. It has been decided before, so nothing is asked here.


def apply(game: Game, event: Record) -> list[Record]:
    """Change the state; return the events that have to follow at once."""
    kind = event["type"]
    if kind == "tile-drawn":
        game.drawn.append(event["tile"])
        game.turns = {player: Turn() for player in game.players}
        return []
    seat = game.seats[event["player"]]
    turn = game.turns[event["player"]]
    if kind == "tile-placed":
        apply_place(seat, event)
        turn.phase = "closed"
    elif kind == "tile-discarded":
        turn.phase = "walking"
        turn.steps = event["steps"]
    elif kind == "adventurer-moved":
        apply_move(game, event)
    elif kind == "treasure-collected":
        apply_collect(game, event)
    else:
        turn.phase = "closed"
    if all(each.phase == "closed" for each in game.turns.values()):
        return end_round(game)
    return []


def apply_place(seat: Seat, event: Record) -> None:
    cell = CELLS[event["cell"]]
    seat.board[cell] = event["tile"]
    if event["tile"] in TREASURES:
        seat.lying[cell] = TREASURES[event["tile"]]


def apply_move(game: Game, event: Record) -> None:
    player, colour, path = event["player"], event["adventurer"], event["path"]
    seat = game.seats[player]
    turn = game.turns[player]
    turn.adventurer = colour
    turn.steps -= len(path)
    if path[-1] == "temple":
        seat.where[colour] = "temple"
        game.arrived.append((player, colour))
        turn.phase = "closed"
        return
    seat.where[colour] = CELLS[path[-1]]
    may_still_take = game.pickup != "step" and seat.treasure_under(colour) is not None
    if turn.steps == 0 and not may_still_take:
        turn.phase = "closed"


def apply_collect(game: Game, event: Record) -> None:
    seat = game.seats[event["player"]]
    turn = game.turns[event["player"]]
    del seat.lying[CELLS[event["cell"]]]
    if event["treasure"] == "gold":
        seat.gold += 1
    else:
        seat.crystals += 1
    turn.adventurer = event["adventurer"]
    turn.steps -= 1
    if game.pickup != "step" or turn.steps == 0:
        turn.phase = "closed"


def end_round(game: Game) -> list[Record]:
    awards: list[Record] = []
    for colour in COLOURS:
        first = game.stacks[colour][0] if game.stacks[colour] else 0
        for player in game.players:
            if (player, colour) in game.arrived:
                token = game.stacks[colour].pop(0)
                game.seats[player].temples += token
                game.seats[player].crystals += first - token
                awards.append({"player": player, "temple": colour, "token": token, "crystals": first - token})
    game.arrived = []
    game.turns = {}
    following: list[Record] = [{"type": "round-ended", "round": len(game.drawn), "awards": awards}]
    if any(seat.is_home() for seat in game.seats.values()):
        following.append(end_game(game, "all-home"))
    elif len(game.drawn) == 36:
        following.append(end_game(game, "tiles-exhausted"))
    return following


def end_game(game: Game, reason: str) -> Record:
    game.over = True
    scores: dict[str, dict[str, int]] = {}
    for player, seat in game.seats.items():
        scores[player] = {
            "temples": seat.temples,
            "crystals": seat.crystals,
            "gold": seat.gold,
            "total": seat.temples + seat.crystals + 2 * seat.gold,
            "tiles": len(seat.board),
        }
    most = max(score["total"] for score in scores.values())
    best = [player for player in game.players if scores[player]["total"] == most]
    widest = max(scores[player]["tiles"] for player in best)
    winners = [player for player in best if scores[player]["tiles"] == widest]
    return {"type": "game-ended", "reason": reason, "scores": scores, "winners": winners}


# The log


class Reading:
    """A log read record by record; `due` lists the events that have to stand next in an event log."""

    def __init__(self) -> None:
        self.game: Game | None = None
        self.kind = ""  # "event" or "command", once the first record after the opening has told
        self.due: list[Record] = []
        self.sealed = False

    def finished(self) -> bool:
        return self.game is not None and self.game.over and not self.due

    def take(self, record: Record, bytes_before: bytes) -> None:
        kind = record["type"]
        if kind == "game-started" and (self.sealed or self.finished()):
            raise NotImplementedError("this judge reads one log")
        must(not self.sealed, "something follows the seal")
        if self.game is None:
            check_opening(record)
            self.game = Game(record)
        elif kind == "seal":
            check_seal(record, bytes_before)
            self.sealed = True
        elif kind in COMMAND_OF or kind in FOLLOWING:
            must(self.kind != "command", "an event in a command log")
            self.kind = "event"
            self.take_event(self.game, record)
        elif kind in EVENT_OF:
            must(self.kind != "event", "a command in an event log")
            self.kind = "command"
            check_fields(record, ["type", *COMMAND_FIELDS[kind]])
            apply(self.game, decide(self.game, record))
        else:
            raise FaultError("no such record here")

    def take_event(self, game: Game, record: Record) -> None:
        if self.due:
            must(same(record, self.due[0]), "something else is due")
            self.due.pop(0)
            return
        must(record["type"] in COMMAND_OF, "neither the round nor the game ends here")
        name = COMMAND_OF[record["type"]]
        command: Record = {"type": name}
        for wanted in COMMAND_FIELDS[name]:
            must(wanted in record, "a field is missing")
            command[wanted] = record[wanted]
        event = decide(game, command)
        must(same(record, event), "this is not what happens")
        self.due = apply(game, event)


def check_seal(record: Record, bytes_before: bytes) -> None:
    digest = "sha256:" + hashlib.sha256(bytes_before).hexdigest()
    true_seal = {"type": "seal", "records": bytes_before.count(b"\n"), "digest": digest}
    must(same(record, true_seal), "the seal does not fit")


def read(data: bytes) -> tuple[Reading, int]:
    """Read up to the end or the first fault; the number is the line of the fault or 0."""
    reading = Reading()
    lines = data.split(b"\n")
    if len(lines) > 1 and lines[-1] == b"":
        lines.pop()
    start = 0
    for number, line in enumerate(lines, start=1):
        try:
            reading.take(record_of(line), data[:start])
        except FaultError:
            return reading, number
        start += len(line) + 1
    return reading, 0


def judge(data: bytes) -> tuple[str, int]:
    """Return "valid", "incomplete" or "invalid" for one log, and the line of its first fault or 0."""
    reading, fault = read(data)
    if fault:
        return "invalid", fault
    return ("valid" if reading.finished() else "incomplete"), 0


# Legal commands: try and see


def is_legal(game: Game, command: Record) -> bool:
    try:
        decide(game, command)
    except FaultError:
        return False
    return True


def moves_of(game: Game, player: str, colour: str) -> list[Record]:
    """One shortest move for every place where this adventurer can end, found by lengthening legal paths."""
    found: list[Record] = []
    ends: set[str] = set()
    paths: list[list[str]] = [[]]
    while paths:
        longer: list[list[str]] = []
        for path in paths:
            for entry in [*CELLS, "temple"]:
                move = {"type": "move", "player": player, "adventurer": colour, "path": [*path, entry]}
                if entry not in ends and is_legal(game, move):
                    ends.add(entry)
                    found.append(move)
                    longer.append([*path, entry])
        paths = longer
    return found


def legal_commands(data: bytes) -> list[Record]:
    """Return every command that is legal after the right records at the head of a log."""
    reading, _ = read(data)
    game = reading.game
    if game is None or reading.due:
        return []
    tries: list[Record] = [{"type": "draw", "tile": tile} for tile in EXITS]
    for player in game.players:
        tries.extend({"type": "place", "player": player, "cell": cell} for cell in CELLS)
        tries.append({"type": "discard", "player": player})
        for colour in COLOURS:
            tries.extend(moves_of(game, player, colour))
            tries.append({"type": "collect", "player": player, "adventurer": colour})
        tries.append({"type": "pass", "player": player})
    return [command for command in tries if is_legal(game, command)]
