"""References: how a ``clause_ref`` is read."""

from __future__ import annotations

import re
import unicodedata

MAX_CHARS = 300

_MARK = r"(?:§|#|section|sec\.)"
_FORMS = (
    re.compile(rf"(?P<name>\S.*?)[\s,:]*{_MARK}\s*(?P<section>\d{{1,6}})"),
    re.compile(rf"{_MARK}\s*(?P<section>\d{{1,6}})\s+(?:of|in)\s+(?P<name>\S.*)"),
)


def parse(clause_ref: str) -> tuple[str, int] | None:
    """The one place a reference names, as (file name in lower case, section number); None if it names none or several.

    Read alike: ``for.txt §3``, ``[for.txt §3]``, ``for.txt#3``, ``for.txt, section 3``, ``§3 of for.txt``.
    """
    if len(clause_ref) > MAX_CHARS:
        return None
    text = " ".join(unicodedata.normalize("NFKC", clause_ref).casefold().split())
    text = text.strip("`'\" .;").removeprefix("[").removesuffix("]").strip()
    for form in _FORMS:
        if found := form.fullmatch(text):
            name = found["name"].strip("`'\"")
            return None if re.search(_MARK + r"\s*\d", name) else (name, int(found["section"]))
    return None
