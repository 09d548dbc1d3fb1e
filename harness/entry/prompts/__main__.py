"""``python -m harness.entry.prompts [DIR]``: write the page of every shipped topology."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from harness.entry.aside import ending
from harness.entry.prompts.page import COMMAND, page
from harness.entry.prompts.scenes import SCENES
from harness.entry.prompts.studio import Studio
from harness.errors import ConfigError

FOLDER = "docs/prompts"
USAGE = f"""usage: {COMMAND} [DIR]

Writes one page a topology to DIR (default: {FOLDER}): its prompts and tools, and an example of every text
that the engine writes to its agents."""


def main(argv: Sequence[str]) -> int:
    """Write the pages and say which. Exit codes: 0 done, 2 the input is wrong."""
    if any(word in ("-h", "--help") for word in argv):
        print(USAGE)
        return 0
    return ending(_write_all, argv)


def _write_all(argv: Sequence[str]) -> int:
    if len(argv) > 1 or any(word.startswith("-") for word in argv):
        raise ConfigError(f"{' '.join(argv)}: one folder at most. {COMMAND} --help says more.")
    for path in write(Path(*argv or (FOLDER,))):
        print(path)
    return 0


def write(folder: Path) -> list[Path]:
    """Write all pages to a folder, which is made if need be. Raises HarnessError when it cannot be, or when a scene
    does not go as it is written."""
    pages = {}
    for topology, scenes in SCENES.items():
        studio = Studio(topology)
        pages[folder / f"{topology}.md"] = page(topology, studio.words, [studio.play(scene) for scene in scenes])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in pages.items():
            path.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise ConfigError(f"{folder}: cannot be written: {fault.strerror}. Name a folder that can.") from fault
    return list(pages)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
