"""The bus topology with orders in plain sentences and no validation: for tests that are about messages."""

from __future__ import annotations

from typing import Any

from harness.delegation.rules import Delegation
from topologies.bus import Bus

TALK = Delegation(order="sentence", validate=False)


def talking_bus(**options: Any) -> Bus:
    return Bus(delegation=TALK, **options)
