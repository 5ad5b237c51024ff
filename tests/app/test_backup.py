from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from foveate.app.accounts.models import AuditEvent, User
from foveate.app.backup.read import batches
from foveate.app.backup.restore import finish, restore
from foveate.app.backup.rows import columns, line, rows
from foveate.app.backup.write import back_up
from foveate.errors import InputError, OutputError, UnavailableError
from tests.app.conftest import begin
from tests.app.live import LiveFoveate
from tests.helpers import REPOSITORY

ENGINES = ["sqlite", "postgresql"]


class States:
    """Makes states of a server, each with a folder and a database of its own."""

    def __init__(self, request: pytest.FixtureRequest, folder: Path) -> None:
        self._request, self._folder, self._count = request, folder, 0

    def make(self, engine: str) -> LiveFoveate:
        """Returns an empty state that no server serves yet."""
        from tests.app import postgres

        self._count += 1
        cluster = self._request.getfixturevalue("postgres_cluster") if engine == "postgresql" else None
        return LiveFoveate(self._folder / f"state{self._count}", postgres.fresh(cluster) if cluster else None)


@pytest.fixture
def states(request: pytest.FixtureRequest, tmp_path: Path) -> States:
    return States(request, tmp_path)


def script(live: LiveFoveate, what: str, *words: str, check: bool = True) -> Any:
    """Runs one of `tests.app.backup_scripts` on a state; returns what it prints."""
    state = [str(live.data), *([live.database] if live.database else [])]
    done = subprocess.run(
        [sys.executable, "-m", "tests.app.backup_scripts", what, *words, *state],
        env=live.environment,
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
        check=check,
    )
    return json.loads(done.stdout) if done.stdout else done.returncode


def filled(live: LiveFoveate) -> LiveFoveate:
    begin(live)
    script(live, "fill")
    (live.data / "media" / "deep").mkdir(parents=True)
    (live.data / "media" / "deep" / "ä photo.bin").write_bytes(bytes(range(256)))
    return live


def without_event(rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Leaves out what a restore itself notes."""
    events = [row for row in rows["accounts.auditevent"] if "'server.restored'" not in row]
    return {**rows, "accounts.auditevent": events}


@pytest.mark.parametrize("there", ENGINES)
@pytest.mark.parametrize("here", ENGINES)
def test_every_row_comes_back_in_either_engine(states: States, tmp_path: Path, here: str, there: str) -> None:
    live = filled(states.make(here))
    said = live.foveate("backup", str(tmp_path / "b.zip"))
    assert "250 tasks, 250 submissions" in said
    before = script(live, "dump")
    live.stop()
    # What nobody makes yet; of every other table there is a row to compare.
    assert {name for name, rows in before.items() if not rows} <= {"admin.logentry", "auth.group_permissions"}
    other = states.make(there)
    assert "restored" in other.foveate("restore", str(tmp_path / "b.zip"))
    after = script(other, "dump")
    assert without_event(after) == before
    # The restore's own event has a number that no other has: the counters go on behind the rows.
    assert len({row[0] for row in after["accounts.auditevent"]}) == len(before["accounts.auditevent"]) + 1
    assert (other.data / "media" / "deep" / "ä photo.bin").read_bytes() == bytes(range(256))
    assert (tmp_path / "b.zip").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_a_backup_is_of_one_moment(states: States, tmp_path: Path, engine: str) -> None:
    """A pair is written after each table that is read: both of it are in the backup, or neither."""
    live = states.make(engine)
    begin(live)
    script(live, "amid", str(tmp_path / "b.zip"))
    pairs = [row for row in script(live, "dump")["annotate.project"] if "'pair-" in str(row)]
    live.stop()
    assert len(pairs) > 10
    lines = zipfile.ZipFile(tmp_path / "b.zip").read("rows.jsonl").decode()
    assert "pair-" not in lines


@pytest.mark.parametrize("engine", ENGINES)
def test_a_restore_while_the_server_runs(states: States, tmp_path: Path, engine: str) -> None:
    live = filled(states.make(engine))
    live.foveate("backup", str(tmp_path / "b.zip"))
    (live.data / "media" / "new.bin").write_bytes(b"new")
    before = script(live, "dump")
    said = live.foveate("restore", str(tmp_path / "b.zip"), expect=2)
    assert "there are people in it already. Replace it by --replace." in said
    # Killed in the middle, it leaves what was there.
    assert script(live, "die", str(tmp_path / "b.zip"), check=False) == -9
    assert script(live, "dump") == before
    session = {"Cookie": f"sessionid={live.people['admin'].session}"}
    assert b'name="password"' not in live.ask("/admin/", headers=session)[1]
    assert (live.data / "media" / "new.bin").read_bytes() == b"new"
    secret = (live.data / "secret.key").read_text()
    live.foveate("restore", "--replace", str(tmp_path / "b.zip"))
    assert (live.data / "secret.key").read_text() == secret
    assert without_event(script(live, "dump")) == before
    assert sorted(path.name for path in live.data.rglob("media*")) == ["media"]
    assert not (live.data / "media" / "new.bin").exists()
    # Who was signed in signs in again.
    status, body, _headers = live.ask("/admin/", headers=session)
    assert (status, b'name="password"' in body) == (200, True)
    assert live.ask("/healthz")[0] == 200
    live.stop()


@pytest.mark.parametrize("engine", ENGINES)
def test_after_a_restore_no_number_comes_again(states: States, tmp_path: Path, engine: str) -> None:
    """A page that was left open would save into another task of the same person."""
    live = filled(states.make(engine))
    live.foveate("backup", str(tmp_path / "b.zip"))
    later = script(live, "numbers")
    live.stop()
    live.foveate("restore", "--replace", str(tmp_path / "b.zip"))
    now = script(live, "numbers")
    assert all(now[name] > later[name] for name in later)
    # Nor on a machine that has not seen how far they had come.
    other = states.make(engine)
    other.foveate("restore", str(tmp_path / "b.zip"))
    assert all(number > later[name] for name, number in script(other, "numbers").items())


def damaged(source: Path, target: Path, how: str) -> Path:
    """Writes a backup that is not as it was."""
    if how == "cut":
        target.write_bytes(source.read_bytes()[: source.stat().st_size // 2])
    elif how == "bit":
        data = bytearray(source.read_bytes())
        data[len(data) // 4] ^= 1
        target.write_bytes(data)
    elif how == "text":
        target.write_text("no archive")
    else:
        with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
            for name in old.namelist():
                changed(old, new, name, how)
    return target


def changed(old: zipfile.ZipFile, new: zipfile.ZipFile, name: str, how: str) -> None:
    data = old.read(name)
    if how == "row" and name == "rows.jsonl":
        data = data.replace(b"fritz", b"franz")
    if name == "manifest.json":
        manifest = json.loads(data)
        if how == "newer":
            manifest["migrations"].append("accounts.9999_later")
        if how == "older":
            manifest["migrations"].remove("accounts.0001_initial")
        if how == "form":
            manifest["foveate_backup"] = 2
        data = json.dumps(manifest).encode()
    if not (how == "missing" and name.startswith("media/")):
        new.writestr(name, data)
    if how == "escape" and name == "manifest.json":
        new.writestr("media/../../evil", b"")


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ("cut", "it is no whole backup of Foveate"),
        ("bit", "bad.zip: "),
        ("text", "it is no whole backup of Foveate"),
        ("row", "rows.jsonl has the hash"),
        ("missing", "its files are not those that it lists"),
        ("escape", "its files are not those that it lists"),
        ("newer", "more migrations (accounts.9999_later)"),
        ("older", "fewer migrations (accounts.0001_initial)"),
        ("form", "it has form 2, not 1"),
    ],
)
def test_a_damaged_backup_is_refused(backup_file: Path, tmp_path: Path, admin: User, how: str, problem: str) -> None:
    with pytest.raises(InputError, match=re.escape(problem)):
        restore(damaged(backup_file, tmp_path / "bad.zip", how), replace=True)
    assert User.objects.get() == admin
    assert not list(settings.CONFIG.folder.glob("media.*"))


def forged(source: Path, target: Path, how: str) -> Path:
    """Writes a backup whose hashes fit, with something else in it."""
    with zipfile.ZipFile(source) as old:
        data = {name: old.read(name) for name in old.namelist()}
    manifest, lines = json.loads(data.pop("manifest.json")), data["rows.jsonl"]
    table = lines.index(b'{"table":"accounts.user"')
    row = lines.index(b"\n", table) + 1
    first = lines[row : lines.index(b"\n", row)]
    odd = {
        "no JSON": b"[1,",
        "deep": b"[" * 200_000,
        "no text": b"\xff",
        "a number": b"7",
        "short": b"[1]",
        "types": b"[" + b",".join([b'"x"'] * len(json.loads(first))) + b"]",
        "no table": b"{}",
    }
    if how in odd:
        data["rows.jsonl"] = lines[:row] + odd[how] + lines[row + len(first) :]
    if how in ("../evil", "/evil", "deep/../../../evil", "a\\..\\evil"):
        data[f"media/{how}"] = b"evil"
    manifest["sha256"] = {name: hashlib.sha256(content).hexdigest() for name, content in data.items()}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in data.items():
            new.writestr(name, content)
        end = b" " * (300 << 20) if how == "bomb" else b""
        new.writestr("manifest.json", json.dumps(manifest).encode() + end)
    return target


@pytest.mark.parametrize(
    "how",
    [
        *("no JSON", "deep", "no text", "a number", "short", "types", "no table", "bomb"),
        *("../evil", "/evil", "deep/../../../evil", "a\\..\\evil"),
    ],
)
def test_a_forged_backup_is_refused_in_words(backup_file: Path, tmp_path: Path, admin: User, how: str) -> None:
    with pytest.raises(InputError):
        restore(forged(backup_file, tmp_path / "bad.zip", how), replace=True)
    assert User.objects.get() == admin
    assert not list(settings.CONFIG.folder.glob("media.*"))
    assert not list(settings.CONFIG.folder.rglob("evil"))
    assert not (settings.CONFIG.folder.parent / "evil").exists()
    assert not Path("/evil").exists()


def test_a_server_that_starts_waits_for_a_restore(db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It took the files away that a restore had ready, and nothing was left of them."""
    monkeypatch.setattr(settings, "CONFIG", replace(settings.CONFIG, folder=tmp_path))
    staged = tmp_path / "media.restored-1234"
    staged.mkdir()
    begun = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(tmp_path / ".restoring")], stdout=subprocess.PIPE, stdin=subprocess.PIPE
    )
    assert begun.stdout is not None
    assert begun.stdout.readline() == b"held\n"
    monkeypatch.setattr("foveate.app.backup.restore._PATIENCE", 0.2)
    with pytest.raises(UnavailableError, match="is being restored"):
        finish()
    assert staged.exists()
    begun.communicate(b"\n")
    finish()
    assert not staged.exists()


_HOLD = "import filelock, sys; held = filelock.FileLock(sys.argv[1]).acquire(); print('held', flush=True); input()"


@pytest.fixture(scope="module")
def backup_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("backup")
    live = filled(LiveFoveate(folder / "state"))
    live.foveate("backup", str(folder / "good.zip"))
    live.stop()
    return folder / "good.zip"


def test_what_is_there_is_not_written_over(backup_file: Path, tmp_path: Path, db: None) -> None:
    before = backup_file.read_bytes()
    with pytest.raises(OutputError, match="there is a file already"):
        back_up(backup_file)
    assert backup_file.read_bytes() == before
    with pytest.raises(OutputError, match="cannot be written"):
        back_up(tmp_path / "no" / "folder" / "b.zip")
    with pytest.raises(InputError, match="cannot be read"):
        restore(tmp_path / "absent.zip")


def test_it_needs_no_more_memory_for_more_rows(db: None, tmp_path: Path) -> None:
    AuditEvent.objects.bulk_create((AuditEvent(action="a", details={"n": "x" * 1000}) for _ in range(20_000)), 500)
    path = tmp_path / "rows.zip"
    head = {"table": "accounts.auditevent", "columns": [field.attname for field in columns(AuditEvent)]}
    tracemalloc.start()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("rows.jsonl", "w") as member:
        member.write(line(head))
        for row in rows(AuditEvent):
            member.write(line(row))
    with zipfile.ZipFile(path) as archive:
        found = sum(len(batch) for _name, batch in batches(archive, 200))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == 20_000
    # All of them at once would be more than 20 MB.
    assert peak < 8_000_000
