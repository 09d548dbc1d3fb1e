"""What the agents of the scenes know of the generated material: three documents, a question about each."""

from __future__ import annotations

import json
from typing import Any

from harness.entry.prompts.scene import Call, Say

DOCUMENTS = ("00-0000-inspection.txt", "00-0001-inspection.txt", "00-0002-contract.txt")
_QUESTIONS = (
    "In the 2020 inspection report of Juniper Peak Castings Ltd, who carried out the inspection?",
    "In the 2021 inspection report of Juniper Peak Castings Ltd, what wall thickness was measured?",
    "In the 2020 supply contract of Juniper Peak Castings Ltd, what is the total contract price?",
)
_ANSWERS = ("Helen Baptiste", "9.50 mm", "EUR 714,750")
_SECTIONS = (5, 8, 5)


def entries(*numbers: int) -> str:
    """The right entries for these questions, as JSON."""
    return json.dumps([_entry(n, _ANSWERS[n], _SECTIONS[n]) for n in numbers], ensure_ascii=False)


def _entry(number: int, answer: str, section: int) -> dict[str, str]:
    return {
        "question": _QUESTIONS[number],
        "answer": answer,
        "clause_ref": f"{DOCUMENTS[number]} §{section}",
    }


WRONG = json.dumps([_entry(0, "Maria Kelter", 5)], ensure_ascii=False)
"""An entry whose answer stands nowhere."""
FINAL = Say(entries(0, 1, 2))


def read(number: int, sections: str = "") -> Call:
    """Read a document, or some sections of it."""
    more = {"sections": sections} if sections else {}
    return Call("read_document", {"document": DOCUMENTS[number], **more})


def errand(number: int) -> str:
    """An order in plain words for one question."""
    return (
        f"Read {DOCUMENTS[number]} and answer this question:\n{_QUESTIONS[number]}\n"
        "Send back a JSON array with one object: question, answer, clause_ref."
    )


def order(number: int, **changes: Any) -> dict[str, Any]:
    """A structured order for one question. Fields that are None are left out."""
    text = {"type": "string"}
    made: dict[str, Any] = {
        "objective": f"Answer this question: {_QUESTIONS[number]}",
        "input_ref": [DOCUMENTS[number]],
        "context_card": {
            "background": "One of three questions about one company; others answer the rest.",
            "local_facts": ["the document has eight sections"],
            "excluded": ["other documents"],
        },
        "constraints": ["copy the answer from the document"],
        "output_schema": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"question": text, "answer": text, "clause_ref": text},
            },
        },
        "acceptance_criteria": [
            {"check": "required", "field": "answer"},
            {"check": "quote_in_source", "field": "answer", "by": "clause_ref"},
            {"check": "text", "text": "the answer is as short as can be"},
        ],
        **changes,
    }
    return {key: value for key, value in made.items() if value is not None}


FAULTY = order(
    0,
    objective=" ",
    input_ref=["minutes.txt"],
    context_card={"background": "Much is known about this company, and all of it is repeated here."},
    output_schema={"type": "lst"},
    acceptance_criteria=[
        {"check": "range", "field": "answer"},
        {"check": "count", "min": 3},
        {"check": "count", "max": 2},
    ],
    max_retries=9,
)
"""An order with nearly everything wrong that can be; its card has more than ten tokens."""
UNKNOWN_CHECK = order(0, acceptance_criteria=[{"check": "cuont", "min": 1}])
