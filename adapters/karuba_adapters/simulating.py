"""Simulated games as sealed logs: new ones, and recorded ones that are played on."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from karuba_adapters.codec import encode
from karuba_adapters.continuing import are_commands, whole_lines
from karuba_adapters.judging import Right
from karuba_adapters.log_writing import SealMaker
from karuba_adapters.players import Policy, play, play_on
from karuba_core import Setup, command_of


def simulated(setup: Setup, seed: int, policy: Policy) -> Iterator[bytes]:
    r"""Yield the lines of the log of a new game.

    Args:
        setup: How the game starts.
        seed: Any whole number; with the setup and the policy it stands for these bytes for ever.
        policy: How all players play.

    Raises:
        InvalidSetup: The setup breaks the rules.

    >>> from karuba_adapters.decks import opening
    >>> from karuba_adapters.players import planner
    >>> from karuba_core import preset
    >>> lines = list(simulated(opening(("ana", "ben"), 7, preset("official", 2)), 7, planner))
    >>> lines[1], lines[-1][:30]
    (b'{"type":"tile-drawn","round":1,"tile":17}\n', b'{"type":"seal","records":173,"')
    """
    return _sealed(map(encode, play(setup, seed, policy)))


def simulated_on(records: Sequence[Right], seed: int, policy: Policy) -> Iterator[bytes]:
    """Yield the lines of a log whose game is played on to its end.

    Its own lines come first and stay as they are; a line feed that the last one lacks is added.
    A log of commands goes on with commands.

    Args:
        records: All records of the log, found right, its opening first; none is a seal.
        seed: Any whole number, as in `play_on`.
        policy: How all players play.
    """
    messages = play_on(records[-1].step.game, seed, policy)
    if are_commands(records):
        commands = map(command_of, messages)
        new = [encode(command) for command in commands if command is not None]
    else:
        new = [encode(event) for event in messages]
    return _sealed(chain(whole_lines(records), new))


def _sealed(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a log, and its seal."""
    seal = SealMaker()
    for line in lines:
        seal.add(line)
        yield line
    yield encode(seal.seal())
