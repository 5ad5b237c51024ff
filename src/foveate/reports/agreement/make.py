"""An agreement report from submissions: the page, the table of pairs, and the numbers as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from foveate.annotation.submissions import Submission
from foveate.evaluation.wording import counted
from foveate.quality.agreement import AgreementReport
from foveate.quality.pairs import Pairs
from foveate.reports.agreement import rows
from foveate.reports.agreement.page import sections_of
from foveate.reports.agreement.pictures import Shown, worst_album
from foveate.reports.heads import versions
from foveate.reports.sections.keys import apart
from foveate.reports.sections.page import html
from foveate.reports.sections.parts import Table
from foveate.reports.sections.write import AGREEMENT, Written, as_csv, write_folder
from foveate.runs.provenance import provenance
from foveate.sources.folders import PhotoFolder

PAGE, JSON, PAIRS = "agreement.html", "agreement.json", "pairs.csv"


def write_agreement(
    found: AgreementReport, submissions: Sequence[Submission], out: Path, *, root: Path | None = None
) -> Written:
    """Writes the folder of an agreement; an earlier one is replaced.

    Args:
        found: The agreement.
        submissions: What it is of, for questions and photos' names.
        out: The folder.
        root: The folder of the photos; None shows none.

    Raises:
        InputError: There is no such folder of photos.
        OutputError: The folder holds something else, or cannot be written.
        UnavailableError: Matplotlib is not installed.
    """
    shown = {one.task: Shown(one.image_name, one.question) for one in submissions}
    album, unseen = None, "Name the folder of the photos with --root, and they are shown here."
    if root is not None:
        album, problems = worst_album(found, shown, PhotoFolder(root))
        unseen = f"{counted(len(problems), 'task')} not shown on a photo; the first: {problems[0]}." if problems else ""
    sections = apart(sections_of(found, album, unseen))
    title = f"Agreement: {submissions[0].project}" if submissions else "Agreement"
    page = html(title, rows.overview(found), sections, [f"{versions(provenance())}."])
    more = {
        JSON: json.dumps(found.as_dict(), ensure_ascii=False, indent=1) + "\n",
        PAIRS: as_csv(pairs_table(found.pairs)),
    }
    files = {name: text.encode("utf-8", "backslashreplace") for name, text in more.items()}
    data = page.encode("utf-8", "backslashreplace")
    return write_folder(out, data, sections, files, name=PAGE, kind=AGREEMENT)


def pairs_table(pairs: Pairs) -> Table:
    """Returns every pair with all that is known of it."""
    head = ("task", "first", "second", "iou", "share_of_smaller", "first_covers", "second_covers", "relation")
    regions = pairs.regions
    columns = (
        [regions.tasks[n] for n in pairs.task.tolist()],
        *([regions.annotators[n] for n in who.tolist()] for who in pairs.annotators.T),
        pairs.iou.tolist(),
        pairs.smaller.tolist(),
        *(share.tolist() for share in pairs.coverage.T),
        pairs.relation.tolist(),
    )
    return Table("pairs", "Pairs", "", head, list(zip(*columns, strict=True)))
