#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""opcodes_test.py HIPCC STAND_IN TARGET [BESIDE]: every instruction that contestants and judge's programs have on that target
(executed.txt) does on the emulator what AMD's guides say in words, restated here in Python: the emulator is made from
AMD's pseudo-code, and nothing here is. An instruction that no test has is a failure.

With BESIDE only what that target has not. One of the same family is translated from the same tables to the same
functions, so that what both have would be executed twice.

A result that is changed on purpose must be noticed, of each kind of instruction.
"""

import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import derived  # noqa: F401
import lanes  # noqa: F401
import sdwa  # noqa: F401
from control import ELSEWHERE, NO_RESULT
from denormals import ALSO as DENORMALS
from dots import ALSO as DOTS
from memory import SLOT, access, atomic, loaded, stored
from modes import ALSO as MODES
from numbers_of import BITS, NAN, unequal
from operands import operands
from program import SCALARS, VECTORS, Target, source
from scalar import KEPT
from scalar import SCALARS as SCALAR_FORMS
from vector import FORMS

HERE = Path(__file__).resolve().parent
BESIDE = HERE.parent  # the tests of whole programs
sys.path.append(str(BESIDE))
from stand_in import build, stand_in_environment  # noqa: E402


def executed(target: str) -> list[str]:
    lines = [line.split() for line in (HERE / "executed.txt").read_text().splitlines() if line and not line.startswith("#")]
    return [words[0] for words in lines if target in words[1:]] + [name for name, targets in (DOTS | MODES | DENORMALS).items() if target in targets]


def matrix_names(hipcc: str, target: Target) -> set[str]:
    """The matrix instructions that matrix.hip has on this target: it names each as AMD does, but for V_MFMA and so on."""
    command = [hipcc, "-E", "-P", "--cuda-host-only", f"--offload-arch={target.name}", f"-DTARGET=0x{target.name[3:]}", f"-DWAVE={target.wave}"]
    text = subprocess.run([*command, str(BESIDE / "matrix.hip")], check=True, capture_output=True, text=True).stdout
    named = re.findall(r'\{(?:"(sparse) " )?"([a-z0-9]+_\d+x\d+x\d+_\w+)",', text)
    return {f"V_{'SMFMAC' if sparse else 'MFMA' if target.cdna else 'WMMA'}_{name.upper()}" for sparse, name in named}


def without_their_test() -> list[str]:
    """Of instructions that a whole program shows: those whose test is not where control.py says."""
    lost = []
    for (file, text), names in ELSEWHERE.items():
        if not (BESIDE / file).is_file() or text not in (BESIDE / file).read_text():
            lost.append(f"FAILED {names.lower()}: {file} has no {text}")
    return lost


def sorted_out(names: list[str], matrix: set[str]) -> tuple[list, list, list, list[str]]:
    """The forms of vector instructions, scalar ones and accesses to memory, and the names that have none."""
    known = {name for group in (NO_RESULT, ELSEWHERE) for text in group.values() for name in text.split()}
    rest = [name for name in names if name not in known and name not in matrix]
    vectors, scalars = [FORMS[n] for n in rest if n in FORMS], [SCALAR_FORMS[n] for n in rest if n in SCALAR_FORMS]
    accesses = [a for n in rest if (a := access(n))]
    found = {form.name for form in (*vectors, *scalars, *accesses)}
    return vectors, scalars, accesses, [n for n in rest if n not in found]


class Check:
    def __init__(self):
        self.wrong: dict[str, str] = {}

    def say(self, name: str, given: object, found: object, expected: object) -> None:
        self.wrong.setdefault(name, f"FAILED {name.lower()} of {given}: found {found}, expected {expected}")

    def vector(self, form, given: list[list[int]], found: bytes, wave: int) -> None:
        sources = [[x[i] if s == "64" else x[i] & 1 if s == "m" else x[i] & 0xFFFFFFFF for i in range(VECTORS)] for s, x in zip(form.sources, given)]
        for i in range(VECTORS):
            d, flag = struct.unpack_from("<QQ", found, 16 * i)
            first = i // wave * wave
            own = [s[i] for s in sources]
            expected = form.of(*(s[first : first + wave] for s in sources), i - first) if form.of_wave else form.of(*own)
            bit = None
            if form.carries:
                expected, bit = expected
            if form.result == "mask":
                wrong = flag != expected
            elif form.result == "pair":
                size = BITS[expected.kind]
                wrong = any(unequal(d >> n * size, expected[n], expected.kind) for n in range(2))
            elif form.result[0] == "f":
                wrong = unequal(d, expected, form.result, form.units)
            else:
                wrong = (d ^ expected) & (1 << int(form.result[1:])) - 1 != 0
            if wrong or (bit is not None and bit != flag):
                self.say(form.name, " ".join(f"{x:x}" for x in own), f"{d:x} {flag}", text_of(expected) + ("" if bit is None else f" {bit}"))

    def scalar(self, form, given: list[list[int]], found: bytes, wave: int) -> None:
        for i in range(SCALARS):
            d, after = struct.unpack_from("<QQ", found, 16 * i)
            before = given[2][i] & 1
            own = [given[n][i] & (1 << (bits or wave)) - 1 for n, bits in enumerate(form.sources)]
            expected, scc = form.of(*own, before)
            scc = before if scc is KEPT else scc
            wrong = unequal(d, expected, "f32", form.units) if form.kind else form.result and d != expected
            if wrong or after != scc:
                self.say(form.name, " ".join(f"{x:x}" for x in (*own, before)), f"{d:x} {after}", f"{text_of(expected)} {scc}")

    def access(self, a, words: list[int], before: bytes, after: bytes, result: bytes) -> None:
        for i in range(SCALARS):
            slot, left = before[i * SLOT : i * SLOT + SLOT], after[i * SLOT : i * SLOT + SLOT]
            got = list(struct.unpack_from(f"<{a.registers}I", result, i * SLOT))
            x = words[8 * i : 8 * i + 8]
            if a.action == "LOAD":
                if got != loaded(a, slot) or left != slot:
                    self.say(a.name, slot.hex(), got, loaded(a, slot))
            elif a.action == "STORE":
                if left != (should := stored(a, slot, x[: a.registers] if a.bytes >= 4 else x[:1])):
                    self.say(a.name, slot.hex(), left.hex(), should.hex())
            else:
                self.atomic(a, x, slot, left, got)

    def atomic(self, a, x: list[int], slot: bytes, left: bytes, got: list[int]) -> None:
        n, at = a.bytes // 4, a.places[0]
        number = lambda words: sum(w << 32 * j for j, w in enumerate(words))  # noqa: E731
        old, new = (int.from_bytes(b[at : at + a.bytes], "little") for b in (slot, left))
        expected = atomic(a, old, number(x[:n]), number(x[n : 2 * n]))
        kind = f"f{8 * a.bytes}" if a.kind == "f" else None
        wrong = unequal(new, expected, kind) if kind else expected is not NAN and new != expected
        others = slot[:at] + slot[at + a.bytes :] != left[:at] + left[at + a.bytes :]
        if wrong or others or (a.returns and number(got[:n]) != old):
            self.say(a.name, f"{old:x} and {number(x[:n]):x}", f"{new:x}, returned {number(got[:n]):x}", f"{text_of(expected)}, {old:x}")


def text_of(expected: object) -> str:
    return "NaN" if expected is NAN else f"{expected:x}" if isinstance(expected, int) else str([text_of(x) for x in expected])


def slots(accesses: list, words: list[int]) -> bytes:
    """What lies in memory before. Every other compare-and-swap finds what it compares with."""
    drawn = operands(7)
    out = b""
    for a in accesses:
        own = bytearray()
        for i in range(SCALARS):
            kind = {"u": "word", "i": "word", "pk_f16": "half_pairs"}.get(a.kind, "double" if a.bytes == 8 else "float_pairs")
            slot = bytearray(struct.pack("<8Q", *(drawn[kind][0][(8 * i + j) % VECTORS] for j in range(8))))
            if a.action == "CMPSWAP" and i % 2:
                n = a.bytes // 4
                slot[a.places[0] : a.places[0] + a.bytes] = struct.pack(f"<{n}I", *words[8 * i + n : 8 * i + 2 * n])
            own += slot
        out += own
    return out


def data_of_accesses(given: dict, i: int) -> tuple[int, ...]:
    """Eight words: integers, floats, and doubles among them."""
    wide, double = given["word"][2][i], given["double"][0][i]
    return (given["word"][0][i] & 0xFFFFFFFF, given["float"][1][i] & 0xFFFFFFFF, wide & 0xFFFFFFFF, wide >> 32, double & 0xFFFFFFFF, double >> 32, 0, 0)


def main() -> None:
    hipcc, stand_in, target = sys.argv[1], sys.argv[2], Target(sys.argv[3])
    names = executed(target.name)
    if beside := sys.argv[4:]:
        kept = ["V_MOV_B32", "S_MOV_B32", "GLOBAL_LOAD_DWORD"]  # one of each kind, of which a result is changed below
        there = set(executed(beside[0])).union(kept)
        names = kept + [n for n in names if n not in there or re.search("FP8|BF8", n)]  # whose eight bits are others on gfx942
    vectors, scalars, accesses, untested = sorted_out(names, matrix_names(hipcc, target))
    lost = without_their_test()
    given = operands(20241122)
    words = [w for i in range(SCALARS) for w in data_of_accesses(given, i)]
    before = slots(accesses, words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "opcodes.hip").write_text(source(vectors, scalars, accesses, target))
        # Halves of registers, which Triton's kernels for gfx1201 have and clang does not assemble for it unasked.
        halves = ["-Xclang", "-target-feature", "-Xclang", "+real-true16"] if target.rdna4 else []
        build(hipcc, "-O1", f"--offload-arch={target.name}", "-w", *halves, str(folder / "opcodes.hip"), out=folder / "opcodes")
        flat = [w for kind in given.values() for position in kind for w in position]
        (folder / "in").write_bytes(struct.pack(f"<{len(flat)}Q", *flat) + struct.pack(f"<{len(words)}I", *words) + before)
        environment = stand_in_environment(stand_in, target.name, name)
        subprocess.run([str(folder / "opcodes"), str(folder / "in"), str(folder / "out")], env=environment, check=True, timeout=900)
        found = (folder / "out").read_bytes()
    first = check(target, vectors, scalars, accesses, given, words, before, found)
    for line in [*lost, *first.wrong.values(), *(f"FAILED {n.lower()}: executed, and no test has it" for n in untested)]:
        print(line)
    tested = f"tested here {len(vectors)} vector, {len(scalars)} scalar, {len(accesses)} memory"
    print(f"{target.name}: {len(names)} instructions executed; {tested}; {len(first.wrong)} wrong, {len(untested)} without a test")
    sizes = {"vectors": VECTORS * 16, "scalars": SCALARS * 16, "work": SCALARS * SLOT, "registers": SCALARS * SLOT}
    starts = [0, len(vectors) * sizes["vectors"]]
    starts.append(starts[1] + len(scalars) * sizes["scalars"])
    starts.append(starts[2] + len(accesses) * sizes["work"])
    broken = [bytearray(found[at : at + size]) for at, size in zip(starts, sizes.values())]  # of the first of each kind
    for part, at in zip(broken, (0, 0, accesses[0].places[0])):
        part[at + 9 * SLOT] ^= 1
    noticed = len(check(target, vectors[:1], scalars[:1], accesses[:1], given, words, before, b"".join(broken)).wrong)
    print("changed results are noticed" if noticed == 3 else f"FAILED: of 3 changed results {noticed} were noticed")
    sys.exit(bool(lost or first.wrong or untested or noticed != 3))


def check(target, vectors, scalars, accesses, given, words, before: bytes, found: bytes) -> Check:
    result, at = Check(), 0
    for form in vectors:
        result.vector(form, given[form.data], found[at : at + VECTORS * 16], target.wave)
        at += VECTORS * 16
    for form in scalars:
        result.scalar(form, given[form.data], found[at : at + SCALARS * 16], target.wave)
        at += SCALARS * 16
    size = SCALARS * SLOT
    registers = at + len(accesses) * size
    for n, a in enumerate(accesses):
        result.access(a, words, before[n * size : n * size + size], found[at + n * size :][:size], found[registers + n * size :][:size])
    return result


if __name__ == "__main__":
    main()
