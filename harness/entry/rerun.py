"""Commands that run what is missing of an experiment, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.entry.commandline import CommandLine
from harness.entry.overrides import by_value, joined, literal, parsed, quoted, searching, without

LONGEST = 2_000
"""Characters of a list of ids on a command line; a longer one goes into a file that the command names."""


def rerun_commands(
    command: CommandLine,
    overrides: Mapping[str, Sequence[str]],
    missing: Mapping[str, Sequence[str]],
    folder: Path,
    experiment_id: str,
) -> list[str]:
    """Shell commands that run the missing samples, one for all cells that miss the same ones where a sweep can say so.

    ``overrides``: cell id → its own overrides; ``missing``: cell id → sample ids. Long lists are written to files in
    ``folder``, as options of a config group ``missing``.
    """
    hydra = [o.input_line or "" for o in parsed(command.overrides) if o.is_hydra_override()]
    commands = []
    for cells, ids in by_value(missing):
        ours = [without(overrides[c], ("task.sample_ids", "task.limit", "missing")) for c in cells]
        sweep = joined(ours)
        for number, cell in enumerate(ours if sweep is None else [sweep]):
            name = f"{experiment_id}-{cells[number if sweep is None else 0]}"
            chosen, filed = _choice(ids, folder, name)
            own = searching(hydra, folder) if filed else hydra
            commands.append(command.text([*own, *cell, chosen], multirun=len(cells) > 1 and sweep is not None))
    return commands


def _choice(ids: Sequence[str], folder: Path, name: str) -> tuple[str, bool]:
    """The override that selects these samples, and whether it names a file in ``folder``."""
    typed = f"task.sample_ids=[{','.join(map(quoted, ids))}]"
    if len(typed) <= LONGEST:
        return typed, False
    path = folder / "missing" / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    entries = "".join(f"  - {json.dumps(literal(i), ensure_ascii=False)}\n" for i in ids)
    path.write_text(f"# @package task\nsample_ids:\n{entries}", encoding="utf-8")
    return f"+missing={quoted(name)}", True
