#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What contestants gain that keep their inputs in the L2 cache, from a judge that gives up what persists and one that does not.

    tests/experiments/persisting.py AS_IS WITHOUT [--device cuda:0] [--turns 3] [-- OPTIONS]    # two podium programs

WITHOUT is built of the same commit less the call of reset_persisting_cache in backends/gpu/device.cpp. Both run the cheats
of class "L2 persistence" beside honest_wide in turn, each first as often as the other, with OPTIONS (--quick --rounds 7).

Prints of each run, and in the end of all, which share of the honest cold time a cheat takes, over all workloads; of each
workload and column the median of all samples in microseconds, and how many times the honest one's of the same run that is:
the median over the turns, the least and the largest. What can be gained at most is the honest one's hot time over its cold
one. Exit status 1 if a cheat gains more than a tenth from AS_IS, as tests/end_to_end/verdict_test.cpp has it, or is not
right.
"""
import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

CHEATS = pathlib.Path(__file__).resolve().parents[1] / "cheats" / "sum"
HONEST = "honest_wide"
NAMES = (HONEST, "fetched_before", "persisting_cache", "evict_last")
NOISE = 0.1


def run(podium: pathlib.Path, device: str, more: list[str]) -> dict:
    """(workload, column, contestant) -> the samples of a run, in microseconds."""
    samples = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as results:
        command = [str(podium), "run", "sum", "--device", device, "--results", results, "--quiet"]
        for name in NAMES:
            command += ["--contestant", str(CHEATS / f"{name}.cu")]
        ended = subprocess.run([*command, *(more or ["--quick", "--rounds", "7"])], capture_output=True, text=True)
        records = list(pathlib.Path(results).glob("*/*/entries.jsonl"))
        if len(records) != 1:
            sys.exit(f"{podium} ended with status {ended.returncode}: {ended.stderr.strip()[-2000:]}")
        for line in records[0].read_text().splitlines():
            entry = json.loads(line)
            if entry["contestant"] not in NAMES:
                continue
            if entry["verdict"] != "right":
                sys.exit(f"{podium}: {entry['contestant']}, {entry['workload']}: {entry['verdict']}: {entry['text']}")
            if entry["round"] >= 0:
                samples[entry["workload"], "cold", entry["contestant"]] += entry["microseconds"]
                samples[entry["workload"], "hot", entry["contestant"]] += entry.get("hot", {}).get("microseconds", [])
    return {key: values for key, values in samples.items() if values}


def ratios(runs: list[dict], key: tuple, to: tuple) -> list[float]:
    """Of the medians of each run."""
    return [statistics.median(one[key]) / statistics.median(one[to]) for one in runs]


def shares(one: dict) -> dict[str, float]:
    """Of the honest cold time in a run, by cheat, over all workloads."""
    honest = {key[0]: statistics.median(values) for key, values in one.items() if key[1:] == ("cold", HONEST)}
    if not honest:
        sys.exit(f"{HONEST} has no times")
    return {
        name: statistics.geometric_mean([statistics.median(one[w, "cold", name]) / time for w, time in honest.items()])
        for name in NAMES[1:]
    }


def cell(runs: list[dict], key: tuple) -> str:
    middle = statistics.median([time for one in runs for time in one[key]])
    times = ratios(runs, key, (*key[:2], HONEST))
    return f"{middle:10.3f} {statistics.median(times):7.3f} ({min(times):.3f} to {max(times):.3f})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("as_is", type=pathlib.Path)
    parser.add_argument("without", type=pathlib.Path)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--turns", type=int, default=3)
    own, more = sys.argv[1:], []
    if "--" in own:
        own, more = own[: own.index("--")], own[own.index("--") + 1 :]
    options = parser.parse_args(own)
    if options.turns < 1:
        parser.error(f"--turns {options.turns}: expected 1 or more")

    judges = {"as it is": options.as_is, "without the reset": options.without}
    runs = {judge: [] for judge in judges}
    for turn in range(options.turns):
        for judge in list(judges)[:: -1 if turn % 2 else 1]:
            runs[judge].append(run(judges[judge], options.device, more))
            words = ", ".join(f"{name} {share:.3f}" for name, share in shares(runs[judge][-1]).items())
            print(f"turn {turn + 1}, judge {judge}: {words}", flush=True)

    keys = sorted(set.intersection(*(set(one) for kind in runs.values() for one in kind)))
    workloads = list(dict.fromkeys(key[0] for key in keys if key[2] == HONEST))
    print(f"{'':14} {'':5} {'':18}" + "".join(f"{judge + ', µs':>22} {'times ' + HONEST:>25}" for judge in judges))
    for workload in workloads:
        for column in ("cold", "hot"):
            for name in NAMES:
                if (key := (workload, column, name)) in keys:
                    print(f"{workload:14} {column:5} {name:18}" + "".join(f"{cell(kind, key):>48}" for kind in runs.values()))
        if (hot := (workload, "hot", HONEST)) in keys:
            least = ratios(runs["as it is"], hot, (workload, "cold", HONEST))
            print(f"{workload:14} to be gained at most: hot is {statistics.median(least):.3f} of cold")
    gained = False
    for name in NAMES[1:]:
        words = []
        for judge, kind in runs.items():
            found = [shares(one)[name] for one in kind]
            words.append(f"{judge} {statistics.median(found):.3f} ({min(found):.3f} to {max(found):.3f})")
            gained |= judge == "as it is" and statistics.median(found) < 1 - NOISE
        print(f"{name}: of the honest cold time, judge {', '.join(words)}")
    return 1 if gained else 0


if __name__ == "__main__":
    sys.exit(main())
