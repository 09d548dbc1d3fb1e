"""Entries: what the model makes of evidence, of other agents' entries, and of nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.models.oracle import Item
from harness.models.simulated.prompt.findings import Entry, says
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.deciding import followed
from harness.models.simulated.skills.listing import listed, only, read_since, seen, united

_PLANNED = re.compile(r"\byou plan the work of a team\b", re.I)
OMITTED: Entry = {}
"""An entry that is left out although the answer was at hand."""


def resolve(view: View, item: Item) -> Entry | None:
    """The entry for a question: what this agent said before, what it reads, what it was told, in this order (told
    before read for a closed-book item, which everybody can read, by whoever combines what others found in material that
    it holds too, and by whoever holds a part of the evidence only, such as the passage that came along with an entry).
    None: there is nothing to go by."""
    if item.pieces:
        return gathered(view, item)
    own = view.own_entries.get(item.question)
    if own is not None:
        return own
    closed_book = item.evidence == (item.question,)
    told_first = closed_book or view.team.combines or view.evidence.locate(item) is None
    for source in (told, read_entry) if told_first else (read_entry, told):
        entry = source(view, item)
        if entry is not None:
            return entry
    return guessed(view, item)


def gathered(view: View, item: Item) -> Entry | None:
    """The entry for a question whose answer is a list: what this agent said before, with what it has come to read since
    then. Whoever has divided the work puts together what it hears, and what it reads itself."""
    own, said = None, -1
    for at, message in enumerate(view.messages):
        if message.role == "assistant" and (given := view.entries_in([message.text]).get(item.question)):
            own, said = given[-1], at
    read = read_entry(view, read_since(view, item, said))
    heard = None
    if own is None and (view.team.leads or view.team.combines or read is None):
        heard = told(view, item)
    found = [entry for entry in (own, read, heard) if entry is not None]
    if not found:
        return guessed(view, item)
    kept = [entry for entry in found if entry]
    return (kept[0] if len(kept) == 1 else united(item, kept)) if kept else OMITTED


def guessed(view: View, item: Item) -> Entry | None:
    """Made up, by chance: more often by whoever was not told to keep to its task."""
    widened = view.behaviour.orders.widen if view.delegated and not view.narrow else 0.0
    chance = min(1.0, view.behaviour.answering.guess + widened)
    return invented(view, item) if view.draws.request("guess", item.question) < chance else None


def read_entry(view: View, item: Item, event: str = "read") -> Entry | None:
    """The entry that reading the evidence leads to, right or not; None if the evidence is not in the prompt.

    ``event`` other than ``read``: a fresh look, that shares nothing with earlier ones.
    """
    item = seen(view, item)
    place = view.evidence.locate(item)
    if place is None:
        return item.partial if item.partial is not None and view.evidence.begins(item) else None
    if item.draft is not None:
        return reviewed(view, item, event)
    rules, attention = view.behaviour.answering, view.behaviour.attention
    chance = rules.accuracy + rules.spread * (1 - 2 * view.draws.difficulty(item.question))
    chance -= attention.dilution * view.fill
    length = min(1.0, view.prompt.tokens / attention.middle_from_tokens)
    chance -= attention.middle * length * 4 * place * (1 - place)
    confusion = rules.mixup * max(0, view.documents_held - 1)
    luck = _luck(view, item, event, "luck")
    if luck < chance - confusion:
        return _as_read(view, item, decided(view, item))
    confused = [entry for evidence, entry in item.mixups if view.evidence.holds(evidence)] if confusion > 0 else []
    if luck < chance:
        return _one_of(confused, _luck(view, item, event, "mixup")) or _as_read(view, item, decided(view, item))
    return _as_read(view, item, mistake(view, item, event))


def is_right(item: Item, entry: Entry) -> bool:
    """Whether an entry is the right one, whichever of the item's places it names, or right under some option of the
    decision that it depends on."""
    if item.choice is not None:
        return any(entry == right for _, right in item.choice.options)
    own = dict(item.places[0][1]) if item.places else {}
    here = any(all(entry.get(k) == v for k, v in fields.items()) for _, fields in item.places)
    return entry == item.right or (here and {**entry, **own} == item.right)


def decided(view: View, item: Item) -> Entry:
    """The right entry; where it depends on a decision, under the option that this agent goes by."""
    return item.right if item.choice is None else item.choice.options[followed(view, item.choice)][1]


def reviewed(view: View, item: Item, event: str = "read") -> Entry:
    """The verdict on a draft: a defect is noticed by the rate for one's own or for others' work, a clean draft taken
    for defective at the rate of false alarms."""
    rules = view.behaviour.review
    own = any(m.role == "assistant" and view.knowledge.where(m.text, item.evidence[0]) >= 0 for m in view.messages)
    noticed = (rules.self_catch if own else rules.catch) if item.draft else 1 - rules.false_alarm
    return item.right if _luck(view, item, event, "verdict") < noticed else item.wrong[0]


def _as_read(view: View, item: Item, entry: Entry) -> Entry:
    """An entry that names the place where this agent has read the evidence, if it names the first of several."""
    if not item.places or any(entry.get(k) != v for k, v in item.places[0][1].items()):
        return entry
    place = next((fields for mark, fields in item.places if view.evidence.holds(mark)), {})
    return {**entry, **place}


def mistake(view: View, item: Item, event: str) -> Entry:
    """Another error than a mix-up: left out, misplaced or wrong."""
    rules = view.behaviour.answering
    kind = _luck(view, item, event, "kind")
    if kind < rules.omitted:
        return OMITTED
    wrong, misplaced = _wrong(item), [e for e in item.wrong if _same_answer(item, e)]
    first, second = (misplaced, wrong) if kind < rules.omitted + rules.misplaced else (wrong, misplaced)
    return _one_of(first or second, _luck(view, item, event, "which")) or OMITTED


def _luck(view: View, item: Item, event: str, name: str) -> float:
    """Chance around one reading: in part the same for all agents of a model, so that their errors agree."""
    draws = view.draws
    if event == "read" and draws.request("common", item.question) < view.behaviour.answering.correlation:
        return draws.family(name, item.question)
    return draws.request(f"{event} {name}", item.question)


def told(view: View, item: Item) -> Entry | None:
    """What most messages say, as far as it survives being passed on; of a list, for whoever has divided the work, what
    all of them say together."""
    heard = view.heard_entries.get(item.question)
    if not heard:
        return None
    divided = bool(item.pieces) and (view.team.leads or view.team.combines or says(_PLANNED, view.system))
    return retold(view, item, united(item, heard) if divided else most_held(item, heard))


def most_held(item: Item, entries: Sequence[Entry]) -> Entry:
    """The entry to a question that most of these agree on (ties: the first), at least one."""
    votes = [repr(sorted((k, repr(v)) for k, v in entry.items() if k != item.naming)) for entry in entries]
    return entries[votes.index(max(votes, key=votes.count))]


def retold(view: View, item: Item, entry: Entry) -> Entry:
    """Another agent's entry as this one passes it on."""
    relay = view.behaviour.relay
    drift = view.draws.request("relay", item.question)
    if drift >= relay.drift:
        return {name: entry[name] for name in item.right if name in entry}  # only what the task's form asks for
    if drift < relay.drift * relay.lost:
        return OMITTED
    known = only(item, listed(item, entry))
    return _one_of(_wrong(known), view.draws.request("relay which", item.question)) or OMITTED


def invented(view: View, item: Item) -> Entry | None:
    """A wrong entry made up without evidence: never one with the right answer. None if there is none to choose."""
    return _one_of(_wrong(only(item, ())), view.draws.family("invented", item.question))


def _wrong(item: Item) -> list[Entry]:
    return [e for e in item.wrong if not _same_answer(item, e)]


def _same_answer(item: Item, entry: Entry) -> bool:
    return bool(entry.get(item.telling) == item.right.get(item.telling))


def _one_of(entries: list[Entry], luck: float) -> Entry | None:
    return entries[int(luck * len(entries))] if entries else None


def deliverable(view: View, entries: Iterable[tuple[Item, Entry | None]]) -> list[Entry]:
    """The entries to hand in: null where there is nothing to go by, unless told to leave such out; some of them twice
    when the context is full."""
    kept: list[Entry] = []
    again: list[Entry] = []
    for item, entry in entries:
        if entry is OMITTED or (entry is None and view.leave_out):
            continue
        shown = _in_form(view, item, entry or {**dict.fromkeys(item.right), item.naming: item.right[item.naming]})
        kept.append(shown)
        if view.draws.request("again", item.question) < view.behaviour.answering.repeated * view.fill:
            again.append(shown)
    return kept + again


def _in_form(view: View, item: Item, entry: Entry) -> Entry:
    """An entry as this agent writes it: with what its order left open settled its own way."""
    if not view.delegated:
        return entry
    habits, draws = view.behaviour.orders, view.draws
    shown = dict(entry)
    if not view.form_told and draws.agent("loose") < habits.loose:
        shown = {name: value for name, value in shown.items() if name in (item.naming, item.telling)}
    if (
        not view.closed
        and draws.agent("copy", item.question) < habits.copy
        and (passage := view.evidence.passage(item))
    ):
        shown["source"] = passage
    return shown


def array_field(form: Mapping[str, Any] | None) -> str | None:
    """The one field under which a requested JSON schema wants the entries; None if it wants a bare array or nothing."""
    wrapper = (form or {}).get("json_schema")
    schema = wrapper.get("schema") if isinstance(wrapper, Mapping) else None
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        return None
    return next((k for k, v in properties.items() if isinstance(v, Mapping) and v.get("type") == "array"), None)
