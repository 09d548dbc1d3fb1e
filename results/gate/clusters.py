"""Which runs are no independent evidence: epochs of a sample, samples of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Values: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Clusters:
    """Which runs belong together: ``sample`` of each run, ``cluster`` of each sample, by number. Clusters are numbered
    in the order of their names."""

    sample: npt.NDArray[np.intp]
    cluster: npt.NDArray[np.intp]

    @property
    def count(self) -> int:
        return int(self.cluster.max()) + 1 if len(self.cluster) else 0

    def averaged(self, values: Values) -> Values:
        """One number a cluster, of one a run."""
        return _means(_means(values, self.sample), self.cluster)


def _means(values: Values, group: npt.NDArray[np.intp]) -> Values:
    sums: Values = np.bincount(group, weights=values).astype(np.float64)
    return sums / np.bincount(group)


def clustered(samples: Sequence[str], clusters: Sequence[str]) -> Clusters:
    """``samples``, ``clusters``: of each run."""
    numbers: dict[str, int] = {}
    sample = [numbers.setdefault(name, len(numbers)) for name in samples]
    of = dict(zip(sample, clusters, strict=True))
    order = {name: i for i, name in enumerate(sorted(set(of.values())))}
    return Clusters(np.array(sample, np.intp), np.array([order[of[i]] for i in range(len(of))], np.intp))
