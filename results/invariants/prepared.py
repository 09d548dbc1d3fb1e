"""The rows of one batch of parts, joined and added up so that each invariant is one comparison.

In numpy: pandas would take nine tenths of the time to check a small store.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

import numpy as np

from harness.records import places
from results.batch import Batch
from results.columns import Columns, Numbers
from results.invariants.keys import Number, alike, among, distinct, folded, together
from results.invariants.totals import totals
from results.origin import IMPORTED
from results.schema import SCHEMAS
from results.tally import JUDGE

ATTEMPT = ("run_id", "operation_id", "attempt")
SUBTASK = ("run_id", "delegation_id")
ORDERS = frozenset({"task", "revision"})
"""Types of message with which a try begins."""


class Prepared:
    """One batch. Every frame keeps the columns of its table; ``orphan`` marks rows without a run, ``imported`` those of
    a run that is.

    All tables have the same names of runs, in order, so the code of a run id is a number of the run everywhere.
    """

    def __init__(self, batch: Batch) -> None:
        tables = {name: Columns.of(batch.table(name)) for name in SCHEMAS}
        run_ids = alike([rows.texts("run_id") for rows in tables.values()])
        self._run_ids = run_ids[0].names
        self._tables = {n: rows.having(run_id=ids) for (n, rows), ids in zip(tables.items(), run_ids, strict=True)}
        stored, imported = np.zeros((2, len(self._run_ids)), np.bool_)
        runs = self._tables["runs"]
        stored[_run(runs)] = True
        imported[_run(runs.where(runs.texts("harness_version").equal(IMPORTED)))] = True
        for name, rows in self._tables.items():
            if name != "runs":
                self._tables[name] = rows.having(orphan=~stored[_run(rows)], imported=imported[_run(rows)])

    def frame(self, name: str) -> Columns:
        frame: Columns = getattr(self, name)
        return frame

    @cached_property
    def shares(self) -> Columns:
        """With ``has_call``."""
        shares = self._tables["shares"]
        return shares.having(has_call=among(shares.only(*ATTEMPT), self._tables["calls"].only(*ATTEMPT)))

    @cached_property
    def attempts(self) -> Columns:
        """Calls with the sums of their shares: ``prompt_shares``, ``completion_shares``, ``cached_shares``,
        ``reasoning_shares`` (tokens), ``cost_shares`` (pUSD of the known), ``shares_unpriced`` and ``share_count``
        (rows), ``judge_shares`` (rows), ``most`` and ``activity_tokens`` (completion tokens of the leading purpose and
        of the activity), ``times`` (rows with this key), ``wall_s`` of the run,
        ``abandoned_s`` (when its agent was)."""
        calls, shares = self._tables["calls"], self._tables["shares"]
        count, (call, share) = together(calls.only(*ATTEMPT), shares.only(*ATTEMPT))
        prompt, tokens = shares.texts("direction").equal("prompt"), shares.numbers("tokens")
        adding = {
            "prompt_shares": np.where(prompt, tokens, 0),
            "completion_shares": np.where(prompt, 0, tokens),
            "cached_shares": shares.numbers("cached_tokens"),
            "reasoning_shares": shares.numbers("reasoning_tokens"),
            "judge_shares": shares.texts("purpose").equal(JUDGE),
            "cost_shares": shares.numbers("cost_pusd"),
            "shares_unpriced": shares.unknown("cost_pusd"),
        }
        summed = {name: folded(np.add, share, values, count)[call] for name, values in adding.items()}
        written, by_attempt = shares.where(~prompt), share[~prompt]
        purposes, (own, purpose) = together(
            Columns({"attempt": call, "purpose": calls.texts("activity")}),
            Columns({"attempt": by_attempt, "purpose": written.texts("purpose")}),
        )
        by_purpose = folded(np.add, purpose, written.numbers("tokens"), purposes)
        return calls.having(
            **summed,
            share_count=np.bincount(share, minlength=count)[call],
            most=folded(np.maximum, by_attempt, by_purpose[purpose], count)[call],
            activity_tokens=by_purpose[own],
            times=np.bincount(call, minlength=count)[call],
            wall_s=self._wall_s[_run(calls)],
            abandoned_s=self._abandoned_s,
        )

    @property
    def _wall_s(self) -> Numbers:
        """Of each run, by number; of one stored twice that of its first row, of one not stored NaN."""
        runs = self._tables["runs"]
        ends = np.full(len(self._run_ids), np.nan)
        ends[_run(runs)[::-1]] = runs.numbers("wall_s")[::-1]
        return ends

    @property
    def _abandoned_s(self) -> Numbers:
        """For each call: when its agent was abandoned, or the first worker was that it stands in; NaN: never."""
        events = self._tables["events"]
        told = events.where(events.texts("type").equal("abandoned"))
        first = _earliest(told, "agent", "at_s")
        names, number = self._agents
        of_agent = np.full(len(names), np.nan)
        if first:
            for i, (run, agent) in enumerate(names):
                of_agent[i] = min((first[run, p] for p in places(agent) if (run, p) in first), default=np.nan)
        return of_agent[number]

    @cached_property
    def _agents(self) -> tuple[list[tuple[int, str]], Number]:
        """(number of the run, agent) of every agent with a call, and for each call the place of its agent there."""
        calls = self._tables["calls"]
        first, number = calls.numbered(["run_id", "agent"])
        agents = calls.take(first)
        return list(zip(_run(agents).tolist(), agents.texts("agent").tolist(), strict=True)), number

    @cached_property
    def operations(self) -> Columns:
        """One row an operation: ``attempts``, ``first`` and ``last`` attempt number, ``agents``, ``sessions``."""
        calls = self._tables["calls"]
        found, number = _grouped(calls, "run_id", "operation_id")
        count, attempt = len(found), calls.numbers("attempt")
        return found.having(
            attempts=distinct(number, attempt, count),
            agents=distinct(number, calls.texts("agent"), count),
            sessions=distinct(number, calls.texts("session_id"), count),
            first=folded(np.minimum, number, attempt, count),
            last=folded(np.maximum, number, attempt, count),
        )

    @cached_property
    def messages(self) -> Columns:
        """With ``reply_known``: whether the message replied to is in the run (True when none is)."""
        rows = self._tables["messages"]
        run, reply = rows.texts("run_id"), rows.texts("in_reply_to")
        sent = Columns({"run": run, "message": rows.texts("msg_id")})
        return rows.having(reply_known=reply.equal("") | among(Columns({"run": run, "message": reply}), sent))

    @cached_property
    def delegations(self) -> Columns:
        """With ``order_is_object``, ``errors`` (how many; -1: no JSON array of texts), ``unchecked_are_texts``,
        ``output_bytes`` (of raw_output in UTF-8) and ``followed`` (whether there is a try with the next number)."""
        rows = self._tables["delegations"]
        tries = rows.only(*SUBTASK, "try")
        return rows.having(
            order_is_object=rows.texts("order").measured(lambda t: isinstance(_parsed(t), dict)) > 0,
            errors=rows.texts("validation_errors").measured(_texts),
            unchecked_are_texts=rows.texts("unchecked").measured(_texts) >= 0,
            output_bytes=rows.texts("raw_output").measured(lambda t: len(t.encode())),
            followed=among(tries.having(**{"try": rows.numbers("try") + 1}), tries),
        )

    @cached_property
    def subtasks(self) -> Columns:
        """One row a delegation: ``tries`` (rows), ``first``, ``last`` and ``distinct`` numbers of its tries,
        ``subtasks``, ``workers`` and ``types`` (how many)."""
        rows = self._tables["delegations"]
        found, number = _grouped(rows, *SUBTASK)
        count, tries = len(found), rows.numbers("try")
        return found.having(
            tries=np.bincount(number, minlength=count),
            first=folded(np.minimum, number, tries, count),
            last=folded(np.maximum, number, tries, count),
            distinct=distinct(number, tries, count),
            subtasks=distinct(number, rows.texts("subtask_id"), count),
            workers=distinct(number, rows.texts("worker"), count),
            types=distinct(number, rows.texts("type"), count),
        )

    @cached_property
    def workers(self) -> Columns:
        """One row a worker: ``tries_tokens``, and what they can add up to.

        ``at_most``: the tokens of all its calls; of a worker that is a topology, those of the agents inside it that are
        not inside a nearer worker. ``at_least``: of those that surely ended after its first try began.
        On a bus that is when the first order was sent to it; a sub-agent was made for its order, so there it is all; of
        other workers nothing is known.
        """
        rows, calls = self._tables["delegations"], self._tables["calls"]
        found, number = _grouped(rows, "run_id", "worker")
        tries_tokens = folded(np.add, number, rows.numbers("tokens"), len(found))
        place = {key: i for i, key in enumerate(_keys(found, "worker"))}
        nobody = len(place)
        agents, agent = self._agents
        nearest = [next((place[run, p] for p in places(a) if (run, p) in place), nobody) for run, a in agents]
        worker = np.array(nearest, np.intp)[agent]
        surely = calls.numbers("ended_s") > np.append(self._began_s(place), np.nan)[worker]
        tokens = calls.numbers("prompt_tokens") + calls.numbers("completion_tokens")
        return found.having(
            tries_tokens=tries_tokens,
            at_least=folded(np.add, worker, np.where(surely, tokens, 0), nobody + 1)[:nobody],
            at_most=folded(np.add, worker, tokens, nobody + 1)[:nobody],
        )

    def _began_s(self, workers: dict[tuple[int, str], int]) -> Numbers:
        """When the first try of each worker began, or a moment before: -1 for a sub-agent; NaN: nothing is known."""
        began = np.full(len(workers), np.nan)
        if workers:
            steps = self._tables["events"].where(self._tables["events"].texts("type").equal("step"))
            for run, data in _keys(steps, "data"):
                step = _parsed(data) if "sub_agent" in data else None
                if isinstance(step, dict) and (run, str(step.get("sub_agent"))) in workers:
                    began[workers[run, str(step["sub_agent"])]] = -1.0
            messages = self._tables["messages"]
            orders = messages.where(messages.texts("type").among(ORDERS))
            for key, sent_s in _earliest(orders, "recipient", "sent_s").items():
                if key in workers:
                    began[workers[key]] = sent_s
        return began

    @cached_property
    def events(self) -> Columns:
        """With ``expected_seq``: the event's place among its run's, from 0, by number."""
        rows = self._tables["events"]
        rows = rows.take(np.lexsort((rows.numbers("seq"), _run(rows))))
        run = _run(rows)
        return rows.having(expected_seq=np.arange(len(run)) - np.searchsorted(run, run))

    @cached_property
    def runs(self) -> Columns:
        """Runs with what their rows add up to (``results.invariants.totals``)."""
        return totals(self._tables, len(self._run_ids))


def _run(rows: Columns) -> Number:
    return rows.texts("run_id").codes


def _grouped(rows: Columns, *keys: str) -> tuple[Columns, Number]:
    """One row for each combination of text columns, in their order, with no other column; for each row its number."""
    ordered = Columns({k: rows.texts(k).ordered() for k in keys})
    first, number = ordered.numbered(keys)
    return ordered.take(first), number


def _keys(rows: Columns, column: str) -> list[tuple[int, str]]:
    """(number of the run, text) of every row."""
    return list(zip(_run(rows).tolist(), rows.texts(column).tolist(), strict=True))


def _earliest(rows: Columns, column: str, time: str) -> dict[tuple[int, str], float]:
    """(number of the run, text) → the earliest time known."""
    found: dict[tuple[int, str], float] = {}
    for key, at_s in zip(_keys(rows, column), rows.numbers(time).tolist(), strict=True):
        if at_s < found.get(key, np.inf):
            found[key] = at_s
    return found


def _parsed(text: str) -> Any:
    """A JSON value; None for text that is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _texts(text: str) -> int:
    """How many texts a JSON array holds; -1 for anything else."""
    found = _parsed(text)
    return len(found) if isinstance(found, list) and all(isinstance(t, str) for t in found) else -1
