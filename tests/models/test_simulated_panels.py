"""How the simulated model combines proposals, and how it gives way in a debate."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.models.protocol import Request
from harness.models.simulated.behaviour import Behaviour, Debate, Relay
from topologies.debate import OTHERS, RECONSIDER
from topologies.moa import COMBINE, NO_TOOLS, TOOLS

from .chat import (
    BRIEF,
    CORPUS,
    FLAWLESS,
    NAMES,
    Chat,
    ask,
    but,
    entries,
    entry,
    opened,
    question,
    reads,
    seed,
    statement,
    system,
    user,
    with_reads,
)
from .test_simulated_evidence import close

PUMP, GATE, ROOF = NAMES[:3]
GIVES_WAY = but(debate=Debate(conform=1))


def answer(**answers: str) -> str:
    """Entries by the first word of their document's name, with these answers."""
    by_word = {name.split(".")[0]: name for name in NAMES}
    return json.dumps([entry(by_word[word], said) for word, said in answers.items()])


def labelled(label: str, *texts: str) -> str:
    return "\n\n".join(f"{label} {n}:\n{text}" for n, text in enumerate(texts, 1))


def said(response: Any) -> dict[str, str | None]:
    return {e["question"]: e["answer"] for e in entries(response)}


# -- combining -----------------------------------------------------------------------------------------------------


def combining(*proposals: str, behaviour: Behaviour = FLAWLESS, scaffold: str = "", tools: Any = ()) -> Chat:
    prompt = f"{BRIEF}\n\n{scaffold or COMBINE.format(tools=NO_TOOLS)}"
    messages = [system(prompt), user(statement((PUMP, GATE, ROOF))), user(labelled("Proposal", *proposals))]
    return Chat(opened(behaviour), messages, tools)


THREE = (answer(pump="A", gate="B"), answer(pump="C", gate="B"), answer(pump="C", gate="D"))


def test_it_writes_what_most_proposals_say_and_nothing_else() -> None:
    response = combining(*THREE).step()
    assert said(response) == {question(PUMP): "C", question(GATE): "B", question(ROOF): None}
    assert json.loads(response.text), "no word about documents that it cannot read"


def test_of_equals_it_takes_the_first() -> None:
    assert said(combining(answer(pump="A"), answer(pump="B")).step())[question(PUMP)] == "A"


def test_with_tools_it_combines_all_the_same() -> None:
    response = combining(*THREE, scaffold=COMBINE.format(tools=TOOLS), tools=CORPUS).step()
    assert not response.tool_calls and said(response)[question(PUMP)] == "C"


def test_without_the_sentence_it_misses_the_documents() -> None:
    silent = COMBINE.format(tools=NO_TOOLS).replace("Combine them into one answer", "Look at them; your answer is one")
    assert combining(*THREE, scaffold=silent).step().text.endswith("but have no tool for it.")
    with_tools = combining(*THREE, scaffold=silent, tools=CORPUS).step()
    assert reads(with_tools) == [PUMP, GATE, ROOF], "whoever is not told to combine does the task"


def test_without_proposals_it_knows_nothing() -> None:
    assert set(said(combining("[]", "[]").step()).values()) == {None}


def test_what_is_combined_is_retold() -> None:
    trials, drift = 2000, 0.3
    model = opened(but(relay=Relay(drift=drift, lost=1)))
    messages = tuple(combining(*THREE).messages)
    kept = sum(question(PUMP) in said(ask(model, Request("m", messages, (), seed=seed(i)))) for i in range(trials))
    assert close(kept / trials, 1 - drift, trials)


# -- reconsidering -------------------------------------------------------------------------------------------------


def debating(own: str, *others: str, behaviour: Behaviour = GIVES_WAY, request: str = RECONSIDER) -> Chat:
    """Somebody who has read the documents, has answered, and is asked again."""
    messages = [system(BRIEF), user(statement((PUMP, GATE, ROOF))), *with_reads((PUMP, GATE, ROOF))]
    messages += [{"role": "assistant", "content": own}, user(f"{OTHERS}\n\n{labelled('Answer', *others)}\n\n{request}")]
    return Chat(opened(behaviour), messages)


@pytest.mark.parametrize(
    ("own", "others", "then"),
    [
        ("A", ("B", "B"), "B"),  # whichever is right: here neither is
        ("Person-0", ("B", "B"), "B"),
        ("B", ("Person-0", "Person-0"), "Person-0"),
        ("A", ("B", "C"), "A"),  # no other has more than it has itself
        ("A", ("A", "B"), "A"),
        ("A", ("B", "B", "A"), "A"),
        ("A", ("B", "C", "C"), "C"),
    ],
)
def test_an_entry_gives_way_to_the_one_that_most_of_all_hold(own: str, others: tuple[str, ...], then: str) -> None:
    chat = debating(answer(pump=own), *(answer(pump=o) for o in others))
    assert said(chat.step())[question(PUMP)] == then
    stubborn = debating(answer(pump=own), *(answer(pump=o) for o in others), behaviour=FLAWLESS)
    assert said(stubborn.step())[question(PUMP)] == own


def test_what_it_has_no_entry_for_it_takes_over_even_if_it_never_gives_way() -> None:
    told = said(debating(answer(pump="A"), answer(gate="B"), answer(gate="C"), behaviour=FLAWLESS).step())
    assert told == {question(PUMP): "A", question(GATE): "B", question(ROOF): None}


def test_it_gives_way_as_often_as_declared_and_anew_in_each_round() -> None:
    """One that gives way with chance p in each of two rounds stays with its own in (1 - p)² of cases."""
    trials, conform = 2000, 0.3
    model = opened(but(debate=Debate(conform=conform)))
    once = twice = 0
    for i in range(trials):
        chat = debating(answer(pump="A"), answer(pump="B"), answer(pump="B"))
        chat.model, chat.seed = model, seed(i)
        first = said(chat.step())[question(PUMP)]
        chat.tell(f"{OTHERS}\n\n{labelled('Answer', answer(pump='B'), answer(pump='B'))}\n\n{RECONSIDER}")
        second = said(chat.step())[question(PUMP)]
        assert (first, second) != ("B", "A"), "nothing leads back"
        once, twice = once + (first == "A"), twice + (second == "A")
    assert close(once / trials, 1 - conform, trials)
    assert close(twice / trials, (1 - conform) ** 2, trials)


def test_only_the_last_round_s_answers_are_counted() -> None:
    chat = debating(answer(pump="A"), answer(pump="B"), answer(pump="B"), behaviour=FLAWLESS)
    chat.step()
    chat.model = opened(GIVES_WAY)
    chat.tell(f"{OTHERS}\n\n{labelled('Answer', answer(pump='A'), answer(pump='B'))}\n\n{RECONSIDER}")
    assert said(chat.step())[question(PUMP)] == "A", "B has one vote now, whatever it had before"


def test_what_is_taken_over_is_retold() -> None:
    behaviour = but(debate=Debate(conform=1), relay=Relay(drift=1, lost=1))
    told = said(
        debating(answer(pump="A", roof="R"), answer(pump="B", gate="G"), answer(pump="B"), behaviour=behaviour).step()
    )
    assert told == {question(ROOF): "R"}, "what is its own is not"


def test_without_the_request_it_stays_with_its_own() -> None:
    chat = debating(answer(pump="A"), answer(pump="B"), answer(pump="B"), request="")
    assert said(chat.step())[question(PUMP)] == "A"


def test_it_may_read_what_is_still_unread_first() -> None:
    messages = [system(BRIEF), user(statement((PUMP, GATE)))]
    messages += [{"role": "assistant", "content": "[]"}, user(f"{OTHERS}\n\n{answer(pump='B')}\n\n{RECONSIDER}")]
    chat = Chat(opened(GIVES_WAY), messages)
    assert reads(chat.step()) == [PUMP, GATE]
    assert said(chat.step())[question(PUMP)] == "B"
