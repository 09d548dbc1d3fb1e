"""What the suite tells the simulated model; no topology can reach it."""

from __future__ import annotations

import re
from functools import lru_cache

from harness.models.oracle import Entry, Item
from tasks.common.texts import strip_marker
from tasks.monthly_figures.material.generator import Generator
from tasks.monthly_figures.problem import MISSING, Month, Problem

KEPT = 8
"""Problems that are remembered."""


class MonthOracle:
    """Every month of the suite, found by its line; with several documents, whose labels name the company, by its label
    too. Problems are made on demand."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator
        self._names = {name: re.compile(known.pattern) for name, known in generator.companies.items()}
        self._items = lru_cache(maxsize=KEPT)(self._of_problem)

    def lookup(self, line: str) -> Item | None:
        """The item whose question is the line, or whose label it is; None for any other line."""
        asked = strip_marker(line)
        for language, name in self._names.items():
            if (found := name.search(asked)) is not None:
                company = self._generator.companies[language].number(found)
                owner = self._generator.owner(language, company)
                if owner is not None and (item := self._items(owner).get(asked)) is not None:
                    return item
        return None

    def _of_problem(self, number: int) -> dict[str, Item]:
        problem = self._generator.problem(number)
        items = [(month, item(problem, month)) for month in problem.months]
        by_label = {month.label: made for month, made in items} if len(problem.companies) > 1 else {}
        return {**by_label, **{month.question: made for month, made in items}}


def item(problem: Problem, month: Month) -> Item:
    """One month. Mix-ups: the same month of the other companies of the sample."""
    wrong: tuple[Entry, ...] = tuple(month.entry(amount, unit) for amount, unit in month.wrong)
    others = (m for m in problem.months if m.month[-2:] == month.month[-2:] and m.company != month.company)
    mixups = tuple((m.evidence[-1], month.entry(m.amount, m.unit)) for m in others if m.amount != MISSING)
    partial = None if month.partial is None else month.entry(month.partial, month.unit)
    return Item(month.question, month.evidence, month.key, wrong, mixups, partial=partial)
