"""How often the intervals of ``results.stats`` hold the truth, measured where the truth is known (docs/coverage.md).

``python -m benchmarks.coverage`` prints the table, ``--write`` puts it into the page.
"""
