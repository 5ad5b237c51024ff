"""The database itself refuses to change, delete or empty the audit log, whoever asks it.

A restore (`foveate.app.backup`) replaces the log as a whole and lifts this for its one transaction.
"""

from __future__ import annotations

from django.db import migrations

from foveate.app.accounts.append_only import lift, protect


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_initial")]

    operations = [
        migrations.RunPython(
            lambda apps, editor: protect(editor.connection), lambda apps, editor: lift(editor.connection)
        )
    ]
