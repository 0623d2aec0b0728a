"""The tables. They hold what must always hold; the verbs that write them live beside this package."""

from brain.models.agents import AgentToken, Approval, DrainedSpool, IdempotentAnswer, Receipt, ReceiptFact
from brain.models.control import BlockedValue, BlockKey, ImportedFile, Job, LegalHold, Scope
from brain.models.facts import EarlierWithholding, Fact, Key
from brain.models.journal import Operation
from brain.models.search import FactVector

__all__ = [
    "AgentToken",
    "Approval",
    "BlockKey",
    "BlockedValue",
    "DrainedSpool",
    "EarlierWithholding",
    "Fact",
    "FactVector",
    "IdempotentAnswer",
    "ImportedFile",
    "Job",
    "Key",
    "LegalHold",
    "Operation",
    "Receipt",
    "ReceiptFact",
    "Scope",
]
