from __future__ import annotations

import pytest

from tests.unit.grounders.eyes import Eyes, open_eyes


@pytest.fixture
def eyes(monkeypatch: pytest.MonkeyPatch) -> Eyes:
    seen = Eyes()
    open_eyes(seen, monkeypatch)
    return seen
