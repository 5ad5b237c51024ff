"""What measures and groups of samples are called for people; what a fact means is on its data set's card."""

from __future__ import annotations

from foveate import plugins
from foveate.analysis.groups import OF_ALL
from foveate.reports._text import plain

# Every fact of our data sets whose name is no plain English once its underscores are blanks.
_TITLES = {
    "skills": "vision skill",
    "quality": "image quality",
    "flaws": "image flaw",
    "unrecognizable": "votes for unrecognisable",
    "instances": "number of instances",
    "crowd": "crowd in the photo",
    "structural": "kind of question",
    "semantic": "subject of the question",
    "detailed": "finer kind of question",
    "group": "group of answers",
    "balanced": "balanced part",
}

_MEASURES = {
    "x": "centre x",
    "y": "centre y",
    "complexity": "boundary complexity",
    "parts": "connected parts",
    "whole_image": "whole image",
    "text": "regions with text",
    "answer_in_text": "of these with the answer in it",
}


def measure_of(measure: str) -> str:
    """Returns what a measure is called.

    Example:
        >>> measure_of("x"), measure_of("coverage")
        ('centre x', 'coverage')
    """
    return _MEASURES.get(measure, measure)


def title_of(grouping: str) -> str:
    """Returns what a way to part the samples is called; a column that none of our data sets has keeps its own name.

    Example:
        >>> title_of("skills"), title_of("answer_type"), title_of("fact question")
        ('vision skill', 'answer type', 'column question')
    """
    kind, _, fact = grouping.partition(" ")
    if kind == "fact" and fact in OF_ALL:
        return f"column {fact}"
    return _TITLES.get(grouping, plain(grouping.replace("_", " ")) or "unnamed column")


def group_of(group: str) -> str:
    """Returns what one group is called, whose key stands behind a colon.

    Example:
        >>> group_of("quality: none"), group_of("")
        ('image quality: none', 'all')
    """
    name, colon, key = group.partition(": ")
    return f"{title_of(name)}: {key}" if colon else group or "all"


def meaning_of(dataset: str, grouping: str) -> str:
    """Returns what the card of a data set says of a fact; empty where it says nothing.

    Args:
        dataset: Its name, with or without a split.
        grouping: The fact.
    """
    name = dataset.partition(":")[0]
    if name not in plugins.modules("datasets"):
        return ""
    said: str = plugins.load("datasets", name).CARD.facts.get(grouping, "")
    return said
