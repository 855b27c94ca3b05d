"""What all tests share."""

import os

# The tests start hundreds of processes: their modules are compiled once, whatever the environment says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

collect_ignore_glob = ["bench/peers/*.py"]  # the extra `bench` has their packages
