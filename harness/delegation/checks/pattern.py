"""Regular expressions whose time grows with the length of the text and never explodes.

A model writes the pattern and another model the text, so neither can be trusted with Python's backtracking matcher: it
takes hours over ``(a+)+b`` and thirty letters. Here a pattern becomes a state machine (Thompson, "Regular Expression
Search Algorithm", 1968) that reads each character once. It says what ``re`` says, for what a machine of that kind can
know: no look-around, no back-references, no flags, no possessive or atomic groups.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache

MOST_PATTERN = 300
"""Characters of a pattern."""
MOST_STATES = 500
"""States of a machine; ``a{400}`` takes 401."""
MOST_TEXT = 1_000
"""Characters of a text that a pattern is matched against: 500 states over 1,000 characters take well under a second."""

Build = Callable[[int], int]
"""Adds a piece's states before the state given and returns the first of them."""

_ZERO_WIDTH = {"^": "A", "$": "$", r"\A": "A", r"\Z": "Z", r"\b": "b", r"\B": "B"}
_ESCAPES = {"x": 4, "u": 6, "U": 10}
"""Lengths of escapes that are longer than two characters."""
_REPEAT = re.compile(r"[*+?]|\{(?!\})(?P<least>[0-9]*)(?P<comma>,?)(?P<most>[0-9]*)\}")
_GROUP = re.compile(r"\((?:\?:|\?P<\w+>)?")


class PatternRefused(ValueError):
    """One sentence on what is wrong with a pattern."""


@lru_cache(maxsize=256)
def pattern(source: str) -> Pattern:
    """The pattern, made once. Raises PatternRefused."""
    return Pattern(source)


class Pattern:
    """One compiled pattern. Raises PatternRefused for one that is wrong, unsupported or too large."""

    def __init__(self, source: str) -> None:
        if len(source) > MOST_PATTERN:
            raise PatternRefused(f"a pattern may have {MOST_PATTERN} characters, this one has {len(source):,}.")
        self._source = source
        self._at = 0
        self._steps: list[tuple[Callable[[str], object], int] | None] = [None]  # state 0 is the end
        self._free: list[list[tuple[str, int]]] = [[]]  # (condition or "", state) reached without a character
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # what re warns of means something else in other dialects
                re.compile(source)
            self._first = self._alternatives()(0)
        except PatternRefused:
            raise
        except (re.error, OverflowError, RecursionError, Warning) as fault:
            raise PatternRefused(f"the pattern {source!r} does not compile: {fault}.") from None

    def matches(self, text: str) -> bool:
        """Whether the pattern fits the whole text, of at most ``MOST_TEXT`` characters (a longer one never fits)."""
        return self._run(text, anywhere=False)

    def occurs(self, text: str) -> bool:
        """Whether the pattern fits some stretch of the text, of at most ``MOST_TEXT`` characters."""
        return self._run(text, anywhere=True)

    @property
    def states(self) -> int:
        """How large the machine is: the work for one character grows with it."""
        return len(self._steps)

    # -- running -------------------------------------------------------------------------------------------------------

    def _run(self, text: str, anywhere: bool) -> bool:
        if len(text) > MOST_TEXT:
            return False
        states = self._reached((self._first,), text, 0)
        for at, character in enumerate(text, 1):
            if anywhere and 0 in states:
                return True
            taken = [step[1] for s in states if (step := self._steps[s]) is not None and step[0](character)]
            states = self._reached((*taken, self._first) if anywhere else taken, text, at)
        return 0 in states

    def _reached(self, states: Iterable[int], text: str, at: int) -> set[int]:
        """The states, and all that they lead to without a character at this place of the text."""
        seen = set(states)
        todo = list(seen)
        while todo:
            for condition, state in self._free[todo.pop()]:
                if state not in seen and (not condition or _holds(condition, text, at)):
                    seen.add(state)
                    todo.append(state)
        return seen

    # -- building ------------------------------------------------------------------------------------------------------

    def _state(self) -> int:
        if len(self._free) >= MOST_STATES:
            raise PatternRefused(
                f"the pattern {self._source!r} is too large: it needs more than {MOST_STATES} states. Use smaller "
                "counts in braces."
            )
        self._steps.append(None)
        self._free.append([])
        return len(self._free) - 1

    def _alternatives(self) -> Build:
        branches = [self._sequence()]
        while self._source.startswith("|", self._at):
            self._at += 1
            branches.append(self._sequence())

        def build(after: int) -> int:
            if len(branches) == 1:
                return branches[0](after)
            fork = self._state()
            self._free[fork] += [("", branch(after)) for branch in branches]
            return fork

        return build

    def _sequence(self) -> Build:
        pieces: list[Build] = []
        while self._at < len(self._source) and self._source[self._at] not in "|)":
            pieces.append(self._repeated(self._atom()))

        def build(after: int) -> int:
            if not pieces:
                return self._pass(after)
            for piece in reversed(pieces):
                after = piece(after)
            return after

        return build

    def _atom(self) -> Build:
        source, at = self._source, self._at
        if source[at] == "(":
            opening = _GROUP.match(source, at)
            if opening is None or (source.startswith("(?", at) and opening.end() == at + 1):
                raise self._unsupported("look-around, flags and special groups are")
            self._at = opening.end()
            inner = self._alternatives()
            self._at += 1  # the closing bracket, which re has seen to be there
            return inner
        end = self._end(at)
        text = source[at:end]
        self._at = end
        if text in _ZERO_WIDTH:
            return lambda after: self._pass(after, _ZERO_WIDTH[text])
        if len(text) == 2 and text[0] == "\\" and text[1].isdigit():
            raise self._unsupported("back-references and octal escapes are")
        return self._character(re.compile(text).fullmatch)

    def _end(self, at: int) -> int:
        """Where the atom that begins here ends."""
        source = self._source
        if source[at] == "\\":
            if source.startswith(r"\N{", at):
                return source.index("}", at) + 1
            return at + _ESCAPES.get(source[at + 1], 2)
        if source[at] != "[":
            return at + 1
        end = at + (2 if source.startswith("[^", at) else 1)
        while True:
            end = self._end(end) if source[end] == "\\" else end + 1  # the first may be a closing bracket itself
            if source[end] == "]":
                return end + 1

    def _character(self, fits: Callable[[str], object]) -> Build:
        def build(after: int) -> int:
            state = self._state()
            self._steps[state] = (fits, after)
            return state

        return build

    def _pass(self, after: int, condition: str = "") -> int:
        """A state that takes no character. What fits only the empty text needs one too: repeats are bounded by it."""
        state = self._state()
        self._free[state].append((condition, after))
        return state

    def _repeated(self, piece: Build) -> Build:
        found = _REPEAT.match(self._source, self._at)
        if found is None:
            return piece
        self._at = found.end()
        if self._source.startswith("+", self._at):
            raise self._unsupported("possessive repeats are")
        if self._source.startswith("?", self._at):  # lazy: another order of trying, the same texts
            self._at += 1
        least, most = _bounds(found)

        def build(after: int) -> int:
            if most == 0:
                return self._pass(after)
            if most is None:
                loop = self._state()
                self._free[loop] += [("", piece(loop)), ("", after)]
                after = loop
            else:
                end = after
                for _ in range(most - least):
                    fork = self._state()
                    self._free[fork] += [("", piece(after)), ("", end)]
                    after = fork
            for _ in range(least):
                after = piece(after)
            return after

        return build

    def _unsupported(self, what: str) -> PatternRefused:
        return PatternRefused(f"the pattern {self._source!r} cannot be used: {what} not supported.")


def _bounds(found: re.Match[str]) -> tuple[int, int | None]:
    """Least and most repeats; None: no bound."""
    if found[0] in "*+?":
        return (1 if found[0] == "+" else 0), (1 if found[0] == "?" else None)
    least = int(found["least"] or 0)
    if not found["comma"]:
        return least, least
    return least, int(found["most"]) if found["most"] else None


def _holds(condition: str, text: str, at: int) -> bool:
    """Whether a condition without a width holds before the character at this place."""
    if condition == "A":
        return at == 0
    if condition in "Z$":
        return at == len(text) or (condition == "$" and at == len(text) - 1 and text[at] == "\n")
    edge = _is_word(text[at - 1 : at] if at else "") != _is_word(text[at : at + 1])
    return edge == (condition == "b")


def _is_word(character: str) -> bool:
    return character == "_" or character.isalnum()
