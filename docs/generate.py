"""Writes the reference pages from cards, `--help` and docstrings; with `--check` says which are out of date."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import foveate
from foveate import plugins

FOLDER = Path(__file__).resolve().parent / "reference"
COMMANDS = (
    (),
    ("ask",),
    ("ground",),
    ("score",),
    ("compare",),
    ("explain",),
    ("attention",),
    ("controls",),
    ("transfer",),
    ("report",),
    ("analyze",),
    ("agreement",),
    ("annotate", "new"),
    ("annotate", "list"),
    ("annotate", "show"),
    ("annotate", "open"),
    ("annotate", "pause"),
    ("annotate", "close"),
    ("annotate", "delete"),
    ("annotate", "agreement"),
    ("annotate", "import"),
    ("annotate", "export"),
    ("annotate", "admission", "new"),
    ("annotate", "admission", "open"),
    ("annotate", "admission", "close"),
    ("annotate", "admission", "import"),
    ("annotate", "admission", "list"),
    ("annotate", "admission", "report"),
    ("challenge", "reproduce"),
    ("challenge", "leaderboard"),
    ("challenge", "export"),
    ("challenge", "import"),
    ("challenge", "rescore"),
    ("release", "new"),
    ("release", "private"),
    ("release", "list"),
    ("release", "show"),
    ("release", "check"),
    ("release", "diff"),
    ("release", "patch"),
    ("release", "rescore"),
    ("curate",),
    ("screening", "new"),
    ("screening", "list"),
    ("screening", "export"),
    ("screening", "import"),
    ("screening", "close"),
    ("export",),
    ("demo",),
    ("challenge", "worker"),
    ("serve",),
    ("backup",),
    ("restore",),
    ("dataset", "list"),
    ("dataset", "check"),
    ("dataset", "convert"),
    ("dataset", "make"),
    ("dataset", "overlap"),
    ("grounders",),
    ("metrics",),
    ("aggregators",),
    ("weights", "pull"),
    ("weights", "list"),
    ("people", "add"),
    ("people", "list"),
    ("people", "invite"),
    ("people", "password"),
    ("version",),
)
NOTE = "<!-- Written by docs/generate.py from the code; `make docs` writes it again. -->\n\n"


def command_line() -> str:
    """Returns the page of the commands: what `--help` prints."""
    parts = ["# The command line\n"]
    for words in COMMANDS:
        name = " ".join(("foveate", *words))
        parts.append(f"## `{name}`\n\n```text\n{_help(words)}\n```\n")
    return "\n".join(parts)


def cards(kind: plugins.Kind, title: str, intro: str) -> Callable[[], str]:
    """Returns a maker of the page of one kind of plugin."""

    def page() -> str:
        parts = [f"# {title}\n\n{intro}\n"]
        for name, module in plugins.modules(kind).items():
            if module.startswith("foveate."):
                parts.append(_card(name, plugins.load(kind, name).CARD))
        return "\n".join(parts)

    return page


def python() -> str:
    """Returns the page of the public names: signature and docstring."""
    parts = ["# Python\n\nEverything here is imported from `foveate`.\n"]
    for name in foveate.__all__:
        thing = getattr(foveate, name)
        signature = "" if isinstance(thing, type) and issubclass(thing, Exception) else str(inspect.signature(thing))
        parts.append(f"## `{name}`\n\n```text\n{name}{signature}\n\n{inspect.getdoc(thing)}\n```\n")
    return "\n".join(parts)


PAGES: dict[str, Callable[[], str]] = {
    "command-line.md": command_line,
    "datasets.md": cards("datasets", "Data sets", "What `foveate dataset list` lists, from their cards."),
    "grounders.md": cards("grounders", "Grounders", "What `foveate grounders` lists, from their cards."),
    "metrics.md": cards("metrics", "Metrics", "What `foveate score --metric` takes, from their cards."),
    "screening-rules.md": cards(
        "curation", "Screening rules", "What `foveate curate --rules` takes, from their cards."
    ),
    "aggregators.md": cards(
        "aggregators", "Aggregators", "What `foveate aggregators` lists and `foveate annotate export --rule` takes."
    ),
    "python.md": python,
}


def main() -> int:
    """Writes the pages, or checks them; returns the exit code."""
    check = "--check" in sys.argv
    stale = [name for name, page in PAGES.items() if not _is_current(FOLDER / name, NOTE + page(), check)]
    if stale and check:
        print(f"out of date: {', '.join(stale)}; run `make docs`")
        return 1
    print(f"{len(PAGES)} reference pages are up to date" if check else f"wrote {', '.join(stale) or 'nothing new'}")
    return 0


def _is_current(path: Path, text: str, check: bool) -> bool:
    text = text.rstrip() + "\n"
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return True
    if not check:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return False


def _help(words: tuple[str, ...]) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "foveate", *words, "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"},
    )
    lines = (line.rstrip() for line in done.stdout.strip("\n").splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def _card(name: str, card: Any) -> str:
    lines = [f"## `{name}`\n\n{card.summary}\n"]
    for field in card.__slots__:
        value = getattr(card, field)
        if field in {"name", "summary"} or value in (None, "", (), {}):
            continue
        lines.append(f"- **{field.replace('_', ' ')}**: {_shown(value)}")
    return "\n".join(lines) + "\n"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"`{key}`" + (f" ({_shown(item)})" if item is not None else "") for key, item in value.items())
    if isinstance(value, tuple):
        # What holds a bracket is a sentence's part, and no name.
        return "; ".join(value) if any("(" in item for item in value) else ", ".join(f"`{item}`" for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


if __name__ == "__main__":
    sys.exit(main())
