"""The forms of those who run challenges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from foveate.app.accounts.models import User


class LoadForm(forms.Form):
    """A challenge's folder: a zip for organisers; for admins also a place on the server."""

    archive = forms.FileField(
        label=_("The folder as a zip"),
        required=False,
        help_text=_("With challenge.toml, description.md, and the data that it names; at most 50 MiB."),
    )
    folder = forms.CharField(
        label=_("Or a folder on the server"),
        required=False,
        max_length=1000,
        help_text=_("Its absolute path. It is read where it lies, also when the challenge is loaded again."),
    )

    def __init__(self, *args: Any, admin: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not admin:
            del self.fields["folder"]
            self.fields["archive"].required = True

    def clean(self) -> dict[str, Any]:
        """Looks whether exactly one of the two is given."""
        values = self.cleaned_data
        if self.errors or "folder" not in self.fields:
            return values
        if bool(values.get("archive")) == bool(values.get("folder")):
            raise forms.ValidationError(_("Give either a zip or a folder."))
        if values.get("folder") and not Path(values["folder"]).is_absolute():
            self.add_error("folder", _("Write its absolute path."))
        return values


class OrganiserForm(forms.Form):
    """Somebody who is to run a challenge."""

    name = forms.CharField(label=_("Name for signing in"), max_length=150)

    def clean_name(self) -> User:
        """Returns the account, which must have the role of an organiser."""
        people = User.objects.filter(username=self.cleaned_data["name"], is_active=True)
        found = people.filter(groups__name="organiser").first() or people.filter(is_superuser=True).first()
        if found is None:
            raise forms.ValidationError(_("There is no organiser of this name."))
        return found
