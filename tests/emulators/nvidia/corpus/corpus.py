#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Instructions of sm_80 to sm_90a, one by one, on a device and in the emulator.

  corpus.py list                             every test, and how many there are
  corpus.py assemble --ptxas PTXAS           each module for its architecture, and for sm_90a, which a recording runs on
  corpus.py record [--missing] --out FILE    runs all on the first GPU, or modules alone that no recording has: nothing but Python 3
                                             and the driver is needed
  corpus.py check [--recording FILE...] ...  runs all, or a sample, in the emulator: against exact expectations, and against
                                             recordings; --write-table writes down what was seen, for readers

A recording answers the questions it was asked. What the generator asks otherwise since is held against exact expectations alone, and
named; it is no mistake.
"""

from __future__ import annotations

import argparse
import multiprocessing
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import date
from pathlib import Path

sys.path[1:1] = map(str, Path(__file__).resolve().parents[1].iterdir())

from forms import accepted, coverage, modules  # noqa: E402
from forms.checking import against_expectations, against_recording, place_of  # noqa: E402
from forms.evidence import document  # noqa: E402
from forms.modules import Kernel, Module  # noqa: E402
from forms.operands import CLASSES  # noqa: E402
from forms.recording import Recording, Unreadable, joined, made, read, without_older, without_silent  # noqa: E402
from programs import PROGRAMS, sources_of  # noqa: E402

RECORDING = Path(__file__).with_name("h200_corpus.xz")
RECORDINGS = [RECORDING, *sorted(set(RECORDING.parent.glob("*_corpus.xz")) - {RECORDING})]  # another one: modules that were added since
TABLE = Path(__file__).resolve().parents[4] / "docs" / "evidence" / "emulators_nvidia_table.md"
DEVICE = "sm_90a"  # a recording's
SHOWN = 40  # sentences at most


def tests_of(module: Module) -> list[str]:
    return [f"{s.form.title}: {name}" for k in module.kernels for s in k.slots for name, _ in CLASSES[k.domain]]


def list_all(arguments: argparse.Namespace) -> int:
    all_modules = modules()
    count, lanes, forms = 0, 0, 0
    for module in all_modules:
        for test in tests_of(module):
            print(f"{module.target:7} {test}")
            count += 1
        forms += sum(len(k.slots) for k in module.kernels)
        lanes += sum(k.lanes * len(k.slots) for k in module.kernels)
    print(f"{count} tests (a form with one class of operands), {forms} forms (opcode, modifiers, types, and immediate operands or "
          f"masks where there are several), {lanes} lanes of operands, {len(all_modules)} modules")  # fmt: skip
    return 0


def assembled(ptxas: str, module: Module, architecture: str) -> list[str]:
    """What ptxas has against it, with the lines that it names."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "module.ptx"
        file.write_text(module.ptx, encoding="ascii")
        done = subprocess.run([ptxas, f"-arch={architecture}", file, "-o", Path(folder) / "module.cubin"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
    if done.returncode == 0:
        return []
    lines = module.ptx.split("\n")
    sentences = []
    for said in done.stdout.splitlines():
        at = said.partition("line ")[2].partition(";")[0]
        sentences.append(f"{module.name} for {architecture}: {said.partition('; ')[2] or said}"
                         + (f", in: {lines[int(at) - 1]}" if at.isdigit() else ""))  # fmt: skip
    return sentences or [f"{module.name} for {architecture}: {ptxas} ends with status {done.returncode}"]


def assemble(arguments: argparse.Namespace) -> int:
    todo = [(m, architecture) for m in modules() for architecture in dict.fromkeys((m.target, DEVICE))]
    with ThreadPoolExecutor(2) as pool:
        sentences = [s for found in pool.map(lambda one: assembled(arguments.ptxas, *one), todo) for s in found]
    return told(sentences, f"ptxas accepts {len(todo)} pairs of module and architecture")


def told(sentences: list[str], well: str) -> int:
    for sentence in sentences[:SHOWN]:
        print(sentence)
    if len(sentences) > SHOWN:
        print(f"... and {len(sentences) - SHOWN} more")
    for place, count in Counter(map(place_of, sentences)).items():
        if place:
            print(f"{count:6} {place}")
    if not sentences:
        print(well)
    return 1 if sentences else 0


def record(arguments: argparse.Namespace) -> int:
    began, todo = time.monotonic(), modules()
    if arguments.missing:
        files = arguments.recording or RECORDINGS
        if arguments.out.resolve() in (file.resolve() for file in files):
            return told([f"{arguments.out} holds what is not missing: expected another file beside it"], "")
        try:
            known = joined([without_older(read(file), todo) for file in files])
        except (OSError, Unreadable) as problem:
            return told([str(problem)], "")
        todo = unasked(known, todo)
        if not todo:
            return told([], "the recordings have every module: nothing is missing")
    recording = made(todo)
    if not recording.results:
        print(f"error: nothing was recorded: {next(iter(recording.failed.values()))}", file=sys.stderr)
        return 1
    (without_silent(recording, todo) if arguments.missing else recording).write(arguments.out)
    for name, why in recording.failed.items():
        print(f"error: {name} gave no results: {why}", file=sys.stderr)
    by = ", ".join(f"{key} {value}" for key, value in recording.made_by.items())
    print(f"{arguments.out}: {len(recording.results)} kernels, {arguments.out.stat().st_size} bytes, {time.monotonic() - began:.1f} s; {by}")
    return 1 if recording.failed else 0


def emulated(arguments: argparse.Namespace, all_modules: list[Module]) -> dict[str, bytes]:
    """Of each kernel, what it writes in the emulator."""
    from emulated import Buffer, Device, compiled

    device, results = Device(arguments), {}
    with ThreadPoolExecutor(2) as pool:
        products = pool.map(lambda m: compiled(arguments, m.ptx), all_modules)
        for module, product in zip(all_modules, products):
            loaded = device.load_library(product)
            for kernel in module.kernels:
                out, inputs = Buffer(device, bytes(kernel.memory)), Buffer(device, kernel.inputs)
                device.launch(loaded, kernel.name, kernel.blocks, kernel.threads, kernel.arguments(device, out.at.value, inputs.at.value))
                results[kernel.name] = out.bytes()[: kernel.size]
    return results


def unasked(recording: Recording, all_modules: list[Module]) -> list[Module]:
    """Those that were added to the generator after the recording, or that ask something else since."""
    return [m for m in all_modules if m.name not in recording.digests]


def judged(all_modules: list[Module], results: dict[str, bytes], recording: Recording | None) -> tuple[list[str], int]:
    """What is not as it should be, and how many tests a recording was compared in. Exact arithmetic takes long: two processes."""
    kernels = [k for m in all_modules for k in m.kernels]
    later = {k.name for m in unasked(recording, all_modules) for k in m.kernels} if recording else set()
    questions = []
    for i, kernel in enumerate(kernels):
        questions.append((i, results[kernel.name], recording.results.get(kernel.name) if recording else None))
    with ProcessPoolExecutor(2, multiprocessing.get_context("fork"), initializer=_KERNELS.extend, initargs=(kernels,)) as pool:
        sentences = [s for found in pool.map(_judge, questions, chunksize=4) for s in found]
    compared = 0
    for kernel, (_, _, theirs) in zip(kernels, questions):
        if theirs is not None:
            compared += len(kernel.slots) * len(CLASSES[kernel.domain])
        elif recording and kernel.name not in later:
            sentences.append(f"{kernel.name} was not recorded: {recording.failed.get(kernel.name, 'nobody says why')}")
    return sentences, compared


_KERNELS: list[Kernel] = []  # in the processes of judged()


def _judge(question: tuple[int, bytes, bytes | None]) -> list[str]:
    index, mine, theirs = question
    sentences = []
    for slot in _KERNELS[index].slots:
        sentences += against_expectations(_KERNELS[index], slot, mine)
        if theirs is not None:
            sentences += against_recording(_KERNELS[index], slot, mine, theirs)
    return sentences


def emulators_table() -> tuple[dict, Callable[[str], str]]:
    """What the emulator translates, by opcode, and where the PTX ISA describes an instruction."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "emulators"))
    from nvidia.translator.sections import section_of
    from nvidia.translator.table import TABLE as table

    return table, section_of


def sample(all_modules: list[Module], of: int, day: int) -> list[Module]:
    """One of so many modules, on each day others."""
    return all_modules[day % of :: of]


def check(arguments: argparse.Namespace) -> int:
    all_modules = sample(modules(), arguments.sample, date.today().toordinal())
    recording, recordings, files = None, [], arguments.recording or RECORDINGS
    for file in files:
        if not file.exists():
            continue
        try:
            recordings.append(without_older(read(file), all_modules))
        except Unreadable as problem:
            return told([str(problem)], "")
    if recordings:
        recording = joined(recordings)
    elif not arguments.pretend:
        return told([f"there is no recording {files[0]}: make one on the device, corpus.py record --out {files[0].name}"], "")
    results = emulated(arguments, all_modules)
    if arguments.pretend:  # a recording of the emulator's own answers, to try the check itself
        Recording({"device": "the emulator"}, {m.name: m.digest for m in all_modules}, results).write(arguments.pretend)
    sentences, compared = judged(all_modules, results, recording)
    count = sum(len(tests_of(m)) for m in all_modules)
    if recording is not None and not recording.failed:
        table, section_of = emulators_table()
        text, found = document(all_modules, recording, results, accepted.rows(), section_of)
        if arguments.write_table:
            TABLE.write_text(text, encoding="utf-8")
            for note in coverage.outdated({name: sources_of(name) for name, p in PROGRAMS.items() if p.instances}):
                print(note)
        sentences += accepted.lacking({opcode: row.modifiers for opcode, row in table.items()})
        sentences += coverage.contradictions(found, accepted.rows(), section_of)
    if recording is not None and not compared:
        sentences.append(f"of {', '.join(m.name for m in all_modules)} no recording has an answer: ask a device, corpus.py record --missing --out FILE")
    devices = dict.fromkeys(str(r.made_by.get("device")) for r in recordings)
    against = f", {compared} of them held against {' and '.join(devices)}" if recording else ""
    if recording and (later := unasked(recording, all_modules)):
        against += (f"; {sum(len(tests_of(m)) for m in later)} were not asked of it ({', '.join(m.name for m in later)}): "
                    "ask a device, corpus.py record --missing --out FILE")  # fmt: skip
    return told(sentences, f"{count} tests run in the emulator{against}: all as they should be")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("list").set_defaults(run=list_all)
    one = commands.add_parser("assemble")
    one.add_argument("--ptxas", default="ptxas")
    one.set_defaults(run=assemble)
    one = commands.add_parser("record")
    one.add_argument("--out", type=Path, required=True)
    one.add_argument("--missing", action="store_true", help="modules alone that no recording has")
    one.add_argument("--recording", type=Path, nargs="+", help=f"by default {RECORDING.name}, and others beside it")
    one.set_defaults(run=record)
    one = commands.add_parser("check")
    one.add_argument("--recording", type=Path, nargs="+", help=f"by default {RECORDING.name}, and others beside it")
    one.add_argument("--sample", type=int, default=1, metavar="N", help="one of N modules, on each day others")
    one.add_argument("--write-table", action="store_true", help=f"write docs/evidence/{TABLE.name}")
    one.add_argument("--pretend", type=Path, help="write the emulator's own answers as a recording")
    for name in ("--compile", "--library", "--cxx"):
        one.add_argument(name, required=True)
    one.set_defaults(run=check)
    arguments = parser.parse_args()
    if arguments.run is check and arguments.write_table and arguments.sample != 1:
        parser.error("the table is of all modules: leave out --sample")
    return arguments


if __name__ == "__main__":
    ARGUMENTS = parsed()
    sys.exit(ARGUMENTS.run(ARGUMENTS))
