"""Write the files of spec/ that are made from others: `python -m tests.spec.generate`."""

from pathlib import Path
from typing import Final

from karuba_adapters.schemas import schema_files
from tests.spec.model_data import model_data
from tests.spec.rule_texts import rule_texts
from tests.spec.traceability import rules_page, traceability

SPEC: Final = Path(__file__).parents[2] / "spec"


def generated() -> dict[str, str]:
    """Return the text of each file that is made from others, by its path in spec/."""
    return {
        "model/data.qnt": model_data(),
        "../adapters/karuba_adapters/rules.json": rule_texts(),
        **{f"schema/{name}": text for name, text in schema_files().items()},
        "rules.md": rules_page(),
        "traceability.md": traceability(),
    }


def write() -> None:
    """Write them all."""
    for name, text in generated().items():
        (SPEC / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
