#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Kendall's tau of the ranks of two runs, over all pairs of a board that both runs tell apart.

    tests/experiments/kendall.py RUN RUN      # folders with report.json, of one device
"""
import itertools
import json
import pathlib
import sys


def spans(run: str) -> dict:
    """(problem, types, stage) -> contestant -> (rank, last rank of its span); ranked ones only."""
    boards = {}
    for board in json.loads((pathlib.Path(run) / "report.json").read_text())["boards"]:
        ranked = [row for row in board["rows"] if row["standing"] == "ranked" and row["rank"]]
        key = board["problem"], board["types"], board["stage"]
        boards[key] = {row["contestant"]: (row["rank"], row["last"] or row["rank"]) for row in ranked}
    return boards


def order(board: dict, one: str, other: str) -> int:
    """-1: one is ahead; 1: the other; 0: not told apart, their spans overlap."""
    (first, last), (other_first, other_last) = board[one], board[other]
    return (first > other_last) - (last < other_first)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    before, after = spans(sys.argv[1]), spans(sys.argv[2])
    same, turned, tied = 0, 0, 0
    for key in sorted(before.keys() & after.keys()):
        names = sorted(before[key].keys() & after[key].keys())
        for one, other in itertools.combinations(names, 2):
            product = order(before[key], one, other) * order(after[key], one, other)
            same, turned, tied = same + (product > 0), turned + (product < 0), tied + (product == 0)
            if product < 0:
                print(f"{'/'.join(key)}: {one} and {other} changed places")
    if same + turned == 0:
        sys.exit("no board of both runs has two contestants that both tell apart")
    print(
        f"{len(before.keys() & after.keys())} boards: {same} pairs in the same order, {turned} turned round, {tied} tied "
        f"in either; tau {(same - turned) / (same + turned):.4f}"
    )


if __name__ == "__main__":
    main()
