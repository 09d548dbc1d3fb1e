"""What a solver reads first: the brief, the statement, and the schema of the deliverable."""

from __future__ import annotations

from typing import Any

from tasks.code_search.questions import Case

BRIEF = """\
You answer questions about source code in Python. Every question is about the listed files and no others, and asks for \
all names that fit. Lines are shown with their numbers, as in "L12: return found".
What the words of the questions mean:
- A name is defined where a `def`, `async def` or `class` statement gives it, at any depth: methods, nested functions \
and nested classes count; assignments, imports and parameters do not. Its line is the one with that keyword, not that \
of a decorator.
- A function calls NAME if a call written NAME(...) or X.NAME(...), whatever X is, stands in its own body. Only the \
name counts, not what it refers to. A call in a nested function belongs to the nested one alone; lambdas, \
comprehensions and class bodies belong to the function around them. Decorators, default values and annotations belong \
to what is around the function that they are written at. Code outside all functions belongs to none. Methods are \
functions; comments and strings call nothing.
- A class is a subclass of NAME if its `class` statement gives a base written NAME, X.NAME or NAME[...], or a base \
that is itself such a class, written in the same ways. Only names count: other names for a class, given by assignment \
or import, are not followed, and keyword arguments such as metaclass= are no bases.
- A file contains a word if it stands in it anywhere, also in comments and strings, in the same case, and with no \
letter, digit or underscore right before or after it.
- A qualified name is the file's path with dots for slashes and without the ending (the __init__ file of a package \
has the package's), then the names of the classes and functions around, then the own name, all joined by dots: \
pack.part.Class.method, or pack.part.function.nested for a nested function.
- FILE:LINE is the file's name as listed, a colon, and the number of the line."""

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "question": {"type": "string", "description": "the label of the question, such as Q07"},
            "names": {
                "type": ["array", "null"],
                "items": {"type": "string"},
                "description": "all names that fit and no others, in any order, or null if none was found",
            },
        },
        "required": ["question", "names"],
        "additionalProperties": False,
    },
}


def statement(case: Case) -> str:
    """The first user message: the job, the files one a line, the questions one a line, the form of the answer."""
    files = "\n".join(file.line for file in case.files)
    questions = "\n".join(question.text for question in case.questions)
    return f"""\
Answer every question below about these source files.

Files:
{files}

Questions:
{questions}

Output format:
A JSON array and nothing else, with one object for each question, in any order:
[{{"question": "the label, such as Q07", "names": ["a name", "another name"]}}]"""
