"""The groups that roles are."""

from typing import Any

from django.db import migrations

# As they were when this was written: a migration does not change when the code does.
NAMES = ("organiser", "annotator", "participant")


def make(apps: Any, schema_editor: Any) -> None:
    group = apps.get_model("auth", "Group")
    for name in NAMES:
        group.objects.using(schema_editor.connection.alias).get_or_create(name=name)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_audit_is_append_only"), ("auth", "0012_alter_user_first_name_max_length")]
    operations = [migrations.RunPython(make, migrations.RunPython.noop)]
