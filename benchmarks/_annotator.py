"""One simulated annotator: signs in, draws, saves each second, sends; and remembers what was acknowledged."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from benchmarks._annotators_state import PASSWORD, SIZE_HW, SLUG

_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass
class Acknowledged:
    """What the server has said that it has.

    Attributes:
        saves: The work of each version, by assignment and version.
        sent: The assignment and work of each key.
        seconds: How long each save took.
        refused: Answers that should not have been, as status and code.
        lost: Requests without an answer: the server was not there.
    """

    saves: dict[tuple[int, int], Any] = field(default_factory=dict)
    sent: dict[str, tuple[int, Any]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    lost: int = 0


class Browser:
    """A connection that is kept, with cookies, as a browser has it."""

    def __init__(self, url: str) -> None:
        self._host = urlsplit(url).netloc
        self._connection = http.client.HTTPConnection(self._host, timeout=60)
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, body: Any = None, *, form: bool = False) -> tuple[int, bytes]:
        """Sends a request and returns status and body.

        Raises:
            OSError: The server is not there, or went away.
            http.client.HTTPException: Likewise.
        """
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        headers["X-CSRFToken"] = self.cookies.get("csrftoken", "")
        data = None
        if body is not None:
            data = (urlencode(body) if form else json.dumps(body)).encode()
            headers["Content-Type"] = "application/x-www-form-urlencoded" if form else "application/json"
        try:
            self._connection.request(method, path, data, headers)
            response = self._connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        for cookie in response.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return response.status, content

    def close(self) -> None:
        """Closes the connection; the next request opens another one."""
        self._connection.close()

    def sign_in(self, name: str) -> None:
        """Signs in by the page that people see."""
        _, page = self.ask("GET", "/accounts/login/")
        found = _TOKEN.search(page.decode())
        assert found is not None, "the page to sign in has no token"
        form = {"csrfmiddlewaretoken": found[1], "username": name, "password": PASSWORD}
        status, _ = self.ask("POST", "/accounts/login/", form, form=True)
        assert status == 302, f"{name} cannot sign in: {status}"


class Annotator:
    """A person at work.

    Args:
        url: The server's.
        name: Of the account.
        pause: Seconds between two saves, drawn anew each time; 0 for as fast as the server answers.
        seed: Of what is drawn.
    """

    def __init__(self, url: str, name: str, pause: float, seed: int) -> None:
        self.browser = Browser(url)
        self.name, self._pause = name, pause
        self._draw = random.Random(seed)
        self.acknowledged = Acknowledged()

    def work_until(self, over: Callable[[], bool]) -> None:
        """Does one task after the other until it is over, or nothing is left."""
        while not over():
            status, answer = self._said("POST", f"/api/v1/projects/{SLUG}/assignments")
            if status == 204:
                return
            if status in (200, 201):
                self._look(answer["task"]["photo"]["url"])
                self._do(answer, over)

    def _look(self, photo: str) -> None:
        try:
            status, _ = self.browser.ask("GET", photo)
        except (OSError, http.client.HTTPException):
            self.acknowledged.lost += 1
            return
        if status != 200:
            self.acknowledged.refused.append(f"{status} photo")

    def _do(self, assignment: dict[str, Any], over: Callable[[], bool]) -> None:
        number, version = assignment["id"], (assignment["draft"] or {"version": 0})["version"]
        work = self._begun()
        for _ in range(self._draw.randint(4, 20)):
            if over():
                return  # A person who leaves in the middle.
            work["polygon"].append(self._point())
            version = self._save(number, version, work)
            time.sleep(self._pause * self._draw.uniform(0.5, 1.5))
        self._send(number, work)

    def _save(self, number: int, base: int, work: dict[str, Any]) -> int:
        body = {"base": base, "tab": self.name, "work": work}
        begin = time.perf_counter()
        status, answer = self._said("PUT", f"/api/v1/assignments/{number}/draft", body)
        if status == 200:
            self.acknowledged.seconds.append(time.perf_counter() - begin)
            self.acknowledged.saves[number, answer["version"]] = json.loads(json.dumps(work))
            return int(answer["version"])
        # A save whose answer was lost is there already: go on from it.
        return int(answer["error"]["details"].get("version", base)) if status == 409 else base

    def _send(self, number: int, work: dict[str, Any]) -> None:
        finished: dict[str, Any] = {**work, "polygon": _ring(self._draw), "closed": True}
        finished |= {"several_questions": False, "several_regions": False, "outcome": "polygon"}
        key = str(uuid.UUID(int=self._draw.getrandbits(128), version=4))
        body = {"key": key, "work": finished}
        # Each tenth is sent twice, as by a browser that has not heard the first answer.
        for _ in range(2 if self._draw.random() < 0.1 else 1):
            status, _answer = self._said("POST", f"/api/v1/assignments/{number}/submission", body)
            if status in (200, 201):
                self.acknowledged.sent[key] = (number, finished)

    def _said(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        try:
            status, content = self.browser.ask(method, path, body)
        except (OSError, http.client.HTTPException):
            self.acknowledged.lost += 1
            time.sleep(0.05)
            return 0, {}
        answer = json.loads(content) if content else {}
        if status >= 400:
            self.acknowledged.refused.append(f"{status} {answer['error']['code']}")
        return status, answer

    def _begun(self) -> dict[str, Any]:
        return {
            "stage": "grounding",
            "seconds": 1.5,
            "comment": "",
            "several_questions": False,
            "several_regions": None,
            "outcome": None,
            "polygon": [],
            "closed": False,
            "reason": None,
            "reason_text": "",
        }

    def _point(self) -> list[float]:
        return [self._draw.uniform(0, SIZE_HW[1]), self._draw.uniform(0, SIZE_HW[0])]


def _ring(draw: random.Random) -> list[list[float]]:
    x, y = draw.uniform(10, 500), draw.uniform(10, 500)
    width, height = draw.uniform(5, 300), draw.uniform(5, 300)
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
