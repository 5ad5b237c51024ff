"""Challenge folders for tests, of three questions in the cup's layout."""

from __future__ import annotations

import csv
from pathlib import Path

from foveate.datasets import toloka_vqa

TOML = """\
slug = "cup"
title = "The cup"

[data.public]
dataset = "toloka_vqa:test_public"
root = "hidden"

[[phases]]
name = "evaluation"
title = "Evaluation"
kind = "evaluation"
data = "public"
forms = ["toloka"]
start = 2026-03-01T00:00:00Z
end = 2026-04-01T00:00:00+02:00
"""


def folder(at: Path, text: str = TOML, **changed: str) -> Path:
    """Writes a challenge's folder with its data; `changed` replaces lines by what they begin with."""
    at.mkdir(parents=True, exist_ok=True)
    if not (at / "hidden").exists():
        toloka_vqa.write_tiny(at / "hidden")
    (at / "challenge.toml").write_text(replaced(text, **changed), encoding="utf-8")
    (at / "description.md").write_text("## What is to be done\n\nFind it.\n", encoding="utf-8")
    return at


def replaced(text: str, **changed: str) -> str:
    """Returns a text in which the first line of each key says something else, or more."""
    lines = text.splitlines()
    for key, line in changed.items():
        numbers = [number for number, one in enumerate(lines) if one.split(" = ")[0] == key]
        assert numbers, f"no line {key}"
        lines[numbers[0]] = line
    return "\n".join(lines) + "\n"


def practice_elsewhere(at: Path) -> str:
    """Writes the train split about other photos below `at`/practice; returns the TOML of a practice with it."""
    toloka_vqa.write_tiny(at / "practice")
    path = at / "practice" / "train.csv"
    path.write_text(path.read_text().replace("wsdmcup2023/", "wsdmcup2023/other-"))
    return TOML.replace(
        "[[phases]]",
        '[data.train]\ndataset = "toloka_vqa:train"\nroot = "practice"\n\n'
        '[[phases]]\nname = "practice"\ntitle = "Practice"\nkind = "practice"\ndata = "train"\ntargets = "open"\n'
        'forms = ["toloka"]\n\n[[phases]]',
        1,
    )


def rows_of(path: Path) -> list[list[str]]:
    """Returns the rows of a CSV file, its header with them."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def write_rows(path: Path, rows: list[list[str]]) -> None:
    """Writes a CSV file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
