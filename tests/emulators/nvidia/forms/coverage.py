# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Which evidence there is for each instruction of the emulator's table: an H200's answers, the emulator's own tests, and kernels of
libraries that were right. The latter two are recorded in coverage.json: by own_coverage.py and by libraries/run.py --record."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from .form import Form

TESTS = Path(__file__).resolve().parent.parent
RECORD = TESTS / "coverage.json"
_TYPE = re.compile(r"(?:f|bf|tf|s|u|b)\d+|e\dm\d")
# Of opcodes that are several instructions, the modifiers that tell them apart; of products the type of A, too.
_KEPT = {
    opcode: re.compile(words)
    for opcode, words in {
        "bar": r"sync|arrive|red|warp",
        "barrier": r"cluster|sync|arrive|wait|red",
        "clusterlaunchcontrol": r"try_cancel|query_cancel",
        "cp": r"async|bulk|tensor|reduce|prefetch|commit_group|wait_group|wait_all|mbarrier|arrive|tile::\w+|im2col\S*|multicast::cluster|cta_group::2|shared::\w+|shared|global",
        "fence": r"proxy|async(::\w+)?|alias|tensormap::generic|mbarrier_init|sc|acq_rel|acquire|release",
        "griddepcontrol": r"wait|launch_dependents",
        "mbarrier": r"init|inval|arrive|arrive_drop|expect_tx|complete_tx|test_wait|try_wait|pending_count",
        "mma": r"sp|sp::ordered_metadata|kind::\w+|block_scale",
        "red": r"async",
        "st": r"async",
        "tcgen05": r"(re)?alloc|dealloc|relinquish_alloc_permit|ld|st|wait::\w+|fence::\w+|commit|cp|mma|sp|ws|red|kind::\w+|block_scale|cta_group::2|"
        r"\d+x\d+b|16x32bx2|warpx\S+|b\dx\S+|(un)?pack::16b|multicast::cluster",
        "tensormap": r"replace|cp_fenceproxy",
        "wmma": r"load|mma|store",
        "wgmma": r"fence|commit_group|wait_group|mma_async|sp",
    }.items()
}  # fmt: skip


def named(instruction: str) -> str:
    """What the table calls it: `tcgen05.mma.cta_group::2.kind::f16`."""
    opcode, *words = instruction.split(",")[0].split()[0].split(".")
    kept = [w for w in words if opcode in _KEPT and _KEPT[opcode].fullmatch(w)]
    types = [w for w in words if _TYPE.fullmatch(w)]
    operand = f" {types[1]}" if len(types) > 1 and (opcode == "mma" or "mma_async" in kept) else ""
    return ".".join([opcode, *kept]) + operand


def recorded() -> dict:
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {"tests": {}, "libraries": {}}


def record(part: str, entries: Mapping[str, object]) -> None:
    """Of `part`, these entries are written anew; others stay."""
    all_parts = recorded()
    all_parts[part] = dict(sorted({**all_parts[part], **entries}.items()))
    RECORD.write_text(json.dumps(all_parts, indent=1) + "\n", encoding="utf-8")


def of_forms(forms: Iterable[tuple[Form, bool]]) -> dict[str, tuple[int, int]]:
    """Of each instruction, how many forms an H200 was asked, and in how many emulator and device agree in every bit."""
    asked, equal = Counter(), Counter()
    for form, same in forms:
        asked[named(form.name)] += 1
        equal[named(form.name)] += same
    return {name: (count, equal[name]) for name, count in asked.items()}


def lines(h200: Mapping[str, tuple[int, int]], table: Mapping[str, object], section_of: Callable[[str], str]) -> Iterator[str]:
    """The document's part. `table`: the emulator's, by opcode; `section_of`: where the PTX ISA describes an instruction."""
    record_of = recorded()
    tests: dict[str, list[str]] = {}
    for file, names in record_of["tests"].items():
        for name in names:
            tests.setdefault(name, []).append(file.removesuffix("_test.py"))
    reached: Counter[str] = Counter()
    for program in record_of["libraries"].values():
        reached.update(program["kernels"])
    names = {*h200, *tests, *reached}
    names |= {opcode for opcode in table if not any(re.split(r"[. ]", name)[0] == opcode for name in names)}
    libraries = record_of["libraries"].values()
    yield "## Evidence by instruction"
    yield ""
    yield (f"Every opcode of the emulator's table, products by the type of A: where PTX ISA 9.0 describes it; in how many of the forms that an H200 was asked both agree in every "
           f"bit; which of the emulator's own tests translate it; and how many kernels of libraries reached it while their results were right "
           f"against fp64 ({sum(p['instances'] for p in libraries)} instances in {len(libraries)} programs, [emulators.md](emulators.md)): what "
           "such a kernel holds and does not execute does not count. Made from `tests/emulators/nvidia/coverage.json`, which "
           "`own_coverage.py` and `libraries/run.py --record` write; an opcode without any evidence says so.")  # fmt: skip
    yield ""
    yield "| instruction | PTX ISA | an H200's forms | own tests | kernels of libraries |"
    yield "| --- | --- | --- | --- | ---: |"
    for name in sorted(names):
        asked, equal = h200.get(name, (0, 0))
        answered = f"{equal} of {asked} equal" if asked else ""
        yield f"| `{name}` | {section_of(name)} | {answered} | {', '.join(sorted(tests.get(name, []))) or ('' if asked or reached[name] else '**none**')} | {reached[name] or ''} |"
    yield ""
    yield from by_emulator()


def by_emulator() -> Iterator[str]:
    """Which programs of libraries were recorded with which commit of the emulator."""
    programs: dict[str, list[str]] = {}
    for name, program in recorded()["libraries"].items():
        programs.setdefault(program["emulator"], []).append(name)
    yield "Each of these programs was run with the emulator as it was at a commit, the last that had changed `emulators/nvidia` or `emulators/common`:"
    yield ""
    yield "| commit | programs |"
    yield "| --- | --- |"
    for commit in sorted(programs, key=lambda commit: (-len(programs[commit]), commit)):
        yield f"| {commit} | {', '.join(f'`{name}`' for name in sorted(programs[commit]))} |"


def outdated(sources: Mapping[str, str], table: Mapping[str, object], section_of: Callable[[str], str]) -> list[str]:
    """Sentences where the record is of other programs than there are. `sources`: the digest of each program of libraries/run.py."""
    record_of, again = recorded(), "record it again: libraries/run.py --record"
    sentences = [
        f"{RECORD.name}: {name} was recorded of other sources; {again} {name}"
        for name, program in record_of["libraries"].items()
        if sources.get(name) != program["sources"]
    ]
    sentences += [
        f"{RECORD.name}: {name} was recorded of files of the emulator that are no commit's; {again} {name}"
        for name, program in record_of["libraries"].items()
        if program["emulator"].endswith("+")
    ]
    sentences += [f"{RECORD.name}: no run of {name} is recorded; {again} {name}" for name in sources if name not in record_of["libraries"]]
    sentences += [f"{RECORD.name}: {file} is no test; run own_coverage.py" for file in record_of["tests"] if not (TESTS / file).exists()]
    names = {name for names in record_of["tests"].values() for name in names} | {n for p in record_of["libraries"].values() for n in p["kernels"]}
    sentences += [f"{RECORD.name}: {name} is not in the emulator's table" for name in names if re.split(r"[. ]", name)[0] not in table]
    sentences += [f"{name} has no section of the PTX ISA in emulators/nvidia/translator/sections.py" for name in sorted(names) if not section_of(name)]
    return sentences
