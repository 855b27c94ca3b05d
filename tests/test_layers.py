"""Each floor imports only floors below it, and the core nothing of the outside world but attrs."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = {
    "karuba_core": ROOT / "karuba_core",
    "karuba_adapters": ROOT / "adapters" / "karuba_adapters",
    "karuba_cli": ROOT / "cli" / "karuba_cli",
}
# What a pure core may use of the standard library: no I/O, no clock, no chance.
CORE_STANDARD = {"abc", "collections", "functools", "itertools", "json", "reprlib", "types", "typing"}
THIRD_PARTY = {
    "karuba_core": {"attrs"},
    "karuba_adapters": {"attrs", "cattrs", "filelock", "jmespath", "orjson", "rich"}
    | {"dask", "distributed", "fsspec", "matplotlib", "pyarrow", "resvg_py"}  # extras
    | {"backports", "compression"},  # Zstandard, by the version of Python
    "karuba_cli": {"orjson", "rich", "typer"},
}


def imported(module: Path) -> Iterator[str]:
    """Yield the top-level names of all imports of a module, inside functions too."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative imports hide the floor"
            yield (node.module or "").partition(".")[0]


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_imports_only_floors_below(floor: str) -> None:
    names = list(FLOORS)
    allowed = {*names[: names.index(floor) + 1], *THIRD_PARTY[floor]}
    allowed |= CORE_STANDARD if floor == "karuba_core" else set(sys.stdlib_module_names)
    modules = sorted(FLOORS[floor].rglob("*.py"))
    assert modules
    for module in modules:
        assert set(imported(module)) <= allowed, module


def test_inside_the_core_imports_make_no_circle() -> None:
    """Modules of the core can be put in an order in which each imports only earlier ones."""
    left = {path.stem: path for path in FLOORS["karuba_core"].glob("*.py") if path.stem != "__init__"}
    below = {
        name: {
            part
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom)
            for part in (
                [alias.name for alias in node.names]
                if node.module == "karuba_core"
                else [str(node.module).partition(".")[2]]
            )
        }
        & left.keys()
        for name, path in left.items()
    }
    while left:
        lowest = [name for name in left if not below[name] & left.keys()]
        assert lowest, f"a circle among {sorted(left)}"
        for name in lowest:
            del left[name]


def test_the_core_loads_without_the_floors_above() -> None:
    code = "import sys, karuba_core; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT
    ).stdout.split()
    assert not {"cattrs", "orjson", "rich", "typer", "karuba_adapters", "karuba_cli"} & set(loaded)
    assert "karuba_core" in loaded
