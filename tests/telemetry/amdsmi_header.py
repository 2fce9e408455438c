# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""amdsmi_header.py FILE >HEADER: what Podium uses of AMD SMI as a C++ header, from AMD's bindings for Python.

The bindings (amdsmi_wrapper.py of PyPI's amdsmi) were generated from amdsmi.h, which no package carries: types, the
order of fields, constants and parameters are the header's. Names are AMD's; the structure within an address is called
`parts`, since its own name has changed. The library that the bindings would load is not needed.
"""

import ctypes
import os
import sys
import types

FUNCTIONS = (
    "amdsmi_init", "amdsmi_shut_down", "amdsmi_get_processor_handle_from_bdf", "amdsmi_get_gpu_metrics_info",
    "amdsmi_get_gpu_compute_partition", "amdsmi_get_gpu_memory_partition", "amdsmi_get_energy_count",
)  # fmt: skip
CONSTANTS = (
    "AMDSMI_INIT_AMD_GPUS", "AMDSMI_STATUS_SUCCESS", "AMDSMI_STATUS_INVAL", "AMDSMI_STATUS_NOT_SUPPORTED",
    "AMDSMI_STATUS_NOT_FOUND", "AMDSMI_STATUS_NOT_INIT",
)  # fmt: skip
SIMPLE = {"P": "void*", "c": "char", "f": "float", "d": "double", "?": "bool"}


class NoLibrary:
    """Answers every name with something that bindings may set attributes of."""

    def __getattr__(self, name):
        return types.SimpleNamespace()


def bindings(path):
    ctypes.CDLL = lambda *_, **__: NoLibrary()
    os.environ.setdefault("ROCM_PATH", "/nowhere")
    names = {"__name__": "amdsmi_wrapper", "__file__": path}
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), names)
    return names


class Header:
    def __init__(self):
        self.lines, self.known = [], {}

    def type(self, of):
        """C++'s name of a type that is no array; structures are written before they are named."""
        if of is None:
            return "void"
        if issubclass(of, (ctypes.Structure, ctypes.Union)):
            return self.composite(of)
        if hasattr(of, "contents"):  # a pointer
            return self.type(of._type_) + "*"
        if of._type_ in SIMPLE:
            return SIMPLE[of._type_]
        return f"std::{'u' if of._type_.isupper() else ''}int{8 * ctypes.sizeof(of)}_t"

    def field(self, of, name, within):
        extent = ""
        while hasattr(of, "_length_"):
            extent += f"[{of._length_}]"
            of = of._type_
        if within and issubclass(of, ctypes.Structure):  # unnamed in amdsmi.h, where the bindings make up names
            self.composite(of, f"{within}_{name}")
        return f"  {self.type(of)} {name}{extent}"

    def composite(self, of, name=None):
        if of in self.known:
            return self.known[of]
        name = self.known[of] = name or of.__name__.removeprefix("struct_").removeprefix("union_")
        union = issubclass(of, ctypes.Union)
        fields, offsets = [], []
        for number, (field, type_, *bits) in enumerate(of._fields_):
            called = "parts" if union and number == 0 else field
            fields.append(self.field(type_, called, name if union else None) + (f" : {bits[0]};" if bits else ";"))
            if not bits:
                offsets.append(f"offsetof({name}, {called}) == {getattr(of, field).offset}")
        self.lines += [f"{'union' if union else 'struct'} {name} {{", *fields, "};"]
        checks = [f"sizeof({name}) == {ctypes.sizeof(of)}", *offsets]
        self.lines += [f"static_assert({check});" for check in checks]
        return name

    def function(self, name, is_):
        parameters = ", ".join(self.type(parameter) for parameter in is_.argtypes)
        result = self.type(is_.restype)
        self.lines.append(f'extern "C" {result} {name}({parameters});')


names = bindings(sys.argv[1])
header = Header()
header.lines += ["#pragma once", "#include <cstddef>", "#include <cstdint>"]
header.lines += [f"inline constexpr std::uint64_t {name} = {names[name]};" for name in CONSTANTS]
for name in FUNCTIONS:
    header.function(name, names[name])
print("\n".join(header.lines))
