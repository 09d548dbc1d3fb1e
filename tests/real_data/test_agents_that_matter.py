"""``import`` on runs that other people published: 13 agents on HumanEval, five runs each (arXiv 2407.01502).

The folder named by ``HARNESS_REAL_DATA`` holds the slice; it is not part of the product.
"""

from __future__ import annotations

import csv
import gzip
import math
import os
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import results
from results.exchange.column_map import parse
from results.frames import Results

DATA = os.environ.get("HARNESS_REAL_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="HARNESS_REAL_DATA names no folder with the public data slices")
FOLDER = Path(str(DATA)) / "agents_that_matter"

PUBLISHED = {
    "simple gpt-4-turbo-2024-04-09": (89.6, 1.93),
    "simple_incr_temp gpt-4-turbo-0409-5step": (93.2, 2.45),
    "simple_repeat gpt-4-turbo-0409-5repeats-no-temp-incr": (92.0, 2.51),
    "simple_boosting l3_8b-gpt35-l3_70b-gpt4-0409": (85.0, 0.27),
    "reflexion gpt-4-turbo-2024-04-09": (87.8, 3.90),
    "lats gpt-4-turbo-2024-04-09": (88.0, 134.50),
}
"""Agent → accuracy in per cent, USD: means of five runs, as the paper has them."""

PRICES = {
    "gpt-4-turbo-2024-04-09": (10, 30, "gpt_4"),
    "gpt-3.5-turbo-0125": (0.5, 1.5, "gpt_35"),
    "meta-llama/Llama-3-8b-chat-hf": (0.2, 0.2, "l3_8b"),
    "meta-llama/Llama-3-70b-chat-hf": (0.9, 0.9, "l3_70b"),
}
"""Model → USD a million tokens read and written, and what runs.csv calls it. They are those that give the totals there:
``test_the_prices_are_those_of_the_totals``."""

LDB = ["LDB (GPT-3.5)", "LDB (GPT-3.5 debugger, GPT-4 seed)", "LDB (GPT-3.5, Reflexion seed)", "LDB (GPT-4)",
       "LDB (GPT-4, Reflexion seed)"]  # fmt: skip
"""The debugger starts from another agent's program, whose tokens and seconds were not recorded with it."""

TASKS = f"""
columns:
  agent: agent
  sample: task_id
  run: run
  passed: is_solved
  prompt_tokens: prompt_tokens
  completion_tokens: completion_tokens
  tokens_by_model: tokens_by_model_prompt/completion
  seconds: task_time_s
single: GPT-4
family: [GPT-3.5, Retry (GPT-4), Warming (GPT-4)]
task: humaneval
unknown: {{{", ".join(f'"{name}": [tokens, seconds]' for name in LDB)}}}
prices: {{{", ".join(f"{model}: [{read}, {wrote}]" for model, (read, wrote, _) in PRICES.items())}}}
"""


def published() -> list[dict[str, str]]:
    with (FOLDER / "runs.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def whole_runs(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A row a run of the whole benchmark."""
    chosen = parse(
        "agent=strategy+model,task=dataset,run=run,score=accuracy,prompt_tokens=total_prompt_tokens,"
        "completion_tokens=total_completion_tokens,usd=total_cost,seconds=total_time"
    ).changed(single="simple gpt-4-turbo-2024-04-09")
    return brought(tmp_path_factory.mktemp("runs"), "runs.csv", chosen)


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A row a task of a run."""
    folder = tmp_path_factory.mktemp("tasks")
    (folder / "map.yaml").write_text(TASKS, encoding="utf-8")
    return brought(folder, "per_task.csv.gz", parse(str(folder / "map.yaml")))


def brought(folder: Path, name: str, chosen: results.ColumnMap) -> Results:
    results.import_rows([FOLDER / name], chosen, folder / "store")
    report = results.check(folder / "store")
    assert report.clean, report.faults
    return results.load(folder / "store")


def named(runs: pd.DataFrame, agent: str) -> pd.DataFrame:
    baseline = runs["params"].str.contains(f'"topology.agent": "{agent}"', regex=False)
    return runs[baseline | (runs["topology"] == agent)]


def test_the_published_means_come_out(whole_runs: Results) -> None:
    assert len(whole_runs.runs) == 65
    for agent, (accuracy, usd) in PUBLISHED.items():
        mine = named(whole_runs.runs, agent)
        assert len(mine) == 5 and sorted(mine["epoch"]) == [0, 1, 2, 3, 4]
        assert round(100 * mine["score"].mean(), 1) == accuracy
        assert round(mine["cost_usd"].mean(), 2) == usd


def test_the_comparison_has_them_too(whole_runs: Results) -> None:
    """Against GPT-4: differences of the published means. One sample, the benchmark: no interval."""
    (found,) = results.compare(whole_runs)
    assert len(found.rows) == 12
    for row in found.rows:
        if row.cell.topology in PUBLISHED:
            accuracy, usd = PUBLISHED[row.cell.topology]
            assert row.score.value == pytest.approx((accuracy - 89.6) / 100, abs=0.001)
            assert row.extra_usd is not None and row.extra_usd.value == pytest.approx(usd - 1.93, abs=0.01)
        assert row.score.found is not None and row.score.found.interval is None


def test_the_prices_are_those_of_the_totals() -> None:
    """Of every run but those of LDB, to the tenth digit; those also paid for the program that they start from."""
    for run in published():
        tokens = [
            Fraction(str(price)) * int(run[f"total_{name}_{kind}_tokens"])
            for read, wrote, name in PRICES.values()
            for price, kind in ((read, "prompt"), (wrote, "completion"))
        ]
        usd = float(sum(tokens) / 10**6)
        if run["strategy"] == "ldb":
            assert usd < 0.95 * float(run["total_cost"])
        else:
            assert usd == pytest.approx(float(run["total_cost"]), rel=1e-10)


def test_every_task_of_every_run_is_there(tasks: Results) -> None:
    runs = tasks.runs
    assert len(runs) == 8036 and runs["sample_id"].nunique() == 164
    sizes = Counter(runs.groupby("topology").size())
    assert sizes == {5 * 164: 9, 4 * 164: 1}  # of LDB (GPT-3.5), one run is not published


def test_every_accuracy_is_the_published_one(tasks: Results) -> None:
    """By configuration and run: the tasks' mean is the run's accuracy."""
    told = {(f"{r['strategy']}/humaneval/{r['model']}", r["run"]): float(r["accuracy"]) for r in published()}
    with gzip.open(FOLDER / "per_task.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    agents = {(r["agent"], r["config"], r["run"]) for r in rows}
    scores = tasks.runs.groupby(["topology", "epoch"])["score"].mean()
    for agent, config, run in agents:
        topology = "single" if agent == "GPT-4" else agent
        assert scores[topology, int(run.removeprefix("run")) - 1] == pytest.approx(told[config, run], abs=1e-12)


def test_the_usd_of_the_tasks_are_the_usd_of_the_run(tasks: Results) -> None:
    """Five agents, five runs each; of LDB no cost is known, since its tokens leave out what it starts from."""
    configs = {
        "single": ("simple", "gpt-4-turbo-2024-04-09"),
        "GPT-3.5": ("simple", "gpt-3.5-turbo-0125"),
        "Escalation": ("simple_boosting", "l3_8b-gpt35-l3_70b-gpt4-0409"),
        "Warming (GPT-4)": ("simple_incr_temp", "gpt-4-turbo-0409-5step"),
        "Retry (GPT-4)": ("simple_repeat", "gpt-4-turbo-0409-5repeats-no-temp-incr"),
    }
    told = {(r["strategy"], r["model"], r["run"]): float(r["total_cost"]) for r in published()}
    sums = tasks.runs.groupby(["topology", "epoch"])["cost_pusd"].sum()
    for topology, config in configs.items():
        for epoch in range(5):
            total = told[*config, f"run{epoch + 1}"]
            assert int(sums[topology, epoch]) / 10**12 == pytest.approx(total, rel=1e-10)
    ldb = tasks.runs[tasks.runs["topology"].isin(LDB)]
    assert len(ldb) == 24 * 164 and ldb["cost_pusd"].isna().all() and ldb["wall_s"].isna().all()


def test_what_compare_and_roi_say(tasks: Results) -> None:
    """164 samples in pairs. Of LDB a score and nothing else. Escalation lies above the family's hull."""
    (found,) = results.compare(tasks)
    rows = {row.cell.topology: row for row in found.rows}
    assert all((rows[n].tokens, rows[n].usd, rows[n].wall) == (None, None, None) for n in LDB)
    warming = rows["Warming (GPT-4)"]
    assert (warming.score.samples, warming.score.clusters) == (164, 164)
    assert warming.score.value == pytest.approx(0.932 - 0.896, abs=0.001)
    assert warming.usd is not None and warming.usd.value == pytest.approx(2.448 / 1.930, abs=0.001)
    assert rows["Escalation"].equal is not None
    (worth,) = results.roi(tasks).worths
    assert "nobody knows how much is coordination" in " ".join(worth.sentences)


def test_there_and_back(tasks: Results, tmp_path: Path) -> None:
    """Exported and imported again, every score, token, picodollar and second is the same."""
    results.export_rows(tasks.snapshot.root, tmp_path / "runs.csv")
    results.import_rows([tmp_path / "runs.csv"], parse("export").changed(single="single"), tmp_path / "again")
    columns = ["topology", "sample_id", "epoch", "score", "passed", "prompt_tokens", "completion_tokens", "cost_pusd"]
    columns += ["cost_uncached_usd", "wall_s", "family", "cluster_id", "params"]
    before, after = (r.runs[columns].reset_index(drop=True) for r in (tasks, results.load(tmp_path / "again")))
    pd.testing.assert_frame_equal(after, before)


def test_comparison_and_verdict_are_those_of_a_calculation_apart(tasks: Results) -> None:
    """Epochs averaged by pandas, quantiles by scipy.stats: nothing of the product's own arithmetic."""
    rows = tasks.runs
    samples = rows.groupby(["topology", "sample_id"])[["score", "cost_usd"]].mean()

    def of(topology: str, column: str) -> pd.Series:
        return samples.loc[topology][column]

    def interval(values: Sequence[float], df: int) -> tuple[float, float]:
        found = np.array(values)
        reach = stats.t.ppf(0.975, df) * found.std(ddof=1) / math.sqrt(len(found))
        return found.mean() - reach, found.mean() + reach

    (worth,) = results.roi(tasks, prices=results.Prices(score_usd=1.0)).worths
    compared = {row.cell.topology: row for row in worth.comparison.rows}
    warming, escalation = compared["Warming (GPT-4)"], compared["Escalation"]

    gained = of("Warming (GPT-4)", "score") - of("single", "score")
    n = len(gained)
    assert (n, warming.score.clusters) == (164, 164)
    assert warming.score.value == pytest.approx(gained.mean())
    found = warming.score.found
    assert found is not None and found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx(interval([*gained, 1, -1], n - 1))
    assert warming.score.n_needed == math.ceil(7.85 * np.var([*gained, 1, -1], ddof=1) / 0.05**2)

    # Fieller: the ratios r for which the mean of y − r·x is not different from 0 by a paired t test
    x, y = of("single", "cost_usd"), of("Escalation", "cost_usd")
    assert escalation.usd is not None and escalation.usd.found is not None
    for end in (escalation.usd.found.low, escalation.usd.found.high):
        assert stats.ttest_1samp(y - end * x, 0).pvalue == pytest.approx(0.05)
    assert escalation.usd.value == pytest.approx(y.sum() / x.sum())

    # Escalation costs what 11.6 % of single and 88.4 % of GPT-3.5 cost; the slope between them prices what is left
    cheap, dear = samples.loc["GPT-3.5"], samples.loc["single"]
    share = (y.mean() - cheap.cost_usd.mean()) / (dear.cost_usd.mean() - cheap.cost_usd.mean())
    slope = (dear.score.mean() - cheap.score.mean()) / (dear.cost_usd.mean() - cheap.cost_usd.mean())
    mixed = (1 - share) * cheap + share * dear
    influence = of("Escalation", "score") - mixed.score - slope * (y - mixed.cost_usd)
    assert escalation.equal is not None and escalation.equal.score.found is not None
    around = escalation.equal.score.found.interval
    assert escalation.equal.score.value == pytest.approx(influence.mean()) and around is not None
    assert (around.low, around.high) == pytest.approx(interval([*influence, 1, -1], n - 1))

    # USD 1 a point of score: Escalation is held against Warming, which it beats least surely
    other = samples.loc["Warming (GPT-4)"]
    net = (of("Escalation", "score") - y) - (other.score - other.cost_usd)
    rest = (other.cost_usd - y).mean()
    (mine,) = worth.returns["billed"]
    assert mine.against.topology == "Warming (GPT-4)" and mine.net.value == pytest.approx(net.mean())
    assert (mine.lower, mine.upper) == pytest.approx(interval([*net, rest + 1, rest - 1], n - 1))
    even = worth.even["billed"][mine.team.cell_id]
    more = of("Escalation", "score").mean() - cheap.score.mean()
    assert even.score_usd == pytest.approx((y.mean() - cheap.cost_usd.mean()) / more)
    better = other.score.mean() - of("Escalation", "score").mean()
    assert even.until == pytest.approx((other.cost_usd.mean() - y.mean()) / better)
