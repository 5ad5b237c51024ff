"""Puts the annotator before a gold question: `python -m tests.app.browser.make_admission DATA [DATABASE_URL]`."""

from __future__ import annotations

import sys
from pathlib import Path


def main(data: Path, database: str | None = None) -> None:
    """Prints the number of the assignment."""
    from foveate.app.start import start

    start(data, database)
    from PIL import Image

    from foveate.app.accounts.models import User
    from foveate.app.admission.models import Admission
    from foveate.app.annotate.services.lend import lend
    from tests.app.admission.making import an_admission, applied

    admission = an_admission(data / "gold", User.objects.get(username="admin"), attempts=2)
    # Of the size that tests draw on; gold lies in a corner of it.
    for path in (data / "gold").glob("*.png"):
        Image.new("RGB", (400, 300), (90, 120, 160)).save(path)
    admission.qualification.tasks.update(width=400, height=300)
    person = User.objects.get(username="annotator")
    applied(person, Admission.objects.get(pk=admission.pk))
    lent = lend(person, admission.qualification)
    assert lent is not None
    sys.stdout.write(str(lent.assignment.pk))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
