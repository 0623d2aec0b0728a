"""Search finds by words and by meaning, and never what a recall at the same instant would not return."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from brain import journal, retire, search_index, vectors
from brain.embedding import WordLlama
from brain.errors import Invalid
from brain.forget import forget, restore, retain
from brain.models import FactVector
from brain.reader import EVERYTHING, Reader
from brain.recall import recall
from brain.remember import remember_many
from brain.saying import Saying
from brain.search import MODES, search
from brain.selectors import Selector
from brain.vectors import store_missing
from tests.agents.story import APR, FEB, JAN, MAR, TIER, say

pytestmark = pytest.mark.usefixtures("_on_both")
MODEL = WordLlama()


@pytest.fixture(autouse=True)
def _fresh_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_indexes", {})


def found(q: str, mode: str = "text", as_of: int | None = None, known_at: str | None = None, **more) -> list[str]:
    reader = more.pop("reader", EVERYTHING)
    at = journal.resolve(as_of, known_at, reader=reader)
    return [hit.fact.value for hit in search(q, at=at, reader=reader, mode=mode, embedding=MODEL, **more)]


@pytest.mark.parametrize(
    "q",
    [
        "Tier 2 renewal",
        "tier RENEWAL 2",
        "renew",
        "renewals",
        "Teir 2 renewal",
        "tier 2 renewl",
        "tier 2 renwal list price",
        "list price of the second renewal",
        "list_price renewal",
        "4,200",
        "pricing-sheet 4200 4,200",
        "TIER 2 RÉNEWAL",
    ],
)
def test_words_are_found_whole_begun_misspelt_and_in_any_order(q: str) -> None:
    say("$4,200")
    say("14 days", subject="Refunds", predicate="window", source="handbook")
    assert found(q)[:1] == ["$4,200"]


def test_accents_and_case_are_no_difference() -> None:
    say("800 €", subject="Müller Straße", predicate="Preis")
    for q in ("muller", "MÜLLER", "müller", "mul", "strasse"):
        assert found(q) == ["800 €"]


@pytest.mark.parametrize(
    "q", ["", "   ", "?!", '"', "* OR )", "'; DROP TABLE fact; --", "a" * 5000, "AND OR NOT NEAR(", "\x1c"]
)
def test_a_query_is_words_and_never_syntax(q: str) -> None:
    say("$4,200")
    assert found(q) == []
    assert found(q, "hybrid") in ([], ["$4,200"])


def test_a_typo_is_forgiven_in_subjects_only() -> None:
    say("blue", subject="colour", predicate="name")
    say("net thirty", subject="terms", predicate="payment")
    assert found("coluor") == ["blue"]
    assert found("thrity") == []


def test_the_best_match_comes_first() -> None:
    say("1", subject="Tier 2 renewal legacy plan")
    say("2", subject="Tier 2 renewal")
    say("3", subject="Tier 3 renewal")
    say("4", subject="other", source="Tier 2 renewal")
    assert found("tier 2 renewal") == ["2", "1", "3", "4"]


def test_scores_fall_and_tell_nothing_of_what_the_reader_does_not_see() -> None:
    say("1", subject="Tier 2 renewal", scope="/emea")
    say("2", subject="Tier 3 renewal", scope="/emea")
    emea = Reader("/emea")

    def scores(mode: str) -> list[tuple[str, float]]:
        hits = search("tier 2 renewal", reader=emea, scope="/emea", mode=mode, embedding=MODEL)
        return [(hit.fact.value, hit.score) for hit in hits]

    before = {mode: scores(mode) for mode in MODES}
    for n in range(30):
        say(f"{n}", subject=f"Tier {n} renewal", scope="/apac")
    assert {mode: scores(mode) for mode in MODES} == before
    for values in before.values():
        assert [score for _, score in values] == sorted((score for _, score in values), reverse=True)


@pytest.mark.parametrize("mode", MODES)
def test_what_is_returned_is_what_a_recall_returns_at_that_instant(mode: str) -> None:
    say("$4,200", JAN)
    say("$3,600", MAR)
    say("$2,900", FEB, temporary=True, expires_at=MAR)
    for as_of, value in ((JAN - 1, []), (JAN, ["$4,200"]), (FEB, ["$2,900"]), (MAR, ["$3,600"])):
        assert found("tier renewal price", mode, as_of) == value
        assert [fact.value for fact in recall(TIER, at=journal.resolve(as_of)).facts] == value


@pytest.mark.parametrize("mode", MODES)
def test_superseded_expired_retracted_scheduled_claimed_and_forgotten_facts_are_not_found(mode: str) -> None:
    say("old", JAN), say("new", FEB)
    say("over", JAN, subject="Tier 2 renewal expired", expires_at=FEB)
    say("later", 4_000_000_000_000, subject="Tier 2 renewal scheduled")
    say("claim", None, source_kind="turn")
    mistake, gone = say("mistake", subject="Tier 2 renewal retracted"), say("gone", subject="Tier 2 renewal gone")
    retire.retract(mistake.pk, actor="op", reason="x")
    forget(Selector(ids=(gone.pk,)), actor="op", reason="x", reader=EVERYTHING)
    assert found("Tier 2 renewal", mode) == ["new"]
    restore(gone.pk, actor="op", reason="x", reader=EVERYTHING)
    assert set(found("Tier 2 renewal", mode)) == {"new", "gone"}


@pytest.mark.parametrize("mode", MODES)
def test_an_earlier_known_at_finds_what_had_been_told(mode: str) -> None:
    first = say("$3,900", JAN).recorded_in_id
    say("$4,200", JAN + 1)
    assert found("tier renewal", mode, FEB, f"op:{first}") == ["$3,900"]
    assert found("tier renewal", mode, FEB) == ["$4,200"]


@pytest.mark.parametrize("mode", MODES)
def test_scope_and_pin_narrow_in_the_query(mode: str) -> None:
    for scope in ("/emea", "/emea/pricing", "/apac"):
        say(scope, scope=scope)
    assert set(found("tier renewal", mode, reader=Reader("/emea"), scope="/emea")) == {"/emea", "/emea/pricing"}
    assert found("tier renewal", mode, scope="/emea", recursive=False) == ["/emea"]
    assert found("tier renewal", mode, reader=Reader("/emea"), scope="/apac") == []
    assert found("tier renewal", mode, reader=Reader(pin=JAN - 1)) == []


def test_a_fact_said_again_is_found_once() -> None:
    fact = say("$4,200")
    retire.end(fact.pk, at=4_000_000_000_000, actor="op", reason="x")
    retire.end(fact.pk, at=None, actor="op", reason="x")
    assert found("tier renewal") == ["$4,200"]


def test_hundreds_of_hidden_matches_do_not_crowd_out_the_visible_one() -> None:
    versions = [Saying(TIER, "list_price", f"{n}", "sheet", "ann", learned_at=JAN + n) for n in range(400)]
    remember_many(versions, actor="ann")
    assert found("tier renewal") == ["399"]


def test_meaning_finds_what_shares_no_word() -> None:
    say("$4,200")
    say("14 days", subject="refund window", predicate="length")
    say("accounts@example.com", subject="billing", predicate="contact")
    assert found("How much do customers pay to renew the second tier?", "meaning")[0] == "$4,200"
    assert found("How much do customers pay to renew the second tier?", "hybrid")[0] == "$4,200"
    assert found("how long may I send something back and get my money", "meaning")[0] == "14 days"


def test_meaning_needs_a_backend_and_a_mode_must_be_known() -> None:
    for mode in ("meaning", "hybrid", "exact"):
        with pytest.raises(Invalid, match="mode"):
            search("x", mode=mode)


def test_stored_vectors_and_those_made_on_the_way_find_the_same() -> None:
    say("$4,200"), say("14 days", subject="refund window")
    before = found("renewal price", "meaning")
    assert store_missing(MODEL) == 2
    assert store_missing(MODEL) == 0
    vectors._indexes.clear()
    assert found("renewal price", "meaning") == before
    say("$9", subject="Tier 9 renewal")
    assert "$9" in found("renewal price", "meaning")


def index_size() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM fact_words")
        return int(cursor.fetchone()[0])


def test_a_purge_takes_words_and_vectors_with_it() -> None:
    fact, stays = say("ZQX-PURGE-7731"), say("stays", subject="other")
    retire.end(fact.pk, at=APR, actor="op", reason="x")
    store_missing(MODEL)
    forget(Selector(ids=(fact.pk,)), actor="op", reason="x", reader=EVERYTHING, purge=True)
    assert index_size() == 1
    assert [row.fact for row in FactVector.objects.all()] == [stays.pk]
    for mode in MODES:
        assert found("ZQX-PURGE-7731", mode, JAN) in ([], ["stays"])
    search_index.drop_erased_words(connection)
    assert found("stays") == ["stays"]


def test_erasing_one_saying_leaves_the_words_of_the_fact_that_goes_on() -> None:
    fact = say("$4,200")
    retire.end(fact.pk, at=4_000_000_000_000, actor="op", reason="x")
    retain(journal.now() + 1, basis="ended_at", actor="op", reason="x", reader=EVERYTHING)
    assert found("tier renewal") == ["$4,200"]


def test_the_triggers_that_keep_the_index_are_there_after_all_migrations() -> None:
    names = {"sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'"}
    query = names.get(connection.vendor, "SELECT tgname FROM pg_trigger")
    with connection.cursor() as cursor:
        cursor.execute(query)
        assert {"fact_words_come", "fact_words_go", "fact_words_gone"} <= {name for (name,) in cursor.fetchall()}


def test_a_search_asks_the_database_equally_often_however_much_it_finds() -> None:
    for n in range(12):
        say(f"{n}", subject=f"Tier {n} renewal")
    with CaptureQueriesContext(connection) as few:
        search("renewal", limit=1)
    with CaptureQueriesContext(connection) as many:
        search("renewal", limit=12)
    assert len(few) == len(many)
