"""Which questions are asked about some files: drawn from what static analysis finds there."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb
from random import Random

from tasks.code_search.code.index import Definition, Index
from tasks.code_search.code.source import SourceFile, ambiguous
from tasks.code_search.questions import CALLERS, DEFINED, GREP, SUBCLASSES, Question

MOST_NAMES = 8
"""Names in an answer."""
LONGEST_LINE = 160
"""Characters of a line that proves something."""
SHORTEST_WORD = 5
LEAST_SETS = 6
"""As many sets of files must have the size of the right one, or the word is not asked for: a guess would do."""
DECOYS = 2

Piece = tuple[tuple[str, ...], str]
"""The shown lines that prove a name, and the name."""
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Asker:
    """Makes questions about some files. ``key``: of the draws."""

    def __init__(self, files: Sequence[SourceFile], key: str) -> None:
        self._index = Index.of(files)
        self._key = key
        self._files = {file.name: file for file in files}
        self._ambiguous = ambiguous(files)
        self._defined = self._index.defined()
        self._callers = self._index.callers()
        self._bases = self._index.subclasses()
        self._functions = sorted({d.qualified for d in self._index.functions})
        self._classes = sorted({d.qualified for d in self._index.classes})

    def known(self) -> dict[str, frozenset[str]]:
        """Kind of question → all names that it could be answered by."""
        lines = (_at(file, n) for file in self._files.values() for n in range(1, len(file.lines) + 1))
        return {
            DEFINED: frozenset(lines),
            CALLERS: frozenset(self._functions),
            SUBCLASSES: frozenset(self._classes),
            GREP: frozenset(self._files),
        }

    def questions(self, kinds: Sequence[str], labels: Sequence[str]) -> tuple[Question, ...]:
        """One question a label, the kinds in turn. A kind that runs out leaves its turns to the others; fewer questions
        than labels where all do."""
        sources = {kind: self._of(kind) for kind in kinds}
        made: list[Question] = []
        for number, label in enumerate(labels):
            turn = number % len(kinds)
            for kind in (*kinds[turn:], *kinds[:turn]):
                found = next(sources[kind], None)
                if found is not None:
                    made.append(Question(label, kind, *found))
                    break
        return tuple(made)

    def _of(self, kind: str) -> Iterator[tuple[str, tuple[Piece, ...], tuple[tuple[str, ...], ...]]]:
        """(what is asked about, pieces of the answer, wrong answers) for each question of a kind that can be asked, in
        the order drawn; answers of several names come first."""
        names, prove, others = self._sources[kind]()
        rng = Random(f"code_search {self._key} {kind}")
        drawn = rng.sample(names, len(names))
        for least, most in ((2, MOST_NAMES), (1, 1)):
            for name in drawn:
                pieces = prove(name, least, most)
                if pieces is None or not least <= len(pieces) <= most:
                    continue
                if not all(self._clear(line) for lines, _ in pieces for line in lines):
                    continue
                right = tuple(found for _, found in pieces)
                wrong = _wrong(right, others(right), Random(f"code_search {self._key} {kind} {name}"))
                if len(wrong) >= 2:
                    yield name, pieces, wrong

    @property
    def _sources(self) -> Mapping[str, Callable[[], _Source]]:
        return {DEFINED: self._definitions, CALLERS: self._calls, SUBCLASSES: self._descents, GREP: self._words}

    def _clear(self, line: str) -> bool:
        """Whether a shown line proves that its file was looked at there, and is shown whole by every tool."""
        return line not in self._ambiguous and len(line) <= LONGEST_LINE

    # -- each kind ---------------------------------------------------------------------------------------------------

    def _definitions(self) -> _Source:
        def prove(name: str, least: int, most: int) -> tuple[Piece, ...] | None:
            found = self._defined[name]
            return tuple(((d.file.shown(d.line),), _at(d.file, d.line)) for d in found) if len(found) <= most else None

        def others(right: Sequence[str]) -> list[str]:
            """The lines next to the right ones, and definitions of other names in the same files."""
            places = [place.rpartition(":") for place in right]
            near = [f"{name}:{int(line) + 1}" for name, _, line in places]
            inside = {name for name, _, _ in places}
            rest = [_at(d.file, d.line) for found in self._defined.values() for d in found if d.file.name in inside]
            return [*near, *rest[: 10 * DECOYS]]

        return [n for n in sorted(self._defined) if _askable(n)], prove, others

    def _calls(self) -> _Source:
        def prove(name: str, least: int, most: int) -> tuple[Piece, ...] | None:
            by = self._callers.get(name, {})
            if name in self._index.doubtful or not least <= len(by) <= most:
                return None
            pieces = []
            for qualified in by:
                calls = ((*_lines(own), own.file.shown(line)) for own, line in by[qualified])
                proof = next((lines for lines in calls if all(map(self._clear, lines))), None)
                if proof is None:
                    return None
                pieces.append((tuple(dict.fromkeys(proof)), qualified))
            return tuple(pieces)

        return [n for n in sorted(self._defined) if _askable(n)], prove, lambda right: _beside(right, self._functions)

    def _descents(self) -> _Source:
        def prove(name: str, least: int, most: int) -> tuple[Piece, ...] | None:
            found: dict[str, Piece] = {}
            reached: list[tuple[str, tuple[str, ...]]] = [(name, ())]
            while reached:
                base, chain = reached.pop(0)
                for own, line in self._bases.get(base, ()):
                    if own.qualified in found or len(found) > most:
                        continue
                    if own.name == name or len(self._defined[own.name]) > 1:
                        return None  # which of them is meant as a base, the name does not tell
                    proof = tuple(dict.fromkeys((*_lines(own), own.file.shown(line), *chain)))
                    found[own.qualified] = (proof, own.qualified)
                    reached.append((own.name, proof))
            return tuple(found.values())

        asked = [n for n in sorted(self._bases) if _askable(n) and len(self._defined.get(n, ())) <= 1]
        return asked, prove, lambda right: _beside(right, self._classes)

    def _words(self) -> _Source:
        def prove(name: str, least: int, most: int) -> tuple[Piece, ...] | None:
            lines = self._index.words[name]
            if not least <= len(lines) <= most or comb(len(self._files), len(lines)) < LEAST_SETS:
                return None
            pieces = []
            for file, numbers in lines.items():
                shown = (self._files[file].shown(number) for number in numbers)
                clear = next(filter(self._clear, shown), None)
                if clear is None:
                    return None
                pieces.append(((clear,), file))
            return tuple(pieces)

        asked = [w for w in sorted(self._index.words) if len(w) >= SHORTEST_WORD and _askable(w)]
        return asked, prove, lambda right: [name for name in self._files if name not in right]


_Source = tuple[list[str], Callable[[str, int, int], tuple[Piece, ...] | None], Callable[[Sequence[str]], list[str]]]
"""What may be asked about; from one of these to the pieces of its answer (None: it cannot be asked); from an answer to
names that might be taken for one."""


def _askable(name: str) -> bool:
    """No keyword, no ``__name__`` that every class has, and nothing that needs care in a search pattern."""
    special = keyword.iskeyword(name) or keyword.issoftkeyword(name) or (name.startswith("__") and name.endswith("__"))
    return bool(_IDENTIFIER.fullmatch(name)) and not special


def _at(file: SourceFile, line: int) -> str:
    return f"{file.name}:{line}"


def _lines(definition: Definition) -> tuple[str, ...]:
    """The statements that its qualified name comes from."""
    return tuple(definition.file.shown(line) for line in definition.lines)


def _beside(right: Sequence[str], known: Sequence[str]) -> list[str]:
    """Names that are not right, those around the right ones first."""
    modules = {name.rpartition(".")[0] for name in right}
    return sorted((n for n in known if n not in right), key=lambda n: n.rpartition(".")[0] not in modules)[: 5 * DECOYS]


def _wrong(right: tuple[str, ...], others: Sequence[str], rng: Random) -> tuple[tuple[str, ...], ...]:
    """One name too many, one instead of another, one too few, and only a wrong one."""
    choices = [name for name in dict.fromkeys(others) if name not in right]
    decoys = rng.sample(choices, min(DECOYS, len(choices)))
    if not decoys:
        return ()
    made = ((*right, decoys[0]), (*right[:-1], decoys[-1]), right[1:], (decoys[0],))
    return tuple(names for names in dict.fromkeys(made) if names)
