# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Operands as C++ expressions. w is the wave, l the lane, both as in wave/state.hpp."""

VECTOR = 256  # numbers from here on are vector registers
LITERAL = 255
VCC, EXEC = 106, 126
INLINE_FLOATS = {240: 0.5, 241: -0.5, 242: 1.0, 243: -1.0, 244: 2.0, 245: -2.0, 246: 4.0, 247: -4.0, 248: 0.15915494309189535}
APERTURES = {235: "lds_aperture", 237: "scratch_aperture"}  # their bases as 64-bit sources


class Operands:
    """Of the kernel's family: where the tables of special registers differ."""

    def __init__(self, family: str, wave: int):
        self.null = 124 if family != "cdna" else None
        self.m0 = 125 if family != "cdna" else 124
        self.cdna = family == "cdna"
        self.wave = wave

    def is_null(self, number: int) -> bool:
        return number == self.null

    def exec_mask(self) -> str:
        return "pair(w, exec)" if self.wave == 64 else "(uint64_t)w->s[exec]"

    def vcc_mask(self) -> str:
        return "pair(w, vcc)" if self.wave == 64 else "(uint64_t)w->s[vcc]"

    def source(self, register, instruction, bits: int, float64: bool = False) -> str:
        """A value of type U with that many bits, in registers of 32. `float64`: a literal is a double's high word."""
        n = register.offset
        wide = bits >= 64
        if n >= VECTOR:
            r = n - VECTOR
            return f"U(w->v[{r}][l] | (uint64_t)w->v[{r + 1}][l] << 32)" if wide else f"U(w->v[{r}][l])"
        if n < 128:
            if self.is_null(n):
                return "U(0)"
            return f"U(pair(w, {n}))" if wide else f"U(w->s[{n}])"
        if n <= 192:
            return f"U({n - 128})"
        if n <= 208:
            return f"U((int64_t){192 - n})" if wide else f"U((uint32_t){192 - n})"
        if n in INLINE_FLOATS:
            kind = "double" if wide else "h16" if bits == 16 else "float"
            return f"U(({kind}){INLINE_FLOATS[n]})"
        if n == LITERAL:
            value = instruction.literal
            return f"U((uint64_t){value}u << 32)" if wide and float64 else f"U({value}u)"
        if n == 253:
            return "U(w->scc)"
        if n == 251:
            return f"U((uint64_t)({self.vcc_mask()} == 0))"
        if n == 252:
            return f"U((uint64_t)({self.exec_mask()} == 0))"
        if n in APERTURES:
            return f"U({APERTURES[n]} << 32)" if wide else f"U({APERTURES[n]})"
        raise NotImplementedError(f"operand {n}")

    def write(self, register, bits: int, value: str = "D0") -> str:
        """Stores value (a U) to a register of lane l, or to a scalar one."""
        n = register.offset
        if n >= VECTOR:
            r = n - VECTOR
            high = f" w->v[{r + 1}][l] = {value}.u64 >> 32;" if bits >= 64 else ""
            return f"w->v[{r}][l] = {value}.u32;{high}"
        if self.is_null(n):
            return ""
        return f"set_pair(w, {n}, {value}.u64);" if bits >= 64 else f"w->s[{n}] = {value}.u32;"

    def write_mask(self, n: int, value: str) -> str:
        """Stores a mask of lanes to a scalar register, as wide as the wave."""
        if self.is_null(n):
            return ""
        return f"set_pair(w, {n}, {value}.u64);" if self.wave == 64 else f"w->s[{n}] = {value}.u32;"

    def lanes(self, body: str) -> str:
        """A loop over the active lanes."""
        return f"for (int l = 0; l < {self.wave}; ++l) if (ex >> l & 1) {{ const int laneId = l; (void)laneId; {body} }}"


def registers(register, bits: int) -> list[int]:
    """The vector registers that an operand names; none for a scalar or a constant."""
    if register is None or register.offset < VECTOR:
        return []
    first = register.offset - VECTOR
    return list(range(first, first + max(1, (bits + 31) // 32)))


def unset_of(numbers: list[int]) -> str:
    """Lanes in which any of these registers is unset."""
    return " | ".join(f"w->unset[{r}]" for r in sorted(set(numbers))) or "0"


def keep_unset(numbers: list[int], lanes: str) -> str:
    """Says of registers just written, in the active lanes, which are unset."""
    return " ".join(f"w->unset[{r}] = (w->unset[{r}] & ~ex) | (ex & ({lanes}));" for r in numbers)
