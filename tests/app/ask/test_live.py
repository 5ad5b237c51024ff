"""The client, and the docs' example, against a real `foveate serve` with its usual method."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import PIL.Image
import pytest

from foveate.client import Client, ServerError
from tests.app.conftest import running
from tests.app.conftest import tests_database as database_of_tests
from tests.app.live import LiveFoveate
from tests.helpers import REPOSITORY

SECRET = "does it say XYZZY"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFoveate]:
    yield from running(LiveFoveate(tmp_path_factory.mktemp("live") / "live", database_of_tests()))


@pytest.fixture
def jar(tmp_path: Path) -> Path:
    """A photo of a label: words to read, in the middle."""
    pixels = np.full((300, 500, 3), 240, dtype=np.uint8)
    cv2.putText(pixels, "TOMATO", (110, 170), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (20, 20, 20), 5)
    path = tmp_path / "jar.jpg"
    PIL.Image.fromarray(pixels).save(path)
    return path


def children(pid: int) -> list[int]:
    told = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False).stdout
    return [int(each) for each in told.split()]


def test_who_has_a_token_keeps_answers(live: LiveFoveate, jar: Path) -> None:
    token = live.run("tests.app.ask.make_token").strip()
    client = Client(live.url, token)
    answer = client.ask(jar, "What is it?", grounder="whole_image", keep=True)
    (kept,) = client.kept()
    assert (kept.id, kept.question, kept.reply) == (answer.kept, "What is it?", answer.reply)
    assert client.kept_photo(kept).startswith(b"\xff\xd8")
    client.remove(kept)
    assert client.kept() == ()
    # Bytes have no name, and a file without one would be taken for text.
    assert client.ask(jar.read_bytes(), "What is it?", grounder="whole_image").reply["status"] == "ok"


def test_the_docs_example_runs_and_the_server_ends_whole(live: LiveFoveate, jar: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (REPOSITORY / "docs" / "ask-api.md").read_text(), re.DOTALL)
    code = example.replace("http://127.0.0.1:8321", live.url)
    done = subprocess.run([sys.executable, "-c", code], cwd=jar.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "pocket The photo stays on this machine." in done.stdout
    client = Client(live.url)
    answer = client.ask(jar, f"What {SECRET}?", style="metric")
    assert "TOMATO" in (answer.answer or "").upper()
    assert "%" in answer.reply["words"]["place"] or "per cent" in answer.reply["words"]["place"]
    assert [line.text for line in answer.text()] == ["TOMATO"]
    assert answer.why()[0] == "The method that was asked is pocket."
    hidden = answer.picture("hidden")
    assert hidden.content.startswith(b"\x89PNG")
    assert hidden.notes == ("What is hidden was overwritten with one colour; it is not in the file.",)
    with pytest.raises(ServerError, match="Nobody is signed in"):
        answer.keep()
    answer.forget()
    with pytest.raises(ServerError, match="no longer"):
        answer.why()
    status, _body, _headers = live.ask("/api/v1/ask/methods", headers={"X-Forwarded-For": "203.0.113.9"})
    assert status == 401, "who comes through a proxy does not ask from this machine"
    log = live.log()
    assert all(secret not in log for secret in ("XYZZY", "TOMATO", "jar.jpg", answer.key, answer.ticket))
    started = children(live.number)
    assert len(started) >= 2, "the reader's and the desk's"
    assert live.stop() == 0
    end = time.monotonic() + 10
    while (left := [pid for pid in started if Path(f"/proc/{pid}").exists()]) and time.monotonic() < end:
        time.sleep(0.05)
    assert left == []
