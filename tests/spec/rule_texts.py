"""The sentences of rules and clauses as data for `karuba explain`, which has no spec/ beside it.

`python -m tests.spec.generate` writes them to `adapters/karuba_adapters/rules.json`.
"""

import json

from tests.spec.written import clauses, rules


def rule_texts() -> str:
    """Return the text of the file: each rule or clause with its chapter, its sentence and its codes."""
    texts = {
        row.rule: {"chapter": row.chapter, "says": row.says, "codes": row.codes}
        for row in (*rules(), *clauses())
    }
    return json.dumps(texts, indent=1, ensure_ascii=False) + "\n"
