"""What an import has done, ready to be shown."""

from __future__ import annotations

from collections.abc import Iterator

from results.bridge import BASELINE
from results.exchange.importing import Imported
from results.sheet import Sheet, sheet
from results.writing import count, counted, usd


def import_sheets(found: Imported) -> Iterator[Sheet | str]:
    """A table of agents, real and simulated ones apart, and what is worth knowing."""
    tasks = {row.task for row in found.rows}
    for simulated in dict.fromkeys(row.simulated for row in found.rows):
        columns = ["family", "runs", "mean\nscore", "passed", "USD", "without\ntokens", "without\nUSD"]
        table = sheet("Imported", simulated, "agent", [*columns, "without\nseconds"])
        for row in found.rows:
            if row.simulated == simulated:
                unknown = (row.without_tokens, row.without_usd, row.without_seconds)
                table.add(
                    row.agent.name if len(tasks) == 1 else f"{row.agent.name} · {row.task}",
                    [
                        "baseline" if row.agent.topology == BASELINE else row.agent.family,
                        count(row.runs),
                        f"{row.score_mean:.3f}",
                        count(row.passed),
                        usd(row.usd),
                        *(count(n) for n in unknown),
                    ],
                )
        yield table
    yield from (f"note: {note}" for note in found.notes)
    yield f"{found.dir}: {counted(found.runs, 'run')}. Next: python -m results compare {found.dir}"
