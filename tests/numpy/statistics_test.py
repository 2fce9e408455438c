# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""statistics_test.py PROGRAM: Podium's intervals, p-values and Kendall's tau against SciPy's, of random numbers.

The median's interval of order statistics for every count up to 300, Student's and Welch's intervals and p-values, tau
with ties; Holm's procedure, which SciPy lacks, against its adjusted p-values, worked out here from their definition.
What is asked for is changed on purpose as well: by another confidence every comparison must fail.
"""

import json
import subprocess
import sys

import numpy
from scipy import stats

CONFIDENCES = (0.8, 0.95, 0.99)
process = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
draw = numpy.random.default_rng(1)


def podium(of: str, **given: object):
    process.stdin.write(json.dumps({"of": of} | given, default=list) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def median(x, confidence):
    interval = stats.quantile_test(x, q=0, p=0.5).confidence_interval(confidence)
    ends = (interval.low, interval.high)
    return numpy.median(x), *((min(x), max(x)) if numpy.isnan(ends).any() else ends)


def student(test, confidence):
    interval = test.confidence_interval(confidence)
    return interval.low, interval.high, test.pvalue


def holm(p, confidence):
    """Of ascending p: the largest of m p(1), (m - 1) p(2), ... so far, as in Wright 1992, Biometrics 48."""
    order = numpy.argsort(p)
    adjusted = numpy.maximum.accumulate(numpy.asarray(p)[order] * (len(p) - numpy.arange(len(p))))
    rejected = numpy.zeros(len(p), bool)
    rejected[order] = adjusted < 1 - confidence
    return rejected


def compared(ask_by=lambda confidence: confidence) -> dict[str, list[str]]:
    """What differs, by kind. Podium is asked for the confidence that `ask_by` makes of SciPy's."""
    wrong: dict[str, list[str]] = {kind: [] for kind in ("median", "mean", "difference", "holm")}

    def hold(kind, found, expected, of):
        if not numpy.allclose(found, expected, rtol=1e-9, atol=1e-12):
            wrong[kind].append(f"FAILED {kind} of {of}: found {found}, expected {expected}")

    for confidence in CONFIDENCES:
        asked = ask_by(confidence)
        for count in range(1, 301):
            x = draw.standard_cauchy(count)
            hold("median", podium("median", x=x, confidence=asked), median(x, confidence), f"{count} at {confidence}")
        for count in (2, 3, 7, 9, 30):
            x, y = draw.normal(0.5, 1, count), draw.normal(0, 3, count + 4)
            hold("mean", podium("mean", x=x, alpha=1 - asked), student(stats.ttest_1samp(x, 0), confidence), f"{count} at {confidence}")
            welch = stats.ttest_ind(x, y, equal_var=False)
            hold("difference", podium("difference", x=x, y=y, alpha=1 - asked), student(welch, confidence), f"{count} at {confidence}")
        for count in (1, 2, 5, 15, 45):
            for _ in range(20):
                p = draw.beta(0.3, 4, count)
                hold("holm", podium("holm", x=p, alpha=1 - asked), holm(p, confidence), f"{count} at {confidence}")
    return wrong


wrong = [sentence for sentences in compared().values() for sentence in sentences]
wrong += [f"FAILED {kind}: another confidence changes nothing" for kind, found in compared(lambda c: 1 - (1 - c) / 2).items() if not found]
for count in (2, 3, 10, 60):
    x, y = draw.integers(0, 20, count), draw.integers(0, 20, count)
    tau = stats.kendalltau(x, y).statistic
    if not numpy.isnan(tau) and not numpy.isclose(podium("kendall", x=x.tolist(), y=y.tolist()), tau):
        wrong.append(f"FAILED kendall of {x} and {y}, expected {tau}")
process.stdin.close()
print(*wrong[:20], f"{len(wrong)} differ", sep="\n")
sys.exit(bool(wrong) or process.wait() != 0)
