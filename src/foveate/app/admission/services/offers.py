"""What annotators see of admissions on their first page."""

from __future__ import annotations

from django.urls import reverse

from foveate.app.accounts.models import User
from foveate.app.admission import words
from foveate.app.admission.models import Admission, Candidate
from foveate.app.admission.services.people import may_apply
from foveate.app.admission.services.standings import admission_of
from foveate.app.annotate.links import Offer
from foveate.app.annotate.models import Project

# Nothing is left to do for those who are here, unless an organiser wants it otherwise.
_OVER = ("refused", "failed")


def offers(person: User) -> list[Offer]:
    """Returns the projects that somebody may apply for, and those where they are not admitted yet, by title."""
    mine = {one.admission_id: one for one in Candidate.objects.filter(person=person)}
    rows = Admission.objects.select_related("project").exclude(project__state="closed").order_by("project__title", "pk")
    found = []
    for admission in rows:
        candidate = mine.get(admission.pk)
        if candidate is not None and candidate.applied_at is not None:
            if candidate.state != "admitted":
                stands = "over" if candidate.state in _OVER else "applied"
                found.append(_offer(admission, words.OFFERED[candidate.state], stands))
        elif may_apply(person, admission):
            found.append(_offer(admission, words.OFFERED["open"], "apply"))
    return found


def is_in_it(person: User, project: Project) -> bool:
    """Returns whether a person who works on a project came to it, or goes through it, as a candidate."""
    admission = admission_of(project)
    return admission is not None and Candidate.objects.filter(admission=admission, person=person).exists()


def _offer(admission: Admission, said: object, stands: str) -> Offer:
    return Offer(admission.project.title, reverse("admission:mine", args=[admission.project.slug]), str(said), stands)
