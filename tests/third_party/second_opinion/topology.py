"""One agent answers; a second one reads the answer, may look things up itself, and has the last word."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from harness.accounting.purposes import Purpose, Stance
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer

PROMPT = "A colleague has answered already. Correct what is wrong in that answer and give the final one."


@dataclass(frozen=True)
class SecondOpinion:
    """``max_steps``: model calls of each of the two agents."""

    family: ClassVar[Literal["single", "team"]] = "team"
    max_steps: int = 20

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        first = session.agent("first", role="worker", stance=Stance.WORKER, tools=session.tools)
        first.tell(session.statement())
        draft = await first.run(Purpose.ANSWER, self.max_steps)
        session.offer(draft.text)  # graded if a limit ends the run from here on
        second = session.agent("second", role="lead", stance=Stance.LEAD, tools=session.tools, scaffold=PROMPT)
        second.tell(session.statement())
        second.tell(*(part.forwarded() for part in draft.parts))  # keeps its author, so reading it counts as merge
        final = await second.run(Purpose.MERGE, self.max_steps)
        return Answer(final.text)
