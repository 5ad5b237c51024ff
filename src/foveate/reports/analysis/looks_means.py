"""The chapter on mean images."""

from __future__ import annotations

from foveate.analysis.columns import Analysis
from foveate.analysis.mean_images import FRAME_HW, MeanImage, MeanImages
from foveate.evaluation.wording import counted, percent
from foveate.reports._text import cut
from foveate.reports.analysis.looks_pictures import beside, enlarged, heat
from foveate.reports.analysis.looks_shares import unread
from foveate.reports.analysis.titles import title_of
from foveate.reports.sections.parts import Album, Photo, Section

KEY, TITLE = "mean_images", "Mean images"
_SHOWN_HW = (192, 240)


def means_section(analysis: Analysis, found: MeanImages) -> Section:
    """Returns the chapter."""
    if not found.photos:
        return Section(
            KEY, TITLE, f"None of the photos of {analysis.name} with a target is here, so that there is no mean.", ()
        )
    few = f" {counted(found.few, 'group')} had fewer photos than {found.least}." if found.few else ""
    problems = unread(list(found.unread.values()))
    if not found.images:
        lead = f"No question or answer has {found.least} photos here, which a mean needs.{few}{problems}"
        return Section(KEY, TITLE, lead, ())
    height, width = FRAME_HW
    lead = (
        f"The mean of the photos of {counted(len(found.images), 'group')}, each stretched to {width} × {height}, "
        f"beside the mean of their targets.{few}{problems}"
    )
    names = dict.fromkeys(each.grouping for each in found.images)
    return Section(KEY, TITLE, lead, tuple(_album(name, found) for name in names))


def _album(name: str, found: MeanImages) -> Album:
    about = (
        "Left: the mean of the photos. Right: how many of their targets cover each place, from dark violet (none) to "
        "yellow (all). The more alike the photos, the sharper the mean."
    )
    photos = [_photo(each) for each in found.images if each.grouping == name]
    return Album(f"mean_images_{name}", f"By {title_of(name)}", about, photos)


def _photo(each: MeanImage) -> Photo:
    row, column = divmod(int(each.mask.argmax()), each.mask.shape[1])
    x, y = (column + 0.5) / each.mask.shape[1], (row + 0.5) / each.mask.shape[0]
    samples = f"{each.n:,} of {counted(each.of, 'sample')}" if each.n < each.of else counted(each.n, "sample")
    about = (
        f"{samples}. Where most targets lie, at ({x:.2f}, {y:.2f}), {percent(float(each.mask.max()), 0)} of them do."
    )
    picture = beside([enlarged(each.photo, _SHOWN_HW), heat(each.mask, _SHOWN_HW)])
    return Photo(cut(each.key, 80), about, picture)
