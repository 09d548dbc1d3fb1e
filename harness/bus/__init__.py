"""The message bus: one contract (``protocol``), four places where mailboxes can live."""
