"""JMESPath expressions: all that can be wrong with one is found before any data is seen, or is a value after.

The library looks up functions when it meets data, and leaves some of Python's own errors as they are.
"""

from collections.abc import Callable
from typing import Any, Final

import jmespath
from attrs import field, frozen
from jmespath.functions import Functions

from karuba_core.wording import shown

_FUNCTIONS: Final[dict[str, Any]] = Functions.FUNCTION_TABLE


class WrongQuery(ValueError):
    """An expression that no data can answer."""


class NoAnswer(ValueError):
    """Data to which an expression cannot be put, such as the length of a number."""


@frozen
class Query:
    """A JMESPath expression, which is what `text` says."""

    text: str
    _search: Callable[[object], object] = field(eq=False, repr=False)

    def answer(self, value: object) -> object:
        """Return what a JSON value answers; None where it has nothing of the kind.

        Raises:
            NoAnswer: The value is of another type than a function wants.
        """
        try:
            return self._search(value)
        except Exception as error:  # noqa: BLE001 - whatever the library, or Python below it, makes of it
            raise NoAnswer(f"{shown(self.text)} cannot be answered: {shown(str(error))[1:-1]}") from None

    def holds(self, value: object) -> bool:
        """Return whether the answer counts as true: all but null, false and what is empty.

        Raises:
            NoAnswer: As `answer` does.
        """
        answer = self.answer(value)
        return answer is not None and answer is not False and answer not in ("", [], {})


def query(text: str) -> Query:
    """Return an expression, ready to be put.

    Raises:
        WrongQuery: It is no JMESPath, or names a function that there is not.

    >>> query("moves[?by == 'ana'].to").answer({"moves": [{"by": "ana", "to": "b3"}, {"by": "ben"}]})
    ['b3']
    """
    try:
        parsed = jmespath.compile(text)
        _check(parsed.parsed)
    except RecursionError:
        raise WrongQuery("it nests too deep") from None
    except WrongQuery:
        raise
    except ValueError as error:  # of the library, or of an integer too long for Python
        raise WrongQuery(" ".join(str(error).split())) from None
    return Query(text, parsed.search)


def _check(node: Any, *, is_argument: bool = False) -> None:  # noqa: ANN401 - a node of the library's tree
    """Refuse what the library would only meet with data at hand."""
    kind, parts = node["type"], [part for part in node["children"] if isinstance(part, dict)]
    if kind == "function_expression":
        _check_function(node["value"], len(parts))
    elif kind == "expref" and not is_argument:
        raise WrongQuery("an expression after & can only be given to a function")
    elif kind == "slice" and node["children"][-1] == 0:
        raise WrongQuery("a slice has no step of 0")
    for part in parts:
        _check(part, is_argument=kind == "function_expression")


def _check_function(name: str, given: int) -> None:
    if name not in _FUNCTIONS:
        raise WrongQuery(f"there is no function {name}: {', '.join(sorted(_FUNCTIONS))}")
    signature = _FUNCTIONS[name]["signature"]
    if given != len(signature) and not (signature[-1:] and signature[-1].get("variadic") and given):
        raise WrongQuery(f"the function {name} takes {len(signature)}, got {given}")
