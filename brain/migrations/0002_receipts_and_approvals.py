import django.db.models.deletion
from django.db import migrations, models

import brain.models.fields


class Migration(migrations.Migration):
    dependencies = [("brain", "0001_initial")]

    operations = [
        migrations.AddField(
            "approval",
            "detail",
            brain.models.fields.ExactText(blank=True, default="", help_text="why an approved delete failed"),
        ),
        migrations.AddField(
            "approval",
            "owner",
            brain.models.fields.ExactText(
                blank=True, default="", help_text="whose token asked: one of those who may not approve"
            ),
        ),
        migrations.AddField("receipt", "words", brain.models.fields.ExactText(blank=True, default="")),
        migrations.AlterField(
            "receiptfact",
            "receipt",
            models.ForeignKey(
                "brain.receipt", on_delete=django.db.models.deletion.CASCADE, related_name="served", db_index=False
            ),
        ),
        migrations.AddConstraint(
            "receiptfact", models.UniqueConstraint(fields=["receipt", "fact"], name="receipt_names_a_fact_once")
        ),
        migrations.CreateModel(
            "DrainedSpool",
            fields=[("name", brain.models.fields.ExactText(primary_key=True, serialize=False))],
            options={"db_table": "drained_spool"},
        ),
    ]
