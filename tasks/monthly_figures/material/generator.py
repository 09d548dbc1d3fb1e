"""Any problem of the suite, made alone from its number and the seed."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from random import Random

from tasks.common.companies import Companies
from tasks.monthly_figures.material.chinese import CHINESE
from tasks.monthly_figures.material.english import ENGLISH
from tasks.monthly_figures.material.lexicon import CENT, Lexicon
from tasks.monthly_figures.material.papers import Papers, Writer
from tasks.monthly_figures.material.year import MISSING as GONE
from tasks.monthly_figures.material.year import Amounts, Year, drawn
from tasks.monthly_figures.problem import MISSING, Month, Problem

LANGUAGES: Mapping[str, Lexicon] = {"en": ENGLISH, "zh": CHINESE}


class Generator:
    """``samples`` problems, each of ``documents`` documents of ``pages`` sheets with ``missing`` missing months, in one
    language after the other."""

    def __init__(
        self, samples: int, documents: int, pages: int, missing: int, seed: int, languages: tuple[str, ...]
    ) -> None:
        self.documents = documents
        self._samples, self._pages, self._missing, self._seed = samples, pages, missing, seed
        self._languages = languages
        self.companies = {name: Companies(LANGUAGES[name], seed) for name in languages}

    def language(self, number: int) -> str:
        """The language of problem ``number``, from 0."""
        return self._languages[number % len(self._languages)]

    def owner(self, language: str, company: int) -> int | None:
        """The problem that a company of this language belongs to; None if it is in none."""
        number = company // self.documents
        return number if number < self._samples and self.language(number) == language else None

    def problem(self, number: int) -> Problem:
        """Problem ``number``, from 0."""
        amounts = Amounts(Random(f"monthly_figures amounts {self._seed} {number}"))
        made = [self._papers(number, d, amounts) for d in range(self.documents)]
        lexicon = LANGUAGES[self.language(number)]
        return Problem(
            tuple(papers.document for _, papers in made),
            tuple(self._month(number, d, m, *made[d]) for d in range(self.documents) for m in made[d][0].kinds),
            lexicon.units[0].name,
        )

    def _company(self, number: int, d: int) -> str:
        return self.companies[self.language(number)].name(number * self.documents + d)

    def _papers(self, number: int, d: int, amounts: Amounts) -> tuple[Year, Papers]:
        key = (self._seed, number, d)
        draws = Random(f"monthly_figures {key}")
        year = drawn(draws, amounts, self._missing)
        names = self.companies[self.language(number)]
        beyond = self._samples * self.documents
        writer = Writer(
            LANGUAGES[self.language(number)],
            self._company(number, d),
            year,
            self._pages,
            draws,
            amounts,
            lambda other: names.name(beyond + other),
            key,
        )
        return year, writer.papers(f"{number:02d}-{d + 1}-deals-{year.year}.txt")

    def _month(self, number: int, d: int, month: int, year: Year, papers: Papers) -> Month:
        lexicon = LANGUAGES[self.language(number)]
        unit, company = lexicon.units[0].name, self._company(number, d)
        calendar = f"{year.year}-{month:02d}"
        label = calendar if self.documents == 1 else f"{company} {calendar}"
        asked = lexicon.ask.format(
            company=company, month=lexicon.months[month - 1], year=year.year, unit=unit, file=papers.document.name
        )
        gone, first = year.kinds[month] == GONE, year.first.get(month)
        return Month(
            label=label,
            company=company,
            month=calendar,
            question=f"{label}: {asked}",
            kind=year.kinds[month],
            amount=MISSING if gone else text(year.closed[month]),
            unit=unit,
            evidence=papers.evidence[month],
            partial=None if first is None else text(first),
            wrong=tuple(_wrong(lexicon, year, month, papers)),
        )


def _wrong(lexicon: Lexicon, year: Year, month: int, papers: Papers) -> list[tuple[str, str]]:
    """Plausible wrong pairs of amount and unit. For a missing month: the figure of the year before, the plan, and what
    the totals would leave. For any other: those of the year before and of the plan, the figure as it stands in another
    unit (or ten times what it is), the amount with one decimal, with the name of another unit, and what was told
    first."""
    wanted, other, *_ = lexicon.units
    closed = year.closed[month]
    amounts = [text(year.before[month]), text(year.planned[month])]
    if year.kinds[month] == GONE:
        return [(amount, wanted.name) for amount in (*amounts, text(closed))]
    told = (u.size for u in lexicon.units[1:] if u.written(closed) in papers.evidence[month][-1])
    amounts += [text(closed * next(told, Decimal(10))), f"{closed.quantize(Decimal('0.1'), ROUND_HALF_UP)}"]
    if month in year.first:
        amounts.append(text(year.first[month]))
    right = text(closed)
    return [*((a, wanted.name) for a in dict.fromkeys(amounts) if a != right), (right, other.name)]


def text(amount: Decimal) -> str:
    """An amount as an entry gives it: exactly two decimals, no separators."""
    return f"{amount.quantize(CENT, ROUND_HALF_UP)}"
