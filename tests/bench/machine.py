"""What figures depend on: the processor, the system, and the versions of all that takes part."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

CPUINFO: Final = Path("/proc/cpuinfo")
PACKAGES: Final = ("orjson", "attrs", "cattrs", "typer", "rich")
PEERS: Final = ("chess", "eventsourcing", "open_spiel", "catanatron")


def machine() -> dict[str, str]:
    """Return the processor, its cores, the system, the Python, and packages by their versions."""
    return {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **{package: version_of(package) for package in (*PACKAGES, *PEERS)},
    }


def processor() -> str:
    """Return the model of the processor, as far as the system tells it."""
    if CPUINFO.exists():
        for line in CPUINFO.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def version_of(package: str) -> str:
    """Return the version of a package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
