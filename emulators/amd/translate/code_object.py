# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The code object: an ELF file. Only what translating needs: where code lies, and where functions begin."""

import struct

PT_LOAD, EXECUTABLE = 1, 1
SHT_RELA, SHT_DYNSYM = 4, 11
STT_FUNC = 2
R_AMDGPU_RELATIVE64 = 13


class CodeObject:
    """Code of one target. Offsets are those of the loaded image, as the runtime lays it out."""

    def __init__(self, elf: bytes):
        if elf[:4] != b"\x7fELF":
            raise ValueError("this is no ELF file")
        program, sections = struct.unpack_from("<QQ", elf, 32)
        program_size, programs, section_size, section_count = struct.unpack_from("<HHHH", elf, 54)
        self.low = self.high = 0
        self.code = b""
        for i in range(programs):
            kind, flags, offset, address, _, size, _, _ = struct.unpack_from("<IIQQQQQQ", elf, program + i * program_size)
            if kind == PT_LOAD and flags & EXECUTABLE:
                self.low, self.high, self.code = address, address + size, elf[offset : offset + size]
        self.functions: dict[str, int] = {}
        headers = [struct.unpack_from("<IIQQQQIIQQ", elf, sections + i * section_size) for i in range(section_count)]
        for header in headers:
            if header[1] == SHT_DYNSYM:
                self._read_symbols(elf, header, headers[header[6]])
        # Tables of pointers hold functions that have no symbol: they are filled in when the image is loaded.
        self.addresses: set[int] = set()
        for header in headers:
            if header[1] == SHT_RELA:
                for _, info, addend in struct.iter_unpack("<QQq", elf[header[4] : header[4] + header[5]]):
                    if info & 0xFFFFFFFF == R_AMDGPU_RELATIVE64 and self.has_code(addend):
                        self.addresses.add(addend)

    def _read_symbols(self, elf: bytes, table: tuple, strings: tuple) -> None:
        for i in range(table[5] // 24):
            name, info, _, section, value, _ = struct.unpack_from("<IBBHQQ", elf, table[4] + 24 * i)
            if section and info & 15 == STT_FUNC:
                end = elf.index(b"\0", strings[4] + name)
                self.functions[elf[strings[4] + name : end].decode()] = value

    def has_code(self, offset: int) -> bool:
        return self.low <= offset < self.high and offset % 4 == 0

    def bytes_at(self, offset: int) -> bytes:
        """Enough for any one instruction; zeros behind the end."""
        at = offset - self.low
        return self.code[at : at + 24].ljust(24, b"\0")
