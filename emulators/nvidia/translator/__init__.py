# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""From NVIDIA's PTX to C++ that runs on the CPU: one function a kernel, registers as local variables."""
