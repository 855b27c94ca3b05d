"""Node for the tests that run JavaScript."""

import os
import shutil

import pytest


def node() -> str:
    """Return the Node executable; without one, skip the test, or fail it where Node has to be there.

    It has to be there where `CI` is set, and where `KARUBA_REQUIRE_NODE` is 1.
    """
    found = shutil.which("node")
    if found is not None:
        return found
    if os.environ.get("CI") or os.environ.get("KARUBA_REQUIRE_NODE") == "1":
        pytest.fail("there is no node on the PATH, and CI or KARUBA_REQUIRE_NODE=1 asks for it")
    pytest.skip("there is no node on the PATH")
