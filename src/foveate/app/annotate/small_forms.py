"""The forms of the stages that need no canvas."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from foveate.annotation.problems import LONGEST_QUESTION
from foveate.app.annotate import words


class SmallForm(forms.Form):
    """What a person fills in (`of_work`), and what the page needs to save it."""

    of_work: ClassVar[tuple[str, ...]] = ()
    # A draft may be without them, so that the server's rules for sending ask for them, not the form.
    needed: ClassVar[tuple[str, ...]] = ("outcome",)
    use_required_attribute = False

    # The version that was read; the page's own name; the key by which sending twice is once.
    base = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    tab = forms.CharField(max_length=40, widget=forms.HiddenInput)
    key = forms.UUIDField(widget=forms.HiddenInput)
    # When the page was made, and the seconds of attention before that.
    since = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    before = forms.FloatField(min_value=0, max_value=1e6, widget=forms.HiddenInput)

    def ready(self) -> SmallForm:
        """Returns the form as it is shown: what a submission needs is not called optional."""
        for name in self.needed:
            self.fields[name].required = True
        return self

    def clean(self) -> dict[str, Any]:
        """Makes an empty choice what a draft says: not chosen yet."""
        values = self.cleaned_data
        values["outcome"] = values.get("outcome") or None
        return values


class AskForm(SmallForm):
    """A question about a photo."""

    of_work = ("outcome", "question", "answer", "comment")
    needed = ("outcome", "question")

    outcome = forms.ChoiceField(
        label=_("Is there something to ask about?"),
        choices=[("asked", _("Yes, I ask this question")), ("nothing", _("No, nothing in this photo"))],
        widget=forms.RadioSelect,
        required=False,
    )
    question = forms.CharField(
        label=_("Question"),
        max_length=LONGEST_QUESTION,
        required=False,
        help_text=_("Its answer must be one object of the photo, and only one."),
    )
    answer = forms.CharField(
        label=_("Answer"), max_length=200, required=False, help_text=_("The object in a word or two.")
    )
    comment = forms.CharField(
        label=_("Comment"), max_length=2_000, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )


class VerifyForm(SmallForm):
    """Whether a box is the one right answer."""

    of_work = ("outcome", "comment")

    outcome = forms.ChoiceField(
        label=_("Is the outlined object the answer to the question?"),
        choices=[(name, words.VERDICTS[name]) for name in words.VERDICTS],
        widget=forms.RadioSelect,
        required=False,
    )
    comment = forms.CharField(
        label=_("Comment"), max_length=2_000, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )
