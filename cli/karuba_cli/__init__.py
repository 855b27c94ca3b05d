"""The command line of the Karuba rules kernel."""

__version__ = "0.1.0"
