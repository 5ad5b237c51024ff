"""A challenge that was loaded from a real folder, with a practice, an evaluation, a container phase and one to come."""

from __future__ import annotations

from pathlib import Path

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge
from foveate.app.challenges.services import loading
from tests.unit.challenges.folders import folder, practice_elsewhere

RUN = """
[[phases]]
name = "run"
title = "Reproduction"
kind = "reproduction"
data = "public"
forms = ["toloka"]

[[phases]]
name = "later"
title = "Second evaluation"
kind = "evaluation"
data = "public"
forms = ["toloka"]
start = 2998-01-01T00:00:00Z
end = 2999-01-01T00:00:00Z
limits = { valid_a_day = 2, valid_in_all = 20 }

[[references]]
name = "Whole image"
phase = "evaluation"
grounder = "whole_image"

[teams]
most_members = 5
"""
HEAD = """\
published = true
sign_up = "open"
summary = "Given a photo and a question, draw the box around the answer."
organisers = "The house of owls"
contact = "owls@example.org"
website = "https://example.org/cup"
licence = "CC BY 4.0"
citation = "Owls: The cup. 2026"
"""


def text(at: Path) -> str:
    """Returns the challenge's TOML, and writes the practice's data where they are not there yet."""
    made = practice_elsewhere(at)
    return HEAD + made.replace("end = 2026-04-01T00:00:00+02:00", "end = 2999-01-01T00:00:00Z") + RUN


def loaded(at: Path, *organisers: User) -> Challenge:
    """Loads the challenge `cup` from a folder, and names who runs it."""
    (at / "practice").mkdir(parents=True, exist_ok=True)
    row = loading.load(folder(at, text(at)), None)
    row.organisers.add(*organisers)
    return row
