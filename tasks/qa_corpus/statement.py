"""What a solver reads first: the brief, the statement, and the schema of the deliverable."""

from __future__ import annotations

from typing import Any

from tasks.qa_corpus.questions import Bundle

BRIEF = """\
You turn documents into question-and-answer entries for a knowledge base.
How to read: documents come in sections, and each section stands under its label, for example [notes.txt §3]. Read a \
document before you answer from it; documents can look alike, so check company, year and subject.
How to answer: use only what the documents say and do not invent. An answer is short: a name, a number with its unit, \
or a few words copied from the document, never a whole sentence or passage.
How to cite: every answer needs its clause_ref, the label of the one section that holds the evidence, written as file \
name and section, for example notes.txt §3.
If the documents do not answer a question, give null for answer and for clause_ref instead of a guess."""

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "question": {"type": "string", "description": "the question, word for word"},
            "answer": {"type": ["string", "null"], "description": "the short answer, or null if there is none"},
            "clause_ref": {
                "type": ["string", "null"],
                "description": "file name and section that hold the evidence, such as notes.txt §3, or null",
            },
        },
        "required": ["question", "answer", "clause_ref"],
        "additionalProperties": False,
    },
}


def statement(bundle: Bundle) -> str:
    """The first user message: the job, the documents one a line, the questions one a line, the form of the answer."""
    documents = "\n".join(document.line for document in bundle.documents)
    questions = "\n".join(f"{n}. {question.text}" for n, question in enumerate(bundle.questions, 1))
    return f"""\
Answer every question below from the documents and give for each answer the section that proves it.

Documents:
{documents}

Questions:
{questions}

Output format:
A JSON array and nothing else, with one object for each question, in any order:
[{{"question": "the question, word for word", "answer": "the short answer", "clause_ref": "file name §section"}}]"""
