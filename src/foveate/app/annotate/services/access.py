"""Who may do what with a project and its assignments; what a person may not know of is not found."""

from __future__ import annotations

from django.utils.translation import gettext as _

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role
from foveate.app.annotate.models import Assignment, Project
from foveate.app.refused import RefusedError


def not_found() -> RefusedError:
    """Returns what is answered about something that is not there, or not for this person."""
    return RefusedError(
        404, "not_found", _("There is nothing here."), _("Look at the address, or begin at the first page.")
    )


def is_in(person: User, project: Project) -> bool:
    """Returns whether an annotator is among a project's people."""
    if project.state == "draft" or not has_role(person, "annotator"):
        return False
    return project.everyone or project.members.filter(pk=person.pk).exists()


def project_to_work_on(person: User, slug: str) -> Project:
    """Returns a project whose tasks may be lent to a person now.

    Raises:
        RefusedError: There is none for this person (404), or nothing is lent now (409).
    """
    project = Project.objects.filter(slug=slug).first()
    if project is None or not is_in(person, project):
        raise not_found()
    refuse_unless_open(project)
    return project


def refuse_unless_open(project: Project) -> None:
    """Looks whether tasks are lent and taken back now.

    Raises:
        RefusedError: The project is paused or closed.
    """
    if project.state == "open":
        return
    if project.state == "paused":
        said = _("The project is paused; what you do is saved all the same.")
        raise RefusedError(409, "project_paused", said, _("Send it when the project goes on."))
    raise RefusedError(409, "project_closed", _("The project is closed."), _("Ask its organiser whether it goes on."))


def own_assignment(person: User, number: int, *, to_change: bool = False) -> Assignment:
    """Returns an assignment of a person, with its task and project.

    Args:
        person: Who asks.
        number: The assignment's.
        to_change: Whether no other transaction may change it until this one is over.

    Raises:
        RefusedError: It is not there, or is another person's, or the person has left the project (404).
    """
    found = Assignment.objects.select_related("task__project").filter(pk=number, annotator=person)
    if to_change:
        found = found.select_for_update(of=("self",), no_key=True)
    assignment = found.first()
    if assignment is None or not is_in(person, assignment.task.project):
        raise not_found()
    return assignment


def readable_submission(person: User, number: int) -> Assignment:
    """Returns an assignment that was submitted, to its annotator or an organiser.

    Raises:
        RefusedError: It is not there, nothing was sent, or it is not for this person (404).
    """
    found = Assignment.objects.select_related("submission", "task__project")
    assignment = found.filter(pk=number, submission__isnull=False).first()
    if assignment is None or not (assignment.annotator_id == person.pk or has_role(person, "organiser")):
        raise not_found()
    return assignment
