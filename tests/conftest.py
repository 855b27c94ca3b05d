"""What all tests share."""

import os

# The tests start hundreds of processes: their modules are compiled once, whatever the environment says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
