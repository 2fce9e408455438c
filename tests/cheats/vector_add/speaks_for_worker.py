# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Speaks with the judge itself, and says too early that it is done" }

# class: forging the result
# expect: not written | wrong | clock
# needs: python
# with: --setup-timeout 60
# It never returns from its first call. From then on it reads what the judge wants, and answers.
import os
import socket
import struct
import sys
import time

import numpy as np

CREATE, ARM, ARMED, FINISHED, BYE, READY = 65, 66, 67, 68, 70, 71


def mapped(name):
    with open("/proc/self/maps") as maps:
        begin, end = (int(word, 16) for word in next(line for line in maps if name in line).split()[0].split("-"))
    memory = {"version": 3, "typestr": "|u1", "data": (begin, False), "shape": (end - begin,)}
    return np.asarray(type("Memory", (), {"__array_interface__": memory})())


def run(a, b, c):
    arena, gate, n, dtype = mapped("podium-arena"), mapped("podium-page")[:4].view(np.uint32), len(a), a.dtype
    judge = socket.socket(fileno=os.dup(int(sys.argv[2])))

    def say(kind, contents=b""):
        judge.send(struct.pack("=IHHII", 0x4D49444F, 11, kind, 16 + len(contents), 0) + contents)

    def finish(a, b, c):
        say(FINISHED, struct.pack("=Iidd", gate[0], 0, 1.0, 0.0))
        time.sleep(0.02)
        np.add(a, b, out=c)

    finish(a, b, c)
    while message := judge.recv(4096):
        (kind,) = struct.unpack_from("=H", message, 6)
        if kind == ARM:
            say(ARMED, message[16:20] + bytes(4))
            while gate[0] != struct.unpack_from("=I", message, 16)[0]:
                time.sleep(1e-5)
            places = struct.unpack_from("=3q", message, 32)
            finish(*(arena[at : at + n * n * dtype.itemsize].view(dtype).reshape(n, n) for at in places))
        elif kind == BYE:
            os._exit(0)
        else:
            n = struct.unpack_from("=q", message, 16)[0] if kind == CREATE else n
            say(READY)
