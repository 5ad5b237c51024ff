"""The forms of Annotate; what they mean is said by the services that they are handed to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from foveate import plugins
from foveate.annotation.kinds import ProjectSettings
from foveate.annotation.origin import Origin, opened
from foveate.annotation.reading import Choice, read_ids
from foveate.app.accounts.models import User
from foveate.app.annotate import words
from foveate.app.annotate.exports import Wanted
from foveate.app.annotate.projects import Plan, check_slug
from foveate.errors import FoveateError
from foveate.evaluation.suspects import Suspected, read_suspects
from foveate.sources.folders import folder_problem
from foveate.sources.places import is_file

SHAPE_WORDS = [("box", _("Box")), ("polygon", _("Polygon"))]


class SettingsFields(forms.Form):
    """What may be set of a project."""

    submissions = forms.IntegerField(
        label=_("People for each task"), min_value=1, max_value=50, initial=2, help_text=_("How many do the same task.")
    )
    lease_minutes = forms.IntegerField(
        label=_("Minutes that a task is lent"),
        min_value=1,
        max_value=24 * 60,
        initial=30,
        help_text=_("Each save lends it anew. After that it may go to somebody else."),
    )
    shape = forms.ChoiceField(
        label=_("What is drawn in a re-annotation"), choices=SHAPE_WORDS, widget=forms.RadioSelect, initial="box"
    )
    most_redraws = forms.IntegerField(
        label=_("Boxes that may be found wrong"),
        min_value=0,
        max_value=10,
        initial=2,
        help_text=_("In a box collection: then the photo is set aside."),
    )

    gold_every = forms.IntegerField(
        label=_("Of about how many tasks one is gold"),
        min_value=0,
        max_value=1000,
        initial=0,
        required=False,
        help_text=_("A gold question is one whose answer is known; nobody can tell it from others. 0 for none."),
    )

    def clean_gold_every(self) -> int:
        """Looks whether there are ordinary tasks between."""
        every: int = self.cleaned_data["gold_every"] or 0
        if every == 1:
            raise forms.ValidationError(_("Every task would be gold: give 2 or more, or 0 for none."))
        return every

    def settings(self, seed: int | None) -> ProjectSettings:
        """Returns the settings of a form that is valid."""
        return ProjectSettings(seed=seed, **{name: self.cleaned_data[name] for name in SettingsFields.base_fields})


class FolderField(forms.CharField):
    """A folder on the server, which must be there."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"label": _("Folder on the server"), "max_length": 1000, "required": False, **kwargs})

    def clean(self, value: Any) -> str:
        """Returns the folder; looks whether it is there."""
        root: str = super().clean(value)
        problem = folder_problem(Path(root)) if root else None
        if problem:
            raise forms.ValidationError(_("%(root)s: %(problem)s."), params={"root": root, "problem": problem})
        return root


class NameFields(forms.Form):
    """What something new is called: a title, and a short name that is free."""

    title = forms.CharField(label=_("Title"), max_length=200)
    slug = forms.CharField(
        label=_("Short name"),
        max_length=60,
        required=False,
        help_text=_("For addresses and commands; made of the title where it is empty."),
    )

    def clean(self) -> dict[str, Any]:
        """Makes the short name where none is given, and looks whether it is free."""
        values = self.cleaned_data
        values["slug"] = values.get("slug") or slugify(values.get("title", ""))[:60]
        if not {"slug", "title"} & set(self.errors):
            self._told("slug", lambda: self.check_slug(values["slug"]))
        return values

    def check_slug(self, slug: str) -> None:
        """Looks whether the short name can be had, and raises one of our errors where it cannot."""
        check_slug(slug)

    def _told(self, field: str, check: Any) -> None:
        try:
            check()
        except FoveateError as error:
            self.add_error(field, str(error))


class DataSetFields(NameFields):
    """A name, and where photos and questions come from; what is named is looked at before anything is made."""

    takes_plain_photos = False

    dataset = forms.CharField(
        label=_("Data set"),
        max_length=200,
        help_text=_("As NAME:SPLIT, “folder” for your own photos, “photos” for the demo photos."),
    )
    root = FolderField(help_text=_("Where the data set's files and photos lie. The demo photos need none."))
    questions = forms.CharField(
        label=_("Table of questions on the server"),
        max_length=1000,
        required=False,
        help_text=_("For “folder”: CSV or JSONL with the columns image and question. A box collection needs none."),
    )

    def clean_questions(self) -> str:
        """Looks whether the table is there."""
        table: str = self.cleaned_data["questions"].strip()
        if table and not is_file(Path(table)):
            raise forms.ValidationError(_("%(table)s: there is no such file."), params={"table": table})
        return table

    def clean(self) -> dict[str, Any]:
        """Looks whether the name is free and the data set can be opened."""
        values = NameFields.clean(self)
        if not {"dataset", "root", "questions"} & set(self.errors):
            self._check_dataset()
        return values

    def _check_dataset(self) -> None:
        origin, name = self.origin(), self.cleaned_data["dataset"].partition(":")[0]
        if origin.is_plain and self.takes_plain_photos:
            return
        known = plugins.modules("datasets")
        if name in known and plugins.load("datasets", name).CARD.needs_root and origin.root is None:
            self.add_error("root", _("This data set needs the folder of its files."))
            return
        self._told("dataset", lambda: opened(origin))

    def origin(self) -> Origin:
        """Returns where photos and questions come from."""
        values = self.cleaned_data
        return Origin.of_texts(values["dataset"].strip(), values.get("root", ""), values.get("questions", ""))


class AuditFields(forms.Form):
    """The table of an audit, whose suspicious labels are drawn anew."""

    audit = forms.FileField(
        label=_("Table of an audit"),
        required=False,
        help_text=_(
            "For a re-annotation: audit.csv, or the verdicts saved from its page. Its labels are drawn anew, the most "
            "suspicious first; why they are suspicious is told on the page of decisions only."
        ),
    )
    verdict = forms.ChoiceField(
        label=_("Of the audit only those judged"), choices=words.AUDITED.items(), required=False, initial=""
    )
    top = forms.IntegerField(label=_("Of the audit only so many"), min_value=1, required=False)

    def suspects(self) -> Sequence[Suspected]:
        """Returns the labels of a table that was sent; none where none was.

        Raises:
            InputError: The table is broken, or nothing of it is left.
        """
        values = self.cleaned_data
        file = values.get("audit")
        if file is None:
            return ()
        with TemporaryDirectory(prefix="foveate-") as folder:
            table = Path(folder) / "audit.csv"
            table.write_bytes(file.read())
            return read_suspects(table, verdict=values.get("verdict") or None, top=values.get("top"))


class NewProjectForm(DataSetFields, SettingsFields, AuditFields):
    """A project that is to be made; everything is checked before anything is."""

    takes_plain_photos = True
    kind = forms.ChoiceField(
        label=_("What people do"),
        choices=words.KINDS_EXPLAINED.items(),
        widget=forms.RadioSelect,
        initial="grounding",
    )
    ids = forms.CharField(
        label=_("Only these samples"), widget=forms.Textarea, required=False, help_text=_("One id a line.")
    )
    first = forms.IntegerField(label=_("Only so many of them"), min_value=1, required=False)
    one_a_photo = forms.BooleanField(label=_("Only the first question of each photo"), required=False)
    only_with_images = forms.BooleanField(label=_("Leave out samples whose photo is not there"), required=False)
    seed = forms.IntegerField(
        label=_("Seed of the order"),
        min_value=0,
        required=False,
        help_text=_("The same seed gives the same order; where it is empty, tasks come in the data set's."),
    )
    everyone = forms.BooleanField(
        label=_("Every annotator may work"),
        required=False,
        initial=True,
        help_text=_("Otherwise only members, whom you choose on the project's page."),
    )
    field_order = ["title", "slug", "kind", "dataset", "root", "questions"]

    def clean(self) -> dict[str, Any]:
        """Looks whether the table of an audit can be taken, and goes with the rest."""
        values = super().clean()
        values["suspects"] = ()
        if values.get("audit") is None:
            return values
        if values.get("kind") != "reannotation":
            self.add_error("audit", _("Labels of an audit are drawn anew: choose the re-annotation."))
        if values.get("ids", "").strip():
            self.add_error("ids", _("The audit says which samples: leave this empty."))
        try:
            values["suspects"] = self.suspects()
        except FoveateError as error:
            # Where the table lies for a moment tells nobody anything.
            self.add_error("audit", str(type(error)(Path(error.where).name, error.problem, error.remedy)))
        return values

    def plan(self) -> Plan:
        """Returns what is to be made, of a form that is valid."""
        values = self.cleaned_data
        suspects = values["suspects"]
        choice = Choice(
            ids=tuple(one.id for one in suspects) or read_ids(values["ids"].splitlines()),
            one_a_photo=values["one_a_photo"],
            first=values["first"],
            only_with_images=values["only_with_images"],
            as_listed=bool(suspects),
        )
        return Plan(
            slug=values["slug"],
            kind=values["kind"],
            origin=self.origin(),
            title=values["title"],
            settings=self.settings(values["seed"]),
            choice=choice,
            everyone=values["everyone"],
            suspects=suspects,
        )


class ProjectForm(SettingsFields):
    """What may be changed of a project."""

    title = forms.CharField(label=_("Title"), max_length=200)
    everyone = forms.BooleanField(label=_("Every annotator may work"), required=False)
    members = forms.ModelMultipleChoiceField(
        label=_("Members"),
        queryset=User.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Who may work where not every annotator may."),
    )
    field_order = ["title"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = self.fields["members"]
        if isinstance(people, forms.ModelMultipleChoiceField):
            people.queryset = User.objects.filter(is_active=True, groups__name="annotator").order_by("username")


class InstructionsForm(forms.Form):
    """Instructions in Markdown."""

    instructions = forms.CharField(
        label=_("Instructions, in Markdown"),
        max_length=50_000,
        required=False,
        strip=False,
        help_text=_("Empty, they are those that all projects of this kind have."),
        widget=forms.Textarea(attrs={"rows": 20}),
    )


def rule_choices() -> list[tuple[str, Promise | str]]:
    """Returns the rules of an export with their words; those of other packages by the titles of their cards."""
    found, _broken = plugins.load_all("aggregators")
    others: list[tuple[str, Promise | str]] = [
        (name, module.CARD.title) for name, module in found.items() if name not in words.RULES
    ]
    return [*words.RULES.items(), *others]


def rule_title(name: str) -> Promise | str:
    """Returns the words for a rule; its name where there is none of this name."""
    return dict(rule_choices()).get(name, name)


class ExportForm(forms.Form):
    """The form and the rules of an export."""

    to = forms.ChoiceField(label=_("Form"), choices=words.FORMS.items(), initial="submissions")
    rule = forms.ChoiceField(
        label=_("Where several people drew"),
        choices=rule_choices,
        required=False,
        help_text=_(
            "All regions are for data sets, the verified box is for box collections. What was decided stands, whatever "
            "the rule."
        ),
    )
    flags = forms.ChoiceField(
        label=_("A sample has no region"), choices=words.FLAGS.items(), initial="any", widget=forms.RadioSelect
    )

    def wanted(self) -> Wanted:
        """Returns what is to be written, of a form that is valid."""
        values = self.cleaned_data
        return Wanted(to=values["to"], rule=values["rule"], flags=values["flags"])
