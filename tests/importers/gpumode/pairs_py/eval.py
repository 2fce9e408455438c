# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
from reference import generate_inputs

ROWS = 16


def inputs_of(width):
    return generate_inputs(ROWS, width)
