"""YOLO, as Ultralytics lays it out: `images/`, `labels/` with a text file a photo, and `data.yaml` with the classes.

References:
    Ultralytics' documentation of data sets for detection (`class x y width height`: the centre and the sides, as shares
    of the photo's) and segmentation (`class x1 y1 x2 y2 …`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from foveate.core.boxes import SizeHW, cxcywh_to_xyxy
from foveate.core.regions import Box, Polygon, Sides
from foveate.core.truths import TargetShape
from foveate.errors import InputError, shown
from foveate.formats._drawn import NO_CLASS, Drawn, by_photo, class_of, new_file_for, rings, samples_of_photo
from foveate.formats._fitted import fitted
from foveate.formats._losses import LEFT_OUT, OF_REGIONS
from foveate.formats._optional import needed
from foveate.formats._places import is_file, is_folder, with_suffix
from foveate.formats._sample_forms import FIX, Form, Reading, Sample

IMAGES, LABELS = "images", "labels"
_YAML = ("data.yaml", "data.yml", "dataset.yaml")
# Shares are written with six digits by most tools, so that an edge may lie a millionth outside.
_ROUNDED = 1e-5


def is_yolo(folder: Path) -> bool:
    """Returns whether a folder is laid out so."""
    return is_folder(folder / LABELS) and (is_folder(folder / IMAGES) or _yaml_of(folder) is not None)


def read(path: Path, reading: Reading) -> Iterator[Sample]:
    """Yields the samples of a folder; the setting `split` names a folder below `images` and `labels`.

    Raises:
        InputError: There are no classes, a label file has no photo, or a line cannot be taken (unless `on_invalid`
            returns).
    """
    classes = _classes(path, reading.settings.get("classes"))
    split = reading.settings.get("split", "")
    labels = with_suffix(reading.files(path / LABELS / split), ".txt") if is_folder(path / LABELS / split) else []
    if not labels:
        raise InputError(str(path / LABELS / split), "there is no label file", "Look at the folder and the split.")
    photos = _photos(path / IMAGES / split, reading)
    repeated = Counter(Path(name).name for name in photos.values())
    ids: dict[str, str] = {}
    for file in labels:
        stem = file.relative_to(path / LABELS / split).with_suffix("").as_posix()
        photo = photos.pop(stem, None)
        size_hw = reading.size_of(f"./{photo}") if photo else None
        if photo is None or size_hw is None:
            reading.on_invalid(_no_photo(file, path / IMAGES / split / stem))
            continue
        name = Path(photo).name
        if repeated[name] > 1:
            name = photo if "/" in photo else f"./{photo}"
        yield from samples_of_photo(name, size_hw, _drawn(file, classes, size_hw, reading), reading.on_invalid, ids)
    if photos:
        first = shown(next(iter(photos.values())))
        reading.on_remark(f"photos without a label file, about which nothing is asked: {len(photos):,}, first {first}")


def _no_photo(file: Path, photo: Path) -> InputError:
    return InputError(
        str(file),
        f"there is no photo {photo} that can be read, whose size the shares are of",
        "Put the photo there, or pass --skip-invalid.",
    )


def _photos(folder: Path, reading: Reading) -> dict[str, str]:
    """Returns the photos below a folder, each by its path without the suffix."""
    found: dict[str, str] = {}
    for file in sorted(reading.files(folder)) if is_folder(folder) else ():
        name = file.relative_to(folder)
        stem = name.with_suffix("").as_posix()
        if stem in found:
            raise InputError(str(file), f"{found[stem]} has the same label file", "Rename one of the two.")
        found[stem] = name.as_posix()
    return found


def _drawn(file: Path, classes: Mapping[int, str], size_hw: SizeHW, reading: Reading) -> Iterator[Drawn]:
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reading.on_invalid(InputError(str(file), f"it cannot be read ({error})", FIX))
        return
    for number, line in enumerate(lines, start=1):
        where = f"{file}, line {number}"
        words = line.split()
        if not words:
            continue
        try:
            kind = _class_of(words[0], classes)
            yield Drawn(where, fitted(_shape(words[1:], size_hw), size_hw), kind, {})
        except ValueError as error:
            reading.on_invalid(InputError(where, str(error), FIX))


def _class_of(word: str, classes: Mapping[int, str]) -> str:
    if not word.isdigit() or int(word) not in classes:
        known = f"from 0 to {max(classes)}" if classes else "none"
        raise ValueError(f"the class {word} is none of data.yaml; there are {known}")
    return classes[int(word)]


def _shape(words: Sequence[str], size_hw: SizeHW) -> TargetShape:
    numbers = [float(word) for word in words]
    height, width = size_hw
    if len(numbers) != 4 and (len(numbers) < 6 or len(numbers) % 2):
        raise ValueError(f"a line has a class and 4 numbers, or 3 points or more; here are {len(numbers)} numbers")
    wrong = next((number for number in numbers if not -_ROUNDED <= number <= 1 + _ROUNDED), None)
    if wrong is not None:
        hint = "; are these pixels?" if wrong > 2 else ""
        raise ValueError(f"{wrong:g} is no share of the photo, from 0 to 1{hint}")
    if len(numbers) == 4:
        x0, y0, x1, y1 = cxcywh_to_xyxy(numbers).tolist()
        return Box(cast(Sides, (x0 * width, y0 * height, x1 * width, y1 * height)))
    points = zip(numbers[0::2], numbers[1::2], strict=True)
    return Polygon((tuple((x * width, y * height) for x, y in points),))


def _classes(folder: Path, told: str | None) -> dict[int, str]:
    if told:
        return dict(enumerate(name.strip() for name in told.split(",")))
    file = _yaml_of(folder)
    if file is None:
        raise InputError(
            str(folder), "there is no data.yaml that names the classes", "Name them: --option classes=cat,dog."
        )
    yaml = needed("yaml", "data.yaml")
    try:
        values: Any = yaml.safe_load(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise InputError(str(file), f"it is no YAML that can be read ({_one_line(error)})", "Fix it.") from error
    names = values.get("names") if isinstance(values, dict) else None
    pairs = enumerate(names) if isinstance(names, list) else (names or {}).items() if _is_names(names) else ()
    found = {number: str(name) for number, name in pairs}
    if not found or any(type(number) is not int for number in found):
        raise InputError(str(file), f"names is {names!r}; a list of classes is needed here", "Fix it.")
    return found


def _is_names(names: object) -> bool:
    return isinstance(names, dict)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _yaml_of(folder: Path) -> Path | None:
    return next((folder / name for name in _YAML if is_file(folder / name)), None)


def write(samples: Iterable[Sample], path: Path) -> int:
    """Writes labels and `data.yaml` into a new folder; returns how many samples have a region, which are kept.

    Raises:
        InputError: The size of a photo is not known, of which coordinates are shares.
    """
    (path / LABELS).mkdir(parents=True)
    (path / IMAGES).mkdir()
    classes: dict[str, int] = {}
    owners: dict[Path, str] = {}
    count = 0
    for photo, asked in by_photo(samples).items():
        lines = [line for sample in asked for line in _lines(sample, classes)]
        new_file_for(photo, path / LABELS, ".txt", owners).write_text("".join(lines), encoding="utf-8")
        count += sum(bool(sample.truth.targets) for sample in asked)
    names = "".join(f"  {number}: {_quoted(name)}\n" for name, number in classes.items())
    text = f"path: .\ntrain: {IMAGES}\nval: {IMAGES}\nnames:\n{names}"
    (path / _YAML[0]).write_text(text, encoding="utf-8")
    return count


def _quoted(name: str) -> str:
    """Returns a name in YAML's quotes: JSON's, but for signs that end a line there or are not allowed."""
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in json.dumps(name, ensure_ascii=False))


def _lines(sample: Sample, classes: dict[str, int]) -> Iterator[str]:
    size_hw = sample.query.size_hw
    for target in sample.truth.targets:
        if size_hw is None:
            why = "the size of its photo is not known, of which YOLO's numbers are shares"
            raise InputError(sample.query.id, why, "Put the photos below the root of the data set.")
        kind = classes.setdefault(class_of(target), len(classes))
        for numbers in _numbers(target.shape, size_hw):
            yield f"{kind} {' '.join(repr(number) for number in numbers)}\n"


def _numbers(shape: TargetShape, size_hw: SizeHW) -> Iterator[list[float]]:
    height, width = size_hw
    if isinstance(shape, Box):
        x0, y0, x1, y1 = shape.xyxy
        yield [(x0 + x1) / 2 / width, (y0 + y1) / 2 / height, (x1 - x0) / width, (y1 - y0) / height]
        return
    for ring in rings(shape, size_hw):
        yield [share for x, y in ring for share in (x / width, y / height)]


FORM = Form(
    "yolo",
    "YOLO (a folder: images, labels, data.yaml)",
    read,
    write,
    photos=IMAGES,
    lost={
        **OF_REGIONS,
        "parts": "each becomes a region of its own",
        "mask": "it becomes the outlines of its parts, without holes",
        "soft_map": "it becomes the outlines of the places of at least one half",
        "annotator": LEFT_OUT,
        "unnamed_region": f"its class is `{NO_CLASS}`",
        "size": "it is read from the photo, which must lie in `images`",
        "question": "it is made of the class",
        "id": "it is made of photo and class; questions of one photo and class become one",
    },
)
