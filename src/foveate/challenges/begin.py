"""Begins a challenge's folder from a template."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from foveate.challenges.toml import DESCRIPTION, FILE, RULES, is_slug
from foveate.errors import UsageError, did_you_mean
from foveate.sources.new_files import new_place

TEMPLATES = ("toloka", "vizwiz")
_ROOT = 'root = "data"'
# A reference file that lies beside the data.
_FILE = re.compile(r'file = "data/([^"]+)"')


def begin(name: str, template: str, out: Path, root: Path | None = None) -> None:
    """Writes a new folder with what a template states, under a short name.

    Args:
        name: The short name.
        template: One of `TEMPLATES`.
        out: The folder.
        root: Where the official files lie; the folder `data` inside `out` by default.

    Raises:
        UsageError: There is no such template, or the name cannot stand in an address.
        OutputError: The folder is there already, or cannot be written.
    """
    if template not in TEMPLATES:
        raise UsageError(f"template {template}", "there is none of this name", did_you_mean(template, TEMPLATES))
    if not is_slug(name):
        remedy = "Take at most 60 letters without accents, digits, - and _."
        raise UsageError(f"challenge {name}", "its short name cannot stand in an address", remedy)
    source = files("foveate.challenges").joinpath("templates", template)
    with new_place(out) as folder:
        folder.mkdir()
        for file in (FILE, DESCRIPTION, RULES):
            text = source.joinpath(file).read_text(encoding="utf-8").replace('slug = "NAME"', f'slug = "{name}"')
            if root is not None:
                text = text.replace(_ROOT, f"root = {_quoted(root.absolute())}")
                text = _FILE.sub(lambda found: f"file = {_quoted(root.absolute() / found[1])}", text)
            (folder / file).write_text(text, encoding="utf-8", newline="\n")


def _quoted(path: Path) -> str:
    """Returns a path as a text of TOML."""
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
