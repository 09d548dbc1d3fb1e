"""Rows that come from elsewhere, rows that go elsewhere, and several stores made one."""
