"""The addresses of the pages that operate the brain and explain it."""

from __future__ import annotations

from django.urls import URLPattern, path

from dashboard.views import (
    agents,
    answers,
    forget,
    holds,
    jobs,
    journal,
    receipt,
    retire,
    review,
    rewind,
    scopes,
    withheld,
)

urlpatterns: list[URLPattern] = [
    path("journal", journal.journal_page, name="journal"),
    path("journal/news", journal.journal_news, name="journal-news"),
    path("journal/verify", journal.verify, name="verify"),
    path("journal/<int:number>", journal.operation_page, name="operation"),
    path("journal/<int:number>/receipt", receipt.receipt, name="receipt"),
    path("rewind", rewind.rewind_page, name="rewind"),
    path("forget", forget.forget_page, name="forget"),
    path("forget/withheld", withheld.withheld_page, name="withheld"),
    path("forget/<slug:slug>", forget.forget_form, name="forget-form"),
    path("forget/<slug:slug>/rows", forget.forget_rows, name="forget-rows"),
    path("facts/retract", retire.retract_facts, name="retract-facts"),
    path("facts/<int:number>/end", retire.end_fact, name="end-fact"),
    path("facts/<int:number>/retract", retire.retract_fact, name="retract-fact"),
    path("facts/<int:number>/withhold", retire.withhold_fact, name="withhold-fact"),
    path("facts/<int:number>/erase", retire.erase_fact, name="erase-fact"),
    path("facts/<int:number>/restore", retire.restore_fact, name="restore-fact"),
    path("jobs", jobs.jobs_page, name="jobs"),
    path("jobs/<int:number>", jobs.job_page, name="job"),
    path("scopes", scopes.scopes_page, name="scopes"),
    path("holds", holds.holds_page, name="holds"),
    path("holds/<int:number>/lift", holds.lift_hold, name="lift-hold"),
    path("review", review.review_page, name="review"),
    path("review/alike", review.alike, name="alike"),
    path("review/claims/<int:number>", review.settle_claim, name="settle-claim"),
    path("review/approvals/<int:number>", review.decide, name="decide"),
    path("answers", answers.answers_page, name="answers"),
    path("answers/<slug:receipt_id>", answers.answer_page, name="answer"),
    path("agents", agents.agents_page, name="agents"),
    path("agents/new", agents.new_agent, name="new-agent"),
    path("agents/named/<subject:name>", agents.agent_page, name="agent"),
    path("agents/named/<subject:name>/rotate", agents.rotate_agent, name="rotate-agent"),
    path("agents/named/<subject:name>/revoke", agents.revoke_agent, name="revoke-agent"),
]
