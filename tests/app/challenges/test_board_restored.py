"""A board after a backup and a restore elsewhere: the same page, CSV, JSON and answer of the API, digit for digit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.app import postgres
from tests.app.live import LiveFoveate
from tests.helpers import REPOSITORY


def told(live: LiveFoveate, what: str) -> dict[str, str]:
    """Returns what `board_states` prints of a state."""
    words = [what, str(live.data), *([live.database] if live.database else [])]
    done = subprocess.run(
        [sys.executable, "-m", "tests.app.challenges.board_states", *words],
        env=live.environment,
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_a_board_is_the_same_to_the_digit(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    states = [LiveFoveate(tmp_path / name) for name in ("here", "there", "back")]
    # There and back through PostgreSQL; where it is not installed, through another SQLite.
    if postgres.binaries() or os.environ.get(postgres.VARIABLE):
        states[1].database = postgres.fresh(request.getfixturevalue("postgres_cluster"))
    first = told(states[0], "make")
    assert len(first) == 3 * 4 * 2
    # All digits where the phase is over, two of them where it is not, none where there are places only.
    digits = {
        slug: first[f"visitor /challenges/{slug}/evaluation/leaderboard.csv"] for slug in ("over", "open", "ranks")
    }
    assert [slug for slug, text in digits.items() if "0.30000000000000004," in text] == ["over"]
    assert [slug for slug, text in digits.items() if ",0.6667," in text] == ["open"]
    for number, (here, there) in enumerate(pairwise(states)):
        file = tmp_path / f"{number}.zip"
        here.foveate("backup", str(file))
        there.foveate("restore", str(file))
        after = told(there, "told")
        assert after.keys() == first.keys()
        assert [where for where in first if after[where] != first[where]] == []
