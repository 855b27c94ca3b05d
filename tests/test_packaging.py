"""The wheel holds the three packages and nothing else; the command line offers what the core knows."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from karuba_cli.options import Preset
from karuba_core.ruleset import PRESETS

ROOT = Path(__file__).parent.parent
PACKAGES = {
    "karuba_core": ROOT / "karuba_core",
    "karuba_adapters": ROOT / "adapters" / "karuba_adapters",
    "karuba_cli": ROOT / "cli" / "karuba_cli",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_holds_every_module_and_its_data_and_says_that_it_is_typed(wheel: zipfile.ZipFile) -> None:
    modules = {
        f"{name}/{path.relative_to(folder).as_posix()}"
        for name, folder in PACKAGES.items()
        for path in folder.rglob("*")
        if path.suffix in (".py", ".json", ".toml", ".html", ".css", ".js")
    } | {f"{name}/py.typed" for name in PACKAGES}
    assert "karuba_adapters/rules.json" in modules
    metadata = {name for name in wheel.namelist() if ".dist-info/" in name}
    assert set(wheel.namelist()) - metadata == modules
    assert {name.partition("/")[2] for name in metadata} == {
        "METADATA",
        "WHEEL",
        "RECORD",
        "entry_points.txt",
        "licenses/LICENSE",
    }


def test_the_wheel_installs_the_command(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "karuba = karuba_cli.main:main" in wheel.read(name).decode()


def test_every_preset_can_be_required() -> None:
    assert [preset.value for preset in Preset] == list(PRESETS)
