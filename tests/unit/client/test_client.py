"""The client against a server that is busy, lost, elsewhere, or no Foveate; against a real one: tests/app/ask."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest

from foveate.client import Client, ServerError, Waiting
from foveate.errors import InputError, OutputError, UnavailableError, UsageError

WORDS = {"style": "clock", "language": "en"}
REPLY = {"said": "A jar.", "answer": "jar", "refusal": None, "words": WORDS}
DONE = {"ticket": "t", "key": "k", "state": "done", "reply": REPLY, "kept": None}
TURN = {
    "ticket": "t",
    "key": "k",
    "state": "waiting",
    "turn": 3,
    "about_seconds": 1.5,
    "next": "/api/v1/ask/t?style=clock",
}


class Scripted(BaseHTTPRequestHandler):
    """Answers what the script says, and keeps what it was asked."""

    script: ClassVar[list[tuple[int, dict[str, str], bytes]]] = []
    asked: ClassVar[list[tuple[str, str, dict[str, str], bytes]]] = []

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.asked.append((self.command, self.path, dict(self.headers), body))
        status, headers, content = self.script.pop(0)
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = answer  # noqa: N815 (http.server's names)

    def log_message(self, *_: Any) -> None:
        return None


@pytest.fixture
def url() -> Iterator[str]:
    Scripted.script.clear()
    Scripted.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def says(status: int, value: Any, **headers: str) -> None:
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    Scripted.script.append((status, {name.replace("_", "-"): text for name, text in headers.items()}, content))


def refuses(status: int, code: str, **headers: str) -> None:
    says(status, {"error": {"code": code, "message": "No.", "remedy": "Do.", "details": {"most": 1}}}, **headers)


def test_a_question_waits_for_its_turn_and_tells_it(url: str) -> None:
    says(202, TURN)
    says(200, DONE)
    turns: list[Waiting] = []
    answer = Client(url, "fov_x", waiting=turns.append).ask(b"photo", "What is this?", style="clock", grounder="pocket")
    assert (answer.said, answer.answer, answer.refusal, answer.kept) == ("A jar.", "jar", None, None)
    assert turns == [Waiting(3, 1.5)]
    (method, path, headers, body), (_get, again, _headers, _body) = Scripted.asked
    assert (method, path, headers["Authorization"]) == ("POST", "/api/v1/ask", "Bearer fov_x")
    assert again == "/api/v1/ask/t?style=clock&wait=10"
    # Python's own reader of forms is the witness.
    form = message_from_bytes(f"Content-Type: {headers['Content-Type']}\r\n\r\n".encode() + body)
    parts = {
        part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
        for part in form.get_payload()
    }  # type: ignore[union-attr]
    assert parts == {
        "question": b"What is this?",
        "style": b"clock",
        "wait": b"10",
        "grounder": b"pocket",
        "photo": b"photo",
    }


def test_a_files_name_ends_no_header(url: str) -> None:
    says(201, {"key": "k", "width": 4, "height": 3, "notes": [], "advice": ["Hold still."]})
    photo = Client(url).photo(io.BytesIO(b"\r\n--photo"), 'a"\r\nX-Evil: 1\\.jpg')
    assert (photo.size_hw, photo.advice) == ((3, 4), ("Hold still.",))
    (_method, _path, headers, body) = Scripted.asked[0]
    assert b'filename="aX-Evil: 1.jpg"\r\n\r\n\r\n--photo\r\n' in body
    assert "Authorization" not in headers


def test_a_busy_server_is_asked_again_and_not_for_ever(url: str) -> None:
    refuses(503, "busy", Retry_After="0")
    refuses(429, "too_many", Retry_After="0")
    says(200, DONE)
    assert Client(url).ask(b"photo", "What?").said == "A jar."
    refuses(503, "busy", Retry_After="5")
    with pytest.raises(ServerError) as refused:
        Client(url, patience=0.1).ask(b"photo", "What?")
    assert (refused.value.status, refused.value.code, refused.value.told["most"]) == (503, "busy", 1)
    assert (refused.value.problem, refused.value.remedy) == ("No", "Do.")
    says(202, TURN)
    with pytest.raises(UnavailableError, match="there is no answer after 0 seconds"):
        Client(url, patience=0).ask(b"photo", "What?")


def test_what_is_refused_is_told_once(url: str) -> None:
    refuses(422, "no_method")
    with pytest.raises(ServerError, match="No"):
        Client(url).ask(b"photo", "What?", grounder="none")
    assert len(Scripted.asked) == 1


@pytest.mark.parametrize(
    ("status", "content", "kind", "said"),
    [
        (302, b"", UsageError, "it sends elsewhere"),
        (500, b"<html>", ServerError, "not as Foveate does"),
        (404, b"[]", ServerError, "not as Foveate does"),
    ],
)
def test_another_server_is_told_as_that(url: str, status: int, content: bytes, kind: Any, said: str) -> None:
    says(status, content, Location="http://127.0.0.1:9/")
    with pytest.raises(kind, match=said):
        Client(url, "fov_x").methods()
    assert len(Scripted.asked) == 1, "a token goes nowhere else"


def test_no_server_no_file_and_no_address_are_told(url: str, tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="nothing answers"):
        Client("http://127.0.0.1:9").methods()
    with pytest.raises(InputError, match="it cannot be read"):
        Client(url).ask(tmp_path / "none.jpg", "What?")
    with pytest.raises(UsageError, match="is no address of one"):
        Client("127.0.0.1:8321")
    says(200, DONE)
    says(200, b"PNG", Content_Type="image/png", Foveate_Alt="A%20j%C3%A4r", Foveate_Notes="One.%0ATwo.")
    picture = Client(url).ask(b"photo", "What?").picture("larger", contrast=True)
    assert (picture.alt, picture.notes, picture.media_type) == ("A jär", ("One.", "Two."), "image/png")
    assert "kind=larger&format=png&contrast=true&crop=false&style=clock&language=en&wait=10" in Scripted.asked[-1][1]
    assert picture.save(tmp_path / "a.png").read_bytes() == b"PNG"
    with pytest.raises(OutputError, match="it cannot be written"):
        picture.save(tmp_path)
