"""``plan=true``: estimates that equal what is then measured, where the model is the simulated one; and no trace."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from entry.acme.commands import ACME, here

import results
from harness.entry.command import run

pytestmark = pytest.mark.filterwarnings("ignore:.*ReadOnly. qualifier:UserWarning")
"""Pydantic remarks on litellm's own classes when these are first used; litellm's filter for that ends with a test."""

TASK = ("task=qa_corpus", "task.corpus=generated", "task.docs=4", "task.limit=3")
LISTED = {"gpt-4o-mini": (0.15, 0.6), "gpt-4o": (2.5, 10)}
"""USD per million prompt and completion tokens (OpenAI's price page)."""


def command(*words: str) -> int:
    return run(["harness/__main__.py", *words])


def planned(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[list[list[str]], str]:
    """The rows of the table that a planning command prints, its heading and its total included, and all of its text."""
    capsys.readouterr()
    assert command(*words, "plan=true") == 0
    said = capsys.readouterr()
    assert not said.err
    lines = said.out.splitlines()
    table = lines[lines.index("") + 1 :]
    return [re.split(r"  +", line) for line in table if not line.startswith("note: ")], said.out


def figures(row: list[str]) -> tuple[int, int, int, int]:
    """Runs, calls, prompt tokens, completion tokens."""
    runs, calls, prompt, completion = (int(text.replace(",", "")) for text in row[-6:-2])
    return runs, calls, prompt, completion


def test_the_estimate_of_all_samples_is_what_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three samples are simulated of each cell, and there are three: same draws, same tokens, same USD."""
    monkeypatch.chdir(tmp_path)
    sweep = ("-m", "topology=single,bus", *TASK)
    (head, single, bus, total), said = planned(capsys, *sweep)
    assert not list(tmp_path.iterdir())
    assert "nothing is stored" in said and "estimates from simulated" in said and "never evidence" in said
    assert head == ["cell", "model", "runs", "calls", "prompt", "completion", "USD", "USD uncached"]
    assert command(*sweep, "summary=false", "progress=none") == 0
    runs = results.load(tmp_path / "runs").frame("runs")
    for name, row in (("single", single), ("bus", bus)):
        assert row[0] == f"topology={name} task=qa_corpus" and row[1] == "simulated"
        own = runs[runs.topology == name]
        assert figures(row) == (3, own.calls.sum(), own.prompt_tokens.sum(), own.completion_tokens.sum())
        assert row[-2:] == [f"{own.cost_usd.sum():.4f}", f"{own.cost_uncached_usd.sum():.4f}"]
    assert figures(total) == tuple(a + b for a, b in zip(figures(single), figures(bus), strict=True))


def test_more_runs_cost_more_in_proportion(capsys: pytest.CaptureFixture[str]) -> None:
    few, _ = planned(capsys, "topology=single", *TASK)
    many, _ = planned(capsys, "topology=single", *TASK, "epochs=4")
    assert figures(many[1]) == tuple(4 * n for n in figures(few[1]))


def test_a_real_model_is_priced_and_never_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No key is set and nobody listens at ``api_base``; each role's calls are billed at its own model's list price."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    bus = ("topology=bus", *TASK, "task.docs=16")  # enough for the lead to hand some on
    assert command(*bus, "summary=false", "progress=none") == 0
    calls = results.load(tmp_path / "runs").frame("calls")
    assert set(calls.role) == {"lead", "worker"}
    expected = 0.0
    for role, model in (("lead", "gpt-4o-mini"), ("worker", "gpt-4o")):
        own, (usd_in, usd_out) = calls[calls.role == role], LISTED[model]
        expected += (own.prompt_tokens.sum() * usd_in + own.completion_tokens.sum() * usd_out) / 1e6
    words = ("model=litellm", "model.name=openai/mine", "model.api_base=http://127.0.0.1:9/v1")
    (_, row, _), _ = planned(capsys, *bus, *words, "model.prices_as=gpt-4o-mini", "+model.roles.worker=openai/gpt-4o")
    assert row[1] == "openai/mine, worker=openai/gpt-4o"
    assert row[-1] == f"{expected:.4f}"


def test_no_price_is_unknown_and_no_zero(capsys: pytest.CaptureFixture[str]) -> None:
    (_, row, total), said = planned(capsys, "topology=single", *TASK, "model.price=null")
    assert row[-2:] == total[-2:] == ["unknown", "unknown"]
    assert "note: USD is unknown" in said


def test_a_budget_over_an_unpriced_model_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("topology=single", *TASK, "model.price=null", "plan=true", "limits.run_usd=1")
    assert command(*words) == 2
    said = capsys.readouterr()
    assert not said.out
    assert said.err.count("\n") == 1 and "limits.run_usd" in said.err and "'simulated'" in said.err


def test_a_budget_that_will_not_do_is_noted(capsys: pytest.CaptureFixture[str]) -> None:
    _, said = planned(
        capsys, "topology=single", *TASK, "limits.experiment_usd=0.000001", "limits.experiment_tokens=9e9"
    )
    assert "limits.experiment_usd=1e-06 would stop" in said
    assert "limits.experiment_tokens" not in said


def test_a_role_that_nobody_has_is_noted(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "model=litellm",
        "model.name=openai/mine",
        "model.price={input: 1, output: 1}",
        "+model.roles.boss=openai/m",
    )
    _, said = planned(capsys, "topology=single", *TASK, *words)
    assert "model.roles names boss, which no agent of this run was" in said


def test_a_suite_without_an_oracle_cannot_be_estimated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command itself is right, and its planned runs are known: one sentence, no figures, exit code 0."""
    monkeypatch.chdir(tmp_path)
    assert here(*ACME, "plan=true") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-1].startswith("note: task=sums has no oracle") and said[-2].split() == ["total", "3", *"-----"]
    assert not list(tmp_path.iterdir())


def test_a_judge_is_estimated_on_top_and_counts_towards_the_budget(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sweep = ("topology=single", *TASK, "grader=judge")
    assert command(*sweep, "summary=false", "progress=none") == 0
    runs = results.load(tmp_path / "runs").frame("runs")
    own, judge = runs.cost_usd.sum(), runs.judge_cost_usd.sum()
    assert judge > 0
    capsys.readouterr()
    (_, row, _), said = planned(capsys, *sweep, f"limits.experiment_usd={own + judge / 2}")
    assert row[-2] == f"{own:.4f}"
    assert f"its judge comes on top: {runs.judge_tokens.sum():,} tokens, {judge:.4f} USD." in said
    assert "would stop the command" in said
