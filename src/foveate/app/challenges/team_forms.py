"""The forms of taking part and of teams."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from foveate.app.accounts.forms import JoinForm
from foveate.app.accounts.invitations import MOST_DAYS, MOST_USES
from foveate.app.challenges.services import team_links
from foveate.app.challenges.services.judging import LONGEST_REASON
from foveate.app.challenges.services.participants import Newcomer, digest_of
from foveate.challenges.team_names import LONGEST


class RulesForm(forms.Form):
    """That somebody accepts the rules; without rules there is nothing to tick."""

    rules = forms.BooleanField(label=_("I have read the rules, and accept them."))
    digest = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, rules: str, data: Any = None) -> None:
        super().__init__(data, initial={"digest": digest_of(rules)})
        if not rules:
            del self.fields["rules"]

    @property
    def accepted(self) -> str:
        """The digest of the rules that were shown when they were accepted."""
        return str(self.cleaned_data["digest"])


class SignUpForm(JoinForm):
    """A new account of somebody who takes part."""

    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        max_length=254,
        help_text=_("Nothing is sent to it; admins can see it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Rules come first: nobody is carried past them to the form.
        self.fields["username"].widget.attrs.pop("autofocus", None)

    def newcomer(self) -> Newcomer:
        """Returns what was filled in."""
        said = self.cleaned_data
        return Newcomer(said["username"], said["password1"], said["display_name"], said["email"])


class NameForm(forms.Form):
    """A team's name."""

    name = forms.CharField(label=_("Name of the team"), max_length=LONGEST)


class LinkForm(forms.Form):
    """What a link into a team offers."""

    days = forms.IntegerField(label=_("Valid for days"), min_value=1, max_value=team_links.MOST_DAYS, initial=7)
    uses = forms.IntegerField(label=_("For how many people"), min_value=1, max_value=team_links.MOST_USES, initial=1)


class ReasonForm(forms.Form):
    """Why a team is judged so."""

    why = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON, help_text=_("The team reads it."))


class InviteForm(forms.Form):
    """What an invitation to a challenge offers."""

    days = forms.IntegerField(label=_("Valid for days"), min_value=1, max_value=MOST_DAYS, initial=14)
    uses = forms.IntegerField(label=_("For how many people"), min_value=1, max_value=MOST_USES, initial=1)
    note = forms.CharField(
        label=_("Note"), max_length=200, required=False, help_text=_("Whom it is for. Those invited do not see it.")
    )
