#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""How often sampled verification finds a contestant that is wrong in a few rows, in real runs beside what is computed.

    tests/experiments/detection.py [--podium build/host/bin/podium] [--device host] [--runs 100] [--wrong 1]

The contestant adds two matrices and is wrong in every element of --wrong rows of 1,024, which are drawn when it is
written; the judge looks at 256 rows of each call, drawn anew, and the first call that is found wrong is the last. Prints
the share of single calls in which it was found, and of runs within their first five, the fewest that a round has; beside
them the hypergeometric chance of the same. Then how many runs of one round found it at all, calls behind one gate
included. Exit status 1 if one of the shares is more than four standard errors off.
"""
import argparse
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

EXTENT, DRAWN = 1024, 256  # rows of the workload, and of kernels/vector_add/problem.yaml's sample
LEAST, TOGETHER = 5, 1_000_000  # calls in a round; from that index on, calls behind one gate
NAME = "few_rows"
CHEAT = """// podium: {{ title: "Wrong in some rows" }}
#include <podium/vector_add.hpp>
#include <algorithm>
#include <array>
namespace {{
constexpr std::array<std::int64_t, {count}> wrong{{{rows}}};
struct Contestant {{
  void run(const problem::Arguments& args, podium::Stream) {{
    for (std::int64_t i = 0; i < args.n; ++i) {{
      const float more = args.n == {extent} && std::ranges::find(wrong, i) != wrong.end() ? 1 : 0;
      for (std::int64_t j = 0; j < args.n; ++j) {{
        const std::int64_t at = i * args.n + j;
        args.c.data[at] = podium::cast<problem::real>(podium::cast<float>(args.a.data[at]) +
                                                      podium::cast<float>(args.b.data[at]) + more);
      }}
    }}
  }}
}};
}}  // namespace
"""


def looks(options: argparse.Namespace, folder: pathlib.Path) -> list:
    """Of each board of a run: (single calls looked at, whether the last of them was wrong, whether any call was)."""
    rows = random.sample(range(1, EXTENT - 1), options.wrong)  # the first and the last are always looked at
    contestant = folder / f"{NAME}.cpp"
    contestant.write_text(CHEAT.format(count=len(rows), rows=", ".join(map(str, rows)), extent=EXTENT))
    results = folder / "results"
    command = [options.podium, "run", "vector_add", "--device", options.device, "--quick", "--cold-only", "--rounds", "1"]
    command += ["--isolated", "--quiet", "--contestant", contestant, "--results", results]
    ended = subprocess.run([*map(str, command)], capture_output=True, text=True)
    files = list(results.glob("*/*/entries.jsonl"))
    if len(files) != 1:
        sys.exit(f"podium ended with status {ended.returncode} and recorded nothing: {ended.stderr.strip()[-500:]}")
    found = {}
    for line in files[0].read_text().splitlines():
        entry = json.loads(line)
        if entry["contestant"] == NAME and entry["round"] >= 0 and entry["workload"] == f"n={EXTENT}":
            if entry["verdict"] not in ("right", "wrong"):
                sys.exit(f"the contestant is {entry['verdict']}: {entry['text']}")
            call = re.search(r" --call (\d+)$", entry["text"]) if entry["verdict"] == "wrong" else None
            if entry["verdict"] == "wrong" and call is None:
                sys.exit(f"no call is named in {entry['text']!r}")
            alone = call is not None and int(call[1]) < TOGETHER
            found[entry["types"]] = (len(entry["seeds"]) + alone, alone, call is not None)
    return list(found.values())


def off(name: str, found: int, of: int, chance: float) -> bool:
    error = math.sqrt(chance * (1 - chance) / of)
    away = abs(found / of - chance) / error
    print(f"{name:8} {found:5} of {of:5}: {found / of:.4f}, computed {chance:.4f}, {away:.1f} standard errors off")
    return away > 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podium", type=pathlib.Path, default="build/host/bin/podium")
    parser.add_argument("--device", default="host")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--wrong", type=int, default=1)
    options = parser.parse_args()
    boards = []
    for _ in range(options.runs):
        with tempfile.TemporaryDirectory() as folder:
            boards += looks(options, pathlib.Path(folder))
    missed = math.prod((EXTENT - options.wrong - k) / (EXTENT - k) for k in range(DRAWN))
    print(f"{options.runs} runs, {len(boards)} boards, {options.wrong} of {EXTENT} rows wrong")
    bad = off("calls", sum(alone for _, alone, _ in boards), sum(calls for calls, _, _ in boards), 1 - missed)
    early = sum(alone and calls <= LEAST for calls, alone, _ in boards)
    bad |= off("runs", early, len(boards), 1 - missed**LEAST)
    print(f"in all   {sum(found for _, _, found in boards):5} of {len(boards):5}")
    sys.exit(bad)


if __name__ == "__main__":
    main()
