"""``nested``: three layers, the whole context passed down, and what ends the chain where no limit of depth does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from dispatch.stage import READ, ReferenceSuite, data, order, own_order, results, spans, told_errors
from support.models import ActingModel, Call, Say, heard, text_of
from support.runs import LedgerSpy, check_invariants, events, purposes, shares

from harness.delegation.order import IF_BLOCKED
from harness.delegation.rules import Delegation
from harness.dispatch.place import Place
from harness.errors import ConfigError
from harness.limits import Limits
from harness.models.protocol import Request
from harness.records import RunRecord
from harness.testing.runs import cell, faults, records
from topologies.nested import Nested

CARD = Delegation(validate=False)
THREE = Limits(max_depth=2)
ENDLESS = Limits(max_depth=None, run_calls=None, run_wall_s=None)
SUITE = ReferenceSuite(statement="Statement canary: aardvark.")
Act = Callable[[Request, int, int], Say]
"""What an agent says: its request, its depth (by the orders in what it reads), how often it has spoken."""


def down(kind: str, objective: str = "Find the fee.", **fields: Any) -> Call:
    """An order to the next layer; without a card, as with the whole history."""
    made = order(objective, **fields)
    if "context_card" not in fields:
        del made["context_card"]
    return Call("dispatch_sub_agent", {"type": kind, "order": made})


def layer(request: Request) -> str:
    found = re.search(r"You are a sub-agent of the type (\w+)", str(request.messages[0]["content"]))
    return found[1] if found else "lead"


def depth_of(request: Request) -> int:
    """How many orders stand in the first message, one for each layer above; only with the whole history."""
    return len(re.findall(r"^\[order subtask_\d+\]$", text_of(request.messages[1]), re.M))


def tool_of(request: Request) -> Any:
    """The parameters of the tool for dispatching that is offered."""
    (tool,) = [t["function"] for t in request.tools if t["function"]["name"] == "dispatch_sub_agent"]
    return tool["parameters"]["properties"]


def below(request: Request) -> str:
    """The type of the next layer."""
    (kind,) = tool_of(request)["type"]["enum"]
    return str(kind)


class Layers(ActingModel):
    def __init__(self, act: Act, **more: Any) -> None:
        super().__init__(lambda r: act(r, depth_of(r), sum(m["role"] == "assistant" for m in r.messages)), **more)

    def of_layer(self, name: str) -> list[Request]:
        return [r for r in self.requests if layer(r) == name]


def ran(
    act: Act, *, limits: Limits = THREE, status: str = "ok", suite: Any = SUITE, window: int = 10_000_000, **nested: Any
) -> tuple[RunRecord, Layers]:
    model = Layers(act, window_tokens=window)
    (record,) = records(cell(Nested(**nested), model, suite=suite, limits=limits))
    assert record.run.status == status, record.run.error
    check_invariants(record)
    return record, model


def three_layers(request: Request, depth: int, spoken: int) -> Say:
    """The lead reads and hands out two parts; each middle agent hands out two; bottoms read, and try to go deeper."""
    if depth == 0:
        said = [
            Say("", [READ]),
            Say("Plan.", [down("middle", "Part one."), down("middle", "Part two.")]),
            Say('["all"]'),
        ]
        return said[spoken]
    if depth == 1:
        return [Say("I divide it.", [down("bottom", "Half."), down("bottom", "Other half.")]), Say('["half"]')][spoken]
    return [Say("", [READ]), Say("", [down("bottom")]), Say('["done"]')][spoken]


def agents(record: RunRecord) -> dict[str, tuple[str, int]]:
    return {c.agent: (c.role, c.depth) for c in record.calls}


def chain(levels: int | None, answer: str = '["deep"]') -> Act:
    """Everybody hands the whole on to one other, down to so many levels, or without end."""

    def act(request: Request, depth: int, spoken: int) -> Say:
        level = int((re.findall(r"Level (\d+)", own_order(request)) or ["0"])[0]) if layer(request) != "lead" else 0
        if spoken or level == levels:
            return Say(answer)
        card = {"context_card": {"background": ""}} if "context_card" in tool_of(request)["order"]["properties"] else {}
        return Say("", [down(below(request), f"Level {level + 1}.", **card)])

    return act


# -- layers --------------------------------------------------------------------------------------------------------


def test_three_layers_and_no_fourth() -> None:
    record, _ = ran(three_layers)
    bottoms = {f"bottom_{m}_{b}": ("bottom", 2) for m in (1, 2) for b in (1, 2)}
    assert agents(record) == {"lead": ("lead", 0), "middle_1": ("middle", 1), "middle_2": ("middle", 1), **bottoms}
    parents = {c.session_id: c.parent_session_id for c in record.calls}
    assert {s.removeprefix(record.run.run_id): p for s, p in parents.items()}["/middle_2/bottom_2_1"] == (
        f"{record.run.run_id}/middle_2"
    )
    assert record.run.depth_violations == record.run.refused == 4, "each bottom agent tried once"
    assert {(d["depth"], d["max_depth"]) for d in data(record, "depth_violation")} == {(3, 2)}
    assert {d.status for d in record.delegations} == {"success"} and len(record.delegations) == 6
    assert record.run.answer == '["all"]' and record.run.messages == 0


@pytest.mark.parametrize(
    ("fan_out", "names"),
    [
        ([1], ["lead", "bottom_1", "bottom_1_1", "bottom_1_1_1"]),
        ([3, 2], ["lead", "middle_1", "bottom_1_1", "bottom_1_1_1"]),
        ([1, 1, 1, 1], ["lead", "middle_1", "middle_1_1", "middle_1_1_1"]),
    ],
)
def test_whoever_is_deeper_than_the_named_layers_does_the_work(fan_out: list[int], names: list[str]) -> None:
    record, model = ran(chain(3), limits=ENDLESS, fan_out=fan_out)
    assert agents(record) == {name: (name.partition("_")[0], depth) for depth, name in enumerate(names)}
    for request in model.requests:
        assert ("Divide " in str(request.messages[0]["content"])) == (layer(request) != "bottom")


def test_with_the_default_limit_each_attempt_is_refused_and_counted() -> None:
    def act(request: Request, depth: int, spoken: int) -> Say:
        if depth == 0:
            return three_layers(request, depth, spoken)
        return [Say("", [down("bottom"), down("bottom", "", input_ref=["nowhere"])]), Say("", [READ]), Say("Own.")][
            spoken
        ]

    record, model = ran(act, limits=Limits())
    assert set(agents(record)) == {"lead", "middle_1", "middle_2"}
    assert record.run.depth_violations == record.run.refused == 4
    told = results(model.of_layer("middle")[-1])
    assert told[0] == told[1] and told[0].startswith("Refused: you work at depth 1"), "before its order is looked at"
    assert {d.status for d in record.delegations} == {"success"}


@pytest.mark.parametrize(("limits", "deepest"), [(0, 0), (1, 1), (2, 2), (None, 3)])
def test_the_tool_is_offered_to_everybody_whatever_the_limit(limits: int | None, deepest: int) -> None:
    record, model = ran(chain(3), limits=Limits(max_depth=limits))
    assert {depth_of(r) for r in model.requests} == set(range(deepest + 1))
    assert all(below(r) in ("middle", "bottom") for r in model.requests)
    assert record.run.depth_violations == (0 if limits is None else 1)


def test_the_prompts_say_into_how_many_parts() -> None:
    _, model = ran(three_layers, fan_out=[2, 5])
    system = {layer(r): str(r.messages[0]["content"]) for r in model.requests}
    assert "Read all documents before you divide it" in system["lead"] and "Divide it into 2 parts" in system["lead"]
    assert "Divide your order into 5 parts" in system["middle"]
    _, model = ran(chain(0), fan_out=[1], lead_reads=False)
    assert "Read all documents" not in heard(model.requests[0])
    assert "Divide it into 1 part that" in heard(model.requests[0])


def test_orders_forbid_nothing_unless_they_say_so_and_end_as_ever() -> None:
    record, model = ran(three_layers)
    for row in record.delegations:
        told = json.loads(row.order)
        assert told["forbidden_actions"] == [] and told["if_blocked"] == IF_BLOCKED
    for request in model.of_layer("bottom"):
        assert own_order(request).endswith("Do not widen the task.") and "Forbidden:" not in own_order(request)
    fields = tool_of(model.requests[0])["order"]["properties"]
    assert fields["forbidden_actions"]["description"] == "tool names or tags; default: none"


def test_an_order_that_forbids_it_is_obeyed_by_code() -> None:
    def act(request: Request, depth: int, spoken: int) -> Say:
        if depth == 0 and not spoken:
            return Say("", [down("middle", forbidden_actions=["delegate"])])
        return Say('["own"]') if depth == 0 else Say("", [down("bottom")])

    record, model = ran(act, limits=ENDLESS)
    assert set(agents(record)) == {"lead", "middle_1"}, "nobody was dispatched"
    assert results(model.of_layer("lead")[-1])[0].startswith(
        "[FAILED] subtask_1 by middle_1: forbidden action: delegate (dispatch_sub_agent)"
    )
    assert (record.run.refused, record.run.depth_violations) == (1, 0)
    assert [d.status for d in record.delegations] == ["forbidden"]


# -- the whole context ---------------------------------------------------------------------------------------------


def test_everybody_reads_all_that_stands_above_once_and_in_order() -> None:
    _, model = ran(three_layers)
    bottom = text_of(next(r for r in model.requests if layer(r) == "bottom").messages[1])
    own, mark = "[order subtask_", -1
    for said in ("[conversation so far]", "aardvark", "The fee is 340 yuan.", "Plan.", own, "I divide it.", own):
        mark = bottom.index(said, mark + 1)
    assert bottom.count("[conversation so far]") == bottom.count("aardvark") == bottom.count("I divide it.") == 1
    middle = text_of(next(r for r in model.requests if layer(r) == "middle").messages[1])
    assert bottom.startswith(middle.partition("[order subtask_")[0]), "word for word as the middle agent read it"


def test_the_ledger_shows_what_was_carried_down(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = LedgerSpy(monkeypatch)
    record, _ = ran(three_layers)
    for name in ("middle_1", "bottom_1_1", "bottom_2_2"):
        first = next(a for a in spy.attempts if a.caller.agent == name)
        carried = {p.key for p in first.prompt if p.author in ("task", "tool")}
        assert {SUITE.statement, "The fee is 340 yuan."} <= carried
        cross = [s for s in shares(record, operation=first.operation_id, direction="prompt") if s.reread == "cross"]
        assert {s.author for s in cross if s.purpose == "task"} == {"task", "tool"}
        assert not [s for s in shares(record, operation=first.operation_id) if s.author == "tool" and s.reread == "new"]


def test_without_the_history_nothing_is_carried_down() -> None:
    def act(request: Request, depth: int, spoken: int) -> Say:
        here = layer(request)
        card = {"background": "One part."}
        if here == "lead":
            return [Say("", [READ]), Say("", [down("middle", context_card=card)]), Say('["all"]')][spoken]
        if here == "middle":
            return [Say("", [down("bottom", context_card=card)]), Say("Half.")][spoken]
        return Say("Done.")

    _, model = ran(act, delegation=CARD)
    for request in (*model.of_layer("middle"), *model.of_layer("bottom")):
        assert "aardvark" not in heard(request) and "The fee is" not in heard(request)
        assert "You are given an order." in heard(request)


def test_whoever_combines_results_merges_them() -> None:
    def act(request: Request, depth: int, spoken: int) -> Say:
        said = "The north pump delivers three hundred and forty litres per minute."
        return Say(said) if depth == 2 or spoken else Say("", [down(below(request))])

    record, _ = ran(act)
    for name in ("lead", "middle_1"):
        assert purposes(shares(record, agent=name, direction="completion"))["merge"] > 0
        assert purposes(shares(record, agent=name, direction="prompt"))["merge"] > 0


# -- depth without a limit -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("levels", "rules"), [(300, CARD), (100, Nested().delegation)], ids=["card", "history"])
def test_hundreds_of_levels(levels: int, rules: Delegation) -> None:
    """Neither Python's stack nor the loop gives out, and the result comes all the way up."""
    record, _ = ran(chain(levels), limits=ENDLESS, delegation=rules)
    assert record.run.answer == '["deep"]'
    assert max(c.depth for c in record.calls) == levels and len(record.delegations) == levels
    assert record.run.calls == 2 * levels + 1 and record.run.wall_s == 2 * levels + 1
    names = {c.agent for c in record.calls}
    assert len(names) == levels + 1 and max(map(len, names)) < 20


def test_a_chain_without_end_is_ended_by_the_overall_timeout(tmp_path: Path) -> None:
    limits = Limits(max_depth=None, run_calls=None, run_wall_s=100.5)
    record, _ = ran(chain(None), limits=limits, status="timeout")
    assert record.run.limit == "run_wall_s: not done after 100.5 s"
    assert record.run.calls == 101 and max(c.depth for c in record.calls) == 100
    assert [c.status for c in record.calls].count("cancelled") == 1
    assert {d.status for d in record.delegations} == {"unanswered"}
    assert faults([record], tmp_path) == []


def test_a_breach_of_the_run_s_limit_ends_every_level(tmp_path: Path) -> None:
    record, _ = ran(chain(None), limits=Limits(max_depth=None, run_calls=40), status="limit")
    assert record.run.limit == "run_calls: 41 is 1 over the bound of 40"
    assert record.run.calls == 40 and faults([record], tmp_path) == []


def test_a_breach_ends_a_tree_at_work(tmp_path: Path) -> None:
    def act(request: Request, depth: int, spoken: int) -> Say:
        return Say("", [down(below(request), f"Part {n}.") for n in range(3)])

    record, _ = ran(act, limits=Limits(max_depth=None, run_calls=30), status="limit")
    assert record.run.calls == 30 and faults([record], tmp_path) == []
    assert not events(record, "leftover")


def test_a_prompt_beyond_the_window_fails_one_agent_and_its_parent_reads_so() -> None:
    record, model = ran(chain(None), limits=ENDLESS, window=4300)  # with room for its parent to read so
    deepest = max(c.depth for c in record.calls)
    assert 3 < deepest < 40
    last = record.delegations[-1]
    assert last.status == "failed" and told_errors(last)[0].startswith("window_tokens: ")
    assert {d.status for d in record.delegations[:-1]} == {"success"}
    parent = next(r for r in model.requests if depth_of(r) == deepest and results(r))
    assert results(parent)[0].startswith("[FAILED] ") and "window_tokens" in results(parent)[0]
    assert record.run.answer == '["deep"]'


# -- places and patience -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parallel", [False, True])
def test_no_parent_waits_for_the_place_that_it_holds_itself(parallel: bool) -> None:
    """One place a lead, one dispatch at a time: three layers run all the same."""
    record, _ = ran(three_layers, limits=Limits(max_depth=2, workers_running=1), parallel=parallel)
    assert len(record.delegations) == 6 and {d.status for d in record.delegations} == {"success"}
    ends = {name: spans(record, name) for name in ("middle_1", "middle_2")}
    assert ends["middle_1"][-1][1] <= ends["middle_2"][0][0], "one after another"
    assert spans(record, "bottom_1_1")[-1][1] <= spans(record, "bottom_1_2")[0][0]


def test_in_parallel_all_parts_run_at_once() -> None:
    record, _ = ran(three_layers)
    assert {spans(record, f"middle_{n}")[0] for n in (1, 2)} == {(2, 3)}
    assert {spans(record, f"bottom_{m}_{b}")[0] for m in (1, 2) for b in (1, 2)} == {(3, 4)}


def patience(request: Request, depth: int, spoken: int) -> Say:
    """A middle agent that has two bottoms at work when its time is up, and a third after that."""
    if depth == 0:
        return [Say("", [down("middle")]), Say('["own"]', latency_s=4)][spoken]
    if depth == 1:
        first = Say("", [down("bottom", "One."), down("bottom", "Two.")])
        return [first, Say("", [down("bottom", "Three.")]), Say("Late.")][spoken]
    return Say("Slow.", latency_s=8.5)


def test_with_a_middle_agent_those_that_work_for_it_are_abandoned(tmp_path: Path) -> None:
    record, model = ran(patience, worker_timeout_s=5.0)
    assert record.run.answer == '["own"]' and record.run.wall_s == 10
    told = {e.agent: (e.at_s, json.loads(e.data)["text"]) for e in events(record, "abandoned")}
    assert told == {
        "middle_1": (6, "worker_timeout_s: not done after 5 s"),
        "bottom_1_1": (6, "middle_1 was abandoned"),
        "bottom_1_2": (6, "middle_1 was abandoned"),
        "bottom_1_3": (8, "middle_1 was abandoned"),  # the middle agent gave up the two at 7 and spoke for 1 s
    }
    assert [(c.agent, c.ended_s) for c in record.calls if not c.late] == [("lead", 1), ("middle_1", 2), ("lead", 10)]
    assert len(record.calls) == 8
    assert results(model.of_layer("lead")[-1])[0].startswith("[FAILED] subtask_1 by middle_1: worker_timeout_s")
    assert faults([record], tmp_path) == []


@pytest.mark.parametrize("calls", range(3, 9))
def test_what_is_late_may_pass_a_limit_and_the_answer_stands(calls: int, tmp_path: Path) -> None:
    """Nothing hangs either, whoever of those that nobody waits for meets it."""
    limits = Limits(max_depth=2, run_calls=calls)
    model = Layers(patience)
    (record,) = records(cell(Nested(worker_timeout_s=5.0), model, suite=SUITE, limits=limits))
    if calls >= 5:  # lead, middle, two bottoms, lead
        assert (record.run.status, record.run.answer) == ("ok", '["own"]')
    else:
        assert record.run.status == "limit"
    assert faults([record], tmp_path) == []


def test_without_a_timeout_of_its_own_a_dispatch_is_waited_for() -> None:
    def act(request: Request, depth: int, spoken: int) -> Say:
        return Say("", [down("middle")]) if depth == 0 and not spoken else Say('["x"]', latency_s=100)

    record, _ = ran(act, worker_timeout_s=None)
    assert record.run.wall_s == 201 and {d.status for d in record.delegations} == {"success"}


# -- names and parameters ------------------------------------------------------------------------------------------


def test_a_name_says_the_place_and_stays_short() -> None:
    assert str(Place().below(2).below(1)) == "2_1"
    assert str(Place((1, 1, 1))) == "1_1_1" and str(Place((1, 1, 1, 1))) == "1x4"
    assert str(Place((2, *[1] * 400, 3, 3))) == "2_1x400_3_3"
    paths = [(a, b, c, d, e) for a in (1, 2) for b in (1, 4) for c in (1, 14) for d in (1, 4) for e in (1, 4)]
    assert len({str(Place(p[:n])) for p in paths for n in range(6)}) == len({p[:n] for p in paths for n in range(6)})


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"fan_out": []}, "topology.fan_out=[]: give a number of parts, 1 or more"),
        ({"fan_out": [3, 0]}, "topology.fan_out=[3, 0]: give"),
        ({"fan_out": [-1]}, "topology.fan_out=[-1]: give"),
        ({"lead_steps": 0}, "topology.lead_steps=0: must be above 0."),
        ({"worker_steps": 0}, "topology.worker_steps=0: must be above 0."),
        ({"worker_timeout_s": 0.0}, "topology.worker_timeout_s=0.0: must be above 0, or null for no bound."),
    ],
)
def test_bad_parameters(bad: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(words)):
        Nested(**bad)


def test_its_configuration_has_the_defaults_of_the_class() -> None:
    text = (Path(__file__).parents[2] / "conf" / "topology" / "nested.yaml").read_text(encoding="utf-8")
    node = yaml.safe_load(text)
    assert node.pop("_target_") == "topologies.nested.Nested"
    assert Nested(**{**node, "delegation": Delegation(**node["delegation"])}) == Nested()


def test_the_same_rows_at_any_concurrency() -> None:
    made = cell(Nested(), Layers(three_layers), suite=ReferenceSuite(ids=("s0", "s1", "s2")), limits=THREE)
    first = [r.calls for r in records(made)]
    assert [r.calls for r in records(made, concurrency=3)] == first
