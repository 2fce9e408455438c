#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""linked_test.py HIPCC CMAKE STAND_IN TARGET: programs that were linked on a real ROCm find all they ask for in the stand-in:
each function under AMD's version node. They are linked here with libraries laid out as those of ROCm 6 and 7 are, and with
one of earlier small roots, which had a single node. The stand-in's name follows the root's library."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# Of AMD's own library, as binaries that others built ask for them.
KNOWN = {
    "hipMalloc": "hip_4.2",
    "__hipRegisterFatBinary": "hip_4.2",
    "hipGetDevicePropertiesR0000": "hip_4.2",
    "hipStreamBeginCapture": "hip_4.3",
    "hipStreamWaitValue32": "hip_4.4",
    "hipGraphAddHostNode": "hip_4.5",
    "hipPointerGetAttribute": "hip_5.0",
    "hipMemCreate": "hip_5.1",
    "hipMallocAsync": "hip_5.1",
    "hipLaunchKernel_spt": "hip_5.2",
    "hipLaunchHostFunc": "hip_5.3",
    "hipGraphAddNode": "hip_5.5",
    "hipArrayGetInfo": "hip_5.6",
    "hipGetDevicePropertiesR0600": "hip_6.0",
    "hipGetProcAddress": "hip_6.1",
    "hipGetFuncBySymbol": "hip_6.2",
}
OLDEST = "hip_4.2"


def table() -> dict[str, str]:
    nodes, node = {}, ""
    for line in (ROOT / "emulators/amd/runtime/symbol_versions.txt").read_text().splitlines():
        if not line.startswith((" ", "#")):
            node = line.strip()
        elif line.startswith(" "):
            for name in line.split():
                if name in nodes:
                    sys.exit(f"symbol_versions.txt: {name} is in {nodes[name]} and in {node}")
                nodes[name] = node
    return nodes


def exported(library: Path) -> tuple[dict[str, str], dict[str, set[str]]]:
    """Of each function the node by which it is linked, and the others by which it is found."""
    listing = subprocess.run(["nm", "-D", "--defined-only", str(library)], check=True, capture_output=True, text=True).stdout
    default, others = {}, {}
    for name, at, node in re.findall(r"(?m) [TW] (\w+)(@@?)?([\w.]*)$", listing):
        if at == "@":
            others.setdefault(name, set()).add(node)
        else:
            default[name] = node
    return default, others


def main() -> int:
    hipcc, cmake, stand_in, target = sys.argv[1:]
    failures = 0

    def expect(what: str, good: bool, found: object = "") -> None:
        nonlocal failures
        print(f"{'ok' if good else 'FAILED'}  {what}{f': {found}' if found and not good else ''}", flush=True)
        failures += not good

    nodes = table()
    expect("the table says of each function that is known what binaries of others ask for", not (wrong := {n: nodes.get(n) for n in KNOWN if nodes.get(n) != KNOWN[n]}), wrong)
    library = Path(stand_in, "libamdhip64.so").resolve()
    default, others = exported(library)
    wrong = {name: node for name, node in default.items() if nodes.get(name) != node}
    expect("every function that the stand-in exports is under its node", len(default) > 400 and not wrong, wrong or default)
    absent = [name for name in KNOWN if name not in default]
    expect("those that are known are exported", not absent, absent)
    wrong = [name for name, node in default.items() if node != OLDEST and name.startswith("hip") and others.get(name) != {OLDEST}]
    expect("newer ones are there under the oldest node too, for small roots laid out before", not wrong, wrong)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([hipcc, "-O2", f"--offload-arch={target}", "-fPIC", "-c", str(HERE / "linked.hip"), "-o", str(folder / "linked.o")], check=True)
        for number, newest in ((6, "hip_6.4"), (7, "hip_7.1"), (7, OLDEST)):
            found = run(folder, stand_in, target, nodes, number, newest)
            expect(f"a program linked with libamdhip64.so.{number} up to {newest}", found.startswith(f"right on {target}"), found)
        names(cmake, folder, expect)
    return failures != 0


def run(folder: Path, stand_in: str, target: str, nodes: dict[str, str], number: int, newest: str) -> str:
    """What the program says that was linked with a library that has the nodes up to `newest`."""
    order = list(dict.fromkeys(nodes.values()))
    present = order[: order.index(newest) + 1]
    at = folder / f"rocm-{number}-{newest}"
    at.mkdir()
    script, code, before = "", "", ""
    for node in present:  # with one node only, all functions are in it
        here = [f for f, of in nodes.items() if of == node or len(present) == 1]
        script += f"{node} {{ global: {'; '.join(here)}; {'local: *;' if not before else ''} }} {before};\n"
        code += "".join(f"int {f}(void) {{ return 1; }}\n" for f in here)
        before = node
    (at / "stub.c").write_text(code)
    (at / "stub.map").write_text(script)
    library = f"libamdhip64.so.{number}"
    subprocess.run(
        ["cc", "-w", "-fno-builtin", "-shared", "-fPIC", str(at / "stub.c"), f"-Wl,--version-script={at / 'stub.map'}", f"-Wl,-soname,{library}", "-o", str(at / library)],
        check=True,
    )
    program = at / "linked"
    subprocess.run(["c++", str(folder / "linked.o"), str(at / library), "-o", str(program)], check=True)
    # Under the name that the program looks for: the stand-in itself has that of the root it was built for.
    beside = at / "beside"
    beside.mkdir()
    (beside / library).symlink_to(Path(stand_in, "libamdhip64.so").resolve())
    for part in ("translate", "wave"):
        (beside / part).symlink_to(Path(stand_in, part))
    environment = os.environ | {"LD_LIBRARY_PATH": f"{beside}:{stand_in}", "LD_BIND_NOW": "1", "PODIUM_EMULATED": target, "PODIUM_EMULATOR_CACHE": str(folder)}
    done = subprocess.run([str(program)], env=environment, capture_output=True, text=True, timeout=600)
    return done.stdout.strip() if done.returncode == 0 else f"status {done.returncode}: {done.stderr.strip()}"


def names(cmake: str, folder: Path, expect) -> None:
    """The number in the stand-in's name, for roots laid out as ROCm 6 and 7 are, and for others."""

    def root(name: str, libraries: list[str], header: str = "") -> str:
        at = folder / name
        (at / "lib").mkdir(parents=True)
        (at / "include/hip").mkdir(parents=True)
        for library in libraries:
            (at / "lib" / library).touch()
        if header:
            (at / "include/hip/hip_version.h").write_text(header)
        script = at / "ask.cmake"
        script.write_text(f'include({ROOT}/cmake/PodiumRocmVersion.cmake)\npodium_rocm_major({at} number)\nmessage("number ${{number}}")\n')
        return " ".join(subprocess.run([cmake, "-P", str(script)], capture_output=True, text=True).stderr.split())

    for name, libraries, header, expected in (
        ("six", ["libamdhip64.so", "libamdhip64.so.6", "libamdhip64.so.6.4.60402"], "", "number 6"),
        ("seven", ["libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.7.1.25424"], "#define HIP_VERSION_MAJOR 6\n", "number 7"),
        ("headers", ["libamdhip64.so"], "#define HIP_VERSION_H\n#define HIP_VERSION_MAJOR 6\n", "number 6"),
        ("both", ["libamdhip64.so.6", "libamdhip64.so.7"], "", "by several numbers"),
        ("none", [], "", "it is no ROCm root"),
    ):
        expect(f"the name for a root of kind '{name}'", expected in (found := root(name, libraries, header)), found)


if __name__ == "__main__":
    sys.exit(main())
