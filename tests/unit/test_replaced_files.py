from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from foveate.assist.picture import Picture as AssistPicture
from foveate.cli._output import save_bytes, save_picture
from foveate.client import Picture as ClientPicture
from foveate.errors import OutputError
from foveate.replaced_files import replace_file, replaced_file

PIXELS = np.random.default_rng(3).integers(0, 256, (64, 64, 3), dtype=np.uint8)
# Everything that writes a picture over what is there: each has its own sentence and one way to write.
SAVERS: dict[str, Callable[[Path], object]] = {
    "assist": lambda path: AssistPicture(PIXELS, "").save(path),
    "client": lambda path: ClientPicture(b"bytes" * 4000, "image/png", "", ()).save(path),
    "command's picture": lambda path: save_picture(PIL.Image.fromarray(PIXELS), path),
    "command's bytes": lambda path: save_bytes(b"bytes" * 4000, path),
}


def half_written(path: Path, error: BaseException) -> None:
    with replaced_file(path) as file:
        file.write(b"half")
        raise error


def all_in(folder: Path) -> list[tuple[str, bytes]]:
    return sorted((path.name, path.read_bytes()) for path in folder.iterdir())


@pytest.mark.parametrize("lasting", [True, False])
def test_the_old_file_is_there_until_the_new_one_is(tmp_path: Path, lasting: bool) -> None:
    path = tmp_path / "a"
    replace_file(path, b"old")
    with replaced_file(path, lasting=lasting) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
        with path.open("rb") as reader:  # Who reads the old one meanwhile reads it to its end.
            assert reader.read() == b"old"
    assert all_in(tmp_path) == [("a", b"new")]


@pytest.mark.parametrize("error", [ValueError("a bad row"), OSError(28, "No space left"), KeyboardInterrupt()])
def test_what_fails_or_is_stopped_leaves_the_old_file_and_no_part(tmp_path: Path, error: BaseException) -> None:
    replace_file(tmp_path / "a", b"old")
    for name in ("a", "b"):
        with pytest.raises(type(error)):
            half_written(tmp_path / name, error)
    assert all_in(tmp_path) == [("a", b"old")]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_kill_leaves_the_old_file_whole(tmp_path: Path, number: int) -> None:
    replace_file(tmp_path / "a", b"old")
    text = (
        "import sys, time; from pathlib import Path; from foveate.replaced_files import replaced_file\n"
        "with replaced_file(Path(sys.argv[1])) as file:\n"
        "    file.write(b'half'); file.flush(); print('written', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", text, str(tmp_path / "a")], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"written\n"
        process.send_signal(number)
        assert process.wait() == -number
    assert (tmp_path / "a").read_bytes() == b"old"
    assert all(path.name.startswith(".") for path in tmp_path.iterdir() if path.name != "a")
    replace_file(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"


def test_a_disk_that_gets_full_in_the_middle_leaves_the_old_files(tmp_path: Path) -> None:
    # The system itself refuses the rest of a file above 4,096 bytes, as it does where there is no room.
    text = (
        "import resource, sys; from pathlib import Path\n"
        "from tests.unit.test_replaced_files import SAVERS\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))\n"
        "for name, save in SAVERS.items():\n"
        "    path = Path(sys.argv[1]) / f'{name}.png'\n"
        "    try: save(path)\n"
        "    except Exception as error: print(type(error).__name__, error)"
    )
    old = [(f"{name}.png", b"old") for name in sorted(SAVERS)]
    for name, content in old:
        (tmp_path / name).write_bytes(content)
    done = subprocess.run([sys.executable, "-c", text, tmp_path], capture_output=True, text=True, check=True)
    told = done.stdout.splitlines()
    assert len(told) == len(SAVERS), done.stdout
    assert all(line.startswith("OutputError") and "File too large" in line for line in told), told
    assert all_in(tmp_path) == old


@pytest.mark.parametrize("saver", sorted(SAVERS))
def test_a_place_that_cannot_be_is_one_sentence(tmp_path: Path, saver: str) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    (tmp_path / "folder.png").mkdir()
    for name in ("file/a.png", "folder.png", f"{'x' * 300}.png"):
        with pytest.raises(OutputError, match="cannot be written") as caught:
            SAVERS[saver](tmp_path / name)
        assert str(tmp_path) in caught.value.where
        assert "None" not in caught.value.problem
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder.png"]
    assert (tmp_path / "file").read_bytes() == b"mine"


@pytest.mark.parametrize("saver", sorted(SAVERS))
def test_a_link_is_replaced_and_not_followed(tmp_path: Path, saver: str) -> None:
    (tmp_path / "mine.txt").write_bytes(b"mine")
    (tmp_path / "a.png").symlink_to(tmp_path / "mine.txt")
    SAVERS[saver](tmp_path / "a.png")
    assert (tmp_path / "mine.txt").read_bytes() == b"mine"
    assert not (tmp_path / "a.png").is_symlink()


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.JPEG", "a.webp"])
def test_a_drawn_picture_is_of_the_format_of_its_name(tmp_path: Path, name: str) -> None:
    save_picture(PIL.Image.fromarray(PIXELS), tmp_path / name)
    with PIL.Image.open(tmp_path / name) as found:
        assert found.format == {"png": "PNG", "webp": "WEBP"}.get(name.partition(".")[2], "JPEG")
        found.load()


def test_who_may_read_stays(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        replace_file(tmp_path / "new", b"x")
        (tmp_path / "secret").write_bytes(b"old")
        (tmp_path / "secret").chmod(0o600)
        with replaced_file(tmp_path / "secret") as file:
            (part,) = tmp_path.glob(".*.part")
            assert part.stat().st_mode & 0o777 == 0o600, "before there is anything in it to read"
            file.write(b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o644
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "secret").read_bytes() == b"new"


def test_of_many_writers_each_leaves_a_whole_file(tmp_path: Path) -> None:
    contents = [bytes([number]) * 100_000 for number in range(4)]
    seen: list[bytes] = []
    replace_file(tmp_path / "a", contents[0])
    threads = [threading.Thread(target=replace_file, args=(tmp_path / "a", each)) for each in contents * 3]
    for thread in threads:
        thread.start()
        seen.append((tmp_path / "a").read_bytes())
    for thread in threads:
        thread.join()
    assert all(each in contents for each in seen)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
