#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels of libraries under the emulator, each against fp64 in every mode of asynchrony. Outside of CI, because nvcc takes a
minute for most of these programs.

  run.py --package FOLDER --build build/cuda [--tvm-ffi FOLDER] [--nvcc NVCC] [--cxx CXX] [--keep FOLDER] [--record] [PROGRAM...]

With --reread and --keep, coverage.json.xz gets the same runs' instructions by the names that forms/coverage.py has now: of the PTX and the
lines that --record left there, nothing is run.

With --record, coverage.json.xz is told which instructions the kernels of each program executed that was right in every mode.
FOLDER is where flashinfer-python of PyPI was unpacked: pip download --no-deps flashinfer-python==0.7.2.post1, then unzip. Programs
that call the package's launchers want apache-tvm-ffi==0.1.15.post2 unpacked likewise.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mistakes import Mistake
from programs import MODES, PROGRAMS, Program, sources_of
from reached import ROOT, Unseen, emulator, instructions_executed, instructions_of, record, recorded, translated_again

HERE = Path(__file__).resolve().parent
COMPILE = ROOT / "emulators" / "nvidia" / "compile"
def mended_headers(package: Path, mistakes: tuple[Mistake, ...], folder: Path) -> Path:
    """All headers, because they include one another by their places, or a source's whole folder, unless that is the root; some of them
    changed."""
    data = package / "flashinfer/data"
    if any(mistake.root == "include" for mistake in mistakes):
        shutil.copytree(data / "include", folder, dirs_exist_ok=True)
    for mistake in mistakes:
        source, target = data / mistake.root / mistake.header, folder / mistake.header
        if mistake.root != "include" and "/" in mistake.header:
            shutil.copytree(source.parent, target.parent, dirs_exist_ok=True)
        elif mistake.root != "include":
            folder.mkdir(exist_ok=True)
            shutil.copy(source, target)
    for mistake in mistakes:
        changed, count = mistake.wrong.subn(mistake.right, (folder / mistake.header).read_text(encoding="utf-8"))
        if count != mistake.places:
            sys.exit(
                f"{mistake.header}: found {count} places to mend, expected {mistake.places}: is this flashinfer-python 0.7.2.post1?"
            )
        (folder / mistake.header).write_text(changed, encoding="utf-8")
    return folder


def build(arguments: argparse.Namespace, name: str, scratch: Path) -> None:
    program, out = PROGRAMS[name], scratch / name
    data = arguments.package / "flashinfer" / "data"
    library = arguments.build / "lib/podium/emulated/cuda"
    mended = [mended_headers(arguments.package, program.mended, scratch / f"{name}.headers")] if program.mended else []
    within = [root / program.folder for root in (*mended, data / "include") if program.folder]
    within += [root / program.sources for root in (*mended, data / "csrc") if program.sources]
    includes = [
        *mended, *within,
        data / "cccl/libcudacxx/include", data / "cccl/cub", data / "cccl/thrust", data / "include", data / "cutlass/include",
        data / "cutlass/tools/util/include", data / "spdlog/include", data / "csrc",
    ]  # fmt: skip
    libraries = [f"-L{library}", "-lpodium_cuda_emulated"]
    if program.launcher:
        includes += [arguments.tvm_ffi / "tvm_ffi/include"]
        libraries += [f"-L{arguments.tvm_ffi / 'tvm_ffi/lib'}", "-ltvm_ffi"]
    command = [
        COMPILE, "--nvcc", arguments.nvcc, "--cxx", arguments.cxx, "-std=c++17", "-O1", "--expt-relaxed-constexpr", "-w",
        f"-gencode=arch=compute_{program.architecture},code=sm_{program.architecture}",
        *([f"-DGROUP={program.group}"] if program.group is not None else []), *[f"-I{folder}" for folder in includes],
        HERE / program.source, "-o", out, *libraries,
    ]  # fmt: skip
    subprocess.run(command, check=True)


def environment_of(arguments: argparse.Namespace, program: Program) -> dict[str, str]:
    libraries = [arguments.build / "lib/podium/emulated/cuda", *([arguments.tvm_ffi / "tvm_ffi/lib"] if program.launcher else [])]
    return {"PODIUM_EMULATED": f"sm_{program.architecture}", "LD_LIBRARY_PATH": ":".join(map(str, libraries))}


def write_down(arguments: argparse.Namespace, name: str, executable: Path, scratch: Path) -> None:
    program = PROGRAMS[name]
    kernels = instructions_executed(executable, [str(COMPILE), "--cxx", arguments.cxx], environment_of(arguments, program), scratch)
    record("libraries", {name: {"sources": sources_of(name), "emulator": emulator(), "instances": program.instances,
                                "kernels": dict(sorted(kernels.items()))}})  # fmt: skip


def reread(name: str, scratch: Path) -> bool:
    """Whether a recorded run's PTX and lines are there, and are of it: every opcode as in the record."""
    program = recorded()["libraries"].get(name)
    ptx, noted = scratch / f"{name}.ptx", scratch / f"{name}.reached"
    if not program or program["sources"] != sources_of(name) or not ptx.exists() or not noted.exists():
        return False
    try:
        kernels = instructions_of(ptx.read_text(encoding="utf-8"), {int(line) for line in noted.read_text(encoding="ascii").split()})
    except Unseen:
        return False
    before, after = ({re.split(r"[. ]", instruction)[0] for instruction in of} for of in (program["kernels"], kernels))
    if before != after:
        return False
    record("libraries", {name: {**program, "kernels": dict(sorted(kernels.items()))}})
    return True


def run(arguments: argparse.Namespace, name: str, executable: Path, scratch: Path) -> bool:
    """Translated by the emulator as it is now, where the executable was kept."""
    program, good = PROGRAMS[name], True
    _, library = translated_again(executable, [str(COMPILE), "--cxx", arguments.cxx], scratch)
    for mode in program.modes:
        environment = dict(os.environ, **environment_of(arguments, program), PODIUM_EMULATED_ASYNC=mode, LD_PRELOAD=str(library))
        done = subprocess.run([executable], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if " wrong, " in line]
        if program.told:
            held = done.returncode != 0 and program.told.sentence in re.sub(r" \(PTX line \d+\)", "", done.stdout)
        else:
            held = done.returncode == 0 and len(lines) == program.instances * program.shapes
        good = good and held
        print(f"{name}, {mode}: {'as expected' if held else 'NOT as expected'}\n  " + done.stdout.strip().replace("\n", "\n  "), flush=True)
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("--build", type=lambda x: Path(x).resolve(), required=True)
    parser.add_argument("--tvm-ffi", type=lambda x: Path(x).resolve(), help="where apache-tvm-ffi of PyPI was unpacked")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--keep", type=lambda x: Path(x).resolve(), help="where executables stay, to be run again without compiling")
    parser.add_argument("--record", action="store_true", help="write coverage.json.xz")
    parser.add_argument("--reread", action="store_true", help="write coverage.json.xz of what --record left in --keep's folder")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="of " + ", ".join(PROGRAMS) + "; all if none is named")
    arguments = parser.parse_args()
    if arguments.reread:
        if not arguments.keep:
            parser.error("--reread needs --keep FOLDER, where --record left PTX and lines")
        for name in arguments.programs or [name for name, p in PROGRAMS.items() if p.instances]:
            print(f"{name}: {'written anew' if reread(name, arguments.keep) else 'left as it is: no PTX and lines of the recorded run'}", flush=True)
        return 0
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = arguments.keep or Path(folder)
        scratch.mkdir(parents=True, exist_ok=True)
        for name in arguments.programs or PROGRAMS:
            if name not in PROGRAMS:
                parser.error(f"no program {name}; there are {', '.join(PROGRAMS)}")
            if PROGRAMS[name].launcher and not arguments.tvm_ffi:
                parser.error(f"{name} calls a launcher of the package, which needs --tvm-ffi")
            began = time.monotonic()
            executable = scratch / name
            if not (arguments.keep and executable.exists()):
                try:
                    build(arguments, name, scratch)
                except subprocess.CalledProcessError:
                    failed.append(name)
                    continue
                print(f"{name}: compiled in {time.monotonic() - began:.0f} s", flush=True)
            if not run(arguments, name, executable, scratch):
                failed.append(name)
            elif arguments.record and PROGRAMS[name].instances:
                write_down(arguments, name, executable, scratch)
    instances = sum(PROGRAMS[name].instances for name in arguments.programs or PROGRAMS if name not in failed)
    print(f"{instances} instances right in {len(MODES)} modes" + (f"; not as expected: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
