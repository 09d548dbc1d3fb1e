"""The suite: options in, samples, grades and an oracle out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tasks.common.programs.function import Function
from tasks.common.programs.own import function_of
from tasks.common.programs.pool import LARGER, SMALL
from tasks.common.programs.suite import Programs
from tasks.common.sampled import at_least


@dataclass
class Modules(Programs):
    """So many functions in so many modules, none of which depends on another (``harness.suite.Suite``).

    Its fields are the options of ``conf/task/modules.yaml``, described there, beside those that every suite has
    (``tasks.common.sampled``).
    """

    modules: int = 6
    pass_threshold: float = field(default=0.8, kw_only=True)

    name = "modules"
    id_options = "task.modules and task.seed"
    size_option = "modules"

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(1, modules=self.modules)

    def pool(self) -> tuple[str, Sequence[Function]]:
        """All functions of our own."""
        return "own", [function_of(material) for material in (*SMALL, *LARGER)]
