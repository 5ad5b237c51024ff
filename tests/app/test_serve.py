from __future__ import annotations

import contextlib
import http.client
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.app.live import ADMIN, ADMIN_PASSWORD, LiveFoveate
from tests.helpers import REPOSITORY

# An application whose requests can be held in the middle, and whose answer is larger than any buffer of a socket.
_SLOW = """
import sys, time
from pathlib import Path
from foveate.app.serving import Place, Server
folder = Path(sys.argv[1])
def application(environ, start_response):
    (folder / "began").touch()
    while not (folder / "go").exists():
        time.sleep(0.01)
    start_response("200 OK", [("Content-Length", str(20_000_000))])
    return [bytes(20_000_000)]
server = Server(application, Place("127.0.0.1", 0, threads=2))
server.run(lambda: print(server.port, flush=True))
print("left", flush=True)
"""


def test_it_serves_and_stops_cleanly(live_foveate: LiveFoveate) -> None:
    status, body, headers = live_foveate.ask("/healthz")
    assert (status, body["status"]) == (200, "ok")
    assert "waitress" not in str(headers)
    assert live_foveate.stop() == 0


def test_the_state_survives_a_restart(live_foveate: LiveFoveate) -> None:
    session = {"Cookie": f"sessionid={live_foveate.people['annotator'].session}"}
    port = live_foveate.port
    before = live_foveate.ask("/api/v1/nothing", headers=session)[0]
    live_foveate.kill()
    live_foveate.start()
    assert live_foveate.port == port
    assert live_foveate.ask("/api/v1/nothing", headers=session)[0] == before == 404
    # What is made of the environment at the first start is not made again.
    assert live_foveate.stop() == 0


def test_a_port_that_is_taken_is_told(shared_foveate: LiveFoveate) -> None:
    said = shared_foveate.foveate("serve", "--port", str(shared_foveate.port), expect=4)
    assert said == (
        f"127.0.0.1:{shared_foveate.port}: something listens there already. "
        "Stop that, or choose another --port; --port 0 takes a free one.\n"
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--host", "not an address"), 2, "that is no address to listen at"),
        (("--host", "192.0.2.1"), 4, "it cannot be taken"),
        (("--logs", "xml"), 2, "xml is not a way of writing logs"),
    ],
)
def test_what_cannot_be_is_told(tmp_path: Path, words: tuple[str, ...], code: int, said: str) -> None:
    assert said in LiveFoveate(tmp_path / "state").foveate("serve", "--port", "0", *words, expect=code)


def test_a_missing_package_is_one_sentence(tmp_path: Path) -> None:
    code = "import sys; sys.modules['waitress'] = None; from foveate.app.start import check_extra; check_extra()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'foveate[app]'" in done.stderr


def test_help_needs_nothing_of_the_server() -> None:
    code = "import sys, foveate.cli._app; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    assert not {"django", "ninja", "waitress", "platformdirs", "pydantic", "numpy"} & set(done.stdout.split())


def test_requests_that_have_begun_are_finished(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", _SLOW, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=REPOSITORY
    )
    assert process.stdout is not None
    port = int(process.stdout.readline())
    answers: list[bytes] = []
    asking = threading.Thread(target=lambda: answers.append(read_all(port)))
    asking.start()
    wait_for(lambda: (tmp_path / "began").exists())
    process.send_signal(signal.SIGTERM)
    wait_for(lambda: not takes_connections(port))
    assert process.poll() is None
    (tmp_path / "go").touch()
    asking.join(timeout=60)
    assert [len(one) for one in answers] == [20_000_000]
    assert process.stdout.read() == "left\n"
    assert process.wait(timeout=60) == 0
    process.stdout.close()


def test_a_visitor_who_keeps_asking_does_not_keep_it_from_stopping(live_foveate: LiveFoveate) -> None:
    statuses: list[int] = []
    asking = threading.Thread(target=keep_asking, args=(live_foveate.port, statuses))
    asking.start()
    wait_for(lambda: len(statuses) > 5)
    assert live_foveate.stop() == 0
    asking.join(timeout=60)
    assert set(statuses) == {200}


def keep_asking(port: int, statuses: list[int]) -> None:
    """Asks again and again through one connection, until that is closed."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.suppress(OSError, http.client.HTTPException):
        connection.connect()
        connection.auto_open = 0
        while True:
            connection.request("GET", "/healthz")
            response = connection.getresponse()
            response.read()
            statuses.append(response.status)
    connection.close()


def read_all(port: int) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/")
    body = connection.getresponse().read()
    connection.close()
    return body


def takes_connections(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def wait_for(condition: Any) -> None:
    for _ in range(6000):
        if condition():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never came about")


def test_what_the_http_server_refuses_itself_has_the_one_shape(shared_foveate: LiveFoveate) -> None:
    answer = raw(
        shared_foveate.port, b"POST /api/v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n"
    )
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 ")
    assert b"application/json" in head
    assert body.startswith(b'{"error": {"code": "request_entity_too_large"')


def raw(port: int, sent: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as one:
        one.sendall(sent)
        parts = []
        while part := one.recv(65536):
            parts.append(part)
        return b"".join(parts)


def test_a_body_beyond_the_limit_gets_our_page(shared_foveate: LiveFoveate) -> None:
    status, body, headers = shared_foveate.ask("/api/v1/nothing", "x" * 3_000_000)
    assert (status, body["error"]["code"]) == (413, "too_large")
    assert body["error"]["request_id"] == headers["X-Request-ID"]


def test_a_proxy_is_believed_only_where_it_was_named(tmp_path: Path) -> None:
    forwarded = {"X-Forwarded-For": "192.0.2.55", "X-Forwarded-Proto": "https"}
    for options, believed in [((), False), (("--https",), True)]:
        live = LiveFoveate(tmp_path / f"state{believed}", options=options)
        live.start()
        _status, _body, headers = live.ask("/accounts/login/", headers=forwarded)
        assert live.stop() == 0
        assert ("Strict-Transport-Security" in headers) is believed
        assert ('"192.0.2.55"' in live.log()) is believed


def test_the_admin_of_the_environment(shared_foveate: LiveFoveate) -> None:
    status, _body, headers = sign_in(shared_foveate, ADMIN, ADMIN_PASSWORD)
    assert (status, headers.get("Location")) == (302, "/")
    assert sign_in(shared_foveate, ADMIN, "another-password")[0] == 200


def sign_in(live: LiveFoveate, name: str, password: str) -> tuple[int, bytes, dict[str, str]]:
    from urllib.parse import urlencode

    connection = http.client.HTTPConnection("127.0.0.1", live.port, timeout=60)
    connection.request("GET", "/accounts/login/")
    response = connection.getresponse()
    response.read()
    token = next(c.partition(";")[0].partition("=")[2] for c in response.headers.get_all("Set-Cookie", []))
    body = urlencode({"username": name, "password": password, "csrfmiddlewaretoken": token})
    kind = "application/x-www-form-urlencoded"
    connection.request("POST", "/accounts/login/", body, {"Cookie": f"csrftoken={token}", "Content-Type": kind})
    response = connection.getresponse()
    found = response.status, response.read(), dict(response.headers)
    connection.close()
    return found
