"""One INSERT without the ORM's compiler: a write spends most of its time there, and all of it holding the lock."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import JSONField, Model

MANY = 100  # rows; on PostgreSQL COPY takes a fraction of what so many statements take
Columns = tuple[tuple[str, bool], ...]  # (attribute, whether it is JSON)


@cache
def _statement(model: type[Model], vendor: str) -> tuple[str, Columns]:
    fields = model._meta.concrete_fields
    places = ", ".join(["%s"] * len(fields))
    columns = tuple((field.attname, isinstance(field, JSONField)) for field in fields)
    return f"INSERT INTO {_columns(model)} VALUES ({places})", columns


@cache
def _copy(model: type[Model]) -> str:
    return f"COPY {_columns(model)} FROM STDIN"


def _columns(model: type[Model]) -> str:
    quoted = connection.ops.quote_name
    names = ", ".join(quoted(str(field.column)) for field in model._meta.concrete_fields)
    return f"{quoted(model._meta.db_table)} ({names})"


def insert(row: Model) -> None:
    """Inserts an unsaved row whose primary key is set; its columns hold plain numbers, texts and JSON."""
    insert_all([row])


def insert_all(rows: Sequence[Model]) -> None:
    """Inserts unsaved rows of one table, as `insert` does."""
    if not rows:
        return
    _, columns = _statement(type(rows[0]), connection.vendor)
    insert_values(type(rows[0]), [_values(row, columns) for row in rows])
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias


def insert_values(model: type[Model], rows: Sequence[Sequence[Any]]) -> None:
    """Inserts rows given as the values of all their columns in the model's order, JSON as text."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql" and len(rows) >= MANY:
            with connection.wrap_database_errors, cursor.copy(_copy(model)) as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            cursor.executemany(_statement(model, connection.vendor)[0], rows)


def _values(row: Model, columns: Columns) -> list[Any]:
    return [json.dumps(getattr(row, name)) if is_json else getattr(row, name) for name, is_json in columns]
