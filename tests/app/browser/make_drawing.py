"""Makes photos and tasks to draw on in a server's state, lent to its annotator, in a process of its own.

`python -m tests.app.browser.make_drawing DATA [DATABASE_URL]` prints `{what: [assignments]}`. Each task is in a
project of its own, so that no test sees another's.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from PIL import Image

# What the tests draw on: a name, the stage, the photo, how many of it.
WANTED = (
    ("grounding", "grounding", "plain.png", 12),
    ("polygon", "polygon", "plain.png", 48),
    ("box", "box", "plain.png", 8),
    ("tiny", "polygon", "tiny.png", 1),
    ("rotated", "box", "rotated.jpg", 1),
    ("large", "polygon", "large.jpg", 1),
)


def main(data: Path, database: str | None = None) -> None:
    """Makes all, and prints their numbers."""
    from foveate.app.start import start

    start(data, database)
    folder = data / "photos to draw on"
    sizes = _photos(folder)
    made = {
        name: [_lent(f"{name}-{n}", stage, photo, sizes[photo], folder) for n in range(count)]
        for name, stage, photo, count in WANTED
    }
    sys.stdout.write(json.dumps(made))


def _photos(folder: Path) -> dict[str, tuple[int, int]]:
    """Writes the photos; returns height and width of each as they are looked at."""
    folder.mkdir(parents=True, exist_ok=True)
    _picture(400, 300).save(folder / "plain.png")
    _picture(6, 4).save(folder / "tiny.png")
    _picture(4608, 3072).save(folder / "large.jpg", quality=90)
    exif = Image.Exif()
    exif[0x0112] = 6
    _picture(300, 200).save(folder / "rotated.jpg", exif=exif, quality=95)
    return {"plain.png": (300, 400), "tiny.png": (4, 6), "large.jpg": (3072, 4608), "rotated.jpg": (300, 200)}


def _picture(width: int, height: int) -> Image.Image:
    y, x = np.mgrid[:height, :width]
    square = ((x > width * 0.4) & (x < width * 0.6) & (y > height * 0.4) & (y < height * 0.6)) * 120
    channels = (x * 200 // width, y * 200 // height, square)
    return Image.fromarray(np.stack([np.asarray(one, np.uint8) for one in channels], axis=2))


def _lent(slug: str, stage: str, photo: str, size_hw: tuple[int, int], folder: Path) -> int:
    from foveate.annotation.kinds import ProjectSettings
    from foveate.app.accounts.models import User
    from foveate.app.annotate.models import Project, Task
    from foveate.app.annotate.services.lend import lend

    shape = {"shape": stage} if stage != "grounding" else {}
    settings = ProjectSettings.model_validate({**shape, "submissions": 1})
    project = Project.objects.create(
        slug=slug,
        title=slug,
        kind="grounding" if stage == "grounding" else "reannotation",
        state="open",
        dataset="folder",
        root=str(folder),
        settings=settings.model_dump(),
        instructions="Draw *closely*. <b>No</b> HTML.",
        made_by=User.objects.get(username="admin"),
    )
    # The second is what one comes to after the first.
    for position in range(2):
        Task.objects.create(
            project=project,
            key=f"{position}",
            position=position,
            image_name=photo,
            height=size_hw[0],
            width=size_hw[1],
            question="Where is the square?",
            answer="in the middle" if stage == "grounding" else "",
            stage=stage,
            wanted=1,
        )
    lent = lend(User.objects.get(username="annotator"), project)
    assert lent is not None
    return lent.assignment.pk


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
