"""`python -m karuba_cli`, for where the console script is not on the path."""

from karuba_cli.main import main

main()
