"""The form of an entry that is a container."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from foveate.challenges.reproduction.running import Image
from foveate.errors import UsageError


class ContainerForm(forms.Form):
    """A container: an image by its name, or a file."""

    image = forms.CharField(
        label=_("Name of the image"),
        max_length=500,
        required=False,
        help_text=_("With its registry, and a tag or, better, a digest: registry/name@sha256:…"),
        widget=forms.TextInput(attrs={"autocapitalize": "off", "spellcheck": "false"}),
    )
    file = forms.FileField(
        label=_("Or its file"),
        required=False,
        help_text=_("As docker save writes it, at most 50 MiB; foveate challenge submit sends larger ones."),
    )
    method = forms.CharField(
        label=_("Method"), max_length=200, required=False, help_text=_("The name that the leaderboard shows.")
    )
    note = forms.CharField(
        label=_("Note"),
        max_length=5_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Only your team and the organisers read it."),
    )
    public = forms.BooleanField(label=_("Show it on the leaderboard"), required=False, initial=True)
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "initial": {"key": uuid.uuid4(), **kwargs.get("initial", {})}})

    def clean_image(self) -> str:
        """Looks whether it is a name of an image."""
        name: str = self.cleaned_data["image"].strip()
        if name:
            try:
                Image(name)
            except UsageError as error:
                raise forms.ValidationError(
                    _("This is not the name of an image: write name:tag or name@sha256:…")
                ) from error
        return name

    def clean(self) -> dict[str, Any]:
        """Looks whether there is one of the two."""
        values = self.cleaned_data
        if "image" not in self.errors and "file" not in self.errors and bool(values["image"]) == bool(values["file"]):
            self.add_error("image", _("Name an image, or choose a file; one of the two."))
        return values
