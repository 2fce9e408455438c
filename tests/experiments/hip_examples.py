#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Public HIP programs, as they are, on an emulated AMD device: the list of docs/emulators_amd.md. Builds each with hipcc,
runs it, and prints what came of it: by its own word, or, of the tests of printf, whether it prints what they expect. What
checks nothing has to end well. Exit status 1 if one of them is not right.

    git clone https://github.com/ROCm/rocm-examples && git -C rocm-examples checkout 7dfb7d4
    git clone https://github.com/ROCm/hip-tests && git -C hip-tests checkout 87c8a04
    tests/experiments/hip_examples.py --examples rocm-examples --tests hip-tests [--target gfx942] [NAME...]
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Where programs lie, and what they print of themselves when they are right.
EXAMPLES = {
    "HIP-Basic": "bit_extract device_globals dynamic_shared events gpu_arch inline_assembly matrix_multiplication moving_average shared_memory warp_shuffle hello_world",
    "Applications": "bitonic_sort floyd_warshall histogram prefix_sum",
}
UNCHECKED = {"HIP-Basic": "saxpy streams device_query occupancy runtime_compilation", "Applications": "convolution"}
TESTS = (
    "0_Intro/bit_extract 0_Intro/square 2_Cookbook/0_MatrixTranspose 2_Cookbook/1_hipEvent 2_Cookbook/3_shared_memory 2_Cookbook/4_shfl 2_Cookbook/5_2dshfl "
    "2_Cookbook/6_dynamic_shared 2_Cookbook/9_unroll 2_Cookbook/10_inline_asm 2_Cookbook/13_occupancy"
)
# The last two are meant for -mprintf-kind=buffered, whose buffer the emulator has not; they are built like the others.
PRINTS = "printfSpecifiers printfFlags printfLength printfSpecifiersNonHost printfFlagsNonHost"  # of catch/unit/printf
RIGHT = re.compile(r"Validation passed|PASSED|passed!|Hello world from device kernel", re.IGNORECASE)
COMPILER = re.compile(r'(?ms)^  hip:\n    compiler: "(.*?)"')


class Program(NamedTuple):
    name: str
    source: pathlib.Path
    options: list
    right: Callable[[str], bool]  # by what it prints


def expected_prints(test: pathlib.Path) -> str:
    """What the test of that file expects of an AMD device: its text without headers, after the preprocessor."""
    text = re.sub(r"(?m)^#include.*$", "", test.read_text(encoding="utf-8"))
    done = subprocess.run(["g++", "-x", "c++", "-std=c++17", "-E", "-P", "-"], input=text, capture_output=True, text=True, check=True)
    (expected,) = re.findall(r'(?s)R"here\((.*?)\)here"', done.stdout)
    return expected


def programs(examples: pathlib.Path | None, tests: pathlib.Path | None):
    for group, right in ((EXAMPLES, RIGHT.search), (UNCHECKED, lambda text: True)):
        for folder, names in group.items() if examples else ():
            for name in names.split():
                (source,) = (examples / folder / name).glob("main.[ch][ip]p")
                yield Program(f"{folder}/{name}", source, ["-I", examples / "Common"], right)
    for name in TESTS.split() if tests else ():
        (source,) = (p for p in (tests / "samples" / name).glob("*.cpp") if "hipref" not in p.name or name.endswith("square"))
        yield Program(name, source, ["-I", tests / "samples/common"], RIGHT.search)
    for name in PRINTS.split() if tests else ():
        folder = tests / "catch/unit/printf"
        options = ["-DHT_AMD=1", "-DHT_NVIDIA=0", "-I", tests / "catch/include", "-I", tests / "catch/external/picojson"]
        yield Program(name, folder / f"{name}_exe.cc", options, expected_prints(folder / f"{name}.cc").__eq__)


def tried(one: Program, folder: pathlib.Path, given) -> tuple[bool, str]:
    program = folder / "program"
    hiprtc = given.stand_in.glob("libhiprtc.so.*") if "hiprtc" in one.source.read_text(encoding="utf-8") else ()
    libraries = [word for library in hiprtc for word in ("-L", given.stand_in, f"-l:{library.name}")]
    command = [given.hipcc, "-O2", "-w", f"--offload-arch={given.target}", *one.options, one.source, "-o", program, *libraries]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        return False, "did not compile: " + next((line for line in built.stderr.splitlines() if "error" in line), "")[:160]
    environment = os.environ | {"LD_LIBRARY_PATH": str(given.stand_in), "PODIUM_EMULATED": given.target}
    try:
        ran = subprocess.run([program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=given.timeout)
    except subprocess.TimeoutExpired:
        return False, f"not done after {given.timeout} s"
    last = next((line for line in reversed(ran.stdout.splitlines()) if line.strip()), "")
    return ran.returncode == 0 and bool(one.right(ran.stdout)), f"status {ran.returncode}: {last.strip()[:120]}"


def compiler() -> str:
    """That of the preset hip, as its toolchain file has it."""
    file = ROOT / "build/hip/toolchain.yaml"
    found = COMPILER.search(file.read_text(encoding="utf-8")) if file.exists() else None
    return found[1] if found else "hipcc"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=pathlib.Path, help="a checkout of ROCm/rocm-examples")
    parser.add_argument("--tests", type=pathlib.Path, help="a checkout of ROCm/hip-tests")
    parser.add_argument("--target", default="gfx942")
    parser.add_argument("--hipcc", default=compiler(), help="default: what build/hip/toolchain.yaml names")
    parser.add_argument("--stand-in", type=pathlib.Path, default=ROOT / "build/hip/lib/podium/emulated/hip")
    parser.add_argument("--timeout", type=int, default=900, help="seconds for a program")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    if not given.examples and not given.tests:
        parser.error("name a checkout, by --examples or --tests")
    if not (given.stand_in / "libamdhip64.so").exists():
        parser.error(f"there is no libamdhip64.so in {given.stand_in}: build the preset hip, or name its folder by --stand-in")
    if not shutil.which(given.hipcc):
        parser.error(f"found no {given.hipcc}: configure the preset hip, or name a hipcc by --hipcc")
    wrong = 0
    for one in programs(given.examples, given.tests):
        if given.names and one.name.rsplit("/", 1)[-1] not in given.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            right, said = tried(one, pathlib.Path(folder), given)
        wrong += not right
        print(f"{'right' if right else 'NOT RIGHT':10}{one.name}: {said}", flush=True)
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
