"""The chapter on what is had without looking: each run beside whole image, centre box and the priors of a split."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.evaluation.priors_beside import SAID, Beside, PriorsBeside
from foveate.reports._text import cut
from foveate.reports.evaluation._intervals import Drawn, interval_plot
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import drawn

KEY, TITLE = "priors_beside", "Beside what is had without looking"
# Of several runs, so many are drawn; the table has all.
_MOST = 6
_REMARK = "to mind"


def priors_beside_section(found: Sequence[PriorsBeside]) -> Section | None:
    """Returns the chapter; None where there is no run.

    Args:
        found: Runs beside the same priors.
    """
    if not found:
        return None
    lead = "\n".join(one.sentence for one in found)
    there = [one for one in found if one.beside]
    if not there:
        return Section(KEY, TITLE, lead, ())
    notes = dict.fromkeys(note for one in there for note in one.notes)
    return Section(KEY, TITLE, "\n".join([lead, *notes]), [_figure(there), _table(there)])


def _figure(found: Sequence[PriorsBeside]) -> Figure:
    values = [
        Drawn(
            f"{cut(one.run, 24)} minus {_name(beside)}" if len(found) > 1 else f"minus {_name(beside)}",
            beside.difference.difference or 0.0,
            beside.difference.low,
            beside.difference.high,
            beside.standing,
            number,
        )
        for number, one in enumerate(found[:_MOST])
        for beside in one.beside
    ]
    title = f"Mean IoU of {found[0].run} minus that of each prior" if len(found) == 1 else "Mean IoU minus each prior's"
    about = (
        "Mark: the difference of mean IoU on the same samples; line: its 95 % interval, photos resampled. To the left "
        "of the dashed line the prior is better. Above or below: the interval leaves out 0 and the adjusted p is below "
        "0.05."
    )
    fig = interval_plot(values, "difference of mean IoU", zero="no difference")
    return drawn("priors_beside_intervals", title, about, fig)


def _name(beside: Beside) -> str:
    return SAID.get(beside.prior, beside.prior)


def _table(found: Sequence[PriorsBeside]) -> Table:
    rows: list[Sequence[Cell]] = []
    for one in found:
        for beside in one.beside:
            d = beside.difference
            bounds = [d.difference, d.low, d.high, d.p, d.p_holm]
            rows.append(
                [one.run, one.n, one.value, _name(beside), beside.value, *bounds, beside.standing, beside.remark]
            )
    head = ["run", "n", "mean IoU", "prior", "its mean IoU", "difference", "low", "high", "p", "p (Holm)", "the run is"]
    about = (
        "The run minus the prior, paired by sample. Whole image and centre box need nothing; best box, mean mask and "
        "prior by question are those of a training split, whose file foveate analyze --prior writes."
    )
    # A p of 0.0005, the least that there is here, must not be shown as 0.
    digits = {"p": 4, "p (Holm)": 4}
    minded = any(beside.remark for one in found for beside in one.beside)
    beside_page = () if minded else (_REMARK,)
    title = "Each run beside each prior"
    return Table("priors_beside", title, about, [*head, _REMARK], rows, digits_of=digits, beside=beside_page)
