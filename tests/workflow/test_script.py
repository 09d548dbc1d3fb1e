"""What a script's calls do: names, types, models, schemas, failures, and the bounds that end it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.models import ActingModel, Call, Say
from support.panels import left_out
from support.runs import check_invariants, purposes, run_once, shares

from harness.accounting.tokens import count_tokens
from harness.clock.real import RealTimeline
from harness.delegation.rules import PLAIN_WORDS
from harness.dispatch.definition import BUILT_IN, SubAgent
from harness.limits import Limits
from harness.models.protocol import Request
from harness.workflow.bounds import Bounds
from topologies.single import Single
from topologies.sync import Sync
from topologies.workflow import Workflow

from .stage import main, most_at_once, obedient, ran, told, written


def test_an_agent_reads_its_order_and_answers(tmp_path: Path) -> None:
    model = ActingModel(obedient)
    record = ran(tmp_path, main("return await agent(f'Do it: {task} say=yes', label='one')"), model=model)
    (request,) = model.requests
    system, order = (str(m["content"]) for m in request.messages)
    assert "You answer questions about documents." in system and "general_purpose" in system
    assert order.startswith("[order subtask_1]\nObjective: Do it: Answer the question. say=yes\n")
    assert (record.run.status, record.run.answer, record.calls[0].agent, record.calls[0].depth) == (
        "ok",
        "yes",
        "one",
        0,
    )
    found = {(s.purpose, s.author) for s in shares(record, direction="prompt")}
    assert found == {("task", "task"), ("scaffold", "engine"), ("dispatch", "engine")}


def test_agents_have_names_of_their_own(tmp_path: Path) -> None:
    record = ran(
        tmp_path,
        main(
            "for label in ('a/b', 'a/b', None, None, 'engine', 'grader', 'workflow', '\\n'):",
            "    await agent('x', label=label)",
            "await agent('x', type='reviewer')",
            "return 'done'",
        ),
    )
    names = [c.agent for c in record.calls]
    assert names == [
        "a-b",
        "a-b_2",
        "general_purpose_1",
        "general_purpose_2",
        "engine_2",
        "grader_2",
        "workflow_2",
        "-",
        "reviewer_1",
    ]
    assert [d["label"] for d in told(record, "agent_called")][:2] == ["a/b", "a/b"]


def test_types_decide_what_is_made_and_how_others_words_are_read(tmp_path: Path) -> None:
    def acts(request: Request) -> Say:
        return Say("the product of somebody else") if "Make it." in str(request.messages[1]) else obedient(request)

    body = main(
        "first = await agent('Make it.')",
        "await agent(f'Judge: {first} say=bad', type='reviewer')",
        "await agent('Plan it. say=plan', type='plan')",
        "return first",
    )
    record = ran(tmp_path, body, acts)
    read = [s for s in shares(record, agent="reviewer_1", direction="prompt") if s.author == "general_purpose_1"]
    assert {s.purpose for s in read} == {"review"}
    assert purposes(shares(record, agent="reviewer_1", direction="completion")).keys() == {"review"}
    assert purposes(shares(record, agent="plan_1", direction="completion")).keys() == {"plan"}


def test_who_gets_several_results_merges_them_and_who_gets_one_reads_a_peer_s(tmp_path: Path) -> None:
    def acts(request: Request) -> Say:
        order = str(request.messages[1]["content"])
        for n in ("1", "2"):
            if f"Find {n}" in order:
                return Say(f"this is what number {n} has found")
        return Say("both")

    body = main(
        "found = await parallel([lambda: agent('Find 1', label='f1'), lambda: agent('Find 2', label='f2')])",
        "await agent('Go on from: ' + found[0], label='next')",
        "return await agent('Combine: ' + ' / '.join(found), label='sum')",
    )
    record = ran(tmp_path, body, acts)
    by = {
        agent: {(s.author, s.purpose) for s in shares(record, agent=agent, direction="prompt") if s.author[0] == "f"}
        for agent in ("next", "sum")
    }
    assert by == {"next": {("f1", "sync")}, "sum": {("f1", "merge"), ("f2", "merge")}}
    assert [(c.agent, c.intent) for c in record.calls[2:]] == [("next", "answer"), ("sum", "merge")]


def test_a_timeout_of_its_own_is_not_the_bound_s(tmp_path: Path) -> None:
    body = main(
        "def late(*_):",
        "    raise TimeoutError('mine')",
        "return [await parallel([late]), await pipeline([1], late)]",
    )
    record = ran(tmp_path, body)
    assert record.run.answer == "[[null], [null]]"
    assert [text for _, text in left_out(record)] == ["script.py:4: TimeoutError: mine"] * 2


def test_a_schema_gives_a_value_and_what_does_not_fit_is_sent_back(tmp_path: Path) -> None:
    says = iter([Say("nothing"), Say('{"n": "two"}'), Say('{"n": 2}')])
    seen: list[Request] = []

    def acts(request: Request) -> Say:
        seen.append(request)
        return next(says)

    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    record = ran(
        tmp_path, main(f"found = await agent('Count.', schema={schema!r})", "return str(found['n'] + 1)"), acts
    )
    assert (record.run.answer, record.run.calls, record.run.retries_validation) == ("3", 3, 2)
    assert [d.status for d in record.delegations] == ["returned", "returned", "success"]
    assert json.dumps(schema) in str(seen[0].messages[1]["content"])
    assert "feedback" in {s.purpose for s in shares(record, direction="prompt")}
    assert purposes(shares(record, operation="general_purpose_1#3", direction="completion")).keys() == {"rework"}


def test_a_schema_goes_along_as_response_format_where_there_are_no_tools(tmp_path: Path) -> None:
    model = ActingModel(lambda _: Say('["a"]'))
    words = SubAgent("words", "says words", "Say words.", tags=[])
    schema = {"type": "array", "items": {"type": "string"}}
    body = main(f"await agent('x', schema={schema!r})", f"return await agent('x', schema={schema!r}, type='words')")
    record = ran(tmp_path, body, model=model, definitions=[words])
    assert record.run.answer == '["a"]'
    beside, alone = model.requests
    assert beside.tools and beside.response_format is None
    assert not alone.tools and alone.response_format is not None
    assert alone.response_format["json_schema"]["schema"] == schema


def test_a_result_that_never_fits_fails_the_call(tmp_path: Path) -> None:
    body = main(
        "try:",
        "    return await agent('x', schema={'type': 'integer'}, label='count')",
        "except AgentFailed as failed:",
        "    return 'caught: ' + str(failed)",
    )
    record = ran(tmp_path, body, lambda _: Say("many"), max_retries=1)
    assert record.run.answer.startswith("caught: count: not accepted after 2 tries")
    assert [name for name, _ in left_out(record)] == ["count"]


def test_a_failed_call_ends_the_run_with_its_label_unless_it_is_caught(tmp_path: Path) -> None:
    record = ran(tmp_path, main("return await agent('die', label='doomed')"))
    assert (record.run.status, record.run.score) == ("failed", 0)
    assert (record.run.error or "").startswith("doomed: ")


def test_a_blocked_agent_has_failed(tmp_path: Path) -> None:
    record = ran(tmp_path, main("return await agent('x', label='b')"), lambda _: Say("BLOCKED: no such file"))
    assert (record.run.status, record.run.error) == ("failed", "b: no such file")


def test_parallel_gives_none_for_what_failed_and_the_others_go_on(tmp_path: Path) -> None:
    body = main(
        "def broken():",
        "    raise ValueError('by itself')",
        "found = await parallel([lambda: agent('say=a'), lambda: agent('die', label='d'), broken, agent('say=b')])",
        "return ' '.join(str(f) for f in found)",
    )
    record = ran(tmp_path, body)
    assert (record.run.status, record.run.answer) == ("ok", "a None None b")
    assert dict(left_out(record))["parallel_1.3"] == "script.py:4: ValueError: by itself"
    assert sorted(name for name, _ in left_out(record)) == ["d", "parallel_1.3"]


def test_a_misspelt_name_is_no_bad_luck(tmp_path: Path) -> None:
    record = ran(tmp_path, main("return await parallel([lambda: agnet('x')])"))
    assert record.run.status == "failed"
    assert (record.run.error or "").startswith("script.py:3: NameError: name 'agnet'")


def test_parallel_does_not_wait_for_ever(tmp_path: Path) -> None:
    body = main("return await parallel([lambda: agent('latency_ms=9000'), lambda: agent('say=quick')])")
    record = ran(tmp_path, body, parallel_timeout_s=5)
    assert (record.run.answer, record.run.wall_s) == ('[null, "quick"]', 5.0)
    assert left_out(record) == [("parallel_1.1", "parallel_timeout_s: not done after 5 s")]


def test_pipeline_stages_get_the_result_and_the_item_if_they_ask(tmp_path: Path) -> None:
    body = main(
        "async def first(item):",
        "    return await agent(f'say={item}-1')",
        "def second(before, item):",
        "    return before + '/' + item",
        "def third(before):",
        "    if before.startswith('b'):",
        "        raise ValueError('not b')",
        "    return before.upper()",
        "return await pipeline(['a', 'b', 'c'], first, second, third)",
    )
    record = ran(tmp_path, body)
    assert json.loads(record.run.answer) == ["A-1/A", None, "C-1/C"]
    assert [text for _, text in left_out(record)] == ["script.py:9: ValueError: not b"]


def test_at_most_so_many_agents_work_at_once(tmp_path: Path) -> None:
    body = main("await parallel([lambda: agent('x')] * 40)", "return 'done'")
    assert most_at_once(ran(tmp_path, body)) == 16
    assert most_at_once(ran(tmp_path, body, max_concurrency=3)) == 3
    record = ran(tmp_path, body, limits=Limits(workers_running=1))
    assert most_at_once(record) == 16, "the bound of a lead's team is not a script's"


@pytest.mark.parametrize(("cores", "places"), [(1, 1), (2, 1), (3, 1), (6, 4), (18, 16), (64, 16)])
def test_on_the_real_clock_the_machine_decides(monkeypatch: pytest.MonkeyPatch, cores: int, places: int) -> None:
    monkeypatch.setattr("harness.workflow.bounds._cores", lambda: cores)
    bounds = Bounds(1000, None, 1.0, 1, 1, None, 0)
    assert bounds.places(RealTimeline()) == places
    assert replace(bounds, at_once=5).places(RealTimeline()) == 5


def test_a_script_runs_on_the_real_clock(tmp_path: Path) -> None:
    record = ran(tmp_path, main("return await parallel([lambda: agent('say=x')] * 3)"), on=("real", 1000))
    assert record.run.answer == '["x", "x", "x"]' and most_at_once(record) <= Bounds(1, None, 1, 1, 1, None, 0).places(
        RealTimeline()
    )


def test_one_call_too_many_ends_the_run_whatever_the_script_does(tmp_path: Path) -> None:
    body = main(
        "n = 0",
        "while True:",
        "    try:",
        "        n += len(await parallel([lambda: agent('x'), lambda: agent('x')]))",
        "    except Exception:",
        "        log('never')",
    )
    record = ran(tmp_path, body, max_agents=5)
    assert (record.run.status, [c.status for c in record.calls]) == ("limit", ["ok"] * 4 + ["cancelled"])
    assert record.run.limit == "max_agents: 6 is 1 over the bound of 5"
    assert not told(record, "log")


def test_a_thousand_calls_is_the_most(tmp_path: Path) -> None:
    body = main("for _ in range(1001):", "    agent('x')", "return 'x'")
    record = ran(tmp_path, body, limits=Limits(run_calls=None))
    assert record.run.limit == "max_agents: 1,001 is 1 over the bound of 1,000" and record.run.calls == 0


def test_a_limit_of_the_run_ends_the_script(tmp_path: Path) -> None:
    body = main(
        "while True:",
        "    try:",
        "        await parallel([lambda: agent('x')])",
        "    except Exception:",
        "        pass",
    )
    record = ran(tmp_path, body, limits=Limits(run_calls=3))
    assert (record.run.status, record.run.calls) == ("limit", 3) and "run_calls" in (record.run.limit or "")
    record = ran(tmp_path, body, limits=Limits(run_wall_s=4.5))
    assert (record.run.status, record.run.wall_s) == ("timeout", 4.5)


@pytest.mark.parametrize(
    "lines",
    [
        ("while True:", "    pass"),
        ("while True:", "    try:", "        while True: pass", "    except Exception: pass"),
        ("for x in iter(lambda: 1, 2):", "    pass"),
        ("list(iter(lambda: 1, 2))",),
        ("def f(): return f()", "f()"),
        ("f = lambda: g()", "g = lambda: [f() for _ in range(2)] if False else None", "while f() is None: pass"),
        ("def g():", "    while True:", "        yield 1", "return str(sum(x for x in g()))"),
        ("while True:", "    await parallel([])"),
        ("while True:", "    await pipeline([1], lambda x: x)"),
    ],
)
def test_a_script_that_never_ends_ends_by_its_limit(tmp_path: Path, lines: tuple[str, ...]) -> None:
    record = ran(tmp_path, main(*lines), script_steps=500)
    assert record.run.status == "limit", record.run.error
    assert record.run.limit == "script_steps: 501 is 1 over the bound of 500"


def test_what_nothing_counts_is_not_gone_through(tmp_path: Path) -> None:
    record = ran(tmp_path, main("return str(any(iter(int, 1)))"))
    assert record.run.status in ("failed", "error") and "takes a function of the script" in str(record.run.error)


def test_a_range_is_no_longer_than_the_script_may_run(tmp_path: Path) -> None:
    record = ran(tmp_path, main("return str(sum(range(10 ** 12)))"))
    assert record.run.status == "failed" and "topology.script_steps=1,000,000" in (record.run.error or "")


@pytest.mark.parametrize(
    ("call", "what"),
    [
        ("agent('')", "the prompt must be a text"),
        ("agent(5)", "the prompt must be a text"),
        ("agent('x', type='exploror')", "Did you mean 'explore'?"),
        ("agent('x', model='big')", "unknown model 'big'"),
        ("agent('x', schema=7)", "is no JSON schema"),
        ("agent('x', schema={'type': 'text'})", "schema="),
        ("agent('x', label=3)", "a label is a text"),
        ("agent('x', phase='Later')", "unknown phase 'Later'"),
        ("parallel('abc')", "give a list"),
        ("parallel([1])", "lambda: agent"),
        ("pipeline(['a'], 'b')", "a stage is a function"),
    ],
)
def test_a_call_that_cannot_be_made_ends_the_run(tmp_path: Path, call: str, what: str) -> None:

    head = 'META = {"name": "test", "phases": ["Now"]}\n'
    body = main("try:", f"    await {call}", "except Exception:", "    pass", "return 'x'")
    record = ran(tmp_path, body, head=head)
    assert record.run.status == "failed" and what in (record.run.error or "")
    assert not record.calls


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (("return None",), "main returned None"),
        (("return 5",), "main returned 5"),
        (("return [set()]",), "not JSON"),
        (("agent('x', label='lost')", "return 'x'"), "never awaited: agent(label='lost')"),
        (("return 1 // 0",), "script.py:3: ZeroDivisionError"),
        (("one = agent('x', label='o')", "return [await one, await one]"), "awaited twice: agent(label='o')"),
        (("return await parallel([agent('x')] * 2)",), "awaited twice"),
        (("import statistics", "return str(statistics.random)"), "AttributeError"),
    ],
)
def test_a_script_that_goes_wrong_says_where(tmp_path: Path, lines: tuple[str, ...], what: str) -> None:
    record = ran(tmp_path, main(*lines))
    assert record.run.status == "failed" and what in (record.run.error or "")


def test_args_phases_logs_time_and_chance(tmp_path: Path) -> None:
    body = (
        "import json\nfrom dataclasses import dataclass\n"
        "from harness.workflow.script import agent, log, now, phase, random\n\n"
        "@dataclass\nclass Note:\n    text: str = ''\n\n"
    ) + main(
        "phase('One')",
        "before = now()",
        "await agent('latency_ms=1500')",
        "await agent('x', phase='Two')",
        "log(Note(args['word']).text)",
        "return json.dumps([before, now(), random(), random()])",
    )
    record = ran(tmp_path, body, args={"word": "hello"})
    before, after, *drawn = json.loads(record.run.answer)
    assert (before, after) == (0.0, 2.5) and all(0 <= d < 1 for d in drawn) and drawn[0] != drawn[1]
    assert [d["phase"] for d in told(record, "agent_called")] == ["One", "Two"]
    assert told(record, "log") == [{"text": "hello", "phase": "One"}]
    returned = told(record, "agent_returned")
    assert [(d["seconds"], d["replayed"], d["status"]) for d in returned] == [
        (1.5, False, "success"),
        (1.0, False, "success"),
    ]
    assert json.loads(ran(tmp_path, body, args={"word": "hello"}).run.answer)[2:] == drawn
    assert json.loads(ran(tmp_path, body, args={"word": "hello"}, seed=1).run.answer)[2:] != drawn


def test_a_type_may_be_a_whole_topology(tmp_path: Path) -> None:
    solo = SubAgent("solo", "does it alone", inside=Single())
    body = main(
        "alone = lambda prompt, label: lambda: agent(prompt, type='solo', label=label)",
        "return str(await parallel([alone('say=a', None), alone('die', 'dead')]))",
    )
    record = ran(tmp_path, body, definitions=[solo])
    assert record.run.answer == "['a', None]"
    assert sorted({c.agent for c in record.calls}) == ["dead/solver", "solo_1/solver"]
    assert {c.depth for c in record.calls} == {0}
    assert [name for name, _ in left_out(record)] == ["dead"]


def test_an_order_s_words_are_no_result(tmp_path: Path) -> None:
    """Inside a team the statement is another agent's order, and one result beside it is a peer's."""

    def acts(request: Request) -> Say:
        said = str(request.messages)
        if "dispatch_sub_agent" in str(request.tools) and "[SUCCESS] subtask" not in said:
            task = "Find out what stands in the document."
            return Say(calls=[Call("dispatch_sub_agent", {"type": "crew", "task": task})])
        return Say("what was found in the document")

    body = main("found = await agent(task, label='f')", "return await agent(f'{task} Check: {found}', label='g')")
    crew = Workflow(script=written(tmp_path, body))
    record = run_once(Sync(types=[], inside={"crew": crew}, delegation=PLAIN_WORDS), ActingModel(acts))
    check_invariants(record)
    assert record.run.status == "ok"
    read = {(s.author, s.purpose) for s in shares(record, agent="crew_1/g", direction="prompt")}
    assert {("lead", "dispatch"), ("crew_1/f", "sync")} <= read


def test_an_ablated_type_keeps_its_length(tmp_path: Path) -> None:
    def systems(ablate: str | None) -> list[str]:
        model = ActingModel(obedient)
        ran(tmp_path, main("await agent('x')", "return await agent('x', type='reviewer')"), model=model, ablate=ablate)
        return [str(r.messages[0]["content"]) for r in model.requests]

    whole, without = systems(None), systems("reviewer")
    prompt = BUILT_IN["reviewer"].prompt
    assert whole[0] == without[0] and prompt in whole[1] and prompt not in without[1]
    assert count_tokens(whole[1]) == count_tokens(without[1])
    before, after = whole[1].split(prompt)
    assert without[1].startswith(before) and without[1].endswith(after)
