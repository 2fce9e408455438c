# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
from typing import TypeVar

input_t = TypeVar("input_t")
output_t = TypeVar("output_t")
