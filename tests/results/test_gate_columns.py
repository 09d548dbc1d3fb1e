"""Which columns a gate compares: all of a store but those on a list, each of them so that any edit is seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from gates import NOWHERE, rule_file, store
from run_builder import single, team

import results
from harness.errors import StoreError
from harness.records import TABLES, RunRecord
from results.columns import Columns
from results.frames import Results, load
from results.gate.baseline import Baseline
from results.gate.declared import ALWAYS, COMPARED, CONDITIONS, IDENTITY, KNOWN, MAYBE, NOT_COMPARED, PRINTED
from results.gate.gate import evaluate
from results.gate.junit import junit
from results.gate.render import job_summary, print_gate
from results.gate.report import Report
from results.gate.rows import gathered
from results.gate.rules import Rules, read
from results.schema import SCHEMAS
from results.snapshot import Snapshot
from results.terminal import rendered

pytestmark = pytest.mark.usefixtures("unsynced")
PAGE = Path(results.__file__).parents[1] / "docs" / "ci.md"


def runs() -> list[RunRecord]:
    return [make(sample=s, simulated=True) for make in (single, team) for s in ("s1", "s2")]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Columns, Rules]:
    """A store on disk, what a gate knows of it, and rules."""
    folder = tmp_path_factory.mktemp("columns")
    root = store(folder, runs())
    return root, gathered(load(root)), read(rule_file(folder, "rules: [{name: t, metric: tokens, better: lower}]"))


def test_every_column_of_a_store_is_compared_or_on_the_list() -> None:
    """From the row classes, so that a new column must be decided on."""
    of_runs = {*IDENTITY, *CONDITIONS, *KNOWN, *MAYBE} | {"params"}
    for table, row in TABLES.items():
        for field in fields(row):
            name = field.metadata.get("column", field.name)
            listed = f"{table}.{name}" in NOT_COMPARED or name == "run_id"
            assert listed != (name in (of_runs if table == "runs" else PRINTED[table])), f"{table}.{name}"


def test_the_page_names_what_is_not_compared_and_what_is_never_exempt() -> None:
    page = PAGE.read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.startswith("| `runs`")]
    listed = {
        f"{table}.{column}"
        for line in lines
        for part in line.split("|")[1].split(";")
        if ":" in part
        for table, columns in [part.split(":")]
        for table in [table.strip(" `")]
        for column in [c.strip(" `") for c in columns.split(",")]
    }
    assert listed == set(NOT_COMPARED)
    assert all(f"`{column}`" in page for column in ALWAYS)


def _edited(value: Any, kind: pa.DataType) -> Any:
    if pa.types.is_boolean(kind):
        return not value
    if pa.types.is_integer(kind):
        return (value or 0) + 1
    return (value or 0.0) + 0.25 if pa.types.is_floating(kind) else f"{value or ''}x"


class Held(Results):
    """The rows of a store in memory, so that a hundred edits do not take a hundred stores."""

    def __init__(self, tables: Mapping[str, pa.Table]) -> None:
        super().__init__(cast(Snapshot, self))
        self.held = tables

    def tables(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        yield self.held[name].select(list(columns or self.held[name].column_names))

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        return next(self.tables(name, columns))


@pytest.mark.parametrize("table", SCHEMAS)
def test_any_edit_of_a_stored_value_is_seen_unless_the_list_has_it(
    made: tuple[Path, Columns, Rules], table: str
) -> None:
    """One value of one row of the team after the other."""
    root, _, rules = made
    of_team = load(root)
    tables = {name: _of_one(of_team.table(name)) for name in SCHEMAS}
    before = Baseline(gathered(Held(tables)), NOWHERE)
    for column in SCHEMAS[table].columns:
        whole = tables[table]
        values = whole[column.name].to_pylist()
        values[0] = '{"task.docs": 9}' if column.name == "params" else _edited(values[0], column.field.type)
        place = whole.schema.get_field_index(column.name)
        edited = whole.set_column(place, column.field, pa.array(values, column.field.type))
        try:
            code = evaluate(before, gathered(Held({**tables, table: edited})), rules).exit_code
        except StoreError as error:
            code = error.exit_code
        free = f"{table}.{column.name}" in NOT_COMPARED and column.name != "run_id"
        assert (code == 0) == free, column.name


def _of_one(table: pa.Table) -> pa.Table:
    """The rows of one run."""
    ids = table["run_id"].to_pylist()
    return table.take([i for i, run in enumerate(ids) if run == "exp/bus-cell/s1/0"])


ORPHANS: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "a run dropped from runs alone": lambda rows: rows.pop(),
    "a run renamed": lambda rows: rows[0].update(run_id="other"),
    "params that are no JSON": lambda rows: rows[0].update(params="{"),
    "params that are no object": lambda rows: rows[0].update(params="[1]"),
}


@pytest.mark.parametrize("what", ORPHANS)
def test_damaged_runs_are_one_error_that_names_them(made: tuple[Path, Columns, Rules], what: str) -> None:
    root, _, _ = made
    (part,) = (root / "runs").rglob("topology=bus/**/*.parquet")
    kept = part.read_bytes()
    whole = pq.ParquetFile(part).read()
    rows = whole.to_pylist()
    ORPHANS[what](rows)
    pq.write_table(pa.Table.from_pylist(rows, schema=whole.schema), part)
    try:
        with pytest.raises(StoreError, match="params of a cell" if "params" in what else "rows of run '.*' in "):
            gathered(load(root))
    finally:
        part.write_bytes(kept)


def test_rows_in_another_order_or_one_less_are_seen(made: tuple[Path, Columns, Rules], tmp_path: Path) -> None:
    _, before, rules = made
    for change in (lambda r: r.calls.reverse(), lambda r: r.messages.pop(), lambda r: r.events.pop()):
        after = runs()
        change(after[2])
        report = _report(before, tmp_path, after, rules)
        assert report.exit_code == 1 and {d.sample for d in report.differences} == {"s1"}


def test_ids_that_begin_with_the_runs_own_are_the_same_in_every_sweep(
    made: tuple[Path, Columns, Rules], tmp_path: Path
) -> None:
    _, before, rules = made
    later = [m(sample=s, simulated=True, cell=f"c7-{m.__name__}") for m in (single, team) for s in ("s1", "s2")]
    assert _report(before, tmp_path, later, rules).exit_code == 0


def test_what_is_exempt_is_said_in_every_output(made: tuple[Path, Columns, Rules], tmp_path: Path) -> None:
    """Two of four runs differ in one exempt column, none in the other."""
    _, before, _ = made
    after = runs()
    for one in after[:2]:
        one.run.wall_s = 11.0
    text = "exempt: [wall_s, bus]\nrules: [{name: t, metric: tokens, better: lower}]"
    report = _report(before, tmp_path, after, read(rule_file(tmp_path, text)))
    assert report.exit_code == 0 and report.exempt == {"bus": 0, "wall_s": 2}
    assert "2 differences in exempt columns were not judged" in report.sentence
    shown = [" ".join(rendered(lambda c: print_gate(report, c)).split()), job_summary(report).replace("\\", "")]
    for written in (*shown, junit(report)):
        assert "bus (0 runs differ), wall_s (2 runs differ)" in written and "were not judged" in written
    assert all("but for the exempt bus, wall_s" in written for written in shown)


def test_exempt_columns_hide_nothing_of_what_came_out(made: tuple[Path, Columns, Rules], tmp_path: Path) -> None:
    """As many columns as can be exempt, and a candidate that is worse."""
    _, before, _ = made
    after = runs()
    after[0].run.score = 0.0
    exempt = json.dumps([c for c in COMPARED if c not in ALWAYS and c != "left_out"])
    text = f"exempt: {exempt}\nrules: [{{name: l, metric: left_out, better: lower}}]"
    assert _report(before, tmp_path, after, read(rule_file(tmp_path, text))).exit_code == 1


def _report(before: Columns, folder: Path, after: list[RunRecord], rules: Rules) -> Report:
    return evaluate(Baseline(before, NOWHERE), gathered(load(store(folder, after, closed=False))), rules)
