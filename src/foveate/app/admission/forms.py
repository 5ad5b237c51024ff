"""The forms of admissions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from foveate.annotation.origin import Origin
from foveate.annotation.reading import read_ids
from foveate.app.admission.services.making import TRIAL_TASKS, GoldFrom, NewAdmission
from foveate.app.annotate.forms import FolderField
from foveate.quality.qualification import AdmissionSettings
from foveate.quality.requirements import Record, Requirements

_SPLIT = str.maketrans({";": ",", "\n": ","})
LARGEST_TABLE = 5_000_000


class SettingsFields(forms.Form):
    """What is asked of people, and what may be changed later."""

    least_tasks = forms.IntegerField(
        label=_("Earlier tasks, at least"),
        min_value=1,
        max_value=2_000_000_000,
        required=False,
        initial=500,
        help_text=_("Empty: it does not matter."),
    )
    least_percent = forms.DecimalField(
        label=_("Of these accepted, more than so many percent"),
        min_value=0,
        max_value=99,
        max_digits=4,
        decimal_places=2,
        required=False,
        initial=95,
        help_text=_("Empty: it does not matter."),
    )
    regions = forms.CharField(
        label=_("Where people must be"),
        max_length=2_000,
        required=False,
        help_text=_("Codes of countries such as US, or other words, with commas between. Empty: anywhere."),
    )
    by_declaration = forms.BooleanField(
        label=_("What people say of themselves counts"),
        required=False,
        initial=True,
        help_text=_("Where you have imported nothing about them. Otherwise they wait for your import."),
    )
    threshold = forms.FloatField(
        label=_("A region is accepted above an IoU of"), min_value=0, max_value=0.99, initial=0.7, step_size=0.01
    )
    attempts = forms.IntegerField(
        label=_("Attempts at each gold question"), min_value=1, max_value=50, initial=3, help_text=_("Then it is over.")
    )
    failed_in_all = forms.IntegerField(
        label=_("Attempts that may fail in all"),
        min_value=0,
        max_value=1000,
        initial=6,
        help_text=_("One more, and it is over."),
    )
    wait_minutes = forms.FloatField(
        label=_("Minutes between two attempts at a question"), min_value=0, max_value=24 * 60, initial=1
    )
    wait_grows = forms.FloatField(
        label=_("With each further one, so many times longer"), min_value=1, max_value=10, initial=2
    )
    note = forms.CharField(
        label=_("What people are told"),
        max_length=10_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Above the steps, as plain text: what the work is, what is paid, when they hear from you."),
    )

    def settings(self) -> AdmissionSettings:
        """Returns the settings of a form that is valid."""
        values = self.cleaned_data
        percent = values["least_percent"]
        requirements = Requirements(
            least_tasks=values["least_tasks"],
            least_share=None if percent is None else float(percent / 100),
            regions=tuple(values["regions"].translate(_SPLIT).split(",")),
            by_declaration=values["by_declaration"],
        )
        names = ("threshold", "attempts", "failed_in_all", "wait_minutes", "wait_grows")
        return AdmissionSettings(requirements=requirements, **{name: values[name] for name in names})

    @staticmethod
    def begin(settings: AdmissionSettings, note: str) -> dict[str, Any]:
        """Returns what the form begins with."""
        asked = settings.requirements
        return {
            **settings.model_dump(exclude={"requirements"}),
            "least_tasks": asked.least_tasks,
            "least_percent": None if asked.least_share is None else round(asked.least_share * 100, 2),
            "regions": ", ".join(asked.regions),
            "by_declaration": asked.by_declaration,
            "note": note,
        }


class NewAdmissionForm(SettingsFields):
    """An admission that is to be made."""

    gold_from = forms.ChoiceField(
        label=_("Gold questions come from"),
        choices=[
            ("dataset", _("A data set with targets")),
            ("project", _("Tasks of a project here that were adjudicated")),
            ("file", _("A file of submissions on the server, as foveate annotate import writes it")),
        ],
        widget=forms.RadioSelect,
        initial="dataset",
    )
    gold = forms.CharField(
        label=_("Its name"),
        max_length=1000,
        help_text=_("Of the data set as NAME:SPLIT, the short name of the project, or the path of the file."),
    )
    root = FolderField(help_text=_("Where the data set's files, or the file's photos, lie."))
    ids = forms.CharField(
        label=_("Which samples"),
        widget=forms.Textarea(attrs={"rows": 5}),
        required=False,
        help_text=_("One id a line, in the order in which people meet them. Empty: all. Ten that are hard are enough."),
    )
    trial_tasks = forms.IntegerField(
        label=_("Tasks of the trial"), min_value=0, max_value=500, initial=TRIAL_TASKS, help_text=_("0: there is none.")
    )
    trial_from = forms.SlugField(
        label=_("Its tasks come from the project"),
        required=False,
        max_length=60,
        help_text=_("Its short name. Empty: from this project. They are copied; gold is left out."),
    )
    field_order = ["gold_from", "gold", "root", "ids", "trial_tasks", "trial_from"]

    def plan(self) -> NewAdmission:
        """Returns what is to be made, of a form that is valid."""
        values = self.cleaned_data
        name, root, source = values["gold"].strip(), values["root"], values["gold_from"]
        ids = read_ids(values["ids"].splitlines())
        if source == "project":
            gold = GoldFrom(project=name, ids=ids)
        elif source == "file":
            gold = GoldFrom(Origin.of_texts("folder", root, "") if root else None, Path(name), ids=ids)
        else:
            gold = GoldFrom(Origin.of_texts(name, root, ""), ids=ids)
        return NewAdmission(gold, values["trial_tasks"], values["trial_from"], self.settings(), values["note"])


class DeclarationForm(forms.Form):
    """What somebody says of their earlier work; only what is asked for."""

    tasks = forms.IntegerField(
        label=_("How many tasks have you done before, here or on other platforms?"),
        min_value=0,
        max_value=2_000_000_000,
    )
    accepted = forms.IntegerField(label=_("How many of them were accepted?"), min_value=0, max_value=2_000_000_000)
    region = forms.CharField(
        label=_("In which country are you?"), max_length=100, help_text=_("Its code of two letters: US, DE, KE.")
    )
    true = forms.BooleanField(label=_("This is true."), help_text=_("You can say it once only."))

    def __init__(self, asked: Requirements, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if asked.least_share is None:
            del self.fields["accepted"]
        if asked.least_tasks is None and asked.least_share is None:
            del self.fields["tasks"]
        if not asked.regions:
            del self.fields["region"]
        if not asked.any:
            del self.fields["true"]

    def clean(self) -> dict[str, Any]:
        """Looks whether no more were accepted than done."""
        values = self.cleaned_data
        tasks, accepted = values.get("tasks"), values.get("accepted")
        if tasks is not None and accepted is not None and accepted > tasks:
            self.add_error("accepted", _("That is more than you have done."))
        return values

    def record(self) -> Record | None:
        """Returns what a valid form says; None where nothing was asked."""
        values = self.cleaned_data
        if not self.fields:
            return None
        return Record(tasks=values.get("tasks"), accepted=values.get("accepted"), region=values.get("region", ""))


class DecisionForm(forms.Form):
    """Whether somebody is admitted, and why."""

    admit = forms.ChoiceField(
        label=_("What is decided"),
        choices=[("yes", _("Admit: they become a member of the project")), ("no", _("Do not admit"))],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("What they are told"),
        max_length=2_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("They read it on their page. Do not tell what the gold questions' answers are."),
    )


class ImportForm(forms.Form):
    """A table of earlier work."""

    table = forms.FileField(
        label=_("Table (CSV)"),
        help_text=_("Columns: person (account or e-mail address), tasks, accepted; also region and source."),
    )

    def clean_table(self) -> Any:
        """Looks whether the file is not too large."""
        file = self.cleaned_data["table"]
        if file.size > LARGEST_TABLE:
            raise forms.ValidationError(_("This file is larger than 5 MB."))
        return file
