"""create_token prints a token once, alone on the last line."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from brain import tokens
from brain.time import parse
from tests.commands.running import refused, run

pytestmark = pytest.mark.usefixtures("brain")


def test_the_last_line_is_the_token_and_nothing_else() -> None:
    plain = run("create_token", "bot", "--grant", "memory:read", "memory:write").splitlines()[-1]
    token = tokens.authenticate(plain)
    assert token is not None
    assert (token.name, token.grants, token.scope, token.rate) == ("bot", ["memory:read", "memory:write"], "/", 200)


def test_all_its_terms_can_be_named() -> None:
    get_user_model().objects.create_user("ann")
    terms = ("--scope", "/emea", "--as-of", "2024-02-09", "--expires", "2090-01-01", "--owner", "ann", "--rate", "0")
    plain = run("create_token", "bot", "--grant", "memory:read", "--grant", "audit:read", *terms).splitlines()[-1]
    token = tokens.authenticate(plain)
    assert token is not None
    assert (token.scope, token.owner.username, token.rate) == ("/emea", "ann", 0)
    assert (token.as_of, token.expires_at) == (parse("2024-02-09"), parse("2090-01-01"))


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        (("--grant", "memory:think"), "grants: unknown: memory:think"),
        (("--grant", "memory:read", "--scope", "emea"), "scope: must be"),
        (("--grant", "memory:write", "--as-of", "2024-02-09"), "with a pinned as_of only"),
        (("--grant", "memory:read", "--as-of", "2024-02-09T10:00"), "needs an offset"),
        (("--grant", "memory:read", "--expires", "2024-02-09"), "expires_at: must lie after now"),
        (("--grant", "memory:read", "--owner", "nobody"), "There is no user 'nobody'"),
        (("--grant", "memory:read", "--rate", "-1"), "rate: must lie in"),
        ((), "--grant"),
    ],
)
def test_terms_that_are_none_are_refused(arguments: tuple[str, ...], rule: str) -> None:
    assert rule in refused("create_token", "bot", *arguments)[1]


def test_a_name_is_given_once() -> None:
    run("create_token", "bot", "--grant", "memory:read")
    assert "is the name of another token" in refused("create_token", "bot", "--grant", "memory:read")[1]
