"""The simulated model hands work out in whichever way its prompt offers: in tags, or by posting on a board."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from harness.models.protocol import Response, ToolCall
from harness.models.simulated.behaviour import Behaviour, Malformed

from .chat import (
    BRIEF,
    CORPUS,
    NAMES,
    TEXT,
    Chat,
    arguments,
    but,
    entries,
    entry,
    opened,
    order,
    question,
    reads,
    seed,
    statement,
    system,
    tool_schema,
    user,
)

CAREFUL = but(malformed=Malformed(rate=0, tags=0))
TAGS = (
    "You may hand parts of the task to sub-agents, at most 8 in all, by writing tags into your text:\n"
    "<delegate>the order, in plain words</delegate>"
)
LATEST = "Work on the latest task only."
POST = tool_schema("post_task", {"task": TEXT}, ["task"])
_TAG = re.compile(r"<delegate>\n(.*?)\n</delegate>", re.S)


class Boarded(Chat):
    """With a board: posts are numbered."""

    posted = 0

    def _result(self, call: ToolCall) -> str:
        if call.name != "post_task":
            return super()._result(call)
        self.posted += 1
        return f"posted subtask_{self.posted}"


def tagging(behaviour: Behaviour = CAREFUL, prompt: str = TAGS) -> Chat:
    return Chat(opened(behaviour), [system(f"{BRIEF}\n\n{prompt}"), user(statement())], CORPUS, seed(7))


def posting(tools: tuple[dict[str, Any], ...] = (POST,)) -> Boarded:
    told = f"{BRIEF}\n\nYou lead a team of 3 members. Post tasks with post_task, at most 16 in all."
    return Boarded(opened(CAREFUL), [system(told), user(statement())], tools, seed(7))


def tags(response: Response) -> list[str]:
    return _TAG.findall(response.text)


def posts(response: Response) -> list[str]:
    return [arguments(c)["task"] for c in response.tool_calls if c.name == "post_task"]


def named(order: str) -> list[str]:
    return [n for n in NAMES if f"- {n}" in order]


def done(number: int, names: list[str], status: str = "SUCCESS") -> str:
    return f"[{status}] subtask_{number} by worker_{number}\n{json.dumps([entry(n) for n in names])}"


def failed(number: int) -> str:
    return f"[FAILED] subtask_{number} by worker_{number}: max_steps: not done after 8 steps\n"


# -- in tags -------------------------------------------------------------------------------------------------------


def test_a_lead_writes_an_order_for_each_part_into_its_text() -> None:
    response = tagging().step()
    orders = tags(response)
    assert not response.tool_calls and response.text.startswith(
        "The work divides into 3 independent parts.\n<delegate>"
    )
    assert len(orders) == 3, "eight documents, three to a part"
    assert sorted(n for o in orders for n in named(o)) == sorted(NAMES)
    for one in orders:
        assert all(question(n) in one.split("\n") for n in NAMES), "word for word"
        assert '[{"question": "word for word", "answer": "short", "clause_ref": "file name §section"}]' in one


def test_it_merges_the_results() -> None:
    chat = tagging()
    orders = tags(chat.step())
    chat.tell("\n\n".join(done(n, named(o)) for n, o in enumerate(orders, 1)))
    assert entries(chat.step()) == [entry(n) for n in NAMES]


def test_a_failed_part_is_written_once_more_and_then_done_alone() -> None:
    chat = tagging()
    first, second, third = tags(chat.step())
    chat.tell("\n\n".join([done(1, named(first)), failed(2), done(3, named(third))]))
    assert tags(chat.step()) == [second]
    chat.tell(failed(4))
    assert sorted(reads(chat.step())) == sorted(named(second))
    assert entries(chat.step()) == [entry(n) for n in NAMES]


def test_a_refused_part_is_done_alone_at_once() -> None:
    chat = tagging()
    first, second, third = tags(chat.step())
    refusal = "REFUSED: all 2 delegations are used. Go on with what you have, or do the rest yourself."
    chat.tell("\n\n".join([done(1, named(first)), refusal, done(2, named(third))]))
    assert sorted(reads(chat.step())) == sorted(named(second)), "the refusal stands in the place of the second"


def test_a_tag_that_was_not_closed_is_written_again_as_it_was() -> None:
    chat = tagging()
    written = chat.step().text
    first, second, third = _TAG.findall(written)
    chat.messages[-1]["content"] = written.replace(f"{second}\n</delegate>", f"{second}\n")
    told = "Not taken: tag 2 is opened and not closed. Write an order as <delegate>order</delegate>."
    chat.tell("\n\n".join([done(1, named(first)), done(2, named(third)), told]))
    assert tags(chat.step()) == [second]
    chat.tell(done(3, named(second)))
    assert entries(chat.step()) == [entry(n) for n in NAMES]


def test_at_rate_one_no_tag_is_closed() -> None:
    response = tagging(but(malformed=Malformed(rate=0, tags=1))).step()
    assert response.text.count("<delegate>") == 3 and "</delegate>" not in response.text


@pytest.mark.parametrize("prompt", ["", "You may hand parts of the task to sub-agents, at most 8 in all."])
def test_without_the_words_about_tags_it_works_alone(prompt: str) -> None:
    chat = tagging(prompt=prompt)
    assert sorted(reads(chat.step())) == sorted(NAMES)
    assert entries(chat.step()) == [entry(n) for n in NAMES]


def test_a_sub_agent_that_reads_about_tags_does_its_order() -> None:
    prompt = f"{BRIEF}\n\nYou are a sub-agent. {TAGS}"
    chat = Chat(opened(CAREFUL), [system(prompt), user(order(NAMES[:2]))], CORPUS, seed(7))
    response = chat.step()
    assert reads(response) == [*NAMES[:2]] and not tags(response)


# -- on a board ----------------------------------------------------------------------------------------------------


def test_a_coordinator_posts_all_parts_and_merges_what_comes_back() -> None:
    chat = posting()
    tasks = posts(chat.step())
    assert sorted(n for t in tasks for n in named(t)) == sorted(NAMES) and len(tasks) == 3
    chat.tell("\n\n".join(done(n, named(t), "DONE") for n, t in enumerate(tasks, 1)))
    assert entries(chat.step()) == [entry(n) for n in NAMES]


def test_a_failed_task_is_posted_once_more() -> None:
    chat = posting((*CORPUS, POST))
    first, second, third = posts(chat.step())
    chat.tell("\n\n".join([done(1, named(first), "DONE"), failed(2), done(3, named(third), "DONE")]))
    assert posts(chat.step()) == [second]
    chat.tell(failed(4))
    assert sorted(reads(chat.step())) == sorted(named(second)), "with tools of its own it then reads itself"


def test_without_the_tool_nothing_is_posted() -> None:
    chat = posting(CORPUS)
    response = chat.step()
    assert sorted(reads(response)) == sorted(NAMES) and not posts(response)


def member(*said: dict[str, Any], told: str = LATEST) -> Chat:
    prompt = f"{BRIEF}\n\nYou are alice, a member of a team. Tasks come to you from a board, one at a time. {told}"
    return Chat(opened(CAREFUL), [system(prompt), *said], CORPUS, seed(7))


def task(number: int, *names: str) -> dict[str, Any]:
    return user(f"[board] task subtask_{number} from coordinator:\n{order(names)}")


def test_a_member_works_on_its_latest_task() -> None:
    chat = member(task(1, "pump.txt"))
    assert reads(chat.step()) == ["pump.txt"]
    assert entries(chat.step()) == [entry("pump.txt")]
    chat.messages.append(task(2, "gate.txt", "pump.txt"))
    assert reads(chat.step()) == ["gate.txt"], "it remembers the other"
    assert entries(chat.step()) == [entry("gate.txt"), entry("pump.txt")]


def test_told_so_it_leaves_a_task_that_was_closed_without_it() -> None:
    assert reads(member(task(1, "pump.txt"), task(2, "gate.txt")).step()) == ["gate.txt"]
    both = member(task(1, "pump.txt"), task(2, "gate.txt"), told="").step()
    assert sorted(reads(both)) == ["gate.txt", "pump.txt"]
