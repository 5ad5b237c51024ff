"""The chapter on text in the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.analysis._regions import target_regions
from foveate.analysis.columns import Analysis
from foveate.analysis.published import published_of
from foveate.analysis.text_counts import KINDS, text_counts
from foveate.analysis.text_elsewhere import Text, photo_verdicts
from foveate.analysis.text_in_evidence import INSIDE, RULES, Evidence, TextFound, Verdicts, verdicts
from foveate.core.queries import Image
from foveate.core.rle import Rle
from foveate.datasets._open import Dataset
from foveate.errors import FoveateError
from foveate.evaluation.wording import counted, percent
from foveate.reports._text import cut
from foveate.reports.analysis.looks_pictures import outlined
from foveate.reports.analysis.looks_shares import between, mean_of, unread
from foveate.reports.analysis.text_words import OF_WHAT, WHAT
from foveate.reports.analysis.titles import title_of
from foveate.reports.sections.parts import Album, Cell, Photo, Section, Table

KEY, TITLE = "text", "Text in the evidence"
# The data set that the paper tells of, and how many regions it has.
_PUBLISHED, _PUBLISHED_N = "vizwiz_grounding", 9_998
_HEAD = ("what", "of", "n", "found", "share %", "low %", "high %", "published %")
_EXAMPLES = 4
_SHOWN_LINES = 6
_RULES_TOLD = (
    f"A line belongs to a region when at least {percent(INSIDE, 0)} of its pixels lie in it. Exact: the answer's words "
    "stand in the text in their order, one after another, in lower case, without accents and punctuation. Fuzzy: a "
    "word of at least five letters may differ in one letter."
)


def text_section(data: Dataset, analysis: Analysis, text: Text, images: Mapping[str, Image | None]) -> Section:
    """Returns the chapter.

    Args:
        data: The data set.
        analysis: Of the same.
        text: What was read.
        images: The photos by name, for the examples.
    """
    found, lead = text.evidence, [_elsewhere_told(text)]
    parts: list[Table | Album] = [_elsewhere(text, analysis)] if text.untargeted.seen or text.unnamed.seen else []
    if found.evidence:
        exact = verdicts(found, analysis)
        album = _album(data, analysis, found, exact, images)
        parts = [_shares(found, analysis), *parts, *_by_group(exact, analysis), *([album] if album.photos else [])]
        lead = [_lead(found, analysis, exact), *lead]
    else:
        lead = [_nothing(found, analysis), *lead]
    said = " ".join(sentence for sentence in lead if sentence)
    return Section(KEY, TITLE, said, tuple(parts))


def _nothing(found: TextFound, analysis: Analysis) -> str:
    if not found.photos:
        return f"None of the photos of {analysis.name} with a target is here, so that no text could be read in targets."
    return f"No text could be read in targets.{unread(list(found.unread.values()))}"


def _elsewhere_told(text: Text) -> str:
    """Returns sentences on photos without a target; empty where there is none."""
    said = []
    kinds = ((text.untargeted, "sample", "without a target"), (text.unnamed, "photo", "that no sample names"))
    for read, noun, which in kinds:
        of = photo_verdicts(read)
        if not len(of.photos):
            said += [unread(list(read.unread.values())).strip()]
            continue
        with_text = f"{int(of.has_text.sum()):,} ({percent(float(of.has_text.mean()))})"
        told = f"Of {counted(len(of.photos), noun)} {which}, {with_text} have text in the photo"
        there = of.has_text & of.answered
        if there.any():
            written = int((of.in_photo & there).sum())
            told += f"; of the {int(there.sum()):,} of these whose answer is known, it is written there in {written:,}"
        said.append(f"{told}.{unread(list(read.unread.values()))}")
    return " ".join(sentence for sentence in said if sentence)


def _elsewhere(text: Text, analysis: Analysis) -> Table:
    rows: list[Sequence[Cell]] = []
    for one in text_counts(text, analysis):
        if one.kind != KINDS[0]:
            share = mean_of(one.hits, one.of, one.photos)
            what = f"{WHAT[one.what]}, {one.rule}" if one.rule else WHAT[one.what]
            of = f"{OF_WHAT[one.kind]}{', with text and a known answer' if one.rule else ''}"
            rows.append([what, of, share.n, one.found, *share.percent])
    about = (
        "Photos without a target are read as a whole. A photo that no sample names counts where it lies among those of "
        "the split and is called as they are but for digits. Nothing here says that text is what answers a question. "
        "Intervals are of 95 %, by a bootstrap over photos."
    )
    head = ("what", "of", "n", "found", "share %", "low %", "high %")
    return Table("text_elsewhere", "Text in photos without a target", about, head, rows, 1)


def _lead(found: TextFound, analysis: Analysis, exact: Verdicts) -> str:
    photos = [analysis.columns.photos[row] for row in exact.rows.tolist()]
    text = mean_of(exact.has_text, np.ones(len(photos), dtype=bool), photos)
    answer = mean_of(exact.in_region, exact.has_text & exact.answered, photos)
    written = (
        f"in {percent(answer.value)} of the {answer.n:,} of these whose answer is known it is written "
        f"there{between(answer)}"
        if answer.n
        else "of none of these the answer is known"
    )
    has = "contains" if text.n == 1 else "contain"
    told = (
        f"{percent(text.value)} of {counted(text.n, 'target')} {has} text{between(text)}; {written}. "
        f"Published for all {_PUBLISHED_N:,} of VizWiz-VQA-Grounding: {_published('text'):.0f} % and "
        f"{_published('answer_in_text'):.0f} %."
    )
    if text.n != _PUBLISHED_N:
        told += f" Here it is {counted(text.n, 'sample')}, not those {_PUBLISHED_N:,}: the figures are not comparable."
    if text.n < len(analysis.columns):
        told += (
            f" A photo that can be read is here for {text.n:,} of the {len(analysis.columns):,} samples with a target."
        )
    return f"{told}{unread(list(found.unread.values()))} Read by {found.reader}."


def _published(measure: str) -> float:
    """Returns a published share as percent; NaN where none is at hand."""
    value = published_of(_PUBLISHED, measure)
    return float("nan") if value is None or value.mean is None else round(100 * value.mean, 1)


def _shares(found: TextFound, analysis: Analysis) -> Table:
    rows: list[Sequence[Cell]] = []
    for name, rule in RULES.items():
        of_lines = verdicts(found, analysis, rule)
        if not rows:
            rows += _has_text(of_lines, analysis, "region")
        rows += _found_rows(of_lines, analysis, name, "the region's text")
    if any(each.crop is not None for each in found.evidence):
        for name, rule in RULES.items():
            of_crop = verdicts(found, analysis, rule, crops=True)
            rows += _has_text(of_crop, analysis, "region, read by itself") if name == "exact" else []
            rows += _found_rows(of_crop, analysis, name, "the text of the region read by itself", photo=False)
    about = f"{_RULES_TOLD} Intervals are of 95 %, by a bootstrap over photos."
    return Table("text_in_evidence", "How often there is text, and the answer in it", about, _HEAD, rows, 1)


def _has_text(of: Verdicts, analysis: Analysis, where: str) -> list[Sequence[Cell]]:
    everything = np.ones(len(of.rows), dtype=bool)
    rows: list[Sequence[Cell]] = []
    rows.append(_row(f"{where} has text", "all targets", of.has_text, everything, of, analysis, _published("text")))
    if where == "region":
        rows.append(_row("photo has text", "all targets", of.photo_has_text, everything, of, analysis))
    return rows


def _found_rows(of: Verdicts, analysis: Analysis, rule: str, where: str, photo: bool = True) -> list[Sequence[Cell]]:
    text = of.has_text & of.answered
    published = _published("answer_in_text") if rule == "exact" else None
    rows: list[Sequence[Cell]] = []
    rows.append(_row(f"answer in {where}, {rule}", "targets with text", of.in_region, text, of, analysis, published))
    if photo:
        text = of.photo_has_text & of.answered
        rows.append(_row(f"answer in the photo's text, {rule}", "photos with text", of.in_photo, text, of, analysis))
    return rows


def _row(
    what: str,
    of_what: str,
    hits: NDArray[np.bool_],
    of: NDArray[np.bool_],
    verdict: Verdicts,
    analysis: Analysis,
    published: float | None = None,
) -> list[Cell]:
    share = mean_of(hits, of, [analysis.columns.photos[row] for row in verdict.rows.tolist()])
    return [what, of_what, share.n, int((hits & of).sum()), *share.percent, published]


def _by_group(of: Verdicts, analysis: Analysis) -> list[Table]:
    """Returns the table by answer type, skill and other facts; none where none is known."""
    at = {row: k for k, row in enumerate(of.rows.tolist())}
    photos = [analysis.columns.photos[row] for row in of.rows.tolist()]
    rows: list[Sequence[Cell]] = []
    for grouping in analysis.groupings.values():
        if grouping.name in {"question", "answer"}:
            continue
        for group in grouping.groups:
            member = np.zeros(len(of.rows), dtype=bool)
            member[[at[row] for row in group.rows.tolist() if row in at]] = True
            if member.any():
                text = mean_of(of.has_text, member, photos)
                answer = mean_of(of.in_region, member & of.has_text & of.answered, photos)
                rows.append([title_of(grouping.name), group.key, text.n, *text.percent, answer.n, *answer.percent])
    if not rows:
        return []
    head = ["by", "which", "n", "text %", "text low %", "text high %", "n with text"]
    head += ["found %", "found low %", "found high %"]
    about = "Text in the region, and of those with text and a known answer, the answer in it by the exact rule."
    return [Table("text_by_group", "Text by what is known of the samples", about, head, rows, 1)]


def _album(
    data: Dataset, analysis: Analysis, found: TextFound, of: Verdicts, images: Mapping[str, Image | None]
) -> Album:
    chosen = _examples(of)
    regions = {
        row: region
        for row, region in target_regions(data, analysis.columns)
        if row in {found.evidence[k].row for k in chosen}
    }
    photos = []
    for k in chosen:
        each = found.evidence[k]
        image = images.get(analysis.columns.photos[each.row])
        if image is not None:
            photos += _photo(image, each, regions[each.row], analysis, bool(of.in_region[k]))
    about = (
        "Up to four where the answer is written in the region, four with other text, four without, drawn once by a "
        "seed. The dashed line is the target, the yellow ones are lines of text that belong to it."
    )
    return Album("text_examples", "Examples", about, photos)


def _examples(of: Verdicts) -> list[int]:
    rng = np.random.default_rng(0)
    kinds = (of.in_region, of.has_text & ~of.in_region, ~of.has_text)
    chosen: list[int] = []
    for kind in kinds:
        places = np.flatnonzero(kind)
        chosen += sorted(rng.choice(places, min(_EXAMPLES, len(places)), replace=False).tolist())
    return chosen


def _photo(image: Image, each: Evidence, region: Rle, analysis: Analysis, written: bool) -> list[Photo]:
    columns = analysis.columns
    try:
        pixels = image.load()
    except FoveateError:
        return []  # It could be read before, and is counted nowhere else.
    said = [line.text for line in each.inside]
    shown = " / ".join(said[:_SHOWN_LINES]) + (" / …" if len(said) > _SHOWN_LINES else "")
    verdict = "it is written there" if written else "it is not found there"
    answer = columns.answers[each.row]
    about = f"Text in the target: {shown}. " if said else "No text in the target. "
    about += f"Answer: {answer}{f'; {verdict}' if said else ''}." if answer else "The answer is not known."
    return [Photo(cut(columns.questions[each.row], 80), cut(about, 300), outlined(pixels, region, each.inside))]
