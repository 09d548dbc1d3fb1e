"""One run as it went: who was in a model call when, what for, and which messages passed between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from results.report.activity import Call, Message, Trace
from results.report.document import Picture
from results.report.plots.style import BLACK, PURPOSES, VERMILION, Look, canvas, legend, patch, rows
from results.sheet import Sheet, sheet
from results.writing import NOTHING, count, counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ROWS = 200
"""Of a table below a picture; the rest is in the store."""
MOST_ARROWS = 80
READ = (
    "Of each team the run with the median cost. A bar is a model call, coloured by what it was mostly for (its "
    "activity); an arrow is a message, from when it was sent to when it was read."
)
"""How to read the pictures, once for all of them."""
OTHER = PURPOSES["unknown"]


@dataclass(frozen=True, slots=True)
class Timeline:
    """``run_id``: of the run shown; ``label``: its cell's; ``runs``: of how many it is the one of the median cost."""

    task: str
    label: str
    run_id: str
    runs: int
    simulated: bool
    trace: Trace

    @property
    def agents(self) -> tuple[str, ...]:
        """In the order in which they first act; those that only write or get messages last."""
        acting = [c.agent for c in self.trace.calls]
        talking = [name for m in self.trace.messages for name in (m.sender, m.recipient)]
        return tuple(dict.fromkeys((*acting, *talking)))


def picture(found: Timeline, name: str) -> Picture:
    calls, messages = found.trace.calls, found.trace.messages
    caption = f"{found.label}: run {found.run_id}, of the median cost of its {found.runs:,}."
    if len(messages) > MOST_ARROWS:
        caption += f" Arrows: the first {MOST_ARROWS} of {len(messages):,} messages."
    trouble = [f"{n:,} {what}" for n, what in ((_failed(calls), "failed"), (_late(calls), "late")) if n]
    alt = f"Timeline of {counted(len(calls), 'call')} by {counted(len(found.agents), 'agent')} "
    alt += f"({', '.join(found.agents)})"
    alt += f", of which {' and '.join(trouble)}" if trouble else ""
    alt += f", with {counted(len(messages), 'message')}."
    tables = (calls_table(found), *([messages_table(found)] if messages else []))
    return Picture(name, caption, alt, tables, lambda: draw(found))


def _failed(calls: Sequence[Call]) -> int:
    return sum(c.status != "ok" for c in calls)


def _late(calls: Sequence[Call]) -> int:
    return sum(c.late for c in calls)


def calls_table(found: Timeline) -> Sheet:
    columns = ["activity", "from, s", "to, s", "tokens", "status"]
    made = sheet(f"Calls of the run {found.run_id}", found.simulated, "agent", columns)
    for c in found.trace.calls[:MOST_ROWS]:
        status = f"{c.status}, late" if c.late else c.status
        made.add(c.agent, [c.activity, f"{c.start:.2f}", f"{c.end:.2f}", count(c.tokens), status])
    return _cut(made, len(found.trace.calls))


def messages_table(found: Timeline) -> Sheet:
    columns = ["to", "type", "sent, s", "read, s", "delivery"]
    made = sheet(f"Messages of the run {found.run_id}", found.simulated, "from", columns)
    for m in found.trace.messages[:MOST_ROWS]:
        read = NOTHING if m.read is None else f"{m.read:.2f}"
        made.add(m.sender, [m.recipient, m.type, f"{m.sent:.2f}", read, m.delivery])
    return _cut(made, len(found.trace.messages))


def _cut(made: Sheet, whole: int) -> Sheet:
    if whole > len(made.rows):
        made.notes.append(f"The first {len(made.rows):,} of {whole:,}; all of them are in the store.")
    return made


def draw(found: Timeline) -> Figure:
    agents, calls = found.agents, found.trace.calls
    activities = [p for p in PURPOSES if any(c.activity == p for c in calls)]
    if any(c.activity not in PURPOSES for c in calls):
        activities.append("other")
    messages = found.trace.messages[:MOST_ARROWS]
    extra = (_failed(calls) > 0) + (_late(calls) > 0) + bool(messages) + any(m.read is None for m in messages)
    height = 1.0 + 0.55 * len(agents) + 0.2 * ((len(activities) + extra + 2) // 3)
    figure, (axes,) = canvas(f"One run of {found.label} · {found.task}", found.simulated, height)
    end = max((*(c.end for c in calls), *(m.read or m.sent for m in messages)), default=1.0) or 1.0
    for number, agent in enumerate(agents):
        _lanes(axes, number, [c for c in calls if c.agent == agent], end)
    at = {agent: number for number, agent in enumerate(agents)}
    for message in messages:
        _arrow(axes, message, at[message.sender], at[message.recipient])
    rows(axes, agents)
    axes.set_xlim(0, end * 1.03)
    axes.set_xlabel("seconds from the start of the run")
    handles: list[Any] = [patch(PURPOSES.get(p, OTHER)) for p in activities]
    more = [(m, n) for m, n, there in _marks(calls, messages) if there]
    legend(figure, [*handles, *(m for m, _ in more)], [*activities, *(n for _, n in more)])
    return figure


def _lanes(axes: Axes, number: int, calls: Sequence[Call], whole: float) -> None:
    """One agent's calls; those that overlap lie one below the other."""
    ends: list[float] = []
    placed: list[tuple[int, Call]] = []
    for call in calls:
        lane = next((i for i, end in enumerate(ends) if end <= call.start), len(ends))
        ends[lane : lane + 1] = [call.end]
        placed.append((lane, call))
    height = 0.64 / max(len(ends), 1)
    for lane, call in placed:
        look: Look = PURPOSES.get(call.activity, OTHER)
        y = number - 0.32 + height * (lane + 0.5)
        width = max(call.end - call.start, whole / 300)  # one that took no time is seen as well
        axes.barh(y, width, height * 0.94, call.start, color=look.colour, hatch=look.hatch, edgecolor="black",
                  linewidth=0.6, label=call.activity, zorder=2)  # fmt: skip
        if call.status != "ok":
            axes.plot([call.end], [y], marker="X", markersize=10, color=VERMILION, markeredgecolor="black", zorder=5)
        if call.late:
            axes.plot([call.end], [y], marker="D", markersize=7, color="white", markeredgecolor="black", zorder=5)


def _arrow(axes: Axes, message: Message, start: int, end: int) -> None:
    read = message.sent if message.read is None else message.read
    unread = message.read is None
    style = {"arrowstyle": "-|>", "color": BLACK, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 9}
    if unread:
        style |= {"linestyle": (0, (2, 2)), "arrowstyle": "-"}
        axes.plot([read], [end], marker="x", markersize=7, color="black", zorder=6)
    axes.annotate("", (read, end), (message.sent, start), arrowprops=style, zorder=4)


def _marks(calls: Sequence[Call], messages: Sequence[Message]) -> list[tuple[Any, str, bool]]:
    from matplotlib.lines import Line2D

    def line(**options: Any) -> Any:
        return Line2D([], [], color="black", **options)

    return [
        (line(linewidth=0.9, marker=">", markersize=5), "message", any(m.read is not None for m in messages)),
        (
            line(linewidth=0.9, linestyle=(0, (2, 2)), marker="x"),
            "never read",
            any(m.read is None for m in messages),
        ),
        (
            line(linestyle="", marker="X", markersize=9, markerfacecolor=VERMILION),
            "failed call",
            _failed(calls) > 0,
        ),
        (line(linestyle="", marker="D", markerfacecolor="white"), "late call", _late(calls) > 0),
    ]
