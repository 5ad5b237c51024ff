"""Photos and words in which something private may be: flagged for a person to look at. Nothing is ever called safe.

Faces are looked for by `perception.faces`, printed text is read by `perception.read_text` and searched by
`perception.private_text`. What was found of a photo is kept (`analysis.photo_work`), so that the next look is quick.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from foveate.analysis.photo_work import Job, Looked, Settings, Work, look, pixels_of
from foveate.core.queries import Image
from foveate.execution.ground import RunProgress
from foveate.formats._sample_forms import Sample
from foveate.perception.private_text import KINDS, private_text

_MAKING = 1
# Whoever asks "Is this a passport?" shows nothing private by these words; the photo is looked at by itself.
_TALK = frozenset({"identity_paper", "letter"})


@dataclass(frozen=True, slots=True)
class Flag:
    """Why somebody must look at a photo, or at the words about it.

    Attributes:
        kind: A key of `perception.private_text.KINDS`.
        said: What was found, in short, its middle hidden.
        box: Left, top, right and bottom in whole pixels of the upright photo; None where it is in words.
    """

    kind: str
    said: str
    box: tuple[int, int, int, int] | None = None

    def __str__(self) -> str:
        where = "in the words" if self.box is None else "at {} {} {} {}".format(*self.box)
        return f"{KINDS[self.kind]} ({self.said}) {where}"


@dataclass(frozen=True)
class PrivateLook:
    """What looking found.

    Attributes:
        flags: By the photo's name, for every photo that was looked at or talked of; without a reason an empty list.
        unread: Why a photo could not be looked at, by its name.
        photos: How many photos were looked at.
    """

    flags: Mapping[str, list[Flag]]
    unread: Mapping[str, str] = field(default_factory=dict)
    photos: int = 0

    @property
    def flagged(self) -> list[str]:
        """The names of photos with a reason to look, or that could not be looked at."""
        return [name for name, flags in self.flags.items() if flags or name in self.unread]


def look_for_private(
    samples: Iterable[Sample],
    photos: Mapping[str, Image],
    settings: Settings,
    progress: RunProgress | None = None,
) -> PrivateLook:
    """Returns what looks private in photos and in the words about them.

    Args:
        samples: Whose questions and answers are searched.
        photos: The photos by name; those of samples that are not here are not looked at, their words are.
        settings: How photos are worked on, and where what was found is kept.
        progress: Is told how far it is.

    Raises:
        UnavailableError: The weights that find faces cannot be had.
        OutputError: What was found cannot be kept.
    """
    flags: dict[str, list[Flag]] = {}
    words: dict[str, dict[str, None]] = {}
    for sample in samples:
        said = words.setdefault(sample.query.image_name, {})
        said.update(dict.fromkeys((sample.query.question, *sample.truth.answers)))
    for name, texts in words.items():
        found = [one for text in texts for one in private_text([text]) if one.kind not in _TALK]
        flags[name] = [Flag(one.kind, one.said) for one in found]
    looked = look_at_photos(photos, settings, progress)
    for name, made in looked.made.items():
        flags.setdefault(name, [])
        flags[name] += [Flag(one["kind"], one["said"], _box(one["box"])) for one in made]
    for name in looked.unread:
        flags.setdefault(name, [])
    return PrivateLook(flags, looked.unread, len(photos))


def look_at_photos(photos: Mapping[str, Image], settings: Settings, progress: RunProgress | None = None) -> Looked:
    """Returns what looks private in each photo, as plain values, from where it is kept.

    Raises:
        UnavailableError: As for `look_for_private`.
        OutputError: As for `look_for_private`.
    """
    jobs = {name: Job(photo) for name, photo in photos.items()}
    return look(jobs, Work("private", _version(), _look_at), settings, "looking for what is private", progress)


def _version() -> str:
    from foveate.sources.weights import declared

    (file,) = declared("centerface").members
    return f"making {_MAKING} of faces {file.sha256} and text"


def _look_at(job: Job) -> list[dict[str, object]]:
    """Returns the flags of a photo, as JSON holds them."""
    from foveate.perception.faces import find_faces
    from foveate.perception.read_text import read_text

    pixels = pixels_of(job)
    found: list[dict[str, object]] = [
        {"kind": "face", "said": f"sure to {face.score:.2f}", "box": [round(side) for side in face.xyxy]}
        for face in find_faces(pixels)
    ]
    lines = read_text(pixels)
    for one in private_text([line.text for line in lines]):
        box = [round(side) for side in lines[one.line].xyxy]
        found.append({"kind": one.kind, "said": one.said, "box": box})
    return found


def _box(values: list[int]) -> tuple[int, int, int, int]:
    left, top, right, bottom = values
    return left, top, right, bottom
