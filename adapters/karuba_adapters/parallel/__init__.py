"""Judging many logs by several processes: many files at a time, and one large stream in pieces."""

from karuba_adapters.parallel.sources import Source, validate_sources

__all__ = ["Source", "validate_sources"]
