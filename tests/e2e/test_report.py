"""`foveate report` as a person calls it, and the page as a browser shows it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import SHARED, needs_shared, save_photo, write
from tests.unit.reports.made import Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


def foveate(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "foveate", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "200", "TERM": "dumb", "FOVEATE_OFFLINE": "1"},
    )


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Two runs, `whole` and `centre`, over sixty questions about three photos."""
    for n in range(3):
        save_photo(tmp_path / f"{n}.png", (48, 64), (80 * n, 120, 60))
    rows = "".join(f"{n % 3}.png,Where is thing {n}?,{n % 30},0,64,{24 + n % 20},thing\n" for n in range(60))
    write(tmp_path / "questions.csv", "image,question,left,top,right,bottom,answer\n" + rows)
    for name, grounder in (("whole", "whole_image"), ("centre", "centre_box")):
        done = foveate("ground", "folder", "--root", ".", "--grounder", grounder, "--out", name, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    return tmp_path


def test_a_run_becomes_one_file(runs: Path) -> None:
    done = foveate("report", "whole", "--out", "r.html", "--cards", "4", cwd=runs)
    assert done.returncode == 0, done.stderr
    kilobytes = round((runs / "r.html").stat().st_size / 1e3)
    assert done.stdout.startswith(f"r.html: {kilobytes} KB, ")
    assert done.stdout.endswith(" samples shown, 3 photos\n")
    assert done.stderr == "measuring whole\nlooking where and why\nphotos\n"
    again = foveate("report", "whole", "--out", "r.html", cwd=runs)
    assert again.returncode == 5
    assert again.stderr == "r.html: there is a file already. Choose another --out.\n"


def test_several_runs_without_photos_and_as_markdown(runs: Path) -> None:
    done = foveate("report", "whole", "centre", "--out", "r.html", "--no-photos", "--metric", "mean_iou", cwd=runs)
    assert done.stdout.endswith(" samples shown, 0 photos\n"), done.stderr
    text = (runs / "r.html").read_text(encoding="utf-8")
    assert "Differences from <bdi>whole</bdi>" in text
    assert "data:image/jpeg" not in text
    done = foveate("report", "whole", "centre", "--out", "r.md", "--resamples", "0", cwd=runs)
    assert re.fullmatch(r"r\.md: \d+ KB\n", done.stdout)
    assert done.stderr == "measuring whole\nmeasuring centre\ncomparing\nlooking where and why\n"
    assert "| centre | mean_iou |" in (runs / "r.md").read_text(encoding="utf-8")


def test_photos_that_are_all_absent_are_told_with_the_cure(runs: Path) -> None:
    for n in range(3):
        (runs / f"{n}.png").unlink()
    done = foveate("report", "whole", "--out", "r.html", "--resamples", "0", cwd=runs)
    assert done.stdout.endswith(" samples shown, 0 photos; put the photos below --root to see them\n"), done.stderr


def test_the_help_tells_of_the_usual_metrics(runs: Path) -> None:
    told = " ".join(foveate("report", "--help", cwd=runs).stdout.split())
    assert "A metric instead of the usual ones, once for each." in told
    assert "[default: (the usual ones)]" in told


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("whole", "--out", "r.pdf"), 2, "r.pdf: its suffix is that of no report."),
        (("nowhere", "--out", "r.html"), 3, "there is no such run or file"),
        (("questions.csv", "--out", "r.html"), 2, "does not say which data set"),
        (("whole", "--out", "none/r.html"), 5, "cannot be written"),
        (("whole", "whole", "--out", "r.html"), 2, "it is named twice"),
    ],
)
def test_errors_are_one_sentence_and_leave_no_file(words: tuple[str, ...], code: int, said: str, runs: Path) -> None:
    done = foveate("report", *words, cwd=runs)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (runs / "r.html").exists()


def shown(page: Path, anchor: str, profile: Path, width: int = 1280) -> Page:
    """Returns the page after its script has worked in a browser window of a width."""
    assert CHROMIUM is not None
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--dump-dom"]
    done = subprocess.run(
        [CHROMIUM, *flags, f"--window-size={width},900", "--virtual-time-budget=3000", f"{page.as_uri()}#{anchor}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return Page(done.stdout)


@needs_chromium
def test_the_script_works_in_a_browser_under_the_pages_own_policy(runs: Path, tmp_path: Path) -> None:
    done = foveate("report", "whole", "centre", "--out", "r.html", "--cards", "3", cwd=runs)
    assert done.returncode == 0, done.stderr
    page = shown(runs / "r.html", "all", tmp_path / "profile")
    assert dict(page.elements)["body"]["data-as"] == "table"
    assert "1–50 of 60" in page.text
    assert "60 of 60 samples in the table" in page.text
    sorting = [a for tag, a in page.elements if tag == "button" and a.get("type") == "button"]
    pictures = [a["aria-label"] for a in sorting if a.get("aria-label", "").startswith("Enlarge. ")]
    assert len(pictures) == len(page.of_class("picture"))
    # The rows of pictures lead to them.
    assert {f"#{a['id']}" for a in page.of_class("card")} >= {
        a["href"] for tag, a in page.elements if tag == "a" and a["href"].startswith("#card-")
    }


@needs_chromium
def test_only_tables_of_samples_and_chapters_exceed_a_narrow_window_and_say_so(runs: Path, tmp_path: Path) -> None:
    done = foveate("report", "whole", "centre", "--out", "r.html", "--cards", "1", cwd=runs)
    assert done.returncode == 0, done.stderr
    narrow = shown(runs / "r.html", "all", tmp_path / "narrow", 500)
    # Tables of chapters have too many columns for a phone, too; they are labelled by their headings.
    labels = [frame["aria-label"] for frame in narrow.of_class("cut") if "aria-labelledby" not in frame]
    assert labels == ["Table of all samples"]
    assert shown(runs / "r.html", "all", tmp_path / "wide").of_class("cut") == []


@needs_shared
def test_the_crowds_file_becomes_a_report(tmp_path: Path) -> None:
    toloka = SHARED / "toloka"
    done = foveate(
        *("report", toloka / "test_public_crowd_baseline.csv", "--out", "r.html", "--resamples", "50"),
        *("--dataset", "toloka_vqa:test_public", "--root", toloka, "--cards", "2"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    page = Page((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert "mean IoU ↑ higher is better 0.8802" in page.text
    assert "a file of predictions" in page.text
