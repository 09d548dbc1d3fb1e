"""What a gate reads and writes: baselines, rules, JUnit, the job summary; and that nothing unreadable passes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from gates import baseline, judged, rule_file, store, verb
from run_builder import Experiment, single, team

import results
from harness.errors import ConfigError, StoreError
from harness.records import RunRecord
from results.gate.baseline import read
from results.gate.declared import COMPARED, PRINTS
from results.gate.hold import updated
from results.gate.junit import junit
from results.gate.metrics import METRICS
from results.gate.render import job_summary
from results.gate.rules import DEFAULT
from results.gate.rules import read as read_rules
from results.store import Store

pytestmark = pytest.mark.usefixtures("unsynced")
TOKENS = "rules: [{name: tokens, metric: tokens, better: lower}]"


def runs(task: str = "qa", **options: Any) -> list[RunRecord]:
    return [
        make(sample=s, simulated=True, task=task, cell=f"{make.__name__}-{task}", **options)
        for make in (single, team)
        for s in ("s1", "s2")
    ]


def test_the_verb_passes_fails_and_writes_what_ci_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, same = baseline(tmp_path, runs()), store(tmp_path, runs())
    report, summary = tmp_path / "new" / "junit.xml", tmp_path / "new" / "summary.md"
    words = ("--baseline", file, "--junit", report, "--summary", summary)
    assert verb(*words, "--candidate", same) == 0
    assert "pass (exit code 0)" in capsys.readouterr().out
    suite = ET.parse(report).getroot()
    assert (suite.get("failures"), suite.get("errors")) == ("0", "0")
    assert verb(*words, "--candidate", store(tmp_path, runs(score=0.5))) == 1
    assert verb(*words, "--candidate", store(tmp_path, runs()[1:])) == 2
    text = summary.read_text(encoding="utf-8")
    titles = [line for line in text.splitlines() if line.startswith("## ")]
    assert titles == ["## ✅ Gate: pass", "## ❌ Gate: regression", "## ⚠️ Gate: could not evaluate"], "appended"
    assert "SIMULATED" in text and "--update" in text


UNREADABLE: dict[str, tuple[Callable[[Path, Path], tuple[Path, Path]], str]] = {
    "no baseline": (lambda file, folder: (file.with_name("none"), folder), "there is no baseline"),
    "not parquet": (lambda file, folder: (_cut(file, b"PAR1 but no more"), folder), "cannot be read as a baseline"),
    "cut off": (lambda file, folder: (_cut(file, file.read_bytes()[:-100]), folder), "cannot be read as a baseline"),
    "a store's part": (
        lambda file, folder: (next((folder / "runs").rglob("*.parquet")), folder),
        "is not a baseline of a gate",
    ),
    "no store": (lambda file, folder: (file, folder / "none"), "there is no store"),
    "an empty store": (lambda file, folder: (file, _made(folder / "empty")), "no"),
    "another schema": (lambda file, folder: (_version(file, b"3"), folder), "schema_version is 3"),
    "other columns": (lambda file, folder: (_less(file), folder), "its columns are not those"),
    "no rows": (lambda file, folder: (_empty(file), folder), "holds no runs"),
}


def _cut(file: Path, content: bytes) -> Path:
    file.write_bytes(content)
    return file


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _version(file: Path, version: bytes) -> Path:
    table = pq.read_table(file)
    pq.write_table(table.replace_schema_metadata({**table.schema.metadata, b"schema_version": version}), file)
    return file


def _less(file: Path) -> Path:
    pq.write_table(pq.read_table(file).drop_columns(["score"]), file)
    return file


def _empty(file: Path) -> Path:
    pq.write_table(pq.read_table(file).slice(0, 0), file)
    return file


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be_read_is_one_error_and_never_a_pass(
    tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change, says = UNREADABLE[what]
    file, folder = change(baseline(tmp_path, runs()), store(tmp_path, runs()))
    report, summary = tmp_path / "junit.xml", tmp_path / "summary.md"
    assert verb("--baseline", file, "--candidate", folder, "--junit", report, "--summary", summary) == 2
    said = capsys.readouterr()
    assert len(said.err.splitlines()) == 1 and said.err.startswith("error: ") and says in said.err and not said.out
    (error,) = ET.parse(report).getroot().iter("error")
    assert says in str(error.get("message")) and "could not evaluate" in summary.read_text(encoding="utf-8")


def test_update_writes_where_the_rows_come_from_and_the_same_bytes_again(tmp_path: Path) -> None:
    folder = store(tmp_path, runs(git_commit="c" * 40))
    one, other = tmp_path / "new" / "one.parquet", tmp_path / "other.parquet"
    for file in (one, other):
        assert verb("--baseline", file, "--candidate", folder, "--update") == 0
    assert one.read_bytes() == other.read_bytes()
    made = read(one).provenance
    assert (made.experiments, made.git_commits) == (("exp",), ("c" * 40,))
    assert (made.commands, made.harness_versions) == (("python -m harness",), ("0.1.0",))
    assert made.rules == read_rules().digest and made.closed_at.startswith("20")
    assert [p.name for p in one.parent.iterdir()] == ["one.parquet"], "and nothing beside it"


def test_update_refuses_what_no_gate_could_evaluate_and_keeps_what_was_there(tmp_path: Path) -> None:
    file = baseline(tmp_path, runs())
    before = file.read_bytes()
    unfinished = tmp_path / "unfinished"
    open_store = Store(str(unfinished))
    open_store.open(Experiment("exp"))
    for made in runs():
        open_store.write(made)
    few_planned = tmp_path / "few"
    short = Store(str(few_planned))
    short.open(Experiment("exp", {"planned_runs": 5}))
    for made in runs():
        short.write(made)
    short.close()
    few = store(tmp_path, [single(sample=s) for s in ("s1", "s2")])  # real: fewer than six clusters
    teams = store(tmp_path, [single(sample="s1", simulated=True)])  # the default rules judge a team
    for folder, says in (
        (unfinished, "running"),
        (few_planned, "4 runs of 5 planned"),
        (few, "clusters"),
        (teams, "judged nothing"),
        (tmp_path / "none", "no store"),
    ):
        with pytest.raises(StoreError, match=says):
            updated(file, folder)
        assert file.read_bytes() == before
    open_store.close()
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with pytest.raises(StoreError, match="cannot write the baseline"):
        updated(blocked / "b.parquet", store(tmp_path, runs()))


def test_two_experiments_of_one_cell_are_not_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = baseline(tmp_path, runs()), store(tmp_path, runs())
    again = Store(str(folder))
    again.open(Experiment("later"))
    for made in runs(experiment="later", score=0.5):
        again.write(made)
    again.close()
    words = ("--baseline", file, "--candidate", folder)
    assert verb(*words) == 1 and verb(*words, "--experiment", "exp") == 0, "the last one unless told otherwise"
    assert "--experiment later" not in capsys.readouterr().out
    assert verb(*words, "--experiment", "all") == 2
    assert "is there 2 times" in capsys.readouterr().err


def test_rows_whose_purposes_do_not_add_up_are_not_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = runs()
    wrong[0].shares[0].tokens += 1
    assert verb("--baseline", baseline(tmp_path, runs()), "--candidate", store(tmp_path, wrong)) == 2
    assert "content purposes do not add up" in capsys.readouterr().err


BAD_RULES = {
    "rules: [": "no file of rules",
    "[]": "rules are a mapping",
    "rules: []": "at least one rule",
    "exempt: [wall_s]": "at least one rule",
    "rule: []": "unknown key 'rule'. Did you mean 'rules'?",
    f"exempt: [wall]\n{TOKENS}": "unknown column in `exempt` 'wall'",
    "rules: [1]": "rule 1 must be a mapping",
    "rules: [{metric: tokens, better: lower}]": "rule 1 needs a `name`",
    "rules: [{name: a, metric: tokens}]": "rule 'a' needs `better`. Valid choices: lower, higher",
    "rules: [{name: a, better: lower}]": "rule 'a' needs `metric`",
    "rules: [{name: a, metric: token, better: lower}]": "unknown metric of rule 'a' 'token'. Did you mean 'tokens'?",
    "rules: [{name: a, metric: [x], better: lower}]": "unknown metric of rule 'a'",
    "rules: [{name: a, metric: tokens, better: less}]": "unknown `better` of rule 'a' 'less'",
    "rules: [{name: a, metric: tokens, better: lower, absolut: 1}]": "Did you mean 'absolute'?",
    "rules: [{name: a, metric: tokens, better: lower, relative: -1}]": "`relative` must be a number of at least 0",
    "rules: [{name: a, metric: tokens, better: lower, absolute: .nan}]": "`absolute` must be a number",
    "rules: [{name: a, metric: tokens, better: lower, absolute: yes}]": "`absolute` must be a number",
    "rules: [{name: a, metric: tokens, better: lower, tasks: qa}]": "`tasks` must be a list of patterns",
    "rules: [{name: same rows, metric: tokens, better: lower}]": "the name is taken",
    "rules: [{name: judged by a rule, metric: tokens, better: lower}]": "the name is taken",
    'rules: [{name: "a\\nb", metric: tokens, better: lower}]': "a text of one line",
    "rules: [{name: a, metric: score, better: higher, absolute: 1}]": "`absolute` must be below 1",
    "rules: [{name: a, metric: failures, better: lower, absolute: 1.0}]": "`absolute` must be below 1",
    "rules: [{name: a, metric: score, better: higher, relative: 1}]": "`relative` must be below 1",
    "rules: [{name: a, metric: tokens, better: lower, relative: 1.0e+300}]": "`relative` must be below 10",
    "rules: [{name: a, metric: tokens, better: lower, absolute: .inf}]": "`absolute` must be below 1e+09",
    "rules: [{name: a, metric: coordination_per_single, better: lower, absolute: 10}]": "must be below 10",
    f"rules: [{{name: a, metric: tokens, better: lower, absolute: {10**400}}}]": "an integer of 1,329 bits",
    f"rules: [{{name: a, metric: tokens, better: lower, absolute: {'9' * 5000}}}]": "no file of rules",
    f"rules: [{{name: a, metric: tokens, better: lower, absolute: 0x{'f' * 5000}}}]": "an integer of 20,000 bits",
    f"rules: {'[' * 1500}{']' * 1500}": "nested too deep",
    f"{TOKENS}\n{TOKENS}": "key 'rules' stands twice",
    "rules:\n  - name: a\n    metric: tokens\n    better: lower\n    better: higher\n": "key 'better' stands twice",
    f"exempt: 0\n{TOKENS}": "`exempt` must be a list",
    f"exempt: [score]\n{TOKENS}": "'score' is compared always",
    f"exempt: [sample_id]\n{TOKENS}": "unknown column in `exempt` 'sample_id'",
    f"unjudged: yes\n{TOKENS}": "unknown value of `unjudged`",
}


@pytest.mark.parametrize("text", BAD_RULES, ids=range(len(BAD_RULES)))
def test_bad_rules_are_one_error_that_names_the_file_and_the_choices(tmp_path: Path, text: str) -> None:
    file = rule_file(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        read_rules(file)
    assert str(file) in str(caught.value) and BAD_RULES[text] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_rule_judges_the_cells_that_fit_its_patterns(tmp_path: Path) -> None:
    text = "rules: [{name: t, metric: tokens, better: lower, topologies: ['b*'], tasks: [qa, 'x?']}]"
    report = judged(tmp_path, [*runs(), *runs(task="xy"), *runs(task="z")], runs(), rule_file(tmp_path, text))
    fits = {(j.cell.topology, j.cell.task) for j in report.judgements if j.rule == "t" and j.cell is not None}
    assert fits == {("bus", "qa"), ("bus", "xy")}


def test_the_default_rules_and_the_metrics_are_what_they_say() -> None:
    assert len(read_rules(DEFAULT).rules) == 7
    for metric in METRICS.values():
        assert set(metric.columns) <= set(COMPARED), metric.name
        assert metric.says
    unjudged = {c for c in COMPARED if not any(c in m.columns for m in METRICS.values())} - set(PRINTS)
    exact_only = {"family", "model", "bus", "tags", "error_type", "limit", "graph_work", "graph_critical_path"}
    exact_only |= {"window_tokens", "material_tokens", "cache_write_tokens"}
    exact_only |= {"cost_complete", "cost_usd", "fee_pusd", "judge_cost_usd", "rule_score"}
    assert {c for c in unjudged if not c.startswith("pusd.")} == exact_only, "compared exactly, named by no rule"


NAME = '"it\'s" <b>&amp; | 数据 \U0001f600 \x07 ]]>'


def test_names_of_any_kind_leave_the_documents_well_formed(tmp_path: Path) -> None:
    def odd(score: float) -> list[RunRecord]:
        made = team(sample=NAME, topology="x|y <i>", task="任务 `q`", simulated=True, score=score)
        return [made, single(sample="s", task="任务 `q`", simulated=True)]

    report = judged(tmp_path, odd(1.0), odd(0.5), rule_file(tmp_path, TOKENS))
    assert report.exit_code == 1
    root = ET.fromstring(junit(report))
    (failure,) = root.iter("failure")
    assert NAME.replace("\x07", "\ufffd") in str(failure.get("message"))
    cases = list(root.iter("testcase"))
    assert len(cases) == len(report.judgements) == int(str(root.get("tests")))
    assert {c.get("classname") for c in cases} == {"x|y <i> · 任务 `q`", "single · 任务 `q`"}
    text = job_summary(report)
    assert "<i>" not in text and "<b>" not in text
    table = [line for line in text.splitlines() if line.startswith("| ") and "same rows" in line]
    assert len({line.replace("\\|", "").count("|") for line in table if "regression" in line}) == 1


def test_junit_has_a_case_for_each_rule_and_cell(tmp_path: Path) -> None:
    report = judged(tmp_path, runs(), runs(refused=1)[:3], rule_file(tmp_path, TOKENS))
    root = ET.fromstring(junit(report))
    (suite,) = root
    cases = {(c.get("classname"), c.get("name")): [e.tag for e in c] for c in suite.iter("testcase")}
    assert cases == {
        ("bus · qa", "comparable"): ["error"],
        ("bus · qa", "same rows"): ["failure"],
        ("bus · qa", "tokens"): ["error"],
        ("single · qa", "comparable"): [],
        ("single · qa", "same rows"): ["failure"],
        ("single · qa", "tokens"): [],
    }
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("6", "2", "2")


GUARD = """
import sys
from results.__main__ import main
code = main(sys.argv[1:])
print("imported:", *(m for m in ("litellm", "matplotlib", "hydra", "pandas") if m in sys.modules))
sys.exit(code)
"""


def test_a_gate_imports_nothing_that_takes_long(tmp_path: Path, python: Any) -> None:
    """With an interval to work out, a JUnit file and a summary: everything there is."""
    made = [r for i in range(8) for r in (single(sample=f"s{i}"), team(sample=f"s{i}"))]
    rules = rule_file(tmp_path, "rules: [{name: wall, metric: wall_s, better: lower, relative: 0.1}]")
    words = ["gate", "--baseline", baseline(tmp_path, made, rules), "--candidate", store(tmp_path, made)]
    words += ["--rules", rules, "--junit", tmp_path / "j.xml", "--summary", tmp_path / "s.md"]
    child = python(GUARD, *map(str, words))
    out, err = child.communicate(timeout=60)
    assert child.returncode == 0, err
    assert out.splitlines()[-1].strip() == "imported:"


def test_the_verb_as_a_function(tmp_path: Path) -> None:
    report = results.gated(baseline(tmp_path, runs()), store(tmp_path, runs()))
    assert report.exit_code == 0
    with pytest.raises(StoreError):
        results.gated(tmp_path / "none", tmp_path)


def test_one_share_off_by_one_token_is_caught_by_validate(tmp_path: Path) -> None:
    """In a stored file, as a fault of a disk or of a hand would leave it."""
    folder = store(tmp_path, runs())
    assert results.check(folder).clean
    part = next((folder / "shares").rglob("*.parquet"))
    whole = pq.ParquetFile(part).read()
    tokens = whole["tokens"].to_pylist()
    tokens[0] += 1
    changed = whole.set_column(whole.schema.get_field_index("tokens"), whole.schema.field("tokens"), [tokens])
    pq.write_table(changed.replace_schema_metadata(whole.schema.metadata), part)
    report = results.check(folder)
    assert not report.clean
    (first, *_) = [f for f in report.faults if "share" in f.name]
    assert first.count >= 1 and first.first[0].run_id == whole["run_id"][0].as_py()
