"""The drafts of the suite ``review`` at work: what each promises, checked by running it."""

from __future__ import annotations

from . import alone, fitting, holding
from .contracts import CHECKS, at_work

__all__ = ["CHECKS", "alone", "at_work", "fitting", "holding"]
