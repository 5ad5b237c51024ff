"""The forms of screenings; what they mean is said by the services that they are handed to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from foveate.app.accounts.models import User
from foveate.app.annotate.forms import DataSetFields
from foveate.app.rounds.making import Plan, check_slug
from foveate.curation._rules import USUAL
from foveate.curation._rules import rules as rules_of

# Django's own class does not take a type when it runs.
if TYPE_CHECKING:
    ChoiceOfPerson = forms.ModelChoiceField[User]
else:
    ChoiceOfPerson = forms.ModelChoiceField

_NOBODY = {"required": _("Name a person.")}


def reviewers() -> Any:
    """Returns the people who may review: annotators and organisers who are here."""
    people = User.objects.filter(is_active=True, groups__name__in=("annotator", "organiser"))
    return people.distinct().order_by("username")


class TwoReviewers(forms.Form):
    """Two people who review, each by themselves."""

    first = ChoiceOfPerson(label=_("First reviewer"), queryset=User.objects.none(), error_messages=_NOBODY)
    second = ChoiceOfPerson(label=_("Second reviewer"), queryset=User.objects.none(), error_messages=_NOBODY)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            field = self.fields[name]
            if isinstance(field, forms.ModelChoiceField):
                field.queryset = reviewers()

    def clean(self) -> dict[str, Any]:
        """Looks whether two different people are named."""
        values = self.cleaned_data
        if values.get("first") is not None and values.get("first") == values.get("second"):
            self.add_error("second", _("One person cannot be both reviewers."))
        return values


class NewScreeningForm(TwoReviewers, DataSetFields):
    """A screening that is to be made; everything is checked before anything is."""

    first_samples = forms.IntegerField(label=_("Only so many samples"), min_value=1, required=False)
    rules = forms.CharField(
        label=_("Rules, in their order"),
        max_length=1000,
        initial=", ".join(USUAL),
        help_text=_("With commas between them. These are the paper's; they run once, when the screening is made."),
    )
    settings = forms.CharField(
        label=_("Settings of rules"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One a line, as rule.option=value: few_agree.fewest=5."),
    )
    who = forms.ChoiceField(
        label=_("Who reviews"),
        choices=[
            ("named", _("Two named people, each by themselves")),
            ("anyone", _("Whoever comes of annotators and organisers, at most two for each sample")),
        ],
        widget=forms.RadioSelect,
        initial="named",
    )
    closes_itself = forms.BooleanField(
        label=_("A round closes itself when both are through"),
        required=False,
        help_text=_("Otherwise you close it, and both can change their answers until then."),
    )
    field_order = [
        *("title", "slug", "dataset", "root", "questions", "first_samples", "rules", "settings"),
        *("who", "first", "second", "closes_itself"),
    ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Where whoever comes may review nobody is named.
        self.fields["first"].required = self.fields["second"].required = self["who"].value() == "named"

    def clean(self) -> dict[str, Any]:
        """Looks whether the rules are there, the reviewers two, the data set can be opened and the name is free."""
        values = self.cleaned_data
        if not {"rules", "settings"} & set(self.errors):
            self._told("settings" if values.get("settings") else "rules", self._check_rules)
        if values.get("who") == "named":
            TwoReviewers.clean(self)
        return DataSetFields.clean(self)

    def check_slug(self, slug: str) -> None:
        """Looks whether the short name can be had, and raises one of our errors where it cannot."""
        check_slug(slug)

    def _check_rules(self) -> None:
        rules_of(self._names(), self._settings())

    def _names(self) -> list[str]:
        return [name.strip() for name in self.cleaned_data["rules"].split(",") if name.strip()]

    def _settings(self) -> list[str]:
        return [line.strip() for line in self.cleaned_data["settings"].splitlines() if line.strip()]

    def plan(self) -> Plan:
        """Returns what is to be made, of a form that is valid."""
        values = self.cleaned_data
        return Plan(
            slug=values["slug"],
            origin=self.origin(),
            title=values["title"],
            rules=self._names(),
            settings=self._settings(),
            reviewers=(values["first"], values["second"]) if values["who"] == "named" else None,
            closes_itself=values["closes_itself"],
            first=values["first_samples"],
        )


class ListForm(forms.Form):
    """A list that was filled in elsewhere."""

    place = forms.TypedChoiceField(
        label=_("Whose list it is"),
        choices=[("1", _("The first reviewer's")), ("2", _("The second reviewer's"))],
        coerce=int,
        widget=forms.RadioSelect,
        initial="1",
    )
    file = forms.FileField(label=_("The filled list"), help_text=_("CSV with commas, at most 2 MB."))
    skip_invalid = forms.BooleanField(label=_("Pass over rows that cannot be taken, and count them"), required=False)
    overwrite = forms.BooleanField(
        label=_("Overwrite answers that differ"),
        required=False,
        help_text=_("Otherwise nothing is taken in where the list says something else than is answered."),
    )
