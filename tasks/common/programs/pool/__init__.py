"""The suites' own functions: 24 small ones and 24 larger ones, each with its specification, solution and tests.

A function's name stands once in the pool.
"""

from __future__ import annotations

from tasks.common.programs.pool.keeping import KEEPING
from tasks.common.programs.pool.lists import LISTS
from tasks.common.programs.pool.material import Material
from tasks.common.programs.pool.numbers import NUMBERS
from tasks.common.programs.pool.searching import SEARCHING
from tasks.common.programs.pool.texts import TEXTS
from tasks.common.programs.pool.writing import WRITING

SMALL: tuple[Material, ...] = (*TEXTS, *NUMBERS, *LISTS)
LARGER: tuple[Material, ...] = (*WRITING, *SEARCHING, *KEEPING)

__all__ = ["LARGER", "SMALL", "Material"]
