"""python-chess: chess games of random legal moves are replayed, read from PGN, and played."""

import io
from itertools import cycle
from random import Random
from typing import Final

import chess
import chess.pgn

from karuba_adapters.decks import choice
from tests.bench.measuring import Work

PLIES: Final = 200
"""How long a game may become: about as long as a game of Karuba."""


def replaying(games: int) -> Work:
    """Return the work of pushing moves in UCI, each of which is parsed and found legal."""
    played = [[move.uci() for move in random_game(seed).move_stack] for seed in range(games)]

    def work() -> int:
        for moves in played:
            board = chess.Board()
            for move in moves:
                board.push_uci(move)
        return sum(map(len, played))

    return work


def reading(games: int) -> Work:
    """Return the work of reading games from PGN."""
    boards = [random_game(seed) for seed in range(games)]
    text = "\n\n".join(str(chess.pgn.Game.from_board(board)) for board in boards)
    plies = sum(len(board.move_stack) for board in boards)

    def work() -> int:
        games_in(text)
        return plies

    assert sum(len(list(game.mainline_moves())) for game in games_in(text)) == plies
    return work


def games_in(text: str) -> list[chess.pgn.Game]:
    """Return the games of a text in PGN, all of which are right."""
    stream, games = io.StringIO(text), list[chess.pgn.Game]()
    while (game := chess.pgn.read_game(stream)) is not None:
        assert not game.errors
        games.append(game)
    return games


def playing(games: int) -> Work:
    """Return the work of playing the next of so many games: to list all moves, draw one, and push it."""
    seeds = cycle(range(games))
    return lambda: len(random_game(next(seeds)).move_stack)


def random_game(seed: int) -> chess.Board:
    """Play random legal moves until there are none, or long enough."""
    random, board = Random(seed), chess.Board()
    while len(board.move_stack) < PLIES and (moves := tuple(board.legal_moves)):
        board.push(choice(moves, random))
    return board
