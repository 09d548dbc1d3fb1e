"""What `results` offers by name is that, whatever has been imported before."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import ModuleType

import results


def test_no_module_hides_a_function() -> None:
    for found in pkgutil.walk_packages(results.__path__, "results."):
        if not found.name.endswith("__main__"):
            import_module(found.name)
    hidden = [name for name in results.__all__ if isinstance(getattr(results, name), ModuleType)]
    assert not hidden
