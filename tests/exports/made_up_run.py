#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""made_up_run.py FOLDER [--problems N] [--contestants N] [--workloads N]: writes a run that nobody measured, for tests and for measuring Podium's reader.

Its entries have the fields and the lengths of a GPU's: some 1.7 KB each, ten samples, seeds and telemetry. Titles and
authors of its contestants are hostile.
"""
from __future__ import annotations

import argparse
import itertools
import json
import random
from pathlib import Path

TITLES = {
    "formula": "=HYPERLINK(\"http://x\",\"y\")",
    "plus": "+1+1",
    "at": "@SUM(A1:A9), \"quoted\"",
    "markup": "</script><b onload='x'>& \\input{/etc/passwd} $x$ %",
    "lines": "two\nlines | and a pipe",
    "link": "see http://x.y, www.x.y, @everybody and #12",
}
ROUNDS = 7


def entry(rng: random.Random, problem: str, contestant: str, workload: str, round_: int, time: float) -> dict:
    samples = [time * (1 + 0.01 * rng.random()) for _ in range(10)]
    middle = sorted(samples)[5]
    return {"schema": 1, "problem": problem, "types": "f32", "stage": "bench", "workload": workload, "contestant": contestant,
            "twin": False, "emulated": False, "round": round_, "verdict": "right", "text": "", "microseconds": samples,
            "judge_microseconds": [one + 2.5 for one in samples], "fill_microseconds": [150.25] * 10,
            "check_microseconds": [310.5] * 10, "reference_microseconds": [80.125] * 10, "clock_mhz": [1980.0] * 10,
            "reference_mhz": 1980.0, "discarded": 0, "slow": 0, "worst": 0.25, "bytes": 1e9, "flops": 5e8, "blocking": False,
            "canaries": [12.5], "stopped": "narrow", "median": middle, "low": min(samples), "high": max(samples),
            "seeds": [f"{rng.getrandbits(64):016x}" for _ in samples],
            "hot": {"microseconds": samples, "median": middle, "low": min(samples), "high": max(samples)},
            "telemetry": {"source": "NVML", "end": {"sm_clock_mhz": 1980.0, "temperature_c": 47.0, "power_w": 298.5}}}


def verification(problem: str, contestant: str) -> dict:
    return {"schema": 1, "problem": problem, "types": "f32", "stage": "test", "workload": "n=7", "contestant": contestant,
            "verdict": "right", "text": "y: no error in 7 verified elements", "worst": 0.25}


def write(folder: Path, problems: int = 1, contestants: int = len(TITLES), workloads: int = 2) -> Path:
    rng = random.Random(1)
    titles = TITLES | {f"plain{i}": f"Contestant {i}" for i in range(contestants - len(TITLES))}
    names = [f"softmax{i}" if i else "softmax" for i in range(problems)]
    sizes = [f"n={4 ** i}" for i in range(workloads)]
    folder.mkdir(parents=True)
    provenance = {
        "schema": 1, "podium": "0.1.0", "commit": "0123456789ab", "command": "podium run", "started": "2025-01-31T13:45:00Z",
        "device": {"backend": "cuda", "product": "NVIDIA H200", "architecture": "sm_90", "memory": 150110011392},
        "rounds": ROUNDS, "sandbox": ["uid", "seccomp"], "wall_seconds": 100.0,
        "contestants": [{"problem": problem, "name": name, "title": title, "author": title, "kind": "cuda", "tier": "native"}
                        for problem in names for name, title in titles.items()],
        "boards": [{"problem": problem, "title": TITLES["markup"], "types": "f32", "stage": "bench", "baseline": "formula",
                    "workloads": sizes} for problem in names]}
    (folder / "run.json").write_text(json.dumps(provenance), encoding="utf-8")
    with open(folder / "entries.jsonl", "w", encoding="utf-8") as file:
        for problem in names:
            lines = [verification(problem, name) for name in titles]
            for round_, workload, (i, name) in itertools.product(range(ROUNDS), sizes, enumerate(titles)):
                lines.append(entry(rng, problem, name, workload, round_, 100.0 * (i + 1)))
            lines.append({"schema": 1, "problem": problem, "types": "f32", "stage": "", "workload": "", "contestant": "wrong",
                          "verdict": "did not compile", "text": "=cmd|' /C calc'!A0"})
            file.writelines(json.dumps(line) + "\n" for line in lines)
    return folder


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--problems", type=int, default=1)
    parser.add_argument("--contestants", type=int, default=len(TITLES))
    parser.add_argument("--workloads", type=int, default=2)
    options = parser.parse_args()
    print(write(options.folder, options.problems, options.contestants, options.workloads))


if __name__ == "__main__":
    main()
