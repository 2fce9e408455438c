# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Single instructions, on random and edge operands, against exact arithmetic in Python."""

from __future__ import annotations

import ctypes
import random
import sys
import unittest
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from emulated import Buffer, Device, options
from exact_results import (
    FORMATS, SUMS, clamp, converted, eight, exact, extreme, extreme_of_three, insert, permuted, power, root, signed, signed_field, tf32, to_integer,
    truncated, widened,
)  # fmt: skip
from ieee import E4M3, E5M2, F32, F64, NAN, Format, decoded, encoded

WIDTH = {"b16": 16, "b32": 32, "b64": 64}
COUNT = 512


@dataclass
class Case:
    name: str
    body: str  # of PTX, with %d, %a, %b, %c
    result: str  # register types
    operands: list[str]
    expected: Callable[..., int | None]  # None: any NaN
    nan: Format | None = None  # of the result, if it may be one


def integer_cases() -> list[Case]:
    cases = []

    def case(body: str, result: str, operands: list[str], expected: Callable[..., int]) -> None:
        mask = (1 << WIDTH[result]) - 1
        cases.append(Case(body.split()[0], body, result, operands, lambda *x: expected(*x) & mask))

    for w, t in ((16, "b16"), (32, "b32"), (64, "b64")):
        two, shift = [t, t], [t, "b32"]
        case(f"add.u{w} %d, %a, %b;", t, two, lambda a, b: a + b)
        case(f"sub.s{w} %d, %a, %b;", t, two, lambda a, b: a - b)
        case(f"mul.lo.s{w} %d, %a, %b;", t, two, lambda a, b: a * b)
        case(f"mul.hi.u{w} %d, %a, %b;", t, two, lambda a, b, w=w: a * b >> w)
        case(f"mul.hi.s{w} %d, %a, %b;", t, two, lambda a, b, w=w: signed(a, w) * signed(b, w) >> w)
        case(f"min.s{w} %d, %a, %b;", t, two, lambda a, b, w=w: min(signed(a, w), signed(b, w)))
        case(f"max.u{w} %d, %a, %b;", t, two, lambda a, b: max(a, b))
        case(f"div.u{w} %d, %a, %b;", t, two, lambda a, b: a // b if b else -1)
        case(f"rem.s{w} %d, %a, %b;", t, two, lambda a, b, w=w: truncated(signed(a, w), signed(b, w))[1])
        case(f"div.s{w} %d, %a, %b;", t, two, lambda a, b, w=w: truncated(signed(a, w), signed(b, w))[0])
        case(f"abs.s{w} %d, %a;", t, [t], lambda a, w=w: abs(signed(a, w)))
        case(f"shl.b{w} %d, %a, %b;", t, shift, lambda a, b, w=w: a << min(b, w))
        case(f"shr.u{w} %d, %a, %b;", t, shift, lambda a, b: a >> b)
        case(f"shr.s{w} %d, %a, %b;", t, shift, lambda a, b, w=w: signed(a, w) >> min(b, w))
        case(f"sad.s{w} %d, %a, %b, %c;", t, [t] * 3, lambda a, b, c, w=w: abs(signed(a, w) - signed(b, w)) + c)
    for w, t in ((32, "b32"), (64, "b64")):
        field = [t, "b32", "b32"]
        case(f"bfe.u{w} %d, %a, %b, %c;", t, field, lambda a, b, c: (a >> (b & 255)) & ((1 << (c & 255)) - 1))
        case(f"bfe.s{w} %d, %a, %b, %c;", t, field, lambda a, b, c, w=w: signed_field(a, b & 255, c & 255, w))
        case(f"brev.b{w} %d, %a;", t, [t], lambda a, w=w: int(f"{a:0{w}b}"[::-1], 2))
        case(f"clz.b{w} %d, %a;", "b32", [t], lambda a, w=w: w - a.bit_length())
        case(f"popc.b{w} %d, %a;", "b32", [t], lambda a: bin(a).count("1"))
        case(f"bfind.u{w} %d, %a;", "b32", [t], lambda a: a.bit_length() - 1)
        case(f"bfind.s{w} %d, %a;", "b32", [t], lambda a, w=w: (a if signed(a, w) >= 0 else ~a & ((1 << w) - 1)).bit_length() - 1)
        case(f"bfi.b{w} %d, %a, %b, {w // 3}, 9;", t, [t, t], lambda a, b, w=w: insert(a, b, w // 3, 9))
    b32 = ["b32", "b32"]
    case("mul.wide.s32 %d, %a, %b;", "b64", b32, lambda a, b: signed(a, 32) * signed(b, 32))
    case("mad.lo.u32 %d, %a, %b, %c;", "b32", ["b32"] * 3, lambda a, b, c: a * b + c)
    case("mad.wide.u32 %d, %a, %b, %c;", "b64", ["b32", "b32", "b64"], lambda a, b, c: a * b + c)
    case("mul24.lo.s32 %d, %a, %b;", "b32", b32, lambda a, b: signed(a & 0xFFFFFF, 24) * signed(b & 0xFFFFFF, 24))
    case("add.sat.s32 %d, %a, %b;", "b32", b32, lambda a, b: clamp(signed(a, 32) + signed(b, 32), -(2**31), 2**31 - 1))
    case("sub.sat.s32 %d, %a, %b;", "b32", b32, lambda a, b: clamp(signed(a, 32) - signed(b, 32), -(2**31), 2**31 - 1))
    case("shf.l.wrap.b32 %d, %a, %b, %c;", "b32", ["b32"] * 3, lambda a, b, c: (b << 32 | a) << (c & 31) >> 32)
    case("shf.r.clamp.b32 %d, %a, %b, %c;", "b32", ["b32"] * 3, lambda a, b, c: (b << 32 | a) >> min(c, 32))
    case("lop3.b32 %d, %a, %b, %c, 0xCA;", "b32", ["b32"] * 3, lambda a, b, c: (a & b) | (~a & c))
    case("prmt.b32 %d, %a, %b, %c;", "b32", ["b32"] * 3, permuted)
    case("prmt.b32.f4e %d, %a, %b, %c;", "b32", ["b32"] * 3, lambda a, b, c: (b << 32 | a) >> 8 * (c & 3))
    case("dp4a.s32.u32 %d, %a, %b, %c;", "b32", ["b32"] * 3, lambda a, b, c: c + sum(signed(a >> 8 * i & 255, 8) * (b >> 8 * i & 255) for i in range(4)))
    case("dp2a.hi.s32.s32 %d, %a, %b, %c;", "b32", ["b32"] * 3, lambda a, b, c: c + sum(signed(a >> 16 * i & 65535, 16) * signed(b >> 8 * (i + 2) & 255, 8) for i in range(2)))
    case("cvt.s64.s32 %d, %a;", "b64", ["b32"], lambda a: signed(a, 32))
    case("cvt.u16.u32 %d, %a;", "b16", ["b32"], lambda a: a)
    case("cvt.sat.s16.s32 %d, %a;", "b16", ["b32"], lambda a: clamp(signed(a, 32), -(2**15), 2**15 - 1))
    case("{ .reg .b32 %x; add.cc.u32 %x, %a, %b; addc.u32 %d, %a, %x; }", "b32", b32, lambda a, b: a + (a + b) % 2**32 + (a + b >> 32))
    case("{ .reg .b32 %x; sub.cc.u32 %x, %a, %b; subc.u32 %d, %a, %b; }", "b32", b32, lambda a, b: a - b - (a < b))
    # A register that nothing has written is all ones.
    case("{ .reg .b32 %u; .local .align 8 .b8 kept[8]; st.local.b32 [kept], %u; ld.local.b32 %d, [kept]; }", "b32", ["b32"], lambda a: -1)
    case("{ .reg .f64 %u; .local .align 8 .b8 kept[8]; st.local.f64 [kept], %u; ld.local.b64 %d, [kept]; }", "b64", ["b64"], lambda a: -1)
    case("{ .reg .f32 %u; .local .align 8 .b8 kept[8]; st.local.f32 [kept], %u; ld.local.b32 %d, [kept]; }", "b32", ["b32"], lambda a: -1)
    case("{ .reg .pred %u; .reg .b16 %v; .local .align 8 .b8 kept[8]; selp.b16 %v, 1, 0, %u; st.local.b16 [kept], %v; ld.local.b16 %d, [kept]; }", "b16", ["b16"], lambda a: 1)
    return cases


def float_cases() -> list[Case]:
    cases = []
    for name, f in FORMATS.items():
        bits = f"b{f.exponent + f.mantissa + 1}"
        modes = ("rn", "rz", "rm", "rp") if name in ("f32", "f64") else ("rn",)
        for mode in modes:
            rounding = f".{mode}"
            for op, apply in (("add", lambda a, b: a + b), ("sub", lambda a, b: a - b), ("mul", lambda a, b: a * b)):
                cases.append(Case(f"{op}{rounding}.{name}", f"{op}{rounding}.{name} %d, %a, %b;", bits, [bits] * 2, exact(op, apply, f, mode), f))
            cases.append(Case(f"fma{rounding}.{name}", f"fma{rounding}.{name} %d, %a, %b, %c;", bits, [bits] * 3, exact("fma", lambda a, b, c: a * b + c, f, mode), f))
            if name in ("f32", "f64"):
                cases.append(Case(f"div{rounding}.{name}", f"div{rounding}.{name} %d, %a, %b;", bits, [bits] * 2, exact("div", lambda a, b: a / b, f, mode), f))
                cases.append(Case(f"sqrt{rounding}.{name}", f"sqrt{rounding}.{name} %d, %a;", bits, [bits], root(f, mode), f))
        for op in ("min", "max"):
            cases.append(Case(f"{op}.{name}", f"{op}.{name} %d, %a, %b;", bits, [bits] * 2, extreme(op, f, False), f))
            if name != "f64":
                cases.append(Case(f"{op}.NaN.{name}", f"{op}.NaN.{name} %d, %a, %b;", bits, [bits] * 2, extreme(op, f, True), f))
    for op in ("min", "max"):
        for nan in ("", ".NaN"):
            for absolute in ("", ".abs"):
                body = f"{op}{nan}{absolute}.f32 %d, %a, %b, %c;"
                cases.append(Case(body.split()[0], body, "b32", ["b32"] * 3, extreme_of_three(op, nan != "", absolute != ""), F32))
    for mode in ("rn", "rz"):
        for to in ("f16", "bf16"):
            cases.append(Case(f"cvt.{mode}.{to}.f32", f"cvt.{mode}.{to}.f32 %d, %a;", "b16", ["b32"], converted(F32, FORMATS[to], mode), FORMATS[to]))
    cases.append(Case("cvt.rna.tf32.f32", "cvt.rna.tf32.f32 %d, %a;", "b32", ["b32"], tf32))
    for mode in ("rn", "rz", "rm", "rp"):
        cases.append(Case(f"cvt.{mode}.f32.f64", f"cvt.{mode}.f32.f64 %d, %a;", "b32", ["b64"], converted(F64, F32, mode), F32))
        for to, width in (("s32", 32), ("u32", 32), ("s64", 64), ("u64", 64), ("s16", 16)):
            cases.append(Case(f"cvt.{mode}i.{to}.f32", f"cvt.{mode}i.{to}.f32 %d, %a;", f"b{width}", ["b32"], to_integer(to, width, mode)))
        for of, width in (("s32", 32), ("u64", 64)):
            cases.append(Case(f"cvt.{mode}.f32.{of}", f"cvt.{mode}.f32.{of} %d, %a;", "b32", [f"b{width}"], lambda a, of=of, w=width, m=mode: encoded(Fraction(signed(a, w) if of[0] == "s" else a), F32, m)))
    for name in ("f16", "bf16"):
        for mode in ("rn", "rz", "rm", "rp"):
            for op in ("add", "sub"):
                cases.append(mixed(f"{op}.{mode}.f32.{name}", op, name, ["b16", "b32"], mode))
            cases.append(mixed(f"fma.{mode}.f32.{name}", "fma", name, ["b16", "b16", "b32"], mode))
    for name, f in (("e4m3x2", E4M3), ("e5m2x2", E5M2)):
        cases.append(Case(f"cvt.{name}", f"cvt.rn.satfinite.{name}.f32 %d, %a, %b;", "b16", ["b32"] * 2, lambda a, b, f=f: eight(a, f) << 8 | eight(b, f)))
        cases.append(Case(f"cvt.f16x2.{name}", f"cvt.rn.f16x2.{name} %d, %a;", "b32", ["b16"], lambda a, f=f: widened(a >> 8, f) << 16 | widened(a & 255, f)))
    for mode, up in (("rz", False), ("rp", True)):
        name = f"cvt.{mode}.satfinite.ue8m0x2.bf16x2"
        cases.append(Case(name, f"{name} %d, %a;", "b16", ["b32"], lambda a, up=up: power(a >> 16, up) << 8 | power(a & 65535, up)))
    return cases


def mixed(name: str, op: str, narrow: str, operands: list[str], mode: str) -> Case:
    """All operands but the last are narrow; they are widened, and then it is an operation of f32."""
    of_wide, widen = exact(op, SUMS[op], F32, mode), converted(FORMATS[narrow], F32, "rn")

    def expected(*codes: int) -> int | None:
        wide = [widen(code) for code in codes[:-1]]
        return of_wide(*(F32.nan if code is None else code for code in wide), codes[-1])

    registers = ", ".join(f"%{letter}" for letter in "abc"[: len(operands)])
    return Case(name, f"{name} %d, {registers};", "b32", operands, expected, F32)


def kernel(index: int, case: Case) -> str:
    loads = ""
    for position, (name, kind) in enumerate(zip("abcef", case.operands)):
        loads += f"  ld.param.u64 %p, [k{index}_{position + 1}]; mad.wide.u32 %p, %i, {WIDTH[kind] // 8}, %p; ld.global.{kind} %{name}, [%p];\n"
    parameters = ", ".join(f".param .u64 k{index}_{i}" for i in range(len(case.operands) + 1))
    registers = "".join(f"  .reg .{kind} %{name};\n" for name, kind in zip("abcef", case.operands))
    return (
        f".visible .entry k{index}({parameters})\n{{\n  .reg .u64 %p;\n  .reg .u32 %i;\n  .reg .{case.result} %d;\n{registers}"
        f"  mov.u32 %i, %tid.x;\n{loads}  {case.body}\n"
        f"  ld.param.u64 %p, [k{index}_0]; mad.wide.u32 %p, %i, {WIDTH[case.result] // 8}, %p; st.global.{case.result} [%p], %d;\n  ret;\n}}\n"
    )


EDGES = (0, 1, (1 << 64) - 1, 1 << 63, 1 << 31, 1 << 15, (1 << 31) - 1, 0x7C00, 0x7F800000, 0x7FF << 52, 0xFF80, 0x3C00, 0x3F800000, 0x7F7FFFFF, 0x7FC00001)


def edge(index: int, position: int, width: int) -> int:
    """Every pair of edges, for the first 225 threads."""
    return EDGES[(index // len(EDGES), index % len(EDGES), index * 7, index * 11 + index // 9, index * 13)[position] % len(EDGES)] & ((1 << width) - 1)


def operand(generator: random.Random, width: int, near: int) -> int:
    """Mixed: anything; small; sparse; floats' exponents near each other, with few digits, and their special values."""
    kind = generator.randrange(6)
    if kind == 0:
        return generator.getrandbits(width)
    if kind == 1:
        return generator.randrange(70) & ((1 << width) - 1)
    if kind == 2:
        return generator.choice(EDGES) & ((1 << width) - 1)
    if kind == 3:
        return (near ^ generator.getrandbits(width // 2)) & ((1 << width) - 1)
    if kind == 4:
        return (near + generator.randrange(-3, 4) ^ generator.choice((0, 1 << (width - 1)))) & ((1 << width) - 1)
    return generator.getrandbits(width) & generator.getrandbits(width) & generator.getrandbits(width)


def hold(test: unittest.TestCase, device: Device, cases: list[Case], target: str) -> None:
    """Each case on edges and random operands."""
    ptx = f".version 8.8\n.target {target}\n.address_size 64\n" + "".join(kernel(i, c) for i, c in enumerate(cases))
    module = device.load(ptx)
    for index, case in enumerate(cases):
        with test.subTest(case.name):
            generator = random.Random(case.name)
            inputs = []
            near = [generator.getrandbits(64) for _ in range(COUNT)]
            for position, kind in enumerate(case.operands):
                width = WIDTH[kind]
                random_ones = [operand(generator, width, near[i] & ((1 << width) - 1)) for i in range(COUNT)]
                edges = [edge(i, position, width) for i in range(len(EDGES) ** 2)]
                inputs.append(edges + random_ones[len(edges) :])
            size = WIDTH[case.result] // 8
            out = Buffer(device, bytes(COUNT * size))
            buffers = [Buffer(device, b"".join(x.to_bytes(WIDTH[k] // 8, "little") for x in column)) for k, column in zip(case.operands, inputs)]
            arguments = [ctypes.c_uint64(b.at.value) for b in (out, *buffers)]
            device.launch(module, f"k{index}", 1, COUNT, arguments)
            data = out.bytes()
            for i in range(COUNT):
                values = [column[i] for column in inputs]
                found, wanted = int.from_bytes(data[i * size : (i + 1) * size], "little"), case.expected(*values)
                shown = ", ".join(f"{v:#x}" for v in values)
                if wanted is None:
                    test.assertEqual(decoded(found, case.nan).fraction, NAN, f"{case.name} of {shown}: {found:#x}")
                    if case.nan is not F64:
                        test.assertEqual(found, case.nan.nan, f"{case.name} of {shown}: no canonical NaN")
                else:
                    test.assertEqual(found, wanted, f"{case.name} of {shown}: {found:#x}, expected {wanted:#x}")


class InstructionsTest(unittest.TestCase):
    def test_all(self) -> None:
        hold(self, Device(ARGUMENTS), integer_cases() + float_cases(), "sm_90a")


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
