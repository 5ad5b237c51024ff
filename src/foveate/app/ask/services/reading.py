"""The text in a photo or in an answer's region, and why an answer is what it is."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest

from foveate.app.ask.services import asking, further
from foveate.assist.desk import ReadText
from foveate.assist.placing import Style
from foveate.assist.why import Reasons
from foveate.assist.why import reasons as reasons_of
from foveate.perception.text_lines import TextLine


def text(request: HttpRequest, ticket: str, *, whole: bool = False, wait: float = 0.0) -> tuple[TextLine, ...]:
    """Returns the lines in an answer's region, in the order in which they are read; of the photo where it has none.

    Args:
        request: Who asks.
        ticket: Of the question.
        whole: Whether the whole photo is read, whatever the answer.
        wait: As for `asking.state`.

    Raises:
        NotYetError: They are not read yet.
        RefusedError: They cannot be read, or the question is not theirs, not here, or no longer.
    """
    final = asking.result(request, ticket, wait=wait).answered.prediction.final
    region = None if whole else final
    name = "text" if region is None else "text of the region"
    return cast("tuple[TextLine, ...]", further.of(request, ticket, name, ReadText(region), wait))


def why(
    request: HttpRequest, ticket: str, style: Style = "plain", language: str | None = None, *, wait: float = 0.0
) -> tuple[str, ...]:
    """Returns why an answer is what it is, in sentences.

    Raises:
        NotYetError: It is not answered yet.
        RefusedError: There is no answer, or it is not theirs, not here, or no longer.
    """
    return reasons(request, ticket, style, language, wait=wait).sentences


def reasons(
    request: HttpRequest, ticket: str, style: Style = "plain", language: str | None = None, *, wait: float = 0.0
) -> Reasons:
    """Returns the same sentences, those about what else was considered apart.

    Raises:
        NotYetError: It is not answered yet.
        RefusedError: There is no answer, or it is not theirs, not here, or no longer.
    """
    return reasons_of(asking.result(request, ticket, wait=wait).answered, style, language)
