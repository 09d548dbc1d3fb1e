"""What of a configuration is written down, and what tells two configurations apart."""

from __future__ import annotations

import json

import pytest
from omegaconf import OmegaConf

from harness.entry.resolved import HIDDEN, fingerprint, hide, plain, recorded

SECRET = "sk-0123456789"


def test_no_key_and_nothing_of_the_environment_is_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", SECRET)
    monkeypatch.setenv("SHORT", "a")
    config = OmegaConf.create(
        {
            "model": {
                "api_key": "typed-in",
                "base": "${oc.env:MY_TOKEN}",
                "header": "Bearer ${model.base}",
                "again": "${model.base}",
                "name": "a",
                "vague": "${oc.env:SHORT}",
            },
            "bus": {"url": "redis://user:pass@host:1/0"},
            "limits": {"run_tokens": 5, "max_tokens": 7},
            "list": [{"password": "p"}],
        }
    )
    assert plain(config)["model"]["header"] == f"Bearer {SECRET}"
    record = recorded(config)
    text = json.dumps(record)
    for secret in (SECRET, "typed-in", "user:pass", '"p"'):
        assert secret not in text
    assert record["limits"] == {"run_tokens": 5, "max_tokens": 7}
    assert record["bus"] == {"url": f"redis://{HIDDEN}@host:1/0"}
    assert record["model"]["header"] == f"Bearer {HIDDEN}"
    assert record["model"]["vague"] == HIDDEN


@pytest.mark.parametrize(
    ("override", "shown"),
    [
        ("model.api_key=abc", f"model.api_key={HIDDEN}"),
        ("+model.token=abc", f"+model.token={HIDDEN}"),
        ("bus.url=redis://u:p@h/0", f"bus.url=redis://{HIDDEN}@h/0"),
        ("limits.run_tokens=5", "limits.run_tokens=5"),
        ("topology=bus", "topology=bus"),
    ],
)
def test_overrides_are_written_down_without_secrets(override: str, shown: str) -> None:
    assert hide(override) == shown


def test_only_what_can_change_a_run_changes_the_fingerprint() -> None:
    base = {"seed": 1, "epochs": 1, "store": {"dir": "a"}, "task": {"docs": 4, "limit": None, "sample_ids": None}}
    same = {"seed": 1, "epochs": 3, "store": {"dir": "b"}, "task": {"docs": 4, "limit": 2, "sample_ids": ["x"]}}
    assert fingerprint(base) == fingerprint(same)
    assert len(fingerprint(base)) == 64
    assert fingerprint(base) != fingerprint({**base, "seed": 2})
    assert fingerprint(base) != fingerprint({**base, "task": {"docs": 5}})
