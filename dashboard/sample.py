"""What the sample brain was told, step by step: a year and a half of a software company's prices and promises.

Steps that lie ahead of now are left out.
"""

from __future__ import annotations

from dashboard.sample_steps import Asked, Said, Step

TEAM, SHEET = "pricing-team", "pricing-sheet"
LEGAL, SUPPORT, GROWTH, CRM, FX, WRITER = (
    "legal-desk",
    "support-desk",
    "growth-desk",
    "crm-sync",
    "fx-sync",
    "brief-writer",
)
HANDBOOK, TERMS, POLICY, EXPORT, NOTES = "policy-handbook", "msa-2026", "support-policy", "crm-export", "growth-notes"
PRICE, REFUND, CONTACT, RESPONSE = "list_price", "refund_window", "billing_contact", "support_response"
EMEA, EMEA_PRICING, APAC, LEGACY = (
    {"scope": "/emea"},
    {"scope": "/emea/pricing"},
    {"scope": "/apac"},
    {"scope": "/legacy"},
)
PROMOTION = {"temporary": True}
HEARD = {"source_kind": "turn", "confidence": 0.8}
PASSING = {"category": "context", "source_kind": "turn"}
IDENTITY = {"category": "identity"}

STORY = (
    Step("2026-01-12", TEAM, "Winter price list", (Said("Tier 2 renewal", PRICE, "$4,200", SHEET),)),
    Step("2026-03-03", TEAM, "Spring price cut", (Said("Tier 2 renewal", PRICE, "$3,600", SHEET),)),
)

PRICES = (
    Step(
        "2025-07-01T09:00Z",
        TEAM,
        "First price list",
        (
            Said("Tier 1 renewal", PRICE, "$1,700", SHEET),
            Said("Tier 3 renewal", PRICE, "$7,400", SHEET),
            Said("Seat", PRICE, "$36 per seat per month", SHEET),
            Said("Seat, annual", PRICE, "$30.60 per seat per month", SHEET),
            Said("Premium support", PRICE, "$449 per month", SHEET),
            Said("Onboarding", "fee", "$1,200", SHEET),
            Said("Migration", "day_rate", "$1,040", SHEET),
            Said("Overage", "price_per_1k_calls", "$0.45", SHEET),
            Said("Backup", "price_per_gb", "$0.08", SHEET),
            Said("Sandbox", PRICE, "$90", SHEET),
            Said("Webhooks", "retry_limit", "5", POLICY),
        ),
    ),
    Step(
        "2025-11-14T09:12Z",
        TEAM,
        "Autumn price round",
        (
            Said("Tier 1 renewal", PRICE, "$1,800", SHEET),
            Said("Premium support", PRICE, "$499 per month", SHEET),
            Said("Audit log export", PRICE, "$120 per month", SHEET),
        ),
    ),
    Step(
        "2026-02-02T10:30Z",
        TEAM,
        "Discount policy, February",
        (
            Said("Annual prepay", "discount", "12%", HANDBOOK),
            Said("Partner, silver", "margin", "15%", HANDBOOK),
            Said("Partner, gold", "margin", "22%", HANDBOOK),
        ),
    ),
    Step(
        "2026-04-09T08:45Z",
        TEAM,
        "The January sheet was never entered; found in the quarterly check",
        (
            Said("Tier 3 renewal", PRICE, "$7,650", SHEET, learned="2026-01-01"),
            Said("Partner, silver", "margin", "18%", HANDBOOK, learned="2026-02-15"),
        ),
    ),
    Step(
        "2026-05-18T09:00Z",
        TEAM,
        "June promotion; the standing price returns in July",
        (Said("Seat", PRICE, "$29 per seat per month", SHEET, "2026-06-01", "2026-07-01", PROMOTION),),
    ),
    Step(
        "2026-07-01T08:00Z",
        TEAM,
        "Summer price list",
        (
            Said("Tier 3 renewal", PRICE, "$7,900", SHEET),
            Said("Seat", PRICE, "$38 per seat per month", SHEET),
            Said("Seat, annual", PRICE, "$32.30 per seat per month", SHEET),
            Said("Migration", "day_rate", "$1,160", SHEET),
        ),
    ),
    Step(
        -45,
        TEAM,
        "Next year's price list",
        (
            Said("Tier 1 renewal", PRICE, "$1,875", SHEET, learned=31),
            Said("Seat", PRICE, "$39 per seat per month", SHEET, learned=31),
        ),
    ),
    Step(
        -10,
        TEAM,
        "Year-end promotion",
        (Said("Premium support", PRICE, "$399 per month", SHEET, -8, 5, PROMOTION),),
    ),
)

PROMISES = (
    Step(
        "2025-07-08T14:00Z",
        LEGAL,
        "Terms of 2025",
        (
            Said("Enterprise", REFUND, "30 days", "msa-2025"),
            Said("Tier 1 renewal", REFUND, "30 days", HANDBOOK),
            Said("Tier 3 renewal", REFUND, "14 days", HANDBOOK),
            Said("Enterprise", "liability_cap", "12 months of fees", "msa-2025"),
            Said("Data export", "notice", "30 days after the contract ends", "msa-2025"),
        ),
    ),
    Step(
        "2025-08-04T10:00Z",
        SUPPORT,
        "Support policy",
        (
            Said("Enterprise", RESPONSE, "P1: 2 hours; P2: next business day", POLICY),
            Said("Tier 1 renewal", RESPONSE, "2 business days", POLICY),
            Said("Tier 3 renewal", RESPONSE, "8 business hours", POLICY),
            Said("Premium support", RESPONSE, "4 hours, 24×7", POLICY),
        ),
    ),
    Step(
        "2026-04-01T09:30Z",
        SUPPORT,
        "Support policy, April",
        (
            Said("Enterprise", RESPONSE, "P1: 1 hour, 24×7; P2: 4 business hours", POLICY),
            Said("Tier 3 renewal", RESPONSE, "4 business hours", POLICY),
        ),
    ),
    Step(
        "2026-05-04T11:00Z",
        LEGAL,
        "Master agreement 2026",
        (
            Said("Enterprise", REFUND, "30 days, pro rata after day 14", TERMS),
            Said("Enterprise", "liability_cap", "24 months of fees", TERMS),
        ),
    ),
    Step(
        "2026-06-15T13:20Z",
        GROWTH,
        "Longer trials pay for themselves",
        (
            Said("Trial", "length", "21 days", NOTES),
            Said("Trial", "seats", "10", NOTES),
            Said("Referral", "credit", "$150", NOTES, until=6),
        ),
    ),
    Step(
        "2025-09-01T08:00Z",
        GROWTH,
        "Growth experiments",
        (Said("Trial", "length", "14 days", NOTES), Said("Referral", "credit", "$100", NOTES)),
    ),
    Step("2026-10-05T09:00Z", SUPPORT, "Not offered any more", ends=("Sandbox", PRICE, "$90"), until="2026-10-31"),
)

CUSTOMERS = (
    Step(
        "2025-10-01T07:30Z",
        CRM,
        "Nightly export",
        (
            Said("Northwind Ltd", "plan", "Tier 2", EXPORT, more=IDENTITY),
            Said("Northwind Ltd", CONTACT, "accounts@northwind.example", EXPORT),
            Said("Northwind Ltd", "decision_maker", "A person who has since asked to be left out", EXPORT),
            Said("Contoso GmbH", "plan", "Tier 3", EXPORT, more=IDENTITY | EMEA),
            Said("Contoso GmbH", CONTACT, "einkauf@contoso.example", EXPORT, more=EMEA),
            Said("Fabrikam KK", "plan", "Enterprise", EXPORT, more=IDENTITY | APAC),
            Said("Fabrikam KK", CONTACT, "keiri@fabrikam.example", EXPORT, more=APAC),
        ),
    ),
    Step(
        "2026-03-10T07:30Z",
        CRM,
        "Nightly export",
        (
            Said("Northwind Ltd", CONTACT, "renewals-desk@northwind.example", EXPORT),
            Said("Contoso GmbH", "seats", "140", EXPORT, more=EMEA),
            Said("Fabrikam KK", "seats", "620", EXPORT, more=APAC),
        ),
    ),
    Step(
        "2026-04-20T07:30Z",
        CRM,
        "Nightly export",
        (
            Said("Overage", "price_per_1k_calls", "$4.00", EXPORT),
            Said("Contoso GmbH", "seats", "155", EXPORT, more=EMEA),
        ),
    ),
    Step(
        "2026-05-04T09:05Z",
        TEAM,
        "A nought too many: the export read cents as tenths",
        retracts=("Overage", "price_per_1k_calls", "$4.00"),
    ),
    Step(
        "2026-08-24T07:30Z",
        CRM,
        "Nightly export",
        (
            Said("Overage", "price_per_1k_calls", "$0.40", EXPORT),
            Said("Tier 1 renewal", REFUND, "14 days", EXPORT),
            Said("Tier 3 Renewal", CONTACT, "tier3@example.com", EXPORT),
            Said("Backup", "price_per_gb", "$0.12", EXPORT),
        ),
    ),
    Step(
        -6,
        WRITER,
        "Heard in renewal calls",
        (
            Said("Tier 3 renewal", PRICE, "$7,500", "crm-notes", more=HEARD),
            Said("Enterprise", REFUND, "45 days", "crm-notes", more=HEARD),
        ),
    ),
    Step(
        -3,
        WRITER,
        "Notes of the week",
        (
            Said("Northwind Ltd", "mood", "Waits for the year-end offer before renewing", "crm-notes", more=PASSING),
            Said("Contoso GmbH", "mood", "Asked twice about euro prices", "crm-notes", more=PASSING | EMEA),
        ),
    ),
)

EUROPE = (
    Step(
        "2025-12-01T09:00Z",
        TEAM,
        "Euro price list",
        (
            Said("Tier 1 renewal", PRICE, "€1,650", SHEET, "2026-01-01", more=EMEA_PRICING),
            Said("Tier 3 renewal", PRICE, "€7,050", SHEET, "2026-01-01", more=EMEA_PRICING),
        ),
    ),
    Step(
        "2026-07-02T09:00Z",
        TEAM,
        "Summer price list, in euros",
        (Said("Tier 3 renewal", PRICE, "€7,300", SHEET, "2026-07-01", more=EMEA_PRICING),),
    ),
    Step(
        "2025-07-15T09:00Z",
        TEAM,
        "Plans that are no longer sold",
        (
            Said("Classic plan", PRICE, "$19", SHEET, more=LEGACY),
            Said("Classic plan, annual", PRICE, "$190", SHEET, more=LEGACY),
        ),
    ),
    Step(
        "2025-08-20T09:00Z",
        TEAM,
        "Last change before the end of sale",
        (Said("Classic plan", PRICE, "$24", SHEET, more=LEGACY),),
    ),
)

RATES = (
    ("2025-07-07", "0.853"), ("2025-08-04", "0.864"), ("2025-09-01", "0.856"), ("2025-10-06", "0.851"),
    ("2025-11-03", "0.866"), ("2025-12-01", "0.862"), ("2026-01-05", "0.848"), ("2026-02-02", "0.857"),
    ("2026-03-02", "0.869"), ("2026-04-06", "0.874"), ("2026-05-04", "0.868"), ("2026-06-01", "0.860"),
    ("2026-07-06", "0.855"), ("2026-08-03", "0.861"), ("2026-09-07", "0.858"), ("2026-10-05", "0.863"),
    ("2026-11-02", "0.866"),
)  # fmt: skip
CURRENCY = tuple(
    Step(
        f"{day}T05:00Z",
        FX,
        "Monthly rate",
        (Said("Euro price list", "fx_rate", f"1 USD = {rate} EUR", "treasury-feed", more=EMEA),),
    )
    for day, rate in RATES
)

STEPS = STORY + PRICES + PROMISES + CUSTOMERS + EUROPE + CURRENCY

ASKED = (
    Asked("2026-02-09T14:02Z", WRITER, "Tier 2 renewal", "A Tier 2 renewal is $4,200 a year."),
    Asked("2026-04-22T09:40Z", "renewal-bot", "Overage", "A thousand calls over the plan cost $4.00."),
    Asked("2026-05-20T15:11Z", WRITER, "Northwind Ltd", "Write to renewals-desk@northwind.example."),
    Asked("2026-07-14T10:05Z", "renewal-bot", "Tier 3 renewal", "A Tier 3 renewal is $7,900 a year."),
    Asked("2026-08-12T11:30Z", WRITER, "Trial", "A trial lasts 21 days, with 10 seats."),
    Asked("2026-09-03T16:45Z", "renewal-bot", "Fax support", "We have no record of fax support."),
)
