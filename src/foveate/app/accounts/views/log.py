"""The audit log, for admins."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from foveate.app.accounts import audit, log
from foveate.app.accounts.forms import LogForm
from foveate.app.accounts.roles import role_required


@require_safe
@role_required("admin")
def listed(request: HttpRequest) -> HttpResponse:
    """Shows the log, filtered by action, person and day."""
    form = LogForm(log.actions(), request.GET or None)
    page = Paginator(log.filtered(**form.filters()), 50).get_page(request.GET.get("page"))
    names = log.names_of(page)
    rows = [(row, names.get(row.about, row.about)) for row in page]
    return render(request, "accounts/log.html", {"form": form, "page_obj": page, "rows": rows})


@require_safe
@role_required("admin")
def as_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Sends the same rows as a CSV file."""
    filters = LogForm(log.actions(), request.GET or None).filters()
    said = {name: str(value) for name, value in filters.items() if value}
    audit.note(request, "audit.exported", filters=said)
    response = StreamingHttpResponse(log.as_csv(log.filtered(**filters)), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="foveate-audit.csv"'
    return response
