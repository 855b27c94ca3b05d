"""How much a reader takes: limits that keep a hostile log from using up memory or time.

All of them lie far above what a log needs; the format says below what no reader may set them.
"""

from typing import Final

from attrs import field, frozen
from attrs.validators import and_, ge, le, optional

_GIB: Final[int | None] = 1 << 30


@frozen
class Limits:
    """The limits of a reader; beyond each stands a finding at its line.

    Attributes:
        line: Bytes of a line, its line feed not counted (F-TEXT-6).
        depth: Levels of nesting, the record itself being the first (F-TEXT-6).
        digits: Digits of a number that is no integer (F-TEXT-7). No line of the usual length has more.
        records: Records of a log, right or wrong (F-LOG-9). No right log has a thousand.
        unpacked: Bytes that a packed file may unpack to (F-FILE-2); None where no file is taken for packed.

    Raises:
        ValueError: A limit is below what the format promises, or above what can be read safely.

    >>> Limits(depth=200).line
    1048576
    """

    line: int = field(default=1 << 20, validator=and_(ge(1 << 20), le(1 << 30)))
    # Deeper values orjson reads but does not write, and what is read must be fit to be written again.
    depth: int = field(default=128, validator=and_(ge(64), le(254)))
    digits: int = field(default=1 << 20, validator=ge(1024))
    records: int = field(default=100_000, validator=ge(1000))
    unpacked: int | None = field(default=_GIB, validator=optional(ge(1 << 20)))


LIMITS: Final = Limits()
"""What is read where nobody asks for more."""
