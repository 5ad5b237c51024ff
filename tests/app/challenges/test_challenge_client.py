"""The commands of participants: against a server that is killed, over a line that breaks, and what they leave with."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
from typer.testing import CliRunner

from foveate.cli import _challenge_client, _challenge_http, _challenge_sending
from foveate.cli._app import app
from foveate.cli._challenge_http import RefusedError, Server
from foveate.cli._challenge_sending import Bar, Target, send
from foveate.errors import InputError, UnavailableError, UsageError
from tests.app.conftest import running
from tests.app.conftest import tests_database as database_of_tests
from tests.app.live import LiveFoveate

PART = 8 * 2**20
CUP = Target("cup", "evaluation")
WORDS = {"method": "Owl", "description": "", "links": [], "note": "", "public": True}
QUIET = Bar(lambda *_: None, lambda: None)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFoveate]:
    yield from running(LiveFoveate(tmp_path_factory.mktemp("live") / "live", database_of_tests()))


@pytest.fixture(scope="module")
def token(live: LiveFoveate) -> str:
    made: str = json.loads(live.run("tests.app.challenges.make_cup"))["token"]
    return made


def remembered(folder: Path) -> list[Path]:
    return list((folder / "home" / "uploads").glob("*.json"))


def test_a_server_that_is_killed_amid_an_upload_loses_no_byte(live: LiveFoveate, token: str, tmp_path: Path) -> None:
    file = tmp_path / "answers.csv"
    file.write_bytes(os.urandom(2 * PART + 12_345))
    killed: list[int] = []

    def advanced() -> None:
        killed.append(1)
        if len(killed) == 1:
            live.kill()

    remarks: list[str] = []
    server = Server(live.url, token, rest=lambda _: live.start(), remark=remarks.append)
    sent = send(server, CUP, file, WORDS, Bar(lambda *_: None, advanced))
    assert len(killed) == 3
    assert len(remarks) == 1
    assert "nothing answers" in remarks[0]
    assert (sent["state"], sent["own"]["file_bytes"]) == ("waiting", 2 * PART + 12_345)
    stored = list((live.data / "media" / "challenges" / "entries").glob("*/entry.csv"))
    assert [path.read_bytes() for path in stored] == [file.read_bytes()]
    assert remembered(tmp_path) == []


def test_a_command_that_was_stopped_goes_on(
    live: LiveFoveate, token: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "answers.csv"
    file.write_bytes(os.urandom(PART + 10))
    sent: list[str] = []
    ask_once = Server.ask_once

    def stopped(self: Server, method: str, path: str, body: Any = None) -> Any:
        if method == "PUT" and sent:
            raise KeyboardInterrupt
        answer = ask_once(self, method, path, body)
        sent.extend([path] if method == "PUT" else [])
        return answer

    server = Server(live.url, token)
    with monkeypatch.context() as patch:
        patch.setattr(Server, "ask_once", stopped)
        with pytest.raises(KeyboardInterrupt):
            send(server, CUP, file, WORDS, QUIET)
    assert len(remembered(tmp_path)) == 1
    begun: list[tuple[int, int]] = []
    entry = send(server, CUP, file, WORDS, Bar(lambda _what, total, done: begun.append((total, done)), lambda: None))
    assert begun == [(2, 1)]
    assert entry["own"]["file_bytes"] == PART + 10


def test_an_answer_that_is_lost_makes_no_second_entry(
    live: LiveFoveate, token: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "answers.csv"
    file.write_bytes(b"image,left,top,right,bottom\n")
    lost: list[str] = []
    ask_once = Server.ask_once

    def broken(self: Server, method: str, path: str, body: Any = None) -> Any:
        answer = ask_once(self, method, path, body)
        what = f"{method} {path.partition('?')[0].rpartition('/')[2][:7]}"
        if method != "GET" and what not in lost:
            # Once of each: the server has done it, and nobody hears of it.
            lost.append(what)
            raise UnavailableError("the line", "it broke", "")
        return answer

    monkeypatch.setattr(Server, "ask_once", broken)
    server = Server(live.url, token, rest=lambda _: None)
    before = len(server.ask("GET", "/challenges/cup/entries")["entries"])
    send(server, CUP, file, WORDS, QUIET)
    assert len(lost) == 3
    assert len(server.ask("GET", "/challenges/cup/entries")["entries"]) == before + 1


def test_the_commands_themselves(live: LiveFoveate, token: str, tmp_path: Path) -> None:
    """In processes of their own, as people run them."""
    file = tmp_path / "answers.csv"
    file.write_bytes(b"image,left,top,right,bottom\n")
    assert live.foveate("challenge", "entries", "cup", "--server", live.url, expect=2).startswith("FOVEATE_TOKEN: ")
    os.environ["FOVEATE_TOKEN"], os.environ["FOVEATE_SERVER"] = token, live.url
    try:
        numbers = [
            one["number"] for one in json.loads(live.foveate("challenge", "entries", "cup", "--json"))["entries"]
        ]
        for number in numbers:
            live.foveate("challenge", "withdraw", "cup", "evaluation", str(number))
        # A name that the phase does not take is told before a byte is sent.
        (tmp_path / "a.exe").write_bytes(b"x")
        told = live.foveate("challenge", "submit", "cup", "evaluation", str(tmp_path / "a.exe"), expect=3)
        assert "a.exe: by its name this is of no form that is known (.exe)" in told
        words = ("--method", "Owl", "--link", "https://example.org", "--private", "--json")
        sent = json.loads(live.foveate("challenge", "submit", "cup", "evaluation", str(file), *words))
        assert (sent["own"]["public"], sent["links"]) == (False, ["https://example.org/"])
        number = str(sent["number"])
        told = live.foveate("challenge", "status", "cup", "evaluation", number)
        assert told == f"Entry {number} of evaluation: waiting, place 1 in the queue.\n"
        refused = live.foveate("challenge", "choose", "cup", "evaluation", number, expect=3)
        assert "This entry cannot rank, so it cannot be chosen." in refused
        assert "left: any number; 2 more at once" in live.foveate("challenge", "entries", "cup")
        withdrawn = live.foveate("challenge", "withdraw", "cup", "evaluation", number)
        assert withdrawn == f"Entry {number} of evaluation: withdrawn.\n"
        nothing = live.foveate("challenge", "status", "cup", "evaluation", "999", expect=3)
        assert "There is nothing here. Is it published, and are challenge, phase and entry named as in" in nothing
    finally:
        del os.environ["FOVEATE_TOKEN"], os.environ["FOVEATE_SERVER"]


def entry(state: str, **own: Any) -> dict[str, Any]:
    over = state not in {"waiting", "checking", "queued", "scoring"}
    told = {"over": over, "position": None, "why": "", "problems": [], "chosen": False, **own}
    where = {"challenge": "cup", "phase": "evaluation", "number": 3, "method": "Owl", "sent_at": "2026-01-31T12:00:00"}
    scored = {
        "scores": {"mean_iou": "65.43", "share": "9.00"},
        "intervals": {"mean_iou": ["64.01", "66.7"], "share": None},
    }
    return {**where, "state": state, **(scored if state == "scored" else {"scores": None}), "own": told}


class Scripted:
    """A server that answers one after another."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.answers = list(answers)

    def ask(self, *_: Any) -> dict[str, Any]:
        return self.answers.pop(0)


@pytest.mark.parametrize(
    ("state", "code"), [("scored", 0), ("withdrawn", 0), ("refused", 3), ("failed", 1), ("lost", 4)]
)
def test_waiting_ends_with_the_state_and_leaves_with_its_code(
    monkeypatch: pytest.MonkeyPatch, state: str, code: int
) -> None:
    problem = {"said": "answers.csv, line 2: too far.", "remedy": "Nearer."}
    last = entry(state, problems=[problem] if state == "refused" else [])
    server = Scripted(entry("waiting", position=2), entry("checking"), entry("scoring"), last)
    rests: list[float] = []
    monkeypatch.setattr(_challenge_client, "_server", lambda _: server)
    monkeypatch.setattr(time, "sleep", rests.append)
    done = CliRunner().invoke(app, ["challenge", "status", "cup", "evaluation", "3", "--wait"])
    assert done.exit_code == code
    assert f"Entry 3 of evaluation: {state}." in done.output
    assert "Entry 3: waiting, place 2 in the queue" in done.output
    assert ("- answers.csv, line 2: too far. Nearer." in done.output) == (state == "refused")
    values = "mean_iou  65.43  (95 % interval 64.01 to 66.7)\nshare  9.00\n"
    assert (values in done.output) == (state == "scored")
    assert rests == [1.0, 1.5, 2.25]


def test_waiting_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_challenge_client, "_server", lambda _: Scripted(*[entry("waiting")] * 9))
    done = CliRunner().invoke(app, ["challenge", "status", "cup", "evaluation", "3", "--wait", "--patience", "0"])
    assert isinstance(done.exception, UnavailableError)
    assert "it is waiting after 0 minutes" in str(done.exception)


def test_addresses_tokens_and_files_that_are_none_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said: list[str] = []
    monkeypatch.setenv("FOVEATE_TOKEN", "fov_x")
    for address in ("example.org", "ftp://example.org", "https://"):
        with pytest.raises(UsageError, match="--server"):
            _challenge_http.server(address, said.append)
    assert _challenge_http.server("https://example.org/", said.append).url == "https://example.org"
    assert said == []
    _challenge_http.server("http://example.org", said.append)
    assert "can take your token" in said[0]
    folder = tmp_path / "masks"
    folder.mkdir()
    (tmp_path / "empty.csv").touch()
    for path, remedy in ((folder, "as a .zip"), (tmp_path / "none.csv", "its name"), (tmp_path / "empty.csv", "empty")):
        with pytest.raises(InputError, match=remedy):
            send(Server("https://example.org", "x"), CUP, path, WORDS, QUIET)


class Elsewhere(BaseHTTPRequestHandler):
    """Sends everybody to the same server, under another name and path."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(302)
        self.send_header("Location", f"http://localhost:{self.server.server_port}/taken")  # type: ignore[attr-defined]
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


def test_a_token_follows_no_redirect() -> None:
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as elsewhere:
        thread = Thread(target=elsewhere.serve_forever, daemon=True)
        thread.start()
        with pytest.raises(UsageError, match="it sends elsewhere"):
            Server(f"http://127.0.0.1:{elsewhere.server_port}", "fov_x").ask("GET", "/me")
        elsewhere.shutdown()
        thread.join()
    assert Elsewhere.asked == ["/api/v1/me"]


def test_a_token_that_is_none_is_told(live: LiveFoveate) -> None:
    with pytest.raises(RefusedError, match="Make a token on your page API tokens") as caught:
        Server(live.url, "fov_none").ask("GET", "/challenges/cup/entries")
    assert caught.value.status == 401


def test_who_nobody_answers_gives_up_after_a_while() -> None:
    rests: list[float] = []
    remarks: list[str] = []
    server = Server("http://127.0.0.1:9", "x", rest=rests.append, remark=remarks.append)
    with pytest.raises(UnavailableError, match="nothing answers"):
        server.ask("GET", "/me")
    assert len(rests) == len(remarks) == 7
    assert all(min(2**turn, 60) / 2 <= rest <= min(2**turn, 60) for turn, rest in enumerate(rests))


def test_limits_of_a_team_are_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[int] = []

    codes: list[str] = []

    def limited(self: Server, *_: Any) -> Any:
        tries.append(1)
        raise RefusedError("x", 429, {"code": codes[-1], "message": "No."})

    monkeypatch.setattr(Server, "ask_once", limited)
    for code, count in (("limit_today", 1), ("too_many", 8)):
        codes.append(code)
        tries.clear()
        with pytest.raises(RefusedError):
            Server("x", "x", rest=lambda _: None).ask("GET", "/")
        assert len(tries) == count


def test_a_file_that_shrinks_while_it_is_sent_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(b"123")
    with pytest.raises(InputError, match="became shorter"):
        _challenge_sending._part(file, 3, 10)
