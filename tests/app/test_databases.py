from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.config import Config, Space, entry_space
from foveate.errors import InputError
from tests.app.live import LiveFoveate

_PRAGMAS = """
from foveate.app.start import start
start()
from django.db import connection, transaction
found = {}
with connection.cursor() as cursor:
    for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout"):
        found[name] = cursor.execute(f"PRAGMA {name}").fetchone()[0]
said = []
connection.ensure_connection()
connection.connection.set_trace_callback(said.append)
with transaction.atomic():
    pass
import json
print(json.dumps([found, said[0]]))
"""


def test_sqlite_is_as_the_memo_says(tmp_path: Path) -> None:
    live = LiveFoveate(tmp_path / "state")
    done = subprocess.run(
        [sys.executable, "-c", _PRAGMAS], env=live.environment, check=True, stdout=subprocess.PIPE, text=True
    )
    found, began = json.loads(done.stdout)
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30_000}
    assert began == "BEGIN IMMEDIATE"


def test_the_audit_log_is_only_ever_added_to(admin: User) -> None:
    note(None, "account.tested", "one", actor=admin)
    statements = ["UPDATE accounts_auditevent SET action = 'nothing'", "DELETE FROM accounts_auditevent"]
    if connection.vendor == "postgresql":
        statements += ["TRUNCATE accounts_auditevent", "TRUNCATE accounts_user CASCADE"]
    for statement in statements:
        with pytest.raises(DatabaseError, match="only ever added to"), transaction.atomic():
            execute(statement)
    with pytest.raises(DatabaseError, match="only ever added to"), transaction.atomic():
        AuditEvent.objects.get().delete()
    assert AuditEvent.objects.get().about == "one"


def execute(statement: str) -> None:
    # PostgreSQL empties no table of which references are yet to be looked at.
    connection.check_constraints()
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("time", ["first", "second"])
def test_tests_that_commit_find_nothing_of_each_other(time: str) -> None:
    """The tests' own way around the protection holds only between two of them."""
    assert not AuditEvent.objects.exists()
    note(None, "account.tested")
    with pytest.raises(DatabaseError, match="only ever added to"):
        AuditEvent.objects.get().delete()


@pytest.mark.parametrize(
    "url",
    ["mysql://a:hunter2@b/c", "postgres://a:hun[ter2@b:x/c", "postgres://a:hunter2@b:port/c", "nonsense-hunter2"],
)
def test_a_url_that_is_none_is_told_without_its_password(tmp_path: Path, url: str) -> None:
    with pytest.raises(InputError) as caught:
        Config(tmp_path, url).check()
    assert "hunter2" not in str(caught.value)


def test_a_url_is_shown_without_its_password(tmp_path: Path) -> None:
    shown = Config(tmp_path, "postgres://fritz:hunter2@db.example:5433/foveate?password=hunter2").shown_url
    assert shown == "postgres://fritz@db.example:5433/foveate"


def test_a_database_that_does_not_answer(tmp_path: Path) -> None:
    live = LiveFoveate(tmp_path / "state", "postgres://fritz:hunter2@127.0.0.1:1/foveate")
    said = live.foveate("serve", "--port", "0", expect=4)
    assert said.startswith("postgres://fritz@127.0.0.1:1/foveate: the database cannot be used")
    assert "hunter2" not in said


def test_a_folder_with_letters_that_mean_something_in_a_url(tmp_path: Path) -> None:
    live = LiveFoveate(tmp_path / "100% of it? #1")
    live.start()
    assert (live.data / "foveate.sqlite3").exists()
    assert live.stop() == 0


def test_a_database_of_a_newer_foveate_is_refused(live_foveate: LiveFoveate) -> None:
    live_foveate.stop()
    live_foveate.run("tests.app.make_newer")
    said = live_foveate.foveate("serve", "--port", "0", expect=3)
    assert "it was made by a newer Foveate (it has accounts.9999_later" in said


def test_postgresql_serves_as_well(live_postgres: LiveFoveate) -> None:
    status, body, _headers = live_postgres.ask("/healthz")
    assert (status, body["checks"]) == (200, {"database": "ok", "migrations": "ok", "disk": "ok"})
    assert "a-password" not in live_postgres.log()


@pytest.fixture(params=["sqlite", "postgresql"])
def nothing_yet(request: pytest.FixtureRequest, tmp_path: Path) -> LiveFoveate:
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    return LiveFoveate(tmp_path / "state", url)


def test_two_that_start_at_once(nothing_yet: LiveFoveate) -> None:
    """Both make the database and its admin; neither fails, and there is one of each."""
    other = LiveFoveate(nothing_yet.data, nothing_yet.database)
    processes = [start(one) for one in (nothing_yet, other)]
    try:
        said = [first_lines(process) for process in processes]
    finally:
        for process in processes:
            process.terminate()
        codes = [process.wait(timeout=60) for process in processes]
        for process in processes:
            process.stdout.close()
    assert codes == [0, 0], said


def start(live: LiveFoveate) -> Any:
    words = [sys.executable, "-m", "foveate", "serve", "--port", "0"]
    return subprocess.Popen(words, env=live.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def first_lines(process: Any) -> list[str]:
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "serves at" in line:
            break
    return lines


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *(
            ("entry_space", said)
            for said in ("much", "1/2", "1/2/3/4", "0/1/1", "-1/5/5", "nan/1/1", "inf/1/1", "1e300/1/1")
        ),
        *(("upload_rate", said) for said in ("5", "0/60", "5/0", "5/inf", "x/60", "5/nan")),
        ("api_rate", "often"),
    ],
)
def test_what_is_no_number_is_told_when_the_server_starts(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(InputError, match=f"FOVEATE_{name.upper()}: it is {said!r}"):
        Config(tmp_path, **{name: said}).check()  # type: ignore[arg-type]
    assert entry_space("0.5/2/3") == Space(2**29, 2 * 2**30, 3 * 2**30)
