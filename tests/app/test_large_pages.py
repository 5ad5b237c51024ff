"""Pages of large projects ask a fixed number of queries, however much there is (`benchmarks/quality_pages.py`)."""

from __future__ import annotations

import pytest
from benchmarks import quality_pages
from benchmarks._quality_state import Sizes, make
from django.test import Client

from foveate.app.accounts.models import User
from foveate.app.admission.models import Admission, Candidate
from foveate.app.admission.services import reports
from foveate.quality.admissions import trial_facts

pytestmark = pytest.mark.django_db
# Many more rows than this stand on each page: one query a row would show.
_MOST = 25


def test_queries_are_few_and_a_candidate_is_compared_with_some(monkeypatch: pytest.MonkeyPatch) -> None:
    make(Sizes(samples=120, candidates=30, tasks=300))
    client = Client()
    client.force_login(User.objects.get(username="organiser"))
    for who, path in quality_pages.pages():
        if who == "organiser":
            client.get(path)  # What it measures is measured once.
            assert quality_pages.asked(who, path)[1] <= _MOST, path
    candidate = Candidate.objects.select_related("admission__trial", "person").order_by("pk")[0]
    everybody = reports.trial_of(candidate)
    judgements = reports.trial_judgements(Admission.objects.get())
    assert everybody == reports.Trial(trial_facts(judgements, str(candidate.person.pseudonym)), 29, 29)
    assert everybody.facts.pairs == 29 * 10
    page = f"/annotate/projects/large/admission/people/{candidate.pk}/"
    assert "Compared with" not in client.get(page).content.decode()
    monkeypatch.setattr(reports, "MOST_OTHERS", 4)
    some = reports.trial_of(candidate)
    assert some is not None
    assert (some.facts.sent, some.facts.pairs, some.compared, some.others) == (10, 4 * 10, 4, 29)
    assert some == reports.trial_of(candidate), "the same each time"
    assert "Compared with 4 of 29 others" in client.get(page).content.decode()
