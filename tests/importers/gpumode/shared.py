# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What these tasks share, as tasks of GPU MODE take a file from the folder above."""

import torch


def close(expected, received, rtol, atol):
    if expected.shape != received.shape:
        return [f"shape {list(received.shape)}, expected {list(expected.shape)}"]
    wrong = torch.isclose(received.double(), expected.double(), rtol=rtol, atol=atol, equal_nan=True).logical_not()
    return [f"{int(wrong.sum())} elements differ"] if bool(wrong.any()) else []


def checked_by(reference, rtol=1e-5, atol=1e-6):
    def check(data, output):
        faults = close(reference(data), output, rtol, atol)
        return not faults, " ".join(faults)

    return check
