#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Which instructions contestants, judge's programs and programs of others have on each AMD device, all that control flow
can reach: builds the first two with `podium build` and writes executed.txt, from which opcodes_test.py takes what must
have a test. hipCUB's contestants are among them where podium has its headers (-DPODIUM_hip_hipcub_HEADERS=INCLUDE, for
CMake). Of public examples, whose checkouts tests/experiments/hip_examples.py describes, it builds the device code:

    census.py BUILT --examples rocm-examples --tests hip-tests --code CODE

Without BUILT nothing of podium's is built, and executed.txt keeps what it has; what the examples have, or the programs,
plugins, bundles and code objects in folders, is added to it. hipCUB's contestants alone, for instance:

    podium build sum prefix_sum sort --contestant hipcub --backend hip --arch gfx942 --out HIPCUB
    census.py --also HIPCUB

With --check it writes nothing: executed.txt must lack no instruction of these. Exit status 1 if it does, or if one of them
is not known to the emulator: the list cannot name that.
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
# Instructions that contestants (hipCUB's too), judge's programs and public examples have, and on which devices: made by
# census.py; do not edit.
"""


AMDGPU = 0xE0  # an ELF file's machine
MACHINES = {0x3F: "gfx90a", 0x4C: "gfx942", 0x4F: "gfx950", 0x41: "gfx1100", 0x4E: "gfx1201"}  # in an ELF file's flags


def code_objects(data: bytes, target: str, alone: bool):
    """Those for the target in a plugin, program or bundle, or the data itself; `alone`: the one behind what is said of a
    sealed kernel."""
    if alone or (data.startswith(b"\x7fELF") and data[18] == AMDGPU):
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


def names(elf: bytes, target: str) -> tuple[set[str], set[str]]:
    """Of instructions, and what is said of those that the emulator does not know."""
    from translate.code_object import CodeObject
    from translate.decode import Flow

    code, found, unknown = CodeObject(elf), set(), set()
    for i in Flow(code, sorted(set(code.functions.values())), target).instructions.values():
        if i.unknown:
            unknown.add(i.unknown)
        elif i.decoded is None:
            found.add("cache_control")
        elif i.name == "VOPD":
            found.update((i.decoded.opx.name, i.decoded.opy.name))
        else:
            # What picks bytes of its operands is an instruction of its own: so is its test.
            found.add(re.sub("_(E32|E64|SDWA)$", "", i.name) + ("_SDWA" if "SDWA" in i.encoding else ""))
    return found, unknown


def built(given: argparse.Namespace, target: str) -> list[pathlib.Path]:
    """Files with what contestants and judge's programs have for the target."""
    command = [given.podium, "build", *given.problems, "--backend", "hip", "--arch", target, "--out", given.built]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    problems = given.problems or sorted(p.parent.name for p in (ROOT / "kernels").glob("*/problem.yaml"))
    files = [file for problem in problems for file in sorted((given.built / problem).glob("*.hip.*"))]
    if not files:
        sys.exit(f"census: {given.built} holds nothing")
    return files


def build_examples(given: argparse.Namespace) -> None:
    """Device code of public programs, one bundle for all devices; what is there already is not built again."""
    sys.path.append(str(ROOT / "tests/experiments"))
    from hip_examples import programs

    given.code.mkdir(parents=True, exist_ok=True)
    for name, source, include, *_ in programs(given.examples, given.tests):
        code = given.code / (name.replace("/", ".") + ".bundle")
        options = include if isinstance(include, list) else ["-I", include]
        if not code.exists():
            command = [given.hipcc, "-O2", "-w", "--cuda-device-only", "-c", *(f"--offload-arch={target}" for target in TARGETS)]
            subprocess.run([*command, *options, source, "-o", code], check=True)


def executed(given: argparse.Namespace, target: str) -> tuple[set[str], int, set[str]]:
    """The names, how many code objects have them, and what is said of instructions that are not known."""
    files = built(given, target) if given.built else []
    files += [file for folder in given.also for file in sorted(folder.rglob("*")) if file.is_file()]
    found: set[str] = set()
    unknown: set[str] = set()
    looked_at = 0
    for file in files:
        for elf in code_objects(file.read_bytes(), target, file.suffix == ".code"):
            own, others = names(elf, target)
            found |= own
            unknown |= {f"{target}: {file.name}: {text}" for text in others}
            looked_at += 1
    if looked_at == 0 and given.built:
        sys.exit(f"census: {given.built} holds nothing for {target}")
    print(f"{target}: {len(found)} instructions in {looked_at} code objects")
    return found, looked_at, unknown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "built", type=pathlib.Path, nargs="?", help="a folder for what is built; what is there already is not built again"
    )
    parser.add_argument("--also", type=pathlib.Path, nargs="+", default=[], metavar="FOLDER", help="with programs, plugins or code objects")
    parser.add_argument("--examples", type=pathlib.Path, help="a checkout of ROCm/rocm-examples")
    parser.add_argument("--tests", type=pathlib.Path, help="a checkout of ROCm/hip-tests")
    parser.add_argument("--code", type=pathlib.Path, help="a folder for the device code of these")
    parser.add_argument("--hipcc", default="hipcc")
    parser.add_argument("--podium", default=str(ROOT / "build/hip/bin/podium"))
    parser.add_argument("--packages", default="/opt/podium/emulators", help="the folder with tinygrad")
    parser.add_argument("--targets", nargs="+", default=TARGETS, choices=TARGETS)
    parser.add_argument("--problems", nargs="+", default=[])
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if bool(given.examples or given.tests) != bool(given.code):
        parser.error("--examples and --tests want --code, and it one of them")
    if given.code:
        build_examples(given)
        given.also.append(given.code)
    if not given.built and not given.also:
        parser.error("name a folder for what is built, or what there is by --also")
    if lost := [str(folder) for folder in given.also if not folder.is_dir()]:
        parser.error(f"there is no folder {lost[0]}")
    if given.built and not given.check and (given.problems or given.targets != TARGETS):
        parser.error("some targets or problems are less than executed.txt must have; add --check")
    sys.path[:0] = [str(ROOT / "emulators/amd"), given.packages]

    on: dict[str, list[str]] = collections.defaultdict(list)
    looked_at = 0
    unknown: set[str] = set()
    for target in given.targets:
        found, count, others = executed(given, target)
        looked_at += count
        unknown |= others
        for name in found:
            on[name].append(target)
    if looked_at == 0:
        sys.exit("census: no code object for these devices was found; bundles that are compressed are not read")
    print(*(f"FAILED: not known: {text}" for text in sorted(unknown)), sep="\n", end="\n" if unknown else "")
    table = HERE / "executed.txt"
    known = {words[0]: words[1:] for line in table.read_text().splitlines() if (words := line.split()) and line[0] != "#"}
    if not given.check:
        for name, targets in known.items() if not given.built else ():
            on[name] = [target for target in TARGETS if target in (*targets, *on[name])]
        table.write_text(HEAD + "".join(f"{name} {' '.join(on[name])}\n" for name in sorted(on)))
        sys.exit(bool(unknown))
    lacking = [f"{name} on {target}" for name, targets in sorted(on.items()) for target in targets if target not in known.get(name, [])]
    print(*(f"FAILED: {text}: executed.txt lacks it; run census.py" for text in lacking), f"{len(lacking)} are lacking", sep="\n")
    sys.exit(bool(lacking or unknown))


if __name__ == "__main__":
    main()
