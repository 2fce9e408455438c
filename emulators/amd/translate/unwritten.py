# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Scalar registers that a kernel reads and has not written. Which instructions may read one is found from the kernel's
flow, so that nothing is followed in those that cannot: nearly all. Bits are followed, since compilers let masks of lanes
begin with those that no lane has set. Told is an address, a branch, EXEC or a comparison that depends on such a bit; what
is computed from one in a lane is as a vector register that was never written. Nothing is followed through calls."""

import re
from dataclasses import dataclass, field

from .beyond import LOADED, OLD, READ, USES_OLD, WRITTEN, _registers
from .control import branch_target
from .decode import Instruction
from .operands import EXEC, VCC, VECTOR
from .vector import by_word, word_read

BUFFER_LOADED = re.compile(r"load_scalar_buffer\(w, g, (\d+), base, offset, (\d+)")
LANE_MASK = re.compile(r"CNDMASK|_CO_CI_|ADDC|SUBB|DIV_FMAS")
CARRY = re.compile(r"CIN\((?:pair\(w, |\(uint64_t\)w->s\[)(vcc|\d+)")
ADDRESSES = ("GLOBAL", "VGLOBAL", "FLAT", "VFLAT", "SCRATCH", "VSCRATCH", "MUBUF", "VBUFFER")
FIRST_TRAP, LAST_TRAP = 115, 117


def _name(i: Instruction) -> str:
    """Of a scalar instruction, without the type at its end."""
    return re.sub(r"_[BUI](32|64)$", "", i.name.removeprefix("S_"))


@dataclass
class Reads:
    """Of an instruction: scalar registers by what they are to it, and those that it writes."""

    values: set[int] = field(default_factory=set)
    masks: set[int] = field(default_factory=set)  # a bit for each lane
    needed: set[int] = field(default_factory=set)
    written: set[int] = field(default_factory=set)

    @property
    def all(self) -> set[int]:
        return self.values | self.masks | self.needed


class Unwritten:
    """Of a unit."""

    def __init__(self, unit, bodies: dict[int, str]):
        self.unit, self.bodies, self.instructions = unit, bodies, unit.flow.instructions
        self.wave, self.vcc = unit.wave, {VCC, VCC + 1} if unit.wave == 64 else {VCC}
        self.reads = {o: self._reads(i) for o, i in self.instructions.items() if i.decoded is not None}
        targets = {t for i in self.instructions.values() for t in self._next(i)[1:]}
        kernels = unit.flow.code.kernels
        self.kernels = {e: n for e, n in kernels.items() if e in self.instructions and e not in targets}
        self.before = self._flow()
        self.watched: set[int] = set()
        for offset, reads in self.reads.items():
            self.watched |= reads.all & self.before.get(offset, set())

    def begin(self, entry: int) -> str:
        """The statement before a kernel's first instruction."""
        trap = "true" if self.unit.target.startswith("gfx12") else "false"
        return f"begin_unwritten(w, {self.kernels[entry]}, {trap}); " if self.watched and entry in self.kernels else ""

    def _at_begin(self, count: int) -> set[int]:
        trap = range(FIRST_TRAP, LAST_TRAP + 1) if self.unit.target.startswith("gfx12") else ()
        return set(range(EXEC)) - set(range(count)) - set(trap)

    def _next(self, i: Instruction) -> list[int]:
        """Where the wave goes on: what follows, unless nothing does, and what is branched to."""
        if i.name in ("S_ENDPGM", "S_SETPC_B64", "S_ENDPGM_SAVED") or i.unknown:
            return [-1]
        if "BRANCH" in i.name and i.encoding == "SOPP":
            return [-1 if i.name == "S_BRANCH" else i.next, branch_target(i)]
        return [i.next]

    def _flow(self) -> dict[int, set[int]]:
        """Before each instruction, registers that may hold bits that were never written."""
        before = {entry: self._at_begin(count) for entry, count in self.kernels.items()}
        todo = list(before)
        while todo:
            at = todo.pop()
            i, state = self.instructions[at], before[at]
            reads = self.reads.get(at)
            if reads is not None and reads.written:
                state = state | reads.written if (reads.values | reads.masks) & state else state - reads.written
            if i.name in ("S_SWAPPC_B64", "S_CALL_B64"):
                state = set()
            for to in self._next(i):
                if to in self.instructions and not (to in before and state <= before[to]):
                    before[to] = before.get(to, set()) | state
                    todo.append(to)
        return before

    def _reads(self, i: Instruction) -> Reads:
        body = self.bodies[i.offset]
        text = body if USES_OLD.match(i.name) else OLD.sub("", body)
        found = Reads(written=_registers(WRITTEN, body))
        for m in (*LOADED.finditer(body), *BUFFER_LOADED.finditer(body)):
            found.written.update(range(int(m[1]), int(m[1]) + int(m[2])))
        carry = CARRY.search(text)
        read = _registers(READ, CARRY.sub("", text))
        if carry and LANE_MASK.search(i.name):
            first = VCC if carry[1] == "vcc" else int(carry[1])
            found.masks = {first, first + 1} if self.wave == 64 else {first}
        if i.name in ("S_CBRANCH_VCCZ", "S_CBRANCH_VCCNZ"):
            found.needed = set(self.vcc)
        elif i.encoding in ("SMEM", *ADDRESSES) or i.name in ("S_SETPC_B64", "S_SWAPPC_B64"):
            found.needed = read
        elif i.encoding.startswith(("SOP", "VOP")) and "MFMA" not in i.name and "WMMA" not in i.name and "LANE" not in i.name:
            found.values = read - found.masks
        return Reads(*({r for r in part if r < EXEC} for part in (found.values, found.masks, found.needed, found.written)))

    def around(self, i: Instruction) -> tuple[str, str]:
        """Statements before and after an instruction."""
        reads, state = self.reads.get(i.offset), self.before.get(i.offset, set())
        if not self.watched or reads is None:
            return "", ""
        if i.name in ("S_SWAPPC_B64", "S_CALL_B64", "S_SETPC_B64"):
            return self._needed(i, reads.needed & state) + "forget_unwritten(w); ", ""
        if not reads.all & state:
            clear = sorted(reads.written & state & self.watched)
            return "".join(f"w->unwritten[{r}] = 0; " for r in clear), ""
        if reads.needed & state:
            guard = f"if ({self.unit.operands.exec_mask()}) " if i.encoding in ADDRESSES else ""
            return guard + f"{{ {self._needed(i, reads.needed & state)}}} " + "".join(f"w->unwritten[{r}] = 0; " for r in sorted(reads.written)), ""
        # Of registers that cannot hold such bits nobody keeps account: nothing of theirs may be looked at.
        reads = Reads(reads.values & state, reads.masks & state, set(), reads.written)
        return (self._scalar(i, reads), "") if i.encoding.startswith("SOP") else self._vector(i, reads)

    def _needed(self, i: Instruction, registers: set[int]) -> str:
        return "".join(f"if (const int stop = needs_written(w, g, {i.offset}, {r})) return stop; " for r in sorted(registers))

    def _scalar(self, i: Instruction, reads: Reads) -> str:
        """Before a scalar instruction: which bits of its result are not known."""
        d, o = i.decoded, self.unit.operands
        first, declared = ["0", "0"], ""
        parts = ("sdst", "") if i.encoding == "SOPK" else ("ssrc0", "sdst" if USES_OLD.match(i.name) else "ssrc1")
        for n, part in enumerate(parts):  # the result's old value is an operand too
            register = getattr(d, part, None)
            bits = d.op_bits.get(part, 32)
            lost = self._words(register.offset if register is not None else EXEC, bits, reads.values)
            value = "0ull" if register is None else f"({o.source(register, d, bits)}).u64"
            declared += f"const uint64_t {'ab'[n]} = {lost}, {'xy'[n]} = {value}; "
            first[n] = str(register.offset) if register is not None else "0"
        to, bits = getattr(d, "sdst", None), d.op_bits.get("sdst", 32)
        declared += f"const uint64_t c = {self._bits(i, o.exec_mask())} & {hex((1 << bits) - 1)}ull; (void)x, (void)y; "
        told = f"return fault(w, g, Kind::unset_scalar, {i.offset}, a ? {first[0]} : {first[1]}, 4, 0); "
        compares = i.name.startswith(("S_CMP", "S_BITCMP", "S_SETREG"))
        masked = "SAVEEXEC" in i.name or "WREXEC" in i.name or (to is not None and to.offset in (EXEC, EXEC + 1) and not compares)
        if compares or masked:
            declared += f"if (c) {told}"
        elif self._reads_scc(i):  # which says whether the result has a bit: one that is known answers that
            whole = {"AND": "x & y", "OR": "x | y", "XOR": "x ^ y"}.get(_name(i), "0ull")
            declared += f"if (c && !(({whole}) & ~c)) {told}"
        if to is not None and not compares and not masked and not o.is_null(to.offset):
            declared += f"set_unwritten(w, {to.offset}, {bits}, c); "
        elif masked and to is not None and to.offset < EXEC:
            declared += f"set_unwritten(w, {to.offset}, {bits}, 0); "
        return f"{{ {declared}}} "

    def _bits(self, i: Instruction, exec_mask: str) -> str:
        name = _name(i)
        if m := re.match(r"(AND|OR|XOR|NAND|NOR|XNOR|ANDN2|ANDN1|ORN2|ORN1|AND_NOT1|AND_NOT0|OR_NOT1|OR_NOT0)_(SAVEEXEC|WREXEC)", name):
            first = "~x" if m[1] in ("ANDN1", "AND_NOT0", "ORN1", "OR_NOT0") else "x"
            other = f"~{exec_mask}" if m[1] in ("ANDN2", "AND_NOT1", "ORN2", "OR_NOT1") else exec_mask
            kind = "or" if m[1].startswith(("OR", "NOR")) else "and"
            return "a" if "XOR" in m[1] or "XNOR" in m[1] else f"unwritten_{kind}(a, {first}, 0, {other})"
        if name in ("AND", "NAND", "OR", "NOR"):
            return f"unwritten_{'and' if 'AND' in name else 'or'}(a, x, b, y)"
        if name in ("ANDN2", "AND_NOT1", "ORN2", "OR_NOT1"):
            return f"unwritten_{'and' if 'AND' in name else 'or'}(a, x, b, ~y)"
        if name in ("XOR", "XNOR", "NOT", "MOV"):
            return "(a | b)"
        if name in ("CSELECT", "CMOV"):
            return "(w->scc ? a : b)"
        if name == "CMOVK":
            return "(w->scc ? 0ull : a)"
        if name.startswith("BITCMP"):
            return f"((a >> (y & {63 if '64' in i.name else 31}) & 1) | (b ? 1ull : 0ull))"
        if name in ("ADD", "SUB", "MUL", "ADD_NC", "SUB_NC"):
            return "unwritten_sum(a, b)"
        if name in ("LSHL", "LSHR"):
            return f"(b ? ~0ull : a {'<<' if name == 'LSHL' else '>>'} (y & {63 if '64' in i.name else 31}))"
        if name == "BFE" and "_U" in i.name:
            return "(b ? ~0ull : (a >> (y & 63)) & ((1ull << (y >> 16 & 63)) - 1))"
        return "(a | b ? ~0ull : 0ull)"

    def _reads_scc(self, i: Instruction) -> bool:
        """Whether what it leaves in SCC is read before another instruction writes it, but for a carry: where that counts, so does
        the sum's lower word, which is not known either."""
        if not re.search(r"w->scc = ", self.bodies[i.offset]):
            return False
        at = i.next
        while (of := self.instructions.get(at)) is not None:
            body = self.bodies[at]
            if of.name.startswith(("S_CBRANCH_SCC", "S_CSELECT", "S_CMOV")):
                return True
            if "w->scc = " in body or "goto " in body or body.startswith("return"):
                return False
            at = of.next
        return False

    def _vector(self, i: Instruction, reads: Reads) -> tuple[str, str]:
        """A lane that reads such bits has a result that was never written."""
        d, mask = i.decoded, self._words(min(self.reads[i.offset].masks, default=EXEC), self.wave, reads.masks)
        unset = sorted({int(m) for m in re.findall(r"w->unset\[(\d+)\] = ", self.bodies[i.offset])})
        if i.encoding == "VOPD":  # two instructions
            lost = {}
            for half in "xy":
                own = reads.values & {getattr(d, f"src{half}0").offset}
                lost[getattr(d, f"vdst{half}").offset - VECTOR] = (own, mask if "CNDMASK" in getattr(d, "op" + half).name else "0")
        else:
            lost = {r: (reads.values & self._for_word(i, n) if len(unset) == 2 else reads.values, mask) for n, r in enumerate(unset)}
        names = {r: f"lost{n}" for n, r in enumerate(lost)}
        before = "".join(f"const uint64_t {names[r]} = {self._lanes(*of)}; " for r, of in lost.items())
        if i.name.startswith("V_CMPX"):  # EXEC depends on it
            told = f"fault(w, g, Kind::unset_scalar, {i.offset}, {min(reads.all)}, 4, 0)"
            before += f"if ({self._lanes(reads.values, mask)}) return {told}; "
        after = "".join(f"w->unset[{r}] |= {names[r]}; " for r in lost)
        if reads.written:
            before += f"const uint64_t lost_mask = {self._lanes(reads.values, mask)}; "
            after += f"set_unwritten(w, {min(reads.written)}, {self.wave}, lost_mask); "
        return before, after

    def _for_word(self, i: Instruction, word: int) -> set[int]:
        """Scalar registers on which a word of a vector result of two depends: compilers leave others unwritten."""
        d = i.decoded
        sources = [(n, r.offset, d.op_bits.get(f"src{n}", 32)) for n in range(3) if (r := getattr(d, f"src{n}", None)) is not None]
        if i.name == "V_PK_MOV_B32":  # a word of each source
            return {sources[word][1] + (d.opsel >> word & 1)}
        if by_word(i):
            return {first + word_read(i, n, word) for n, first, _ in sources}
        # Low words do not depend on high ones.
        return {first + w for _, first, bits in sources for w in range(1 + (word and bits == 64))}

    def _words(self, first: int, bits: int, of: set[int]) -> str:
        """Bits of the register, or of the pair of them, that were never written."""
        words = [f"uint64_t{{w->unwritten[{first + n}]}} << {32 * n}" for n in range(max(1, bits // 32)) if first + n in of]
        return f"({' | '.join(words) or '0ull'})"

    def _lanes(self, values: set[int], mask: str) -> str:
        words = " | ".join(f"w->unwritten[{r}]" for r in sorted(values)) or "0"
        return f"{self.unit.operands.exec_mask()} & ((({words}) ? ~0ull : 0ull) | {mask})"
