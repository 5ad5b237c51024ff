"""The chapter on priors: how far one gets without looking at the photo."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foveate.analysis.columns import Analysis
from foveate.analysis.priors import CENTRE, LEAST, OVERALL, WHOLE, Tried
from foveate.core.prior_cells import SHARE_OF_PEAK
from foveate.evaluation.wording import counted, percent
from foveate.formats.prior_npz import PriorFile, PriorGroup
from foveate.reports._text import MINUS, cut
from foveate.reports.analysis.looks_pictures import heat, jpeg
from foveate.reports.analysis.looks_shares import mean_of
from foveate.reports.analysis.titles import title_of
from foveate.reports.sections.parts import Album, Cell, Photo, Section, Table

KEY, TITLE = "priors", "Grounding without looking"
_SHOWN = 8
_SHOWN_HW = (150, 200)
_FIXED = (WHOLE, CENTRE)


def priors_section(analysis: Analysis, prior: PriorFile | None, tried: Sequence[Tried]) -> Section:
    """Returns the chapter.

    Args:
        analysis: The data set.
        prior: Its priors; None where there is no target.
        tried: How they did.
    """
    if prior is None:
        return Section(KEY, TITLE, f"No sample of {analysis.name} has a target, so that there is no prior.", ())
    usual = [each for each in tried if each.share in {None, SHARE_OF_PEAK}]
    parts: tuple[Table | Album, ...] = (_alone(analysis, usual), _sensitivity(tried), _places(prior), *_albums(prior))
    return Section(KEY, TITLE, _lead(usual), parts)


def _lead(usual: Sequence[Tried]) -> str:
    means = {each.name: float(each.values.mean()) for each in usual}
    others = {name: value for name, value in means.items() if name not in {*_FIXED, OVERALL}}
    said = (
        f"Without looking at the photo, the whole image has a mean IoU of {means[WHOLE]:.3f}, the centre box "
        f"{means[CENTRE]:.3f}, and the mean of all other targets {means[OVERALL]:.3f}."
    )
    if others:
        best = max(others, key=lambda name: others[name])
        more = others[best] - max(means[name] for name in (*_FIXED, OVERALL))
        said += f" The best of the others goes by {title_of(best)}: {others[best]:.3f}, "
        said += f"{more:+.3f} against the best of these.".replace("-", MINUS)
    return f"{said} A method that does no better has not been shown to look."


def _alone(analysis: Analysis, usual: Sequence[Tried]) -> Table:
    photos, whole = analysis.columns.photos, usual[0]
    rows: list[Sequence[Cell]] = []
    for each in usual:
        everything = np.ones(len(photos), dtype=bool)
        mean = mean_of(each.values, everything, photos)
        more = mean_of(each.values - whole.values, everything, photos)
        own = mean_of(each.values, each.own, photos)
        there = float(whole.values[each.own].mean()) if own.n else None
        difference = [None] * 3 if each is whole else [more.value, more.low, more.high]
        rows.append(
            [title_of(each.name), mean.n, mean.value, mean.low, mean.high, *difference, own.n, own.value, there]
        )
    about = (
        f"Mean IoU of masks. A prior is the mean of the other targets, none of the same photo; its region is the "
        f"places of at least {SHARE_OF_PEAK:g} of its highest value, which was chosen on the validation split of "
        f"VizWiz. A group with fewer than {LEAST} others falls back on all samples; the last three columns are those "
        "samples only where it does not. An answer or another "
        "fact is known to no method beforehand: such a row says how much the fact gives away. Intervals are of "
        "95 %, by a bootstrap over photos."
    )
    head = ["prior by", "n", "mean IoU", "low", "high", "more than whole image", "more, low", "more, high"]
    head += ["n with own prior", "mean IoU there", "whole image there"]
    return Table("priors_alone", "How far a prior alone gets", about, head, rows)


def _sensitivity(tried: Sequence[Tried]) -> Table:
    shares = sorted({each.share for each in tried if each.share is not None})
    names = dict.fromkeys(each.name for each in tried if each.share is not None)
    means = {(each.name, each.share): float(each.values.mean()) for each in tried}
    rows: list[Sequence[Cell]] = [[title_of(name), *(means[name, share] for share in shares)] for name in names]
    about = "Mean IoU by the share of the highest value from which on a place belongs to the region."
    head = ("prior by", *(f"from {share:g} of the peak" for share in shares))
    return Table("priors_thresholds", "How much the threshold matters", about, head, rows)


def _places(prior: PriorFile) -> Table:
    rows: list[Sequence[Cell]] = [["all samples", "", prior.n, *prior.centre, float(prior.mean.mean())]]
    rows += [
        [title_of(group.kind), group.key, group.n, *group.centre, float(group.mean.mean())] for group in prior.groups
    ]
    about = "Mean centre of mass, as shares of width and height, and mean coverage, of each group in the prior's file."
    return Table("priors", "Where targets lie", about, ("by", "which", "n", "x", "y", "coverage"), rows)


def _albums(prior: PriorFile) -> list[Album]:
    albums = [
        Album(
            "prior_all",
            "All samples",
            _ABOUT,
            [_photo(PriorGroup("", "all samples", prior.n, prior.centre, prior.mean))],
        )
    ]
    for kind in dict.fromkeys(group.kind for group in prior.groups):
        groups = [group for group in prior.groups if group.kind == kind][:_SHOWN]
        albums.append(Album(f"prior_{kind}", f"By {title_of(kind)}", _ABOUT, [_photo(group) for group in groups]))
    return albums


_ABOUT = "The share of targets that cover each place of the photo, from dark violet (none) to yellow (all)."


def _photo(group: PriorGroup) -> Photo:
    x, y = group.centre
    about = (
        f"{counted(group.n, 'target')}, centre at {x:.2f} of the width and {y:.2f} of the height; at most "
        f"{percent(float(group.mean.max()), 0)} cover one place, {percent(float(group.mean.mean()), 0)} an average one."
    )
    return Photo(cut(group.key, 60), about, jpeg(heat(group.mean, _SHOWN_HW)))
