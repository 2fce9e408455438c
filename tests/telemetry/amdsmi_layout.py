# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""amdsmi_layout.py FILE: the layout of what Podium uses, as AMD's bindings (amdsmi_wrapper.py) declare it.

Prints "NAME NUMBER" a line: offsets of fields in bytes, the size of the metrics, values of constants, and the
bits of an address on the PCI bus. The library that the bindings would load is not needed.
"""

import ctypes
import os
import sys
import types

METRICS = (
    "temperature_edge", "temperature_hotspot", "average_socket_power", "current_gfxclk", "current_uclk",
    "indep_throttle_status", "current_socket_power", "current_gfxclks",
)  # fmt: skip


class NoLibrary:
    """Answers every name with something that bindings may set attributes of."""

    def __getattr__(self, name):
        return types.SimpleNamespace()


ctypes.CDLL = lambda *_, **__: NoLibrary()
os.environ.setdefault("ROCM_PATH", "/nowhere")
path = sys.argv[1]
names = {"__name__": "amdsmi_wrapper", "__file__": path}
with open(path) as file:
    exec(compile(file.read(), path, "exec"), names)

metrics = names["struct_amdsmi_gpu_metrics_t"]
for field in METRICS:
    print(field, getattr(metrics, field).offset)
print("metrics", ctypes.sizeof(metrics))
print("success", names["AMDSMI_STATUS_SUCCESS"])
print("init_gpus", names["AMDSMI_INIT_AMD_GPUS"])
address = names["amdsmi_bdf_t"]()
inner = next(f[0] for f in address._fields_ if issubclass(f[1], ctypes.Structure))  # its name has changed
parts = getattr(address, inner)
parts.function_number, parts.device_number, parts.bus_number, parts.domain_number = 1, 3, 0x1F, 2
print("address", address.as_uint)
