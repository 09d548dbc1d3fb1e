"""How claims are measured in stored rows: each measure is sums over the rows of a few cells."""

from __future__ import annotations

from collections.abc import Mapping

from results.claims.claim import Measure, Measured
from results.claims.picture import CellRows
from results.isolation import handed_up, source_read

SHOWN = 3
"""Purposes that a reason names."""
CASCADE = 2
"""Depth of a lead with workers with workers; what is deeper goes round."""
Cells = Mapping[str, CellRows]


def times_single(topology: str, parts: Mapping[str, tuple[str, ...]], by: str = "role") -> Measure:
    """Tokens of a topology's cell over those of the cell ``single`` on the same samples. ``parts``: a name → the roles
    (or, ``by`` activity, activities) whose tokens it is made of; those that no part names are parts of their own."""

    def measure(cells: Cells) -> Measured:
        single, team = cells["single"], cells[topology]
        _same_samples(single, team)
        each = {key: tokens / single.tokens for key, tokens in team.by(by).items()}
        named = {key for of in parts.values() for key in of}
        made = {name: sum(each.get(key, 0.0) for key in of) for name, of in parts.items()}
        made |= {key: ratio for key, ratio in each.items() if key not in named}
        spent = single.tokens / single.count
        task = single.of("task") / single.tokens
        ledger = (
            f"single spends {spent:,.0f} tokens a sample, {100 * task:.0f} % of them on reading the task and its "
            f"material; of {topology}'s tokens {100 * _again(team):.0f} % are task and material sent again "
            f"({_mix(team)})"
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


def bill(cell: str) -> Measure:
    """Share (in percent) of what a cell's runs cost, in USD as billed, that is coordination; beside it what the cell
    ``single`` costs and scores on the same samples."""

    def measure(cells: Cells) -> Measured:
        rows, single = cells[cell], cells["single"]
        _same_samples(single, rows)
        usd, alone = rows.usd("kind"), sum(single.usd("kind").values())
        total, coordination = sum(usd.values()), usd.get("coordination", 0.0)
        less = single.runs["score"].mean() - rows.runs["score"].mean()
        than = "as much" if abs(less) < 0.0005 else f"{abs(less):.3f} {'more' if less > 0 else 'less'}"
        uncached = rows.runs["cost_uncached_usd"].mean()
        ledger = (
            f"a run costs ${total:.5f} (${uncached:.5f} as if nothing were cached), of which ${coordination:.5f} is "
            f"coordination and ${usd.get('verification', 0.0):.5f} verification; single costs ${alone:.5f} and scores "
            f"{than}"
        )
        return Measured(100 * coordination / total, {kind: 100 * part / total for kind, part in usd.items()}, ledger)

    return measure


def isolated(cell: str) -> Measure:
    """Source tokens that sub-agents read, each text once an agent, over the tokens that those above them read of what
    came back; beside it what that does to the lead, against the cell ``single`` on the same samples."""

    def measure(cells: Cells) -> Measured | None:
        single, team = cells["single"], cells[cell]
        _same_samples(single, team)
        read = int(source_read(team.shares)["tokens"].sum())
        back = int(handed_up(team.shares, team.calls)["tokens"].sum())
        if not back:
            return None
        lead = team.calls[team.calls["depth"] == 0]
        ledger = (
            f"{read / team.count:,.0f} tokens of source read for {back / team.count:,.0f} handed back, a sample; the "
            f"largest prompt of the lead has {lead['prompt_tokens'].max():,} tokens and single's "
            f"{single.calls['prompt_tokens'].max():,}, and all calls together {team.tokens / single.tokens:.3g} times "
            "single's tokens"
        )
        return Measured(read / back, {}, ledger)

    return measure


def calls(cell: str) -> Measure:
    """Model calls for one sample, by role: means over the samples in which nobody is deeper than a cascade of three
    layers goes; what goes on beyond that is ``chain``."""

    def measure(cells: Cells) -> Measured | None:
        rows = cells[cell]
        deepest = rows.calls.groupby("run_id")["depth"].max()
        plain = set(deepest.index[deepest <= CASCADE])
        if not plain:
            return None
        mine = rows.calls[rows.calls["run_id"].isin(plain)].drop_duplicates(["run_id", "operation_id"])
        made = {str(role): len(own) / len(plain) for role, own in mine.groupby("role")}
        agents = mine.drop_duplicates(["run_id", "agent"])["role"].value_counts(sort=False)
        crew = ", ".join(f"{n / len(plain):.3g} {role}" for role, n in sorted(agents.items()))
        ledger = f"agents: {crew}; {len(plain)} of {rows.count} samples, the others go deeper than three layers"
        return Measured(len(mine) / len(plain), made, ledger, len(plain))

    return measure


def chain(cell: str) -> Measure:
    """How deep agents have created agents, in the deepest run."""

    def measure(cells: Cells) -> Measured:
        rows = cells[cell]
        deepest = rows.calls.groupby("run_id")["depth"].max().sort_index()
        run = deepest.idxmax()
        calls = rows.calls[rows.calls["run_id"] == run]
        tokens = int((calls["prompt_tokens"] + calls["completion_tokens"]).sum())
        row = rows.runs[rows.runs["run_id"] == run].iloc[0]
        circles = int((deepest > CASCADE).sum())
        ledger = (
            f"{circles} of {rows.count} samples go round; the deepest burnt {tokens:,} tokens in {len(calls):,} calls "
            f"of {calls['agent'].nunique()} agents until it ended ({row['limit'] or row['status']})"
        )
        return Measured(float(deepest.max()), {}, ledger, 1)

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


def _again(rows: CellRows) -> float:
    """Share of a cell's tokens that are task text which this agent, or another of the run, had been sent before."""
    task = rows.shares[(rows.shares["purpose"] == "task") & (rows.shares["direction"] == "prompt")]
    return float(task.loc[task["reread"] != "new", "tokens"].sum()) / rows.tokens


def _mix(rows: CellRows) -> str:
    """The purposes on which most was spent."""
    most = list(rows.by("purpose").items())[:SHOWN]
    return ", ".join(f"{100 * tokens / rows.tokens:.0f} % {purpose}" for purpose, tokens in most)
