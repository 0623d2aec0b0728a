"""Which database a test meets: SQLite, or both when it asks for `database`; what every run of Hypothesis is held to."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from hypothesis import HealthCheck, settings

from tests import databases

SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
for profile, examples in (("quick", 60), ("ci", 500)):
    settings.register_profile(
        profile, max_examples=examples, deadline=None, print_blob=True, suppress_health_check=SLOW
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "quick"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests on PostgreSQL come last, so that the default connection is led there once."""
    items.sort(key=_runs_on_postgresql)


def _runs_on_postgresql(item: pytest.Item) -> bool:
    return isinstance(item, pytest.Function) and _parameters(item).get("database") == "postgresql"


def _parameters(item: pytest.Function) -> dict[str, object]:
    return item.callspec.params if hasattr(item, "callspec") else {}


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[None]:
    with databases.sqlite_file() as url, databases.default_is(url):
        with django_db_blocker.unblock():
            call_command("migrate", verbosity=0)
        yield


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: object) -> Iterator[str]:
    """The name of the database that the test runs on; asking for it runs the test once on each."""
    if request.param == "sqlite":
        yield "sqlite"
        return
    try:
        with databases.postgresql_database() as url, databases.default_is(url):
            with django_db_blocker.unblock():
                call_command("migrate", verbosity=0)
            yield "postgresql"
    except databases.Missing as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
