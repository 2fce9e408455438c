# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Its loader of modules adds as soon as arrays are made" }

# class: inputs before their turn
# expect: not written | wrong
# needs: python
# with: --setup-timeout 60
# The worker imports NumPy whenever it makes a call's arrays, before the gate opens. What it imports then is this loader's.
import importlib.abc
import importlib.machinery
import sys

import numpy as np

made = []


class Loader(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name == "numpy" else None

    def exec_module(self, module):
        module.__dict__.update(vars(np), asarray=self.asarray)

    def asarray(self, memory):
        made.append(np.asarray(memory))
        if len(made) % 3 == 0:
            a, b, c = made[-3:]
            np.add(a, b, out=c)
        return made[-1]


sys.meta_path.insert(0, Loader())
del sys.modules["numpy"]


def run(a, b, c):
    pass
