"""The house keeps its shape: small files, flat functions, few public names, no host named."""

from __future__ import annotations

import ast
import re
import statistics
from pathlib import Path

import pytest

import foveate
from tests.helpers import REPOSITORY

SOURCE = sorted((REPOSITORY / "src").rglob("*.py"))


def test_the_public_names_are_few_sorted_and_there() -> None:
    assert len(foveate.__all__) <= 20
    assert foveate.__all__ == sorted(foveate.__all__)
    assert dir(foveate) == foveate.__all__
    for name in foveate.__all__:
        assert getattr(foveate, name).__doc__, name
    with pytest.raises(AttributeError):
        foveate.nothing_of_this_name  # noqa: B018


def test_files_are_small() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in SOURCE}
    assert max(lengths.values()) <= 400, max(lengths, key=lambda path: lengths[path])
    assert statistics.median(lengths.values()) <= 150


@pytest.mark.parametrize("path", SOURCE, ids=lambda path: str(path.relative_to(REPOSITORY / "src")))
def test_functions_are_flat(path: Path) -> None:
    """At most 40 lines of code, docstring and signature apart."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            assert lines <= 40, f"{node.name} has {lines} lines"


def test_the_iou_is_defined_once() -> None:
    defined = [
        (path.name, name)
        for path in SOURCE
        for name in re.findall(r"^ *def (\w*iou\w*)\(", path.read_text(), flags=re.MULTILINE)
    ]
    assert defined == [("overlap.py", "box_iou"), ("overlap.py", "mask_iou")]


def test_no_registry_host_is_named() -> None:
    folders = ("src", "tests", "docs", "design", "benchmarks", ".ci")
    files = [*REPOSITORY.glob("*.*"), *(path for name in folders for path in (REPOSITORY / name).rglob("*"))]
    # Written in two halves, so that this file does not name them either.
    hosts = (("py", r"pi\.org"), ("python", r"hosted\.org"), ("npm", r"js\.(org|com)"), ("deb", r"ian\.org"))
    host = re.compile("|".join(first + rest for first, rest in hosts))
    named = [path for path in files if path.is_file() and host.search(path.read_text(errors="ignore"))]
    assert named == []
