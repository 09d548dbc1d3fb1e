"""The base systems, in the order in which samples take them."""

from __future__ import annotations

from tasks.refactor.system import System
from tasks.refactor.systems.bikes import BIKES
from tasks.refactor.systems.cables import CABLES
from tasks.refactor.systems.clinic import CLINIC
from tasks.refactor.systems.ferry import FERRY
from tasks.refactor.systems.library import LIBRARY
from tasks.refactor.systems.parcels import PARCELS

SYSTEMS: tuple[System, ...] = (PARCELS, FERRY, LIBRARY, CLINIC, BIKES, CABLES)
"""Nothing of one stands in another."""
