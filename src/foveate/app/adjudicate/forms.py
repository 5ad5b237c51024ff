"""What the page without a script sends, as a decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from django.utils.translation import gettext as _

from foveate.annotation.work import BoxWork, GroundingWork, PolygonWork, Work
from foveate.app.adjudicate.services.decide import Decision
from foveate.app.refused import RefusedError

Stage = Literal["grounding", "box", "polygon"]
_LONGEST = 2_000
_DIGITS = 18


def decision_of(sent: Mapping[str, str], stage: Stage) -> Decision:
    """Returns the decision that a form says.

    Args:
        sent: Its fields: `act` is `reject`, `picked N`, `given N` or `mended RULE`.
        stage: Of the work that an answer is.

    Raises:
        RefusedError: It says none.
    """
    act, _space, number = sent.get("act", "").partition(" ")
    base, note = _whole(sent.get("base", "")), sent.get("note", "")[:_LONGEST].replace("\0", "")
    if act == "reject":
        return Decision("rejected", base, rejected(sent.get("why", ""), sent.get("reason_text", ""), stage), note=note)
    if act == "picked":
        return Decision("picked", base, picked=_whole(number), note=note)
    if act == "given":
        return Decision("given", base, target=_whole(number), note=note)
    if act == "mended" and number:
        return Decision("mended", base, rule=number[:100].replace("\0", ""), note=note)
    raise RefusedError(422, "not_valid", _("Nothing was chosen."), _("Pick one, or reject."))


def rejected(why: str, text: str, stage: Stage) -> Work:
    """Returns the work that says why there is no one region.

    Args:
        why: `several_questions`, `several_regions` (where these were asked), or a reason of somebody who cannot draw.
        text: What belongs to a reason.
        stage: Of the work.
    """
    reason_text = text[:_LONGEST].replace("\0", "")
    if stage == "grounding":
        if why == "several_questions":
            return GroundingWork(several_questions=True)
        if why == "several_regions":
            return GroundingWork(several_questions=False, several_regions=True)
        steps = GroundingWork(several_questions=False, several_regions=False, outcome="cannot_draw")
        return steps.model_copy(update={"reason": why or None, "reason_text": reason_text})
    kind = BoxWork if stage == "box" else PolygonWork
    return kind(outcome="cannot_draw", reason=why[:40] or None, reason_text=reason_text)


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else 0
