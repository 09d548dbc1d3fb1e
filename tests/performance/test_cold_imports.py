"""A simulated run, its summary included, imports nothing that takes long and that it does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

COMMAND = ("topology=single", "task=qa_corpus", "task.limit=1", "progress=none")
SLOW = ("litellm", "matplotlib", "pandas", "pyarrow.dataset", "redis", "jsonschema", "aiohttp")
"""DESIGN names litellm (5 s of CPU and 200 MB); the others take 0.03 to 0.3 s each."""
SCRIPT = """
import sys
from harness.__main__ import main
code = main()
print("imported:", *(name for name in {slow!r} if name in sys.modules))
sys.exit(code)
"""


def test_a_cold_run_imports_nothing_slow(tmp_path: Path) -> None:
    script = SCRIPT.format(slow=SLOW)
    command = [sys.executable, "-c", script, *COMMAND, f"store.dir={tmp_path}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "SIMULATED · Tokens by purpose" in done.stdout
    assert done.stdout.splitlines()[-1].strip() == "imported:"
