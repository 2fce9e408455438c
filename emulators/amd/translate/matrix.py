# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Matrix cores: not yet."""

from .decode import Instruction


def translate(k, i: Instruction) -> str | None:
    return None
