"""The documents of a line: given with it as texts, or as paths of files below the folder that holds the file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from tasks.common.documents import Document
from tasks.common.reading import SUFFIXES, document, document_name, read_text

FORMS = '{"name": "notes.md", "text": "…"} or a path such as "notes.md"'


class Shelf:
    """Makes documents. ``folder``: where paths start; what lies outside of it is refused, so that a file from
    elsewhere cannot send what it likes of this machine to a model. A file is read again when many others were since."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._read = lru_cache(maxsize=32)(self._from_file)

    def documents(self, listed: Any) -> tuple[list[str], tuple[Document, ...]]:
        """What is wrong with a line's field ``documents``, and the documents if nothing is."""
        if not isinstance(listed, list):
            return [f"'documents' must be a list of {FORMS}"], ()
        faults: list[str] = []
        made: dict[str, Document] = {}
        for number, given in enumerate(listed):
            found = self._one(given)
            if isinstance(found, str):
                faults.append(f"'documents.{number}' {found}")
            elif found.name.casefold() in made:
                faults.append(f"'documents.{number}' cannot be told by its name from another, both are {found.name}")
            else:
                made[found.name.casefold()] = found
        return faults, () if faults else tuple(made.values())

    def _one(self, given: Any) -> Document | str:
        """A document, or what is wrong with it."""
        if isinstance(given, str):
            return self._read(given)
        if not isinstance(given, dict) or set(given) != {"name", "text"}:
            return f"must be {FORMS}"
        name, text = given["name"], given["text"]
        if not isinstance(name, str) or not name.strip() or not isinstance(text, str):
            return "must have a 'name' and a 'text' that are texts"
        return document(document_name(name.strip()), text) or "holds no text"

    def _from_file(self, path: str) -> Document | str:
        if "\0" in path or not path.strip():
            return "is no path"
        file = (self._folder / path).resolve()
        if not file.is_relative_to(self._folder):
            return f"{path!r} lies outside of the folder of the file; copy it there"
        if file.suffix.lower() not in SUFFIXES:
            return f"{path!r} is no text that can be read here: {', '.join(SUFFIXES)} can"
        if not file.is_file():
            return f"{path!r}: there is no such file in {self._folder}"
        try:
            text = read_text(file)
        except ValueError as error:
            return f"{path!r}: {error}"
        return document(document_name(path), text) or f"{path!r} holds no text"
