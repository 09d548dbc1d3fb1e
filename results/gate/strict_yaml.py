"""YAML in which nothing is said twice: a key that stands twice in one mapping would silently take the last value."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import yaml


class _Loader(yaml.SafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise yaml.MarkedYAMLError(problem=f"key '{key.value}' stands twice", problem_mark=key.start_mark)
                seen.add(key.value)
        return super().construct_mapping(node, deep)


def parsed(text: str) -> Any:
    """What a YAML text says. Raises ValueError, in one line, where it is no YAML, says a key twice, nests too deep or
    has a number that is too long."""
    try:
        return yaml.load(text, _Loader)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise ValueError(" ".join(str(error).split())) from error
