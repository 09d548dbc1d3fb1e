"""The grader: catches minus false alarms over the set of drafts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.suite import Grade
from tasks.common.entries import entries_in, shown
from tasks.common.texts import normalise, strip_marker
from tasks.review.cases import CLEAN, DEFECT, NAMING, PLACE, TELLING, Case, Draft, verdict_of

CAUGHT, WRONG_PLACE, MISSED = "caught", "wrong_place", "missed"
CLEARED, FALSE_ALARM = "cleared", "false_alarm"
MISSING = "missing"
OUTCOMES = (CAUGHT, WRONG_PLACE, MISSED, CLEARED, FALSE_ALARM, MISSING)


def grade(case: Case, answer: str) -> Grade:
    """Youden's J of an answer over the drafts of a sample, at least 0: the share of defective drafts that are caught
    minus the share of clean ones that are not cleared. Never raises, whatever the text.

    ``detail``: counts of each outcome (``outcome``), ``defective`` and ``clean`` drafts, both rates, ``unmatched``
    entries that name no draft, ``parsed`` (was there an array of objects at all), ``by_kind`` of defect and
    ``other_file`` (defects that only another file shows) as caught of how many, and a result for each draft.
    """
    entries = list(entries_in(answer))
    given: dict[str, list[Mapping[str, Any]]] = {draft.label: [] for draft in case.drafts}
    unmatched = 0
    for entry in entries:
        name = entry.get(NAMING)
        label = case.names.get(normalise(strip_marker(name))) if isinstance(name, str) else None
        if label is None:
            unmatched += 1
        else:
            given[label].append(entry)
    outcomes = {draft.label: outcome(draft, given[draft.label]) for draft in case.drafts}
    defective = [draft for draft in case.drafts if draft.defective]
    clean = [draft for draft in case.drafts if not draft.defective]
    catch = _share(sum(outcomes[d.label] == CAUGHT for d in defective), len(defective))
    alarm = _share(sum(outcomes[d.label] != CLEARED for d in clean), len(clean))
    by_kind: dict[str, dict[str, int]] = {}
    across = {"caught": 0, "of": 0}
    for draft in defective:
        counts = [by_kind.setdefault(draft.pair.kind, {"caught": 0, "of": 0})]
        counts += [across] if draft.pair.context is not None else []
        for count in counts:
            count["caught"] += outcomes[draft.label] == CAUGHT
            count["of"] += 1
    detail = {
        **{name: sum(found == name for found in outcomes.values()) for name in OUTCOMES},
        "defective": len(defective),
        "clean": len(clean),
        "catch_rate": catch,
        "false_alarm_rate": alarm,
        "unmatched": unmatched,
        "parsed": bool(entries),
        "by_kind": by_kind,
        "other_file": across,
        "drafts": [_result(draft, outcomes[draft.label], given[draft.label]) for draft in case.drafts],
    }
    return Grade(max(0.0, catch - alarm), detail)


def outcome(draft: Draft, given: list[Mapping[str, Any]]) -> str:
    """What became of a draft. Several entries for it have to agree: all defects in the planted place, or all clean. No
    verdict, or one that takes itself back, is ``missing`` and as bad as the wrong one."""
    verdicts = {verdict_of(entry) for entry in given}
    if verdicts == {CLEAN}:
        return MISSED if draft.defective else CLEARED
    if verdicts != {DEFECT}:
        return MISSING
    if not draft.defective:
        return FALSE_ALARM
    return CAUGHT if all(draft.is_place(entry.get(PLACE)) for entry in given) else WRONG_PLACE


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _result(draft: Draft, found: str, given: list[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "draft": draft.label,
        "file": draft.pair.file,
        "planted": draft.pair.kind if draft.defective else None,
        "outcome": found,
        "verdict": [shown(entry.get(TELLING)) for entry in given[:3]],
        "where": [shown(entry.get(PLACE)) for entry in given[:3]],
        "expected": draft.right[PLACE],
    }
