"""What a foreign run used, and what it cost: as it says, or by the prices of a map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from results.exchange.card import Card, nearest
from results.exchange.column_map import ANY_MODEL
from results.exchange.files import Row
from results.exchange.values import structure, whole


@dataclass(frozen=True, slots=True)
class Used:
    """Tokens of one run. ``by_model``: (model, prompt, completion) where that is told; ``together``: prompt and
    completion were not told apart, and all of it stands as prompt."""

    prompt: int
    completion: int
    by_model: tuple[tuple[str, int, int], ...] = ()
    together: bool = False


@dataclass(frozen=True, slots=True)
class Paid:
    """Picodollars of one run, and their parts."""

    pusd: int
    prompt_pusd: int
    completion_pusd: int


def by_model(row: Row, column: str, text: str) -> tuple[tuple[str, int, int], ...]:
    """``MODEL:PROMPT/COMPLETION;…`` or ``{"MODEL": [PROMPT, COMPLETION], …}``."""
    if text.startswith("{"):
        pairs: list[tuple[str, Sequence[object]]] = []
        for model, pair in structure(row, column, text).items():
            if not isinstance(pair, list) or len(pair) != 2:
                raise row.wrong(column, f"'{model}' must have [prompt, completion] tokens, got {pair!r}.")
            pairs.append((model, pair))
    else:
        pairs = []
        for part in text.split(";"):
            model, colon, counts = part.strip().rpartition(":")
            if not colon or counts.count("/") != 1:
                raise row.wrong(column, f"'{part.strip():.80}' is not MODEL:PROMPT/COMPLETION, as gpt-4:120/35.")
            pairs.append((model.strip(), counts.split("/")))
    if len({model for model, _ in pairs}) < len(pairs):
        raise row.wrong(column, "a model is named twice.")
    return tuple((model, *(whole(row, column, str(n).strip()) for n in pair)) for model, pair in pairs)  # type: ignore[misc]


def split(pusd: int, used: Used | None) -> Paid:
    """A bill over prompt and completion in proportion to tokens: no figure depends on it, since neither has a known
    purpose. All of it is the prompt's where nothing is known of tokens."""
    tokens = 0 if used is None else used.prompt + used.completion
    prompt = pusd if used is None or not tokens else nearest(Fraction(pusd * used.prompt, tokens))
    return Paid(pusd, prompt, pusd - prompt)


def priced(row: Row, column: str, used: Used, model: str, prices: Mapping[str, Card]) -> Paid:
    """By the map's prices. Raises CorpusError where a model has none."""
    prompt = completion = Fraction(0)
    for name, read, written in used.by_model or ((model, used.prompt, used.completion),):
        card = prices.get(name, prices.get(ANY_MODEL))
        if card is None:
            known = ", ".join(sorted(prices))
            told = f"model '{name}'" if name else "a row that names no model"
            raise row.wrong(column, f"no price for {told}; there are prices for {known}. Add it, or one for '*' (all).")
        if used.together and card.input != card.output:
            raise row.wrong(
                column,
                "prompt and completion are not told apart, and have different prices. Map both, or give the USD.",
            )
        parts = card.pusd(read, written)
        prompt, completion = prompt + parts[0], completion + parts[1]
    total = nearest(prompt + completion)
    return Paid(total, nearest(prompt), total - nearest(prompt))
