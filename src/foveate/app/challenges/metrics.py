"""`/metrics`: how the queue, its workers and the disk are, for Prometheus; asked locally, or with a token."""

from __future__ import annotations

import ipaddress
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, DurationField, F, Min, Sum
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from foveate.app.accounts.models import AuditEvent
from foveate.app.challenges.models import Entry, Job, Upload, Worker
from foveate.app.challenges.services.queue import LEASE
from foveate.app.config import Config
from foveate.app.refused import RefusedError
from foveate.app.serving import THROUGH_PROXY

# The text format of Prometheus, version 0.0.4.
_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Labels = Mapping[str, str]
Value = tuple[Labels, float]


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Returns the figures as Prometheus reads them."""
    if not _may_ask(request):
        raise RefusedError(
            403,
            "not_allowed",
            _("Only this machine, or who has the token, may read this."),
            _("Send FOVEATE_METRICS_TOKEN: Authorization: Bearer …"),
        )
    now = timezone.now()
    return HttpResponse("".join(line for family in _families(now) for line in family), content_type=_TYPE)


def _may_ask(request: HttpRequest) -> bool:
    config: Config = settings.CONFIG
    kind, _space, given = request.headers.get("Authorization", "").partition(" ")
    if config.metrics_token and kind.lower() == "bearer":
        return secrets.compare_digest(given.encode(), config.metrics_token.encode())
    try:
        local = ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
    # Who has come through a proxy on this machine is not local.
    return local and not request.META.get(THROUGH_PROXY)


def _families(now: datetime) -> Iterator[Iterator[str]]:
    yield from _of_entries()
    yield from _of_jobs(now)
    yield from _of_times()
    alive = Worker.objects.filter(stopped_at=None, seen_at__gt=now - LEASE).count()
    yield _family("workers", "gauge", "Workers that were heard of within a minute.", [({}, alive)])
    uploads = Upload.objects.aggregate(number=Count("pk"), received=Sum("received"))
    yield _family("uploads", "gauge", "Uploads that are not finished.", [({}, uploads["number"])])
    yield _family("upload_bytes", "gauge", "Bytes received of them.", [({}, uploads["received"] or 0)])
    yield _of_disk()


def _of_entries() -> Iterator[Iterator[str]]:
    rows = (
        Entry.objects.order_by().values_list("phase__challenge__slug", "phase__name", "state").annotate(n=Count("pk"))
    )
    values = [({"challenge": slug, "phase": phase, "state": state}, n) for slug, phase, state, n in rows]
    yield _family("entries", "gauge", "Entries by state.", values)
    given_back = AuditEvent.objects.filter(action="entry.given_back").count()
    yield _family("entries_given_back_total", "counter", "Entries lost by the platform's fault.", [({}, given_back)])
    size = Entry.objects.aggregate(size=Sum("file_bytes"))["size"] or 0
    yield _family("entry_bytes", "gauge", "Bytes of the files of entries.", [({}, size)])


def _of_jobs(now: datetime) -> Iterator[Iterator[str]]:
    rows = Job.objects.order_by().values("kind", "state").annotate(n=Count("pk"), first=Min("made_at"))
    found = list(rows)
    values = [({"kind": row["kind"], "state": row["state"]}, row["n"]) for row in found]
    yield _family("jobs", "gauge", "Jobs by kind and state.", values)
    oldest = {row["kind"]: row["first"] for row in found if row["state"] == "waiting"}
    ages = [
        ({"kind": kind}, max(0.0, (now - oldest[kind]).total_seconds()) if kind in oldest else 0.0)
        for kind, _label in Job.KINDS
    ]
    yield _family("queue_oldest_seconds", "gauge", "Age of the oldest job that waits; 0 where none does.", ages)
    ends = Job.objects.aggregate(entry=Sum("tries"), platform=Sum("deaths"))
    values = [({"fault": fault}, ends[fault] or 0) for fault in ("entry", "platform")]
    yield _family("job_bad_ends_total", "counter", "Tries that ended without an answer, by whose fault.", values)


def _of_times() -> Iterator[Iterator[str]]:
    waited = Sum(F("began_at") - F("made_at"), output_field=DurationField())
    rows = list(
        Job.objects.filter(state="done")
        .order_by()
        .values("kind")
        .annotate(n=Count("pk"), waited=waited, checked=Sum("check_seconds"), worked=Sum("work_seconds"))
    )
    counts = [({"kind": row["kind"]}, row["n"]) for row in rows]
    yield _family("jobs_done_total", "counter", "Jobs that are done, by kind.", counts)
    values: list[Value] = []
    for row in rows:
        seconds = {
            "wait": (row["waited"] or timedelta()).total_seconds(),
            "check": row["checked"],
            "work": row["worked"],
        }
        values += [({"kind": row["kind"], "stage": stage}, spent) for stage, spent in seconds.items()]
    yield _family("job_seconds_total", "counter", "Seconds of jobs that are done, by stage.", values)


def _of_disk() -> Iterator[str]:
    config: Config = settings.CONFIG
    disk = shutil.disk_usage(config.folder)
    values: list[Value] = [({"what": "used"}, disk.used), ({"what": "free"}, disk.free)]
    return _family("disk_bytes", "gauge", "Bytes of the disk of the data folder.", values)


def _family(name: str, kind: str, said: str, values: Iterable[Value]) -> Iterator[str]:
    yield f"# HELP foveate_{name} {said}\n# TYPE foveate_{name} {kind}\n"
    for labels, value in values:
        told = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
        number = int(value) if value == int(value) else value
        yield f"foveate_{name}{{{told}}} {number}\n" if told else f"foveate_{name} {number}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
