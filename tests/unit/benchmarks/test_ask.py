from __future__ import annotations

import re
from pathlib import Path

import pytest
from benchmarks import ask
from benchmarks.ask import Asked, unfair

from tests.helpers import save_photo


def test_a_crowd_is_answered_in_turn_while_a_photo_crashes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos = [str(save_photo(tmp_path / f"{number}.png")) for number in range(2)]
    ask.main([*photos, "--grounder", "centre_box", "--askers", "3"])
    told = capsys.readouterr().out
    assert "answered 9 of 9; lost to the crashing photo 2; second answers before a first: 0" in told
    assert len(re.findall(r"^(?:greedy|unlucky|0[012]) ", told, flags=re.MULTILINE)) == 11


def test_a_second_answer_before_anothers_first_is_counted() -> None:
    def answers(names: str) -> list[Asked]:
        return [Asked(f"0{name}", 0, None, 1.0, 1.0, "Done") for name in names]

    assert unfair(answers("010 1".replace(" ", "")), 2) == 0
    assert unfair(answers("0011"), 2) == 1
    assert unfair(answers("00011"), 2) == 2
