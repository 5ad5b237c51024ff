"""The forms of cases and threads."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from foveate.app.annotate.models import Project, Task
from foveate.app.talk.cases import Words, why_not_shown
from foveate.app.talk.threads import LONGEST, Said


class CaseForm(forms.Form):
    """A tricky case."""

    title = forms.CharField(label=_("Title"), max_length=200, help_text=_("What people see at a glance."))
    text = forms.CharField(
        label=_("Text, in Markdown"),
        max_length=20_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=_("What is asked in such a case, and what is right. No name of a person."),
    )
    task = forms.CharField(
        label=_("Task that is shown as an example"),
        max_length=300,
        required=False,
        help_text=_(
            "Its name in the list of tasks. Only one that is done and no gold question, lest it be given away."
        ),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._project = project

    def clean_text(self) -> str:
        """Looks whether something is said."""
        text: str = self.cleaned_data["text"]
        if not text.strip():
            raise forms.ValidationError(_("Write what is right in this case."))
        return text

    def clean_task(self) -> Task | None:
        """Looks whether the task may be shown to everybody."""
        key: str = self.cleaned_data["task"]
        if not key:
            return None
        task = self._project.tasks.select_related("project").filter(key=key).first()
        if task is None:
            raise forms.ValidationError(_("The project has no task of this name."))
        if why := why_not_shown(task):
            raise forms.ValidationError(why)
        return task

    def words(self) -> Words:
        """Returns what is written, of a form that is valid."""
        values = self.cleaned_data
        return Words(values["title"], values["text"], values["task"])


class MessageForm(forms.Form):
    """A message."""

    text = forms.CharField(
        label=_("Message"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Plain text, at most 5,000 letters. No e-mail is sent: it is read here."),
    )
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "initial": {"key": uuid.uuid4(), **kwargs.get("initial", {})}})

    def said(self) -> Said:
        """Returns the message, of a form that is valid."""
        return Said(self.cleaned_data["text"], self.cleaned_data["key"])
