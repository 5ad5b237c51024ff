"""The forms of asking: a photo, a question, a method, and how places are told."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from foveate.app.ask.services.methods import Method, methods
from foveate.assist.asking import DEFAULT_GROUNDER, LONGEST_QUESTION

# What phones make of it: photos of any sort; files whose sort the system does not know are told by their endings.
_PHOTOS = "image/*,.heic,.heif,.avif"
PLACES = (
    ("plain", _("In plain words: upper left, about a tenth of the photo")),
    ("metric", _("In per cent of the photo")),
    ("clock", _("As on a clock: at two o'clock, far out")),
)


class QuestionForm(forms.Form):
    """A question about a photo that is here already.

    Attributes:
        status: Of the answer to a form that is refused.
    """

    status = 422

    question = forms.CharField(
        label=_("Your question"),
        max_length=LONGEST_QUESTION,
        widget=forms.TextInput(attrs={"autocomplete": "off", "enterkeyhint": "go"}),
        error_messages={"required": _('Ask something, such as "What is this?"')},
    )
    grounder = forms.ChoiceField(label=_("Method"), initial=DEFAULT_GROUNDER, required=False)
    style = forms.ChoiceField(
        label=_("How places are told"), choices=PLACES, initial="plain", required=False, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        choices = [(each.card.name, _label(each)) for each in methods() if not each.missing]
        field = self.fields["grounder"]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    def clean_grounder(self) -> str:
        """Returns the method, the usual one where none is said."""
        return self.cleaned_data["grounder"] or DEFAULT_GROUNDER

    def clean_style(self) -> str:
        """Returns how places are told, in plain words where nothing is said."""
        return self.cleaned_data["style"] or "plain"


class AskForm(QuestionForm):
    """A photo, from the camera or from a file, and a question about it."""

    camera = forms.FileField(
        label=_("Take a photo"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/*", "capture": "environment"}),
    )
    file = forms.FileField(
        label=_("Choose a photo"),
        required=False,
        widget=forms.FileInput(attrs={"accept": _PHOTOS}),
    )
    field_order = ("camera", "file", "question", "grounder", "style")

    def clean(self) -> dict[str, Any]:
        """Returns the values; the photo is `photo`, wherever it comes from."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        given = [values[name] for name in ("camera", "file") if values.get(name)]
        if len(given) > 1:
            self.add_error("file", ValidationError(_("These are two photos: take one, or choose one.")))
        elif not given and not self.errors.keys() & {"camera", "file"}:
            self.add_error("file", ValidationError(_("There is no photo yet: take one, or choose one.")))
        values["photo"] = given[0] if given else None
        return values


def _label(method: Method) -> str:
    """Returns a method's name with where the photo goes, which must be heard before it goes there."""
    if method.card.sends_to:
        said = _("%(name)s: the photo is sent to %(place)s")
        return said % {"name": method.card.name, "place": method.card.sends_to}
    usual = _("%(name)s, the usual one") % {"name": method.card.name}
    return usual if method.is_default else method.card.name
