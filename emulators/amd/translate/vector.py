# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Vector arithmetic: one operation in every active lane, from AMD's pseudo-code."""

import re

from . import denormals
from .decode import Instruction
from .lanes import dpp_source, sdwa_source, sdwa_write
from .operands import VECTOR, keep_unset, registers, unset_of
from .overrides import by_hand, half_dot_source
from .pseudocode import pseudocode, statements

FLOATS = {16: "f16", 32: "f32", 64: "f64"}
# With a carry that the pseudo-code has no way to write: 64 bits from a product and a sum.
WIDE_PRODUCTS = {
    "V_MAD_U64_U32": "unsigned __int128 z = (unsigned __int128)S0.u32 * S1.u32 + S2.u64; D0.u64 = (uint64_t)z; BIT(MV, l) = (uint64_t)(z >> 64) & 1;",
    "V_MAD_I64_I32": "const __int128 z = (__int128)S0.i32 * S1.i32 + S2.i64; D0.u64 = (uint64_t)z; BIT(MV, l) = (uint64_t)(z >> 64) & 1;",
}
WIDE_PRODUCTS |= {name.replace("MAD_", "MAD_CO_"): text for name, text in WIDE_PRODUCTS.items()}


def high_select(d) -> int:
    """Of the packed encoding: from where each source's upper half comes."""
    return (getattr(d, "opsel_hi", 0) & 3) | (getattr(d, "opsel_hi2", 0) & 1) << 2


def by_word(i: Instruction) -> bool:
    """Whether each word of its result of two depends on one word of each source alone."""
    packed = i.encoding.startswith("VOP3P") and "F32" in i.name and i.decoded.op_bits.get("src0", 32) == 64
    return packed or i.name.startswith("V_MOV_B64")


def word_read(i: Instruction, n: int, high: int) -> int:
    """Which word of source n that is."""
    if not i.encoding.startswith("VOP3P"):
        return high
    return (high_select(i.decoded) if high else i.decoded.opsel) >> n & 1


class Vector:
    """One instruction. Its parts: sources, computation, result, and which lanes remain unset."""

    def __init__(self, k, i: Instruction):
        self.k, self.i, self.d, self.o = k, i, i.decoded, k.operands
        self.plain = re.sub("_E(32|64)$", "", i.name)
        self.table = "V_BITOP3" in i.name
        if self.table:  # in the place of the modifiers
            number = self.d.omod << 6 | self.d.abs << 3 | self.d.neg
            kind = "u16" if "B16" in i.name else "u32"
            self.text = f"D0.{kind} = by_table(S0.{kind}, S1.{kind}, S2.{kind}, {number})"
        else:
            self.text = (by_hand(self.plain) or pseudocode(k.family, self.d.op)).replace("NEG", str(getattr(self.d, "neg", 0)))
        bits = self.d.op_bits
        self.count = 3 if "src2" in bits else 2 if ("src1" in bits or "vsrc1" in bits) else 1
        self.bits = [bits.get("src0", 32), bits.get("src1", bits.get("vsrc1", 32)), bits.get("src2", 32)]
        self.sources = [getattr(self.d, f"src{n}", None) for n in range(3)]
        if self.sources[1] is None:
            self.sources[1] = getattr(self.d, "vsrc1", None)
        self.packed = i.encoding.startswith("VOP3P")
        self.mixed = self.packed and "_MIX" in i.name
        self.sdwa, self.dpp = "SDWA" in i.encoding, "DPP" in i.encoding
        self.compares = bool(re.match(r"V_CMPX?_", i.name))
        self.floating = "_F" in i.name
        self.destination = getattr(self.d, "vdst", None)
        self.destination_bits = bits.get("vdst", 32)
        self.read: list[int] = []  # vector registers

    def translate(self) -> str:
        head, setup = self._moved_sources()
        for n in range(self.count):
            if self.sources[n] is not None:
                setup += self._source(n)
        body, carries = self._computation()
        before, write, written = self._result()
        simm = f"U SIMM32({self.d.literal}u); " if "SIMM32" in body else ""
        flush = denormals.operands(self.plain, self.text, self.count)
        work = f"{simm}U S0, S1, S2, D0; {setup} {before} {flush}{body} {write}"
        # From a scalar register to a scalar register, which may be the same: once, whatever lanes are on.
        loop = f"{{ {work} }}" if self.plain.startswith("V_S_") else self.o.lanes(work)
        return (
            f"{{ U MD, MX, MV, CIN({self._carry_in()}), VCC({self.o.vcc_mask()}), EXEC(ex); "
            f"{denormals.rounding(self.plain)}{denormals.declared(work)}{self._old_unset(written)} {head} {loop} {self._masks(carries)} {self._unset(written)} }}"
        )

    def _moved_sources(self) -> tuple[str, str]:
        """Sources that DPP or SDWA bring, which the loop sets first."""
        head, setup, d = "", "", self.d
        if self.dpp:
            head, setup = dpp_source(self.i, self.k)
            self.sources[0] = None
        if self.sdwa:
            for n in range(min(self.count, 2)):
                register = d.vsrc0 if n == 0 else self.sources[1]
                setup += sdwa_source(d, n, register)
                if not getattr(d, f"s{n}", 0):
                    self.read += registers(register, 32)
                self.sources[n] = None
        for n in range(2):
            if (self.sdwa or (self.dpp and n == 0)) and n < self.count:
                setup += self._modified(n, self.bits[n])
        return head, setup

    def _source(self, n: int) -> str:
        """Statements that set Sn from its register, with the modifiers of the encoding."""
        register, bits, d = self.sources[n], self.bits[n], self.d
        self.read += registers(register, bits)
        scalar_pair = self.packed and bits == 64 and "F32" in self.i.name and 128 <= register.offset < 256
        read_bits = 32 if scalar_pair else bits
        half = "[" not in self.text and re.search(rf"\bS{n}\.[fui]16\b", self.text)
        if (half or (self.packed and bits == 32 and "F16" in self.i.name)) and 240 <= register.offset < 249:
            read_bits = 16
        out = f"S{n} = {self.o.source(register, d, read_bits, self.floating)}; "
        if scalar_pair:
            out += f"S{n}.u64 = S{n}.u32 | (uint64_t)S{n}.u32 << 32; "
        if self._upper_half(register, bits):
            self.read = [r if r != register.offset - VECTOR else r - 128 for r in self.read]
            return f"S{n} = U(w->v[{register.offset - VECTOR - 128}][l] >> 16); "
        return out + self._modified(n, bits)

    def _modified(self, n: int, bits: int) -> str:
        """Statements that change Sn as the modifiers of the encoding say."""
        d, out = self.d, ""
        if self.mixed:
            return self._mixed_source(n)
        if self.packed:
            return self._packed_source(n, bits)
        if re.match("V_DOT2_B?F16_B?F16", self.plain):
            return half_dot_source(n, d)
        if not self.o.cdna or self.i.encoding.startswith("VOP3"):
            if (getattr(d, "opsel", 0) >> n & 1) and bits <= 32:
                out += f"S{n}.u64 = S{n}.u32 >> 16; "
            if re.match(r"V_CVT_F32_(FP8|BF8)$", self.plain) and getattr(d, "opsel", 0) & 2:  # with the bit above: a byte
                out += "S0.u64 = S0.u32 >> 8; "
        if self.i.encoding.startswith("VOP3") and not self.table:
            out += self._sign(n, getattr(d, "abs", 0) >> n & 1, (getattr(d, "neg", 0) or 0) >> n & 1, bits)
        elif self.dpp or self.sdwa:
            out += self._sign(n, getattr(d, f"src{n}_abs", 0), getattr(d, f"src{n}_neg", 0), bits)
        return out

    def _upper_half(self, register, bits: int) -> bool:
        """16-bit operands of RDNA's short encodings: from number 128 on, upper halves of the first 128."""
        short = re.match(r"VOP(1|2|C)(_LIT)?$", self.i.encoding)
        return bool(not self.o.cdna and short and bits == 16 and register.offset >= VECTOR + 128)

    def _sign(self, n: int, absolute: int, negative: int, bits: int) -> str:
        kind = "f16" if re.search(rf"\bS{n}\.f16\b", self.text) else FLOATS.get(bits, "f32")
        mask = {"f16": "0x8000ull", "f32": "0x80000000ull", "f64": "0x8000000000000000ull"}[kind]
        out = f"S{n}.u64 &= ~{mask}; " if absolute else ""
        return out + (f"S{n}.u64 ^= {mask}; " if negative else "")

    def _mixed_source(self, n: int) -> str:
        d, out = self.d, ""
        if high_select(d) >> n & 1:
            low = 16 * (d.opsel >> n & 1)
            out += f"S{n}.f32 = (float)SL(S{n}, {low + 15}, {low}).f16; "
        if d.neg_hi >> n & 1:
            out += f"S{n}.u64 &= 0x7fffffffull; "
        return out + (f"S{n}.u64 ^= 0x80000000ull; " if d.neg >> n & 1 else "")

    def _packed_source(self, n: int, bits: int) -> str:
        """Two halves, each taken from where opsel says, each with a sign of its own."""
        d = self.d
        low, high = d.opsel >> n & 1, high_select(d) >> n & 1
        neg, neg_hi = d.neg >> n & 1, d.neg_hi >> n & 1
        if bits == 32 and "16" in self.i.name and "DOT" not in self.i.name:
            out = f"S{n}.u64 = (S{n}.u32 >> {16 * low} & 0xffff) | (uint64_t)(S{n}.u32 >> {16 * high} & 0xffff) << 16; "
            if self.floating or "BF16" in self.i.name:
                out += f"S{n}.u64 ^= {neg << 15 | neg_hi << 31}ull; " if neg or neg_hi else ""
            return out
        if bits == 64 and "F32" in self.i.name:
            out = f"S{n}.u64 = (S{n}.u64 >> {32 * low} & 0xffffffffu) | (S{n}.u64 >> {32 * high} & 0xffffffffu) << 32; "
            return out + (f"S{n}.u64 ^= {neg << 31 | neg_hi << 63}ull; " if neg or neg_hi else "")
        if "DOT2" in self.i.name and (d.opsel or d.opsel_hi != 3):
            raise NotImplementedError("other halves of its operands")
        if "DOT" in self.i.name and "F16" in self.i.name and n < 2:
            return f"S{n}.u64 ^= {neg << 15 | neg_hi << 31}ull; " if neg or neg_hi else ""
        if "DOT" in self.i.name and n == 2 and self.floating:
            return f"S{n}.u64 ^= 0x80000000ull; " if neg else ""
        return ""

    def _carry_in(self) -> str:
        """The mask that the pseudo-code reads as VCC: the third source, where the long encoding has one."""
        third = self.sources[2] if self.count == 3 else None
        masked = self.i.encoding.startswith("VOP3") and re.search(r"CNDMASK|_CO_CI_|ADDC|SUBB", self.i.name)
        if masked and third is not None and third.offset < 128:
            return f"pair(w, {third.offset})" if self.k.wave == 64 else f"(uint64_t)w->s[{third.offset}]"
        return self.o.vcc_mask()

    def _computation(self) -> tuple[str, bool]:
        if self.plain in WIDE_PRODUCTS:
            return WIDE_PRODUCTS[self.plain], True
        text = self.text
        if "CNDMASK" in self.i.name:
            text = text.replace("VCC.u64[laneId]", "CIN.u64[laneId]")
        if self.compares:
            text = text.replace("EXEC.u64[laneId]", "MX.u64[laneId]").replace("D0.u64[laneId]", "MD.u64[laneId]")
        else:
            text = re.sub(r"VCC\.u64\[laneId\] =", "MV.u64[laneId] =", text)
            text = text.replace("VCC.u64[laneId]", "CIN.u64[laneId]")
            text = re.sub(r"D1\.u64\[laneId\] =|D1\.u1 =", "MV.u64[laneId] =", text)
        body = statements(text)
        return body, "MV" in body

    def _result(self) -> tuple[str, str, list[int]]:
        """What sets D0 beforehand, what stores it, and to which registers."""
        if self.compares or self.destination is None:
            return "", "", []
        r, bits, d = self.destination, self.destination_bits, self.d
        before = f"D0 = {self.o.source(r, d, bits)};" if r.offset < 128 or r.offset >= VECTOR else ""
        write = self.o.write(r, bits)
        number = r.offset - VECTOR
        if re.search(r"D0\.[fuib]16 =", self.text) and not self.packed and not self.sdwa and number >= 0:
            before, write, number = self._half_result(number)
        elif re.match(r"V_CVT_PK_(FP8|BF8)_F32$", self.plain):  # into one half
            keep, shift = ("0xffffu", 16) if d.opsel >> 3 & 1 else ("0xffff0000u", 0)
            write = f"w->v[{number}][l] = (w->v[{number}][l] & {keep}) | (D0.u32 & 0xffffu) << {shift};"
        elif self.mixed and "MIXLO" in self.i.name:
            write = f"w->v[{number}][l] = (w->v[{number}][l] & 0xffff0000u) | D0.u16;"
        if self.sdwa:
            write = sdwa_write(d, number) + write
        write = self._output_modifiers() + denormals.results(self.plain, self.text) + write
        return before, write, list(range(number, number + max(1, (bits + 31) // 32))) if number >= 0 else []

    def _half_result(self, r: int) -> tuple[str, str, int]:
        """A result of 16 bits goes to one half and leaves the other; CDNA's lower half clears the upper."""
        high = getattr(self.d, "opsel", 0) >> 3 & 1
        if not self.o.cdna and re.match(r"VOP[12]", self.i.encoding) and r >= 128:
            high, r = 1, r - 128
        old = f"w->v[{r}][l]"
        before = f"D0 = U({old}{' >> 16' if high else ''});"
        if high:
            write = f"{old} = ({old} & 0xffffu) | D0.u32 << 16;"
        elif self.o.cdna and "MIXLO" not in self.i.name:
            write = f"{old} = D0.u32 & 0xffffu;"
        else:
            write = f"{old} = ({old} & 0xffff0000u) | (D0.u32 & 0xffffu);"
        return before, write, r

    def _output_modifiers(self) -> str:
        d = self.d
        multiply, clamp = getattr(d, "omod", 0), getattr(d, "clmp", 0)
        out = ""
        if not self.floating or self.packed and not self.mixed:
            return self._integer_clamp() if clamp else ""
        kind = "f16" if "D0.f16 =" in self.text else "f64" if self.destination_bits == 64 else "f32"
        if multiply:
            out += f"D0.{kind} *= {[1, 2, 4, 0.5][multiply]}f; "
        if clamp:
            out += f"D0.{kind} = D0.{kind} > 0 ? D0.{kind} > 1 ? 1 : D0.{kind} : 0; "
        return out

    def _integer_clamp(self) -> str:
        name = self.plain
        if self.packed and "F16" in name:
            return (
                "for (int h = 0; h < 2; ++h) { const h16 x = SL(D0, 16 * h + 15, 16 * h).f16; "
                "SET(D0, 16 * h + 15, 16 * h, (h16)(x > 0 ? x > 1 ? (h16)1 : x : (h16)0)); } "
            )
        if self.packed and "F32" in name:
            return (
                "for (int h = 0; h < 2; ++h) { const float x = SL(D0, 32 * h + 31, 32 * h).f32; "
                "SET(D0, 32 * h + 31, 32 * h, x > 0 ? x > 1 ? 1.f : x : 0.f); } "
            )
        operation = re.match(r"V_(ADD|SUB|SUBREV)_(NC_)?(U|I)32$", name)
        if operation:
            a, b = ("S1", "S0") if operation[1] == "SUBREV" else ("S0", "S1")
            sign = "+" if operation[1] == "ADD" else "-"
            t, low, high = ("u32", "0", "4294967295ll") if operation[3] == "U" else ("i32", "-2147483648ll", "2147483647ll")
            return (
                f"{{ const int64_t z = (int64_t){a}.{t} {sign} (int64_t){b}.{t}; "
                f"D0.u32 = (uint32_t)(z < {low} ? {low} : z > {high} ? {high} : z); }} "
            )
        raise NotImplementedError("clamping its result")

    def _masks(self, carries: bool) -> str:
        d = self.d
        if self.compares:
            number = self.destination.offset if self.destination is not None and "VOP3" in self.i.encoding else 106
            if self.i.encoding.startswith("VOPC") and getattr(d, "sd", 0):
                number = d.sdst.offset
            if self.i.name.startswith("V_CMPX"):
                return self.o.write_mask(126, "MX") + (self.o.write_mask(number, "MD") if self.o.cdna else "")
            return self.o.write_mask(number, "MD")
        if not carries:
            return ""
        sdst = getattr(d, "sdst", None)
        return self.o.write_mask(sdst.offset if self.i.encoding.startswith("VOP3SD") and sdst is not None else 106, "MV")

    def _old_unset(self, written: list[int]) -> str:
        if not self.dpp:
            return ""
        return f"const uint64_t old_unset = {unset_of(written)};"

    def _unset(self, written: list[int]) -> str:
        if not written:
            return ""
        read = list(self.read)
        if "CNDMASK" in self.i.name and not self.dpp and not self.sdwa:
            first, second = (registers(s, 32) for s in self.sources[:2])
            return keep_unset(written, f"(CIN.u64 & ({unset_of(second)})) | (~CIN.u64 & ({unset_of(first)}))")
        if re.search(r"FMAC|DOT\w*C_|MAC_", self.i.name):
            read += written
        if len(written) == 2 and by_word(self.i) and not self.dpp:
            return self._unset_by_word(written)
        lanes = unset_of(read) + (" | crossed" if self.dpp else "")
        if re.fullmatch("V_MAD_(CO_)?[UI]64_[UI]32|V_LSHL_ADD_U64|V_LSHLREV_B64", self.plain) and not self.dpp:
            # The low word does not depend on high ones, which compilers leave unset where they do not count.
            high = {registers(s, 64)[1] for s, bits in zip(self.sources, self.bits) if bits == 64 and registers(s, 64)}
            low = [r for r in read if r not in high]
            return f"const uint64_t low = {unset_of(low)}, all = {lanes}; " + keep_unset(written[:1], "low") + keep_unset(written[1:], "all")
        return keep_unset(written, lanes)

    def _unset_by_word(self, written: list[int]) -> str:
        """Neither word depends on what is read for the other: compilers leave the other unset where they need but one."""
        found = []
        for high in (0, 1):
            read = []
            for n in range(self.count):
                if pair := registers(self.sources[n], 64):
                    read.append(pair[word_read(self.i, n, high)])
            found.append(f"const uint64_t {'high' if high else 'low'} = {unset_of(read)};")
        return " ".join(found) + " " + keep_unset(written[:1], "low") + " " + keep_unset(written[1:], "high")


def translate(k, i: Instruction) -> str:
    d, o = i.decoded, k.operands
    if i.encoding.startswith("VOPD"):
        return _dual(k, i)
    if i.indexed or i.name.startswith("V_MOVREL"):
        return _indexed_move(k, i)
    if i.name == "V_PK_MOV_B32":
        return _packed_move(k, i)
    if i.name.startswith("V_ACCVGPR_READ"):
        to, from_ = d.vdst.offset - VECTOR, d.src0.offset & 255 | 256
        return f"{o.lanes(f'w->v[{to}][l] = w->v[{from_}][l];')} {keep_unset([to], f'w->unset[{from_}]')}"
    if i.name.startswith(("V_ACCVGPR_WRITE", "V_ACCVGPR_MOV")):
        to, number = d.vdst.offset & 255 | 256, d.src0.offset - VECTOR
        if "MOV" in i.name:
            return f"{o.lanes(f'w->v[{to}][l] = w->v[{number & 255 | 256}][l];')} {keep_unset([to], f'w->unset[{number & 255 | 256}]')}"
        lanes = f"w->unset[{number}]" if number >= 0 else "0"
        return f"{o.lanes(f'const U x = {o.source(d.src0, d, 32)}; w->v[{to}][l] = x.u32;')} {keep_unset([to], lanes)}"
    return Vector(k, i).translate()


def _indexed_move(k, i: Instruction) -> str:
    """From or to the register that M0 is added to."""
    d = i.decoded
    plain = re.sub("_E(32|64)$", "", i.name)
    ways = {"V_MOVRELS_B32": (1, 0), "V_MOVRELD_B32": (0, 1), "V_MOVRELSD_B32": (1, 1), "V_MOV_B32": (i.indexed & 1, i.indexed >> 3)}
    if plain not in ways or i.indexed & 6 or d.src0.offset < VECTOR and ways[plain][0]:
        raise NotImplementedError("registers by index")
    source, destination = ways[plain]
    to, number = d.vdst.offset - VECTOR, d.src0.offset - VECTOR
    head = f"const unsigned index = w->s[{k.operands.m0}], to = ({to} + {destination} * index) & 255, from = ({max(number, 0)} + {source} * index) & 255; "
    value = "w->v[from][l]" if number >= 0 else f"{k.operands.source(d.src0, d, 32)}.u32"
    unset = "w->unset[from]" if number >= 0 else "0"
    return (
        f"{{ {head}{k.operands.lanes(f'w->v[to][l] = {value};')} "
        f"w->unset[to] = (w->unset[to] & ~ex) | (ex & ({unset})); }}"
    )


def _packed_move(k, i: Instruction) -> str:
    d = i.decoded

    def word(register, high: int) -> str:
        n = register.offset
        if n >= VECTOR:
            return f"w->v[{n - VECTOR + high}][l]"
        return f"w->s[{n + high}]" if n < 128 else k.operands.source(register, d, 32) + ".u32"

    to = d.vdst.offset - VECTOR
    body = (
        f"const uint32_t a = {word(d.src0, d.opsel & 1)}, b = {word(d.src1, d.opsel >> 1 & 1)}; "
        f"w->v[{to}][l] = a; w->v[{to + 1}][l] = b;"
    )
    picked = [[r.offset - VECTOR + h] if r.offset >= VECTOR else [] for r, h in ((d.src0, d.opsel & 1), (d.src1, d.opsel >> 1 & 1))]
    unset = "".join(f"const uint64_t unset{n} = {unset_of(one)}; " for n, one in enumerate(picked))
    return f"{{ {unset}{k.operands.lanes(body)} {keep_unset([to], 'unset0')} {keep_unset([to + 1], 'unset1')} }}"


def _dual(k, i: Instruction) -> str:
    """Two operations in one instruction: both read before either writes."""
    d, o = i.decoded, k.operands
    compute = store = after = ""
    for half, name in (("x", "X"), ("y", "Y")):
        op = getattr(d, "op" + half)
        to = getattr(d, "vdst" + half).offset - VECTOR
        first, second = getattr(d, f"src{half}0"), getattr(d, f"vsrc{half}1")
        text = pseudocode(k.family, op).replace("VCC.u64[laneId]", "CIN.u64[laneId]")
        single = op.name.replace("V_DUAL_", "V_")
        zeros = "D0.u64 = flushed_f32(D0.u64); " if denormals.FLUSHED.fullmatch(single) else ""
        literal = f"S2 = U({d.literal}u); U SIMM32({d.literal}u); " if "SIMM32" in text or re.search("FMAMK|FMAAK", op.name) else ""
        compute += (
            f"U D{name}; {{ U S0 = {o.source(first, d, 32)}, S1 = {o.source(second, d, 32)}, S2, "
            f"D0(w->v[{to}][l]); {literal}{denormals.operands(single, text, 2)}{zeros}{statements(text)} {denormals.results(single, text)}{zeros}D{name} = D0; }} "
        )
        store += f"w->v[{to}][l] = D{name}.u32; "
        read = registers(first, 32) + ([] if "MOV" in op.name else registers(second, 32)) + ([to] if re.search("FMAC|DOT2ACC", op.name) else [])
        if "CNDMASK" in op.name:
            lanes = f"(CIN.u64 & ({unset_of(registers(second, 32))})) | (~CIN.u64 & ({unset_of(registers(first, 32))}))"
        else:
            lanes = unset_of(read)
        after += f"const uint64_t unset{name} = {lanes}; "
    for half, name in (("x", "X"), ("y", "Y")):
        to = getattr(d, "vdst" + half).offset - VECTOR
        after += keep_unset([to], f"unset{name}")
    return f"{{ const Rounding rounding(w->mode, false, false); {denormals.declared(compute)}U CIN({o.vcc_mask()}), VCC(CIN); {o.lanes(compute + store)} {after} }}"
