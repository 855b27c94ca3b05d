"""Figures that stand for many: how whole numbers are spread, and how sure a share is.

Both are taken from counts, so that a million numbers cost no more than the different ones among them.
"""

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from math import sqrt
from typing import Final

from attrs import frozen

CONFIDENCE: Final = 95
"""Of a hundred intervals, how many hold the true share."""

_Z: Final = (
    1.959963984540054  # how many standard deviations on both sides hold so much of a normal distribution
)


@frozen
class Spread:
    """How whole numbers are spread; quartiles lie between two of them where none is in the place."""

    mean: float
    min: int
    q1: float
    median: float
    q3: float
    max: int


@frozen
class Share:
    """A share, 0 to 1, and the interval that holds the true one with a confidence of 95 %."""

    share: float
    low: float
    high: float


def spread(counts: Mapping[int, int]) -> Spread:
    """Return how numbers are spread.

    Quartiles are those of the inclusive method: the smallest number is the 0 % one, the greatest the
    100 % one, and between neighbours a straight line is drawn.

    Args:
        counts: How many times there is each number: at least one number, each at least once.

    >>> spread({20: 1, 21: 1, 25: 2})
    Spread(mean=22.75, min=20, q1=20.75, median=23.0, q3=25.0, max=25)
    """
    values = sorted(counts)
    ends = list(accumulate(counts[value] for value in values))
    size = ends[-1]

    def quartile(number: int) -> float:
        place, fourths = divmod((size - 1) * number, 4)
        below = values[bisect_right(ends, place)]
        above = values[bisect_right(ends, min(place + 1, size - 1))]
        return below + (above - below) * fourths / 4

    mean = sum(value * count for value, count in counts.items()) / size
    return Spread(mean, values[0], quartile(1), quartile(2), quartile(3), values[-1])


def share(count: int, size: int) -> Share:
    """Return a share with its Wilson interval, which stays honest for few cases and for shares near 0 or 1.

    Args:
        count: In how many cases it was so, 0 to `size`.
        size: How many cases there were, at least 1; the interval takes each to be independent of the others.

    >>> interval = share(8, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4902, 0.9433)
    """
    part = count / size
    middle = part + _Z**2 / (2 * size)
    reach = _Z * sqrt(part * (1 - part) / size + (_Z / (2 * size)) ** 2)
    scale = 1 + _Z**2 / size
    # At the ends the formula gives 0 and 1, but for the last digit.
    low = 0.0 if count == 0 else (middle - reach) / scale
    high = 1.0 if count == size else (middle + reach) / scale
    return Share(part, low, high)
