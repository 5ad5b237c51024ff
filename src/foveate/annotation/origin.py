"""Where a project's photos and questions come from: a data set, or a folder of photos without any."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from foveate.core.queries import Image
from foveate.datasets._open import Dataset, open_dataset
from foveate.datasets._releases import is_release
from foveate.errors import InputError
from foveate.sources.folders import PHOTO_SUFFIXES, PhotoFolder, files_below, folder_problem
from foveate.sources.places import is_file

FOLDER = "folder"


@dataclass(frozen=True)
class Origin:
    """What `--dataset`, `--root` and `--questions` name.

    Attributes:
        dataset: The data set as `NAME` or `NAME:SPLIT`, or the path of a file or folder of one's own.
        root: The folder of its files and photos, where it needs one.
        questions: The table of questions, for `folder`.
    """

    dataset: str
    root: Path | None = None
    questions: Path | None = None

    @classmethod
    def of_texts(cls, dataset: str, root: str, questions: str) -> Origin:
        """Returns the same of texts, of which empty ones are not given."""
        return cls(dataset, Path(root) if root else None, Path(questions) if questions else None)

    def fixed(self, name: str) -> Origin:
        """Returns the same with absolute paths and the split, so that it can be opened from anywhere, later.

        Args:
            name: The data set's name with its split.
        """
        is_path = self.dataset.partition(":")[0] != name.partition(":")[0] and name.partition(":")[0] == "own"
        before, _, after = self.dataset.rpartition(":")
        # A release that is named by its folder is found there again, whatever releases have its name.
        folder = next((Path(text) for text in (self.dataset, before or after) if is_release(Path(text))), None)
        root = self.root or folder
        return Origin(
            str(Path(self.dataset).absolute()) if is_path else name,
            root.absolute() if root else None,
            self.questions.absolute() if self.questions else None,
        )

    @property
    def is_plain(self) -> bool:
        """Whether it is a folder of photos without a table of questions."""
        if self.dataset.partition(":")[0] != FOLDER or self.root is None or self.questions is not None:
            return False
        return not any(is_file(self.root / name) for name in ("questions.csv", "questions.jsonl"))


def opened(origin: Origin) -> Dataset:
    """Returns the data set; nothing of it is read yet.

    Raises:
        UsageError: There is no such data set or split, or a folder that it needs is not given.
        InputError: What looks like a path is not there.
    """
    return open_dataset(origin.dataset, origin.root, questions=origin.questions)


def plain_photos(root: Path) -> list[str]:
    """Returns the photos of a folder by the names that `PhotoFolder.find` takes: paths below it.

    Raises:
        InputError: There is no such folder, or no photo in it, or a link leads to one elsewhere.
    """
    problem = folder_problem(root)
    if problem:
        raise InputError(str(root), problem, "Give the folder of the photos.")
    found = [path for path in files_below(root) if path.suffix.lower() in PHOTO_SUFFIXES]
    _refuse_links_out(root, found)
    paths = [path.relative_to(root) for path in found]
    if not paths:
        raise InputError(str(root), "there is no photo in it", f"Photos end in {', '.join(sorted(PHOTO_SUFFIXES))}.")
    # A bare name would mean any photo of that name however deep it lies; `./` means the one in the folder itself.
    deeper = {path.name for path in paths if len(path.parts) > 1}
    return [f"./{path.name}" if len(path.parts) == 1 and path.name in deeper else path.as_posix() for path in paths]


def _refuse_links_out(root: Path, paths: list[Path]) -> None:
    """Looks whether all files really lie below a folder: people are shown them, and nothing else of the machine."""
    real = root.resolve()
    for path in paths:
        target = path.resolve()
        if not target.is_relative_to(real):
            remedy = f"Copy it into {root}, or take the link away."
            raise InputError(str(path), f"a link leads out of the folder, to {target}", remedy)


def photo_finder(origin: Origin) -> Callable[[str], Image | None]:
    """Returns what finds a photo by the name that a task has; the data set is read once.

    Raises:
        InputError: The data set cannot be read any more.
        UsageError: It cannot be opened.
    """
    if origin.is_plain and origin.root is not None:
        return PhotoFolder(origin.root).find
    photos: dict[str, Image | None] = {}
    for query in opened(origin).queries():
        photos.setdefault(query.image_name, query.image)
    return photos.get
