"""Agents that talk by message: permissions, mailboxes, lazy loading and the idle loop of seed document 000."""
