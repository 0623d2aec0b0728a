"""Questions over the sample brain and the real price list, as of 10 August 2026, with the facts that answer them.

Checked by hand: each names the (subject, predicate) pairs one of which a reader needs to answer. Half of them use the
words of the facts, half the words of a person who does not know them.
"""

from __future__ import annotations

Q = tuple[str, list[tuple[str, str]]]

SAMPLE: list[Q] = [
    ("Tier 2 renewal list price", [("Tier 2 renewal", "list_price")]),
    ("How much do customers pay to renew the second tier?", [("Tier 2 renewal", "list_price")]),
    ("teir 2 renewl", [("Tier 2 renewal", "list_price")]),
    ("What does a tier 1 renewal cost?", [("Tier 1 renewal", "list_price")]),
    ("price of renewing tier 3 in dollars", [("Tier 3 renewal", "list_price")]),
    ("Tier 3 refund", [("Tier 3 renewal", "refund_window")]),
    ("How long can a tier 1 customer get their money back?", [("Tier 1 renewal", "refund_window")]),
    ("enterprise refund window", [("Enterprise", "refund_window")]),
    ("entreprise refunds", [("Enterprise", "refund_window")]),
    ("What is our maximum liability to an enterprise customer?", [("Enterprise", "liability_cap")]),
    ("liability cap", [("Enterprise", "liability_cap")]),
    ("How fast do we answer enterprise support requests?", [("Enterprise", "support_response")]),
    ("support response tier 3", [("Tier 3 renewal", "support_response")]),
    ("When does tier 1 get an answer from support?", [("Tier 1 renewal", "support_response")]),
    ("premium support price", [("Premium support", "list_price")]),
    ("premum suport", [("Premium support", "list_price"), ("Premium support", "support_response")]),
    ("How quickly does premium support react?", [("Premium support", "support_response")]),
    ("discount for paying a year in advance", [("Annual prepay", "discount")]),
    ("annual prepay discount", [("Annual prepay", "discount")]),
    ("gold partner margin", [("Partner, gold", "margin")]),
    ("What do silver partners earn?", [("Partner, silver", "margin")]),
    ("How long is a trial?", [("Trial", "length")]),
    ("free trial seats", [("Trial", "seats")]),
    ("How many users may try the product?", [("Trial", "seats")]),
    ("referral credit", [("Referral", "credit")]),
    ("What do I get for bringing a friend?", [("Referral", "credit")]),
    ("onboarding fee", [("Onboarding", "fee")]),
    ("How much do we charge to set up a new customer?", [("Onboarding", "fee")]),
    ("migration day rate", [("Migration", "day_rate")]),
    ("cost per day of moving a customer's data over", [("Migration", "day_rate")]),
    ("seat price per month", [("Seat", "list_price"), ("Seat, annual", "list_price")]),
    ("price per seat when paid annually", [("Seat, annual", "list_price")]),
    ("overage price per 1k calls", [("Overage", "price_per_1k_calls")]),
    ("What happens when someone makes too many API calls?", [("Overage", "price_per_1k_calls")]),
    ("backup price per gb", [("Backup", "price_per_gb")]),
    ("storage cost per gigabyte", [("Backup", "price_per_gb")]),
    ("webhook retry limit", [("Webhooks", "retry_limit")]),
    ("How often is a failed webhook sent again?", [("Webhooks", "retry_limit")]),
    ("audit log export price", [("Audit log export", "list_price")]),
    ("data export notice", [("Data export", "notice")]),
    ("How long after the contract can data be exported?", [("Data export", "notice")]),
    ("Contoso seats", [("Contoso GmbH", "seats")]),
    ("Contoso billing contact", [("Contoso GmbH", "billing_contact")]),
    ("Which plan is Fabrikam on?", [("Fabrikam KK", "plan")]),
    ("Where do I send the invoice for Northwind?", [("Northwind Ltd", "billing_contact")]),
    ("Northwnd plan", [("Northwind Ltd", "plan")]),
    ("euro exchange rate", [("Euro price list", "fx_rate")]),
    ("tier 1 renewal in euros", [("Tier 1 renewal", "list_price")]),
    ("classic plan annual", [("Classic plan, annual", "list_price")]),
]

INPUT, OUTPUT, CACHED = "input_price", "output_price", "input_cached_price"
MODELS: list[Q] = [
    ("gpt-5.6-terra input price", [("openai/gpt-5.6-terra", INPUT)]),
    ("openai gpt 5.6 terra output", [("openai/gpt-5.6-terra", OUTPUT)]),
    ("claude opus 4.8 input price", [("anthropic/claude-opus-4-8", INPUT)]),
    ("anthropic claude mythos 5", [("anthropic/claude-mythos-5", INPUT), ("anthropic/claude-mythos-5", OUTPUT)]),
    ("claude fabel 5 output price", [("anthropic/claude-fable-5", OUTPUT)]),
    ("gemini 3.6 flash cached input", [("google/gemini-3.6-flash", CACHED)]),
    ("What does Google charge for gemini 3.5 flash lite?", [("google/gemini-3.5-flash-lite", INPUT)]),
    ("deepseek v4 pro output price", [("deepseek/deepseek-v4-pro", OUTPUT)]),
    ("depseek reasoner", [("deepseek/deepseek-reasoner", INPUT), ("deepseek/deepseek-reasoner", OUTPUT)]),
    ("grok 4.5 input", [("xai/grok-4.5", INPUT), ("xai/grok-4.5-200k", INPUT)]),
    ("grok code fast cached price", [("xai/grok-code-fast-1", CACHED)]),
    ("kimi k2 thinking turbo", [("moonshot-ai/kimi-k2-thinking-turbo", INPUT)]),
    ("minimax m2 output", [("minimax/minimax-m2", OUTPUT)]),
    ("qwen 3.6 plus price", [("qwen/qwen3.6-plus", INPUT), ("qwen/qwen3.6-plus", OUTPUT)]),
    ("codestral input price", [("mistral/codestral-latest", INPUT)]),
    ("mistral nemo", [("mistral/mistral-nemo", INPUT), ("mistral/mistral-nemo", OUTPUT)]),
    ("muse spark contributor output price", [("meta-ai/muse-spark-1.2-contributor", OUTPUT)]),
    ("How much is a prompt token of gpt-4o mini?", [("openai/gpt-4o-mini", INPUT)]),
    ("price of images by gpt-image-2", [("openai/gpt-image-2-image", INPUT), ("openai/gpt-image-2-image", OUTPUT)]),
    ("amazon nova micro output price", [("amazon/amazon-nova-micro", OUTPUT)]),
]

QUESTIONS = SAMPLE + MODELS
