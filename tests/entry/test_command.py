"""Whole commands: rows, exit codes, and one clear error for every wrong input before any sample starts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from acme.commands import ACME, CONF, call, command, environment, here
from pandas import DataFrame

import results
from harness.entry.commandline import CommandLine
from harness.entry.compose import compose

QUIET = ("summary=false", "progress=none")
PLUGINS = Path(__file__).parent / "plugins"


def stored(folder: Path) -> DataFrame:
    return results.load(str(folder / "runs")).runs


def manifest(folder: Path) -> dict[str, object]:
    (path,) = (folder / "runs" / "experiments").glob("*.json")
    whole = json.loads(path.read_text())
    return {**whole["manifest"], "status": whole["status"]}


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_run_ends_with_its_rows_and_tables(tmp_path: Path) -> None:
    done = call(tmp_path, *ACME, "seed=5", "model.api_key=sk-secret")
    assert (done.returncode, done.stderr) == (0, "")
    runs = stored(tmp_path)
    assert sorted(runs.sample_id) == ["sum-0", "sum-1", "sum-2"]
    assert list(runs.score) == [1.0, 1.0, 1.0]
    assert set(runs.seed) == {5} and set(runs.params) == {"{}"} and set(runs.clock) == {"virtual"}
    assert set(runs.wall_s) == {1.0}  # the model's latency, exactly
    experiment = runs.experiment_id[0]
    assert "330" in done.stdout  # three runs of 100 + 10 tokens
    assert f"python -m results summary runs --experiment {experiment}" in done.stdout
    assert sorted(p.name for p in tmp_path.iterdir()) == ["runs"]  # and nothing of Hydra's

    found = manifest(tmp_path)
    assert found["status"] == "complete" and found["planned_runs"] == 3
    assert "sk-secret" not in json.dumps(found)
    assert found["overrides"] == [*ACME, "seed=5", "model.api_key=***"]
    (cell,) = found["cells"]  # type: ignore[misc]
    assert cell["config"]["seed"] == 5 and cell["config_hash"] == runs.config_hash[0]


def test_a_sweep_is_one_experiment_of_interleaved_cells(tmp_path: Path) -> None:
    code = here(*ACME, "-m", "topology=ask,pair", "bus=memory", "epochs=1,2", *QUIET)
    assert code == 0
    runs = stored(tmp_path)
    assert len(runs) == (3 + 6) * 2 and runs.experiment_id.nunique() == 1 and runs.run_id.is_unique
    params = {cell: json.loads(rows.params.iloc[0]) for cell, rows in runs.groupby("cell_id")}
    assert params == {
        "c0": {"topology": "ask", "epochs": 1}, "c1": {"topology": "ask", "epochs": 2},
        "c2": {"topology": "pair", "epochs": 1}, "c3": {"topology": "pair", "epochs": 2},
    }  # fmt: skip
    assert set(zip(runs.topology, runs.family, strict=True)) == {("ask", "single"), ("pair", "team")}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["runs"]


def test_a_prepared_experiment(tmp_path: Path) -> None:
    assert here(*ACME[1:], "+experiment=two", "bus=memory", *QUIET) == 0
    runs = stored(tmp_path)
    assert (set(runs.topology), set(runs.seed), len(runs)) == ({"pair"}, {7}, 2)


def test_cells_may_live_on_different_clocks(tmp_path: Path) -> None:
    assert here(*ACME, "-m", "clock=virtual,real", "model.latency_s=0", *QUIET) == 0
    assert sorted(stored(tmp_path).clock) == ["real"] * 3 + ["virtual"] * 3


def test_neither_concurrency_nor_order_changes_a_result(tmp_path: Path) -> None:
    for options in (["concurrency=1"], ["concurrency=7"], ["concurrency=50", "shuffle=true"]):
        assert here(*ACME, "task.size=20", "epochs=2", *options, *QUIET) == 0
    runs = stored(tmp_path).drop(columns=["experiment_id", "run_id", "started_at"])
    one = [rows.sort_values(["sample_id", "epoch"]).reset_index(drop=True) for _, rows in
           runs.groupby(stored(tmp_path).experiment_id)]  # fmt: skip
    assert len(one) == 3 and len(one[0]) == 40
    assert one[0].equals(one[1]) and one[0].equals(one[2])


def test_a_failing_sample_is_a_row_and_the_others_go_on(tmp_path: Path) -> None:
    assert here(*ACME, "topology.raise_on=sum-1", *QUIET) == 0
    runs = stored(tmp_path).set_index("sample_id")
    assert dict(runs.status) == {"sum-0": "ok", "sum-1": "error", "sum-2": "ok"}
    assert "this topology gave out" in runs.error["sum-1"]


def test_a_limit_of_the_experiment_stops_it_and_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # 110 tokens a run: the second passes the bound, so three are not started.
    code = here(*ACME, "task.size=5", "limits.experiment_tokens=150", "concurrency=1", *QUIET)
    assert code == 1
    runs = stored(tmp_path).set_index("sample_id")
    assert dict(runs.status) == {"sum-0": "ok", "sum-1": "ok"}
    error = capsys.readouterr().err
    assert error.startswith("error: Stopped by a limit (experiment_tokens: 220 is 70 over the bound of 150)")
    assert "3 of 5 runs are missing" in error
    assert "'task.sample_ids=[sum-2,sum-3,sum-4]'" in error
    assert manifest(tmp_path)["status"] == "interrupted"


WRONG = {
    "a group's option": (["task=sumz"], "unknown option of 'task': 'sumz'. Did you mean 'sums'? Valid choices: "),
    "an experiment": (["+experiment=tow"], "unknown option of 'experiment': 'tow'. Did you mean 'two'?"),
    "a misspelt key": (["task.sise=3"], "unknown key 'task.sise'. Did you mean 'task.size'? Valid choices: "),
    "a key added": (["+task.sise=3"], "unknown key 'task.sise'. Did you mean 'task.size'? Valid choices: "),
    "a misspelt group": (["tsk=sums"], "unknown key 'tsk'. Did you mean 'task'?"),
    "a top-level key": (["+sede=1"], "unknown key 'sede'. Did you mean 'seed'?"),
    "a key without value in YAML": (["topology.inner=1"], "'topology.inner' stands in no YAML"),
    "a limit's key": (["limits.run_usb=1"], "unknown key 'limits.run_usb'. Did you mean 'limits.run_usd'?"),
    "grammar": (["task.size=["], "cannot read 'task.size=[': no viable alternative"),
    "no value": (["task"], "cannot read 'task': missing EQUAL"),
    "a type": (["task.size=abc"], "task.size=abc: must be a whole number, but this is text."),
    "an empty value": (["seed="], "seed='': must be a whole number, but this is text."),
    "a literal": (["progress=fancy"], "unknown value of progress 'fancy'. Valid choices: auto, none, plain, rich."),
    "a range": (["epochs=0"], "epochs=0: must be at least 1."),
    "a seed": (["seed=-1"], "seed=-1: must be a whole number from 0 to 2147483647."),
    "a negative limit": (["limits.run_calls=-1"], "limits.run_calls=-1: must be above 0"),
    "a sweep without -m": (["topology=ask,pair"], "'topology=ask,pair' names several values: add -m"),
    "a continuous sweep": (["-m", "task.size=interval(1,2)"], "'task.size=interval(1,2)': a sweep needs a list"),
    "a plus too many": (["+task=sums"], "'+task=sums': task is chosen already."),
    "nothing chosen": (["~task"], "no task is chosen: write task=OPTION"),
    "a flag": (["--foo"], "unknown flag '--foo'."),
    "an interpolation": (["seed=${nope}"], "seed: Interpolation key 'nope' not found."),
    "a missing value": (["seed=???"], "seed: Missing mandatory value: seed."),
    "broken YAML": (["task=broken_yaml"], "broken YAML: while parsing a flow sequence"),
    "a target that is no class": (["topology=function"], "topology._target_=acme.parts.not_a_class: must name"),
    "a target's module": (["topology=nowhere"], "topology._target_=acme.nowhere.Thing: there is no"),
    "a target's name": (["topology=typo"], "topology._target_=acme.parts.Askk: unknown name in acme.parts 'Askk'."),
    "no target": (["topology=bare"], "topology has no _target_"),
    "a nested target": (["+topology.inner={_target_:acme.parts.Ask,wait:1}"], "unknown key 'topology.inner.wait'."),
    "the material": (["task.broken=true"], "task.broken=true: sums.txt cannot be read."),
    "no sample": (["task.size=0"], "task 'sums' has no sample left"),
    "virtual time for a real model": (["clock=virtual", "model.simulated=false"], "clock=virtual cannot drive model"),
    "virtual time with a speed": (["clock=virtual", "clock.scale=2"], "clock.scale=2 needs clock=real"),
    "a budget without a price": (["model.priced=false", "limits.run_usd=1"], "limits.run_usd is set, but the price of"),
    "a model that is down": (["model.down_on=virtual"], "model adder cannot be reached"),
    "a later clock's model that is down": (["-m", "clock=virtual,real", "model.down_on=real"], "model adder cannot be"),
    "a later cell": (["-m", "epochs=1,0"], "epochs=0: must be at least 1. (in the cell `topology=ask"),
    "a later cell's option": (["-m", "task=sums,nope"], "unknown option of 'task': 'nope'."),
    "unreachable Redis": (["topology=pair", "bus=redis", "bus.url=redis://u:p@127.0.0.1:1/0"], "cannot reach Redis at"),
    "what belongs to the command": (["-m", "concurrency=1,2"], "concurrency differs between the cells"),
    "a limit of the experiment": (["-m", "limits.experiment_usd=1,2"], "limits.experiment_usd differs between"),
    "the store": (["store.dir=/proc/none"], "cannot use store.dir '/proc/none'"),
    "a launcher": (["hydra/launcher=slum"], "unknown option of 'hydra/launcher': 'slum'."),
    "a search path": (["hydra.searchpath=[file:///nope]"], "provider=hydra.searchpath in command-line, path=/nope"),
    "flags that do not go together": (["--cfg", "job", "-m"], "Only one of --run, --multirun, --cfg"),
}  # fmt: skip


@pytest.mark.parametrize("words", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_input_is_one_clear_error_before_any_sample_starts(
    words: tuple[list[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, said = words
    assert here(*ACME, *arguments) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"error: {said}")
    assert err.count("\n") == 1 and not out
    assert not list(tmp_path.iterdir())


def test_what_follows_an_error_says_where_it_came_from_only_when_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARNESS_TRACEBACK", "1")
    assert here(*ACME, "task.size=abc") == 2
    assert "Traceback" in capsys.readouterr().err


def test_a_defect_is_one_line_and_exit_code_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.entry.command.wire", lambda *_: 1 / 0)
    assert here(*ACME) == 1
    assert capsys.readouterr().err == (
        "error: a defect in the harness: ZeroDivisionError: division by zero. HARNESS_TRACEBACK=1 shows where.\n"
    )


def test_help_lists_groups_keys_and_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        here(*ACME, "--help")
    text = capsys.readouterr().out
    assert ended.value.code == 0
    (tasks,) = (line for line in text.split("\n") if line.startswith("task: "))
    names = tasks.removeprefix("task: ").split(", ")
    assert names == sorted(names) and {"broken_yaml", "functions", "qa_corpus", "sums"} <= set(names)
    assert text.count("python -m harness ") >= 4
    for key in ("seed", "epochs", "ablate", "concurrency", "shuffle", "progress", "summary"):
        assert f"\n  {key} " in text


def test_the_configuration_can_be_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here(*ACME, "--cfg", "job", "task.size=9") == 0
    assert "  size: 9\n" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_a_reader_that_has_enough_is_no_error(tmp_path: Path) -> None:
    child = subprocess.Popen(
        command(*ACME, "--cfg", "job"), cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None and child.stderr is not None
    child.stdout.close()
    with child.stderr:
        assert child.stderr.read() == b""
    assert child.wait(timeout=60) == 141


def test_another_launcher_runs_each_cell_in_its_own_process(tmp_path: Path) -> None:
    done = call(tmp_path, *ACME, "-m", "task.size=1,2", "hydra/launcher=acme", *QUIET, plugins=PLUGINS)
    assert done.returncode == 0, done.stderr
    runs = stored(tmp_path)
    assert sorted(zip(runs.cell_id, runs.sample_id, strict=True)) == [("c0", "sum-0"), ("c1", "sum-0"), ("c1", "sum-1")]
    assert runs.experiment_id.nunique() == 1
    assert set(runs.params) == {'{"task.size": 1}', '{"task.size": 2}'}


def test_a_run_imports_nothing_it_does_not_need(tmp_path: Path) -> None:
    code = (
        "import sys; from harness.__main__ import main\n"
        f"sys.argv = ['__main__.py', '--config-dir', {str(CONF)!r}, *{[*ACME, 'bus=memory', *QUIET]!r}]\n"
        "assert main() == 0\n"
        "print([m for m in ('litellm', 'pandas', 'matplotlib', 'rich', 'redis') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60
    )
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stderr


@pytest.mark.parametrize("more", [[], ["-m", "task.size=1,2", "seed=3,4"]], ids=["one cell", "a sweep"])
def test_our_composing_and_hydras_own_agree(more: list[str]) -> None:
    words = ["--config-dir", str(CONF), *ACME, "+topology.inner='${hydra:runtime.choices.task}'", *more]
    ours = compose(CommandLine.parse(["x", *words]), "e")
    # A mode that is asked for goes through Hydra itself.
    theirs = compose(CommandLine.parse(["x", *words, f"hydra.mode={'MULTIRUN' if more else 'RUN'}"]), "e")
    assert [(c.number, c.values, c.record, c.choices) for c in ours] == [
        (c.number, c.values, c.record, c.choices) for c in theirs
    ]
    assert ours[0].values["topology"]["inner"] == "sums"
    assert len(ours) == (4 if more else 1)


def test_a_sweep_over_a_group_may_set_what_only_its_options_have(tmp_path: Path) -> None:
    assert here("-m", "topology=ask,pair", "topology.wait_s=2", *ACME[1:], "bus=memory", *QUIET) == 0
    assert set(stored(tmp_path).wall_s) == {3.0}
