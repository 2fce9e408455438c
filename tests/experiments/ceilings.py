#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""ceilings.py [--podium PODIUM] [--device DEVICE] [PROBLEM...]: measures a device's rates of memory (copying, reading
and writing alone) and prints them beside the % SOL of every workload of every baseline that memory bounds, by the
ceiling of its own mix and by the copy's rate alone. Exit status 1 if one is more than 2 % above its ceiling."""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ABOVE = 1.02  # of a ceiling, that needs a look


def baselines(problems: list[str], device: str) -> list[str]:
    """Names of the baselines that those problems have on the device's backend, once each."""
    backend, names = device.split(":")[0], set()
    for problem in problems:
        inside = False
        for line in (ROOT / "kernels" / problem / "problem.yaml").read_text().splitlines():
            inside = line.startswith("baseline:") or (inside and line.startswith(" "))
            if inside and f"{backend}:" in line:
                names.add(line.split(f"{backend}:")[1].split(",")[0].split("}")[0].strip())
    return sorted(names)


def mix(entries: list[dict], problem: str, types: str, workload: str) -> tuple[float, float]:
    """Bytes that move at the least, and those of them that are written."""
    for entry in entries:
        if (entry["problem"], entry["types"], entry["workload"]) == (problem, types, workload) and entry["round"] == 0:
            return entry["bytes"], min(entry["bytes"], entry.get("bytes_written", entry["bytes"] / 2))
    return 0, 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--podium", default=str(ROOT / "scripts/podium"))
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("problem", nargs="*")
    options = parser.parse_args()
    problems = options.problem or sorted(p.parent.name for p in (ROOT / "kernels").glob("*/problem.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        command = [options.podium, "run", *problems, "--device", options.device, "--full", "--rounds", "3"]
        command += ["--cold-only", "--format", "json", "--results", folder]
        command += ["--contestant", *baselines(problems, options.device)]
        ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if not ended.stdout:
            return ended.returncode or 1
        report = json.loads(ended.stdout)
        lines = next(Path(folder).glob("*/*/entries.jsonl")).read_text().splitlines()
    entries = [json.loads(line) for line in lines]
    rates = {name: report["provenance"][f"{name}_bytes_per_second"] for name in ("copy", "read", "write")}
    print(report["provenance"]["device"]["product"])
    for name, rate in rates.items():
        print(f"{name:6} {rate / 1e9:8.0f} GB/s")
    print(f"\n{'workload':60} {'written':>8} {'of mix':>8} {'of copy':>8}")
    above = 0
    for board in report["boards"]:
        for row in board["rows"]:
            for timing in row["workloads"] if row["baseline"] else []:
                moved, written = mix(entries, board["problem"], board["types"], timing["workload"])
                share = timing.get("sol_raw")
                if share is None or moved == 0:
                    continue
                by_copy = moved / rates["copy"] / (timing["median_us"] * 1e-6)
                name = f"{board['problem']}/{board['types']}/{timing['workload']}"
                print(f"{name:60} {100 * written / moved:6.0f} % {100 * share:6.1f} % {100 * by_copy:6.1f} %")
                above += share > ABOVE
    print(f"\n{above} above {100 * ABOVE:.0f} % of their ceiling")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
