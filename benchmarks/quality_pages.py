"""How long the organisers' and reviewers' pages of large projects take, and how many queries each asks.

A database is made with a screening of 33,000 samples that two people have answered, a project of 45,000 tasks with two
submissions each, and an admission of 500 candidates. Each page is asked for three times; the quickest is printed, with
the queries of the first.

Run: python -m benchmarks.quality_pages [--samples 33000] [--candidates 500] [--tasks 45000] [--postgres] [--only PART]
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks._quality_state import Sizes, make

_TIMES = 3


def main(words: Sequence[str]) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in vars(Sizes()).items():
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL that is started for it")
    parser.add_argument("--only", default="", help="pages in whose address this stands")
    options = parser.parse_args(words)
    sizes = Sizes(options.samples, options.candidates, options.tasks)
    with tempfile.TemporaryDirectory(prefix="foveate-pages-") as folder:
        if not options.postgres:
            _run(Path(folder), sizes, options.only)
            return
        from tests.app import postgres

        with postgres.cluster() as url:
            os.environ["FOVEATE_TEST_DATABASE_URL"] = postgres.fresh(url)
            _run(Path(folder), sizes, options.only)


def _run(folder: Path, sizes: Sizes, only: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.app.settings")
    from foveate.app.start import start

    start(folder)
    logging.disable(logging.INFO)
    from foveate.app.database import migrate

    migrate()
    began = time.perf_counter()
    make(sizes)
    print(f"{sizes}: made in {time.perf_counter() - began:.0f} s")
    for who, path in pages():
        if only in path:
            _print(who, path)


def pages() -> Iterator[tuple[str, str]]:
    """Yields who asks for which page."""
    from foveate.app.accounts.models import User
    from foveate.app.admission.models import Candidate
    from foveate.app.annotate.models import Task
    from foveate.app.rounds.models import Sample

    base, first = "/annotate/projects/large/", "/annotate/screenings/screened/"
    person = User.objects.get(username="person-0").pseudonym
    sample = Sample.objects.order_by("pk")[Sample.objects.count() // 2].pk
    task = Task.objects.filter(project__slug="large", gold=False).order_by("pk").first()
    organisers = ["/", "/annotate/projects/", "/annotate/screenings/", first, f"{first}several_questions/people/", base]
    organisers += [f"{base}checks/", f"{base}checks/inspection/", f"{base}checks/{person}/1/", f"{base}gold/"]
    organisers += [f"{base}gold/?page=2", f"{base}annotators/{person}/", f"{base}agreement/", f"{base}adjudicate/"]
    organisers += [f"{base}adjudicate/{task.pk if task else 0}/", f"{base}admission/people/"]
    organisers += [f"{base}admission/people/{Candidate.objects.order_by('pk')[0].pk}/"]
    organisers += [f"{base}tasks/", "/annotate/projects/large-trial/", "/annotate/projects/large-trial/checks/"]
    yield from (("organiser", path) for path in organisers)
    yield from (("person-0", path) for path in ("/annotate/", "/annotate/screenings/"))
    yield from (("person-0", f"{first}several_questions/{part}") for part in ("", f"{sample}/"))
    yield from (("candidate-0", path) for path in ("/annotate/", f"{base}admission/"))


def asked(who: str, path: str) -> tuple[float, int]:
    """Returns how many seconds a page took, and how many queries it asked."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from foveate.app.accounts.models import User

    client: Any = Client()
    client.force_login(User.objects.get(username=who))
    with CaptureQueriesContext(connection) as queries:
        began = time.perf_counter()
        answer = client.get(path)
        took = time.perf_counter() - began
    if answer.status_code not in (200, 302):
        raise SystemExit(f"{path}: {answer.status_code}")
    return took, len(queries)


def _print(who: str, path: str) -> None:
    taken = [asked(who, path) for _ in range(_TIMES)]
    print(f"  {min(took for took, _ in taken):6.2f} s  {taken[0][1]:4} queries  {who:12} {path}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
