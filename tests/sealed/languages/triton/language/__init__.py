# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What kernels may use, and a module of the host that is imported beside it."""
import os
from functools import partial

float32 = 32


class constexpr:
    pass


def load(at):
    return at
