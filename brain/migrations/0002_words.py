"""The index of words hangs on triggers of `fact`: a later migration that makes SQLite copy that table must make them
again (a test sees to it)."""

from django.db import migrations

from brain import search_index


def create(apps, schema_editor):
    search_index.create(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("brain", "0001_initial")]

    operations = [migrations.RunPython(create, migrations.RunPython.noop)]
