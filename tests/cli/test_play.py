"""`karuba play`: what is asked and answered, what the log holds after it, and how a game goes on."""

import gzip
import io
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from karuba_adapters import encode, validate
from karuba_adapters.appending import Appender
from karuba_adapters.decks import deck, opening
from karuba_adapters.notation.turns import action_text
from karuba_adapters.players import casual
from karuba_adapters.players import play as played_by
from karuba_adapters.whole_files import lock_of
from karuba_cli.outputs import Unwritable
from karuba_cli.verbs import app
from karuba_core import Discard, Draw, Event, Game, Pass, Place, RoundEnded, apply, command_of, preset, start
from tests.strategies import so_often

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"
COMMANDS = GAMES / "commands" / "04-3p-stop-casual.jsonl"
SEED = 7

posix = pytest.mark.skipif(os.name != "posix", reason="signals and permissions of POSIX")


def play(*arguments: object, stdin: bytes = b"") -> Result:
    texts = ["play", *map(str, arguments)]
    return CliRunner().invoke(app, texts, input=stdin, catch_exceptions=False)


def refused(result: Result, code: int = 2) -> str:
    """Return why nothing was played, its lines joined."""
    assert (result.exit_code, result.stdout) == (code, "")
    return " ".join(result.stderr.replace("│", " ").split())


def scripted(names: Sequence[str], seed: int) -> tuple[list[list[str]], list[bytes]]:
    """Return a game by what is typed in each round, and the log of each round, the opening first.

    A casual game of the seed whose turns are put in the order of the seats, and applied again.
    """
    step = start(opening(names, seed, preset("official", len(names))))
    typed: list[list[str]] = []
    logs = [b"".join(map(encode, step.events))]
    game, turns = step.game, dict[str, list[Event]]()
    for event in played_by(game.setup, seed, casual):
        if (player := getattr(event, "player", None)) is not None:
            turns.setdefault(player, []).append(event)
        elif isinstance(event, RoundEnded):
            texts, events, game = _round(game, turns, deck(seed)[game.round])
            typed.append(texts)
            logs.append(b"".join(map(encode, events)))
            turns = {}
    return typed, logs


def _round(game: Game, turns: dict[str, list[Event]], tile: int) -> tuple[list[str], list[Event], Game]:
    step = apply(game, Draw(tile))
    texts, events = [], [*step.events]
    for player in game.setup.players:
        commands = [command for command in map(command_of, turns[player]) if command is not None]
        texts.append(action_text(step.game, commands))
        for command in commands:
            step = apply(step.game, command)
            events += step.events
    return texts, events, step.game


def lines(*texts: str) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def verdict(log: Path) -> str:
    """Return what is said of a log that has to be right."""
    (report,) = validate(io.BytesIO(log.read_bytes()))
    assert report.findings == ()
    return report.verdict


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log that is not there yet."""
    return tmp_path / "game.jsonl"


# The log


@pytest.mark.parametrize("names", ["ana,ben", "ana,ben,Émile"])
def test_a_whole_game_is_written_as_it_is_applied(log: Path, names: str) -> None:
    typed, logs = scripted(names.split(","), SEED)
    result = play(
        log, "--players", names, "--seed", SEED, stdin=lines(*(text for each in typed for text in each))
    )

    assert (result.exit_code, result.stderr) == (0, "")
    assert log.read_bytes() == b"".join(logs)
    assert verdict(log) == "valid"
    assert f"karuba replay {log} and karuba show {log} -o page.html" in result.stdout
    assert re.search(r"^\w+ wins: |share the win: ", result.stdout, re.MULTILINE)
    assert result.stdout.count("Round 1 of 36") == len(names.split(","))


@pytest.mark.parametrize("leaving", ["", "q\n", "quit\n", " QUIT \n"])
@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_leaving_loses_the_open_round_alone_and_the_game_goes_on(
    log: Path, leaving: str, rounds: int
) -> None:
    typed, logs = scripted(["ana", "ben"], SEED)
    before = [text for each in typed[:rounds] for text in each]
    unread = lines(typed[rounds][1]) if leaving else b""  # whoever has left plays no more
    stdin = lines(*before, typed[rounds][0]) + leaving.encode() + unread
    result = play(log, "--seed", SEED, stdin=stdin)

    assert (result.exit_code, result.stderr) == (0, "")
    assert log.read_bytes() == b"".join(logs[: rounds + 1])
    assert f"karuba play {log} --seed {SEED} goes on from there" in result.stdout
    rest = [text for each in typed[rounds:] for text in each]
    result = play(log, "--seed", SEED, stdin=lines(*rest))
    assert (result.exit_code, result.stderr) == (0, "")
    assert log.read_bytes() == b"".join(logs)


def test_an_empty_file_begins_a_game(log: Path) -> None:
    log.touch()
    assert play(log, "--seed", SEED).exit_code == 0
    assert log.read_bytes() == scripted(["ana", "ben"], SEED)[1][0]


def test_without_a_log_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    typed, _ = scripted(["ana", "ben"], SEED)
    result = play("--seed", SEED, stdin=lines(*(text for each in typed for text in each)))

    assert (result.exit_code, result.stderr) == (0, "")
    assert " wins: " in result.stdout
    assert "karuba replay" not in result.stdout
    assert "kept nowhere" in play("--seed", SEED).stdout
    assert [*tmp_path.iterdir()] == []


def test_the_rules_of_a_new_game_can_be_chosen(log: Path) -> None:
    play(log, "--rules", "seed-001")
    (report,) = validate(io.BytesIO(log.read_bytes()))
    assert report.rules == "seed-001"


def test_a_seed_that_was_not_given_is_told_and_stands_for_its_tiles(log: Path) -> None:
    left = play(log).stdout
    seed = re.search(r"--seed (\d+) goes on", left)
    (tile,) = re.findall(r"Round 1 of 36, tile (\d+)", left)

    assert seed is not None
    assert deck(int(seed[1]))[0] == int(tile)
    other = log.with_name("other.jsonl")
    play(other)
    assert other.read_bytes() != log.read_bytes()


def test_a_log_that_stands_in_the_middle_of_a_turn_is_gone_on_with(log: Path) -> None:
    writer = Appender(log, opening(("ana", "ben", "cleo"), SEED, preset("official", 3)))
    writer.append(Draw(5))
    writer.append(Place("ben", "b3"))
    before = log.read_bytes()
    result = play(log, "--seed", SEED, stdin=lines("u", "a1", "u", "a2", "u", "a2", "c3"))

    assert result.stdout.count("There is nothing to undo") == 1
    assert result.stdout.count("Undone.") == 2
    assert "ben> " not in result.stdout.partition("Round 2 of 36")[0]
    written = log.read_bytes().removeprefix(before).splitlines()
    assert [line for line in written if b"round-ended" not in line] == [
        b'{"type":"tile-placed","player":"ana","tile":5,"cell":"a2"}',
        b'{"type":"tile-placed","player":"cleo","tile":5,"cell":"c3"}',
    ]


def test_a_game_that_is_over_shows_its_result_and_stays_as_it_is(log: Path) -> None:
    log.write_bytes(before := SOUND.read_bytes())
    result = play(log, stdin=b"b3\n")

    assert (result.exit_code, result.stderr) == (0, "")
    assert f"The game of {log} is over." in result.stdout
    assert " wins: " in result.stdout
    assert "> " not in result.stdout
    assert log.read_bytes() == before


# Logs that cannot go on


def test_a_broken_log_is_told_by_its_findings(log: Path) -> None:
    log.write_bytes(before := (GAMES / "broken" / "shape-1.jsonl").read_bytes())

    assert refused(play(log, stdin=b"b3\n"), 1).startswith(f"{log}:33: text/number-out-of-range: ")
    assert log.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "code", "why"),
    [
        (lambda text: text.removesuffix(b"\n"), 1, "`karuba recover` mends the log"),
        (lambda text: text[: text.index(b'{"type":"round-ended')], 1, "round-ended is due"),
        (lambda text: text + _seal(text), 2, "is sealed"),
        (lambda text: text * 2, 1, "log/second-opening"),
        (lambda _: b"".join(COMMANDS.read_bytes().splitlines(keepends=True)[:9]), 2, "log of commands"),
        (lambda _: SOUND.read_bytes() * 2, 2, "several logs"),
    ],
    ids=["torn", "due", "sealed", "second", "commands", "two"],
)
def test_a_log_that_cannot_go_on_stays_as_it_is(
    log: Path, change: Callable[[bytes], bytes], code: int, why: str
) -> None:
    _, logs = scripted(["ana", "ben"], SEED)
    log.write_bytes(before := change(b"".join(logs[:3])))

    assert why in refused(play(log, stdin=b"b3\nb3\n"), code)
    assert log.read_bytes() == before


def test_a_packed_log_stays_packed(log: Path) -> None:
    log.write_bytes(before := gzip.compress(scripted(["ana", "ben"], SEED)[1][0]))

    with pytest.raises(Unwritable, match="it is packed"):
        play(log)
    assert log.read_bytes() == before


def _seal(text: bytes) -> bytes:
    digest = sha256(text).hexdigest()
    return b'{"type":"seal","records":%d,"digest":"sha256:%s"}\n' % (text.count(b"\n"), digest.encode())


def test_what_is_no_file_to_write_is_wrong_usage(tmp_path: Path) -> None:
    for name in ("-", tmp_path):
        assert "expected a regular file" in refused(play(name))


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_log_that_may_not_be_read_is_told(log: Path) -> None:
    log.write_bytes(SOUND.read_bytes())
    log.chmod(0)
    assert "log/unreadable" in refused(play(log), 3)


# Wrong usage


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--players", "ana"], "expected 2 to 4 players, got 1"),
        (["--players", "a,b,c,d,e"], "expected 2 to 4 players, got 5"),
        (["--players", "ana,ana"], '"ana" is taken already'),
        (["--players", "ana,"], "expected a name"),
        (["--policy-for", "cleo=planner"], '"cleo" is none of the players, "ana" and "ben"'),
        (["--policy-for", "planner"], 'expected NAME=POLICY, got "planner"'),
        (["--policy-for", "=planner"], '"" is none of the players'),
        (["--policy-for", "ben=expert"], 'no policy is called "expert": casual, planner'),
        (["--policy-for", "ben=planner", "--policy-for", "ben=casual"], '"ben" has two policies'),
    ],
)
def test_who_cannot_play_is_wrong_usage(log: Path, options: list[str], why: str) -> None:
    assert why in refused(play(log, *options))
    assert not log.exists()


def test_a_game_goes_on_with_its_own_players_and_rules(log: Path) -> None:
    begun = ("--players", "ben,ana", "--rules", "seed-001", "--seed", SEED)
    assert play(log, *begun).exit_code == 0
    before = log.read_bytes()

    assert play(log, *begun).exit_code == 0
    assert '"ben" and "ana"' in refused(play(log, "--players", "ana,ben"))
    assert "other rules" in refused(play(log, "--rules", "official"))
    assert log.read_bytes() == before


# At the terminal


def test_a_refused_input_says_why_and_is_asked_again(log: Path) -> None:
    result = play(log, "--seed", SEED, stdin=lines("Bl g9", "nonsense", "", "a1", "a1 b1", "a1", "a1"))

    assert "[rule/unknown-cell]" in result.stdout
    assert result.stdout.count("[notation/unexpected]") == 2
    assert "[rule/cell-occupied]" in result.stdout  # ana, in the second round
    assert log.read_bytes().count(b"tile-placed") == 2
    assert verdict(log) == "incomplete"


def test_words_show_and_change_nothing(log: Path) -> None:
    words = ["?", "help", "H", "b", "board", "o", "others", "s", "scores"]
    result = play(log, "--seed", SEED, stdin=lines(*words))

    assert result.stdout.count("Or with a word:") == 3
    assert result.stdout.count("Or discard it") == 1 + 2
    assert result.stdout.count("total") == 2
    assert result.stdout.count("ben: 0 (temples 0") == 2
    assert log.read_bytes().count(b"\n") == 1


def test_the_last_action_can_be_undone_whoever_did_it(log: Path) -> None:
    play(
        log,
        "--players",
        "ana,ben,cleo",
        "--seed",
        SEED,
        stdin=lines("a1", "b1", "u", "undo", "a2", "b2", "c2"),
    )

    cells = re.findall(rb'"player":"(\w+)","tile":17,"cell":"(\w+)"', log.read_bytes())
    assert cells == [(b"ana", b"a2"), (b"ben", b"b2"), (b"cleo", b"c2")]


def test_automatons_act_by_themselves_and_are_told(log: Path) -> None:
    players = ("--players", "ana,ben,cleo", "--seed", SEED)
    result = play(log, *players, "--policy-for", "ben=casual", stdin=lines("a1", "u", "a2", "c3"))

    acted = re.findall(r"^ben \(casual\): (.*)$", result.stdout, re.MULTILINE)
    assert "ben> " not in result.stdout
    assert len(acted) == 2
    assert acted[0] == acted[1]
    played = [line for line in log.read_text().splitlines() if '"player":"ben"' in line]
    assert played
    assert ('"tile-placed"' in played[0]) == bool(re.fullmatch("[a-f][1-5]", acted[0]))
    assert b'"ana","tile":17,"cell":"a2"' in log.read_bytes()


def test_what_goes_on_is_told_as_it_was_begun(log: Path) -> None:
    """The command that is told is one for a shell: it plays on with the same automatons."""
    log = log.with_name("ana's first game.jsonl")
    begun = [str(log), "--seed", str(SEED), "--policy-for", "a b=casual"]
    told = play(*begun, "--players", "ana,a b", stdin=lines("a1")).stdout
    again = re.search("; (karuba play .*) goes on", told)

    assert again is not None
    assert shlex.split(again[1]) == ["karuba", "play", *begun]


def test_automatons_alone_play_to_the_end(log: Path) -> None:
    policies = ("--policy-for", "ana=planner", "--policy-for", "ben=casual")
    result = play(log, "--seed", SEED, *policies)

    assert (result.exit_code, result.stderr) == (0, "")
    assert verdict(log) == "valid"
    assert "> " not in result.stdout


@pytest.mark.parametrize(
    "names", [("[red]undo", "a=b"), ("q", "u\u202e"), ("..", "小" * 64), ("a\\b", '"x"'), ("?", "{}")]
)
def test_hostile_names_are_only_names(log: Path, names: tuple[str, str]) -> None:
    policy = f"{names[1]}=planner"
    result = play(log, "--players", ",".join(names), "--policy-for", policy, "--seed", SEED, stdin=b"b3\nu\n")

    assert (result.exit_code, result.stderr) == (0, "")
    assert "\u202e" not in result.stdout
    assert names[0].replace("\\", "\\\\") + "> " in result.stdout
    assert log.read_bytes().count(b"tile-drawn") == 1
    assert verdict(log) == "incomplete"


_TYPED = st.sampled_from(
    ["1", "2", "5", "u", "o", "-", "- .", "pass", ".", "b", "Bl a1", "*", "c3", "d4", "e5"]
)


@so_often(20)
@given(
    typed=st.lists(_TYPED.map(str.encode) | st.binary(max_size=9), max_size=40),
    names=st.sampled_from(["ana,ben", "ana,ben,cleo"]),
)
def test_whatever_is_typed_ends_in_a_right_log(typed: list[bytes], names: str) -> None:
    with TemporaryDirectory() as folder:
        log = Path(folder) / "game.jsonl"
        result = play(log, "--seed", SEED, "--players", names, stdin=b"\n".join(typed))

        assert (result.exit_code, result.stderr) == (0, "")
        assert verdict(log) == "incomplete"
        records = log.read_bytes().splitlines()
        assert len(records) == 1 or records[-1].startswith(b'{"type":"round-ended"')


# Other writers


def test_a_conflict_is_told_and_what_the_other_wrote_stands(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = count()

    def answered(*_: object, **__: object) -> str:
        if next(answers) == 1:
            Appender(log).append(Draw(5))
        return "b3"

    monkeypatch.setattr("karuba_cli.playing._asked", answered)
    result = play(log, "--seed", SEED)

    assert result.exit_code == 3
    assert result.stderr.startswith(f"karuba: another program has written to {log} meanwhile")
    assert log.read_bytes().splitlines()[1:] == [b'{"type":"tile-drawn","round":1,"tile":5}']
    assert next(answers) == 2


def test_another_game_in_its_place_takes_no_round(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has as many records, and a round is open in it, so that the draw is refused."""
    writer = Appender(log, opening(("ana", "ben", "cleo"), SEED, preset("official", 3)))
    for command in (Draw(5), Place("ana", "b3"), Discard("ben"), Pass("ben")):
        writer.append(command)
    other = log.read_bytes()
    log.write_bytes(b"".join(scripted(["ana", "ben"], SEED)[1][:2]))
    assert log.read_bytes().count(b"\n") == other.count(b"\n")

    def answered(*_: object, **__: object) -> str:
        log.write_bytes(other)
        return "-"

    monkeypatch.setattr("karuba_cli.playing._asked", answered)
    result = play(log)

    assert (result.exit_code, log.read_bytes()) == (3, other)
    assert "another program has written" in result.stderr


def test_a_log_that_another_program_writes_is_waited_for(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karuba_adapters.appending.lock_of", lambda path, _: lock_of(path, 0.05))
    with lock_of(log, 1):
        result = play(log)
    assert refused(result, 3) == f"karuba: {log} is being written by another program"
    assert not log.exists()


# As a process


def environment(**other: str) -> dict[str, str]:
    return {**os.environ, "COLUMNS": "100", **other}


@posix
def test_an_interrupt_ends_it_with_130_and_the_closed_rounds_stand(log: Path) -> None:
    typed, logs = scripted(["ana", "ben"], SEED)
    started = [sys.executable, "-m", "karuba_cli", "play", str(log), "--seed", str(SEED)]
    with subprocess.Popen(
        started, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(lines(*typed[0], typed[1][0]))
        process.stdin.flush()
        while b"Round 2 of 36" not in process.stdout.readline():
            pass
        shown = b""
        while not shown.endswith(b"ben> "):
            shown += process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == b""
        assert f"karuba play {log} --seed {SEED} goes on".encode() in process.stdout.read()
    assert log.read_bytes() == logs[0] + logs[1]


def test_a_pipe_and_a_terminal_that_lacks_characters_will_do(log: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "karuba_cli", "play", str(log), "--players", "Émile,ben"],
        input=b"b3\r\n\xff\xfe\xe9\r\nc4\r\no",
        env=environment(PYTHONIOENCODING="ascii"),
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout
    assert b"\\xc9mile> b3\n" in done.stdout.replace(b"\r", b"")
    assert b"total" in done.stdout
    assert b"\\u25" not in done.stdout
    assert log.read_bytes().count(b"tile-placed") == 2
