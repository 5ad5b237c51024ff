"""The answer to a question, and how far it is."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from foveate.app.ask import words
from foveate.app.ask.forms import QuestionForm
from foveate.app.ask.services import asking
from foveate.app.ask.services.asking import Result
from foveate.app.ask.services.methods import methods
from foveate.app.ask.views._gate import asks, common, style_of, the_result
from foveate.app.refused import RefusedError
from foveate.assist.desk import AskWork

# What is told of a place of its own: not found, not allowed, too often.
_ELSEWHERE = frozenset({401, 403, 404, 429})
# So long a script waits for news at a time; longer would hold a thread of the server.
_NEWS = 2.0


@require_safe
@asks
def answer(request: HttpRequest, ticket: str) -> HttpResponse:
    """Shows an answer; until it is there, its turn; where it came to nothing, why, and what to do."""
    try:
        result = the_result(request, ticket)
    except RefusedError as error:
        if error.status in _ELSEWHERE:
            raise
        return _failed(request, ticket, error)
    return render(request, "ask/answer.html", {**_shown(request, result), **common()})


@require_safe
@asks
def state(request: HttpRequest, ticket: str) -> JsonResponse:
    """Returns how far something is, after a moment or as soon as it is done."""
    return JsonResponse(words.told(asking.state(request, ticket, _NEWS)))


def _shown(request: HttpRequest, result: Result) -> dict[str, Any]:
    reply, answered = result.reply, result.answered
    height, width = result.photo.size_hw
    return {
        "result": result,
        "key": result.key,
        "ticket": result.ticket,
        "reply": reply,
        "rest": " ".join(each for each in (reply.place, reply.certainty) if each),
        "region": answered.prediction.final,
        "width": width,
        "height": height,
        **_next(request, answered.question, answered.grounder),
    }


def _failed(request: HttpRequest, ticket: str, error: RefusedError) -> HttpResponse:
    asked = asking.request_of(request, ticket)
    work = asked.work if isinstance(asked.work, AskWork) else AskWork("?")
    values = {"said": error, "key": asked.key, "ticket": ticket, **_next(request, work.question, work.grounder)}
    return render(request, "ask/failed.html", {**values, **common()}, status=error.status)


def _next(request: HttpRequest, question: str, grounder: str) -> dict[str, Any]:
    """Returns what asking again and another method need."""
    return {
        "question": question,
        "grounder": grounder,
        "form": QuestionForm(auto_id="again_%s", initial={"style": style_of(request)}),
        "others": [each for each in methods() if not each.missing and each.card.name != grounder],
    }
