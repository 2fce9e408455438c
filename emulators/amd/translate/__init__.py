# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""AMD machine code to C++: one function for each kernel, a wave as its unit."""
