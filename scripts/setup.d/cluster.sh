# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Slurm: its commands, which `podium cluster` calls, and its daemons, of which tests start some of their own.

cluster_packages=(slurm-wlm munge python3)
