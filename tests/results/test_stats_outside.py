"""The same figures as statsmodels has, and as a published example of the interval of scores."""

from __future__ import annotations

import math

import numpy as np
import pytest

from results.stats import holm, mean, wilson

api = pytest.importorskip("statsmodels.api", reason="statsmodels is not installed: pip install -e '.[dev]'")


def test_a_paired_interval_and_its_tests() -> None:
    from statsmodels.stats.weightstats import DescrStatsW

    random = np.random.default_rng(5)
    single, team = random.gamma(2.0, 1.0, 23), random.gamma(3.0, 1.0, 23)
    ours, theirs = mean(team - single), DescrStatsW(team - single)
    assert ours.interval is not None
    assert (ours.interval.low, ours.interval.high) == pytest.approx(theirs.tconfint_mean(0.05), rel=1e-10)
    assert ours.p_above(0.4) == pytest.approx(theirs.ttest_mean(0.4, alternative="larger")[1], rel=1e-8)
    assert ours.p_below(0.4) == pytest.approx(theirs.ttest_mean(0.4, alternative="smaller")[1], rel=1e-8)
    assert (ours.se, ours.sd) == pytest.approx((theirs.std_mean, theirs.std * math.sqrt(23 / 22)))


def test_cluster_means_are_cluster_robust_errors() -> None:
    """Of clusters of equal size: OLS on a constant with cov_type="cluster" and t of G − 1 degrees of freedom."""
    random = np.random.default_rng(6)
    clusters, size = 8, 5
    values = random.normal(0, 1, clusters).repeat(size) + random.normal(0.3, 1, clusters * size)
    groups = np.arange(clusters).repeat(size)
    fit = api.OLS(values, np.ones_like(values)).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    ours = mean(values.reshape(clusters, size).mean(axis=1))
    assert ours.interval is not None
    assert ours.value == pytest.approx(fit.params[0]) and ours.se == pytest.approx(fit.bse[0])
    assert (ours.interval.low, ours.interval.high) == pytest.approx(tuple(fit.conf_int()[0]))
    assert 2 * min(ours.p_above(0.0) or 1, ours.p_below(0.0) or 1) == pytest.approx(fit.pvalues[0])


def test_scores_are_the_interval_of_bonett_and_price() -> None:
    """The example of ci.prop.ps in the R package statpsych (Bonett): 26 won, 4 lost, 18 alike; estimate 0.44, standard
    error 0.09448809 with a variance by n: ours is by n − 1, of 50 values with the two added."""
    found = mean([1.0] * 26 + [-1.0] * 4 + [0.0] * 18, scores=True)
    assert found.centre == pytest.approx(0.44)
    assert found.se == pytest.approx(0.09448809 * math.sqrt(50 / 49), abs=1e-8)


@pytest.mark.parametrize(("successes", "n"), [(0, 5), (3, 7), (50, 60), (199, 200), (8, 8)], ids=str)
def test_wilson(successes: int, n: int) -> None:
    from statsmodels.stats.proportion import proportion_confint

    for level in (0.9, 0.95):
        low, high = proportion_confint(successes, n, 1 - level, method="wilson")
        found = wilson(successes, n, level)
        assert (found.low, found.high) == pytest.approx((float(low), float(high)), abs=1e-12)


def test_holm() -> None:
    from statsmodels.stats.multitest import multipletests

    random = np.random.default_rng(7)
    for size in (1, 2, 5, 40):
        values = [float(p) for p in random.beta(0.4, 2.0, size)]
        assert holm(values) == pytest.approx(multipletests(values, method="holm")[1])
