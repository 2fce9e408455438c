#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Whether the emulator knows every instruction of every CUDA contestant, for each architecture: their PTX is made and translated, and
nothing is run.

  census.py --podium PODIUM --nvcc NVCC --source FOLDER [PROBLEM...]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ARCHITECTURES = ("80", "90a", "100a", "120a")
_LIBRARIES = ("cublas", "cudnn", "cusolver", "cusparse")  # of which there is no PTX
LEAST = 25  # contestants, where no problem is named


def contestants(problem: Path) -> list[Path]:
    """Its files of CUDA and of the common dialect."""
    files = sorted([*problem.glob("*.cu"), *problem.glob("*.gpu.cpp")])
    return [f for f in files if ".sealed." not in f.name and not f.name.startswith(_LIBRARIES)]


def ptx_of(arguments: argparse.Namespace, file: Path, architecture: str, scratch: Path) -> tuple[str, str]:
    """PTX, or what nvcc says."""
    out = scratch / f"{file.parent.name}.{file.name}.{architecture}.ptx"
    command = [arguments.nvcc, "-ptx", f"-arch=compute_{architecture}", "-std=c++20", "-O3", "--expt-relaxed-constexpr", "-w",
               f"-I{arguments.source}/sdk", f"-I{scratch}", "-x", "cu", file, "-o", out]  # fmt: skip
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return (out.read_text(encoding="utf-8"), "") if done.returncode == 0 else ("", done.stdout)


def main(arguments: argparse.Namespace) -> int:
    sys.path.insert(0, str(arguments.source / "emulators"))
    from nvidia.translator.generate import generate

    kernels = arguments.source / "kernels"
    problems = [kernels / name for name in arguments.problems] or sorted(p.parent for p in kernels.glob("*/problem.yaml"))
    todo = [(f, a) for p in problems for f in contestants(p) for a in ARCHITECTURES]
    sentences, used = [], Counter()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        (scratch / "podium").mkdir()
        for problem in problems:
            header = subprocess.run([arguments.podium, "show", "problem", problem.name, "--problems", kernels, "--generated", "header"],
                                    stdout=subprocess.PIPE, check=True).stdout  # fmt: skip
            (scratch / "podium" / f"{problem.name}.hpp").write_bytes(header)
        with ThreadPoolExecutor(2) as pool:
            for (file, architecture), (ptx, problem) in zip(todo, pool.map(lambda one: ptx_of(arguments, *one, scratch), todo)):
                place = f"{file.relative_to(arguments.source)} for sm_{architecture}"
                if problem:
                    sentences.append(f"{place}: nvcc makes no PTX: {problem.strip().splitlines()[0]}")
                    continue
                result = generate(ptx)
                used.update(result.used)
                sentences += [f"{place}: kernel {kernel[:60]}: {what} ({why})" for kernel, what, _, why in result.unknown]
    for sentence in sentences:
        print(sentence)
    count = len({f for f, _ in todo})
    if not arguments.problems and count < LEAST:
        print(f"{count} contestants were found, expected at least {LEAST}")
        return 1
    print(f"{count} contestants for {len(ARCHITECTURES)} architectures: {sum(used.values())} instructions, {len(used)} distinct, {len(sentences)} unknown")
    return 1 if sentences else 0


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    PARSER.add_argument("--podium", required=True)
    PARSER.add_argument("--nvcc", required=True)
    PARSER.add_argument("--source", type=lambda x: Path(x).resolve(), required=True)
    PARSER.add_argument("problems", nargs="*", help="all if none is named")
    sys.exit(main(PARSER.parse_args()))
