"""The words of a report, for who has not read the documents."""

from __future__ import annotations

from harness.accounting.purposes import CLASS_OF
from results.report.document import Section
from results.sheet import Sheet, sheet

PURPOSES = {
    "task": "what the single agent reads as well: statement, material, instructions, results of the task's own tools",
    "answer": "the product and the reasoning that makes it, when first written",
    "scaffold": "text that is there only because there is a team: roles, protocols, schemas of coordination tools",
    "plan": "taking the task apart: writing that, and reading it",
    "dispatch": "orders and context cards: writing and reading them",
    "sync": "messages between agents that are neither an order nor a result",
    "report": "the envelope in which a worker hands over its result",
    "merge": "reading others' results to combine them, and text that restates them",
    "review": "all that a reviewer reads in order to judge, and the verdict",
    "feedback": "instructions for revision and validation errors: writing and reading them",
    "rework": "a product written again after a verdict or a validation error",
}
TERMS = {
    "single": "one agent with the team's tools, briefs and limits: what every team is compared with",
    "single family": "what one agent can do with more money: a stronger model, several attempts, escalation, reviews",
    "team": "a topology in which agents work for each other",
    "content and activity": "two ways to count: every token by its own purpose, or every call, prompt and all, by what "
    "most of its completion was for",
    "bridge": "what a team spent beyond single, term by term; the terms add up to the difference exactly",
    "coordination against single": "coordination tokens of the team / all tokens of single, on the same samples",
    "as if uncached": "what it would have cost if nothing had been read from a provider's prompt cache",
    "cluster": "samples that belong together and therefore do not count as independent",
    "passed": "score at least the suite's threshold; runs that failed count as not passed, with score 0",
    "scenario": "one suite and one setting of everything but the topology",
    "family hull": "what the money buys from one agent: between two members of the single family, choosing by chance",
    "leaf": "where the decision tree ends: single, parallel, DAG or compress, with a reviewer or experts added",
    "sim:": "what would follow from the declared behaviour of the simulated model; no evidence about a real one",
    "break-even": "the price of a point of score from which on a team's net return is above that of the single family",
    "Holm": "bounds and p-values are widened for the number of teams that are tested at once",
    "epoch": "one of several runs of the same sample; they are averaged before anything else",
    "depth violation": "an agent tried to create or to order another beyond the allowed depth",
    "Monte-Carlo": "the standard error of a simulated mean: how far another draw of the simulation may lie from it",
}


def _purposes() -> Sheet:
    made = sheet("What a token is spent on", False, "purpose", ["class", "what it covers"])
    kinds = {purpose.value: kind for purpose, kind in CLASS_OF.items()}
    for purpose, covers in PURPOSES.items():
        made.add(purpose, [kinds[purpose], covers])
    return made


def _terms() -> Sheet:
    made = sheet("Words", False, "word", ["what it means"])
    for word, meaning in TERMS.items():
        made.add(word, [meaning])
    return made


WORDS = Section("Words used here", sheets=(_purposes(), _terms()))
