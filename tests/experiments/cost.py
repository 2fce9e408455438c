#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What trust costs: the same contestants with all of it and without, in turn; medians side by side, and wall time.

    tests/experiments/cost.py [--podium build/host/bin/podium] [--device host] [--pairs 5] [PROBLEM...] [-- OPTIONS]

With: as podium runs. Without: every means of the sandbox is left out (PODIUM_SANDBOX_WITHOUT), and the judge's checks,
references and rehearsals, which cannot be turned off, are taken off the wall time by the record's own account of it.
Attestation (the empty contestant, calls behind one gate) has no switch and no account of its own: it is in both.
So is what any benchmark has to do: inputs, caches, processes, messages. The time of building is in neither. Times beside
the cold ones are left out: the record tells their checks from their calls no longer.

Runs alternate, and so does which of a pair is first. Prints for each contestant and workload the median of its runs
with and without, how far apart they lie, and the noise: half of the range of the same runs' medians, the larger of the
two kinds. Then wall seconds, their parts and the ratio. Exit status 1 if a difference exceeds the noise and 2 %, or if
the ratio is above 1.3.
"""
import argparse
import collections
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

MEANS = ("uid", "seccomp", "network namespace", "IPC namespace", "mount namespace", "landlock", "hidden processes")
CHECKS = ("checks", "rehearsals")  # of the parts of the wall time
MOST_RATIO, LEAST_DIFFERENCE = 1.3, 0.02


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podium", type=pathlib.Path, default="build/host/bin/podium")
    parser.add_argument("--device", default="host")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("problems", nargs="*")
    own, more = sys.argv[1:], []
    if "--" in own:
        own, more = own[: own.index("--")], own[own.index("--") + 1 :]
    options = parser.parse_args(own)
    options.more = more

    runs: dict[bool, list[dict]] = {True: [], False: []}
    for pair in range(-1, options.pairs):  # the first builds, and is forgotten
        for trusted in (True, False) if pair % 2 else (False, True):
            with tempfile.TemporaryDirectory() as results:
                found = run(options, pathlib.Path(results), trusted)
            if pair >= 0:
                runs[trusted].append(found)

    keys = sorted(set.intersection(*(set(one["medians"]) for kind in runs.values() for one in kind)))
    if not keys:
        sys.exit("no contestant was right in every run")
    beyond = 0
    print(f"{'with, µs':>12} {'without, µs':>12} {'apart':>8} {'noise':>7}")
    for key in keys:
        times = {trusted: [one["medians"][key] for one in kind] for trusted, kind in runs.items()}
        with_, without = statistics.median(times[True]), statistics.median(times[False])
        apart, noise = with_ / without - 1, max(map(half_range, times.values()))
        mark = "*" if abs(apart) > max(noise, LEAST_DIFFERENCE) else " "
        beyond += mark == "*"
        print(f"{with_:12.3f} {without:12.3f} {100 * apart:+7.2f}% {100 * noise:6.2f}%{mark} " + " ".join(key))
    wall = {trusted: statistics.median(one["wall"] for one in kind) for trusted, kind in runs.items()}
    for trusted, name in ((True, "with"), (False, "without")):
        spread = half_range([one["wall"] for one in runs[trusted]])
        parts = sorted({part for one in runs[trusted] for part in one["parts"]} - {"building"})
        shares = {part: statistics.median(one["parts"].get(part, 0) for one in runs[trusted]) for part in parts}
        text = ", ".join(f"{part} {seconds:.2f}" for part, seconds in shares.items() if seconds >= 0.005)
        print(f"{name:>8}: {wall[trusted]:7.2f} s ± {100 * spread:.0f} %  ({text})")
    ratio = wall[True] / wall[False]
    print(f"wall time {ratio:.2f} times; {beyond} of {len(keys)} medians further apart than noise and 2 %")
    return 1 if beyond or ratio > MOST_RATIO else 0


if __name__ == "__main__":
    sys.exit(main())
