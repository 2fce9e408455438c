#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The judge's own work for a sample, against what the bytes of the workload take to be copied.

    tests/experiments/judge.py RUN [--all]      # a folder with run.json and entries.jsonl

For every problem, types and workload, in milliseconds, the medians over all samples of all contestants: fills (inputs
drawn and written, outputs poisoned, caches flushed), checks (outputs copied and scanned, guards and inputs compared,
samples verified) without the references, and the references. The goal is 6 times the copy time of the workload's bytes
plus 1 ms for fills and checks together. A copy of N bytes reads N and writes N, at the rate that the run measured.
Prints those above the goal, or with --all every one; exits with 1 if there are any.
"""
import argparse
import collections
import json
import pathlib
import statistics
import sys

COPIES, MORE = 6, 1e-3  # the goal: times the copy, and seconds


def samples_of(run: pathlib.Path) -> dict:
    """(problem, types, workload) -> lists of seconds: fill, check, reference; and of bytes, one an entry."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for line in (run / "entries.jsonl").read_text().splitlines():
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:  # the last line of a run that was killed
            continue
        if entry["round"] < 0 or not entry.get("fill_microseconds"):
            continue
        workload = found[entry["problem"], entry["types"], entry["workload"]]
        for part in ("fill", "check", "reference"):
            workload[part] += [1e-6 * float(x) for x in entry[f"{part}_microseconds"]]
        workload["bytes"].append(float(entry["bytes"]))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="those within the goal, too")
    options = parser.parse_args()

    rate = json.loads((options.run / "run.json").read_text()).get("copy_bytes_per_second", 0)
    found = samples_of(options.run)
    if not rate or not found:
        sys.exit(f"{options.run} has no copy rate or no samples with the judge's times: a run of another Podium")

    rows, samples, work = [], 0, collections.Counter()
    for key, parts in found.items():
        own = [check - reference for check, reference in zip(parts["check"], parts["reference"])]
        fill, check = statistics.median(parts["fill"]), statistics.median(own)
        goal = COPIES * 2 * statistics.median(parts["bytes"]) / rate + MORE
        rows.append(((fill + check) / goal, key, goal, fill, check, statistics.median(parts["reference"])))
        samples += len(own)
        work += {"fills": sum(parts["fill"]), "checks": sum(own), "references": sum(parts["reference"])}

    rows.sort(reverse=True)
    above = sum(row[0] > 1 for row in rows)
    print(f"{'of goal':>8} {'goal':>8} {'fill':>8} {'check':>8} {'refs':>8}")
    for share, key, *times in rows:
        if share > 1 or options.all:
            print(f"{share:7.2f}x " + " ".join(f"{1e3 * x:8.3f}" for x in times) + "  " + " ".join(key))
    print(
        f"{above} of {len(rows)} above {COPIES} copies + {1e3 * MORE:.0f} ms; {samples} samples: "
        + ", ".join(f"{part} {seconds:.1f} s" for part, seconds in work.items())
    )
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
