"""Files that steps have written, each in a workspace of its own, merged by code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.blocks import block, blocks_in
from harness.delegation.materials import Materials
from harness.expert.plan import before
from harness.expert.work import Work


@dataclass(frozen=True, slots=True)
class Merged:
    """``files``: name → content; ``conflicts``: file → the steps that do not know of each other and differ in it."""

    files: Mapping[str, str]
    conflicts: Mapping[str, tuple[str, ...]]

    @property
    def text(self) -> str:
        """The files as an answer gives them."""
        return "\n\n".join(block(name, content) for name, content in self.files.items())


def written(text: str) -> dict[str, str] | None:
    """The files in a product; None if it is none: no fenced block in it, or one without a name."""
    found = blocks_in(text)
    if not found or any(name is None for name, _ in found):
        return None
    return {name: content for name, content in found if name is not None}


async def merged(works: Sequence[Work], materials: Materials) -> Merged | None:
    """The files of all steps; None if some product is none. Where a step builds upon another, its version of a file
    stands. Of steps that do not know of each other, that one's stands which has changed what both have read (the
    version that both build upon, else the task's own); if both have, and differently, that is a conflict."""
    products: dict[str, dict[str, str]] = {}
    for work in works:
        files = None if work.product is None else written(work.product.text)
        if files is None:
            return None
        products[work.step.id] = files
    known = before([work.step for work in works])
    kept: dict[str, str] = {}
    conflicts: dict[str, tuple[str, ...]] = {}
    for name in dict.fromkeys(name for files in products.values() for name in files):
        writers = [id for id, files in products.items() if name in files]
        last = [id for id in writers if not any(id in known[other] for other in writers)]
        base = await _base(name, last, writers, known, products, materials)
        changed = [id for id in last if products[id][name] != base] or last[:1]
        kept[name] = products[changed[0]][name]
        if len({products[id][name] for id in changed}) > 1:
            conflicts[name] = tuple(changed)
    return Merged(kept, conflicts)


async def _base(
    name: str, last: Sequence[str], writers: Sequence[str], known: Mapping[str, frozenset[str]],
    products: Mapping[str, Mapping[str, str]], materials: Materials,
) -> str | None:  # fmt: skip
    """What those who wrote a file last have all read of it: of the versions that all of them build upon the latest,
    else the task's own; None if there is none."""
    shared = [id for id in writers if all(id in known[one] for one in last)]
    latest = [id for id in shared if not any(id in known[other] for other in shared)]
    if len({products[id][name] for id in latest}) == 1:
        return products[latest[0]][name]
    if latest or len(last) < 2:
        return None
    text = await materials.read(name)
    return None if text is None else text.rstrip("\n")
