# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What a device answered: made on the device, kept in one compressed file, read by the test. Operands are not in it; the
modules' digests say which of them are still those that it answered."""

from __future__ import annotations

import json
import lzma
import multiprocessing
import os
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from .driver import Failed, Gpu
from .modules import Module

FORMAT = 1
AT_ONCE = 4  # modules, each in a process of its own
PATIENCE = 120  # seconds for a module: a kernel may wait for ever for what a device does not do


@dataclass
class Recording:
    made_by: dict[str, str]  # device, driver ...
    digests: dict[str, str]  # of modules
    results: dict[str, bytes] = field(default_factory=dict)  # of kernels
    failed: dict[str, str] = field(default_factory=dict)  # kernels and modules that gave none, and what was said
    others: list[Recording] = field(default_factory=list)  # whose answers are here too: joined()

    def device_of(self, kernel: str) -> str:
        """Which device answered."""
        return next((r for r in self.others if kernel in r.results), self).made_by.get("device", "a device")

    def write(self, file: Path) -> None:
        kernels = [[name, len(data)] for name, data in self.results.items()]
        head = {"format": FORMAT, "made_by": self.made_by, "modules": self.digests, "kernels": kernels, "failed": self.failed}
        data = json.dumps(head).encode() + b"\n" + b"".join(self.results.values())
        scratch = file.with_name(file.name + ".new")
        scratch.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
        os.replace(scratch, file)


class Unreadable(Exception):
    """A sentence that names the file."""


def read(file: Path) -> Recording:
    try:
        head, _, data = lzma.decompress(file.read_bytes()).partition(b"\n")
        said = json.loads(head)
        if said["format"] != FORMAT:
            raise Unreadable(f"{file}: its format is {said['format']}, this program reads {FORMAT}; record it again")
        recording = Recording(said["made_by"], said["modules"], {}, said["failed"])
        at = 0
        for name, size in said["kernels"]:
            recording.results[name] = data[at : at + size]
            at += size
    except (lzma.LZMAError, ValueError, KeyError, EOFError) as problem:
        raise Unreadable(f"{file}: it is no recording ({problem}); record it again: corpus.py record --out {file}") from problem
    if at != len(data):
        raise Unreadable(f"{file}: it holds {len(data)} bytes of results, its index names {at}; record it again")
    return recording


def joined(recordings: list[Recording]) -> Recording:
    """The first with what those behind it were asked and it was not."""
    first, others, known = recordings[0], [], dict(recordings[0].digests)
    results, failed = dict(first.results), dict(first.failed)
    for recording in recordings[1:]:
        new = tuple(f"{name}_" for name in recording.digests if name not in known)  # kernels are called after their modules
        mine = Recording(recording.made_by, recording.digests, {k: data for k, data in recording.results.items() if k.startswith(new)})
        known = {**recording.digests, **known}
        results.update(mine.results)
        failed.update({k: why for k, why in recording.failed.items() if f"{k}_".startswith(new)})
        others.append(mine)
    return Recording(first.made_by, known, results, failed, others)


def without_older(recording: Recording, modules: list[Module]) -> Recording:
    """Its answers to what these modules ask now; those to other questions, or of other modules, are left out."""
    asked = {m.name: m.digest for m in modules}
    digests = {name: digest for name, digest in recording.digests.items() if asked.get(name) == digest}
    kernels = {k.name for m in modules if m.name in digests for k in m.kernels}
    results = {name: data for name, data in recording.results.items() if name in kernels}
    failed = {name: why for name, why in recording.failed.items() if name in kernels or name in digests}
    return Recording(recording.made_by, digests, results, failed)


def without_silent(recording: Recording, modules: list[Module]) -> Recording:
    """A module of which no kernel gave results stays one that nobody was asked."""
    silent = [m for m in modules if not any(k.name in recording.results for k in m.kernels)]
    names = {m.name for m in silent} | {k.name for m in silent for k in m.kernels}
    digests, failed = ({name: x for name, x in of.items() if name not in names} for of in (recording.digests, recording.failed))
    return Recording(recording.made_by, digests, recording.results, failed)


def _run(module: Module, pipe) -> None:
    """In a process of its own: after a fault, a context is of no more use."""
    made_by: dict[str, str] = {}
    results: dict[str, bytes] = {}
    failed: dict[str, str] = {}
    try:
        gpu = Gpu()
        made_by = gpu.describe()
        results, failed = answered(gpu, module)
    except Failed as problem:
        failed[module.name] = str(problem)
    pipe.send((made_by, results, failed))
    pipe.close()


def answered(gpu: Gpu, module: Module) -> tuple[dict[str, bytes], dict[str, str]]:
    """Of each kernel, what it writes, or what was said against it."""
    results: dict[str, bytes] = {}
    failed: dict[str, str] = {}
    loaded = gpu.load(module.ptx)
    for kernel in module.kernels:
        try:
            results[kernel.name] = gpu.run(loaded, kernel)
        except Failed as problem:
            failed[kernel.name] = str(problem)
    return results, failed


def made(modules: list[Module]) -> Recording:
    """All modules on the first GPU, some at a time: most of it is the driver compiling."""
    recording = Recording({}, {m.name: m.digest for m in modules})
    context = multiprocessing.get_context("fork")
    begun: deque = deque()
    todo = deque(modules)
    while todo or begun:
        while todo and len(begun) < AT_ONCE:
            mine, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_run, args=(todo[0], theirs))
            process.start()
            theirs.close()
            begun.append((todo.popleft(), process, mine))
        module, process, mine = begun.popleft()
        try:
            if not mine.poll(PATIENCE):
                process.kill()
            made_by, results, failed = mine.recv()
        except EOFError:
            process.join()
            made_by, results, failed = {}, {}, {module.name: f"its process ended without an answer, exit status {process.exitcode}"}
        process.join()
        first, *others = failed or [""]
        if others:  # a kernel that faults takes those behind it along: they are asked once more
            todo.appendleft(Module(module.name, module.target, [k for k in module.kernels if k.name in others]))
            failed = {first: failed[first]}
        recording.made_by = recording.made_by or made_by
        recording.results.update(results)
        recording.failed.update(failed)
    return recording
