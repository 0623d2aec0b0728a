"""What the last checks of the journal's chain found."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0001_roles")]
    operations = [
        migrations.CreateModel(
            name="Verification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("up_to", models.BigIntegerField()),
                ("at", models.BigIntegerField()),
                ("problems", models.JSONField(default=list)),
            ],
            options={"db_table": "verification", "ordering": ["-id"]},
        ),
    ]
