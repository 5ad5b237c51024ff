"""The chapter on how alike two people's annotations are."""

from __future__ import annotations

from typing import Any

import numpy as np

from foveate.analysis.agreement import EDGES, Agreement
from foveate.evaluation.wording import counted
from foveate.quality.pairs import PUBLISHED
from foveate.reports.sections.parts import Cell, Figure, Section, Table

KEY, TITLE = "agreement", "Agreement of annotators"


def agreement_section(found: Agreement) -> Section | None:
    """Returns the chapter; None where no sample was annotated by two."""
    count = len(found.values)
    if not count:
        return None
    shares = 100.0 * found.histogram() / count
    lead = (
        f"{counted(count, 'pair')} of annotations of {counted(len(set(found.ids)), 'sample')}: mean IoU "
        f"{found.values.mean():.3f}, median {np.median(found.values):.3f}; {shares[-1]:.1f} % are from 0.8 to 1 "
        f"and {shares[0]:.1f} % below 0.2. Published for VizWiz-VQA-Grounding: about 60 % and just over 10 %."
    )
    return Section(KEY, TITLE, lead, (_figure(found, lead), _table(found, shares)))


def _table(found: Agreement, shares: Any) -> Table:
    counts = found.histogram().tolist()
    rows: list[list[Cell]] = [
        [f"{low:g} to {high:g}", count, float(share), published]
        for low, high, count, share, published in zip(EDGES, EDGES[1:], counts, shares, PUBLISHED, strict=False)
    ]
    about = "Published figures are read from the text, which gives round numbers for three of the five ranges."
    return Table(
        "agreement_ranges", "Pairs by their IoU", about, ("IoU", "pairs", "share %", "published about %"), rows, 1
    )


def _figure(found: Agreement, about: str) -> Figure:
    from foveate.reports.sections.style import drawn, figure

    fig, axes = figure(6.0, 3.4)
    bins = np.linspace(0.0, 1.0, 21)
    share = 100.0 * np.histogram(found.values, bins=bins)[0] / len(found.values)
    axes.bar(bins[:-1], share, width=0.05, align="edge", color="#0072b2", edgecolor="white", linewidth=0.6)
    axes.set_xlim(0, 1)
    axes.set_xlabel("IoU of two annotations of one sample")
    axes.set_ylabel("share of pairs, %")
    return drawn("agreement", "How alike two annotations are", about, fig)
