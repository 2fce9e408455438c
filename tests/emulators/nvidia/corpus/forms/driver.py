# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""A GPU through the driver's library alone: it compiles the PTX itself, so that a recording needs no CUDA Toolkit."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from .modules import Kernel

_LIBRARY = "libcuda.so.1"
_ERROR_LOG, _ERROR_LOG_BYTES = 5, 6  # CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
_MAJOR, _MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR
_LOG_BYTES = 8192
_FILL = 0xA5  # what results hold that no kernel wrote


class Failed(Exception):
    """What the driver says."""


class Gpu:
    """The first device, and a context on it for the life of the process."""

    def __init__(self) -> None:
        try:
            self._driver = ctypes.CDLL(_LIBRARY)
        except OSError as problem:
            raise Failed(f"{_LIBRARY} cannot be loaded ({problem}): recording needs an NVIDIA GPU with its driver") from problem
        self._call("cuInit", ctypes.c_uint(0))
        self._device = ctypes.c_int()
        self._call("cuDeviceGet", ctypes.byref(self._device), ctypes.c_int(0))
        context = ctypes.c_void_p()
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self._device)
        self._call("cuCtxSetCurrent", context)

    @property
    def library(self) -> ctypes.CDLL:
        return self._driver

    def check(self, status: int) -> None:
        if status != 0:
            text = ctypes.c_char_p()
            self._driver.cuGetErrorString(ctypes.c_int(status), ctypes.byref(text))
            raise Failed(f"{(text.value or b'an unknown error').decode()} ({status})")

    def _call(self, name: str, *arguments) -> None:
        function: Callable[..., int] = getattr(self._driver, name)
        try:
            self.check(function(*arguments))
        except Failed as problem:
            raise Failed(f"{name}: {problem}") from None

    def describe(self) -> dict[str, str]:
        name, version = ctypes.create_string_buffer(256), ctypes.c_int()
        self._call("cuDeviceGetName", name, ctypes.c_int(256), self._device)
        self._call("cuDriverGetVersion", ctypes.byref(version))
        parts = []
        for attribute in (_MAJOR, _MINOR):
            value = ctypes.c_int()
            self._call("cuDeviceGetAttribute", ctypes.byref(value), ctypes.c_int(attribute), self._device)
            parts.append(str(value.value))
        cuda = f"{version.value // 1000}.{version.value % 1000 // 10}"
        return {"device": name.value.decode(), "compute_capability": ".".join(parts), "cuda_of_driver": cuda, "driver": _kernel_module()}

    def load(self, ptx: str) -> ctypes.c_void_p:
        log = ctypes.create_string_buffer(_LOG_BYTES)
        options = (ctypes.c_int * 2)(_ERROR_LOG, _ERROR_LOG_BYTES)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), _LOG_BYTES)
        module = ctypes.c_void_p()
        try:
            self._call("cuModuleLoadDataEx", ctypes.byref(module), ctypes.c_char_p(ptx.encode()), ctypes.c_uint(2), options, values)
        except Failed as problem:
            raise Failed(f"{problem}: {log.value.decode(errors='replace').strip()}") from problem
        return module

    def run(self, module: ctypes.c_void_p, kernel: Kernel) -> bytes:
        """The results that one cluster writes."""
        function, memory, inputs = ctypes.c_void_p(), [], kernel.inputs
        self._call("cuModuleGetFunction", ctypes.byref(function), module, ctypes.c_char_p(kernel.name.encode()))
        for count in (kernel.memory, len(inputs)):
            at = ctypes.c_uint64()
            self._call("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(count))
            memory.append(at)
        out, in_ = memory
        self._call("cuMemsetD8_v2", out, ctypes.c_ubyte(_FILL), ctypes.c_size_t(kernel.memory))
        self._call("cuMemcpyHtoD_v2", in_, ctypes.c_char_p(inputs), ctypes.c_size_t(len(inputs)))
        arguments = kernel.arguments(self, out.value, in_.value)
        pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(a) for a in arguments))
        one, blocks, threads = (ctypes.c_uint(x) for x in (1, kernel.blocks, kernel.threads))
        self._call("cuLaunchKernel", function, blocks, one, one, threads, one, one, ctypes.c_uint(0), None, pointers, None)
        self._call("cuCtxSynchronize")
        data = ctypes.create_string_buffer(kernel.size)
        self._call("cuMemcpyDtoH_v2", data, out, ctypes.c_size_t(kernel.size))
        for at in memory:
            self._call("cuMemFree_v2", at)
        return data.raw


def _kernel_module() -> str:
    try:
        with open("/proc/driver/nvidia/version", encoding="ascii") as file:
            words = file.readline().split()
    except OSError:
        return "unknown"
    return next((w for w in words if w[0].isdigit() and w.count(".") >= 1), "unknown")
