# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Global memory, scratch and addresses that may be either, or LDS."""

import re

from . import atomics
from .decode import Instruction
from .operands import VECTOR, keep_unset, unset_of

GLOBAL = ("GLOBAL", "VGLOBAL")
FLAT = ("FLAT", "VFLAT")
SCRATCH = ("SCRATCH", "VSCRATCH")
BUFFER = ("MUBUF", "VBUFFER")


def translate(k, i: Instruction) -> str | None:
    if i.encoding not in GLOBAL + FLAT + SCRATCH + BUFFER:
        return None
    return Access(k, i).translate()


class Access:
    """One instruction: where its lanes go, and what they do there."""

    def __init__(self, k, i: Instruction):
        self.k, self.i, self.d, self.o = k, i, i.decoded, k.operands
        d = self.d
        self.scratch, self.flat, self.buffer = i.encoding in SCRATCH, i.encoding in FLAT, i.encoding in BUFFER
        if self.buffer:
            self.result = self.data = d.vdata.offset - VECTOR
        else:
            self.result = d.vdst.offset - VECTOR
            self.data = (getattr(d, "data", None) or getattr(d, "vsrc")).offset - VECTOR
        self.address = (getattr(d, "addr", None) or getattr(d, "vaddr")).offset - VECTOR
        if getattr(d, "acc", 0):
            self.result, self.data = self.result + 256, self.data + 256

    def translate(self) -> str:
        name = self.i.name
        if "LDS" in name.split("_") or getattr(self.d, "lds", 0):
            return self._to_lds()
        if "ATOMIC" in name:
            returns = self._returns()
            bytes_ = atomics.width(name)
            start = self._place(bytes_, store=True) + self._stored_unset(self.data, bytes_ // 4)
            if self.buffer:  # out of range: nothing is changed, and zero comes back
                zeros = "".join(f"w->v[{r}][l] = 0; mark(w->unset[{r}], l, false); " for r in range(self.result, self.result + bytes_ // 4))
                start += f"if (room < {bytes_}) {{ {zeros if returns else ''}continue; }} "
            return atomics.translate(self.k, self.i, name, start, self.data, 0, self.result, returns, lds=False)
        m = re.search(r"_(LOAD|STORE)_(.*)$", name)
        if not m or "FORMAT" in name:
            raise NotImplementedError("this access to memory")
        bytes_, signed = _size(m[2])
        return self._store(m[2], bytes_) if m[1] == "STORE" else self._load(m[2], bytes_, signed)

    def _returns(self) -> bool:
        d = self.d
        if self.k.family == "cdna":
            return bool(d.sc0)
        return bool(d.glc if self.k.family == "rdna3" else d.th & 1)

    def _offset(self) -> int:
        d = self.d
        fields = dict(d._fields)
        name = "offset" if "offset" in fields else "ioffset"
        value, width = getattr(d, name), fields[name].mask.bit_length()
        unsigned = self.buffer or (self.o.cdna and self.flat)
        return value - (1 << width) if not unsigned and value >> (width - 1) & 1 else value

    def _place(self, bytes_: int, store: bool) -> str:
        """Declares P, where the lane goes, after looking whether it may."""
        if self.buffer:
            return self._buffer_place(bytes_, store)
        offset, d = self._offset(), self.d
        scalar = d.saddr.offset
        none = scalar == 127 if self.o.cdna else self.o.is_null(scalar)
        if self.scratch:
            lane = f" + (int32_t)w->v[{self.address}][l]" if getattr(d, "sve", 0) else ""
            word = "" if none else f" + w->s[{scalar}]"
            return self._scratch_place(f"(int64_t){offset}{lane}{word}", bytes_)
        if none or (self.flat and self.o.cdna):
            where = f"(w->v[{self.address}][l] | (uint64_t)w->v[{self.address + 1}][l] << 32) + {offset}ll"
            unset = self._address_unset([self.address, self.address + 1])
        else:
            where = f"pair(w, {scalar}) + w->v[{self.address}][l] + {offset}ll"
            unset = self._address_unset([self.address])
        outside = f"if (!inside(g, at, {bytes_})) return fault(w, g, Kind::outside, {self.i.offset}, at, {bytes_}, l); "
        place = f"const uint64_t at = {where}; {unset}uint8_t* P = (uint8_t*)at; "
        if not self.flat:
            return place + outside
        return (
            f"{place}if (at >> 32 == lds_aperture) {{ const uint32_t low = (uint32_t)at; "
            f"if ((uint64_t)low + {bytes_} > g->lds_bytes) return fault(w, g, Kind::outside_lds, {self.i.offset}, low, {bytes_}, l); "
            f"P = g->lds + low; {f'(void)touch_lds(g, low, {bytes_}); ' if store else ''}}} "
            f"else if (at >> 32 == scratch_aperture) {{ const uint32_t low = (uint32_t)at; "
            f"if ((uint64_t)low + {bytes_} > g->scratch_bytes) return fault(w, g, Kind::outside_scratch, {self.i.offset}, low, {bytes_}, l); "
            f"P = w->scratch + l * g->scratch_bytes + low; }} else {outside}"
        )

    def _scratch_place(self, where: str, bytes_: int) -> str:
        return (
            f"const int64_t at = {where}; if (at < 0 || (uint64_t)at + {bytes_} > g->scratch_bytes) "
            f"return fault(w, g, Kind::outside_scratch, {self.i.offset}, (uint64_t)at, {bytes_}, l); "
            "uint8_t* P = w->scratch + l * g->scratch_bytes + at; "
        )

    def _buffer_place(self, bytes_: int, store: bool) -> str:
        """gfx90a reaches scratch so: by a descriptor that the runtime marks. Of others, what lies behind their size reads as
        zero, and is not written: declares room, the bytes that are within. What the size allows must be allocated. With an
        index the descriptor's stride counts: see indexed_room."""
        d = self.d
        resource = d.rsrc if hasattr(d, "rsrc") else d.srsrc.offset  # a bare number in RDNA 4's tables
        indexed = getattr(d, "idxen", 0)
        word = "" if self.o.is_null(d.soffset.offset) else f" + {self.o.source(d.soffset, d, 32)}.u32"
        lane = f" + w->v[{self.address + indexed}][l]" if d.offen else ""
        # The scalar offset is one into the whole wave's scratch, in which the words of all lanes alternate.
        own_word = word and f"{word} / {self.k.wave}"
        room = f"buffer_room(within, {bytes_}, w->s[{resource + 2}])"
        swizzled = f"swizzled(w, {resource}, {'true' if self.o.cdna else 'false'})"
        unknown = f"own || {swizzled}" if indexed else f"!own && {swizzled}"
        index = f"if ({unknown}) return fault(w, g, Kind::unknown, {self.i.offset}, 0, 0, 0); "
        stride = ""
        if indexed:
            index += (
                f"const uint32_t index = w->v[{self.address}][l], stride = w->s[{resource + 1}] >> 16 & 0x3fff; "
            )
            stride = " + (uint64_t)stride * index"
            room = f"indexed_room(w, {resource}, {'true' if self.o.cdna else 'false'}, index, stride, {self._offset()}u{lane}, within, {bytes_})"
        return (
            f"const uint64_t buffer = pair(w, {resource}) & 0xffffffffffffull; const bool own = buffer >> 32 == scratch_buffer; {index}"
            f"const uint64_t within = own ? (uint64_t)({self._offset()}ll{own_word}{lane}) : (uint64_t)({self._offset()}ll{word}{lane}{stride}); "
            f"const uint64_t at = own ? within : buffer + within; "
            f"if (own && within + {bytes_} > g->scratch_bytes) return fault(w, g, Kind::outside_scratch, {self.i.offset}, within, {bytes_}, l); "
            f"const uint32_t room = own ? {bytes_} : {room}; "
            f"if (!own && room && !inside(g, at, room)) return fault(w, g, Kind::outside, {self.i.offset}, at, {bytes_}, l); "
            + ("if (!room) continue; " if store and "ATOMIC" not in self.i.name else "")
            + "uint8_t* P = own ? w->scratch + l * g->scratch_bytes + within : (uint8_t*)at; "
        )

    def _room(self, bytes_: int) -> str:
        return "room" if self.buffer else str(bytes_)

    def _address_unset(self, numbers: list[int]) -> str:
        return f"if (({unset_of(numbers)}) >> l & 1) return fault(w, g, Kind::unset_address, {self.i.offset}, at, 0, l); "

    def _stored_unset(self, first: int, words: int) -> str:
        if self.scratch or self.buffer:
            return ""
        unset = unset_of(list(range(first, first + words)))
        return f"if (({unset}) >> l & 1) return fault(w, g, Kind::unset_store, {self.i.offset}, (uint64_t)P, {4 * words}, l); "

    def _store(self, kind: str, bytes_: int) -> str:
        words = max(1, bytes_ // 4)
        body = self._place(bytes_, store=True) + self._stored_unset(self.data, words)
        if bytes_ >= 4:
            values = ", ".join(f"w->v[{self.data + j}][l]" for j in range(words))
            body += f"const uint32_t x[{words}] = {{{values}}}; store(changed, P, x, {self._room(bytes_)}); "
        else:
            shift = " >> 16" if "HI" in kind else ""
            body += f"const uint32_t x = w->v[{self.data}][l]{shift}; store(changed, P, &x, {self._room(bytes_)}); "
        return f"{{ bool changed = false; {self.o.lanes(body)} *g->writes += changed; }}"

    def _load(self, kind: str, bytes_: int, signed: bool) -> str:
        r = self.result
        words = max(1, bytes_ // 4)
        body = self._place(bytes_, store=False)
        if bytes_ >= 4:
            body += f"uint32_t x[{words}] = {{}}; memcpy(x, P, {self._room(bytes_)}); "
            body += "".join(f"w->v[{r + j}][l] = x[{j}]; " for j in range(words))
        else:
            body += f"{'' if signed else 'u'}int{8 * bytes_}_t x = 0; memcpy(&x, P, {self._room(bytes_)}); const uint32_t y = (uint32_t)(int32_t)x; "
            if "D16" in kind:
                high = "HI" in kind
                body += f"w->v[{r}][l] = (w->v[{r}][l] & {'0xffffu' if high else '0xffff0000u'}) | {'y << 16' if high else '(y & 0xffff)'}; "
            else:
                body += f"w->v[{r}][l] = y; "
        return f"{{ {self.o.lanes(body)} {keep_unset(list(range(r, r + words)), '0')} }}"

    def _to_lds(self) -> str:
        """Global memory to LDS: to M0 and the offset, lane after lane. From a buffer, zeros from behind its size."""
        m = re.search(r"_LOAD_(LDS_)?(.*)$", self.i.name)
        if not m or "FORMAT" in self.i.name or (self.buffer and not self.o.cdna):
            raise NotImplementedError("this access to memory and LDS")
        bytes_, signed = _size(m[2])
        words = max(1, bytes_ // 4)
        body = self._place(bytes_, store=False)
        body += (
            f"const uint32_t to = (w->s[{self.o.m0}] & 0xffffu) + {self._offset()}u + l * {4 * words}u; "
            f"if ((uint64_t)to + {4 * words} > g->lds_bytes) return fault(w, g, Kind::outside_lds, {self.i.offset}, to, {4 * words}, l); "
            f"uint32_t x[{words}] = {{}}; memcpy(x, P, {self._room(bytes_)}); "
        )
        if signed:
            body += f"x[0] = (uint32_t)(int32_t)(int{8 * bytes_}_t)x[0]; "
        body += f"if (!write_lds(w, g, {self.i.offset}, to, {4 * words}, x, l, true, changed)) return fault(w, g, Kind::race, {self.i.offset}, to, {4 * words}, l); "
        return f"{{ bool changed = false; {self.o.lanes(body)} *g->writes += changed; }}"


def _size(kind: str) -> tuple[int, bool]:
    """Bytes, and whether they are extended by sign."""
    signed = bool(re.search(r"SBYTE|SSHORT|(^|_)I(8|16)", kind))
    if re.search(r"BYTE|(^|_)[UIB]8$", kind) or re.search(r"D16(_HI)?_[UIB]8", kind):
        return 1, signed
    if re.search(r"SHORT|(^|_)[UIB]16$", kind) or re.search(r"D16(_HI)?_[UIB]16", kind):
        return 2, signed
    if m := re.search(r"DWORD(?:X(\d))?", kind):
        return 4 * int(m[1] or 1), False
    if m := re.search(r"B(\d+)$", kind):
        return int(m[1]) // 8, False
    raise NotImplementedError("this access to memory")
