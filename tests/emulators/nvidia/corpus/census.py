#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Whether the emulator knows every instruction of every CUDA contestant, for each architecture: their PTX is made and translated, and
nothing is run. Contestants are those beside the problems, sealed ones among them, and those of the tests: what must be caught
(cheats, wrong) and what must not (honest).

  census.py --podium PODIUM --nvcc NVCC --source FOLDER [--architectures 80,90a,100a,103a,120a] [PROBLEM...]
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ARCHITECTURES = ("80", "90a", "100a", "103a", "120a")
# Libraries of which there is no PTX: what needs one says that it cannot run on an emulated device.
_NEEDS_LIBRARY = re.compile(r"^//\s*needs: \[.*(cublas|cudnn|cusolver|cusparse|cudadevrt)", re.M)
_DEFINED = re.compile(r"^//\s*define: \{(.*)\}", re.M)
_FOLDERS = ("kernels", "tests/cheats", "tests/honest", "tests/wrong")
LEAST = 180  # contestants, where no problem is named


def contestants(source: Path, problem: str) -> list[Path]:
    """Its files of CUDA, of the common dialect and of PTX."""
    folders = [source / folder / problem for folder in _FOLDERS]
    files = sorted(f for folder in folders for kind in ("*.cu", "*.gpu.cpp", "*.ptx") for f in folder.glob(kind))
    return [f for f in files if not _NEEDS_LIBRARY.search(f.read_text(encoding="utf-8"))]


def ptx_of(arguments: argparse.Namespace, file: Path, architecture: str, scratch: Path) -> tuple[str, str]:
    """PTX, or what nvcc says."""
    if file.suffix == ".ptx":
        return file.read_text(encoding="utf-8"), ""
    out = scratch / ".".join([*file.parts[-3:], architecture, "ptx"])
    macros = _DEFINED.search(file.read_text(encoding="utf-8"))  # of a sealed contestant; any number of threads will do
    apart = [f"-D{name}=128" for name in re.findall(r"(\w+)\s*:", macros[1])] if macros else []
    command = [arguments.nvcc, "-ptx", f"-arch=compute_{architecture}", "-std=c++20", "-O3", "--expt-relaxed-constexpr", "-w",
               f"-I{arguments.source}/sdk", f"-I{scratch}", *apart, "-x", "cu", file, "-o", out]  # fmt: skip
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return (out.read_text(encoding="utf-8"), "") if done.returncode == 0 else ("", done.stdout)


def main(arguments: argparse.Namespace) -> int:
    sys.path.insert(0, str(arguments.source / "emulators"))
    from nvidia.translator.generate import generate

    places = {p.parent.name: p.parents[1] for folder in _FOLDERS for p in sorted(arguments.source.glob(f"{folder}/*/problem.yaml"))}
    problems = arguments.problems or sorted(places)
    todo = [(f, a) for p in problems for f in contestants(arguments.source, p) for a in arguments.architectures]
    sentences, used = [], Counter()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        (scratch / "podium").mkdir()
        for problem in problems:
            header = subprocess.run([arguments.podium, "show", "problem", problem, "--problems", places[problem], "--generated", "header"],
                                    stdout=subprocess.PIPE, check=True).stdout  # fmt: skip
            (scratch / "podium" / f"{problem}.hpp").write_bytes(header)
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
    print(f"{count} contestants for {len(arguments.architectures)} architectures: {sum(used.values())} instructions, {len(used)} distinct, {len(sentences)} unknown")
    return 1 if sentences else 0


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    PARSER.add_argument("--podium", required=True)
    PARSER.add_argument("--nvcc", required=True)
    PARSER.add_argument("--source", type=lambda x: Path(x).resolve(), required=True)
    PARSER.add_argument("--architectures", type=lambda x: x.split(","), default=ARCHITECTURES, help="such as 90a,100a")
    PARSER.add_argument("problems", nargs="*", help="all if none is named")
    sys.exit(main(PARSER.parse_args()))
