"""A recorded game as one HTML file that opens from disk: drawings, data, style and script in it.

What a log says is data in the page, never markup or script: the page runs the one script that it was
made with, known by its digest, and asks no network for anything.
"""

import base64
import hashlib
import html
from collections.abc import Mapping, Sequence
from importlib import resources
from string import Template
from typing import Any, BinaryIO, Final, Unpack

import orjson

from karuba_adapters.drawing import palette, tile_shapes
from karuba_adapters.drawing.board_svg import island_base_svg
from karuba_adapters.drawing.island_shapes import cell_centre
from karuba_adapters.drawing.replay_frames import replay_data
from karuba_adapters.findings import Report
from karuba_adapters.judging import Reading, Right, validate
from karuba_core import COLOURS, TILES, Pair
from karuba_core.board import BEACH_PLACE, CELL_PLACE, JUNGLE_PLACE

_ESCAPES: Final = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def replay_page(stream: BinaryIO, name: str, log: int = 1, **reading: Unpack[Reading]) -> str:
    """Return a page that replays a log of a stream, up to its first fault if it has one.

    Args:
        stream: The logs, as `karuba_adapters.validate` takes them.
        name: What the page calls the stream.
        log: Which log of the stream, 1 for the first.
        reading: How the stream is read, as `karuba_adapters.validate` takes it.

    Raises:
        LookupError: The stream holds fewer logs.

    >>> with open("docs/examples/expedition.jsonl", "rb") as stream:
    ...     page = replay_page(stream, "expedition.jsonl")
    >>> page[:15], "<title>expedition.jsonl</title>" in page
    ('<!doctype html>', True)
    """
    rights: list[Right] = []
    last = 0
    for report in validate(stream, name, rights.append, **reading):
        if report.log == log:
            return page_of(report, rights)
        last = report.log
        rights.clear()
    raise LookupError(f"{name} holds {last} logs only")


def page_of(report: Report, rights: Sequence[Right]) -> str:
    """Return a page that replays a judged log.

    Args:
        report: What is said of the log.
        rights: Its records that were found right, in their order.
    """
    data = replay_data(report, rights)
    data["tiles"] = len(TILES)
    island = ""
    if rights:
        layout = rights[-1].step.game.setup.layout
        island = island_base_svg(layout)
        data["at"] = _places(layout.pairs)
    style, script = f"{palette.STYLE}\n{_source('page.css')}", _source("page.js")
    return Template(_source("page.html")).substitute(
        policy=_policy(style, script),
        title=html.escape(data["file"]),
        style=style,
        script=script,
        symbols=tile_shapes.symbols(),
        island=island,
        data=embedded(data),
    )


def _places(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return where on an island cells are, and the beach and the temple of each colour."""
    by_colour = dict(zip(COLOURS, pairs, strict=True))
    return {
        "cells": {cell: cell_centre(place) for cell, place in CELL_PLACE.items()},
        "beach": {colour: cell_centre(BEACH_PLACE[pair.beach]) for colour, pair in by_colour.items()},
        "temple": {colour: cell_centre(JUNGLE_PLACE[pair.jungle]) for colour, pair in by_colour.items()},
    }


def _policy(style: str, script: str) -> str:
    """Return what the page may load and run: this style and this script, and nothing else."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_digest(script)}",
            f"style-src {_digest(style)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def embedded(data: Mapping[str, Any]) -> str:
    """Return data as JSON in which nothing can end the element that it stands in."""
    return orjson.dumps(data).decode().translate(_ESCAPES)


def _source(name: str) -> str:
    return resources.files("karuba_adapters.drawing").joinpath("page", name).read_text(encoding="utf-8")
