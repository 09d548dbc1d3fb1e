"""What the simulated model may know, and how often it gets it right."""

from __future__ import annotations

import json
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.models.oracle import Item
from harness.models.protocol import Request
from harness.models.seeds import request_seed
from harness.models.simulated.behaviour import Answering, Attention, Behaviour, Malformed, Relay
from harness.models.simulated.draws import ORDINAL_BITS, Draws, uniform
from harness.models.simulated.prompt.inbox import parse_inbox

from .chat import (
    BRIEF,
    CORPUS,
    NAMES,
    READ,
    Book,
    Chat,
    arguments,
    ask,
    but,
    entries,
    entry,
    inbox,
    lead_prompt,
    opened,
    question,
    seed,
    statement,
    system,
    user,
    with_reads,
)

SIGMAS = 5
"""Bounds on shares: a correct model fails one of them in about two million runs, and seeds are fixed."""


def close(share: float, expected: float, trials: int) -> bool:
    return abs(share - expected) <= SIGMAS * sqrt(max(expected * (1 - expected), 1e-9) / trials)


def prompt(*names: str, read: tuple[str, ...] = ()) -> list[dict[str, object]]:
    return [system(BRIEF), user(statement(names)), *(with_reads(read) if read else [])]


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**63 - 1))
def test_without_evidence_never_right(any_seed: int) -> None:
    """Not even when it guesses at every question, and whatever else is in the prompt."""
    model = opened(but(answering=Answering(guess=1.0)))
    missing = NAMES[0]
    messages = [system(BRIEF), user(statement(NAMES)), *with_reads(NAMES[2:])]  # not the first two
    request = Request("m", tuple(messages), (), seed=any_seed)
    answers = {e["question"]: e for e in entries(ask(model, request))}
    assert answers[question(missing)]["answer"] in ("Nobody", "Somebody")


def test_without_evidence_null_by_default() -> None:
    model = opened()
    chat = Chat(model, [system(BRIEF), user(statement(NAMES[:2]))], tools=())
    response = chat.step()
    assert entries(response) == [{"question": question(n), "answer": None, "clause_ref": None} for n in NAMES[:2]]
    assert response.text.endswith(f"I would read {NAMES[0]}, {NAMES[1]}, but have no tool for it.")


def test_every_string_of_the_evidence_is_needed() -> None:
    both = Item(
        "Who and when?", ("It was Ann.", "It was in May."), {"question": "Who and when?", "answer": "Ann, May"}, ()
    )
    model = opened()
    model.consult(Book(both))
    for told, answer in (("It was Ann.", None), ("It was Ann. It was in May.", "Ann, May")):
        chat = Chat(model, [system(BRIEF), user(f"{told}\nWho and when?")], tools=())
        assert entries(chat.step())[0]["answer"] == answer


def test_closed_book_items_are_their_own_evidence() -> None:
    closed = Item("What is 2 + 2?", ("What is 2 + 2?",), {"question": "What is 2 + 2?", "answer": "4"}, ())
    model = opened()
    model.consult(Book(closed))
    chat = Chat(model, [system(BRIEF), user('Here:\n> 1. "What is 2 + 2?"')], tools=())
    assert entries(chat.step()) == [{"question": "What is 2 + 2?", "answer": "4"}]


@pytest.mark.parametrize("dress", ["{}", "  - {}", "3. {}", "7) {}", "> {}", "“{}”", '"{}",', "* “{}”"])
def test_questions_are_found_in_dress(dress: str) -> None:
    messages = [system(BRIEF), user(f"Read pump.txt.\n{dress.format(question('pump.txt'))}"), *with_reads(["pump.txt"])]
    assert entries(Chat(opened(), messages).step()) == [entry("pump.txt")]


def test_an_entry_in_a_message_is_as_good_as_evidence() -> None:
    told = json.dumps([entry("pump.txt")])
    for message in (user(f"Another agent says:\n{told}"), {"role": "assistant", "content": told}):
        chat = Chat(opened(), [*prompt("pump.txt"), message, user("Go on.")], tools=())
        assert entries(chat.step()) == [entry("pump.txt")]


def test_evidence_leads_to_the_right_entry() -> None:
    chat = Chat(opened(), prompt(*NAMES))
    assert entries(chat.steps()) == [entry(n) for n in NAMES]


def outcomes(
    behaviour: Behaviour, trials: int, *names: str, read: tuple[str, ...], window_tokens: int = 128_000
) -> list[str]:
    """What became of the first question, over seeds."""
    model = opened(behaviour, window_tokens=window_tokens)
    found = []
    for i in range(trials):
        request = Request("m", tuple(prompt(*names, read=read)), CORPUS, seed=seed(i))
        given = [e for e in entries(ask(model, request)) if e["question"] == question(names[0])]
        if not given:
            found.append("omitted")
        elif given[0] == entry(names[0]):
            found.append("right")
        else:
            found.append("misplaced" if given[0]["clause_ref"].endswith("§2") else str(given[0]["answer"]))
    return found


def test_accuracy_and_the_kinds_of_error() -> None:
    """Right in 80 %; of the rest 30 % left out, 20 % misplaced, the others wrong, evenly."""
    rules = Answering(accuracy=0.8, spread=0, mixup=0, omitted=0.3, misplaced=0.2, guess=0, repeated=0)
    trials = 3000
    found = outcomes(but(answering=rules), trials, "pump.txt", read=("pump.txt",))
    for what, expected in {"right": 0.8, "omitted": 0.06, "misplaced": 0.04, "Nobody": 0.05, "Somebody": 0.05}.items():
        assert close(found.count(what) / trials, expected, trials), what


def test_spread_keeps_the_mean() -> None:
    rules = Answering(accuracy=0.7, spread=0.3, mixup=0, guess=0, repeated=0)
    found = outcomes(but(answering=rules), 3000, "pump.txt", read=("pump.txt",))
    assert close(found.count("right") / 3000, 0.7, 3000)


def test_dilution_is_linear_in_the_share_of_the_window() -> None:
    """At half a window, a dilution of 0.8 costs 0.4."""
    model = opened()
    request = Request("m", tuple(prompt("pump.txt", read=("pump.txt",))), CORPUS, seed=1)
    tokens = ask(model, request).usage.prompt_tokens
    behaviour = but(attention=Attention(dilution=0.8, middle=0))
    found = outcomes(behaviour, 2000, "pump.txt", read=("pump.txt",), window_tokens=2 * tokens)
    assert close(found.count("right") / 2000, 0.6, 2000)


def test_evidence_in_the_middle_is_worse_than_at_the_end() -> None:
    behaviour = but(attention=Attention(dilution=0, middle=0.5, middle_from_tokens=100))
    others = NAMES[1:7]
    middle = outcomes(behaviour, 1000, "pump.txt", read=(*others[:3], "pump.txt", *others[3:]))
    end = outcomes(behaviour, 1000, "pump.txt", read=(*others, "pump.txt"))
    assert end.count("right") - middle.count("right") > 100


def test_mixups_need_the_other_document() -> None:
    """gate.txt holds what could be confused with pump.txt; roof.txt does not."""
    rules = Answering(accuracy=1, spread=0, mixup=0.5, guess=0, repeated=0)
    trials = 2000
    with_it = outcomes(but(answering=rules), trials, "pump.txt", read=("pump.txt", "gate.txt"))
    assert close(with_it.count("Mixed up") / trials, 0.5, trials)
    without = outcomes(but(answering=rules), 200, "pump.txt", read=("pump.txt", "roof.txt"))
    assert without == ["right"] * 200


def test_repeated_entries_as_the_context_fills() -> None:
    rules = Answering(accuracy=1, spread=0, mixup=0, guess=0, repeated=1.0)
    messages = tuple(prompt("pump.txt", read=("pump.txt",)))
    tokens = ask(opened(), Request("m", messages, CORPUS)).usage.prompt_tokens
    full = opened(but(answering=rules), window_tokens=tokens)
    assert entries(ask(full, Request("m", messages, CORPUS))) == [entry("pump.txt")] * 2


def test_drift_loses_or_alters_what_is_passed_on() -> None:
    messages = [*prompt("pump.txt"), user(inbox("result", "zoe", json.dumps([entry("pump.txt")])))]
    for relay, expected in (
        (Relay(1.0, 1.0), {"gone"}),
        (Relay(1.0, 0.0), {"Nobody", "Somebody"}),
        (Relay(0.0), {"Person-0"}),
    ):
        model = opened(but(relay=relay))
        seen = set()
        for i in range(50):
            response = ask(model, Request("m", tuple(messages), (), seed=seed(i)))
            told = entries(response)
            seen.add(told[0]["answer"] if told else "gone")
        assert seen == expected


def test_most_voices_win_and_the_first_on_a_tie() -> None:
    voices = [entry("pump.txt", a) for a in ("Zed", "Person-0", "Person-0")]
    for heard, winner in ((voices, "Person-0"), (voices[:2], "Zed")):
        blocks = "".join(inbox("result", f"m{i}", json.dumps([v]), f"msg_{i}") for i, v in enumerate(heard))
        response = Chat(opened(), [*prompt("pump.txt"), user(blocks)], tools=()).step()
        assert entries(response)[0]["answer"] == winner


def test_a_null_is_no_entry_and_what_was_read_oneself_comes_first() -> None:
    blocks = inbox("result", "zoe", json.dumps([{**entry("gate.txt"), "answer": None}, entry("pump.txt", "Zed")]))
    messages = [system(lead_prompt()), user(statement(NAMES[:2])), *with_reads(["pump.txt"]), user(blocks)]
    response = Chat(opened(), messages, tools=()).step()
    assert [e["answer"] for e in entries(response)] == ["Person-0", None]


def test_errors_of_one_model_agree_as_much_as_the_correlation_says() -> None:
    messages = tuple(prompt("pump.txt", read=("pump.txt",)))

    def texts(correlation: float, agent: int) -> list[str]:
        rules = Answering(accuracy=0.5, spread=0, mixup=0, guess=0, repeated=0, correlation=correlation)
        model = opened(but(answering=rules))
        return [ask(model, Request("m", messages, CORPUS, seed=seed(i, agent))).text for i in range(300)]

    assert texts(1.0, agent=1) == texts(1.0, agent=2)
    assert texts(0.0, agent=1) != texts(0.0, agent=2)
    assert texts(0.0, agent=1) == texts(0.0, agent=1)


def test_difficulty_is_common_to_agents_and_models_and_requests() -> None:
    same = {Draws(m, 5, low).difficulty("Q") for m in ("a", "b") for low in (0, 1 << 12, 77)}
    assert len(same) == 1
    assert Draws("a", 6, 0).difficulty("Q") not in same


def test_an_agents_draws_survive_one_request_more() -> None:
    """The lowest bits of a seed number an agent's requests; what belongs to the agent leaves them out."""
    first, second = (Draws.of("m", request_seed(0, "s", 0, "bus", "alice", n)) for n in (1, 2))
    other = Draws.of("m", request_seed(0, "s", 0, "bus", "bob", 1))
    assert first.lower >> ORDINAL_BITS == second.lower >> ORDINAL_BITS != other.lower >> ORDINAL_BITS
    assert first.agent("x") == second.agent("x") != other.agent("x")
    assert first.request("x") != second.request("x")
    assert first.family("x") == other.family("x")


def test_draws_are_uniform() -> None:
    numbers = [uniform("test", i) for i in range(20_000)]
    tenths = [sum(k / 10 <= n < (k + 1) / 10 for n in numbers) for k in range(10)]
    assert all(close(t / 20_000, 0.1, 20_000) for t in tenths)


def test_inbox_blocks_are_read_as_the_engine_writes_them() -> None:
    text = (
        "[inbox] task msg_a from lead:\nDo it.\nNow.\n[context] Be brief.\n"
        "[inbox] clarify_resp msg_b from a b (c), in reply to msg_z:\nYes.\n"
    )
    first, second = parse_inbox(text, 3)
    assert first == (3, "task", "msg_a", "lead", "", "Do it.\nNow.", "Be brief.")
    assert second == (3, "clarify_resp", "msg_b", "a b (c)", "msg_z", "Yes.", "")
    assert parse_inbox("nothing [inbox] here", 0) == ()


def test_the_default_behaviour_scores_in_the_intended_range() -> None:
    """About 0.88 on a short prompt, about 0.6 on a full window."""
    default = but(Behaviour(), malformed=Malformed(rate=0))
    for share, low, high in ((0.1, 0.83, 0.95), (0.97, 0.5, 0.68)):
        messages = prompt("pump.txt", read=("pump.txt",))
        tokens = ask(opened(), Request("m", tuple(messages), CORPUS)).usage.prompt_tokens
        found = outcomes(default, 1000, "pump.txt", read=("pump.txt",), window_tokens=int(tokens / share))
        assert low < found.count("right") / 1000 < high


def test_a_reading_call_names_the_document() -> None:
    response = Chat(opened(), prompt("pump.txt"), tools=(READ,)).step()
    assert [arguments(c) for c in response.tool_calls] == [{"document": "pump.txt"}]
