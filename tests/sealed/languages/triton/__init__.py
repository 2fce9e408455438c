# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What the gate looks at of Triton, for machines without it: names, and ways out of them."""
import os

from . import language, runtime


def jit(function):
    return function


def cdiv(a, b):
    return a
