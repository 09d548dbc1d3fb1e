"""docs/delegation.md says what the code does."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from harness.delegation.checks.registry import CHECKS
from harness.delegation.order import TaskOrder
from harness.delegation.rules import CARD_TOKENS, Delegation
from harness.dispatch.definition import BUILT_IN
from harness.dispatch.executor import Pool
from harness.dispatch.harvest import CUT
from results.invariants.delegations import STATUSES
from topologies.bus import Bus
from topologies.sync import Sync

PAGE = (Path(__file__).parents[2] / "docs" / "delegation.md").read_text(encoding="utf-8")


def column(first: str, number: int = 0) -> list[str]:
    """A column of the table whose first heading is ``first``, without its quotes."""
    rows = PAGE[PAGE.index(f"| {first} |") :].split("\n\n")[0].splitlines()[2:]
    return [row.strip("|").split("|")[number].strip().strip("`") for row in rows]


def test_every_check_stands_with_its_step() -> None:
    assert list(zip(column("check"), column("check", 1), strict=True)) == [(c.name, c.step) for c in CHECKS.values()]


def test_every_field_of_an_order_is_explained() -> None:
    said = set(column("field"))
    assert said == set(TaskOrder("s", "o").as_json()) - {"feedback"}


def test_every_status_is_explained() -> None:
    assert set(column("status")) == set(STATUSES)


def test_every_setting_that_leaves_something_out_is_named() -> None:
    settings = {setting.partition("=")[0] for setting in column("setting")}
    assert settings == {f.name for f in fields(Delegation)} - {"card_tokens", "max_retries"}


def test_the_figures() -> None:
    assert f"more than {CARD_TOKENS} tokens" in PAGE
    assert f"more than the topology allows ({Delegation().max_retries})" in PAGE
    pool = Pool()
    assert f"{pool.core} at once, then a queue of {pool.queue}, then up to {pool.max} at once" in PAGE
    assert f"cut at {CUT} characters" in PAGE and f"`max_dispatches` ({Sync().max_dispatches})" in PAGE
    assert (Sync().delegation.validate, Bus().delegation.validate) == (False, True)
    assert all(f"`{name}`" in PAGE for name in BUILT_IN)


def test_the_test_that_it_names_exists() -> None:
    (path,) = re.findall(r"`(tests/[\w/]+\.py)`", PAGE)
    assert (Path(__file__).parents[2] / path).is_file()
