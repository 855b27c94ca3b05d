"""All changes by their names: those that break most logs, and those that break none."""

from typing import Final

from tests.mutations import courses, fields, openings, order, text, turns
from tests.mutations.harmless import HARMLESS
from tests.mutations.logs import Change

__all__ = ["FAULTS", "HARMLESS"]

FAULTS: Final[dict[str, Change]] = {
    **fields.FAULTS,
    **order.FAULTS,
    **turns.FAULTS,
    **openings.FAULTS,
    **courses.FAULTS,
    **text.FAULTS,
}
