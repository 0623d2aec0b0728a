"""Which grant opens which route: what no row names is refused."""

from __future__ import annotations

from brain.tokens import AUDIT, FORGET, MANAGE, READ, WRITE

CLAIMS = "claims"  # a person's right to settle claims; no token carries it

# Any one of a row's grants opens the route. What it then may touch (one's own facts or all, another's name, a
# curated source, an earlier K) is decided where the fact is known.
ROUTES: dict[tuple[str, str], frozenset[str]] = {
    ("GET", "/me"): frozenset({READ}),
    ("GET", "/recall"): frozenset({READ}),
    ("POST", "/recall"): frozenset({READ}),
    ("GET", "/facts"): frozenset({READ}),
    ("GET", "/facts/{fact_id}"): frozenset({READ}),
    ("GET", "/facts/{fact_id}/chain"): frozenset({READ}),
    ("GET", "/history"): frozenset({READ}),
    ("GET", "/diff"): frozenset({READ}),
    ("GET", "/timeline"): frozenset({READ}),
    ("GET", "/search"): frozenset({READ}),
    ("GET", "/export"): frozenset({READ}),
    ("GET", "/feed"): frozenset({READ}),
    ("GET", "/receipts"): frozenset({READ, AUDIT}),
    ("GET", "/receipts/{receipt_id}"): frozenset({READ, AUDIT}),
    ("POST", "/receipts/{receipt_id}/answer"): frozenset({READ}),
    ("GET", "/operations"): frozenset({AUDIT}),
    ("GET", "/operations/{operation_id}"): frozenset({AUDIT}),
    ("GET", "/approvals"): frozenset({AUDIT, FORGET, WRITE}),
    ("GET", "/approvals/{approval_id}"): frozenset({AUDIT, FORGET, WRITE}),
    ("POST", "/approvals/{approval_id}/approve"): frozenset({FORGET}),
    ("POST", "/approvals/{approval_id}/reject"): frozenset({FORGET}),
    ("POST", "/facts"): frozenset({WRITE}),
    ("POST", "/facts/batch"): frozenset({WRITE}),
    ("POST", "/facts/{fact_id}/retract"): frozenset({WRITE, FORGET}),
    ("POST", "/facts/{fact_id}/end"): frozenset({WRITE, FORGET}),
    ("POST", "/tools/memory_delete"): frozenset({WRITE, FORGET}),
    ("POST", "/facts/{fact_id}/restore"): frozenset({FORGET}),
    ("POST", "/forget"): frozenset({FORGET}),
    ("POST", "/lifecycle/expire"): frozenset({FORGET}),
    ("POST", "/lifecycle/decay"): frozenset({MANAGE}),
    ("POST", "/rewind"): frozenset({MANAGE}),
    ("POST", "/freeze"): frozenset({MANAGE}),
    ("POST", "/unfreeze"): frozenset({MANAGE}),
    ("GET", "/claims"): frozenset({MANAGE, CLAIMS}),
    ("POST", "/claims/{fact_id}/accept"): frozenset({MANAGE, CLAIMS}),
    ("POST", "/claims/{fact_id}/reject"): frozenset({MANAGE, CLAIMS}),
    ("GET", "/holds"): frozenset({MANAGE}),
    ("POST", "/holds"): frozenset({MANAGE}),
    ("DELETE", "/holds/{hold_id}"): frozenset({MANAGE}),
    ("GET", "/scopes"): frozenset({MANAGE}),
    ("POST", "/scopes"): frozenset({MANAGE}),
    ("DELETE", "/scopes"): frozenset({MANAGE}),
    ("GET", "/tokens"): frozenset({MANAGE}),
    ("POST", "/tokens"): frozenset({MANAGE}),
    ("DELETE", "/tokens/{name}"): frozenset({MANAGE}),
    ("GET", "/jobs"): frozenset({FORGET, MANAGE}),
    ("GET", "/jobs/{job_id}"): frozenset({FORGET, MANAGE}),
}
