"""The sandbox for real: programs that mean harm, each of which must find nothing and leave nothing."""

from __future__ import annotations

import dataclasses
import io
import os
import signal
import socket
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from foveate.challenges.definition import Reproduction
from foveate.challenges.reproduction import Outcome, engine_named, run
from foveate.challenges.reproduction.running import Archive, Command, Image
from foveate.challenges.reproduction.sandbox import Sandbox
from tests.helpers import REPOSITORY
from tests.unit.challenges.reproduction.conftest import LIMITS, Desk

_SANDBOX = Sandbox()
pytestmark = pytest.mark.skipif(bool(_SANDBOX.refusal()), reason=f"no sandbox here: {_SANDBOX.refusal()}")

ANSWER = "open('/mnt/output/answer.csv', 'w').write(str(found))"


def runs(desk: Desk, code: str, limits: Reproduction = LIMITS) -> Outcome:
    """Returns the outcome of a Python program in the sandbox."""
    return run(desk.work(Command(("python3", "-c", code))), limits, _SANDBOX)


def alive(mark: str) -> list[str]:
    """Returns the processes of this machine whose command holds a text."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if mark in words:
            found.append(words)
    return found


def text_of(outcome: Outcome) -> str:
    assert outcome.answer is not None, (outcome.why, outcome.log)
    return outcome.answer.read_text()


def test_an_honest_program_answers(desk: Desk) -> None:
    code = """
        import os
        assert sorted(os.listdir('/mnt/data/imgs')) == ['a.jpg']
        assert open('/mnt/data/imgs/a.jpg').read() == 'a photo'
        open('/tmp/between', 'w').write('x')
        open('/mnt/output/answer.csv', 'w').write(open('/mnt/data/test.csv').read())
        print('done')
    """
    outcome = runs(desk, "\n".join(line.strip() for line in code.splitlines()))
    assert (outcome.state, outcome.why, outcome.log) == ("done", "", "done\n")
    assert text_of(outcome) == (desk.folder / "test.csv").read_text()


def test_it_is_nobody_and_sees_nothing_of_the_machine(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_DATABASE_URL", "postgres://name:secret-word@host/base")
    (desk.folder / "targets.csv").write_text("a secret-word target")
    code = f"""
import os, socket, subprocess
found = {{'uid': os.getuid(), 'pids': sorted(int(n) for n in os.listdir('/proc') if n.isdigit())}}
found['root'] = sorted(os.listdir('/'))
found['env'] = sorted(os.environ)
found['secret'] = any(b'secret-word' in open(f'/proc/{{n}}/environ', 'rb').read() for n in found['pids'])
def tried(act):
    try:
        return repr(act())
    except OSError as error:
        return error.strerror
found['targets'] = tried(lambda: open({str(desk.folder / "targets.csv")!r}).read())
found['passwords'] = tried(lambda: open('/etc/shadow').read())
found['write_usr'] = tried(lambda: open('/usr/x', 'w'))
found['write_root'] = tried(lambda: open('/x', 'w'))
found['write_dev'] = tried(lambda: open('/dev/x', 'w'))
found['write_photo'] = tried(lambda: open('/mnt/data/imgs/a.jpg', 'w'))
found['chmod_photo'] = tried(lambda: os.chmod('/mnt/data/imgs/a.jpg', 0o777))
found['mount'] = subprocess.run(['mount', '-t', 'tmpfs', 'x', '/tmp'], capture_output=True).returncode != 0
found['userns'] = subprocess.run(['unshare', '-Ur', 'true'], capture_output=True).returncode != 0
found['caps'] = [l.split()[1] for l in open('/proc/self/status') if l.startswith(('CapEff', 'CapBnd'))]
{ANSWER}
"""
    found = eval(text_of(runs(desk, code)), {"__builtins__": {}})  # noqa: S307  # Our own program's words.
    assert found["uid"] == 65534
    assert len(found["pids"]) <= 3
    assert not {"root", "home", "work", "var", "srv", "opt"} & set(found["root"])
    assert set(found["env"]) <= {"HOME", "LANG", "LC_CTYPE", "PATH", "PWD", "TMPDIR"}
    assert found["secret"] is False
    assert found["targets"] == found["passwords"] == "No such file or directory"
    assert {found[f"write_{what}"] for what in ("usr", "root", "dev", "photo")} == {"Read-only file system"}
    assert found["chmod_photo"] == "Read-only file system"
    assert found["mount"] is found["userns"] is True
    assert found["caps"] == ["0000000000000000"] * 2


def test_it_reaches_no_network_not_even_this_machine(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"""
import socket
found = []
for where in (('127.0.0.1', {port}), ('192.0.2.1', 80)):
    try:
        socket.create_connection(where, 2)
        found.append('reached')
    except OSError as error:
        found.append(error.strerror)
found.append([name for _, name in socket.if_nameindex()])
{ANSWER}
"""
        assert eval(text_of(runs(desk, code))) == ["Connection refused", "Network is unreachable", ["lo"]]  # noqa: S307


def test_a_fork_bomb_ends_at_its_limit(desk: Desk) -> None:
    code = f"""
import os, time
found = 0
while found < 5000:
    try:
        if os.fork() == 0:
            time.sleep(600)
    except OSError:
        break
    found += 1
{ANSWER}
"""
    count = int(text_of(runs(desk, code)))
    assert LIMITS.processes - 4 <= count <= LIMITS.processes + 4
    assert not alive("time.sleep(600)")


def test_disk_and_files_are_bounded_together(desk: Desk) -> None:
    code = f"""
found = {{}}
total = 0
for number in range(100):
    try:
        with open(('/tmp/', '/mnt/output/', '/dev/shm/')[number % 3] + str(number), 'wb', buffering=0) as file:
            total += file.write(b'x' * 500_000)
    except OSError as error:
        found['why'] = error.strerror
        break
found['total'] = total
import os
os.unlink('/tmp/0')
{ANSWER}
"""
    found = eval(text_of(runs(desk, code)))  # noqa: S307
    assert found["why"] == "No space left on device"
    assert LIMITS.disk * 0.7 < found["total"] <= LIMITS.disk


def test_memory_is_bounded_alone_and_together(desk: Desk) -> None:
    limits = dataclasses.replace(LIMITS, memory=200 * 1024**2)
    alone = runs(desk, "b = bytearray(10**9)", limits)
    assert (alone.state, alone.why) == ("failed", "it ended with the exit code 1")
    assert "MemoryError" in alone.log
    together = runs(
        desk,
        "import os, time\nfor _ in range(4):\n  if os.fork() == 0:\n    b = b'x' * 80_000_000; break\ntime.sleep(60)",
        limits,
    )
    assert (together.state, together.why) == ("failed", "it took more than the 209,715,200 bytes of memory that it may")
    assert together.seconds < 15


def test_what_never_ends_is_killed_with_its_daemons(desk: Desk) -> None:
    code = """
import os, signal, time
for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(name, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(611)
time.sleep(611)
"""
    outcome = runs(desk, code, dataclasses.replace(LIMITS, seconds=1))
    assert (outcome.state, outcome.why) == ("failed", "it ran longer than the 1 s that it may")
    assert outcome.seconds < 5
    assert not alive("time.sleep(611)")


def test_daemons_do_not_outlive_a_program_that_ends(desk: Desk) -> None:
    code = f"""
import os, time
found = 'an answer'
{ANSWER}
if os.fork() == 0:
    os.setsid()
    time.sleep(612)
"""
    assert text_of(runs(desk, code)) == "an answer"
    assert not alive("time.sleep(612)")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import os; os.symlink('/etc/hostname', '/mnt/output/answer.csv')", "is a link, or cannot be read"),
        ("import os; os.mkdir('/mnt/output/answer.csv')", "is not an ordinary file"),
        ("import os; os.mkfifo('/mnt/output/answer.csv')", "is not an ordinary file"),
        ("import os; open('/mnt/output/answer.csv', 'w').truncate(10**9)", None),
        ("pass", None),
        ("import os; os.kill(os.getpid(), 9)", None),
    ],
)
def test_a_bad_answer_is_no_answer(desk: Desk, code: str, why: str | None) -> None:
    outcome = runs(desk, code)
    assert (outcome.state, outcome.answer) == ("failed", None)
    assert outcome.why == f"answer.csv {why}" if why else outcome.why
    assert list((desk.folder / "into").iterdir()) == []


def test_a_flood_of_words_is_cut(desk: Desk) -> None:
    outcome = runs(desk, "print('first'); print('x' * 3_000_000); print('\\x1b[2Jlast')")
    assert outcome.log.startswith("first\n")
    assert outcome.log.endswith("\ufffd[2Jlast\n")
    assert len(outcome.log) < 270_000


def test_who_waits_for_it_dies_and_it_dies_too(desk: Desk) -> None:
    """A worker that is killed leaves no program behind, though nobody could clean up."""
    code = f"""
from pathlib import Path
from tests.unit.challenges.reproduction.conftest import LIMITS, Desk
from foveate.challenges.reproduction import engine_named, run
from foveate.challenges.reproduction.running import Command
work = Desk(Path({str(desk.folder)!r})).work(Command(("python3", "-c", "import time; print('on'); time.sleep(613)")))
run(work, LIMITS, engine_named("process"))
"""
    worker = subprocess.Popen([sys.executable, "-c", code], cwd=REPOSITORY)
    wait_until(lambda: any("python3 -c" in words for words in alive("time.sleep(613)") if "foveate" not in words))
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    wait_until(lambda: not alive("time.sleep(613)"))


def wait_until(true: object) -> None:
    """Waits until something is so, at most ten seconds."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if callable(true) and true():
            return
        time.sleep(0.05)
    pytest.fail("it has not come to be")


def test_what_cannot_be_started_is_the_entry_s_fault_and_what_cannot_be_shut_in_is_not(desk: Desk) -> None:
    outcome = run(desk.work(Command(("no-such-program",))), LIMITS, _SANDBOX)
    assert (outcome.state, outcome.why) == ("failed", "what it starts cannot be run")
    # Whoever says what bubblewrap would say is still the one who failed.
    feigned = runs(desk, "print('bwrap: Out of luck'); raise SystemExit(1)")
    assert (feigned.state, feigned.why) == ("failed", "it ended with the exit code 1")
    nowhere = dataclasses.replace(LIMITS, images="/proc/self/x")
    outcome = runs(desk, "pass", nowhere)
    assert outcome.state == "broken"
    assert outcome.why.startswith("the program could not be shut in (bwrap: ")


def test_no_open_file_of_the_supervisor_is_inside(desk: Desk) -> None:
    code = "import os\nfound = [os.readlink('/proc/self/fd/' + n)[:5] for n in '012']\n"
    code += f"found += [n for n in os.listdir('/proc/self/fd') if int(n) > 3]\n{ANSWER}"
    assert eval(text_of(runs(desk, code))) == ["/dev/", "pipe:", "pipe:"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's folders are of another user than the program")
def test_a_folder_that_only_root_may_enter_is_said(desk: Desk) -> None:
    (desk.folder / "own").mkdir(mode=0o700)
    outcome = run(desk.work(Command(("true",), desk.folder / "own")), LIMITS, _SANDBOX)
    assert (outcome.state, outcome.why) == (
        "failed",
        f"{desk.folder / 'own'}: it is run as a user who may not enter this folder",
    )


RUN = b"#!/bin/sh\ncp data.txt /mnt/output/answer.csv\n"


def test_a_folder_that_was_sent_is_run(desk: Desk) -> None:
    archive = desk.folder / "program.zip"
    with zipfile.ZipFile(archive, "w") as file:
        info = zipfile.ZipInfo("run")
        info.external_attr = 0o100644 << 16
        file.writestr(info, RUN)
        file.writestr("data.txt", "from the folder")
    assert text_of(run(desk.work(Archive(archive)), LIMITS, _SANDBOX)) == "from the folder"
    tarred = desk.folder / "program.tar.gz"
    with tarfile.open(tarred, "w:gz") as file:
        for name, content in {"./run": RUN, "./data.txt": b"from a tar"}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
    assert text_of(run(desk.work(Archive(tarred)), LIMITS, _SANDBOX)) == "from a tar"
    (desk.folder / "broken.zip").write_bytes(b"no archive")
    outcome = run(desk.work(Archive(desk.folder / "broken.zip")), LIMITS, _SANDBOX)
    assert (outcome.state, outcome.why) == ("failed", "broken.zip: it cannot be read as an archive")


def test_an_image_needs_an_engine(desk: Desk) -> None:
    outcome = run(desk.work(Image("busybox")), LIMITS, engine_named("process"))
    assert (outcome.state, outcome.why) == (
        "failed",
        "this server runs programs, not images: send an archive of a folder",
    )


def test_a_machine_without_it_says_why(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(desk.folder))
    outcome = run(desk.work(Command(("true",))), LIMITS, Sandbox())
    assert outcome.state == "broken"
    assert outcome.why == "it needs bubblewrap and util-linux and mount, which is not installed"
    monkeypatch.undo()
    monkeypatch.setattr("sys.platform", "darwin")
    assert Sandbox().refusal() == "programs can be shut in on Linux only"


def test_namespaces_that_are_forbidden_are_said(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fakes = tmp_path / "fakes"
    fakes.mkdir()
    (fakes / "unshare").write_text("#!/bin/sh\necho 'unshare: unshare failed: Operation not permitted' >&2\nexit 1\n")
    (fakes / "unshare").chmod(0o755)
    monkeypatch.setattr("foveate.challenges.reproduction.sandbox._ENVIRONMENT", {"PATH": f"{fakes}:/usr/bin:/bin"})
    monkeypatch.setenv("PATH", f"{fakes}:{os.environ['PATH']}")
    said = Sandbox().refusal()
    assert said == "this machine does not let it shut a program in (unshare: unshare failed: Operation not permitted)"
