"""The files of spec/ that are made from others are what is made from them today."""

import pytest

from tests.spec.generate import SPEC, generated

FILES = generated()


@pytest.mark.parametrize("name", FILES)
def test_a_generated_file_is_up_to_date(name: str) -> None:
    found = (SPEC / name).read_bytes().decode()
    assert found == FILES[name], f"python -m tests.spec.generate writes spec/{name} anew"
