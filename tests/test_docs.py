"""The docs do not rot: links lead somewhere, commands exist with their options, examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import foveate
from tests.helpers import REPOSITORY

PAGES = sorted([*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md"), *REPOSITORY.glob("design/*.md")])
MODULES = sorted(m.name for m in pkgutil.walk_packages(foveate.__path__, "foveate.") if m.name != "foveate.__main__")
LINK = re.compile(r"\[[^\]]+\]\(([^)#]+)[^)]*\)")
BLOCK = re.compile(r"```bash\n(.*?)```", re.DOTALL)


def name(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))


def commands() -> list[str]:
    """Returns every `foveate …` line of a bash block, continued lines joined."""
    found = []
    for page in PAGES:
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            lines = block.replace("\\\n", " ").splitlines()
            found += [
                re.sub(r"^\s*(\.venv/bin/)?", "", line)
                for line in lines
                if re.match(r"\s*(\.venv/bin/)?foveate ", line)
            ]
    return sorted(set(found))


@cache
def help_of(words: tuple[str, ...]) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "foveate", *words, "--help"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "200", "TERM": "dumb"},
    )
    return done.stdout if done.returncode == 0 else ""


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    # What stands between backticks is shown, not followed; the text of a link may hold such.
    text = re.sub(r"(?<!\[)`[^`\n]*`(?!\])", "", page.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        if not target.startswith(("http", "mailto")):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("line", commands())
def test_commands_of_the_docs_exist_with_their_options(line: str) -> None:
    words = shlex.split(line)[1:]
    if words[:1] == ["--help"]:
        return
    nouns = {"annotate", "challenge", "dataset", "people", "release", "screening", "weights"}
    command = tuple(words[:2]) if words[0] in nouns else (words[0],)
    # A noun of its own below a noun.
    command = tuple(words[:3]) if command == ("annotate", "admission") else command
    text = help_of(command)
    assert text, f"there is no command foveate {' '.join(command)}"
    for option in (word for word in words if word.startswith("--")):
        assert re.search(rf"(?<![\w-]){option}(?![\w-])", text), option


def test_there_are_commands_to_check() -> None:
    assert len(commands()) >= 8


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_true(module: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_every_kind_of_weights_is_in_the_notice() -> None:
    from foveate.sources.hub import HubFile
    from foveate.sources.weights import WEIGHTS

    notice = (REPOSITORY / "NOTICE").read_text(encoding="utf-8")
    for weights in WEIGHTS.values():
        for member in weights.members:
            origin = member.repo if isinstance(member, HubFile) else member.archive.filename
            assert origin in notice
