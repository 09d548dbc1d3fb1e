"""A small court: a topology that says what it is told to, and judges with words of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from support.models import ActingModel, Say, heard

from harness.accounting.purposes import Purpose, Stance
from harness.models.protocol import Request
from harness.session import Session
from harness.suite import Sample
from harness.testing.toy import NOTES, entry
from harness.topology import Answer

RIGHT = json.dumps([entry(name, NOTES[name][1]) for name in NOTES])
HALF = json.dumps([entry(name, NOTES[name][1 if i < 2 else 2]) for i, name in enumerate(NOTES)])
WRONG = json.dumps([entry(name, NOTES[name][2]) for name in NOTES])


@dataclass(frozen=True)
class Says:
    """Asks its model once, and hands in ``text`` whatever that says."""

    text: str
    family: ClassVar[Literal["single", "team"]] = "single"

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        agent = session.agent("solver", role="single", stance=Stance.LEAD)
        agent.tell(session.statement())
        await agent.step(Purpose.ANSWER)
        return Answer(self.text)


def judging(request: Request) -> bool:
    return "Rubric:\n" in str(request.messages[0]["content"])


def verdict(score: Any, reason: str = "because") -> str:
    return json.dumps({"reason": reason, "score": score})


def preference(better: str) -> str:
    return json.dumps({"reason": "because", "better": better})


Speech = Sequence[Say | str] | Callable[[Request], Say | str]


def court(speech: Speech, **more: Any) -> ActingModel:
    """A model that works as anybody, and judges in these words: one after the other, or as a function of the
    request."""
    left = iter(()) if callable(speech) else iter(speech)

    def say(request: Request) -> Say:
        if not judging(request):
            return Say("done")
        words = speech(request) if callable(speech) else next(left)
        return Say(words) if isinstance(words, str) else words

    return ActingModel(say, **more)


def asked(request: Request) -> str:
    """The user message of a judge's request."""
    return str(request.messages[1]["content"])


def all_text(request: Request) -> str:
    return heard(request)
