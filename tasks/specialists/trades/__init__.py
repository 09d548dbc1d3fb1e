"""The four trades: each has five house rules, and two texts of the same length that say nothing of them."""

from __future__ import annotations

from tasks.specialists.trades.archive import ARCHIVE
from tasks.specialists.trades.cold_chain import COLD_CHAIN
from tasks.specialists.trades.customs import CUSTOMS
from tasks.specialists.trades.trade import Trade
from tasks.specialists.trades.vessels import VESSELS

TRADES: tuple[Trade, ...] = (CUSTOMS, VESSELS, COLD_CHAIN, ARCHIVE)
"""In the order of the brief."""
__all__ = ["TRADES", "Trade"]
