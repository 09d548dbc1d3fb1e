"""The keys agree with a second method that shares no code with the loader: the token stream instead of the syntax tree.

What is asked of whom is read from the question's own line, and the answer is found by the words of the brief.
"""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from collections.abc import Iterator
from typing import Any

import pytest

from tasks.code_search import CodeSearch

SKIPPED = (tokenize.NL, tokenize.COMMENT)
OPEN, CLOSE = "([{", ")]}"


class Read:
    """One file by its tokens: definitions as (name, line, qualified), calls as (name, qualified function), classes as
    (qualified, name, base names)."""

    def __init__(self, name: str, text: str) -> None:
        path = name[: -len(".py")].split("/")
        self.module = ".".join(path[:-1] if path[-1] == "__init__" else path)
        self.definitions: list[tuple[str, int, str]] = []
        self.calls: list[tuple[str, str]] = []
        self.classes: list[tuple[str, str, list[str]]] = []
        tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type not in SKIPPED]
        self._statements(tokens)

    def _statements(self, tokens: list[tokenize.TokenInfo]) -> None:
        """``scopes``: (depth of the body, kind, qualified name) of what is around; ``depth``: of indentation."""
        scopes: list[tuple[int, str, str]] = []
        depth, at = 0, 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == tokenize.INDENT:
                depth += 1
            elif token.type == tokenize.DEDENT:
                depth -= 1
                while scopes and scopes[-1][0] > depth:
                    scopes.pop()
            elif token.type not in (tokenize.NEWLINE, tokenize.ENDMARKER):
                at = self._statement(tokens, at, scopes, depth)
                continue
            at += 1

    def _statement(
        self, tokens: list[tokenize.TokenInfo], at: int, scopes: list[tuple[int, str, str]], depth: int
    ) -> int:
        """One statement, or the first line of one with a body; returns where the next begins."""
        start = at + (tokens[at].string == "async")
        if tokens[start].string not in ("def", "class"):
            end = self._end(tokens, at, "")
            if tokens[at].string != "case":  # a pattern looks like a call and is none
                self._count(tokens[at:end], scopes)
            return end
        kind, name = tokens[start].string, tokens[start + 1].string
        qualified = f"{scopes[-1][2] if scopes else self.module}.{name}"
        self.definitions.append((name, tokens[start].start[0], qualified))
        head = self._end(tokens, start, ":")
        self._count(tokens[start:head], scopes)
        if kind == "class":
            self.classes.append((qualified, name, list(self._bases(tokens[start + 2 : head]))))
        inside = [*scopes, (depth + 1, kind, qualified)]
        if tokens[head].type == tokenize.NEWLINE:
            scopes[:] = inside
            return head
        end = self._end(tokens, head, "")  # the body on the same line
        self._count(tokens[head:end], inside)
        return end

    @staticmethod
    def _end(tokens: list[tokenize.TokenInfo], at: int, until: str) -> int:
        """Just after the colon that ends a head, or at the line break that ends a statement."""
        brackets = 0
        while tokens[at].type not in (tokenize.NEWLINE, tokenize.ENDMARKER):
            text = tokens[at].string
            brackets += (text in OPEN and tokens[at].type == tokenize.OP) - (
                text in CLOSE and tokens[at].type == tokenize.OP
            )
            at += 1
            if until and not brackets and text == until:
                return at
        return at

    def _count(self, tokens: list[tokenize.TokenInfo], scopes: list[tuple[int, str, str]]) -> None:
        function = next((qualified for _, kind, qualified in reversed(scopes) if kind == "def"), None)
        for before, token, after in zip([None, *tokens], tokens, tokens[1:], strict=False):
            if token.type != tokenize.NAME or keyword.iskeyword(token.string) or after.string != "(":
                continue
            if function is not None and (before is None or before.string not in ("def", "class")):
                self.calls.append((token.string, function))

    @staticmethod
    def _bases(head: list[tokenize.TokenInfo]) -> Iterator[str]:
        """From the bracket after the class's name: of each argument that is a dotted name, perhaps with square brackets
        after it, the last name."""
        arguments: list[list[str]] = [[]]
        brackets = 0
        for token in head:
            brackets -= token.string in CLOSE
            if brackets == 1 and token.string == ",":
                arguments.append([])
            elif brackets >= 1:
                arguments[-1].append(token.string)
            brackets += token.string in OPEN
        for words in arguments:
            if found := re.fullmatch(r"(?:\w+ \. )*(\w+)(?: \[ .* \])?", " ".join(words)):
                yield found[1]


def derived(kind: str, about: str, files: dict[str, str], read: dict[str, Read]) -> set[str]:
    if kind == "grep":
        return {name for name, text in files.items() if re.search(rf"(?<!\w){about}(?!\w)", text)}
    if kind == "defined":
        return {f"{name}:{line}" for name, r in read.items() for own, line, _ in r.definitions if own == about}
    if kind == "callers":
        return {function for r in read.values() for called, function in r.calls if called == about}
    classes = [found for r in read.values() for found in r.classes]
    names, found = {about}, set()
    while new := {(q, n) for q, n, bases in classes if names & set(bases)} - found:
        found |= new
        names |= {n for _, n in new}
    return {qualified for qualified, _ in found}


def checked(suite: CodeSearch) -> int:
    """How many questions agree; raises for one that does not."""
    count = 0
    for sample_id in suite.sample_ids():
        case = suite.problem(sample_id)
        files = {file.name: file.text for file in case.files}
        read = {name: Read(name, text) for name, text in files.items()}
        for question in case.questions:
            asked = re.findall(r"`(\w+)`", question.text)
            assert asked == [question.about]
            assert set(question.answer) == derived(question.kind, asked[0], files, read), question.text
            assert len(question.answer) == len(set(question.answer))
            for wrong in question.wrong:
                assert wrong and set(wrong) != set(question.answer)
            count += 1
    return count


@pytest.mark.parametrize("seed", [0, 1])
def test_keys_over_the_installed_standard_library(seed: int) -> None:
    assert checked(CodeSearch(samples=2, questions=40, seed=seed)) > 60


def test_keys_over_generated_code() -> None:
    assert checked(CodeSearch(corpus="generated", samples=1, questions=60, tokens=20_000)) > 50


CODE = """\
import abc

def helper(): return first()

class Base(abc.ABC, metaclass=made()):
    attribute = made()

    @marked(made())
    def method(self, value=made()):
        # made() in a comment
        text = "made()"
        return [self.made() for _ in range(3)], (lambda: made)()

    async def later(self) -> "made()":
        class Inner(Base):
            attribute = made(1)

        def nested():
            return lambda: self.x().made (2)

        return nested

class Child(pack.Base[int], Other):
    def made(self): pass

class GrandChild(
    Inner,
    key=Base,
): pass

class Stranger(Base()): pass
"""


def test_each_rule_by_hand(tmp_path: Any) -> None:
    """The rules of the brief, one by one, with answers that a person has worked out."""
    (tmp_path / "part.py").write_text(CODE)
    suite = CodeSearch(root=str(tmp_path), questions=40)
    (sample_id,) = suite.sample_ids()
    asked = {(q.kind, q.about): set(q.answer) for q in suite.problem(sample_id).questions}
    assert asked["callers", "made"] == {"part.Base.method", "part.Base.later", "part.Base.later.nested"}
    assert asked["subclasses", "Base"] == {"part.Base.later.Inner", "part.Child", "part.GrandChild"}
    assert asked["subclasses", "Inner"] == {"part.GrandChild"}
    assert asked["defined", "made"] == {"part.py:24"}, "not the calls, not the decorated line"
    assert asked["defined", "method"] == {"part.py:9"}, "the line with the keyword, below its decorator"
    assert asked["defined", "helper"] == {"part.py:3"}
    assert checked(suite) > 10
