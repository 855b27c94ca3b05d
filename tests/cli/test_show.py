"""`karuba show`: which state of which log is drawn, as what, where it goes, and what is refused."""

import hashlib
import io
import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters import read_events
from karuba_adapters.drawing.board_svg import game_svg, island_svg
from karuba_adapters.drawing.marks import last_round
from karuba_cli.verbs import app
from karuba_core import Event, Game, Step, rederive

GAMES = Path(__file__).parents[1] / "games"
SOUND = GAMES / "sound" / "04-3p-stop-casual.jsonl"
COMMANDS = GAMES / "commands" / "04-3p-stop-casual.jsonl"
LINES = SOUND.read_bytes().splitlines(keepends=True)
ASKED = COMMANDS.read_bytes().splitlines(keepends=True)
RECORDS = len(LINES)
PLAYERS = ["ana", "d", "Émile"]


def karuba(*arguments: object, stdin: bytes = b"", encoding: str = "utf-8") -> Result:
    texts = ["show", *map(str, arguments)]
    return CliRunner(charset=encoding).invoke(app, texts, input=stdin, catch_exceptions=False)


def steps(count: int = RECORDS) -> list[Step[Game, Event]]:
    return list(rederive(read_events(io.BytesIO(b"".join(LINES[:count])))))


def drawn(count: int = RECORDS) -> str:
    """Return the picture of the sound game after some records."""
    return game_svg(steps(count)[-1].game, marks=last_round(steps(count))) + "\n"


# Which state


@pytest.mark.parametrize("log", [SOUND, COMMANDS], ids=["events", "commands"])
def test_the_end_of_a_game_is_drawn(log: Path) -> None:
    result = karuba(log)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout_bytes.decode() == drawn()


@pytest.mark.parametrize("at", [1, 2, 3, 60, RECORDS - 1, RECORDS])
def test_the_state_after_a_record_is_drawn(at: int) -> None:
    assert karuba(SOUND, "--at", at).stdout_bytes.decode() == drawn(at)


def test_a_command_is_drawn_with_all_that_follows_it() -> None:
    """The way of a move is known, though the round may have ended with it."""
    moves = [place for place, line in enumerate(ASKED, start=1) if b'"move"' in line]
    for at in (moves[0], moves[-1]):
        picture = karuba(COMMANDS, "--at", at).stdout
        assert 'class="k-way"' in picture
        assert picture == karuba("-", stdin=b"".join(ASKED[:at])).stdout


def test_a_seal_changes_nothing() -> None:
    log = b"".join(LINES[:60])
    seal = b'{"type":"seal","records":60,"digest":"sha256:%s"}\n' % hashlib.sha256(log).hexdigest().encode()

    result = karuba("-", stdin=log + seal)
    assert (result.exit_code, result.stderr, result.stdout_bytes.decode()) == (0, "", drawn(60))


@pytest.mark.parametrize("log", [SOUND, "-"])
def test_a_record_that_is_not_there_is_wrong_usage(log: object) -> None:
    result = karuba(log, "--at", RECORDS + 1, stdin=b"".join(LINES))

    assert (result.exit_code, result.stdout) == (2, "")
    assert f"the log has {RECORDS} records only" in re.sub(r"\s+", " ", result.stderr)


def test_one_log_of_several_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(LINES) + b"".join(LINES[:60]))

    first, second = karuba(path), karuba(path, "--log", 2)
    assert first.stdout_bytes.decode() == drawn()
    assert first.stderr == f"karuba: {path} holds 2 logs: this is log 1, --log shows another\n"
    assert (second.stdout_bytes.decode(), second.stderr) == (drawn(60), "")
    none = karuba(path, "--log", 3)
    assert (none.exit_code, none.stdout) == (2, "")
    assert "holds 2 logs only" in re.sub(r"\s+", " ", none.stderr)


# How


def test_options_are_kept() -> None:
    game, marks = steps()[-1].game, last_round(steps())

    for options, svg in (
        (("--theme", "dark"), game_svg(game, marks=marks, theme="dark")),
        (("--no-coordinates",), game_svg(game, marks=marks, coordinates=False)),
        (("--cell", 20), game_svg(game, marks=marks, cell=20)),
        (("--player", PLAYERS[1]), island_svg(game, PLAYERS[1], marks=marks)),
    ):
        assert karuba(SOUND, *options).stdout_bytes.decode() == svg + "\n"


def test_a_player_who_is_not_there_is_wrong_usage() -> None:
    result = karuba(SOUND, "--player", "nobody\u202e")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "\u202e" not in result.stderr
    assert all(player in result.stderr for player in PLAYERS)


def test_a_picture_is_utf_8_wherever_it_goes() -> None:
    assert karuba(SOUND, encoding="ascii").stdout_bytes.decode("utf-8") == drawn()


# Faults


@pytest.mark.parametrize("options", [(), ("--at", 50), ("--at", 51), ("--at", 5000)])
def test_a_log_is_drawn_up_to_its_fault(options: tuple[object, ...]) -> None:
    result = karuba("-", *options, stdin=b"".join([*LINES[:50], b"{}\n", *LINES[50:]]))

    assert result.stdout_bytes.decode() == drawn(50)
    assert result.stderr == "-:51: shape/missing-field: this field is missing [$.type] (F-SHAPE-2)\n"
    assert result.exit_code == 1


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_nothing_is_drawn_of_a_log_without_a_right_opening(tmp_path: Path, suffix: str) -> None:
    result = karuba("-", "-o", tmp_path / f"a{suffix}", stdin=b"nope\n")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("-:1: text/not-json: ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", [".svg", ".html"])
def test_nothing_is_drawn_of_a_file_that_cannot_be_read(tmp_path: Path, suffix: str) -> None:
    result = karuba(tmp_path / "missing.jsonl", "-o", tmp_path / f"a{suffix}")

    assert (result.exit_code, result.stdout) == (3, "")
    assert "log/unreadable: cannot be read: " in result.stderr
    assert not list(tmp_path.iterdir())


# Where it goes


@pytest.mark.parametrize("name", ["a.svg", "A.SVG", "b.c.svg"])
def test_a_picture_goes_to_a_file(tmp_path: Path, name: str) -> None:
    result = karuba(SOUND, "--output", tmp_path / name, "--at", 60)

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert (tmp_path / name).read_bytes().decode() == drawn(60)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_png_is_light_unless_it_is_to_be_dark(tmp_path: Path) -> None:
    from karuba_adapters.drawing.png import png  # noqa: PLC0415 - an extra

    game, marks = steps(60)[-1].game, last_round(steps(60))
    path = tmp_path / "a.png"

    for options, svg in (
        ((), game_svg(game, marks=marks, theme="light", cell=8)),
        (("--theme", "dark"), game_svg(game, marks=marks, theme="dark", cell=8)),
    ):
        assert karuba(SOUND, "-o", path, "--at", 60, "--cell", 8, *options).exit_code == 0
        assert path.read_bytes() == png(svg)
        assert path.read_bytes().startswith(b"\x89PNG\r\n")


def test_without_its_library_a_png_is_refused_with_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.setattr("karuba_cli.show.find_spec", lambda _: None)
    result = karuba(SOUND, "-o", tmp_path / "a.png")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "pip install 'karuba-kernel[png]'" in re.sub(r"[\s│]+", " ", result.stderr)
    assert karuba(SOUND, "-o", tmp_path / "a.svg").exit_code == 0


@pytest.mark.parametrize("name", ["a.gif", "a", "a.svg.gz", "svg", ".svg"])
def test_a_suffix_that_says_nothing_is_wrong_usage(tmp_path: Path, name: str) -> None:
    result = karuba(SOUND, "-o", tmp_path / name)

    assert (result.exit_code, result.stdout) == (2, "")
    assert ".svg, .png, .html" in re.sub(r"[\s│]+", " ", result.stderr)
    assert not list(tmp_path.iterdir())


def test_the_log_itself_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "log.svg"
    path.write_bytes(b"".join(LINES))

    assert karuba(path, "-o", path).exit_code == 2
    assert path.read_bytes() == b"".join(LINES)


@pytest.mark.parametrize("verb", ["show", "validate"])
def test_what_standard_input_is_read_from_is_never_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    path, other = tmp_path / "log.svg", tmp_path / "other.svg"
    for file in (path, other):
        file.write_bytes(b"".join(LINES))

    def run(output: Path) -> int | str | None:
        with path.open(encoding="utf-8") as stream:
            monkeypatch.setattr("sys.stdin", stream)
            with pytest.raises(SystemExit) as ended:
                app([verb, "-", "--output", str(output)])
        return ended.value.code

    assert run(path) == 2
    assert path.read_bytes() == b"".join(LINES)
    assert run(other) == 0
    assert other.read_bytes() != path.read_bytes()


def test_a_file_stays_as_it_was_where_nothing_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_text("before")

    assert karuba("-", "-o", path, stdin=b"nope\n").exit_code == 1
    assert karuba(SOUND, "-o", path, "--player", "nobody").exit_code == 2
    assert path.read_text() == "before"


# Pages


@pytest.mark.parametrize(
    ("log", "code"),
    [(b"".join(LINES), 0), (b"".join(LINES[:50]), 0), (b"".join([*LINES[:50], b"{}\n"]), 1), (b"nope\n", 1)],
    ids=["finished", "cut", "broken", "nothing right"],
)
def test_a_page_is_written_of_any_log(tmp_path: Path, log: bytes, code: int) -> None:
    result = karuba("-", "-o", tmp_path / "a.html", stdin=log)

    assert (result.exit_code, result.stdout) == (code, "")
    assert bool(result.stderr) == bool(code)
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert all(finding.split(": ")[1] in page for finding in result.stderr.splitlines())


def test_a_page_is_of_the_log_that_is_asked_for(tmp_path: Path) -> None:
    other = LINES[0].replace(b'"ana"', b'"zoe"')
    assert other != LINES[0]
    karuba("-", "-o", tmp_path / "a.html", "--log", 2, stdin=b"".join(LINES) + other)

    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "zoe" in page
    assert "ana" not in re.findall(r'"players":\[[^]]*\]', page)[0]


@pytest.mark.parametrize(
    "options",
    [("--at", 3), ("--player", "ana"), ("--theme", "dark"), ("--no-coordinates",), ("--cell", 9)],
    ids=str,
)
def test_a_page_replays_all_of_a_log(tmp_path: Path, options: tuple[object, ...]) -> None:
    result = karuba(SOUND, "-o", tmp_path / "a.html", *options)

    assert (result.exit_code, result.stdout) == (2, "")
    assert not list(tmp_path.iterdir())
