#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""table.py PODIUM TABLE [--target gfx942] [--problem NAME]...: verifies contestants on emulated AMD devices and enters
the verdicts in TABLE, a Markdown file, with the commit of the tree; rows of other problems and targets stay as they are.

One problem after the other, so that a table of those that were done is there whenever this is stopped.
"""

import argparse
import re
import subprocess
from pathlib import Path

HEAD = """<!-- Made by tests/emulators/amd/table.py; do not edit. -->
# Verdicts on emulated AMD devices

| target | board | contestant | verdict | commit | what was said |
|---|---|---|---|---|---|
"""
ROOT = Path(__file__).resolve().parents[3]
ROW = re.compile(r"^(\S+/\S+)  +(\S+)  +(.+?)  +(.*)$")
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")


def known(table: Path) -> dict[tuple[str, str, str], tuple[str, str, str]]:
    rows = {}
    if table.exists():
        for line in table.read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            if len(cells) == 6 and cells[0] in TARGETS:
                rows[cells[0], cells[1], cells[2]] = (cells[3], cells[4], cells[5])
    return rows


def write(table: Path, rows: dict) -> None:
    lines = [f"| {' | '.join((*key, *value))} |" for key, value in sorted(rows.items())]
    table.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def verdicts(podium: str, problem: str, target: str, timeout: int) -> list[tuple[str, str, str, str]]:
    command = [podium, "verify", problem, "--quiet", "--device", f"hip:emulated:{target}", "--timeout", str(timeout)]
    done = subprocess.run(command, capture_output=True, text=True)
    found = [m.groups() for line in done.stdout.splitlines() if (m := ROW.match(line))]
    if not found:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        return [(problem, "-", "no verdict", said[-1] if said else f"exit status {done.returncode}")]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("podium")
    parser.add_argument("table", type=Path)
    parser.add_argument("--target", action="append", choices=TARGETS)
    parser.add_argument("--problem", action="append")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for one answer of a contestant")
    arguments = parser.parse_args()
    problems = arguments.problem or sorted(p.parent.name for p in (ROOT / "kernels").glob("*/problem.yaml"))
    describe = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"]
    commit = subprocess.run(describe, capture_output=True, text=True, check=True).stdout.strip()
    for target in arguments.target or TARGETS:
        for problem in problems:
            rows = known(arguments.table)
            rows = {k: v for k, v in rows.items() if not (k[0] == target and k[1].split("/")[0] == problem)}
            for board, contestant, verdict, text in verdicts(arguments.podium, problem, target, arguments.timeout):
                said = text.replace(f"{ROOT}/", "").replace("|", "\\|")[:240]
                rows[target, board, contestant] = (verdict, commit, said)
                print(target, board, contestant, verdict, flush=True)
            write(arguments.table, rows)


if __name__ == "__main__":
    main()
