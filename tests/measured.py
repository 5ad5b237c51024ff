"""Measures coverage only in the tests by which it is judged: `pytest --cov -p tests.measured`, as `make test` does.

What is measured takes up to twice as long, and most of that would be Django in tests of pages and real photos in tests
of figures, which cover no line that the others do not. Those run as they are; a test by which a line is to be covered
stands in one of `JUDGED`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Generator

import pytest
from coverage import Coverage

PACKAGES = ("foveate.annotation", "foveate.core", "foveate.metrics", "foveate.quality")
JUDGED = (
    "tests/unit/annotation/",
    "tests/unit/core/",
    "tests/unit/metrics/",
    "tests/unit/quality/",
    "tests/unit/evaluation/",
    "tests/contracts/",
    "tests/properties/test_annotation_files.py",
    "tests/reference/test_average_precision.py",
    "tests/test_docs.py",
)


class Measured:
    """Stops what measures before the first test that does not count, and starts it again for one that does."""

    def __init__(self) -> None:
        self._stopped: Coverage | None = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        counts = item.nodeid.startswith(JUDGED)
        if counts and self._stopped is not None:
            self._stopped.start()
            self._stopped = None
        elif not counts and self._stopped is None:
            self._stopped = _stopped()
        return (yield)


def _stopped() -> Coverage | None:
    """Returns what measured and now does not; a module's own lines run once, so all are imported before."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            importlib.import_module(module.name)
    measures = Coverage.current()
    if measures is not None:
        measures.stop()
    return measures


def pytest_configure(config: pytest.Config) -> None:
    """Adds it to a run of tests."""
    config.pluginmanager.register(Measured())
