"""What pictures show is what is stored: bars, marks and arrows are read back from the axes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from matplotlib.colors import to_hex
from report_worlds import SAMPLES, TEAM, nasty, plain_team, written
from run_builder import Call, Read, record, single, team
from size_sweeps import lines

import results
from harness.accounting.purposes import CLASS_OF, Purpose
from results.comparison.comparison import compare
from results.frames import Results
from results.report import activity
from results.report.build import document
from results.report.document import Picture
from results.report.plots import money, retries, size, style, timeline, tokens, waterfall
from results.summary import Group, summarize
from results.tally import tallied

KIND = {purpose.value: kind for purpose, kind in CLASS_OF.items()}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return results.load(nasty(tmp_path_factory.mktemp("nasty")))


@pytest.fixture(scope="module")
def group(stored: Results) -> Group:
    return summarize(stored).groups[0]


def axes_of(picture: Picture) -> list[Any]:
    return picture.draw().axes


def bars(axes: Any) -> list[tuple[int, str, float, float]]:
    """(row, label, start, width) of every bar."""
    made = []
    for container in axes.containers:
        for bar in container:
            row = round(bar.get_y() + bar.get_height() / 2)
            made.append((row, container.get_label(), bar.get_x(), bar.get_width()))
    return made


def test_stacked_tokens_are_the_stored_means(stored: Results, group: Group) -> None:
    shares = stored.shares.merge(stored.runs[["run_id", "cell_id"]], on="run_id")
    shares = shares[shares["purpose"] != "judge"]
    (axes,) = axes_of(tokens.picture(tokens.stack(group, tallied(stored).runs), "t"))
    for number, row in enumerate(group.rows):
        wanted = shares[shares["cell_id"] == row.cell_id].groupby("purpose")["tokens"].sum()
        drawn = {label: width for at, label, _, width in bars(axes) if at == number}
        assert drawn == {p: pytest.approx(n / SAMPLES) for p, n in wanted.items() if n}
        ends = [start + width for at, _, start, width in bars(axes) if at == number]
        assert max(ends) == pytest.approx(wanted.sum() / SAMPLES)
    single = stored.runs[stored.runs["topology"] == "single"]
    (line,) = [line for line in axes.lines if line.get_gid() == "single"]
    assert set(line.get_xdata()) == {(single["prompt_tokens"] + single["completion_tokens"]).mean()}
    assert axes.get_xlabel() == "tokens a run"


def test_topologies_with_fewer_runs_are_compared_by_the_run(tmp_path: Path) -> None:
    """Single takes 1,000 tokens on the first four samples and 2,000 on the others; a team of 2,500 ran on the first."""
    made = [single(sample=f"s{i}") for i in range(4)]
    made += [record([Call("agent", [Read("task", 2000)], [])], sample=f"s{i}") for i in range(4, 8)]
    stored = results.load(written(tmp_path, [*made, *(team(sample=f"s{i}") for i in range(4))]))
    found = tokens.stack(summarize(stored).groups[0], tallied(stored).runs)
    assert [(bar.runs, bar.a_run, bar.single, bar.pairs) for bar in found.bars] == [
        (8, 1500.0, 1500.0, 8),
        (4, 2500.0, 1000.0, 4),
    ]
    picture = tokens.picture(found, "t")
    (axes,) = axes_of(picture)
    assert [text.get_text().replace("\n", " ").rpartition(" ")[2] for text in axes.get_yticklabels()] == ["n=8", "n=4"]
    lines = [(line.get_xdata()[0], round(line.get_ydata()[0])) for line in axes.lines if line.get_gid() == "single"]
    assert lines == [(1500.0, 0), (1000.0, 1)]
    assert "bus 2,500 (4 runs)" in picture.alt and "n:" in picture.caption


def test_stacked_tokens_table_has_the_same_figures(stored: Results, group: Group) -> None:
    found = tokens.stack(group, tallied(stored).runs)
    rows = {name: cells for name, *cells in tokens.table(found).rows}
    assert rows["total"] == [f"{bar.total:,}" for bar in found.bars]
    for purpose in found.purposes:
        cells = rows[f"{purpose} ({KIND[purpose]})"]
        assert [0 if c == "-" else int(c.replace(",", "")) for c in cells] == [
            b.tokens.get(purpose, 0) for b in found.bars
        ]


def test_waterfall_goes_from_single_to_the_team(stored: Results, group: Group) -> None:
    bridge = next(b for b in group.bridges if b.pusd is not None)
    runs, shares = stored.runs, stored.shares
    mine = runs[runs["cell_id"] == bridge.cell_id]
    its = runs[runs["topology"] == "single"]
    spent = [(side["prompt_tokens"] + side["completion_tokens"]).sum() for side in (its, mine)]
    talk = shares[shares["run_id"].isin(mine["run_id"]) & (shares["purpose"].map(KIND) == "coordination")]
    in_tokens, in_usd = axes_of(waterfall.picture(bridge, "x", "w"))
    drawn = {at: (start, width) for at, _, start, width in bars(in_tokens)}
    assert drawn[0] == (0, spent[0])
    assert drawn[1] == (spent[0], talk["tokens"].sum())
    assert drawn[max(drawn)] == (0, spent[1])
    for at in range(1, max(drawn) - 1):
        assert drawn[at + 1][0] == pytest.approx(sum(drawn[at]))
    billed = [side["cost_pusd"].sum() / 10**12 for side in (its, mine)]
    money_bars = {at: (start, width) for at, _, start, width in bars(in_usd)}
    assert money_bars[0][1] == pytest.approx(billed[0])
    assert money_bars[max(money_bars)][1] == pytest.approx(billed[1])
    assert money_bars[max(money_bars) - 1] == pytest.approx((billed[1] + 20e-6, -20e-6))  # fees come last: 8 − 28


def test_waterfall_without_known_cost_has_one_panel(group: Group) -> None:
    unpriced = next(b for b in group.bridges if b.pusd is None)
    made = waterfall.picture(unpriced, "x", "w")
    assert len(axes_of(made)) == 1
    assert "no bridge in USD" in made.caption


def test_cost_and_score_are_means(stored: Results) -> None:
    (comparison,) = compare(stored)
    found = money.money(comparison)
    assert found is not None
    (axes,) = axes_of(money.picture(found, "m"))
    drawn = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines if line.get_gid() == "spot"]
    runs = stored.runs
    wanted = []
    for spot in found.spots:
        rows = runs[runs["cell_id"] == spot.at.cell_id]
        wanted.append((rows["cost_usd"].mean(), rows["score"].mean()))
    assert drawn == [pytest.approx(pair) for pair in wanted]
    (hull,) = [line for line in axes.lines if line.get_gid() == "hull"]
    assert list(hull.get_xdata())[:-1] == [p.usd for p in found.corners]
    assert hull.get_ydata()[-1] == hull.get_ydata()[-2]  # more money buys no more
    assert found.absent == {"dear": "cost of 8 runs unknown"}
    assert "Not shown: dear (cost of 8 runs unknown)." in money.picture(found, "m").caption


def test_cells_without_a_place_are_named_with_the_reason(tmp_path: Path) -> None:
    """A team that ran on two of three samples has missing runs, not unknown cost; a team without its brief has none."""
    made = [f(sample=f"s{i}", topology=f.__name__) for i in range(3) for f in (single, team)][:-1]
    made += [team(sample=f"s{i}", topology="whole") for i in range(3)]
    made += [team(sample=f"s{i}", topology="bare", ablate="clerk") for i in range(3)]
    (comparison,) = compare(results.load(written(tmp_path, made)))
    found = money.money(comparison)
    assert found is not None
    assert found.absent == {"team": "1 of 3 runs missing", "bare": "an ablation (clerk)"}
    assert (comparison.unpriced, [cell.label for cell in comparison.short]) == ((), ["team"])
    picture = money.picture(found, "m")
    named = [text.get_text() for text in picture.draw().legends[0].get_texts()]
    assert {"not shown: team", "not shown: bare"} <= {*named}
    for told in (picture.caption, picture.alt, " ".join(picture.tables[0].notes)):
        assert "team (1 of 3 runs missing)" in told and "bare (an ablation (clerk))" in told


def test_where_nothing_can_be_drawn_the_reason_stands(tmp_path: Path) -> None:
    made = [single(sample="s0"), single(sample="s1", epoch=1), team(sample="s1"), team(sample="s1", epoch=1)]
    found = document(results.load(written(tmp_path, made)))
    assert not [p for p in found.pictures() if p.name.endswith("money")]
    (suite,) = [s for s in found.sections if s.title.startswith("Suite")]
    told = [said for section in suite.sections for said in section.prose if said.startswith("No picture of cost")]
    assert len(told) == 1 and "missing" in told[0]


def test_hollow_marks_are_teams(stored: Results) -> None:
    found = money.money(compare(stored)[0])
    assert found is not None
    (axes,) = axes_of(money.picture(found, "m"))
    spots = [line for line in axes.lines if line.get_gid() == "spot"]
    hollow = [to_hex(line.get_markerfacecolor()) == "#ffffff" for line in spots]
    assert hollow == [not spot.single_family for spot in found.spots]
    assert len({line.get_marker() for line in spots}) == len(spots)  # without colour


def test_timeline_draws_every_call_and_message(stored: Results, group: Group) -> None:
    runs = stored.runs
    run_id = runs[runs["topology"] == TEAM]["run_id"].iloc[0]
    trace = activity.traces(stored, [run_id])[run_id]
    found = timeline.Timeline("qa", "x", run_id, 8, False, trace)
    (axes,) = axes_of(timeline.picture(found, "t"))
    calls = stored.calls[(stored.calls["run_id"] == run_id) & (stored.calls["activity"] != "judge")]
    agents = list(found.agents)
    wanted = sorted(
        (agents.index(c.agent), c.activity, c.started_s, c.ended_s - c.started_s) for c in calls.itertuples()
    )
    drawn = sorted(bars(axes))
    assert [(at, label) for at, label, _, _ in drawn] == [(at, label) for at, label, _, _ in wanted]
    assert [(s, w) for _, _, s, w in drawn] == [pytest.approx((s, w)) for _, _, s, w in wanted]
    arrows = [a for a in axes.texts if a.arrow_patch is not None]
    messages = stored.messages[stored.messages["run_id"] == run_id]
    assert len(arrows) == len(messages) == 2
    marks = [line.get_marker() for line in axes.lines]
    assert marks.count("X") == 1  # the call that failed
    assert marks.count("D") == 1  # the one that came too late
    assert marks.count("x") == 1  # the message that nobody read
    assert [label.get_text() for label in axes.get_yticklabels()] == [style.label(a) for a in agents]


def test_the_run_shown_is_of_the_median_cost(stored: Results) -> None:
    rows = tallied(stored).runs
    single = rows.where(rows.texts("topology").equal("single"))
    costs = sorted(single.numbers("cost_pusd").tolist())
    chosen = activity.typical(single)
    (cost,) = single.where(single.texts("run_id").equal(chosen)).numbers("cost_pusd").tolist()
    assert cost == costs[(len(costs) - 1) // 2]


def test_size_counts_agents_that_made_a_call(stored: Results, group: Group) -> None:
    rows = tallied(stored).runs
    found = size.sizes(group, rows, activity.agents(stored))
    (axes,) = axes_of(size.picture(found, "s"))
    calls = stored.calls[stored.calls["activity"] != "judge"].merge(stored.runs[["run_id", "cell_id"]], on="run_id")
    drawn = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines if line.get_gid() == "team"]
    single = stored.runs[stored.runs["topology"] == "single"]
    whole = (single["prompt_tokens"] + single["completion_tokens"]).sum()
    teams = [row for row in group.rows if row.family == "team"]
    for (x, y), row in zip(drawn, teams, strict=True):
        mine = calls[calls["cell_id"] == row.cell_id]
        assert x == pytest.approx(mine.groupby("run_id")["agent"].nunique().mean())
        spent = stored.runs[stored.runs["cell_id"] == row.cell_id]["coordination_tokens"].sum()
        assert y == pytest.approx(100 * spent / whole)


def test_retries_are_the_stored_counts(stored: Results, group: Group) -> None:
    (axes,) = axes_of(retries.picture(retries.troubles(group), "r"))
    for number, row in enumerate(group.rows):
        rows = stored.runs[stored.runs["cell_id"] == row.cell_id]
        wanted = {kind: int(rows[kind].sum()) for kind in retries.KINDS}
        drawn = {label: width for at, label, _, width in bars(axes) if at == number}
        assert drawn == {kind: n for kind, n in wanted.items() if n}


def test_every_purpose_looks_different_without_colour() -> None:
    assert style.PURPOSES.keys() == {p.value for p in Purpose} - {"judge"}
    luminance = {}
    for name, look in style.PURPOSES.items():
        red, green, blue = (int(look.colour[i : i + 2], 16) for i in (1, 3, 5))
        luminance[name] = round(0.299 * red + 0.587 * green + 0.114 * blue)
    pairs = {(look.hatch, luminance[name] // 60 if not look.hatch else 0) for name, look in style.PURPOSES.items()}
    assert len(pairs) == len(style.PURPOSES)


def test_simulated_pictures_are_hatched_and_say_so(tmp_path: Path) -> None:
    found = document(results.load(plain_team(tmp_path, simulated=True)))
    for picture in found.pictures():
        figure = picture.draw()
        assert figure.get_suptitle().startswith("SIMULATED"), picture.name
        assert all(axes.patch.get_hatch() for axes in figure.axes), picture.name
        assert all(table.simulated for table in picture.tables)


def test_real_pictures_are_not_hatched_and_labels_stay_inside(stored: Results) -> None:
    for picture in document(stored).pictures():
        with style.settled():
            figure = picture.draw()
            figure.canvas.draw()
        assert "SIMULATED" not in figure.get_suptitle()
        assert not any(axes.patch.get_hatch() for axes in figure.axes)
        whole = figure.bbox
        for axes in figure.axes:
            low, high = axes.get_xlim()
            ticks = [text for text in axes.get_xticklabels() if low <= text.get_position()[0] <= high]
            names = [name.get_window_extent() for name in axes.get_yticklabels() if name.get_text()]
            for text in axes.texts:
                box = text.get_window_extent()
                assert not text.get_text() or not any(box.overlaps(name) for name in names), text.get_text()
            for text in (*axes.texts, *axes.get_yticklabels(), *ticks, *figure.legends[0].get_texts()):
                if text.get_text():
                    box = text.get_window_extent()
                    assert box.x0 >= whole.x0 - 1 and box.x1 <= whole.x1 + 1, (picture.name, text.get_text())


def test_crossover_map_changes_where_the_curves_cross(tmp_path: Path) -> None:
    """single = 10·n and a team = 100 + 5·n tokens are equal at n = 20: half-way up the map the best choice changes."""
    found = document(results.load(written(tmp_path, lines((5, 10, 30, 40)))))
    (picture,) = [p for p in found.pictures() if "crossover" in p.name]
    (axes,) = axes_of(picture)
    names = [text.get_text().replace("\n", " ") for text in axes.get_yticklabels()]
    row = names.index("fewest tokens")
    stretches = sorted((start, start + width, label) for at, label, start, width in bars(axes) if at == row)
    assert stretches == [(5, pytest.approx(20), "single"), (pytest.approx(20), 40, "crew")]
    marks = [
        (line.get_xdata()[0], line.get_gid())
        for line in axes.lines
        if (line.get_gid() or "").startswith("winner") and round(line.get_ydata()[0] + 0.33) == row
    ]
    assert marks == [(5, "winner single"), (10, "winner single"), (30, "winner crew"), (40, "winner crew")]
    crossings = [line.get_xdata()[0] for line in axes.lines if line.get_gid() == "crossing"
                 if round(line.get_ydata()[0] + 0.24) == row]  # fmt: skip
    assert crossings == [pytest.approx(20)]
    assert "at 20" in picture.alt


def test_no_number_of_cells_is_too_many() -> None:
    cells = tuple(tokens.Bar(f"team size={i}", 1, {"task": 100 + i}, 100, 1) for i in range(700))
    found = tokens.Stack("qa", False, cells)
    (axes,) = axes_of(tokens.picture(found, "t"))
    assert len(bars(axes)) == style.MOST_BARS
    assert "The first 60 of 700" in tokens.picture(found, "t").caption
    assert len(tokens.table(found).columns) == 701
