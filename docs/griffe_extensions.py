"""How the reference reads the Python packages: doctests as code, classes of attrs by their fields."""
# ruff: noqa: INP001 - no package: mkdocstrings loads it by its path

import re
from collections.abc import Iterator
from typing import Any, Final

from griffe import Attribute, Class, Extension, Function, Module, Object, Parameter, ParameterKind, Parameters

_DOCTEST: Final = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
_BY_ATTRS: Final = re.compile(r"(frozen|define)\b")
_ANY: Final = ParameterKind.positional_or_keyword


class Doctests(Extension):
    """Fences the examples of docstrings, which Markdown takes for quotations."""

    def on_object(self, *, obj: Object, **_: Any) -> None:  # noqa: ANN401 - as griffe calls it
        """Fence the examples of one docstring."""
        _fence(obj)

    def on_package(self, *, pkg: Module, **_: Any) -> None:  # noqa: ANN401 - as griffe calls it
        """Fence the examples of a package's own docstring."""
        _fence(pkg)


class Attrs(Extension):
    """Gives classes the signatures that attrs gives them when they are loaded; here nothing is."""

    def on_class(self, *, cls: Class, **_: Any) -> None:  # noqa: ANN401 - as griffe calls it
        """Give one class its signature."""
        if any(_BY_ATTRS.match(str(decorator.value)) for decorator in cls.decorators):
            parameters = Parameters(Parameter("self", kind=_ANY), *_fields(cls))
            cls.set_member("__init__", Function("__init__", parameters=parameters, parent=cls))


def _fence(obj: Object) -> None:
    if obj.docstring is not None and "```" not in obj.docstring.value:
        obj.docstring.value = _DOCTEST.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)


def _fields(cls: Class) -> Iterator[Parameter]:
    for name, member in cls.members.items():
        value = str(getattr(member, "value", None) or "")
        if not isinstance(member, Attribute) or "instance-attribute" not in member.labels:
            continue
        if str(member.annotation) != "ClassVar" and "init=False" not in value:
            has_default = value and not (value.startswith("field(") and "default" not in value)
            yield Parameter(
                name, annotation=member.annotation, kind=_ANY, default="..." if has_default else None
            )
