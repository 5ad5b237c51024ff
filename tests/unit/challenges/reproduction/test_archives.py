"""Archives that mean harm, of images and of programs."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from foveate.challenges.reproduction.archives import unpack_program, write_renamed
from foveate.errors import InputError

MANIFEST = json.dumps([{"Config": "c", "RepoTags": ["x:1"], "Layers": ["l"]}]).encode()


def tar(path: Path, *members: tuple[str, bytes | tarfile.TarInfo]) -> Path:
    """Writes a tar of files, and of members that are given as they are; returns its path."""
    with tarfile.open(path, "w") as file:
        for name, content in members:
            if isinstance(content, tarfile.TarInfo):
                file.addfile(content)
                continue
            member = tarfile.TarInfo(name)
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
    return path


def odd(name: str, kind: bytes, link: str = "") -> tuple[str, tarfile.TarInfo]:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, link
    return name, member


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ([("../up", b"")], "its member '../up' leads out of it"),
        ([("/etc/cron.d/x", b"")], "its member '/etc/cron.d/x' leads out of it"),
        ([odd("l", tarfile.SYMTYPE, "/etc/shadow")], "its member 'l' leads out of it"),
        ([odd("a/l", tarfile.SYMTYPE, "../../x")], "its member 'a/l' leads out of it"),
        ([odd("l", tarfile.LNKTYPE, "../x")], "its member 'l' leads out of it"),
        ([odd("null", tarfile.CHRTYPE)], "its member 'null' is neither file, folder nor link"),
        ([odd("pipe", tarfile.FIFOTYPE)], "its member 'pipe' is neither file, folder nor link"),
        ([("big", b"x" * 2_000)], "unpacked it has more than the 1,000 bytes that it may"),
        ([], "it has no manifest.json of an image"),
        ([("manifest.json", b"[[]]")], "it has no manifest.json of an image"),
        ([("manifest.json", b"\xff")], "it has no manifest.json of an image"),
        ([("manifest.json", b"[]")], "it holds 0 images, and one is run"),
        ([("manifest.json", b"[{},{}]")], "it holds 2 images, and one is run"),
    ],
)
def test_an_image_that_means_harm_is_refused(
    tmp_path: Path, members: list[tuple[str, bytes | tarfile.TarInfo]], said: str
) -> None:
    archive = tar(tmp_path / "image.tar", *members)
    with pytest.raises(InputError) as refused:
        write_renamed(archive, "ours:1", tmp_path / "out.tar", 1_000)
    assert refused.value.problem == said
    assert not (tmp_path / "out.tar").exists()


def test_layers_that_are_linked_to_each_other_stay(tmp_path: Path) -> None:
    # Docker writes a layer that is there twice as a link to the first.
    link = odd("b/layer.tar", tarfile.SYMTYPE, "../a/layer.tar")
    archive = tar(tmp_path / "image.tar", ("a/layer.tar", b"layer"), link, ("manifest.json", MANIFEST))
    write_renamed(archive, "ours:1", tmp_path / "out.tar", 10_000)
    with tarfile.open(tmp_path / "out.tar") as written:
        assert [(one.name, one.linkname) for one in written] == [
            ("a/layer.tar", ""),
            ("b/layer.tar", "../a/layer.tar"),
            ("manifest.json", ""),
        ]


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ([("run", b""), ("../up", b"")], "its member '../up' is a link or leads out"),
        ([odd("run", tarfile.SYMTYPE, "/usr/bin/env")], "its member 'run' is a link or leads out"),
        ([odd("run", tarfile.LNKTYPE, "x")], "its member 'run' is a link or leads out"),
        ([("run", b""), ("run", b"")], "it has two members of one name"),
        ([("run", b"x" * 2_000)], "unpacked it has more than the 1,000 bytes that it may"),
        ([("bin/run", b"")], "it has no file `run` at its top"),
        ([odd("run", tarfile.DIRTYPE)], "it has no file `run` at its top"),
    ],
)
def test_a_program_that_means_harm_is_refused(
    tmp_path: Path, members: list[tuple[str, bytes | tarfile.TarInfo]], said: str
) -> None:
    with pytest.raises(InputError) as refused:
        unpack_program(tar(tmp_path / "program.tar", *members), tmp_path / "into", 1_000)
    assert refused.value.problem == said
    assert not (tmp_path / "up").exists()


@pytest.mark.parametrize(("name", "mode"), [("../up", 0o100644), ("link", 0o120777), ("a\\..\\up", 0o100644)])
def test_a_zip_that_means_harm_is_refused(tmp_path: Path, name: str, mode: int) -> None:
    with zipfile.ZipFile(tmp_path / "program.zip", "w") as file:
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        file.writestr(info, "/etc/shadow")
    with pytest.raises(InputError, match="is a link or leads out"):
        unpack_program(tmp_path / "program.zip", tmp_path / "into", 1_000)


def test_a_zip_bomb_is_refused_by_what_it_says_and_by_what_it_holds(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "program.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("run", b"0" * 5_000_000)
    with pytest.raises(InputError, match="more than the 1,000 bytes"):
        unpack_program(tmp_path / "program.zip", tmp_path / "one", 1_000)
    # One that lies about its size is cut there, and its sum is wrong.
    lying = (tmp_path / "program.zip").read_bytes().replace((5_000_000).to_bytes(4, "little"), b"\x64\0\0\0")
    (tmp_path / "lying.zip").write_bytes(lying)
    with pytest.raises(InputError, match="cannot be read as an archive"):
        unpack_program(tmp_path / "lying.zip", tmp_path / "two", 1_000)


def test_a_zip_that_is_packed_unusually_is_refused_unopened(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "program.zip", "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("run", b"0" * 900)
    with pytest.raises(InputError, match="packed unusually"):
        unpack_program(tmp_path / "program.zip", tmp_path / "into", 1_000)


def test_folders_and_rights_are_kept(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "program.zip", "w") as file:
        file.mkdir("lib")
        for name, mode in {"run": 0o600, "lib/tool": 0o700, "lib/data": 0o600}.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (0o100000 | mode) << 16
            file.writestr(info, name)
    start = unpack_program(tmp_path / "program.zip", tmp_path / "into", 1_000)
    modes = {path.name: path.stat().st_mode & 0o777 for path in start.parent.rglob("*")}
    assert modes == {"run": 0o755, "lib": 0o755, "tool": 0o755, "data": 0o644}
