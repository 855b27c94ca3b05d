"""`karuba convert --to notation` and `--from notation`: what is written, and what is told of what is not."""

import hashlib
import io
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters import validate
from karuba_cli.verbs import app

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
NOTATION = (EXAMPLES / "expedition.karuba").read_bytes()
EVENTS = (EXAMPLES / "expedition.jsonl").read_bytes()
BEGUN = b"".join(NOTATION.splitlines(keepends=True)[:6])
WITH_NOTES = BEGUN.replace(b"| b4", b"{rain} | b4")


def karuba(given: bytes, *options: str) -> Result:
    return CliRunner().invoke(app, ["convert", "-", *options], input=given, catch_exceptions=False)


def converted(given: bytes, *options: str) -> bytes:
    """Return what is written where there is nothing to complain about."""
    result = karuba(given, *options)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout_bytes


def sealed(log: bytes, meta: bytes = b"") -> bytes:
    digest = hashlib.sha256(log).hexdigest().encode()
    return log + b'{"type":"seal","records":%d,"digest":"sha256:%s"%s}\n' % (log.count(b"\n"), digest, meta)


def test_a_log_and_its_notation_become_each_other() -> None:
    assert converted(EVENTS, "--to", "notation") == NOTATION
    assert converted(NOTATION, "--from", "notation", "--to", "events") == converted(
        EVENTS, "--to", "events", "--normalise"
    )
    commands = converted(NOTATION, "--from", "notation", "--to", "commands")
    assert converted(commands, "--to", "notation") == NOTATION


def test_a_file_is_read_as_well(tmp_path: Path) -> None:
    file = tmp_path / "game.karuba"
    file.write_bytes(NOTATION.replace(b"Bl d5 d4", b"Bl d5 b1", 1))
    result = CliRunner().invoke(app, ["convert", str(file), "--from", "notation", "--to", "commands"])

    assert result.exit_code == 1
    assert result.stderr.startswith(f'{file}:19: rule/no-way: column 36: "b1": ')
    assert result.stderr.count("\n") == 1
    (report,) = validate(io.BytesIO(result.stdout_bytes))
    assert (report.findings, report.records) == ((), 1 + 13 * 4 + 8)


def test_what_is_written_by_hand_is_brought_into_the_canonical_form() -> None:
    by_hand = NOTATION.replace(b"Bl", b"blue").replace(b" | ", b"  |").replace(b"^", b"temple")

    assert converted(by_hand, "--from", "notation", "--to", "notation") == NOTATION


def test_comments_are_metas() -> None:
    events = converted(WITH_NOTES, "--from", "notation", "--to", "events")

    assert b'"cell":"e5","meta":{"note":"rain"}}\n' in events
    assert converted(events, "--to", "notation") == WITH_NOTES


def test_games_in_a_row_stay_apart() -> None:
    both = BEGUN + b"\n" + NOTATION
    events = converted(both, "--from", "notation", "--to", "events")

    assert [report.verdict for report in validate(io.BytesIO(events))] == ["incomplete", "valid"]
    result = karuba(events, "--to", "notation")
    assert (result.exit_code, result.stdout_bytes) == (0, both)
    assert result.stderr == "-: seals left out, of which the notation has none: 1\n"
    assert converted(both, "--from", "notation", "--to", "notation") == both


def test_what_has_no_place_is_told() -> None:
    """Seals, and the metas of seals and of what follows by itself (N-LOSS-1)."""
    noted = EVENTS.replace(b'"round":1,"awards":[]}', b'"round":1,"awards":[],"meta":{"x":1}}')
    result = karuba(sealed(noted, b',"meta":{}'), "--to", "notation")

    assert (result.exit_code, result.stdout_bytes) == (1, NOTATION)
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == [
        "log/meta-without-place",
        "log/meta-without-place",
        "seals left out, of which the notation has none",
    ]
    assert [line.split(":")[1] for line in result.stderr.splitlines()[:2]] == ["6", "214"]
    dropped = karuba(sealed(noted, b',"meta":{}'), "--to", "notation", "--drop-meta")
    assert (dropped.exit_code, dropped.stdout_bytes, dropped.stderr.count("\n")) == (0, NOTATION, 1)


def test_a_log_with_a_fault_is_written_up_to_it_and_the_next_one_whole() -> None:
    lines = EVENTS.splitlines(keepends=True)
    result = karuba(b"".join(lines[:6]) + b"nope\n" + b"".join(lines[7:]) + EVENTS, "--to", "notation")

    assert (result.exit_code, result.stdout_bytes) == (1, BEGUN + b"\n" + NOTATION)
    assert result.stderr.startswith("-:7: text/not-json: ")
    assert result.stderr.count("\n") == 1


def test_a_faulty_game_is_sealed_where_another_follows() -> None:
    result = karuba(BEGUN + b"2. 4\n" + NOTATION, "--from", "notation", "--to", "events")

    assert [report.verdict for report in validate(io.BytesIO(result.stdout_bytes))] == ["incomplete", "valid"]
    assert result.stderr.startswith("-:7: rule/tile-drawn: column 4: ")


def test_a_mapping_may_have_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notation").write_bytes((EXAMPLES / "foreign.toml").read_bytes())
    log = (EXAMPLES / "foreign.ndjson").read_bytes()
    options = ("--to", "commands", "--implicit-pass", "--implicit-collect")

    assert karuba(log, "--from", "./notation", *options).exit_code == 0
    assert karuba(log, "--from", "notation", "--to", "commands").exit_code == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--from", "notation", "--to", "events", "--implicit-pass"),
        ("--from", "notation", "--to", "events", "--implicit-collect"),
        ("--to", "notation", "--normalise"),
    ],
)
def test_options_that_go_with_logs_alone_are_wrong_usage(options: tuple[str, ...]) -> None:
    result = karuba(b"", *options)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "alone" in result.stderr


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    arguments = ["convert", str(tmp_path / "missing.karuba"), "--from", "notation", "--to", "events"]
    result = CliRunner().invoke(app, arguments)

    assert (result.exit_code, result.stdout) == (3, "")
    assert "log/unreadable" in result.stderr
