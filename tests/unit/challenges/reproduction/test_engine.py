"""Docker and Podman: the exact commands, and what is made of every end, against an engine that plays them."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import tarfile
import time
from pathlib import Path

import pytest

from foveate.challenges.reproduction import engine_named, run
from foveate.challenges.reproduction.running import Archive, Command, Image
from foveate.errors import UsageError
from tests.unit.challenges.reproduction.conftest import LIMITS, Desk, Fake

_NEVER = {"says": "false 0001-01-01 00:00:00 +0000 UTC"}
IMAGE = Image("registry.example/team/model@sha256:" + "ab" * 32)


def test_the_command_is_exactly_this(fake: Fake, desk: Desk) -> None:
    limits = dataclasses.replace(LIMITS, cpus=1.5, gpus=2)
    work = desk.work(IMAGE, "entry-7")
    before = int(time.time())

    outcome = run(work, limits, engine_named("docker"))

    assert (outcome.state, outcome.why) == ("done", "")
    assert outcome.answer is not None
    assert outcome.answer.read_bytes() == work.questions.read_bytes()
    assert outcome.log == "reading 45 letters, 1 photos\n"
    (words,) = fake.said("run")
    called, until = words[3], int(words[7].removeprefix("foveate.until="))
    assert re.fullmatch(r"foveate-[0-9a-f]{16}", called)
    assert before + 20 + 120 <= until <= time.time() + 20 + 120
    expected = f"""docker run --name {called} --label foveate.work=entry-7 --label foveate.until={until}
        --pull never --network none --hostname foveate --ipc private --read-only --user 65534:65534
        --cap-drop ALL --security-opt no-new-privileges --no-healthcheck
        --cpus 1.5 --memory 536870912 --memory-swap 536870912
        --pids-limit 64 --ulimit fsize=2097152 --ulimit core=0 --shm-size 134217728 --gpus 2
        --tmpfs /tmp:rw,nosuid,nodev,size=2097152,mode=1777 --env HOME=/tmp
        --mount type=bind,src={work.questions},dst=/mnt/data/test.csv,readonly
        --mount type=bind,src={work.images},dst=/mnt/data/imgs,readonly
        --mount type=bind,src={work.into}/out,dst=/mnt/output
        --log-driver none --stop-timeout 5 -- {IMAGE.name}"""
    assert words == expected.split()
    assert fake.verbs() == ["version", "ps", "image", "run", "inspect", "kill", "rm"]
    assert fake.said("kill") == [["docker", "kill", called]]
    assert fake.said("rm") == [["docker", "rm", "--force", called]]
    assert not (work.into / "out").exists()


def test_podman_has_its_own_words(fake: Fake, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    outcome = run(desk.work(IMAGE), dataclasses.replace(LIMITS, gpus=2), engine_named("podman"))
    assert outcome.state == "done"
    (words,) = fake.said("run")
    assert words[0] == "podman"
    text = " ".join(words)
    assert "--userns keep-id:uid=65534,gid=65534 --user 65534:65534" in text
    assert "--device nvidia.com/gpu=0 --device nvidia.com/gpu=1" in text
    assert "--gpus" not in words
    assert fake.said("version") == [["podman", "version", "--format", "{{.Version}}"]]


@pytest.mark.parametrize(
    ("play", "state", "why"),
    [
        ({"code": 3}, "failed", "it ended with the exit code 3"),
        ({"code": 137}, "failed", "it was killed"),
        (
            {"code": 137, "inspect": {"says": "true 2026-11-30T10:00:00Z"}},
            "failed",
            "it took more than the 536,870,912 bytes of memory that it may",
        ),
        ({"code": 126}, "failed", "what the image starts cannot be run"),
        ({"code": 127}, "failed", "what the image starts is not in it"),
        # A program that ends with the engine's own code is at fault itself; one that never began is not.
        ({"code": 125}, "failed", "it ended with the exit code 125"),
        ({"code": 125, "inspect": _NEVER}, "broken", "the engine failed (reading 45 letters, 1 photos)"),
        ({"code": 127, "inspect": _NEVER}, "failed", "what the image starts is not in it"),
        ({"code": 125, "inspect": {"code": 1}}, "broken", "the engine failed (reading 45 letters, 1 photos)"),
        ({"run": "nothing"}, "failed", "it wrote no answer.csv"),
        ({"run": "link"}, "failed", "answer.csv is a link, or cannot be read"),
        ({"run": "folder"}, "failed", "answer.csv is not an ordinary file"),
        ({"run": "pipe"}, "failed", "answer.csv is not an ordinary file"),
        ({"run": "huge"}, "failed", "answer.csv is larger than the 2,097,152 bytes that it may have"),
        ({"run": "fill"}, "failed", "it wrote more than the 2,097,152 bytes that it may"),
    ],
)
def test_every_end_is_told(fake: Fake, desk: Desk, play: dict[str, object], state: str, why: str) -> None:
    fake.plays(**play)
    outcome = run(desk.work(IMAGE), LIMITS, engine_named("docker"))
    assert (outcome.state, outcome.why, outcome.answer) == (state, why, None)
    # Whatever happened, nothing is left behind.
    assert fake.verbs()[-2:] == ["kill", "rm"]
    assert not (desk.folder / "into" / "out").exists()


def test_what_never_ends_is_killed_though_it_ignores_being_asked(fake: Fake, desk: Desk) -> None:
    fake.plays(run="hang")
    outcome = run(desk.work(IMAGE), dataclasses.replace(LIMITS, seconds=1), engine_named("docker"))
    assert (outcome.state, outcome.why) == ("failed", "it ran longer than the 1 s that it may")
    assert 1 <= outcome.seconds < 5
    assert outcome.log == "going to sleep\n"
    assert fake.said("kill")


def test_a_flood_keeps_its_first_and_last_words(fake: Fake, desk: Desk) -> None:
    fake.plays(run="flood")
    outcome = run(desk.work(IMAGE), LIMITS, engine_named("docker"))
    assert outcome.state == "done"
    assert len(outcome.log) < 270_000
    assert outcome.log.endswith("reading 45 letters, 1 photos\n")
    left_out = re.search(r"\n\[([\d,]+) bytes left out\]\n", outcome.log)
    assert left_out
    printed = 200 * 65_536 + len("reading 45 letters, 1 photos\n")
    assert int(left_out[1].replace(",", "")) == printed - (64 + 192) * 1024


def test_no_engine_is_said_at_once(desk: Desk, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    fake.plays(version={"code": 1, "says": "Cannot connect to the daemon"})
    outcome = run(desk.work(IMAGE), LIMITS, engine_named("docker"))
    assert (outcome.state, outcome.why) == ("broken", "docker does not answer (Cannot connect to the daemon)")
    monkeypatch.setenv("PATH", str(desk.folder))
    outcome = run(desk.work(IMAGE), LIMITS, engine_named("podman"))
    assert (outcome.state, outcome.why) == ("broken", "the command podman is not installed")


def test_an_image_is_fetched_only_from_where_it_may_be(fake: Fake, desk: Desk) -> None:
    fake.plays(image={"code": 1}, pull={"says": "abc"})
    outcome = run(desk.work(IMAGE), LIMITS, engine_named("docker"))
    assert outcome.state == "failed"
    assert outcome.why == f"the image {IMAGE.name} is not here, and is not fetched from registry.example"
    assert "pull" not in fake.verbs()
    outcome = run(desk.work(IMAGE), LIMITS, engine_named("docker", ["registry.example"]))
    assert outcome.state == "done"
    assert fake.said("pull") == [["docker", "pull", "--quiet", IMAGE.name]]
    fake.plays(image={"code": 1}, pull={"code": 1, "says": "manifest unknown"})
    outcome = run(desk.work(IMAGE), LIMITS, engine_named("docker", ["registry.example"]))
    assert (outcome.state, outcome.why) == ("failed", f"{IMAGE.name} cannot be fetched (manifest unknown)")
    fake.plays(image={"code": 1}, pull={"code": 1, "says": "write: no space left on device"})
    assert run(desk.work(IMAGE), LIMITS, engine_named("docker", ["registry.example"])).state == "broken"


def test_what_a_crash_has_left_is_removed(fake: Fake, desk: Desk) -> None:
    now = int(time.time())
    rows = [f"aa {now - 5} entry-1", f"bb {now + 500} entry-2", f"cc {now + 500} entry-7", "dd odd", ""]
    fake.plays(ps={"says": "\n".join(rows)})
    run(desk.work(IMAGE, "entry-7"), LIMITS, engine_named("docker"))
    # Those whose time is over, and the earlier try of the same work; another's that runs stays.
    assert fake.said("rm")[0] == ["docker", "rm", "--force", "aa", "cc"]
    assert fake.said("ps")[0][1:5] == ["ps", "--all", "--filter", "label=foveate.until"]


def test_a_command_of_this_machine_is_no_image(fake: Fake, desk: Desk) -> None:
    outcome = run(desk.work(Command(("true",))), LIMITS, engine_named("docker"))
    assert (outcome.state, outcome.why) == ("broken", "docker runs images, not commands of this machine")


@pytest.mark.parametrize("name", ["", "--privileged", "a b", "a;b", "x" * 600, "a@sha256:12", "$HOME", "-v"])
def test_a_name_that_could_be_an_option_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        Image(name)


def saved(path: Path, tags: list[str], **members: bytes) -> Path:
    """Writes what `docker save` writes, as far as it matters; returns its path."""
    manifest = [{"Config": "blobs/sha256/c", "RepoTags": tags, "Layers": ["blobs/sha256/l"]}]
    files = {
        "blobs/sha256/c": b"{}",
        "blobs/sha256/l": b"layer",
        "index.json": b'{"manifests":[{"annotations":{"io.containerd.image.name":"docker.io/library/postgres:17"}}]}',
        "oci-layout": b"{}",
        "repositories": b'{"postgres":{"17":"c"}}',
        "manifest.json": json.dumps(manifest).encode(),
        **members,
    }
    with tarfile.open(path, "w:gz" if path.name.endswith(".gz") else "w") as file:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize("name", ["image.tar", "image.tar.gz"])
def test_an_archive_is_loaded_under_a_name_of_ours_and_removed(fake: Fake, desk: Desk, name: str) -> None:
    archive = saved(desk.folder / name, ["postgres:17"])
    outcome = run(desk.work(Archive(archive)), LIMITS, engine_named("docker"))
    assert outcome.state == "done"
    fresh = fake.said("run")[0][-1]
    assert re.fullmatch(r"foveate-entry:[0-9a-f]{32}", fresh)
    with tarfile.open(fake.folder / "loaded.tar") as loaded:
        assert sorted(loaded.getnames()) == ["blobs/sha256/c", "blobs/sha256/l", "manifest.json"]
        manifest = json.load(loaded.extractfile("manifest.json"))  # type: ignore[arg-type]
        assert loaded.extractfile("blobs/sha256/l").read() == b"layer"  # type: ignore[union-attr]
    # The name of another image is in none of it.
    assert manifest == [{"Config": "blobs/sha256/c", "RepoTags": [fresh], "Layers": ["blobs/sha256/l"]}]
    assert fake.said("rmi") == [["docker", "rmi", "--force", fresh]]
    assert not (desk.folder / "into" / "image.tar").exists()


def test_an_archive_that_cannot_be_loaded_is_said(fake: Fake, desk: Desk) -> None:
    fake.plays(load={"code": 1, "says": "invalid tar header"})
    outcome = run(desk.work(Archive(saved(desk.folder / "i.tar", []))), LIMITS, engine_named("docker"))
    assert (outcome.state, outcome.why) == ("failed", "the archive cannot be loaded (invalid tar header)")
    (desk.folder / "i.txt").write_text("no tar")
    outcome = run(desk.work(Archive(desk.folder / "i.txt")), LIMITS, engine_named("docker"))
    assert (outcome.state, outcome.why) == ("failed", "i.txt: it cannot be read as an archive")
