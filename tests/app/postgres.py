"""A PostgreSQL of the tests' own: in a folder that goes with it, on a free port, as a user who is not root.

`python -m tests.app.postgres COMMAND…` runs a command with `FOVEATE_TEST_DATABASE_URL` set to it.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

VARIABLE = "FOVEATE_TEST_DATABASE_URL"
ABSENT = "PostgreSQL is not installed here (no initdb); FOVEATE_POSTGRES_BIN may say where it is"


def binaries() -> Path | None:
    """Returns the folder of PostgreSQL's programs; None where it is not installed."""
    chosen = os.environ.get("FOVEATE_POSTGRES_BIN")
    on_path = shutil.which("initdb")
    found = [Path(chosen)] if chosen else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    found += [Path(on_path).parent] if on_path else []
    return next((folder for folder in reversed(found) if (folder / "initdb").exists()), None)


@dataclass
class Cluster:
    """A PostgreSQL that can be stopped and started again at the same port.

    Attributes:
        folder: What is only its own.
        words: The command that runs it.
        other: The user who runs it.
        url: Of its database `postgres`.
    """

    folder: Path
    words: list[str]
    other: dict[str, Any]
    url: str
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self.words, cwd=self.folder, stdout=log, stderr=log, **self.other)
        _wait(self.url, self._process, self.folder / "log")

    def stop(self) -> None:
        """Stops it the quick way: the polite one waits until the last connection is closed."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(timeout=60)


@contextmanager
def cluster(fsync: bool = False) -> Iterator[str]:
    """Starts PostgreSQL and lends its URL; nothing of it is left. `fsync` as of `running`."""
    with running(fsync) as made:
        yield made.url


@contextmanager
def running(fsync: bool = False) -> Iterator[Cluster]:
    """Starts PostgreSQL and lends it; nothing of it is left.

    Args:
        fsync: Wait for the disk at each commit. The machine does not crash in a test; a benchmark is to pay for it.
    """
    programs = binaries()
    assert programs is not None, ABSENT
    folder = Path(tempfile.mkdtemp(prefix="foveate-postgres-"))
    # PostgreSQL refuses to run as root.
    other: dict[str, Any] = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
    if other:
        shutil.chown(folder, other["user"], other["group"])
    try:
        make = [programs / "initdb", "-D", folder / "data", "-U", "foveate", "--auth=trust", "-N", "-E", "UTF8"]
        subprocess.run([*map(str, make), "--locale=C"], check=True, cwd=folder, stdout=subprocess.DEVNULL, **other)
        port = _free_port()
        safe = "on" if fsync else "off"
        settings = {"port": port, "unix_socket_directories": "", "listen_addresses": "127.0.0.1", "fsync": safe}
        words = [str(programs / "postgres"), "-D", str(folder / "data")]
        for name, value in settings.items():
            words += ["-c", f"{name}={value}"]
        made = Cluster(folder, words, other, f"postgres://foveate:a-password@127.0.0.1:{port}/postgres")
        try:
            made.start()
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fresh(url: str) -> str:
    """Makes an empty database in a cluster; returns its URL."""
    name = f"foveate_{uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return f"{url.rpartition('/')[0]}/{name}"


def copy(url: str, to: str) -> None:
    """Puts a copy of a database to which nobody is connected in the place of another of its cluster."""
    server, _, name = to.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}"'.encode())
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{url.rpartition("/")[2]}"'.encode())


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(url, connect_timeout=5).close()
            return
        except psycopg.OperationalError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"PostgreSQL does not start: {log.read_text()}") from error
            time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def main(command: list[str]) -> int:
    """Runs a command beside a PostgreSQL; returns its exit code, 0 where there is none."""
    if binaries() is None:
        sys.stdout.write(f"Skipped: {ABSENT}.\n")
        return 0
    with cluster() as url:
        return subprocess.run(command, env={**os.environ, VARIABLE: url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
