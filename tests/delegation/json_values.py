"""Any JSON value, as a worker may send it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(["1", "2.50 EUR", "names.txt §3", "PEP 484", "３ 万元"])
)
KEYS = st.sampled_from(["a", "b", "rows"]) | st.text(max_size=3)
JSON: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=12
)
