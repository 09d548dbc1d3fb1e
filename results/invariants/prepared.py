"""The rows of one batch of parts, joined and added up so that each invariant is one comparison."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from harness.records import places
from results.batch import Batch
from results.frames import to_pandas
from results.origin import IMPORTED
from results.sums import sums
from results.tally import CLASSES, JUDGE, UNKNOWN, class_of

ATTEMPT = ["run_id", "operation_id", "attempt"]
SUBTASK = ["run_id", "delegation_id"]
ORDERS = frozenset({"task", "revision"})
"""Types of message with which a try begins."""


class Prepared:
    """One batch. Every frame keeps the columns of its table; ``orphan`` marks rows without a run."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    def frame(self, name: str) -> pd.DataFrame:
        frame: pd.DataFrame = getattr(self, name)
        return frame

    def _rows(self, table: str) -> pd.DataFrame:
        frame = to_pandas(self.batch.table(table))
        return frame if table == "runs" else frame.assign(orphan=~frame["run_id"].isin(self._run_ids))

    @cached_property
    def _imported(self) -> set[str]:
        runs = self.batch.table("runs", ["run_id", "harness_version"])
        return set(runs.filter(pc.equal(runs["harness_version"], IMPORTED))["run_id"].to_pylist())

    @cached_property
    def _run_ids(self) -> set[str]:
        return set(self.batch.table("runs", ["run_id"])["run_id"].to_pylist())

    @cached_property
    def _shares(self) -> pa.Table:
        return self.batch.table("shares")

    @cached_property
    def shares(self) -> pd.DataFrame:
        """With ``has_call`` and ``imported``."""
        frame = self._rows("shares")
        calls = pd.MultiIndex.from_frame(self._calls[ATTEMPT])
        has_call = pd.MultiIndex.from_frame(frame[ATTEMPT]).isin(calls)
        return frame.assign(has_call=has_call, imported=frame["run_id"].isin(self._imported))

    @cached_property
    def _calls(self) -> pd.DataFrame:
        return self._rows("calls")

    @cached_property
    def attempts(self) -> pd.DataFrame:
        """Calls with the sums of their shares: ``prompt_shares``, ``completion_shares``, ``cached_shares``,
        ``reasoning_shares`` (tokens), ``cost_shares`` (pUSD of the known), ``cost_shares_unknown`` and ``share_count``
        (rows), ``judge_shares`` (rows), ``most`` and ``activity_tokens`` (completion tokens of the leading purpose and
        of the activity), ``times`` (rows with this key), ``wall_s`` of the run, ``abandoned_s`` (when its agent was),
        ``imported`` (whether the run is)."""
        shares = self._shares
        prompt = pc.equal(shares["direction"], "prompt")
        made = {
            "prompt_shares": pc.if_else(prompt, shares["tokens"], 0),
            "completion_shares": pc.if_else(prompt, 0, shares["tokens"]),
            "cached_shares": shares["cached_tokens"],
            "reasoning_shares": shares["reasoning_tokens"],
            "judge_shares": pc.cast(pc.equal(shares["purpose"], JUDGE), pa.int64()),
            "cost_shares": shares["cost_pusd"],
        }
        keyed = pa.table({**{k: shares[k] for k in ATTEMPT}, **made})
        *known, maybe = made
        summed = to_pandas(sums(keyed, ATTEMPT, known, [maybe])).rename(columns={"rows": "share_count"})
        written = shares.filter(pc.invert(prompt))
        by_purpose = to_pandas(sums(written, [*ATTEMPT, "purpose"], ["tokens"]))
        most = by_purpose.groupby(ATTEMPT)["tokens"].max().rename("most").reset_index()
        own = by_purpose.rename(columns={"purpose": "activity", "tokens": "activity_tokens"})
        frame = self._calls.merge(summed, how="left", on=ATTEMPT).merge(most, how="left", on=ATTEMPT)
        frame = frame.merge(own.drop(columns="rows"), how="left", on=[*ATTEMPT, "activity"])
        counts = [c for c in (*summed.columns, "most", "activity_tokens") if c not in ATTEMPT]
        frame[counts] = frame[counts].fillna(0).astype("int64")
        frame["times"] = frame.groupby(ATTEMPT)["agent"].transform("size")
        frame["imported"] = frame["run_id"].isin(self._imported)
        ends = to_pandas(self.batch.table("runs", ["run_id", "wall_s"])).drop_duplicates("run_id")
        return frame.merge(ends, how="left", on="run_id").merge(self._abandoned, how="left", on=["run_id", "agent"])

    @property
    def _abandoned(self) -> pd.DataFrame:
        """(run_id, agent) → ``abandoned_s``: when it was, or the first worker was that it stands in."""
        told = self.events[self.events["type"] == "abandoned"]
        first = told.groupby(["run_id", "agent"])["at_s"].min().rename("abandoned_s").reset_index()
        places = self._places.merge(first.rename(columns={"agent": "place"}), on=["run_id", "place"])
        return places.groupby(["run_id", "agent"])["abandoned_s"].min().reset_index()

    @cached_property
    def _places(self) -> pd.DataFrame:
        """(run_id, agent, place): each agent with a call, as a place of its own and with each worker, a topology
        itself, that it stands in; longest first."""
        agents = self._calls[["run_id", "agent"]].drop_duplicates()
        rows = [(run, agent, place) for run, agent in agents.itertuples(index=False) for place in places(agent)]
        return pd.DataFrame(rows, columns=["run_id", "agent", "place"])

    @cached_property
    def operations(self) -> pd.DataFrame:
        """One row an operation: ``attempts``, ``first`` and ``last`` attempt number, ``agents``, ``sessions``."""
        groups = self._calls.groupby(["run_id", "operation_id"])
        distinct = groups[["attempt", "agent", "session_id"]].nunique()
        found = distinct.rename(columns={"attempt": "attempts", "agent": "agents", "session_id": "sessions"})
        return found.assign(first=groups["attempt"].min(), last=groups["attempt"].max()).reset_index()

    @cached_property
    def messages(self) -> pd.DataFrame:
        """With ``reply_known``: whether the message replied to is in the run (True when none is)."""
        frame = self._rows("messages")
        sent = pd.MultiIndex.from_frame(frame[["run_id", "msg_id"]])
        replies = pd.MultiIndex.from_frame(frame[["run_id", "in_reply_to"]])
        none = frame["in_reply_to"].isna() | (frame["in_reply_to"] == "")
        return frame.assign(reply_known=none | replies.isin(sent))

    @cached_property
    def delegations(self) -> pd.DataFrame:
        """With ``order_is_object``, ``errors`` (how many; -1: no JSON array of texts), ``unchecked_are_texts``,
        ``output_bytes`` (of raw_output in UTF-8) and ``followed`` (whether there is a try with the next number)."""
        frame = self._rows("delegations")
        tries = pd.MultiIndex.from_frame(frame[[*SUBTASK, "try"]])
        following = pd.MultiIndex.from_arrays([*(frame[c] for c in SUBTASK), frame["try"] + 1])
        return frame.assign(
            order_is_object=pd.Series([isinstance(_parsed(t), dict) for t in frame["order"]], frame.index, bool),
            errors=pd.Series([_texts(t) for t in frame["validation_errors"]], frame.index, "int64"),
            unchecked_are_texts=pd.Series([_texts(t) >= 0 for t in frame["unchecked"]], frame.index, bool),
            output_bytes=pd.Series([len(t.encode()) for t in frame["raw_output"]], frame.index, "int64"),
            followed=following.isin(tries),
        )

    @cached_property
    def subtasks(self) -> pd.DataFrame:
        """One row a delegation: ``tries`` (rows), ``first``, ``last`` and ``distinct`` numbers of its tries,
        ``subtasks``, ``workers`` and ``types`` (how many)."""
        groups = self.delegations.groupby(SUBTASK)
        own = {"try": "distinct", "subtask_id": "subtasks", "worker": "workers", "type": "types"}
        found = groups[list(own)].nunique().rename(columns=own)
        numbers = groups["try"]
        return found.assign(tries=numbers.size(), first=numbers.min(), last=numbers.max()).reset_index()

    @cached_property
    def workers(self) -> pd.DataFrame:
        """One row a worker: ``tries_tokens``, and what they can add up to.

        ``at_most``: the tokens of all its calls; of a worker that is a topology, those of the agents inside it that are
        not inside a nearer worker. ``at_least``: of those that surely ended after its first try began.
        On a bus that is when the first order was sent to it; a sub-agent was made for its order, so there it is all; of
        other workers nothing is known.
        """
        frame = self.delegations.groupby(["run_id", "worker"])["tokens"].sum().rename("tries_tokens").reset_index()
        orders = self.messages[self.messages["type"].isin(ORDERS)]
        sent = orders.groupby(["run_id", "recipient"])["sent_s"].min()
        began = sent.rename("began_s").rename_axis(["run_id", "worker"]).reset_index()
        frame = frame.merge(began, how="left", on=["run_id", "worker"])
        dispatched = pd.MultiIndex.from_frame(frame[["run_id", "worker"]]).isin(self._dispatched)
        frame["began_s"] = frame["began_s"].mask(frame["began_s"].isna() & dispatched, -1.0)
        workers = frame[["run_id", "worker"]].rename(columns={"worker": "place"})
        nearest = self._places.merge(workers, on=["run_id", "place"]).drop_duplicates(["run_id", "agent"])
        calls = self._calls.merge(nearest, on=["run_id", "agent"]).rename(columns={"place": "worker"})
        calls = calls.assign(at_most=calls["prompt_tokens"] + calls["completion_tokens"])
        calls = calls.merge(frame[["run_id", "worker", "began_s"]], on=["run_id", "worker"])
        calls["at_least"] = calls["at_most"].where(calls["ended_s"] > calls["began_s"], 0)
        sums = calls.groupby(["run_id", "worker"])[["at_least", "at_most"]].sum().reset_index()
        frame = frame.merge(sums, how="left", on=["run_id", "worker"])
        frame[["at_least", "at_most"]] = frame[["at_least", "at_most"]].fillna(0).astype("int64")
        return frame

    @property
    def _dispatched(self) -> list[tuple[str, str]]:
        """(run, sub-agent) of every dispatch that came to an end."""
        steps = self.events[self.events["type"] == "step"]
        told = ((run, _parsed(data)) for run, data in zip(steps["run_id"], steps["data"], strict=True))
        return [(run, str(data["sub_agent"])) for run, data in told if isinstance(data, dict) and "sub_agent" in data]

    @cached_property
    def events(self) -> pd.DataFrame:
        """With ``expected_seq``: the event's place among its run's, from 0, by number."""
        frame = self._rows("events").sort_values(["run_id", "seq"], kind="stable")
        return frame.assign(expected_seq=frame.groupby("run_id").cumcount())

    @cached_property
    def runs(self) -> pd.DataFrame:
        """Runs with what their rows add up to, the judge apart: ``rows_*`` (attempts), ``agents_*`` (attempts by a
        named agent), ``content_*`` (shares of a known purpose, fees added in pUSD), ``activity_*`` (attempts of a known
        activity), both of an imported run also of an unknown one, ``class_*`` tokens, ``judge_rows_*``,
        ``rows_messages``, ``rows_returned`` (tries)."""
        frame = self._rows("runs").set_index("run_id", drop=False)
        for made in (self._by_attempt, self._by_share, self._by_message, self._returned):
            frame = frame.join(made)
        added = [
            c
            for c in frame.columns
            if c.startswith(("rows_", "agents_", "content_", "activity_", "class_", "judge_rows_"))
        ]
        frame[added] = frame[added].fillna(0).astype("int64")
        frame["content_pusd"] = frame["content_pusd"] + frame["rows_fee_pusd"]
        frame["rows_cost"] = (
            frame["rows_pusd"].astype("Int64").mask((frame["rows_attempts"] > 0) & (frame["rows_priced"] == 0))
        )
        unknown = frame["judge_rows_priced"] < frame["judge_rows_attempts"]
        frame["judge_rows_cost"] = frame["judge_rows_pusd"].astype("Int64").mask(unknown)
        return frame.reset_index(drop=True)

    @property
    def _by_attempt(self) -> pd.DataFrame:
        calls = self._calls
        flat = calls.assign(
            tokens=calls["prompt_tokens"] + calls["completion_tokens"],
            pusd=calls["cost_pusd"].fillna(0),
            fee_pusd=calls["fee_pusd"].fillna(0),
            priced=calls["cost_pusd"].notna().astype("int64"),
        )
        judged = flat["activity"] == JUDGE
        mine = flat[~judged]
        # Summed together: each sum of its own, as ``agg`` makes them, costs as much as all of a small batch.
        total = ["tokens", "pusd"]
        columns = ["prompt_tokens", "cached_tokens", "cache_write_tokens", "completion_tokens", "reasoning_tokens"]
        by_run = mine.groupby("run_id")
        rows = by_run[[*total, *columns, "fee_pusd", "priced"]].sum()
        rows = rows.assign(
            attempts=by_run.size(), calls=by_run["operation_id"].nunique(), peak=by_run["prompt_tokens"].max()
        )
        named = mine[mine["agent"] != ""].groupby("run_id")[total].sum()
        active = mine[self._counted(mine, "activity")].groupby("run_id")[total].sum()
        of_judge = flat[judged].groupby("run_id")
        judge = of_judge[[*total, "priced"]].sum().assign(attempts=of_judge.size())
        return pd.concat(
            [
                rows.add_prefix("rows_"),
                named.add_prefix("agents_"),
                active.add_prefix("activity_"),
                judge.add_prefix("judge_rows_"),
            ],
            axis=1,
        )

    @property
    def _by_share(self) -> pd.DataFrame:
        found = to_pandas(sums(self._shares, ["run_id", "purpose", "purpose_class"], ["tokens"], ["cost_pusd"]))
        mine = found[self._counted(found, "purpose")]
        content = mine.groupby("run_id").agg(content_tokens=("tokens", "sum"), content_pusd=("cost_pusd", "sum"))
        classes = {
            f"class_{name}": found[found["purpose_class"] == name].groupby("run_id")["tokens"].sum() for name in CLASSES
        }
        return pd.concat([content, pd.DataFrame(classes)], axis=1)

    def _counted(self, rows: pd.DataFrame, column: str) -> pd.Series[bool]:
        """Whether a purpose counts towards the run: not the judge's, and only an imported run's may be unknown."""
        classes = rows[column].map(class_of)
        foreign: pd.Series[bool] = (classes == UNKNOWN) & rows["run_id"].isin(self._imported)
        return classes.isin(CLASSES) | foreign

    @property
    def _by_message(self) -> pd.Series[int]:
        return self.messages.groupby("run_id")["msg_id"].nunique().rename("rows_messages")

    @property
    def _returned(self) -> pd.Series[int]:
        returned = (self.delegations["status"] == "returned").astype("int64")
        return returned.groupby(self.delegations["run_id"]).sum().rename("rows_returned")


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
