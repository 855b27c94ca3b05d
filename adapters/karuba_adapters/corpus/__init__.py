"""Judging more logs than one machine holds, on the workers of a Dask cluster (extra `dask`)."""

from karuba_adapters.corpus.cluster import COLUMN, ClusterFault, MissingExtra, validate_corpus

__all__ = ["COLUMN", "ClusterFault", "MissingExtra", "validate_corpus"]
