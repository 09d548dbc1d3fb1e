"""Who worked when, from stored rows alone: nothing here knows more than the tables say."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pandas as pd
import pytest

import results

from .commands import GENERATED, TALKATIVE, each, here


class Run:
    """The rows of one team run."""

    def __init__(self, found: results.Results, run_id: str) -> None:
        def own(frame: pd.DataFrame) -> pd.DataFrame:
            return frame[frame.run_id == run_id]

        self.row = own(found.runs).iloc[0]
        self.calls, self.messages, self.events = own(found.calls), own(found.messages), own(found.events)

    def spans(self, agent: str) -> list[tuple[float, float]]:
        """(start, end) of each operation of an agent, retries included, in order."""
        calls = self.calls[self.calls.agent == agent]
        first, last = calls.groupby("operation_id").started_s.min(), calls.groupby("operation_id").ended_s.max()
        return sorted(zip(first, last, strict=True))

    @property
    def members(self) -> list[str]:
        return sorted(set(self.calls[self.calls.role == "worker"].agent))

    def news(self, since: float, until: float) -> bool:
        """Whether the lead got anything to read in between: a message, or what came of a tool call, other than that a
        message of its own was sent."""
        read = self.messages[(self.messages.recipient == "lead") & self.messages.read_s.between(since, until)]
        own = self.events[(self.events.agent == "lead") & self.events.at_s.between(since, until)]
        told = own[own.type.isin(["tool_error", "refused"])]
        results_read = own[(own.type == "tool") & ~own.data.str.contains('"tool": "send_message"')]
        return len(read) + len(told) + len(results_read) > 0


def team_runs(found: results.Results) -> list[Run]:
    return [Run(found, run_id) for run_id in found.runs[found.runs.topology == "bus"].run_id]


@pytest.fixture(scope="module")
def runs(sweep: results.Results, tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    store = tmp_path_factory.mktemp("talk") / "runs"
    talk = here(store, "topology=bus", *GENERATED, "task.samples=12", "bus=memory", *TALKATIVE)
    assert {"clarify", "clarify_resp", "progress", "result"} <= set(talk.messages.type)
    return [*team_runs(sweep), *team_runs(talk)]


def overlap(a: list[tuple[float, float]], b: list[tuple[float, float]]) -> float:
    """Seconds for which a call of one and a call of the other were under way at once."""
    return sum(max(0.0, min(x[1], y[1]) - max(x[0], y[0])) for x in a for y in b)


def test_workers_overlap_each_other_and_the_lead(sweep: results.Results) -> None:
    for run in team_runs(sweep):
        spans = {agent: run.spans(agent) for agent in ("lead", *run.members)}
        assert len(run.members) == 3
        for one, other in combinations(run.members, 2):
            assert overlap(spans[one], spans[other]) > 0, (run.row.run_id, one, other)
        assert any(overlap(spans["lead"], spans[m]) > 0 for m in run.members), run.row.run_id
        for own in spans.values():  # nobody does two things at once
            assert all(earlier[1] <= later[0] for earlier, later in pairwise(own))


def test_parallel_work_takes_less_time_than_its_calls(sweep: results.Results) -> None:
    for run in team_runs(sweep):
        assert run.row.wall_s < sum(end - start for agent in ("lead", *run.members) for start, end in run.spans(agent))
    for row in each(sweep.runs[sweep.runs.topology == "single"]):
        calls = sweep.calls[sweep.calls.run_id == row.run_id]
        assert row.wall_s == pytest.approx((calls.ended_s - calls.started_s).sum())


def test_the_lead_is_woken_by_a_message_and_calls_for_nothing_else(runs: list[Run]) -> None:
    parked = 0
    for run in runs:
        for (_, said), (next_call, _) in pairwise(run.spans("lead")):
            assert run.news(said, next_call), (run.row.run_id, said, next_call)
            if next_call > said:  # parked in between
                parked += 1
                mine = run.messages[run.messages.recipient == "lead"]
                woke = mine[mine.read_s == next_call]
                assert len(woke) and woke.sent_s.max() == next_call, "it was woken the moment that something came"
                earlier = mine[mine.sent_s.between(said, next_call, inclusive="left")]
                assert earlier.type.isin(["result", "progress"]).all(), "what came earlier could wait for the rest"
    assert parked >= 20


def test_each_message_is_read_once_and_not_before_it_was_sent(runs: list[Run]) -> None:
    for run in runs:
        messages = run.messages
        assert messages.msg_id.is_unique
        late = (messages.type == "shutdown") | (messages.sent_s >= run.row.wall_s)
        assert (messages.delivery[~late] == "read").all()
        read = messages[messages.read_s.notna()]
        assert (read.read_s >= read.sent_s).all()


def test_sessions_nest_and_add_up_to_the_run(runs: list[Run]) -> None:
    for run in runs:
        sessions = run.calls.groupby(["session_id", "agent"]).agg(
            parent=("parent_session_id", "first"), depth=("depth", "first"), cost=("cost_pusd", "sum"),
            prompt=("prompt_tokens", "sum"), completion=("completion_tokens", "sum"),
        ).reset_index("agent")  # fmt: skip
        assert sessions.index.is_unique and sessions.agent.is_unique
        (root,) = sessions[sessions.parent.isna()].index
        children = sessions.drop(root)
        assert root == run.row.run_id and sessions.agent[root] == "lead"
        assert (children.parent == root).all() and (children.depth == 1).all() and sessions.depth[root] == 0
        assert list(children.index) == [f"{root}/{name}" for name in children.agent]
        assert sessions.cost[root] + children.cost.sum() == run.row.cost_pusd
        assert sessions[["prompt", "completion"]].sum().tolist() == [run.row.prompt_tokens, run.row.completion_tokens]


def frames(run: Run, agent: str) -> list[str]:
    """The comings and goings of one member: ``as`` and the reason of each ``ax``."""
    own = run.events[(run.events.agent == agent) & run.events.type.isin(["as", "ax"])]
    return [e.type if e.type == "as" else reason(e.data) for e in each(own)]


def reason(data: Any) -> str:
    return str(data).partition('"reason": "')[2].partition('"')[0]


def test_comings_and_goings_alternate(runs: list[Run]) -> None:
    for run in runs:
        for name in run.members:
            steps = frames(run, name)
            assert steps[::2] == ["as"] * (len(steps) // 2) and len(steps) % 2 == 0
            assert set(steps[1::2]) <= {"completed", "shutdown", "idle_timeout", "timeout", "error", "max_steps"}
