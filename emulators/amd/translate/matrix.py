# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Matrix cores: MFMA of CDNA, WMMA of RDNA 3 and 4. Where a lane keeps which elements is data (Layout in
wave/matrix.hpp), made here from the shape of a product, or looked up. Of sparse products there are those that gfx942
has; scaled ones and XF32 are not there."""

import re
from dataclasses import dataclass

from .decode import Instruction
from .operands import VECTOR

NAME = re.compile(r"V_(MFMA|WMMA|SMFMAC)_(F32|F64|I32|F16|BF16)_(\d+)X(\d+)X(\d+)_(?:(\d+)B_)?([A-Z]+\d+)(?:_([A-Z]+\d+))?$")
BITS = {"F64": 64, "F32": 32, "I32": 32, "F16": 16, "BF16": 16, "FP8": 8, "BF8": 8, "I8": 8, "IU8": 8, "IU4": 4}

SPARSE = {16: ("16X16X32", "32X32X16"), 8: ("16X16X64", "32X32X32")}  # by the bits of an element: gfx942's shapes

# A place is written as the destinations of an index's bits, the lowest bit first: i0 is bit 0 of the element's number
# among those that a lane holds, L0 bit 0 of the lane.
LINE = "L0 L1 L2 L3"  # rows of A, columns of B, columns of C and D
RDNA4_K = {  # wave, bits of an element, depth: where k goes
    (32, 16, 16): "i0 i1 L4 i2",
    (32, 8, 16): "i0 i1 i2 L4",
    (32, 4, 16): "i0 i1 i2 L4",
    (32, 4, 32): "i0 i1 i2 i3 L4",
    (64, 16, 16): "i0 i1 L4 L5",
    (64, 8, 16): "i0 i1 L5 L4",
    (64, 4, 16): "i0 i1 i2 L4",
    (64, 4, 32): "i0 i1 i2 L5 L4",
}
ROWS = {  # of C and D
    ("rdna3", 32): "L4 i0 i1 i2",
    ("rdna3", 64): "L4 L5 i0 i1",
    ("rdna4", 32): "i0 i1 i2 L4",
    ("rdna4", 64): "i0 i1 L5 L4",
}


@dataclass
class Layout:
    m: int
    n: int
    depth: int
    blocks: int
    copies: int
    line: str
    k: str
    block: str
    row: str
    column: str
    result_block: str

    def cpp(self) -> str:
        places = ", ".join(_bits(x) for x in (self.line, self.k, self.block, self.row, self.column, self.result_block))
        return f"{{{self.m}, {self.n}, {self.depth}, {self.blocks}, {self.copies}, {places}}}"


def _bits(text: str) -> str:
    to = [("matrix::lane + " if word[0] == "L" else "") + word[1:] for word in text.split()]
    return f"{{{len(to)}, {{{', '.join(to)}}}}}"


def _log(x: int) -> int:
    if x < 1 or x & (x - 1):
        raise NotImplementedError("a matrix of this size")
    return x.bit_length() - 1


def _names(letter: str, first: int, count: int) -> list[str]:
    return [f"{letter}{n}" for n in range(first, first + count)]


def cdna(m: int, n: int, depth: int, blocks: int, bits: int) -> Layout:
    """`bits`: of a sum. Operands: lines, then blocks, then what of k a lane does not hold. Sums: lanes of a row, then
    blocks, as many as fit beside each other, then rows, four of which a lane holds one after the other (of doubles, one)."""
    held = _log(m * depth * blocks // 64)
    lines, beside = _log(m), _log(m) + _log(blocks)
    high = 1 if bits == 64 else 4
    shared = _log(max(1, 64 * high // (m * n)))
    rows = _names("i", 0, _log(high)) + _names("L", _log(n) + shared, 6 - _log(n) - shared)
    rows = rows[: _log(m)]
    items = sum(word[0] == "i" for word in rows)
    rows += _names("i", items, _log(m) - len(rows))
    items = sum(word[0] == "i" for word in rows)
    block = _names("L", _log(n), min(shared, _log(blocks)))
    return Layout(
        m, n, depth, blocks, 1,
        line=" ".join(_names("L", 0, lines)),
        k=" ".join(_names("i", 0, held) + _names("L", beside, _log(depth) - held)),
        block=" ".join(_names("L", lines, _log(blocks))),
        row=" ".join(rows),
        column=" ".join(_names("L", 0, _log(n))),
        result_block=" ".join(block + _names("i", items, _log(blocks) - len(block))),
    )  # fmt: skip


def rdna(family: str, wave: int, depth: int, bits: int) -> Layout:
    """`bits`: of an operand's element. 16 x 16; of RDNA 3 every 16 lanes hold all operands."""
    if family == "rdna3":
        k, copies = " ".join(_names("i", 0, _log(depth))), wave // 16
    else:
        k, copies = RDNA4_K[wave, bits, depth], 1
    return Layout(16, 16, depth, 1, copies, LINE, k, "", ROWS[family, wave], LINE, "")


def layout_of(name: str, family: str, wave: int) -> Layout | None:
    """Of an instruction, by its name; None if it is no product of this kind."""
    m = NAME.match(name)
    if not m:
        return None
    rows, columns, depth, blocks = int(m[3]), int(m[4]), int(m[5]), int(m[6] or 1)
    if m[1] in ("MFMA", "SMFMAC"):
        return cdna(rows, columns, depth, blocks, BITS[m[2]])
    return rdna(family, wave, depth, BITS[m[7]])


def translate(k, i: Instruction) -> str | None:
    if not i.name.startswith(("V_MFMA", "V_WMMA", "V_SMFMAC", "V_SWMMAC")):
        return None
    m = NAME.match(i.name)
    if not m or not all(x is None or x in BITS for x in m.group(7, 8)):
        raise NotImplementedError("this kind of matrix product")
    if m[1] == "SMFMAC":
        return _sparse(k, i, m)
    layout = layout_of(i.name, k.family, k.wave)
    modifiers = (_mfma if m[1] == "MFMA" else _wmma)(k, i, m)
    d = i.decoded
    wide = m[1] == "MFMA"
    to = d.vdst.offset - VECTOR + (256 if wide and d.acc_cd else 0)
    a, b = (_operand(d, n, wide) for n in (0, 1))
    c, constant = "nullptr", "0"
    if d.src2.offset >= VECTOR:
        c = f"w->v[{d.src2.offset - VECTOR + (256 if wide and d.acc_cd else 0)}]"
    else:
        constant = k.operands.source(d.src2, d, 16 if m[2] in ("F16", "BF16") else BITS[m[2]]) + ".u64"
        if m[2] == "BF16" and 240 <= d.src2.offset < 249:
            raise NotImplementedError("a constant as bfloat16")
    types = ", ".join("matrix::" + x.replace("IU", "I") for x in (m[7], m[8] or m[7], m[2]))
    return (
        f"{{ static constexpr matrix::Layout layout = {layout.cpp()}; static constexpr matrix::Modifiers modifiers = {modifiers}; "
        f"matrix::multiply<{types}>(w, layout, modifiers, {k.wave}, w->v[{to}], w->v[{a}], w->v[{b}], {c}, {constant}); }}"
    )


def _sparse(k, i: Instruction, m: re.Match) -> str:
    if f"{m[3]}X{m[4]}X{m[5]}" not in SPARSE[BITS[m[7]]]:
        raise NotImplementedError("a sparse product of this shape")
    d = i.decoded
    to, index = d.vdst.offset - VECTOR + (256 if d.acc_cd else 0), d.src2.offset
    if index < VECTOR:
        raise NotImplementedError("indices that are no vector register")
    types = ", ".join("matrix::" + x for x in (m[7], m[8] or m[7], m[2]))
    return (
        f"{{ static constexpr matrix::Layout layout = {layout_of(i.name, k.family, k.wave).cpp()}; "
        f"static constexpr matrix::Modifiers modifiers = {_cpp(cbsz=d.cbsz, abid=d.abid)}; "
        f"matrix::multiply_sparse<{types}>(w, layout, modifiers, {k.wave}, w->v[{to}], w->v[{_operand(d, 0, True)}], "
        f"w->v[{_operand(d, 1, True)}], w->v[{index - VECTOR}]); }}"
    )


def _operand(d, n: int, wide: bool) -> int:
    register = getattr(d, f"src{n}").offset
    if register < VECTOR:
        raise NotImplementedError("a matrix operand that is no vector register")
    return register - VECTOR + (256 if wide and d.acc >> n & 1 else 0)


def _cpp(cbsz=0, abid=0, blgp=0, negative=(0, 0, 0), absolute=False, signed=(True, True), clamp=False, half=-1, flush=False) -> str:
    words = [cbsz, abid, blgp, "{" + ", ".join(map(str, negative)) + "}", int(absolute)]
    words += ["{" + ", ".join(str(int(x)) for x in signed) + "}", int(clamp), half, int(flush)]
    return "{" + ", ".join(map(str, words)) + "}"


def _mfma(k, i: Instruction, m: re.Match) -> str:
    d = i.decoded
    if m[2] == "F64":  # the field has the signs of A, B and C
        return _cpp(cbsz=d.cbsz, abid=d.abid, negative=tuple(3 * (d.blgp >> n & 1) for n in range(3)))
    # MI200 takes denormals of 16-bit operands, and of their sums, for zero; later architectures keep them.
    flush = k.target == "gfx90a" and m[7] in ("F16", "BF16")
    return _cpp(cbsz=d.cbsz, abid=d.abid, blgp=d.blgp, flush=flush)


def _wmma(k, i: Instruction, m: re.Match) -> str:
    d = i.decoded
    clamp = bool(d.clmp)
    if m[2] == "I32":
        return _cpp(signed=(d.neg & 1, d.neg >> 1 & 1), clamp=clamp)
    if clamp:
        raise NotImplementedError("clamping its result")
    # Of A and B: the signs of the two halves of each register. Of C: its sign, and whether that is taken off before.
    negative = [(d.neg >> n & 1) | (d.neg_hi >> n & 1) << 1 for n in range(2)] + [d.neg >> 2 & 1]
    half = d.opsel >> 2 & 1 if k.family == "rdna3" and BITS[m[2]] == 16 else -1
    return _cpp(negative=tuple(negative), absolute=bool(d.neg_hi >> 2 & 1), half=half)
