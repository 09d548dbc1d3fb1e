"""What a solver reads first: the brief, the statement, and the schema of the deliverable."""

from __future__ import annotations

from typing import Any

from tasks.monthly_figures.problem import MISSING, Problem

BRIEF = f"""\
You take the monthly amounts of one year out of business papers. The papers are minutes, e-mails, notes, scans and \
tables that were pasted badly, and most of what they say is beside the point.
What counts: the deals closed by the company that is asked about, in the month and the year that are asked about, \
wherever in the papers they are mentioned. Two deals closed in one month add up. A correction takes the place of the \
figure that it corrects.
What does not count: plans and budgets, other years, other companies, payments received, quotations and open \
negotiations, and totals of several months. Never work a month out from totals.
Units: the papers give amounts in several units, and the amount that is asked for may have to be converted. \
1 million USD is 1000 thousand USD, 1 thousand USD is 1000 USD; 1万元 is 10千元, 1千元 is 1000元.
A month for which the papers give no amount that counts is missing: its amount is the word "{MISSING}", not a guess \
and not 0. Only who has read all sheets can say so. Null means that you could not do that month."""

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "month": {"type": "string", "description": "what stands before the colon in the month's line"},
            "amount": {
                "type": ["string", "null"],
                "description": f'number with exactly two decimals as text, or "{MISSING}"',
            },
            "unit": {"type": ["string", "null"], "description": "the unit of the amount"},
        },
        "required": ["month", "amount", "unit"],
        "additionalProperties": False,
    },
}


def statement(problem: Problem) -> str:
    """The first user message: the job, the documents one a line, the months one a line, what every entry must keep to,
    the form of the answer."""
    documents = "\n".join(document.line for document in problem.documents)
    months = "\n".join(month.question for month in problem.months)
    return f"""\
Find the amount of the deals closed in every month below.

Documents:
{documents}

Months:
{months}

Rules:
- Every month must have an entry, also one without an amount.
- Every amount must have exactly two decimals, or be "{MISSING}" if the document gives none that counts.
- Every unit must be "{problem.unit}".

Output format:
A JSON array and nothing else, with one object for each month, in any order:
[{{"month": "what stands before the colon", "amount": "the amount as text", "unit": "{problem.unit}"}}]"""
