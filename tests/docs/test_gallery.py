"""The README's gallery: each picture is there, and the commands under them are those that make them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def gallery() -> Any:
    spec = importlib.util.spec_from_file_location("gallery", ROOT / ".ci/gallery.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_picture_is_shown_and_its_commands_stand_under_it() -> None:
    made, text = gallery(), (ROOT / "README.md").read_text(encoding="utf-8")
    for name, sweep in made.SWEEPS.items():
        assert f"python -m harness {' '.join(sweep)} store.dir={made.BUILD / name}\n" in text
        assert f"python -m results report {made.BUILD / name} --out {made.BUILD / name}-report\n" in text
        for picture in made.PICTURES[name]:
            assert f"({made.GALLERY / picture}.png)" in text
    shown = {f"{picture}.png" for pictures in made.PICTURES.values() for picture in pictures}
    assert {p.name for p in (ROOT / made.GALLERY).iterdir()} == shown
    assert all((ROOT / made.GALLERY / name).read_bytes().startswith(b"\x89PNG") for name in shown)
