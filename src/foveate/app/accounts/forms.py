"""The forms of accounts."""

from __future__ import annotations

import zoneinfo
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from foveate.app.accounts import people
from foveate.app.accounts.invitations import MOST_DAYS, MOST_USES, Offer
from foveate.app.accounts.models import User
from foveate.app.accounts.passwords import AtTheFirst
from foveate.app.accounts.roles import ROLES
from foveate.app.annotate.models import Project
from foveate.errors import FoveateError

# Django's own classes do not take a type when they run.
if TYPE_CHECKING:
    ModelForm = forms.ModelForm[User]
    CreationForm = BaseUserCreationForm[User]
    ChoiceOfProject = forms.ModelChoiceField[Project]
else:
    ModelForm = forms.ModelForm
    CreationForm = BaseUserCreationForm
    ChoiceOfProject = forms.ModelChoiceField

ROLE_NAMES = {
    "admin": _("Admin"),
    "organiser": _("Organiser"),
    "annotator": _("Annotator"),
    "participant": _("Participant"),
}


def sentence(error: FoveateError) -> str:
    """Returns an error as it stands beside a field, which says itself where it is."""
    problem = error.problem[:1].upper() + error.problem[1:]
    return f"{problem}. {error.remedy}"


class ProfileForm(ModelForm):
    """What a person says of themselves."""

    timezone = forms.ChoiceField(
        label=_("Time zone"), required=False, help_text=_("Times on pages are shown in it; without one, in UTC.")
    )

    class Meta:
        model = User
        fields = ("display_name", "email", "theme", "timezone")
        help_texts = {
            "display_name": _("Shown to others instead of your account's name."),
            "email": _("Nothing is sent to it; admins can see it."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = sorted(name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith("Etc/"))
        choice = self.fields["timezone"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [("", "UTC"), *((name, name.replace("_", " ")) for name in names)]
        self.fields["display_name"].widget.attrs["autocomplete"] = "nickname"
        self.fields["email"].widget.attrs["autocomplete"] = "email"


class JoinForm(AtTheFirst, CreationForm):
    """A new account of somebody who was invited."""

    class Meta:
        model = User
        fields = ("username", "display_name")
        help_texts = {"display_name": _("Shown to others instead of your account's name.")}

    def clean_username(self) -> str:
        """Returns a name that is free, and told apart from all others by more than its case."""
        try:
            return people.check_name(self.cleaned_data["username"])
        except FoveateError as error:
            raise ValidationError(sentence(error)) from error


class TokenForm(forms.Form):
    """A personal API token."""

    name = forms.CharField(
        label=_("What is it for?"), max_length=100, help_text=_("So that you know later which one this is.")
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        coerce=int,
        choices=[(30, _("30 days")), (90, _("90 days")), (365, _("One year"))],
        initial=90,
    )


class ProjectField(ChoiceOfProject):
    """A project, by its title."""

    def label_from_instance(self, obj: Project) -> str:
        """Returns what the choice says."""
        return obj.title


class InvitationForm(forms.Form):
    """What an invitation offers."""

    role = forms.ChoiceField(label=_("Role"))
    project = ProjectField(
        label=_("Project"),
        queryset=Project.objects.none(),
        required=False,
        empty_label=_("No project in particular"),
        help_text=_("They become a member of it."),
    )
    days = forms.IntegerField(label=_("Valid for days"), min_value=1, max_value=MOST_DAYS, initial=14)
    uses = forms.IntegerField(label=_("For how many people"), min_value=1, max_value=MOST_USES, initial=1)
    note = forms.CharField(
        label=_("Note"), max_length=200, required=False, help_text=_("Whom it is for. Those invited do not see it.")
    )

    def __init__(self, maker: User, data: Any = None) -> None:
        super().__init__(data)
        role, project = self.fields["role"], self.fields["project"]
        assert isinstance(role, forms.ChoiceField)
        assert isinstance(project, forms.ModelChoiceField)
        role.choices = [(name, ROLE_NAMES[name]) for name in people.may_invite(maker)]
        role.initial = "annotator"
        project.queryset = Project.objects.exclude(state="closed").order_by("title")

    def offer(self) -> Offer:
        """Returns what was filled in."""
        return Offer(**self.cleaned_data)


class RolesForm(forms.Form):
    """Which roles a person has."""

    roles = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=[(role, ROLE_NAMES[role]) for role in ROLES],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("An admin may do all that the others may."),
    )


class DeactivateForm(forms.Form):
    """Why a person is shut out."""

    why = forms.CharField(label=_("Reason"), max_length=200, help_text=_("Admins see it, and it is in the audit log."))


class LeaveForm(forms.Form):
    """That a person means it, and is who they are."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(label=_("Delete my account. This cannot be undone."))

    def __init__(self, user: User, data: Any = None) -> None:
        super().__init__(data)
        self.user = user

    def clean_password(self) -> str:
        """Returns the password, if it is theirs."""
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise ValidationError(_("This is not your password."))
        return password


class LogForm(forms.Form):
    """Which rows of the audit log."""

    action = forms.ChoiceField(label=_("Action"), required=False)
    actor = forms.CharField(label=_("Who did it"), max_length=150, required=False)
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, actions: list[str], data: Any = None) -> None:
        super().__init__(data)
        action = self.fields["action"]
        assert isinstance(action, forms.ChoiceField)
        action.choices = [("", _("All")), *((name, name) for name in actions)]

    def filters(self) -> dict[str, Any]:
        """Returns what was chosen; nothing of fields that cannot be understood."""
        return dict(self.cleaned_data) if self.is_valid() else {}
