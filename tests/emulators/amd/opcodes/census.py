#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Which instructions contestants and judge's programs have on each AMD device, all that control flow can reach: builds
them with `podium build` and writes executed.txt, from which opcodes_test.py takes what must have a test.

With --check it writes nothing: what is built must have no instruction that executed.txt lacks. Exit status 1 if it has.
"""

import argparse
import collections
import pathlib
import re
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
TARGETS = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"]
BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"
HEAD = """# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Instructions that contestants and judge's programs have, and on which devices: made by census.py; do not edit.
"""


MACHINES = {0x3F: "gfx90a", 0x4C: "gfx942", 0x4F: "gfx950", 0x41: "gfx1100", 0x4E: "gfx1201"}  # in an ELF file's flags


def code_objects(data: bytes, target: str, alone: bool):
    """Those for the target in a plugin or program; `alone`: the one behind what is said of a sealed kernel."""
    if alone:
        elf = data[data.find(b"\x7fELF") :]
        if MACHINES.get(int.from_bytes(elf[48:49], "little")) == target:
            yield elf
        return
    at = -1
    while (at := data.find(BUNDLE, at + 1)) >= 0:
        (count,) = struct.unpack_from("<Q", data, at + 24)
        entry = at + 32
        for _ in range(count):
            offset, size, length = struct.unpack_from("<QQQ", data, entry)
            name = data[entry + 24 : entry + 24 + length].decode()
            entry += 24 + length
            if size and name.rsplit("--", 1)[-1].split(":")[0] == target:
                yield data[at + offset : at + offset + size]


def names(elf: bytes, target: str) -> set[str]:
    from translate.code_object import CodeObject
    from translate.decode import Flow

    code, found = CodeObject(elf), set()
    for i in Flow(code, sorted(set(code.functions.values())), target).instructions.values():
        if i.unknown:
            sys.exit(f"census: {target}: {i.unknown}")
        if i.decoded is None:
            found.add("cache_control")
        elif i.name == "VOPD":
            found.update((i.decoded.opx.name, i.decoded.opy.name))
        else:
            # What picks bytes of its operands is an instruction of its own: so is its test.
            found.add(re.sub("_(E32|E64|SDWA)$", "", i.name) + ("_SDWA" if "SDWA" in i.encoding else ""))
    return found


def executed(given: argparse.Namespace, target: str) -> set[str]:
    command = [given.podium, "build", *given.problems, "--backend", "hip", "--arch", target, "--out", given.built]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    problems = given.problems or sorted(p.parent.name for p in (ROOT / "kernels").glob("*/problem.yaml"))
    found: set[str] = set()
    looked_at = 0
    for problem in problems:
        for file in sorted((given.built / problem).glob("*.hip.*")):
            for elf in code_objects(file.read_bytes(), target, file.suffix == ".code"):
                found |= names(elf, target)
                looked_at += 1
    if looked_at == 0:
        sys.exit(f"census: {given.built} holds nothing for {target}")
    print(f"{target}: {len(found)} instructions in {looked_at} code objects")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("built", type=pathlib.Path, help="a folder for what is built; what is there already is not built again")
    parser.add_argument("--podium", default=str(ROOT / "build/hip/bin/podium"))
    parser.add_argument("--packages", default="/opt/podium/emulators", help="the folder with tinygrad")
    parser.add_argument("--targets", nargs="+", default=TARGETS, choices=TARGETS)
    parser.add_argument("--problems", nargs="+", default=[])
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if not given.check and (given.problems or given.targets != TARGETS):
        parser.error("some targets or problems are less than executed.txt must have; add --check")
    sys.path[:0] = [str(ROOT / "emulators/amd"), given.packages]

    on: dict[str, list[str]] = collections.defaultdict(list)
    for target in given.targets:
        for name in executed(given, target):
            on[name].append(target)
    lines = {name: f"{name} {' '.join(targets)}" for name, targets in on.items()}
    table = HERE / "executed.txt"
    if not given.check:
        table.write_text(HEAD + "".join(f"{lines[name]}\n" for name in sorted(lines)))
        return
    known = {words[0]: words[1:] for line in table.read_text().splitlines() if (words := line.split()) and line[0] != "#"}
    lacking = [f"{name} on {target}" for name, targets in sorted(on.items()) for target in targets if target not in known.get(name, [])]
    print(*(f"FAILED: {text}: executed.txt lacks it; run census.py" for text in lacking), f"{len(lacking)} are lacking", sep="\n")
    sys.exit(bool(lacking))


if __name__ == "__main__":
    main()
