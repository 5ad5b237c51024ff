"""The forms of entries."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

from foveate.app.challenges.entry_doors import MOST_IN_A_FORM
from foveate.app.challenges.services.entering import Words, check_words
from foveate.app.refused import RefusedError

_MOST_LINKS = 5
_is_address = URLValidator(schemes=["http", "https"])


class WordsForm(forms.Form):
    """What a team says of an entry."""

    method = forms.CharField(
        label=_("Method"),
        max_length=200,
        required=False,
        help_text=_("The name that the leaderboard shows beside your team’s."),
    )
    description = forms.CharField(
        label=_("How it works"),
        max_length=5_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Plain text. Others read it where the entry is public."),
    )
    links = forms.CharField(
        label=_("Links"),
        max_length=3_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("To a paper, code or weights: one a line, at most five."),
    )
    note = forms.CharField(
        label=_("Note"),
        max_length=5_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Only your team and the organisers read it."),
    )

    def clean_links(self) -> list[str]:
        """Looks whether each line is an address of the web."""
        lines = [line.strip() for line in self.cleaned_data["links"].splitlines() if line.strip()]
        if len(lines) > _MOST_LINKS:
            raise forms.ValidationError(_("At most five links."))
        for line in lines:
            try:
                _is_address(line)
            except forms.ValidationError as error:
                raise forms.ValidationError(
                    _("“%(line)s” is no address that begins with https://.") % {"line": line[:80]}
                ) from error
        return lines

    def clean(self) -> dict[str, Any]:
        """Looks whether what is said is what it seems to be."""
        values = self.cleaned_data
        try:
            said = {name: values.get(name, "") for name in ("method", "description", "note")}
            check_words(Words(**said, links=tuple(values.get("links", ()))))
        except RefusedError as refused:
            self.add_error(refused.details["field"], f"{refused.message} {refused.remedy}")
        return values

    def words(self) -> Words:
        """Returns what is said, of a form that is valid."""
        values = self.cleaned_data
        return Words(values["method"], values["description"], tuple(values["links"]), values["note"])


class EntryForm(WordsForm):
    """An entry: a file of the form itself, or an upload that the page's script has finished."""

    file = forms.FileField(label=_("File"), allow_empty_file=True, error_messages={"required": _("Choose a file.")})
    public = forms.BooleanField(
        label=_("Show it on the leaderboard"),
        required=False,
        initial=True,
        help_text=_("You may change that until the phase is over."),
    )
    upload = forms.UUIDField(required=False, widget=forms.HiddenInput)
    key = forms.UUIDField(widget=forms.HiddenInput)
    field_order = ("file", "method", "description", "links", "note", "public", "upload", "key")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "initial": {"key": uuid.uuid4(), **kwargs.get("initial", {})}})
        # What the page's script has uploaded is there already.
        self.fields["file"].required = not self.data.get("upload")

    def clean(self) -> dict[str, Any]:
        """Looks whether there is a file, and one that fits into a form."""
        values = super().clean()
        file = values.get("file")
        if file and not values.get("upload") and file.size > MOST_IN_A_FORM:
            self.add_error("file", _("Without JavaScript a file may have at most 50 MiB; the command line takes more."))
        return values
