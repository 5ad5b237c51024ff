"""A real `foveate serve` in a process of its own, for tests that need a browser, a crash or a load."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

from tests.helpers import REPOSITORY

ADMIN, ADMIN_PASSWORD = "admin", "Correct-horse-7-battery"
_ADDRESS = re.compile(r"Foveate serves at (http://\S+)/$", re.MULTILINE)


@dataclass
class Person:
    """Somebody with an account; `session` is the value of a cookie `sessionid` with which they are signed in."""

    name: str
    password: str
    session: str


@dataclass
class LiveFoveate:
    """A server and its state. It survives `stop` and `kill`; `start` serves the same state at the same port.

    It has no workers unless a test asks for some: nothing else than challenges needs them.
    """

    data: Path
    database: str | None = None
    options: tuple[str, ...] = ()
    port: int = 0
    workers: int = 0
    people: dict[str, Person] = field(default_factory=dict)
    _process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it is, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """The variables under which commands work on the same state."""
        chosen = {"FOVEATE_DATA": str(self.data), "FOVEATE_DATABASE_URL": self.database or ""}
        admin = {"FOVEATE_ADMIN_NAME": ADMIN, "FOVEATE_ADMIN_PASSWORD": ADMIN_PASSWORD}
        # The tests' own settings are not those of a server.
        outside = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
        return {**outside, **chosen, **admin}

    def start(self) -> None:
        """Starts it, and waits until it answers; makes a person of each role, the first time."""
        given = ("--port", str(self.port), "--workers", str(self.workers), *self.options)
        command = [sys.executable, "-m", "foveate", "serve", *given]
        log = self.data.with_suffix(".log").open("ab")
        process = self._process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL
        )
        log.close()
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line.decode()
            if found := _ADDRESS.search(said):
                self.port = int(found[1].rpartition(":")[2])
                break
        else:
            raise AssertionError(f"it left with {process.wait()}: {said}{self.log()}")
        if not self.people:
            self.people = {
                role: Person(**values) for role, values in json.loads(self.run("tests.app.make_people")).items()
            }

    def run(self, module: str) -> str:
        """Runs a module on the state, in a process of its own; returns what it prints."""
        words = [sys.executable, "-m", module, str(self.data), *([self.database] if self.database else [])]
        return subprocess.run(
            words, env=self.environment, cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def foveate(self, *words: str, expect: int = 0) -> str:
        """Runs a command on the state and returns what it prints, errors included."""
        done = subprocess.run(
            [sys.executable, "-m", "foveate", *words],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == expect, done.stdout
        return done.stdout

    def ask(
        self, path: str, body: Any = None, *, method: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any, Message]:
        """Sends a request (a body as JSON) and returns status, body (of JSON, its value) and headers."""
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}{path}", data=sent, method=method, headers=headers or {})
        if sent is not None:
            request.add_header("Content-Type", "application/json")
        try:
            response: HTTPResponse = urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _value(error.read(), error.headers.get_content_type()), error.headers
        with response:
            return response.status, _value(response.read(), response.headers.get_content_type()), response.headers

    def log(self) -> str:
        """Returns what it has written to the error output so far."""
        path = self.data.with_suffix(".log")
        return path.read_text() if path.exists() else ""

    def send(self, number: signal.Signals) -> None:
        """Sends it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """Ends it as a crash would: at once."""
        self.send(signal.SIGKILL)
        self.wait()

    def stop(self) -> int:
        """Ends it as an operator would; returns its exit code."""
        self.send(signal.SIGTERM)
        return self.wait()

    def wait(self) -> int:
        """Waits until it has ended; returns its exit code."""
        assert self._process is not None
        assert self._process.stdout is not None
        code = self._process.wait(timeout=60)
        self._process.stdout.close()
        return code

    @property
    def number(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None


def _value(body: bytes, kind: str) -> Any:
    return json.loads(body) if kind == "application/json" else body
