"""Documents out of text files, and out of texts that are given with a name."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from tasks.common.documents import Document, blocks, flat, heading, pack
from tasks.common.html import text_of

SUFFIXES = (".txt", ".md", ".html")
TITLE_CHARS = 80

_SEPARATING = re.compile(r"[\s\[\]()<>\"'`,;:§（），；：、]+")


def document_name(path: str) -> str:
    """What a document is called: its path with every run of white space, quotes, brackets and marks that separate words
    made an underscore, so that a reference stays one word in any sentence; ``.txt`` at the end of one that has no
    ending of a text."""
    suffix = PurePosixPath(path).suffix.lower()
    stem, ending = (path[: -len(suffix)], suffix) if suffix in SUFFIXES else (path, ".txt")
    return _SEPARATING.sub("_", stem) + ending


def read_text(file: Path) -> str:
    """A UTF-8 file, with or without a byte order mark. Raises ValueError that says what is wrong with it."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except OSError as error:
        raise ValueError(f"cannot be read ({error.strerror})") from error


def document(name: str, text: str) -> Document | None:
    """A text in sections, HTML by its name; titled by its own title, first heading or first line. None if there is no
    text in it."""
    title, body = text_of(text) if name.endswith(".html") else ("", text)
    paragraphs = blocks(body)
    if not paragraphs:
        return None
    shown = title or heading(paragraphs[0]) or flat(paragraphs[0].strip().split("\n")[0])
    return Document(name, shown[:TITLE_CHARS], pack(paragraphs))
