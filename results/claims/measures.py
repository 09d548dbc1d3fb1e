"""How claims are measured in stored rows: each measure is sums over the rows of a few cells."""

from __future__ import annotations

from collections.abc import Mapping

from results.claims.claim import Measure, Measured
from results.claims.picture import CellRows

SHOWN = 3
"""Purposes that a reason names."""
Cells = Mapping[str, CellRows]


def times_single(topology: str, parts: Mapping[str, tuple[str, ...]]) -> Measure:
    """Tokens of a topology's cell over those of the cell ``single`` on the same samples. ``parts``: a name → the roles
    whose tokens it is made of; roles that no part names are a part of their own."""

    def measure(cells: Cells) -> Measured:
        single, team = cells["single"], cells[topology]
        _same_samples(single, team)
        roles = {role: tokens / single.tokens for role, tokens in team.by("role").items()}
        named = {role for of in parts.values() for role in of}
        made = {name: sum(roles.get(role, 0.0) for role in of) for name, of in parts.items()}
        made |= {role: ratio for role, ratio in roles.items() if role not in named}
        spent = single.tokens / single.count
        task = single.of("task") / single.tokens
        ledger = (
            f"single spends {spent:,.0f} tokens a sample, {100 * task:.0f} % of them on reading the task and its "
            f"material; {topology}: {_mix(team)}"
        )
        return Measured(team.tokens / single.tokens, made, ledger)

    return measure


def share(cell: str, parts: Mapping[str, tuple[str, ...]], counted: tuple[str, ...]) -> Measure:
    """Share (in percent) of a cell's tokens, content view. ``parts``: a name → purposes; ``counted``: the parts that
    make up the figure."""

    def measure(cells: Cells) -> Measured:
        rows = cells[cell]
        made = {name: 100 * rows.of(*purposes) / rows.tokens for name, purposes in parts.items()}
        ledger = f"{rows.tokens / rows.count:,.0f} tokens a sample: {_mix(rows)}"
        return Measured(sum(made[name] for name in counted), made, ledger)

    return measure


def calls(cell: str) -> Measure:
    """Model calls for one sample, by role."""

    def measure(cells: Cells) -> Measured:
        rows = cells[cell]
        operations = rows.calls.drop_duplicates(["run_id", "operation_id"])
        made = {str(role): len(own) / rows.count for role, own in operations.groupby("role")}
        agents = rows.calls.drop_duplicates(["run_id", "agent"]).groupby("role")["agent"].count()
        crew = ", ".join(f"{n / rows.count:.2g} {role}" for role, n in agents.items())
        deepest = int(rows.calls["depth"].max())
        ledger = f"agents a sample: {crew}; the deepest at depth {deepest}; {rows.tokens / rows.count:,.0f} tokens"
        return Measured(len(operations) / rows.count, made, ledger)

    return measure


def channels(cell: str) -> Measure:
    """Pairs of agents of which at least one has read what the other wrote, in one sample (the mean over samples)."""

    def measure(cells: Cells) -> Measured:
        rows = cells[cell]
        agents = rows.calls[["run_id", "agent"]].drop_duplicates().rename(columns={"agent": "author"})
        read = rows.shares[(rows.shares["direction"] == "prompt") & (rows.shares["author"] != rows.shares["agent"])]
        read = read.merge(agents, on=["run_id", "author"])[["run_id", "agent", "author"]].drop_duplicates()
        pairs = {(run, frozenset((one, other))) for run, one, other in read.itertuples(index=False)}
        members = len(agents) / rows.count
        ledger = f"{members:g} agents, {len(read) / rows.count:g} ordered pairs of reader and author"
        return Measured(len(pairs) / rows.count, {}, ledger)

    return measure


def _same_samples(one: CellRows, other: CellRows) -> None:
    if one.samples != other.samples:
        raise ValueError("the cells of a claim hold different samples")


def _mix(rows: CellRows) -> str:
    """The purposes on which most was spent."""
    most = list(rows.by("purpose").items())[:SHOWN]
    return ", ".join(f"{100 * tokens / rows.tokens:.0f} % {purpose}" for purpose, tokens in most)
