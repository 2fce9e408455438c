# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Fragments of a warp's matrices, which nvcuda::wmma is made of: PTX ISA 9.7.14.4. Each warp puts a matrix after the other into memory
of its own and loads it, multiplies, stores, and reads what lies there then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ieee import F16, F64

from .exact import arithmetic, encoded_double, number
from .form import Answer, Form, NotANumber
from .matrices import KINDS
from .memories import UNTOUCHED
from .products import BITS, FORMATS, Shape, accumulated, values

_LARGE = ("m16n16k16", "m32n8k16", "m8n32k16")
_SYNC = "bar.warp.sync 0xffffffff;"
_CELLS = 512  # bytes of global memory that a warp has
_SIZES = {"f16": "b16", "f64": "b64"}  # of elements in memory, where they are not words
_OF_F16 = 8  # registers of A and B, whatever the shape
_TOGETHER = {"f16": "f16x2", "f32": "f32", "s32": "s32", "f64": "f64"}  # kinds of operands of C


def _sides(shape: str) -> tuple[int, int, int]:
    m, _, rest = shape[1:].partition("n")
    n, _, k = rest.partition("k")
    return int(m), int(n), int(k)


@dataclass(frozen=True)
class _Matrix:
    """As it lies in memory."""

    role: str
    type: str
    shape: str
    layout: str
    pad: int = 0  # times 16 bytes between rows, or columns

    @property
    def sides(self) -> tuple[int, int]:
        m, n, k = _sides(self.shape)
        return {"a": (m, k), "b": (k, n)}.get(self.role, (m, n))

    @property
    def stride(self) -> int:
        return self.sides[1 if self.layout == "row" else 0] + self.pad * 128 // BITS[self.type]

    @property
    def words(self) -> int:
        """Of 32 or 64 bits, that each lane puts there or finds there."""
        bits = self.stride * self.sides[0 if self.layout == "row" else 1] * BITS[self.type]
        return -(-bits // (32 * self.width))

    @property
    def width(self) -> int:
        return 64 if self.type == "f64" else 32

    @property
    def bytes(self) -> int:
        return self.words * 4 * self.width

    @property
    def registers(self) -> int:
        """Of a lane's fragment."""
        if self.type == "f16" and self.role in "ab":
            return _OF_F16
        return self.sides[0] * self.sides[1] * BITS[self.type] // 32 // self.width

    def place(self, r: int, c: int) -> int:
        return r * self.stride + c if self.layout == "row" else c * self.stride + r

    def read(self, rows: list[tuple], first: int) -> list[list]:
        """Out of the operands from `first` on."""
        flat = [x for j in range(self.words) for row in rows for x in values(row[first + j], self.type)]
        return [[flat[self.place(r, c)] for c in range(self.sides[1])] for r in range(self.sides[0])]

    def name(self, space: str) -> str:
        verb = "store" if self.role == "d" else "load"
        return f"wmma.{verb}.{self.role}.sync.aligned.{self.layout}.{self.shape}{space and '.' + space}.{self.type}"

    def moved(self, space: str, registers: str, at: str) -> str:
        operands = [registers, f"[{at}]"] if self.role != "d" else [f"[{at}]", registers]
        return f"{self.name(space)} {', '.join(operands)}, {self.stride};"


def _listed(name: str, count: int, first: int = 0) -> str:
    return "{" + ", ".join(f"%{name}{first + i}" for i in range(count)) + "}"


class _Memory:
    """Of a warp: `space` of the instructions, and how lanes reach it."""

    def __init__(self, space: str, size: int) -> None:
        self.space, self.lane_space = space, "global" if space == "global" else "shared"
        self.shared = 0 if space == "global" else 8 * size
        self.at = "%g" if space in ("global", "") else "%p"
        self.begin = "{ .reg .b32 %l, %p, %h; .reg .b64 %g, %u; and.b32 %l, %i, 31;\n"
        if space == "global":
            if size > _CELLS:
                raise ValueError(f"a matrix of {size} bytes, a warp has {_CELLS}")
            self.begin += "mul.wide.u32 %u, %l, 16; sub.u64 %g, %scratch, %u;\n"
        else:
            self.begin += "bar.sync 0;\n"  # what another warp had of the box is read
            self.begin += f"shr.u32 %p, %i, 5; mad.lo.u32 %p, %p, {size}, %box;\n"
            self.begin += "" if space else "cvt.u64.u32 %g, %p; cvta.shared.u64 %g, %g;\n"

    def each(self, bits: int, count: int, what: Callable[[int, str], str]) -> str:
        """For each of a lane's elements, a statement of its number and its place."""
        wide = self.lane_space == "global"
        text = f"mul.wide.u32 %u, %l, {bits // 8}; add.u64 %u, %g, %u; " if wide else f"mad.lo.u32 %h, %l, {bits // 8}, %p; "
        return text + " ".join(what(i, f"[{'%u' if wide else '%h'}+{4 * bits * i}]") for i in range(count)) + "\n"

    def put(self, m: _Matrix, first: int) -> str:
        """The lane's operands from `first` on."""
        return self.each(m.width, m.words, lambda i, place: f"st.{self.lane_space}.b{m.width} {place}, %a{first + i};")

    def untouched(self, m: _Matrix) -> str:
        word = 4 * f"{UNTOUCHED:02x}"
        return self.each(32, m.bytes // 128, lambda i, place: f"st.{self.lane_space}.b32 {place}, 0x{word};")

    def found(self, m: _Matrix) -> tuple[str, tuple[str, ...]]:
        """An element each, and the results' types."""
        result = _SIZES.get(m.type, "b32")
        bits = int(result[1:])
        count = m.bytes * 8 // bits // 32
        return self.each(bits, count, lambda i, place: f"ld.{self.lane_space}.{result} {'%d' if count == 1 else f'%d{i}'}, {place};"), (result,) * count


def _typed(mode: str, m: _Matrix, n: _Matrix, c: _Matrix, d: _Matrix) -> str:
    types = f".{d.type}.{c.type}" if m.type == "f16" else f".{d.type}.{m.type}.{n.type}.{c.type}"
    popc = f".{mode}.popc" if mode in ("xor", "and") else ""
    return f"wmma.mma{popc}.sync.aligned.{m.layout}.{n.layout}.{m.shape}{types}{'.' + mode if mode and not popc else ''}"


def product(t: str, shape: str, c: str, d: str, layouts: str, mode: str = "", space: str = "shared", pad: int = 0) -> Form:
    """`layouts`: of A, B, C and D, r or c."""
    of = [_Matrix(role, type_, shape, {"r": "row", "c": "col"}[layout], pad) for role, type_, layout in zip("abcd", (t, t, c, d), layouts)]
    memory = _Memory(space, max(m.bytes for m in of))
    name, text, first = _typed(mode, *of), memory.begin, 0
    text += "".join(f".reg .b{m.width} %{m.role}r<{m.registers}>; ".replace(f"%{m.role}r", f"%w{m.role}") for m in of) + "\n"
    for m in of[:3]:
        text += f"{memory.put(m, first)}{_SYNC} {m.moved(space, _listed('w' + m.role, m.registers), memory.at)} {_SYNC}\n"
        first += m.words
    text += f"{name} {', '.join(_listed('w' + m.role, m.registers) for m in (of[3], *of[:3]))};\n"
    text += f"{memory.untouched(of[3])}{_SYNC} {of[3].moved(space, _listed('wd', of[3].registers), memory.at)} {_SYNC}\n"
    read, results = memory.found(of[3])
    kinds = (KINDS[t],) * (of[0].words + of[1].words) + (_TOGETHER[c],) * of[2].words
    variant = f"C by {of[2].layout}s, D by {of[3].layout}s, {space or 'generic'}" + (f", {16 * pad} bytes between" if pad else "")
    return Form(f"{name}, wmma.load, wmma.store", f"{text}{read}{_SYNC} }}", kinds, results, variant=variant, domain="matrix",
                expected=_of_warp(of, mode), together=32, strict=True, shared=memory.shared)  # fmt: skip


def _of_warp(of: list[_Matrix], mode: str):
    """D as it lies in memory, of the operands that A, B and C were made of."""
    a, b, c, d = of
    bits = int(_SIZES.get(d.type, "b32")[1:])
    untouched = int.from_bytes(bytes([UNTOUCHED]) * (bits // 8), "little")

    def expected(rows: list[tuple]) -> list[tuple]:
        left, right, before = a.read(rows, 0), b.read(rows, a.words), c.read(rows, a.words + b.words)
        columns = list(zip(*right))
        memory: list[Answer] = [untouched] * (d.bytes * 8 // bits)
        for r, row in enumerate(before):
            for n, x in enumerate(row):
                memory[d.place(r, n)] = _element(left[r], columns[n], x, of, mode)
        return [tuple(memory[lane::32]) for lane in range(32)]

    return expected


def _element(row: list, column: tuple, c, of: list[_Matrix], mode: str) -> Answer:
    t, types = of[0].type, {of[2].type, of[3].type}
    if t == "f64":
        fused, code = arithmetic("fma", F64, mode or "rn"), encoded_double(c, F64)
        for x, y in zip(row, column):
            code = fused(encoded_double(x, F64), encoded_double(y, F64), code) if code is not None else None
        return NotANumber(F64) if code is None else code
    m, n, k = _sides(of[0].shape)
    if t not in FORMATS:
        return accumulated(row, column, c, Shape(m, n, k, "s32", t, t, mode == "satfinite", mode or "xor"))
    sums = "f16" if types == {"f16"} else "f32"
    each = 4 if t == "tf32" else k  # of which a sum has the products
    for begin in range(0, k, each):
        code = accumulated(row[begin : begin + each], column[begin : begin + each], c, Shape(m, n, each, sums, t, t))
        if isinstance(code, NotANumber):
            return NotANumber(FORMATS[of[3].type])
        c = number(code, FORMATS[sums])
    return encoded_double(c, F16) if of[3].type == "f16" else code


def _load(role: str, t: str, shape: str, layout: str) -> Form:
    """What a fragment's registers hold: the ISA leaves it open, a device alone says it."""
    m = _Matrix(role, t, shape, layout)
    memory = _Memory("shared", m.bytes)
    results = (f"b{m.width}",) * m.registers
    targets = "{%d}" if m.registers == 1 else _listed("d", m.registers)
    text = f"{memory.begin}{memory.put(m, 0)}{_SYNC} {m.moved('shared', targets, memory.at)} {_SYNC} }}"
    return Form(m.name("shared"), text, ("s32" if m.width == 32 else "f64",) * m.words, results, domain="fragments", shared=memory.shared // 4)


def _store(t: str, shape: str, layout: str) -> Form:
    m = _Matrix("d", t, shape, layout)
    memory = _Memory("shared", m.bytes)
    read, results = memory.found(m)
    text = f"{memory.begin}{m.moved('shared', _listed('a', m.registers), memory.at)} {_SYNC}\n{read}{_SYNC} }}"
    return Form(m.name("shared"), text, ("s32" if m.width == 32 else "f64",) * m.registers, results, domain="fragments", shared=memory.shared // 4)


_NARROW = (("s4", "m8n8k32", ("", "satfinite")), ("u4", "m8n8k32", ("", "satfinite")), ("b1", "m8n8k128", ("xor", "and")))


def forms() -> Iterator[Form]:
    """Products: every type, shape, and layout of each operand."""
    for other, shape in enumerate(_LARGE):
        for c in ("f32", "f16"):
            for d in ("f32", "f16"):
                for layouts in ("rrrr", "rccr", "crrc", "cccc")[:: 3 if other else 1]:
                    yield product("f16", shape, c, d, layouts)
        for layouts in ("rrcc", "rcrr", "crcr", "ccrc")[:: 2 if other else 1]:
            yield product("bf16", shape, "f32", "f32", layouts)
        for t in ("s8", "u8"):
            for layouts in ("rrrr", "rcrc", "crcr", "cccc")[:: 3 if other else 1]:
                yield product(t, shape, "s32", "s32", layouts)
            yield product(t, shape, "s32", "s32", "rcrr", "satfinite")
    for layouts in ("rrrr", "rcrc", "crcr", "cccc"):
        yield product("tf32", "m16n16k8", "f32", "f32", layouts)
        yield product("f64", "m8n8k4", "f64", "f64", layouts)
    for mode in ("rn", "rz", "rm", "rp"):
        yield product("f64", "m8n8k4", "f64", "f64", "rcrr", mode)
    for t, shape, modes in _NARROW:
        for mode in modes:
            yield product(t, shape, "s32", "s32", "rcrr", mode)
            yield product(t, shape, "s32", "s32", "rccc", mode, "global")
    yield from _elsewhere()


def _elsewhere() -> Iterator[Form]:
    """Other spaces, and more between rows than there must be."""
    yield product("f16", "m16n16k16", "f16", "f16", "rrrr", "", "global")
    yield product("f16", "m16n16k16", "f16", "f16", "cccc", "", "global")
    yield product("f64", "m8n8k4", "f64", "f64", "crcr", "", "global")
    yield product("f16", "m32n8k16", "f32", "f32", "rcrr", "", "", 1)
    yield product("f16", "m8n32k16", "f16", "f32", "crcc", "", "shared::cta", 2)
    yield product("bf16", "m16n16k16", "f32", "f32", "ccrr", "", "", 1)
    yield product("tf32", "m16n16k8", "f32", "f32", "rccc", "", "", 1)
    yield product("s8", "m32n8k16", "s32", "s32", "crrr", "", "", 1)
    yield product("u8", "m8n32k16", "s32", "s32", "rccr", "", "shared::cta", 1)
    yield product("f64", "m8n8k4", "f64", "f64", "rrcr", "", "", 1)


def move_forms() -> Iterator[Form]:
    """Loads and stores alone."""
    for shape in _LARGE:
        for t in ("f16", "bf16", "s8", "u8"):
            for role, layout in (("a", "row"), ("a", "col"), ("b", "row"), ("b", "col")):
                if t not in ("bf16", "u8") or (role == "a") == (layout == "row"):
                    yield _load(role, t, shape, layout)
        for t in ("f16", "f32", "s32"):
            for layout in ("row", "col"):
                yield _load("c", t, shape, layout)
                yield _store(t, shape, layout)
    for shape, t, sum_ in (("m16n16k8", "tf32", "f32"), ("m8n8k4", "f64", "f64")):
        for layout in ("row", "col"):
            yield _load("a", t, shape, layout)
            yield _load("b", t, shape, layout)
            yield _load("c", sum_, shape, layout)
            yield _store(sum_, shape, layout)
    for t, shape, _ in _NARROW:
        yield _load("a", t, shape, "row")
        yield _load("b", t, shape, "col")
        if t != "u4":
            yield _load("c", "s32", shape, "row")
            yield _store("s32", shape, "col")
