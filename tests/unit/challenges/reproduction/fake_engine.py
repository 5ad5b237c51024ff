"""A command that plays Docker or Podman: it writes down what it is told, and does what the file `play.json` says."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def _out(words: list[str], target: str) -> Path:
    mounts = [words[at + 1] for at, word in enumerate(words) if word == "--mount"]
    options = [dict(part.split("=") for part in mount.split(",") if "=" in part) for mount in mounts]
    return Path(next(option["src"] for option in options if option["dst"] == target))


def _run(words: list[str], play: dict[str, Any]) -> int:
    out = _out(words, "/mnt/output")
    how = play.get("run", "ok")
    questions = _out(words, "/mnt/data/test.csv")
    if how in ("ok", "flood"):
        for _ in range(200 if how == "flood" else 0):
            sys.stdout.write("x" * 65_536)
        photos = len(list(_out(words, "/mnt/data/imgs").iterdir()))
        sys.stdout.write(f"reading {len(questions.read_text())} letters, {photos} photos\n")
        (out / "answer.csv").write_bytes(questions.read_bytes())
    elif how == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.stdout.write("going to sleep\n")
        sys.stdout.flush()
        time.sleep(60)
    elif how == "link":
        (out / "answer.csv").symlink_to("/etc/passwd")
    elif how == "folder":
        (out / "answer.csv").mkdir()
    elif how == "pipe":
        os.mkfifo(out / "answer.csv")
    elif how == "huge":
        (out / "answer.csv").touch()
        os.truncate(out / "answer.csv", 10**9)
    elif how == "fill":
        (out / "junk").write_bytes(b"x" * 3_000_000)
        time.sleep(60)
    return int(play.get("code", 0))


def main() -> int:
    """Plays one command."""
    words = sys.argv[1:]
    with (HERE / "said.jsonl").open("a") as file:
        file.write(json.dumps([Path(sys.argv[0]).name, *words]) + "\n")
    play: dict[str, Any] = json.loads((HERE / "play.json").read_text())
    verb = words[0]
    if verb == "run":
        return _run(words, play)
    said = play.get(verb, {})
    if verb == "load":
        (HERE / "loaded.tar").write_bytes(Path(words[2]).read_bytes())
    usual = "false 2026-11-30T10:00:00Z" if verb == "inspect" else "1.0"
    sys.stdout.write(said.get("says", usual) + "\n")
    return int(said.get("code", 0))


if __name__ == "__main__":
    sys.exit(main())
