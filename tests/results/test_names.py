"""What `results` offers by name is that, whatever has been imported before."""

from __future__ import annotations

import ast
import pkgutil
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import results


def test_no_module_hides_a_function() -> None:
    for found in pkgutil.walk_packages(results.__path__, "results."):
        if not found.name.endswith("__main__"):
            import_module(found.name)
    hidden = [name for name in results.__all__ if isinstance(getattr(results, name), ModuleType)]
    assert not hidden


def test_no_topology_but_single_is_named() -> None:
    """Verdicts follow rows. The table of claims is about named designs, and is the only place that may name them."""
    root = Path(results.__file__).parent
    names = {p.stem for p in (root.parent / "conf/topology").glob("*.yaml")} - {"single"}
    named = []
    for path in root.rglob("*.py"):
        if "claims" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                chosen = re.findall(r"topology=([\w,]+)", node.value)
                words = {word for words in chosen for word in words.split(",")}
                words |= {node.value} - {"sync", "bus"}  # a purpose of the cost model, a column of runs
                named += [f"{path.name}:{node.lineno}: {word}" for word in words & names]
    assert not named
