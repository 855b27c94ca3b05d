r"""Every kind of bad input, and what it gets: the cases of the tests, and the table of docs/reference.

    python -m tests.fuzz.bad_inputs

writes the table anew. A case is a command line in a folder of its own, with what lies there.
"""

import gzip
import hashlib
import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import orjson
from attrs import evolve, frozen

from karuba_adapters.explanations import Example, explanations

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "reference" / "bad-inputs.md"
BEGINS: Final = "<!-- The table is made by python -m tests.fuzz.bad_inputs. -->\n"
ENDS: Final = "<!-- End of the table. -->\n"

EVENTS: Final = (ROOT / "tests" / "games" / "sound" / "01-2p-stop-expert.jsonl").read_bytes()
COMMANDS: Final = (ROOT / "tests" / "games" / "commands" / "01-2p-stop-expert.jsonl").read_bytes()
OPENING, *REST = EVENTS.splitlines(keepends=True)
ASKED: Final = COMMANDS.splitlines(keepends=True)[1:]
MAPPING: Final = (ROOT / "docs" / "examples" / "foreign.toml").read_text("utf-8")
NOTATION: Final = b"".join(
    (ROOT / "docs" / "examples" / "expedition.karuba").read_bytes().splitlines(keepends=True)[:4]
)
FOREIGN: Final = (ROOT / "docs" / "examples" / "foreign.ndjson").read_text("utf-8")
MIB: Final = 1 << 20

Prepare = Callable[[Path], object]


@frozen
class Case:
    """A bad input.

    Attributes:
        given: What it is, in words.
        gets: The code of its first finding, or `usage`, `answer` or `nothing`.
        rule: The rule or clause of that finding; nothing where there is none.
        exit: The exit code.
        arguments: The command line, in the folder.
        prepare: Puts into the folder what lies there.
        stdin: What standard input holds.
        alone: Whether it has to be a process of its own, for it is about files and not about bytes.
        posix: Whether only POSIX has such a thing.
        as_nobody: Whether it takes a user who may not do everything.
    """

    given: str
    gets: str
    rule: str
    exit: int
    arguments: Sequence[str] = ("validate", "a.jsonl")
    prepare: Prepare = lambda _: None
    stdin: bytes = b""
    alone: bool = False
    posix: bool = False
    as_nobody: bool = False

    @property
    def row(self) -> str:
        """The line of the table."""
        gets = f"`{self.gets}`" if "/" in self.gets else self.gets
        verb = self.arguments[0]
        options = [text for text in self.arguments if text.startswith("--") and text != "--"]
        asked = " ".join(["" if verb == "validate" else verb, *options]).strip()
        return (
            f"| {self.given}{f' (`{asked}`)' if asked else ''} | {gets} | {self.exit} | {_link(self.rule)} |"
        )


def _link(rule: str) -> str:
    page = {"F": "log-format", "N": "notation"}.get(rule[:1], "rules")
    return f"[{rule}](../../spec/{page}.md)" if rule else ""


def lying(data: bytes, name: str = "a.jsonl") -> Prepare:
    """Return what puts a file into the folder."""
    return lambda folder: (folder / name).write_bytes(data)


def of_bytes(data: bytes, given: str, gets: str, rule: str, *options: str) -> Case:
    return Case(given, gets, rule, 1, ("validate", *options, "a.jsonl"), lying(data))


def second(line: bytes, given: str, gets: str, rule: str, *options: str) -> Case:
    """Return the case of a line behind a right opening."""
    return of_bytes(OPENING + line + b"\n", given, gets, rule, *options)


def meta(text: bytes) -> bytes:
    return b'{"type":"draw","tile":1,"meta":{"a":' + text + b"}}"


# Text


def text() -> Iterator[Case]:
    """Yield what is no text of a log."""
    for line, given in (
        (b"nope", "a word"),
        (b'{"type":"draw","tile":1', "a record that is cut off"),
        (b"{'type':'draw','tile':1}", "single quotes"),
        (b'{"type":"draw","tile":1,}', "a comma at the end of an object"),
        (b'{"type":"draw","tile":1}//', "a comment"),
        (b'{"type":"draw","tile":1} {}', "two values on a line"),
        (b'{"type":"draw","tile":01}', "a number that begins with 0"),
        (b'{"type":"draw","tile":+1}', "a number with a plus"),
        (meta(b".5"), "a number without an integer part"),
        (meta(b"NaN"), "NaN"),
        (meta(b"-Infinity"), "an infinity"),
        (meta(b'"\\x41"'), "an escape that JSON does not know"),
        (meta(b'"a\tb"'), "a bare control character in a string"),
        (b"\x00" * 100, "NUL bytes, as a disk leaves them after a crash"),
        (b'\x0b{"type":"draw","tile":1}', "white space that JSON does not know: a vertical tab"),
        (b'\xc2\xa0{"type":"draw","tile":1}', "white space that JSON does not know: a no-break space"),
        (b'{"type":"draw","tile":1}\xe2\x80\xa8{}', "records parted by U+2028, not by a line feed"),
        (b'{"type":"draw","tile":1}\r{}', "records parted by CR alone"),
    ):
        yield second(line, given, "text/not-json", "F-TEXT-1")
    for line, given in (
        (meta('"José"'.encode("latin-1")), "Latin-1"),
        (meta(b'"\xc0\x80"'), "an overlong form of a character"),
        (meta(b'"\xed\xa0\x80"'), "half a surrogate pair as UTF-8"),
        (meta(b'"\xf5\x80\x80\x80"'), "a character beyond U+10FFFF"),
    ):
        yield second(line, given, "text/not-utf8", "F-TEXT-2")
    yield of_bytes(EVENTS.decode().encode("utf-16"), "a file in UTF-16", "text/not-utf8", "F-TEXT-2")
    for line, given in (
        (meta(b'"\\ud83d"'), "half a surrogate pair as an escape"),
        (b'{"type":"draw","tile":1,"\\udc00":1}', "the same in a key"),
        (meta(b'"\\ude00\\ud83d"'), "both halves in the wrong order"),
    ):
        yield second(line, given, "text/lone-surrogate", "F-TEXT-2")
    for line, given in (
        (b"", "an empty line"),
        (b"\r", "an empty line that ends with CR LF"),
        (b" \t", "blanks"),
    ):
        yield second(line, given, "text/blank-line", "F-TEXT-3")
    mark = b"\xef\xbb\xbf"
    yield of_bytes(mark + EVENTS, "a byte order mark at the start", "text/byte-order-mark", "F-TEXT-3")
    yield of_bytes(
        OPENING + mark + REST[0], "a byte order mark in the middle", "text/byte-order-mark", "F-TEXT-3"
    )
    for line, given in (
        (b'{"type":"draw","tile":1,"tile":2}', "a key twice"),
        (b'{"type":"draw","tile":1,"ti\\u006ce":1}', "a key twice, spelled in two ways"),
        (meta(b'[{"b":{"c":1,"c":1}}]'), "a key twice deep in `meta`"),
    ):
        yield second(line, given, "text/doubled-key", "F-TEXT-4")
    for number, given in (
        (b"9007199254740992", "the integer 2^53"),
        (b"-9007199254740992", "the integer -2^53"),
        (b"9" * 100_000, "an integer of 100,000 digits"),
        (b"1e999", "a number beyond a double"),
    ):
        yield second(meta(number), given, "text/number-out-of-range", "F-TEXT-5")


def limits() -> Iterator[Case]:
    """Yield what is too much."""
    for line, given in (
        (meta(b"[" * 127 + b"]" * 127), "129 levels of nesting"),
        (b"[" * 1_000_000, "a million brackets that open"),
        (meta(b'{"a":' * 100_000 + b"1" + b"}" * 100_000), "100,000 objects in each other"),
    ):
        yield second(line, given, "text/too-deep", "F-TEXT-6")
    long = meta(b'"' + b"a" * MIB + b'"')
    yield second(long, "a line of more than 1 MiB", "text/line-too-long", "F-TEXT-6")
    yield second(b"[" * 20 * MIB, "a line of 20 MiB of brackets", "text/line-too-long", "F-TEXT-6")
    digits = meta(b"0." + b"1" * 2000)
    yield second(digits, "a number of 2,000 digits", "text/too-many-digits", "F-TEXT-7", "--max-digits=1024")
    more = OPENING + b"{}\n" * 1500
    yield evolve(
        of_bytes(
            more, "a log of more than 1,000 records", "log/too-many-records", "F-LOG-9", "--max-records=1000"
        ),
        arguments=("validate", "--select=log", "--max-records=1000", "a.jsonl"),
    )
    yield evolve(
        of_bytes(more, "a log of more than 1,000 faults", "log/more-findings", "F-LOG-10"),
        arguments=("validate", "--keep-going", "--select=log/more-findings", "a.jsonl"),
    )


# Shape


def shape() -> Iterator[Case]:
    """Yield what is JSON and no record."""
    wrong, clause = "shape/wrong-type", "F-SHAPE-3"
    for line, given, gets, rule in (
        (b"[]", "a list", wrong, clause),
        (b'"draw"', "a string", wrong, clause),
        (b"null", "null", wrong, clause),
        (b"{}", "an object without a type", "shape/missing-field", "F-SHAPE-2"),
        (b'{"type":1}', "a type that is no string", wrong, clause),
        (b'{"type":"shuffle"}', "a type that the format does not know", "shape/unknown-type", "F-SHAPE-1"),
        (b'{"type":"Draw","tile":1}', "a type in other letters", "shape/unknown-type", "F-SHAPE-1"),
        (b'{"type":"draw"}', "a record without a field", "shape/missing-field", "F-SHAPE-2"),
        (
            b'{"type":"draw","tile":1,"round":1}',
            "a field of another type",
            "shape/unknown-field",
            "F-SHAPE-2",
        ),
        (b'{"type":"draw","tile":"1"}', "a string for an integer", wrong, clause),
        (b'{"type":"draw","tile":1.0}', "1.0 for an integer", wrong, clause),
        (b'{"type":"draw","tile":1e0}', "1e0 for an integer", wrong, clause),
        (b'{"type":"draw","tile":true}', "true for an integer", wrong, clause),
        (b'{"type":"draw","tile":null}', "null for an integer", wrong, clause),
        (
            b'{"type":"move","player":"d","adventurer":"blue","path":"a1"}',
            "a string for a list",
            wrong,
            clause,
        ),
        (
            b'{"type":"move","player":"d","adventurer":"blue","path":{"0":"a1"}}',
            "an object for a list",
            wrong,
            clause,
        ),
        (b'{"type":"draw","tile":1,"meta":null}', "a `meta` that is no object", wrong, clause),
        (
            b'{"type":"draw","tile":1,"\\u001b[2J":1}',
            "an escape sequence as a key",
            "shape/unknown-field",
            "F-SHAPE-2",
        ),
        (
            b'{"type":"draw","tile":1,' + b",".join(b'"k%d":1' % number for number in range(50_000)) + b"}",
            "50,000 unknown keys",
            "shape/unknown-field",
            "F-SHAPE-2",
        ),
    ):
        yield second(line, given, gets, rule)
    inner = OPENING.replace(b'"beach":', b'"meta":{},"beach":', 1)
    yield of_bytes(inner, "a `meta` that is not at the top level", "shape/unknown-field", "F-SHAPE-2")
    many = b",".join(b'"p%d":1' % number for number in range(50_000))
    ending = b'{"type":"game-ended","reason":"all-home","scores":{' + many + b'},"winners":[]}'
    yield second(ending, "scores of 50,000 players, none right", wrong, clause)


# Order


def seal_of(data: bytes, **other: object) -> bytes:
    right = {
        "type": "seal",
        "records": data.count(b"\n"),
        "digest": f"sha256:{hashlib.sha256(data).hexdigest()}",
    }
    return orjson.dumps(right | other) + b"\n"


def order() -> Iterator[Case]:
    """Yield what stands where it must not."""
    sealed = EVENTS + seal_of(EVENTS)
    short = OPENING + REST[0]
    other = OPENING.replace(b"karuba-log/1", b"karuba-log/2")
    for data, given, gets, rule in (
        (b"", "a file of no bytes", "log/no-opening", "F-LOG-1"),
        (b"".join(REST), "a log without its opening", "log/no-opening", "F-LOG-1"),
        (seal_of(b""), "a seal alone", "log/no-opening", "F-LOG-1"),
        (other, "an opening of another format", "log/unknown-format", "F-LOG-2"),
        (short + EVENTS, "an opening before the game has ended", "log/second-opening", "F-LOG-3"),
        (EVENTS + REST[0], "an event after the end", "log/after-end", "F-LOG-4"),
        (EVENTS + ASKED[0], "a command after the end of an event log", "log/after-end", "F-LOG-4"),
        (short + ASKED[1], "a command in an event log", "log/mixed-kinds", "F-LOG-5"),
        (OPENING + ASKED[0] + REST[1], "an event in a command log", "log/mixed-kinds", "F-LOG-5"),
        (sealed + REST[0], "a record after a seal", "log/after-seal", "F-SEAL-2"),
        (sealed.replace(b"\n", b"\r\n", 1), "a changed line end under a seal", "log/wrong-seal", "F-SEAL-1"),
        (
            sealed.replace(b'{"type"', b'{ "type"', 1),
            "a blank more under a seal",
            "log/wrong-seal",
            "F-SEAL-1",
        ),
        (short + seal_of(short, records=3), "a seal with a wrong count", "log/wrong-seal", "F-SEAL-1"),
        (
            short + seal_of(short, digest="sha256:0"),
            "a seal with a wrong digest",
            "log/wrong-seal",
            "F-SEAL-1",
        ),
    ):
        yield of_bytes(data, given, gets, rule)
    for data, given, gets, rule, option in (
        (short, "an unfinished game", "log/unfinished", "F-LOG-7", "--require-finished"),
        (short, "other rules", "log/other-rules", "F-LOG-8", "--require-rules=seed-000"),
        (short, "a log without a seal", "log/unsealed", "F-SEAL-3", "--require-seal"),
    ):
        yield of_bytes(data, given, gets, rule, option)


def rules() -> Iterator[Case]:
    """Yield an example of each code of the rules; of two, which no log can have, the referee is asked."""
    for code, told in explanations().items():
        if code.startswith(("setup/", "rule/", "mismatch/")) and isinstance(told.example, Example):
            (first, *_) = told.example.findings()
            yield of_bytes(told.example.log.encode(), told.means.removesuffix("."), code, first.rule)
    events = [orjson.loads(line) for line in (OPENING, *REST)]
    last = next(at for at, event in enumerate(events) if event["type"] == "round-ended")
    asked = {"id": 1, "given": events, "when": {"type": "draw", "tile": 1}}
    for given, code, rule in (
        (events, "rule/game-over", "R-END-3"),
        (events[:last], "rule/event-due", "R-JUDGE-1"),
    ):
        means = explanations()[code].means.removesuffix(".")
        yield Case(means, code, rule, 0, ("referee",), stdin=orjson.dumps({**asked, "given": given}))


# Files


def _link_to(name: str, target: str) -> Prepare:
    return lambda folder: (folder / name).symlink_to(target)


def _in_folder(make: Prepare) -> Prepare:
    def prepare(folder: Path) -> None:
        (folder / "logs").mkdir()
        make(folder / "logs")

    return prepare


def _socket(folder: Path) -> None:
    here = Path.cwd()
    os.chdir(folder)  # the path of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("a.jsonl")
    finally:
        os.chdir(here)


def _closed_folder(folder: Path) -> None:
    (folder / "closed").mkdir()
    (folder / "closed").chmod(0)


def files() -> Iterator[Case]:
    """Yield files that are none, or none that can be read."""

    def unread(given: str, prepare: Prepare, *arguments: str, posix: bool = False) -> Case:
        gets, rule = "log/unreadable", "F-FILE-1"
        return Case(
            given, gets, rule, 3, ("validate", *(arguments or ["a.jsonl"])), prepare, alone=True, posix=posix
        )

    yield unread("a file that is not there", lambda _: None)
    yield unread("a name that is too long", lambda _: None, "a" * 5000)
    yield unread("a pattern that nothing matches", lambda _: None, "*.jsonl")
    yield unread("a folder without logs", _in_folder(lambda _: None), "logs")
    yield unread("a FIFO in a folder", _in_folder(lambda at: os.mkfifo(at / "a.jsonl")), "logs", posix=True)
    yield unread("a socket in a folder", _in_folder(_socket), "logs", posix=True)
    yield unread("a device in a folder", _in_folder(_link_to("a.jsonl", "/dev/zero")), "logs", posix=True)
    yield unread("a link to itself", _link_to("a.jsonl", "a.jsonl"), posix=True)
    yield unread("a link to nothing", _link_to("a.jsonl", "nothing"), posix=True)
    yield unread(
        "a folder that links to itself, and no log", _in_folder(_link_to("up", ".")), "logs", posix=True
    )
    yield unread("/dev/zero, a line without an end", lambda _: None, "/dev/zero", posix=True)
    empty = of_bytes(b"", "/dev/null", "log/no-opening", "F-LOG-1")
    yield evolve(empty, arguments=("validate", "/dev/null"), alone=True, posix=True)
    yield Case(
        "standard input that is closed",
        "log/unreadable",
        "F-FILE-1",
        3,
        ("validate", "-"),
        alone=True,
        posix=True,
    )
    for given, prepare, name in (
        ("a file that may not be read", _shut, "a.jsonl"),
        ("a folder that may not be listed", _closed_folder, "closed"),
    ):
        case = Case(given, "log/unreadable", "F-FILE-1", 3, ("validate", name), prepare)
        yield evolve(case, posix=True, as_nobody=True)


def _shut(folder: Path) -> None:
    (folder / "a.jsonl").write_bytes(EVENTS)
    (folder / "a.jsonl").chmod(0)


def archives() -> Iterator[Case]:
    """Yield packed logs that are damaged, or traps."""

    def unread(data: bytes, given: str, *options: str) -> Case:
        return Case(given, "log/unreadable", "F-FILE-1", 3, ("validate", *options, "a.jsonl"), lying(data))

    zipped, frame = gzip.compress(EVENTS, mtime=0), zstd.compress(EVENTS)
    yield unread(zipped[:500], "a gzip archive that is cut off")
    yield unread(zipped[:-4], "a gzip archive without its length")
    yield unread(zipped[:2000] + b"x" + zipped[2001:], "a gzip archive with a changed byte")
    yield unread(zipped + b"more", "a gzip archive with something behind it")
    yield unread(zipped[:10], "a gzip header alone")
    yield unread(frame[:500], "a Zstandard archive that is cut off")
    yield unread(frame[:600] + b"x" + frame[601:], "a Zstandard archive with a changed byte")
    yield unread(frame + b"more", "a Zstandard archive with something behind it")
    yield unread(
        b"\x28\xb5\x2f\xfd\x00\xff" + b"\x00" * 20, "a Zstandard archive that wants a window of terabytes"
    )
    for pack, name in ((gzip.compress, "gzip"), (zstd.compress, "Zstandard")):
        bomb = pack(OPENING + b"{}\n" * 500_000)
        yield unread(bomb, f"a bomb of {name}", "--max-unpacked=1048576")
        twice = pack(pack(EVENTS))
        yield of_bytes(twice, f"an archive in an archive of {name}", "text/not-utf8", "F-TEXT-2")
    yield of_bytes(b"PK\x03\x04" + b"\x00" * 60, "a ZIP file", "text/not-json", "F-TEXT-1")


# Names


CONTROL: Final = "\x1b[2J"


def names() -> Iterator[Case]:
    """Yield names that would do something to a terminal; none does."""
    for name, given in (
        (f"{CONTROL}.jsonl", "an escape sequence"),
        ("\u202efdp.jsonl", "a mark from right to left"),
        ("a\nb.jsonl", "a line feed"),
        ("\x9b31m.jsonl", "an 8-bit control character"),
        ("%0A::error::.jsonl", "a command of GitHub Actions"),
    ):
        case = of_bytes(b"nope", f"a file with {given} in its name", "text/not-json", "F-TEXT-1")
        for option in ("--format=text", "--format=github", "--format=sarif", "--format=junit"):
            yield evolve(case, arguments=("validate", option, name), prepare=lying(b"nope", name), posix=True)
    bytes_name = "\udcff.jsonl"  # the byte 0xff, to Python
    yield evolve(
        of_bytes(b"nope", "a file whose name is no UTF-8", "text/not-json", "F-TEXT-1"),
        arguments=("validate", bytes_name),
        prepare=lying(b"nope", bytes_name),
        posix=True,
    )
    for name, given in (
        (CONTROL, "an escape sequence"),
        ("a\nb", "a line feed"),
        ("\x9b31m", "an 8-bit control character"),
        ("", "nothing"),
        ("a" * 65, "65 characters"),
    ):
        opening = orjson.loads(OPENING)
        opening["players"][0] = opening["leader"] = name
        yield of_bytes(
            orjson.dumps(opening), f"a player whose name is {given}", "setup/player-name", "R-SETUP-2"
        )


# The other verbs, and usage


def verbs() -> Iterator[Case]:
    """Yield what the other verbs do not take."""

    def given(words: str, gets: str, rule: str, code: int, *arguments: str, **files: bytes) -> Case:
        def prepare(folder: Path) -> None:
            for name, data in files.items():
                (folder / name).write_bytes(data)

        return Case(words, gets, rule, code, arguments, prepare)

    broken = OPENING + REST[0] + b"nope\n" + REST[1]
    torn = OPENING + REST[0][:9]
    events = REST.copy()
    ended = next(at for at, line in enumerate(events) if b"round-ended" in line)
    events[ended] = events[ended].replace(b"}\n", b',"meta":{"a":1}}\n')
    noted = OPENING + b"".join(events)
    records = b"".join(FOREIGN.encode().splitlines(keepends=True)[:2])
    yield given("a log with a fault", "text/not-json", "F-TEXT-1", 1, "replay", "a", a=broken)
    yield given("a log with a fault", "text/not-json", "F-TEXT-1", 1, "convert", "--to=events", "a", a=broken)
    yield given("a log with a fault", "text/not-json", "F-TEXT-1", 1, "seal", "a", a=broken)
    yield given(
        "a log with a fault that is not torn", "text/not-json", "F-TEXT-1", 1, "recover", "a", a=broken
    )
    yield given("a torn log", "nothing", "", 0, "recover", "a", a=torn)
    yield given("a packed log", "log/unreadable", "F-FILE-1", 3, "recover", "a", a=gzip.compress(EVENTS))
    yield given(
        "a `meta` that no command can keep",
        "log/meta-without-place",
        "F-META-2",
        1,
        "convert",
        "--to=commands",
        "a",
        a=noted,
    )
    unmapped = records + b'{"art":"tanzen"}\n'
    yield given(
        "a record that no rule of a mapping fits", "log/unmapped", "F-LOG-11", 1,
        "convert", "--to=events", "--from=m", "a", a=unmapped, m=MAPPING.encode(),
    )  # fmt: skip
    for round_line, words, code, rule in (
        ("1. 7 | g9", "a cell that there is not, in the notation", "rule/unknown-cell", "R-PLACE-1"),
        ("1. 7 | red a1", "a word that the notation does not have", "notation/unexpected", "N-TURN-1"),
        ("1. 7 | b3 {why", "a comment without an end, in the notation", "notation/unexpected", "N-COMMENT-1"),
        ("rules: official", "a line of a header twice, in the notation", "notation/header", "N-HEAD-1"),
        ("2. 7 | b3", "a round too early, in the notation", "notation/wrong-round", "N-ROUND-1"),
    ):
        game = NOTATION + round_line.encode()
        yield given(words, code, rule, 1, "convert", "--to=events", "--from=notation", "a", a=game)
    for mapping, words in (
        (b"no = [", "a mapping that is no TOML"),
        (b"\xff", "a mapping that is no UTF-8"),
        (MAPPING.replace('"nr"', '"nr["').encode(), "a mapping with a wrong expression"),
        (MAPPING.replace('"nr"', '"eval(@)"').encode(), "a mapping with a function that there is not"),
        (MAPPING.replace('by = "cell"', 'by = "cells"').encode(), "a mapping with a table that there is not"),
    ):
        yield given(words, "usage", "", 2, "convert", "--to=events", "--from=m", "a", a=records, m=mapping)
    yield given(
        "a mapping that is not there", "usage", "", 2, "convert", "--to=events", "--from=m", "a", a=records
    )
    yield given("a folder", "usage", "", 2, "recover", ".")
    yield given("a code that there is not", "usage", "", 2, "explain", "rule/cell-ocupied")
    yield given("standard input twice", "usage", "", 2, "validate", "-", "-")
    yield given("a code that there is not", "usage", "", 2, "validate", "--select=rules", "a", a=EVENTS)
    yield given(
        "a limit below what the format promises", "usage", "", 2, "validate", "--max-line=100", "a", a=EVENTS
    )
    yield given("an output that would replace a log", "usage", "", 2, "validate", "--output=a", "a", a=EVENTS)
    for line, words in (
        (b"nope\n", "a request that is no JSON"),
        (b"[]\n", "a request that is no object"),
        (b'{"id":1,"given":[{"type":"draw","tile":1}],"ask":"legal"}\n', "a request about no game"),
        (b'{"id":1,"base64":"%"}\n', "a request with wrong base64"),
    ):
        yield Case(words, "answer", "", 0, ("referee",), stdin=line)


GROUPS: Final[dict[str, Callable[[], Iterator[Case]]]] = {
    "Text": text,
    "Shape": shape,
    "Order": order,
    "Rules": rules,
    "Files": files,
    "Packed files": archives,
    "Limits": limits,
    "Names": names,
    "Other verbs, and the command line": verbs,
}
"""All cases, by the headings of the page."""


def table() -> str:
    """Return the tables of the page."""
    head = "| given | gets | exit code | rule |\n| --- | --- | --- | --- |\n"
    parts = []
    for name, cases in GROUPS.items():
        rows = dict.fromkeys(case.row for case in cases())
        parts.append(f"## {name}\n\n{head}" + "".join(f"{row}\n" for row in rows))
    return "\n" + "\n".join(parts) + "\n"


def main() -> None:
    """Write the tables of the page anew."""
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGINS)
    _, _, after = rest.partition(ENDS)
    PAGE.write_text(before + BEGINS + table() + ENDS + after, "utf-8")


if __name__ == "__main__":
    main()
