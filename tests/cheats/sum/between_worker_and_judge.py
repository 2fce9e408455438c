# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Stands between the worker and its judge" }

# class: patched clock or statistics
# expect: clock
# needs: python
# with: --setup-timeout 60
# Another socket takes the place of the worker's. Two threads pass on what comes in and goes out, but for the time of a call.
import os
import socket
import struct
import sys
import threading
import time

FINISHED = 68
TIME = struct.Struct("=d")


def pass_on(source, target, change):
    while message := source.recv(4096):
        target.send(change(message))


def shortened(message):
    (kind,) = struct.unpack_from("=H", message, 6)
    if kind != FINISHED:
        return message
    (microseconds,) = TIME.unpack_from(message, 24)
    return message[:24] + TIME.pack(microseconds / 1000) + message[32:]


place = int(sys.argv[2])
judge = socket.socket(fileno=os.dup(place))
worker, mine = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
os.dup2(worker.fileno(), place)
threading.Thread(target=pass_on, args=(judge, mine, lambda message: message), daemon=True).start()
threading.Thread(target=pass_on, args=(mine, judge, shortened), daemon=True).start()


def run(x, y):
    x.sum(out=y)
    time.sleep(0.02)
