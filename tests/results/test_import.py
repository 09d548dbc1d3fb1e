"""Other people's rows in an ordinary store: what they say is there, and what they do not say stays unknown."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from foreign import CREW, HEAD, MAP, SOLO, brought, mapped, table
from hypothesis import assume, given
from hypothesis import strategies as st

import results
from harness.accounting.prices import CardPricing, PriceCard
from harness.accounting.usage import Usage
from harness.records import RunRecord
from results.__main__ import main
from results.exchange.agents import agents
from results.exchange.card import Card
from results.exchange.cells import placed
from results.exchange.column_map import ColumnMap
from results.exchange.epochs import epochs
from results.exchange.files import Row, read
from results.exchange.reading import told
from results.exchange.records import record
from results.exchange.tokens import Used, priced
from results.origin import IMPORTED
from results.sheet import Sheet


def row(runs: pd.DataFrame, topology: str) -> Any:
    (found,) = runs[runs["topology"] == topology].to_dict("records")
    return found


def read_in(path: Path, chosen: ColumnMap | None = None) -> list[RunRecord]:
    """The rows of a file, not stored, in its order."""
    chosen = chosen or mapped()
    runs = told(read(path), chosen, "rows")
    return [record(p, "digest") for p in placed(runs, agents(runs, chosen), epochs(runs))]


def test_what_a_row_says_is_in_the_store(tmp_path: Path) -> None:
    rows = brought(tmp_path, table(tmp_path, SOLO, CREW))
    team = row(rows.runs, "crew")
    assert (team["score"], team["passed"], team["pass_threshold"]) == (0.25, False, 1.0)
    assert (team["prompt_tokens"], team["completion_tokens"]) == (300, 60)
    assert (team["cost_pusd"], team["cost_usd"], team["cost_complete"]) == (1_250_000_000_000, 1.25, True)
    assert (team["wall_s"], team["sample_id"], team["cluster_id"]) == (2.5, "a", "a")
    assert (team["family"], team["task"], team["experiment_id"]) == ("team", "rows", "rows")
    assert (team["simulated"], team["harness_version"], team["warnings"]) == (False, IMPORTED, "[]")
    alone = row(rows.runs, "single")
    assert (alone["family"], alone["passed"]) == ("single", True)
    assert json.loads(alone["params"]) == {"task": "rows", "topology": "single", "topology.agent": "solo"}


def test_nobody_knows_what_it_was_spent_on_or_when(tmp_path: Path) -> None:
    """360 tokens for 1.25 USD; the bill goes by tokens, 300 : 60."""
    rows = brought(tmp_path, table(tmp_path, SOLO, CREW))
    shares = rows.shares[rows.shares["topology"] == "crew"]
    assert set(shares["purpose"]) == set(shares["purpose_class"]) == {"unknown"}
    parts = dict(zip(shares["direction"], shares["cost_pusd"], strict=True))
    assert sum(parts.values()) == 1_250_000_000_000
    assert parts["prompt"] == round(1_250_000_000_000 * 300 / 360)
    calls = rows.calls
    assert set(calls["activity"]) == set(calls["intent"]) == {"unknown"} and len(calls) == 2
    assert calls[["started_s", "ended_s", "queue_s"]].isna().all(axis=None)


def test_where_it_comes_from(tmp_path: Path) -> None:
    path = table(tmp_path, SOLO, CREW)
    out = tmp_path / "store"
    assert main(["import", str(path), "--map", MAP, "--single", "solo", "--out", str(out)]) == 0
    (manifest,) = results.load(out).manifests
    facts = manifest["manifest"]
    assert facts["command"].startswith("python -m results import ") and "--single solo" in facts["command"]
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    assert facts["imported"]["files"] == [{"path": str(path), "sha256": sha256, "rows": 2}]
    assert facts["imported"]["map"]["columns"]["score"] == "points"
    assert facts["imported"]["agents"]["solo"] == {"topology": "single", "family": "single"}
    assert (manifest["status"], manifest["runs_written"]) == ("complete", 2)


def test_what_is_absent_is_unknown_and_not_zero(tmp_path: Path) -> None:
    lines = ["solo,a,1,,,,", "crew,a,1,100,20,0.5,3"]
    rows = brought(tmp_path, table(tmp_path, *lines))
    alone = row(rows.runs, "single")
    assert not alone["cost_complete"] and pd.isna(alone["cost_usd"]) and pd.isna(alone["cost_pusd"])
    assert math.isnan(alone["wall_s"])
    assert json.loads(alone["warnings"]) == [
        "tokens are not known: the 0 here is no measurement",
        "the cost is not known",
        "the wall-clock is not known",
    ]
    call = row(rows.calls, "single")
    assert call["usage_status"] == "missing"
    (found,) = results.compare(rows)
    (team,) = found.rows
    assert team.score.value == 0
    assert (team.tokens, team.usd, team.wall, team.extra_usd) == (None,) * 4


def test_no_table_prints_the_unknown_as_a_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    brought(tmp_path, table(tmp_path, "solo,a,1,,,,", "crew,a,1,,,,"))
    root = str(tmp_path / "imported")
    assert [main([verb, root]) for verb in ("summary", "compare", "roi")] == [0, 0, 0]
    told = capsys.readouterr().out
    figures = [line.split() for line in told.splitlines() if line.strip().startswith(("single", "crew"))]
    tokens = told[told.index("Tokens") : told.index("Cost in USD")]
    assert tokens.count("unknown") == 2 and "coordination" not in tokens
    assert figures and "nan" not in told
    assert "Bridge" not in told


def test_half_a_usage_is_no_total(tmp_path: Path) -> None:
    """Of two runs of a team one has no tokens: its 50 are not what both took."""
    head, chosen = "who,item,points,n", mapped("agent=who,sample=item,score=points,tokens=n")
    lines = ["solo,a,1,10", "solo,b,1,10", "crew,a,1,50", "crew,b,1,"]
    rows = brought(tmp_path, table(tmp_path, *lines, head=head), chosen)
    (worth,) = results.roi(rows).worths
    assert worth.sentences == ("What a run of crew took beside single is not known: calls of either have no usage.",)
    (team,) = worth.comparison.rows
    assert team.tokens is not None and (team.tokens.value, team.tokens.samples) == (5.0, 1)
    (group,) = results.summarize(rows).groups
    assert [(y.cell_id, y.tokens) for y in group.yardsticks] == [("c1", None)]
    sheets = [sheet for sheet in results.summary_sheets(group) if isinstance(sheet, Sheet)]
    assert "≥ 50" in [row[1] for sheet in sheets for row in sheet.rows]


def test_seconds_that_nobody_prices_need_not_be_known(tmp_path: Path) -> None:
    head, chosen = "who,item,points,cost", mapped("agent=who,sample=item,score=points,usd=cost")
    lines = [f"{who},{i},{score},{usd}" for i in range(8) for who, score, usd in (("solo", 0, 1), ("crew", 1, 2))]
    rows = brought(tmp_path, table(tmp_path, *lines, head=head), chosen)
    (worth,) = results.roi(rows, prices=results.Prices(score_usd=3.0)).worths
    assert worth.returns["billed"][0].net.value == 3 - 1
    (worth,) = results.roi(rows, prices=results.Prices(score_usd=3.0, hour_usd=1.0)).worths
    assert worth.returns["billed"] == (), "priced time that is not known"


def test_a_size_sweep_of_which_a_part_is_unknown(tmp_path: Path) -> None:
    """Without seconds and tokens there are curves of USD and score, and no cost equation."""
    chosen = mapped("agent=who,sample=item,score=points,usd=cost,params=set")
    lines = [
        json.dumps({"who": who, "item": i, "points": 1, "cost": cost * size, "set": {"docs": size}})
        for size in (2, 4, 8)
        for i in range(2)
        for who, cost in (("solo", 3), ("crew", 1))
    ]
    path = tmp_path / "sweep.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    (found,) = results.crossovers(brought(tmp_path, path, chosen), score_usd=1.0)
    assert found.equations == () and {v.criterion for v in found.verdicts} == {"net", "net uncached"}
    assert all(w.choice == "crew" for w in found.verdicts[0].winners)
    assert [p.figures["tokens"] for c in found.choices for p in c.points] == [None] * 6
    assert [p.figures["hours"] for c in found.choices for p in c.points] == [None] * 6


def test_usd_without_tokens(tmp_path: Path) -> None:
    """The bill is known, the usage is not."""
    rows = brought(tmp_path, table(tmp_path, "solo,a,1,,,0.5,3", "crew,a,1,,,2,3"))
    assert list(rows.calls["usage_status"]) == ["missing"] * 2
    (found,) = results.compare(rows)
    (team,) = found.rows
    assert team.usd is not None and team.usd.value == 4.0
    assert team.tokens is None


def test_zero_tokens_are_not_recorded_unless_said(tmp_path: Path) -> None:
    path = table(tmp_path, "solo,a,1,0,0,0,3", "crew,a,1,10,1,1,3")
    assert read_in(path)[0].calls[0].usage_status == "missing"
    assert read_in(path, mapped(zero_tokens="known"))[0].calls[0].usage_status == "reported"


def test_partly_recorded_agents(tmp_path: Path) -> None:
    """Whatever stands in their columns, and what prices make of it."""
    chosen = mapped(unknown={"crew": ("tokens", "seconds")}).with_price("*", 1.0, 1.0)
    _, team = read_in(table(tmp_path, SOLO, "crew,a,1,300,60,,2"), chosen)
    assert (team.run.prompt_tokens, team.run.cost_complete) == (0, False) and math.isnan(team.run.wall_s)


def test_prices_where_a_row_has_no_usd(tmp_path: Path) -> None:
    """Fast: 1,000 × 2 + 100 × 8 = 2,800 millionths. Slow: 10 × 5 + 1 × 5 = 55 millionths."""
    head = "who,item,points,by_model"
    lines = ["solo,a,1,fast:1000/100", "crew,a,1,fast:1000/100;org/slow:10/1"]
    chosen = ColumnMap(
        {"agent": "who", "sample": "item", "score": "points", "tokens_by_model": "by_model"},
        single="solo",
        prices={"fast": Card(2, 8), "org/slow": Card(5, 5)},
    )
    alone, team = (made.run for made in read_in(table(tmp_path, *lines, head=head), chosen))
    assert alone.cost_pusd == 2_800 * 10**6
    assert (team.cost_pusd, team.prompt_tokens, team.completion_tokens) == (2_855 * 10**6, 1010, 101)


def test_percentages_and_truth_values(tmp_path: Path) -> None:
    made = read_in(table(tmp_path, "solo,a,90%,1,1,1,1", "crew,a,7.5,1,1,1,1"), mapped(percent=True))
    assert [one.run.score for one in made] == [0.9, 0.075]
    made = read_in(table(tmp_path, "solo,a,True,1,1,1,1", "crew,a,false,1,1,1,1"))
    assert [one.run.score for one in made] == [1.0, 0.0]


def test_failures_stay_in_every_denominator(tmp_path: Path) -> None:
    lines = ["solo,a,1,ok,", "solo,b,1,finished,", "crew,a,,crashed,out of memory", "crew,b,1,,"]
    chosen = ColumnMap(
        {"agent": "who", "sample": "item", "score": "points", "status": "end", "error": "why"},
        single="solo",
        statuses={"finished": "ok", "crashed": "failed"},
    )
    rows = brought(tmp_path, table(tmp_path, *lines, head="who,item,points,end,why"), chosen)
    (found,) = results.compare(rows)
    assert found.rows[0].score.one == 0.5 and found.rows[0].cell.statuses == {"failed": 1}
    failed = rows.runs[rows.runs["status"] == "failed"]
    assert list(failed["error"]) == ["out of memory"] and not failed["passed"].any()


def test_repetitions_with_names_are_numbered_alike_for_all(tmp_path: Path) -> None:
    lines = [f"{who},a,1,{run}" for who, run in [("crew", "run10"), ("crew", "run2"), ("solo", "run2")]]
    chosen = mapped("agent=who,sample=item,score=points,Run=rep")
    made = read_in(table(tmp_path, *lines, head="who,item,points,rep"), chosen)
    assert [one.run.epoch for one in made] == [1, 0, 0]


def test_an_agent_on_two_models_is_two_cells_that_are_compared(tmp_path: Path) -> None:
    lines = ["solo,a,1,m", "crew,a,1,m", "crew,a,0,n"]
    chosen = mapped("agent=who,sample=item,score=points,model=on")
    (found,) = results.compare(brought(tmp_path, table(tmp_path, *lines, head="who,item,points,on"), chosen))
    assert {r.cell.label: r.score.one for r in found.rows} == {"crew model=m": 1.0, "crew model=n": 0.0}


def test_columns_that_make_a_name_together(tmp_path: Path) -> None:
    lines = ["plan,gpt,a,1", "act,gpt,a,1"]
    path = table(tmp_path, *lines, head="how,model,item,points")
    chosen = mapped("agent=how+model,sample=item,score=points", single="plan gpt")
    assert [one.run.topology for one in read_in(path, chosen)] == ["single", "act gpt"]


NAMES = ["a/b", "x=y", "with blanks", "a|b", "专家组", "%41", "..", "_hidden", "Ünïcode é", "q'uo\"te"]


def test_any_name_of_an_agent_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    lines = [{"who": who, "item": i, "points": 1, "task": "|/="} for who in ("solo", *NAMES) for i in NAMES]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    rows = brought(tmp_path, path, mapped("agent=who,sample=item,score=points,task=task"))
    assert set(rows.runs["topology"]) == {"single", *NAMES} and set(rows.runs["sample_id"]) == set(NAMES)
    (found,) = results.compare(rows)
    assert [r.cell.topology for r in found.rows] == NAMES


def test_jsonl_and_packed_files_say_the_same(tmp_path: Path) -> None:
    objects = [
        {"who": "solo", "item": "a", "points": True, "in": 100, "out": 20, "cost": 0.5, "took": 3},
        {"took": 2.5, "who": "crew", "item": "a", "points": 0.25, "in": 300, "out": 60, "cost": 1.25, "more": [1]},
    ]
    lines = tmp_path / "rows.jsonl"
    lines.write_text("".join(json.dumps(o) + "\n\n" for o in objects), encoding="utf-8")
    plain = table(tmp_path, SOLO, CREW)
    packed = tmp_path / "rows.csv.gz"
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + plain.read_bytes().replace(b"\n", b"\r\n")))
    first, *others = [read_in(path) for path in (plain, lines, packed)]
    assert len(first) == 2 and all(rows == first for rows in others)


def test_several_files_are_one_store(tmp_path: Path) -> None:
    one = table(tmp_path, SOLO, name="one.csv")
    two = table(tmp_path, CREW, name="two.csv")
    rows = brought(tmp_path, [one, two], mapped(task="t", experiment="e"))
    assert set(rows.runs["topology"]) == {"single", "crew"} and rows.experiment_ids == ("e",)


def test_what_calls_itself_simulated_stays_so(tmp_path: Path) -> None:
    """No map can turn a simulation into evidence."""
    rows = brought(tmp_path, table(tmp_path, f"{SOLO},true", f"{CREW},true", head=f"{HEAD},simulated"))
    assert rows.runs["simulated"].all()
    assert results.compare(rows)[0].rows[0].score.found is None


def test_only_imported_rows_may_have_no_purpose(tmp_path: Path, spool: Any) -> None:
    """The same rows under our own version's name are broken, and so is an imported row that knows its purpose."""
    (own,) = read_in(table(tmp_path, SOLO))
    own.run.harness_version = "0.1.0"
    broken = {f.name for f in results.check(spool(own, experiment="rows")).faults}
    assert {"share_purpose", "attempt_purposes", "attempt_times", "run_tokens_by_purposes"} <= broken
    (wise,) = read_in(table(tmp_path, CREW.replace("crew", "solo")))
    wise.shares[0].purpose, wise.shares[0].purpose_class = "answer", "work"
    wise.calls[0].ended_s = 3.0
    broken = {f.name for f in results.check(spool(wise, experiment="rows")).faults}
    assert {"share_purpose", "attempt_times"} <= broken


amounts = st.decimals(min_value=0, max_value=1000, allow_nan=False, allow_infinity=False, places=9)
tokens = st.integers(min_value=0, max_value=10**9)


@given(st.lists(st.tuples(tokens, tokens, amounts), min_size=1, max_size=5))
def test_no_token_and_no_picodollar_is_lost(used: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"solo,{i},1,{read},{wrote},{usd},1" for i, (read, wrote, usd) in enumerate(used)]
        made = read_in(table(Path(folder), *lines), mapped(zero_tokens="known"))
    for one, (prompt, completion, usd) in zip(made, used, strict=True):
        assert (one.run.prompt_tokens, one.run.completion_tokens) == (prompt, completion)
        assert one.run.cost_pusd == int(usd * 10**12) == sum(s.cost_pusd or 0 for s in one.shares)
        assert sum(s.tokens for s in one.shares) == prompt + completion


rates = st.decimals(min_value=0, max_value=100, allow_nan=False, allow_infinity=False, places=4).map(float)


@given(tokens, tokens, rates, rates)
def test_a_price_bills_as_our_own_price_cards_do(read: int, wrote: int, first: float, second: float) -> None:
    assume(first or second)
    row = Row("rows.csv", 2, {})
    paid = priced(row, "n", Used(read, wrote), "m", {"*": Card(first, second)})
    assert paid.pusd == CardPricing(PriceCard(first, second)).bill(Usage(read, wrote)).total_pusd
    assert paid.prompt_pusd + paid.completion_pusd == paid.pusd
    assert min(paid.prompt_pusd, paid.completion_pusd) >= 0
