# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Takes the worker's part in Python apart" }

# class: forging the result
# expect: not written
# needs: python
# with: --setup-timeout 60
# The functions that the library calls are found, and answer that all is well from then on.
import functools
import gc
import types

kept = []  # the call that runs is among what is replaced


def run(a, b, c):
    for one in gc.get_objects():
        if isinstance(one, types.FunctionType) and one.__qualname__.startswith("serve.<locals>"):
            one.__code__ = (lambda *arguments: None).__code__ if not one.__closure__ else one.__code__
    for one in gc.get_objects():
        if isinstance(one, dict) and one and all(isinstance(call, functools.partial) for call in one.values()):
            kept.extend(one.values())
            one.update(dict.fromkeys(one, lambda: None))
