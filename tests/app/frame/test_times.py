"""How near a moment is, in words: never "0 minutes", and one minute is no "1 minutes"."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from foveate.app.frame.templatetags.times import ago, ahead

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.mark.parametrize(
    ("seconds", "to_come", "gone"),
    [
        (-30, "within a minute", "less than a minute ago"),
        (0, "within a minute", "less than a minute ago"),
        (1, "within a minute", "less than a minute ago"),
        (59.9, "within a minute", "less than a minute ago"),
        (60, "in 1 minute", "1 minute ago"),
        (119, "in 1 minute", "1 minute ago"),
        (120, "in 2 minutes", "2 minutes ago"),
        (3_660, "in 1 hour, 1 minute", "1 hour, 1 minute ago"),
        (2 * 86_400, "in 2 days", "2 days ago"),
    ],
)
def test_how_near_a_moment_is(seconds: float, to_come: str, gone: str) -> None:
    far = timedelta(seconds=seconds)
    assert ahead(NOW + far).replace("\xa0", " ") == to_come
    assert ago(NOW - far).replace("\xa0", " ") == gone
