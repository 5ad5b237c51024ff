"""What was read in photos, in words: for the terminal and for the chapter on text."""

from __future__ import annotations

from foveate.analysis.columns import Analysis
from foveate.analysis.text_counts import KindRead, kinds_read, photos_read, text_counts
from foveate.analysis.text_elsewhere import Text
from foveate.evaluation.wording import counted, percent

# What is counted, and of what.
WHAT = {
    "region_has_text": "the target has text",
    "photo_has_text": "the photo has text",
    "answer_in_region": "the answer is in the target's text",
    "answer_in_photo": "the answer is in the photo's text",
}
OF_WHAT = {
    "with_target": "samples with a target",
    "without_target": "samples without a target",
    "no_sample": "photos that no sample names",
}
HEAD = ("text", "of", "n", "found", "share")


def text_sentences(text: Text, analysis: Analysis) -> list[str]:
    """Returns how many photos of each kind were read, and why others were not."""
    kinds = kinds_read(text, analysis)
    photos = counted(len(photos_read(text, analysis)), "photo")
    there = "; ".join(_kind(kind) for kind in kinds if kind.photos)
    said = [f"Text was read in {photos}: {there}." if there else "There is no photo to read text in."]
    absent = sum(kind.absent for kind in kinds)
    if absent:
        said.append(f"{counted(absent, 'photo')} of the data set {'is' if absent == 1 else 'are'} not here.")
    problems = [*text.evidence.unread.values(), *text.untargeted.unread.values(), *text.unnamed.unread.values()]
    if problems:
        said.append(f"{counted(len(problems), 'photo')} could not be used, the first: {problems[0]}")
    return said


def text_rows(text: Text, analysis: Analysis) -> list[list[str]]:
    """Returns what was counted, as rows below `HEAD`; answers are left out where none is known."""
    return [
        [
            f"{WHAT[one.what]}, {one.rule}" if one.rule else WHAT[one.what],
            f"{OF_WHAT[one.kind]}{', with text and a known answer' if one.rule else ''}",
            f"{one.n:,}",
            f"{one.found:,}",
            percent(one.share),
        ]
        for one in text_counts(text, analysis)
        if one.n or not one.rule
    ]


def _kind(kind: KindRead) -> str:
    of = "that no sample names" if kind.kind == "no_sample" else f"of {OF_WHAT[kind.kind]}"
    return f"{kind.photos - kind.unread:,} {of} ({counted(kind.lines, 'line')})"
