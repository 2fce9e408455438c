# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
from problems.attention_paged_prefill import outputs, references, structure  # what is computed is the same

CHANGED = ("(q1 * k2 - q2 * k1) * sin(angle)", "(q2 * k1 - q1 * k2) * sin(angle)")
