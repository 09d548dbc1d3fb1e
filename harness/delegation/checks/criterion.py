"""One acceptance criterion: a check by name, with its parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class CriterionRefused(Exception):
    """One sentence, for the model that wrote it, on what is wrong with a criterion and what would be right."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """``check``: a name in the registry; ``parameters``: what it was given beside, checked against what it takes."""

    check: str
    parameters: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"check": self.check, **self.parameters}

    def __str__(self) -> str:
        return json.dumps(self.as_json(), ensure_ascii=False)
