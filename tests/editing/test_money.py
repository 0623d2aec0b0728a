"""Amounts read out of values: what is money, what is not, and what cannot be said for sure."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dashboard.money import parse, step


@pytest.mark.parametrize(
    ("value", "number", "currency", "unit"),
    [
        ("$3,600", "3600", "$", ""),
        ("$4,200.50", "4200.50", "$", ""),
        ("3.600,00 €", "3600", "EUR", ""),
        ("€3.600,00", "3600", "EUR", ""),
        ("3.600 €", "3600", "EUR", ""),
        ("3 600,50 €", "3600.5", "EUR", ""),
        ("3\u202f600,50\u00a0€", "3600.5", "EUR", ""),
        ("EUR 1.234.567", "1234567", "EUR", ""),
        ("CHF 1'200", "1200", "CHF", ""),
        ("£12", "12", "GBP", ""),
        ("USD 3,600.00", "3600", "USD", ""),
        ("US$ 5", "5", "$", "US"),
        ("12 kr", "12", "kr", ""),
        ("$0.40", "0.40", "$", ""),
        ("$1.875", "1.875", "$", ""),
        ("2.5", "2.5", "", ""),
        ("0.035", "0.035", "", ""),
        ("1,5", "1.5", "", ""),
        ("0,035", "0.035", "", ""),
        ("1.234.567", "1234567", "", ""),
        ("1,234,567.89", "1234567.89", "", ""),
        ("−$200", "-200", "$", ""),
        ("$-200", "-200", "$", ""),
        ("$38 per seat per month", "38", "$", "per seat per month"),
        ("3.600 EUR/month", "3600", "EUR", "/month"),
    ],
)
def test_a_value_that_states_one_amount_is_read(value, number, currency, unit) -> None:
    amount = parse(value)
    assert amount is not None
    assert (amount.number, amount.currency, amount.unit) == (Decimal(number), currency, unit)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "12%",
        "14 days",
        "P1: 1 hour, 24×7; P2: 4 business hours",
        "1 USD = 0.8612 EUR",
        "30 days, pro rata after day 14",
        "renewals-desk@example.com",
        "$3,600 or €3,400",
        "€ 5 $",
        "$ 5 EUR",
        "2026-02-09",
        "v2",
        "1,23,4",
        "1.2.3",
        "12,3456.7.8",
        "$",
        "$1,2345,678",
        "x" * 200 + " $5",
    ],
)
def test_a_value_that_is_no_single_amount_is_left_alone(value) -> None:
    assert parse(value) is None


def test_a_step_is_computed_between_amounts_of_one_currency_and_unit() -> None:
    rise = step("$3,600", "$4,200")
    assert rise is not None
    assert rise.difference == 600
    assert rise.percent is not None
    assert round(rise.percent, 1) == Decimal("16.7")
    assert step("3.600,00 €", "3.750 €").difference == 150
    assert step("$3,600", "3.600 €") is None
    assert step("$38 per seat per month", "$38 per seat per year") is None
    assert step("$3,600", "on request") is None
    assert step("$0", "$5").percent is None
