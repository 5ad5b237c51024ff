"""A data set written in another form: what would be lost is told first, and nothing is left half-written."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from foveate.core.boxes import SizeHW, size_difference
from foveate.core.queries import Image
from foveate.datasets._open import Dataset
from foveate.errors import InputError, UsageError, some
from foveate.formats._drawn import inside
from foveate.formats._losses import FEATURES, losses
from foveate.formats._sample_forms import Form, Sample, put_together
from foveate.formats.sample_forms import FORMS, form_named
from foveate.sources.embedded import EmbeddedImage
from foveate.sources.images import FileImage
from foveate.sources.new_files import new_place, refuse_taken

Photos = Literal["link", "copy", "none"]
_FIRST = 3


@dataclass
class Loss:
    """One kind of loss.

    Attributes:
        name: Of `foveate.formats._losses.FEATURES`.
        becomes: What becomes of it.
        n: How many samples it is of.
        first: The first ids of them.
    """

    name: str
    becomes: str
    n: int = 0
    first: list[str] = field(default_factory=list)

    def note(self, sample_id: str) -> None:
        """Counts a sample."""
        self.n += 1
        if len(self.first) < _FIRST:
            self.first.append(sample_id)

    def __str__(self) -> str:
        who = "1 sample has" if self.n == 1 else f"{self.n:,} samples have"
        more = "first " if self.n > _FIRST else ""
        return f"{who} {FEATURES[self.name]}: {self.becomes} ({more}{some(self.first)})"


@dataclass(frozen=True)
class Converted:
    """What was written.

    Attributes:
        out: The file or folder.
        form: The name of its form.
        n: How many samples were read.
        kept: How many of them are in it.
        losses: What was lost.
        skipped: The errors of the rows passed over.
        photos: How many photos were written beside, and how many are absent.
        remarks: What the reader of the data set has to say.
    """

    out: Path
    form: str
    n: int
    kept: int
    losses: Mapping[str, Loss]
    skipped: list[str]
    photos: Mapping[str, int]
    remarks: list[str]


def convert(
    data: Dataset,
    out: Path | str,
    *,
    to: str | Form | None = None,
    lossy: bool = False,
    photos: Photos = "none",
    on_loss: Callable[[Loss], None] = lambda _: None,
) -> Converted:
    """Writes a data set as a new file or folder, and returns what was written.

    Args:
        data: What is read, twice: to find what would be lost, and to write.
        out: Where nothing is yet.
        to: The form, or its name; by default what the suffix says (`.jsonl`, `.parquet`, `.csv`).
        lossy: Write although the form cannot hold everything.
        photos: Whether photos are put beside: as links, as copies, or not at all.
        on_loss: Called with each kind of loss before anything is written.

    Raises:
        UsageError: The form is not known.
        InputError: The data set is broken or empty, nothing of it would be left, or the form loses something and
            `lossy` is not said.
        OutputError: There is something at `out` already, or it cannot be written.
    """
    place = Path(out)
    form = _form(place, to)
    beside = place / form.photos if form.is_folder else place.with_name(f"{place.stem}_photos")
    for taken in [place] if form.is_folder or photos == "none" else [place, beside]:
        refuse_taken(taken)
    n, found = _first_pass(data, form)
    for loss in found.values():
        on_loss(loss)
    if "no_region" in found and found["no_region"].n == n:
        raise _nothing_left(place, form, n)
    if found and not lossy:
        names = ", ".join(FEATURES[name] for name in found)
        raise InputError(
            str(place),
            f"{form.title} cannot hold all of this: samples have {names}",
            "Pass --lossy to write the rest; jsonl and parquet hold everything.",
        )
    carrier = _Carrier(photos)
    with new_place(place) as part:
        kept = form.write((sample for sample, _ in carrier.passing(_samples(data, photos != "none"))), part)
        if photos != "none":
            _place_photos(carrier, part / form.photos if form.is_folder else beside, form.is_folder)
    return Converted(place, form.name, n, kept, found, list(data.skipped), carrier.counts, list(data.remarks))


def _form(out: Path, to: str | Form | None) -> Form:
    if to is not None:
        return to if isinstance(to, Form) else form_named(to)
    form = next((f for f in FORMS.values() if out.suffix.lower() in f.suffixes and out.suffix.lower() != ".json"), None)
    if form is None:
        raise UsageError(
            str(out), "its suffix does not tell the form that is to be written", f"Say --to {', '.join(FORMS)}."
        )
    return form


def _nothing_left(out: Path, form: Form, n: int) -> InputError:
    """Returns the refusal where every sample would be left out, which `--lossy` does not ask for."""
    who = "the one sample has no region" if n == 1 else f"none of the {n:,} samples has a region"
    problem = f"nothing would be left: {who}, and {form.title} leaves out a question without one"
    *most, last = [other.name for other in FORMS.values() if "no_region" not in other.lost]
    return InputError(str(out), problem, f"Write {', '.join(most)} or {last}, which keep it.")


def _first_pass(data: Dataset, form: Form) -> tuple[int, dict[str, Loss]]:
    n = 0
    found: dict[str, Loss] = {}
    for sample, _ in _samples(data, with_images=False):
        n += 1
        for name in losses(sample, form):
            found.setdefault(name, Loss(name, form.lost[name])).note(sample.query.id)
    if not n:
        raise InputError(data.name, "it has no sample", "Look at its files and options.")
    return n, {name: found[name] for name in FEATURES if name in found}


def _samples(data: Dataset, with_images: bool) -> Iterator[tuple[Sample, Image | None]]:
    for query, truth in data.pairs(with_images=with_images):
        yield put_together(query, truth, data.name), query.image


class _Carrier:
    """Remembers the photos of the samples that pass, each once."""

    def __init__(self, way: Photos) -> None:
        self.way = way
        self.images: dict[str, tuple[Image | None, SizeHW | None]] = {}
        self.counts: Counter[str] = Counter()

    def passing(self, samples: Iterator[tuple[Sample, Image | None]]) -> Iterator[tuple[Sample, Image | None]]:
        for sample, image in samples:
            if self.way != "none":
                self.images.setdefault(inside(sample.query.image_name), (image, sample.query.size_hw))
            yield sample, image

    def put(self, folder: Path) -> None:
        for name, (image, size_hw) in self.images.items():
            if image is None:
                self.counts["absent"] += 1
                continue
            difference = size_difference(image.size_hw, size_hw) if size_hw else None
            if difference:
                raise InputError(name, f"the photo is {difference}", "Give the photos that the data set is about.")
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            _put(image, place, self.way)
            self.counts["written"] += 1


def _put(image: Image, place: Path, way: Photos) -> None:
    if isinstance(image, EmbeddedImage):
        place.write_bytes(image.read())
    elif not isinstance(image, FileImage):
        raise InputError(image.name, "the photo is in no file that can be copied", "Leave --photos out.")
    elif way == "link":
        place.symlink_to(image.path.resolve())
    else:
        shutil.copyfile(image.path, place)


def _place_photos(carrier: _Carrier, folder: Path, is_in_out: bool) -> None:
    if is_in_out:
        carrier.put(folder)
        return
    with new_place(folder) as part:
        part.mkdir()
        carrier.put(part)
