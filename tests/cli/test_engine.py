"""`karuba validate --engine dask`: which corpus is judged how, and what is told of a cluster that fails."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from karuba_adapters import Limits, Report, validate_file
from karuba_adapters.corpus import ClusterFault, MissingExtra
from karuba_cli.verbs import app

LOG = Path(__file__).parents[2] / "docs" / "examples" / "expedition.jsonl"


def karuba(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["validate", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the cluster is asked for; it judges one log and nothing else."""
    asked: list[dict[str, Any]] = []

    def cluster(urls: list[str], **options: Any) -> Iterator[Report]:  # noqa: ANN401 - any option
        asked.append({"urls": urls, **options})
        return validate_file(LOG)

    monkeypatch.setattr("karuba_adapters.corpus.validate_corpus", cluster)
    return asked


def test_a_cluster_judges_what_is_named_as_it_is_named(asked: list[dict[str, Any]]) -> None:
    result = karuba("s3://bucket/games", "b.parquet", "--engine", "dask", "--require-seal")

    assert (result.exit_code, result.stdout.splitlines()[-1]) == (1, "1 log: 1 valid")
    assert "log/unsealed" in result.stdout  # what is asked of a log is asked here
    reading = {"limits": Limits(), "split": False, "keep_going": False}
    assert asked == [
        {"urls": ["s3://bucket/games", "b.parquet"], "scheduler": None, "column": "log", **reading}
    ]


def test_options_of_reading_go_along(asked: list[dict[str, Any]]) -> None:
    options = ["--scheduler", "tcp://host:8786", "--column", "game", "--split", "--keep-going"]
    assert karuba("a", "--engine", "dask", *options, "--max-depth", "64").exit_code == 0
    assert asked == [
        {
            "urls": ["a"],
            "scheduler": "tcp://host:8786",
            "column": "game",
            "limits": Limits(depth=64),
            "split": True,
            "keep_going": True,
        }
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["a", "--engine", "dask", "--jobs", "2"],
        ["a", "--engine", "dask", "--cache", "c"],
        ["a", "-", "--engine", "dask"],
        ["a", "--scheduler", "tcp://host:8786"],
        ["a", "--column", "game"],
        ["a", "--engine", "spark"],
    ],
)
def test_what_the_other_engine_knows_alone_is_wrong_usage(
    arguments: list[str], asked: list[dict[str, Any]]
) -> None:
    assert (karuba(*arguments).exit_code, asked) == (2, [])


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (MissingExtra("install it"), 2, "install it"),
        (ClusterFault("no worker\nat all"), 70, "karuba: no worker\\nat all\n"),
    ],
)
def test_what_is_wrong_with_the_cluster_is_told(
    monkeypatch: pytest.MonkeyPatch, error: Exception, code: int, told: str
) -> None:
    def cluster(*_: Any, **__: Any) -> Iterator[Report]:  # noqa: ANN401 - not looked at
        yield from validate_file(LOG)
        raise error

    monkeypatch.setattr("karuba_adapters.corpus.validate_corpus", cluster)
    result = karuba("a", "--engine", "dask", "--format", "json")

    assert (result.exit_code, result.stdout.count('"verdict":"valid"')) == (code, 1)
    assert told in result.stderr
