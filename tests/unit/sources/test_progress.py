from __future__ import annotations

import io
import sys

import pytest
from rich.console import Console
from rich.progress import Progress

from foveate.sources._progress import shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_a_terminal_one_line_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    with shown(None) as report:
        for done in (0, 1_000_000, 2_000_000):
            report(done, 2_000_000, "a.whl")
        report(500_000, 1_000_000, "b.whl")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "fetching a.whl (2.0 MB)\nfetching b.whl (1.0 MB, 0.5 MB are here already)\n"


def test_in_a_terminal_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with shown(None) as report:
        report(0, 2_000_000, "a.whl")
        report(2_000_000, 2_000_000, "a.whl")
    assert "a.whl" in terminal.getvalue()
    assert "2.0/2.0 MB" in terminal.getvalue()


def test_below_another_live_display_one_line_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress(console=Console(stderr=True, force_terminal=True)) as others, shown(None) as report:
        others.add_task("a run", total=1)
        report(0, 2_000_000, "a.whl")
        report(2_000_000, 2_000_000, "a.whl")
    assert terminal.getvalue().count("fetching a.whl (2.0 MB)") == 1
    assert "2.0/2.0 MB" not in terminal.getvalue()
    assert "a run" in terminal.getvalue()


def test_the_callers_own_progress_is_used() -> None:
    told: list[int] = []

    def own(done_bytes: int, total_bytes: int, label: str) -> None:
        told.append(done_bytes)

    with shown(own) as report:
        report(3, 4, "a.whl")
    assert told == [3]
