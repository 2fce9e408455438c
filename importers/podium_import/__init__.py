# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Makes problem folders of tasks that other suites have. `podium import` runs it; docs/import.md is its page."""
