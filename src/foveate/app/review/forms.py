"""The forms of the checks."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from foveate.app.review import words
from foveate.quality.checks import RULES, CheckSettings


class DecisionForm(forms.Form):
    """What an organiser says of submissions that are shown."""

    submissions = forms.TypedMultipleChoiceField(coerce=int)
    verdict = forms.ChoiceField(choices=words.VERDICTS.items())
    word = forms.CharField(max_length=500, required=False)
    rules = forms.MultipleChoiceField(choices=[(rule, rule) for rule in RULES], required=False)

    def __init__(self, *args: object, shown: list[int], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        numbers = self.fields["submissions"]
        if isinstance(numbers, forms.TypedMultipleChoiceField):
            numbers.choices = [(number, str(number)) for number in shown]


class WordForm(forms.Form):
    """Why somebody is paused."""

    word = forms.CharField(max_length=500, required=False)


class ChecksForm(forms.Form):
    """The limits of a project's checks."""

    batch = forms.IntegerField(label=_("Submissions in a batch"), min_value=1, max_value=100)
    most_several_questions = forms.IntegerField(
        label=_("“More than one question” that a batch may have"), min_value=0, max_value=100
    )
    most_several_regions = forms.IntegerField(
        label=_("“More than one region” that a batch may have"), min_value=0, max_value=100
    )
    most_cannot_draw = forms.IntegerField(label=_("“Cannot draw” that a batch may have"), min_value=0, max_value=100)
    least_seconds = forms.FloatField(
        label=_("Seconds that a whole batch takes at least"),
        min_value=0,
        max_value=100_000,
        help_text=_("0: no such rule."),
    )
    least_points = forms.IntegerField(
        label=_("Points that an outline has at least"), min_value=0, max_value=1000, help_text=_("0: no such rule.")
    )
    most_few_points = forms.IntegerField(label=_("Outlines of a batch that may have fewer"), min_value=0, max_value=100)
    gold_threshold = forms.FloatField(
        label=_("IoU that a gold question needs more than"),
        min_value=0,
        max_value=0.999,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    least_peers = forms.FloatField(
        label=_("Mean IoU with the others at least"),
        min_value=0,
        max_value=1,
        help_text=_("0: no such rule."),
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    peers_over = forms.IntegerField(label=_("Over so many of the latest"), min_value=2, max_value=1000)
    idle_times = forms.FloatField(
        label=_("Times the usual that one task may take"),
        min_value=0,
        max_value=1000,
        help_text=_("The usual is the person's own median; under five minutes nothing is too long. 0: no such rule."),
    )
    inspect_number = forms.IntegerField(
        label=_("Drawn of each batch for inspection"),
        min_value=0,
        max_value=100,
        help_text=_("So many submissions of each batch are looked at by hand, drawn by chance."),
    )
    inspect_share = forms.FloatField(
        label=_("Share drawn besides"),
        min_value=0,
        max_value=1,
        help_text=_("Of all submissions: 0.05 is one of twenty."),
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    seed = forms.IntegerField(
        label=_("Seed of what is drawn"),
        min_value=0,
        help_text=_("Another seed draws others; the same draws the same."),
    )

    def settings(self) -> CheckSettings:
        """Returns the settings of a form that is valid."""
        return CheckSettings.model_validate(self.cleaned_data)
