#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What trust costs: the same contestants with all of it and without, in turn; medians side by side, and wall time.

    tests/experiments/cost.py [--podium build/host/bin/podium] [--device host] [--pairs 6] [PROBLEM...] [-- OPTIONS]

With: as podium runs. Without: every means of the sandbox is left out (PODIUM_SANDBOX_WITHOUT), and the judge's checks,
references and rehearsals, which cannot be turned off, are taken off the wall time by the record's own account of it.
Attestation (the empty contestant, calls behind one gate) has no switch and no account of its own: it is in both.
So is what any benchmark has to do: inputs, caches, processes, messages. The time of building is in neither. Times beside
the cold ones are left out: the record tells their checks from their calls no longer.

Runs alternate, and so does which of a pair is first. Prints for each contestant and workload the medians with and
without, and the mean over the pairs of the logarithm of their ratio. What chance alone does is known from the same runs:
were trust free, either of a pair could as well be called the one with it. So all ways to call them are tried, each row's
mean taken in its own standard errors, and an asterisk says that a row is beyond 2 %, and beyond what the largest of all
rows exceeds in one way of twenty. The mean over all rows is told with the share of those ways that give as large a one;
an asterisk is where that is at most one in twenty, and the mean beyond 0.5 %. Then wall seconds, their parts and the
ratio. Exit status 1 if anything has an asterisk, or if the ratio is above 1.3.
"""
import argparse
import collections
import itertools
import json
import math
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile

MEANS = (
    "uid",
    "seccomp",
    "network namespace",
    "IPC namespace",
    "mount namespace",
    "landlock",
    "hidden processes",
    "one device",
    "memory group",
)
CHECKS = ("checks", "rehearsals")  # of the parts of the wall time
MOST_RATIO, LEAST_DIFFERENCE = 1.3, 0.02
LEAST_OVERALL = 0.005
FEWEST_PAIRS, MOST_PAIRS = 6, 14  # of fewer, no mean is rarer by chance than one way of twenty; of more, ways are too many


def run(options: argparse.Namespace, results: pathlib.Path, trusted: bool) -> dict:
    """Medians by (problem, types, workload, contestant), wall seconds, and those spent on trust."""
    command = [options.podium, "run", *options.problems, "--device", options.device, "--results", results, "--quiet", "--cold-only"]
    environment = dict(os.environ)
    environment.pop("PODIUM_SANDBOX_WITHOUT", None)
    if not trusted:
        environment["PODIUM_SANDBOX_WITHOUT"] = ",".join(MEANS)
    ended = subprocess.run([*map(str, command), *options.more], env=environment, capture_output=True, text=True)
    folders = [file.parent for file in results.glob("*/*/run.json")]
    if ended.returncode not in (0, 1) or len(folders) != 1:
        sys.exit(f"podium ended with status {ended.returncode}: {ended.stderr.strip()[-2000:]}")
    record = json.loads((folders[0] / "run.json").read_text())
    if bool(set(MEANS) & set(record["sandbox"])) != trusted:
        sys.exit(f"{'with' if trusted else 'without'} a sandbox, yet its means are {record['sandbox']}")
    medians = collections.defaultdict(list)
    for line in (folders[0] / "entries.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["round"] >= 0 and entry["verdict"] == "right" and not entry["twin"]:
            medians[entry["problem"], entry["types"], entry["workload"], entry["contestant"]].append(entry["median"])
    parts = {name: s for name, s in record["spent"].items() if isinstance(s, float) and "microseconds" not in name}
    wall = record["wall_seconds"] - parts["building"]
    if not trusted:
        wall -= sum(parts.get(name, 0) for name in CHECKS)
    return {"medians": {key: statistics.median(values) for key, values in medians.items()}, "wall": wall, "parts": parts}


def half_range(values: list[float]) -> float:
    return (max(values) - min(values)) / 2 / statistics.median(values)


def means(pairs: list[list[float]]) -> list[float]:
    """Of each row, over the pairs."""
    return [statistics.fmean(row) for row in zip(*pairs)]


def strengths(pairs: list[list[float]]) -> list[float]:
    """Of each row, how many of its own standard errors its mean is away from zero, as for a scatter of 0.1 % at least."""
    return [abs(statistics.fmean(row)) / max(statistics.stdev(row), 1e-3) * math.sqrt(len(row)) for row in zip(*pairs)]


def quantile(values: list[float], share: float) -> float:
    """The least of the values that is not exceeded by more than 1 - share of them."""
    return sorted(values)[math.ceil(share * len(values)) - 1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podium", type=pathlib.Path, default="build/host/bin/podium")
    parser.add_argument("--device", default="host")
    parser.add_argument("--pairs", type=int, default=FEWEST_PAIRS)
    parser.add_argument("problems", nargs="*")
    own, more = sys.argv[1:], []
    if "--" in own:
        own, more = own[: own.index("--")], own[own.index("--") + 1 :]
    options = parser.parse_args(own)
    options.more = more
    if not FEWEST_PAIRS <= options.pairs <= MOST_PAIRS:
        parser.error(f"--pairs {options.pairs}: expected {FEWEST_PAIRS} to {MOST_PAIRS}; of fewer nothing can be told from chance")

    runs: dict[bool, list[dict]] = {True: [], False: []}
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for trusted in [None] + [bool(at % 4 % 3) for at in range(2 * options.pairs)]:  # the first builds, and is forgotten
            with tempfile.TemporaryDirectory() as results:
                found = run(options, pathlib.Path(results), trusted is not False)
            if trusted is not None:
                runs[trusted].append(found)
    except KeyboardInterrupt:
        pairs = min(map(len, runs.values()))
        if pairs < FEWEST_PAIRS:
            sys.exit(f"stopped after {pairs} of {options.pairs} pairs; at least {FEWEST_PAIRS} are needed")
        print(f"stopped after {pairs} of {options.pairs} pairs")

    keys = sorted(set.intersection(*(set(one["medians"]) for kind in runs.values() for one in kind)))
    if not keys:
        sys.exit("no contestant was right in every run")
    pairs = [[math.log(one["medians"][key] / other["medians"][key]) for key in keys] for one, other in zip(runs[True], runs[False])]
    apart, sizes = means(pairs), strengths(pairs)
    by_chance = [[[-row if flip else row for row in pair] for pair, flip in zip(pairs, (False, *flips))] for flips in itertools.product((False, True), repeat=len(pairs) - 1)]
    chance = quantile([max(strengths(one)) for one in by_chance], 0.95)
    beyond = 0
    print(f"{'with, µs':>12} {'without, µs':>12} {'apart':>8}")
    for key, mean, size in zip(keys, apart, sizes):
        times = {trusted: statistics.median(one["medians"][key] for one in kind) for trusted, kind in runs.items()}
        mark = "*" if size > chance and abs(mean) > LEAST_DIFFERENCE else " "
        beyond += mark == "*"
        print(f"{times[True]:12.3f} {times[False]:12.3f} {100 * mean:+7.2f}%{mark} " + " ".join(key))
    overall = statistics.fmean(apart)
    as_large = statistics.fmean(abs(statistics.fmean(means(one))) >= abs(overall) * (1 - 1e-9) for one in by_chance)
    together = as_large <= 0.05 and abs(overall) > LEAST_OVERALL
    print(f"all {len(keys)} rows: {100 * overall:+.2f} %{'*' if together else ''}; by chance as much in {100 * as_large:.0f} % of the ways")
    wall = {trusted: statistics.median(one["wall"] for one in kind) for trusted, kind in runs.items()}
    for trusted, name in ((True, "with"), (False, "without")):
        spread = half_range([one["wall"] for one in runs[trusted]])
        parts = sorted({part for one in runs[trusted] for part in one["parts"]} - {"building"})
        shares = {part: statistics.median(one["parts"].get(part, 0) for one in runs[trusted]) for part in parts}
        text = ", ".join(f"{part} {seconds:.2f}" for part, seconds in shares.items() if seconds >= 0.005)
        print(f"{name:>8}: {wall[trusted]:7.2f} s ± {100 * spread:.0f} %  ({text})")
    ratio = wall[True] / wall[False]
    print(f"wall time {ratio:.2f} times; {beyond} of {len(keys)} medians further apart than 2 % and than chance")
    return 1 if beyond or together or ratio > MOST_RATIO else 0


if __name__ == "__main__":
    sys.exit(main())
