"""A desk for all tests of the assistant's server, and everyone may ask."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foveate.app.ask.services import desk


@pytest.fixture(scope="package", autouse=True)
def _one_desk() -> Iterator[None]:
    yield
    desk.close()


@pytest.fixture(autouse=True)
def _everyone_may_ask(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    configure(settings, ask="everyone")


def configure(settings: Any, **changed: Any) -> None:
    """Changes settings that the environment says."""
    settings.CONFIG = dataclasses.replace(settings.CONFIG, **changed)
