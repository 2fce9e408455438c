# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Which evidence there is for each instruction that the emulator translates (accepted.py): an H200's answers, kernels of libraries that
were right, and the emulator's own tests. The latter two are recorded in coverage.json.xz, with the commit at which each was taken: by
libraries/run.py --record and by own_coverage.py (scripts/evidence). A record that is older than the code is no mistake."""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .form import Form

TESTS = Path(__file__).resolve().parents[2]  # a folder a subject
RECORD = Path(__file__).resolve().parent.parent / "coverage.json.xz"
H200 = "NVIDIA H200"  # as its driver calls it
_TYPE = re.compile(r"(?:f|bf|tf|s|u|b)\d+|e\dm\d")
# Of opcodes that are several instructions, the modifiers that tell them apart; of products the type of A, too.
KEPT = {
    opcode: re.compile(words)
    for opcode, words in {
        "bar": r"sync|arrive|red|warp",
        "barrier": r"cluster|sync|arrive|wait|red",
        "clusterlaunchcontrol": r"try_cancel|query_cancel|multicast::cluster::all",
        "cp": r"async|bulk|tensor|reduce|prefetch|commit_group|wait_group|wait_all|mbarrier|arrive|tile::\w+|im2col|im2col_no_offs|multicast::cluster|cta_group::2|shared::\w+|shared|global",
        "fence": r"proxy|async(::\w+)?|alias|tensormap::generic|mbarrier_init|sc|acq_rel|acquire|release",
        "cvt": r"pack|rs",
        "fma": r"oob",
        "griddepcontrol": r"wait|launch_dependents",
        "ld": r"mmio",
        "mbarrier": r"init|inval|arrive|arrive_drop|expect_tx|complete_tx|test_wait|try_wait|pending_count",
        "mma": r"sp|sp::ordered_metadata|kind::\w+|block_scale",
        "red": r"async|mmio",
        "st": r"async|mmio",
        "tcgen05": r"(re)?alloc|dealloc|relinquish_alloc_permit|ld|st|wait::\w+|fence::\w+|commit|cp|mma|sp|ws|red|kind::\w+|block_scale|cta_group::2|"
        r"\d+x\d+b|16x32bx2|warpx\S+|b\dx\S+|(un)?pack::16b|multicast::cluster",
        "tensormap": r"replace|cp_fenceproxy|swizzle_atomicity",
        "wmma": r"load|mma|store",
        "wgmma": r"fence|commit_group|wait_group|mma_async|sp",
    }.items()
}  # fmt: skip


# What sm_100 and later have of instructions that older devices have too, in words behind their names.
_NARROW = re.compile(r"(e2m1|e2m3|e3m2|ue8m0)x\d|e[45]m[23]x4")
_BYTES_OF_MATRIX = re.compile(r"m16n16|m8n16|m16n8|b8\S*|b\dx\S+")


def _newer(opcode: str, words: list[str], operands: int) -> str:
    types = [w for w in words if w in ("f16", "bf16", "f32", "f32x2", "tf32", "b64", "u64", "s64", "f64") or w.endswith(("x2", "x4"))]
    if opcode in ("add", "sub", "mul", "fma") and (types == ["f32x2"] or (types[:1] == ["f32"] and types[1:])):
        return " " + ".".join(types)
    if opcode in ("min", "max") and operands == 4:
        return " of three"
    if opcode == "cvt" and ("rs" in words or any(_NARROW.fullmatch(w) for w in words)):
        return " " + ".".join(types)
    if opcode == "cvt" and "tf32" in words and "satfinite" in words and "rna" not in words:
        return " satfinite.tf32"
    if opcode in ("ldmatrix", "stmatrix") and any(w.startswith("b8") for w in words):
        return " " + ".".join(w for w in words if _BYTES_OF_MATRIX.fullmatch(w))
    if opcode == "redux" and "f32" in words:
        return " f32"
    wide = {"v4": "64", "v8": "32"}.items() if opcode in ("ld", "st") else ()  # 256 bits
    return next((f" {vector}.{bits}" for vector, bits in wide if vector in words and words[-1].endswith(bits)), "")


_MODES = re.compile(r"(im2col|tile::)|(multicast::cluster)|(cta_group::2)")  # of cp.async.bulk.tensor, which has them in any order


def _ordered(words: list[str]) -> list[str]:
    return sorted(words, key=lambda w: match.lastindex if (match := _MODES.match(w)) else 0)


def canonical(name: str) -> str:
    """Of an instruction that was recorded with its modes in another order."""
    opcode, *words = name.split(".")
    return ".".join([opcode, *_ordered(words)]) if opcode == "cp" else name


def text_at(ptx: list[str], line: int, instruction: str) -> str:
    """The statement that begins in a line of PTX (from 1 on), with its operands."""
    return next((statement for statement in ptx[line - 1].split(";") if instruction in statement), "")


def named(instruction: str, text: str = "") -> str:
    """What the table calls it: `tcgen05.mma.cta_group::2.kind::f16`. `text`: with its operands, where they matter."""
    opcode, *words = instruction.split(",")[0].split()[0].rstrip(";").split(".")
    kept = [w for w in words if opcode in KEPT and KEPT[opcode].fullmatch(w)]
    kept = _ordered(kept) if opcode == "cp" else kept
    types = [w for w in words if _TYPE.fullmatch(w)]
    operand = f" {types[1]}" if len(types) > 1 and (opcode == "mma" or "mma_async" in kept) else ""
    return ".".join([opcode, *kept]) + operand + _newer(opcode, words, text.count(",") + 1)


def recorded() -> dict:
    return json.loads(lzma.decompress(RECORD.read_bytes())) if RECORD.exists() else {"tests": {}, "libraries": {}}


def write(all_parts: dict) -> None:
    RECORD.write_bytes(lzma.compress(json.dumps(all_parts, indent=1).encode(), preset=9))


def _names(part: dict) -> set[str]:
    """Of a test or program."""
    return {canonical(name) for name in part.get("instructions", part.get("kernels"))}


def record(part: str, entries: Mapping[str, object]) -> None:
    """Of `part`, these entries are written anew; others stay."""
    all_parts = recorded()
    all_parts[part] = dict(sorted({**all_parts[part], **entries}.items()))
    write(all_parts)


_INSTRUCTION = re.compile(r"[a-z]\w*(\.[\w:]+)+")  # in the name of a form that is several, and in front of other words


def instructions_of(form: Form) -> list[str]:
    """What its name says: an instruction, or several that work together."""
    first, *others = form.name.split(", ")
    return list(dict.fromkeys(map(named, [first, *filter(_INSTRUCTION.fullmatch, others)])))


def of_forms(forms: Iterable[tuple[Form, bool]]) -> dict[str, tuple[int, int]]:
    """Of each instruction, how many forms a device was asked, and in how many emulator and device agree in every bit."""
    asked, equal = Counter(), Counter()
    for form, same in forms:
        for name in instructions_of(form):
            asked[name] += 1
            equal[name] += same
    return {name: (count, equal[name]) for name, count in asked.items()}


@dataclass
class Evidence:
    """What there is of one row."""

    target: str = ""  # the first architecture that has it
    asked: int = 0  # forms that a device was asked
    equal: int = 0  # of them those that are equal in every bit
    elsewhere: Counter = field(default_factory=Counter)  # of them, those that another device than an H200 was asked
    tests: list[str] = field(default_factory=list)
    kernels: int = 0

    @property
    def strongest(self) -> str:
        if self.asked:
            return "H200" if self.asked > self.elsewhere.total() else "elsewhere"
        return "kernels" if self.kernels else "tests" if self.tests else "none"


def evidence(asked_of: Mapping[str, Mapping[str, tuple[int, int]]], rows: Mapping[str, str]) -> dict[str, Evidence]:
    """`asked_of`: of_forms() of each device. `rows`: those that there must be, with the first architecture of each. What is recorded of
    another has a row likewise."""
    record_of = recorded()
    found = {name: Evidence(target) for name, target in rows.items()}
    for device, forms in asked_of.items():
        for name, (asked, equal) in forms.items():
            row = found.setdefault(canonical(name), Evidence())
            row.asked, row.equal = row.asked + asked, row.equal + equal
            if device != H200:
                row.elsewhere[device] += asked
    for file, test in sorted(record_of["tests"].items()):
        for name in _names(test):
            found.setdefault(name, Evidence()).tests.append(file.removesuffix("_test.py"))
    for program in record_of["libraries"].values():
        for name, count in program["kernels"].items():
            found.setdefault(canonical(name), Evidence()).kernels += count
    return dict(sorted(found.items()))


def called(device: str) -> str:
    """In a sentence: an H200."""
    name = device.removeprefix("NVIDIA ")
    return f"{'an' if name[0] in 'AEFHILMNORSX' else 'a'} {name}"


def others(of: Mapping[str, Evidence]) -> str:
    """Devices beside an H200, in a sentence."""
    return " or ".join(map(called, sorted({device for row in of.values() for device in row.elsewhere})))


def _answered(row: Evidence) -> str:
    if not row.asked:
        return ""
    elsewhere = ", ".join(f"{count} by {called(device)}" for device, count in sorted(row.elsewhere.items()))
    return f"{row.equal} of {row.asked} equal" + (f" ({elsewhere})" if elsewhere else "")


def summary(of: Mapping[str, Evidence]) -> str:
    count = Counter(row.strongest for row in of.values())
    newer = [row for row in of.values() if not hopper_has(row.target)]
    of_newer = Counter(row.strongest for row in newer)
    without = ", ".join(f"`{name}`" for name, row in of.items() if row.strongest == "none")
    elsewhere = f", {count['elsewhere']} others such that {others(of)} answered" if count["elsewhere"] else ""
    return (f"Of the rows there are {len(of)}: {count['H200']} have forms that an H200 answered{elsewhere}; {count['kernels']} others were executed in kernels of libraries that were right; "
            f"{count['tests']} others are in the emulator's own tests alone, and {count['none']} have no evidence{f': {without}' if without else ''}. "
            f"{len(newer)} of the rows are of instructions that no H200 has: of these {of_newer['kernels']} were executed in such kernels, "
            f"{of_newer['tests']} are in own tests alone, {of_newer['none']} have no evidence.")  # fmt: skip


def hopper_has(target: str) -> bool:
    """Whether an H200, sm_90a, has what `target` is the first to have."""
    return int(re.sub(r"\D", "", target) or 0) <= 90


def lines(of: Mapping[str, Evidence], section_of: Callable[[str], str]) -> Iterator[str]:
    """The document's part. `section_of`: where the PTX ISA describes an instruction."""
    libraries = recorded()["libraries"].values()
    yield "## Evidence by instruction"
    yield ""
    others_too = f", those of {others(of)} in brackets" if others(of) else ""
    instances = sum(program["instances"] for program in libraries)
    yield ("The table shows what the emulator translates, with a row for each opcode and each mode that tells instructions apart. "
           "Products have a row for each type of A, conversions to and from narrow formats one for each pair of types. What sm_100 and later add "
           "to an older opcode has rows of its own. `tests/emulators/nvidia/corpus/forms/accepted.py` has an example of each row, which "
           "ptxas and the translator take. What operands and descriptors alone say has no row: the types of `tcgen05.mma` within a kind, "
           "A in tensor memory, swizzles. Nor have the types of B, spaces, orders and roundings that older devices have too.")
    yield ""
    yield "The columns:"
    yield ""
    yield "- where PTX ISA 9.0 describes it;"
    yield "- the first architecture that has it, with an *a* where not every later one does;"
    yield ("- in how many of the forms that an H200 was asked, alone or in a sequence whose name it stands in, both agree in every "
           f"bit{others_too};")
    yield "- which of the emulator's own tests translate it;"
    yield (f"- how many kernels of libraries reached it while their results were right against fp64 ({instances} instances in "
           f"{len(libraries)} programs, [emulators_nvidia_runs.md](emulators_nvidia_runs.md#kernels-of-libraries)). What such a kernel "
           "holds and does not execute does not count.")
    yield ""
    yield ("The table is made from `tests/emulators/nvidia/corpus/coverage.json.xz`, which `own_coverage.py` and `libraries/run.py "
           "--record` write. A row without any evidence says **none**.")
    yield ""
    yield summary(of)
    yield ""
    yield "| instruction | PTX ISA | first on | an H200's forms | own tests | kernels of libraries |"
    yield "| --- | --- | --- | --- | --- | ---: |"
    for name, row in of.items():
        tests = ", ".join(row.tests) if row.strongest != "none" else "**none**"
        yield f"| `{name}` | {section_of(name)} | {row.target} | {_answered(row)} | {tests} | {row.kernels or ''} |"
    yield ""
    yield from by_emulator()


def by_emulator() -> Iterator[str]:
    """Which programs of libraries, and which own tests, were recorded with which commit of the emulator."""
    record_of = recorded()
    programs: dict[str, list[str]] = {}
    for name, part in (*record_of["libraries"].items(), *record_of["tests"].items()):
        programs.setdefault(part["emulator"], []).append(name)
    yield "Each of these programs and tests was run with the emulator as it was at a commit, the last that had changed `emulators/nvidia` or `emulators/common`:"
    yield ""
    yield "| commit | programs and tests |"
    yield "| --- | --- |"
    for commit in sorted(programs, key=lambda commit: (-len(programs[commit]), commit)):
        yield f"| {commit} | {', '.join(f'`{name}`' for name in sorted(programs[commit]))} |"


def outdated(sources: Mapping[str, str]) -> list[str]:
    """Notes on what the record is older than. `sources`: the digest of each program of libraries/run.py."""
    record_of, again = recorded(), "record it again: libraries/run.py --record"
    sentences = [
        f"{RECORD.name}: {name} was recorded of other sources; {again} {name}"
        for name, program in record_of["libraries"].items()
        if sources.get(name) != program["sources"]
    ]
    sentences += [
        f"{RECORD.name}: {name} was recorded of files of the emulator that are no commit's; record it again"
        for name, part in (*record_of["libraries"].items(), *record_of["tests"].items())
        if part["emulator"].endswith("+")
    ]
    sentences += [f"{RECORD.name}: no run of {name} is recorded; {again} {name}" for name in sources if name not in record_of["libraries"]]
    sentences += [f"{RECORD.name}: {file} is no test; run own_coverage.py" for file in record_of["tests"] if not list(TESTS.glob(f"*/{file}"))]
    return sentences


def contradictions(of: Mapping[str, Evidence], rows: Mapping[str, str], section_of: Callable[[str], str]) -> list[str]:
    """Sentences on what the lists of instructions, of their architectures and of their sections cannot all be right about."""
    sentences = [f"{name} was asked and is no row: forms/accepted.py has no example of it" for name, row in of.items() if row.asked and name not in rows]
    sentences += [f"{name} cannot have been asked of an H200: it is of {row.target}" for name, row in of.items() if row.asked and not hopper_has(row.target)]
    sentences += [f"{name} has no section of the PTX ISA in emulators/nvidia/translator/sections.py" for name in rows if not section_of(name)]
    return sentences
