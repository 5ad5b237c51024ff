"""The files of a folder or zip of masks: just masks of the data set's photos at the top, anything else is refused."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath, PureWindowsPath

from foveate.errors import InputError, some
from foveate.formats.photo_names import same_letters
from foveate.formats.tables import OnInvalid
from foveate.sources.places import exists, is_file, is_folder

# A mask of 100 megapixels compresses far below this; a file that unpacks to more is no mask.
_MOST_BYTES = 64 * 2**20
_ENCRYPTED = 0x1


@dataclass(frozen=True)
class MaskFile:
    """One file.

    Attributes:
        stem: Its name without `.png`.
        where: What messages call it.
        content: Returns the file's path, or its bytes; raises `InputError` for an entry of a zip that is damaged.
    """

    stem: str
    where: str
    content: Callable[[], Path | BytesIO]


@contextmanager
def mask_files(path: Path, stems: Collection[str], on_other: OnInvalid | None = None) -> Iterator[list[MaskFile]]:
    """Opens a folder or zip of masks, sorted by name.

    Args:
        path: The folder, or the zip.
        stems: The names of the data set's photos without suffix.
        on_other: Called for each file that is no mask of a photo, or is there a second time; these are then passed
            over. They are refused together by default.

    Raises:
        InputError: It is neither, holds other files or one twice, or is encrypted.
    """
    if is_folder(path):
        names = sorted(f"{entry.name}{'' if is_file(entry) else '/'}" for entry in _listed(path))
        sound = _sound(path, names, stems, "Name the folder that holds the masks themselves.", on_other)
        yield [MaskFile(names[n][:-4], f"{path}, {names[n]}", partial(Path, path, names[n])) for n in sound]
        return
    with _opened(path) as archive:
        entries = sorted(archive.infolist(), key=lambda entry: entry.filename)
        names = [entry.filename for entry in entries]
        sound = _sound(path, names, stems, "Zip the masks without their folder.", on_other)
        locked = [entry.filename for entry in entries if entry.flag_bits & _ENCRYPTED]
        if locked:
            raise InputError(str(path), f"it is encrypted: {some(locked)}", "Zip the masks without a password.")
        yield [
            MaskFile(e.filename[:-4], f"{path}, {e.filename}", partial(_unpacked, archive, e, f"{path}, {e.filename}"))
            for e in (entries[n] for n in sound)
        ]


def _listed(path: Path) -> list[Path]:
    try:
        return list(path.iterdir())
    except OSError as error:
        raise InputError(
            str(path), f"the folder cannot be read ({error.strerror})", "Look at its permissions."
        ) from error


def _opened(path: Path) -> zipfile.ZipFile:
    if not exists(path):
        raise InputError(str(path), "there is no such file", "Look at the name and the folder.")
    try:
        return zipfile.ZipFile(path)
    except Exception as error:  # zipfile raises of every kind on damaged files.
        raise InputError(
            str(path), f"this is not a zip that can be read ({error})", "Give a zip or a folder of masks."
        ) from error


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, where: str) -> BytesIO:
    try:
        with archive.open(entry) as file:
            data = file.read(_MOST_BYTES + 1)
    except Exception as error:  # As above, and what unpacks raises of its own kinds.
        raise InputError(where, f"it cannot be unpacked ({error})", "Zip the masks again.") from error
    if len(data) > _MOST_BYTES:
        raise InputError(where, "it unpacks to more than 64 MiB", "Give a mask.")
    return BytesIO(data)


def _sound(
    path: Path, names: Sequence[str], stems: Collection[str], in_folder: str, on_other: OnInvalid | None
) -> list[int]:
    """Returns the places of the names that are masks of photos, each photo's once."""
    if on_other is None:
        _refuse_others(path, names, stems, in_folder)
        return list(range(len(names)))
    # Once for all: there may be thousands of each.
    alike = _alike([name for name in names if not _is_mask(name, stems)], stems)
    own = f"files like {min(stems, default='photo')}.png"
    seen: set[str] = set()
    sound = []
    for place, name in enumerate(names):
        where = f"{path}, {name}"
        if name in seen:
            on_other(InputError(where, "the file is in it twice", "Give one mask a photo.", got="two files"))
        elif not _is_mask(name, stems):
            remedy = _remedy(name, stems, alike, in_folder)
            problem = "this is no mask of a photo that is asked about"
            on_other(InputError(where, problem, remedy, expected=own, got=name))
        else:
            sound.append(place)
        seen.add(name)
    return sound


def _is_mask(name: str, stems: Collection[str]) -> bool:
    return "/" not in name and name.endswith(".png") and name[:-4] in stems


def _refuse_others(path: Path, names: Sequence[str], stems: Collection[str], in_folder: str) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(str(path), f"it holds {some(twice)} twice", "Give one mask a photo.")
    others = [name for name in names if not _is_mask(name, stems)]
    if others:
        what = "1 file that is no mask" if len(others) == 1 else f"{len(others):,} files that are no masks"
        raise InputError(
            str(path), f"it holds {what} of the data set's photos: {some(others)}", _remedies(others, stems, in_folder)
        )


def _remedies(names: Iterable[str], stems: Collection[str], in_folder: str) -> str:
    """Returns what to do about each kind of file that is there, each told once."""
    given = list(names)
    alike = _alike(given, stems)
    return " ".join(dict.fromkeys(_remedy(name, stems, alike, in_folder) for name in given))


def _alike(names: Iterable[str], stems: Collection[str]) -> frozenset[str]:
    return frozenset(same_letters((name.removesuffix(".png") for name in names), stems))


def _remedy(name: str, stems: Collection[str], alike: Collection[str], in_folder: str) -> str:
    parts = (*PurePosixPath(name).parts, *PureWindowsPath(name).parts)
    own = PurePosixPath(name).name
    if ".." in parts or PurePosixPath(name).is_absolute() or PureWindowsPath(name).anchor or "\\" in name:
        return "Take out what leads to other folders; it is never followed."
    if "__MACOSX" in parts or own == ".DS_Store" or own.startswith("._"):
        return "Zip without what macOS adds: zip -X masks.zip *.png."
    if own.lower().endswith(".zip"):
        return "Unpack the inner zip, and zip its masks."
    if "/" in name:
        return in_folder
    if own.lower().endswith(".png") and own[:-4] in stems:
        return "Write the suffix in small letters, .png."
    if own.endswith(".png") and own[:-4] in alike:
        return "Write the name as the data set does: it is the same letters, written in another way (Unicode)."
    if own.endswith(".png") and PurePosixPath(own[:-4]).stem in stems:
        return f"Call it {PurePosixPath(own[:-4]).stem}.png: the photo's name without a suffix of its own."
    return "Keep just the masks, each under its photo's name with .png."
