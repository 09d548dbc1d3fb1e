"""What others have published, to stand beside what was measured where both are the same kind of quantity.

They measured other models on other tasks, so a difference refutes neither; and a figure from a simulated model never
confirms one of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from results.bridge import Bridge, by_pair
from results.columns import Columns
from results.sheet import Sheet, sheet
from results.summary import Group, SummaryRow
from results.writing import NOTHING, percent

SCALING = "Towards a Science of Scaling Agent Systems, arXiv 2512.08296 v2, table 5"
DISCLAIMER = "Published figures are of other models and other tasks: they stand beside the measured ones for scale."
NEVER = "A figure from a simulated model never confirms a published one."


@dataclass(frozen=True, slots=True)
class Published:
    """``quantity``: of ``QUANTITIES``; ``figure``: as published, or worked out from what is, as ``source`` says;
    ``of``: what it was measured on."""

    quantity: str
    figure: str
    of: str
    source: str


QUANTITIES: Mapping[str, str] = {
    "tokens": "tokens against one agent",
    "turns": "model calls beyond one agent's",
    "reviewing": "tokens of calls that review or rework (activity)",
    "input": "tokens that are input",
    "resent": "input tokens that had been sent before",
    "not passed": "runs that did not pass",
}
"""What is measured here as it was there."""

PUBLISHED = (
    Published(
        "tokens",
        "1.27 ×, 2.90 ×, 3.13 ×, 4.83 ×",
        "independent, decentralised, centralised, hybrid teams",
        f"{SCALING}: success divided by successes per 1,000 tokens",
    ),
    Published(
        "tokens",
        "about 3.75 ×",
        "a research team (15 × a chat) against one agent (4 × a chat)",
        "Anthropic, multi-agent research system, 2025: the quotient of both",
    ),
    Published(
        "turns",
        "58 %, 263 %, 285 %, 515 %",
        "independent, decentralised, centralised, hybrid teams: overhead of turns",
        SCALING,
    ),
    Published("reviewing", "59.4 %", "ChatDev, 30 tasks: code review", "Tokenomics, arXiv 2601.14470"),
    Published("input", "53.9 %", "ChatDev, 30 tasks", "Tokenomics, arXiv 2601.14470"),
    Published(
        "resent", "72 %, 86 %, 53 %", "MetaGPT, CAMEL, AgentVerse: duplicated tokens", "AgentTaxo, 2025 (second hand)"
    ),
    Published("not passed", "41 to 86.7 %", "seven systems of agents", "MAST, 2025"),
)


def published_sheet(group: Group, runs: Columns) -> Sheet | None:
    """The registry beside the teams of a group; None where there is none. ``runs``: the group's."""
    teams = [row for row in group.rows if row.family != "single"]
    if not teams:
        return None
    columns = [f"{row.label}\nmeasured" for row in teams] + ["published", "published of", "source"]
    made = sheet(f"Beside published figures: {group.task}", group.simulated, "quantity", columns)
    measured = [_measured(row, group, runs) for row in teams]
    for entry in PUBLISHED:
        cells = [found[entry.quantity] for found in measured]
        made.add(QUANTITIES[entry.quantity], [*cells, entry.figure, entry.of, entry.source])
    made.notes.append(f"{DISCLAIMER} {NEVER}" if group.simulated else DISCLAIMER)
    return made


def _measured(row: SummaryRow, group: Group, runs: Columns) -> dict[str, str]:
    """Every quantity of one team, as it is written."""
    bridges = [b for b in group.bridges if b.cell_id == row.cell_id]
    bridge = bridges[0] if len(bridges) == 1 else None
    prompt = row.tokens - row.purposes.completion_tokens
    activity = row.purposes.activity
    return {
        "tokens": _times(bridge),
        "turns": _turns(bridge, runs),
        "reviewing": percent(_share(activity.class_tokens("verification"), sum(activity.tokens.values()))),
        "input": percent(_share(prompt, row.tokens)),
        "resent": percent(_share(row.reread_self + row.reread_cross, prompt)),
        "not passed": percent(_share(row.runs - row.passed, row.runs)),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _times(bridge: Bridge | None) -> str:
    if bridge is None or not bridge.tokens.single_total:
        return NOTHING
    return f"{bridge.tokens.team_total / bridge.tokens.single_total:.2f} ×"


def _turns(bridge: Bridge | None, runs: Columns) -> str:
    """Operations beyond single's, as a share of single's, on the same samples and epochs."""
    if bridge is None:
        return NOTHING
    team, single = (
        runs.where(runs.texts("cell_id").equal(cell_id)) for cell_id in (bridge.cell_id, bridge.single_cell_id)
    )
    both = by_pair(team).keys() & by_pair(single).keys()
    calls = dict(zip(runs.texts("run_id").tolist(), runs.numbers("calls").tolist(), strict=True))
    mine, its = (sum(calls[by_pair(side)[pair]] for pair in both) for side in (team, single))
    return percent((mine - its) / its) if its else NOTHING
