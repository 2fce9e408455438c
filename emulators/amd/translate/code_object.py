# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The code object: an ELF file. Only what translating needs: where code lies, and where functions begin."""

import struct

PT_LOAD, EXECUTABLE = 1, 1
SHT_RELA, SHT_DYNSYM = 4, 11
STT_OBJECT, STT_FUNC = 1, 2
PRELOAD_PREAMBLE = 256  # bytes that older firmware would execute
R_AMDGPU_RELATIVE64 = 13


class CodeObject:
    """Code of one target. Offsets are those of the loaded image, as the runtime lays it out."""

    def __init__(self, elf: bytes):
        if elf[:4] != b"\x7fELF":
            raise ValueError("this is no ELF file")
        program, sections = struct.unpack_from("<QQ", elf, 32)
        program_size, programs, section_size, section_count = struct.unpack_from("<HHHH", elf, 54)
        loaded: list[tuple[int, int, int]] = []
        self.low = self.high = 0
        self.code = b""
        for i in range(programs):
            kind, flags, offset, address, _, size, _, _ = struct.unpack_from("<IIQQQQQQ", elf, program + i * program_size)
            if kind == PT_LOAD:
                loaded.append((address, size, offset))
            if kind == PT_LOAD and flags & EXECUTABLE:
                self.low, self.high, self.code = address, address + size, elf[offset : offset + size]
        self.functions: dict[str, int] = {}
        self.kernels: dict[int, int] = {}  # first instruction: how many scalar registers have been set by then
        headers = [struct.unpack_from("<IIQQQQIIQQ", elf, sections + i * section_size) for i in range(section_count)]
        for header in headers:
            if header[1] == SHT_DYNSYM:
                self._read_symbols(elf, header, headers[header[6]], loaded)
        # Tables of pointers hold functions that have no symbol: they are filled in when the image is loaded.
        self.addresses: set[int] = set()
        for header in headers:
            if header[1] == SHT_RELA:
                for _, info, addend in struct.iter_unpack("<QQq", elf[header[4] : header[4] + header[5]]):
                    if info & 0xFFFFFFFF == R_AMDGPU_RELATIVE64 and self.has_code(addend):
                        self.addresses.add(addend)

    def _read_symbols(self, elf: bytes, table: tuple, strings: tuple, loaded: list[tuple[int, int, int]]) -> None:
        for i in range(table[5] // 24):
            name, info, _, section, value, _ = struct.unpack_from("<IBBHQQ", elf, table[4] + 24 * i)
            if not section or info & 15 not in (STT_FUNC, STT_OBJECT):
                continue
            text = elf[strings[4] + name : elf.index(b"\0", strings[4] + name)].decode()
            if info & 15 == STT_FUNC:
                self.functions[text] = value
            elif text.endswith(".kd"):
                for address, bytes_, offset in loaded:
                    if address <= value < address + bytes_:
                        self._read_descriptor(elf, value, offset + value - address)

    def _read_descriptor(self, elf: bytes, address: int, at: int) -> None:
        """AMD's kernel descriptor: user registers, then the group's place, as the descriptor asks for it."""
        (entry,) = struct.unpack_from("<q", elf, at + 16)
        (resources,) = struct.unpack_from("<I", elf, at + 52)
        (preload,) = struct.unpack_from("<H", elf, at + 58)
        first = address + entry + (PRELOAD_PREAMBLE if preload & 0x7F else 0)
        self.kernels[first] = (resources >> 1 & 0x1F) + (resources >> 7 & 0xF).bit_count() + (resources & 1)

    def has_code(self, offset: int) -> bool:
        return self.low <= offset < self.high and offset % 4 == 0

    def bytes_at(self, offset: int) -> bytes:
        """Enough for any one instruction; zeros behind the end."""
        at = offset - self.low
        return self.code[at : at + 24].ljust(24, b"\0")
