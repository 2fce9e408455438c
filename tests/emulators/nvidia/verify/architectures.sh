#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# The other architectures verify what sm_90a verifies.
source "$(dirname "$(readlink -f "$0")")/common.sh"

for architecture in sm_80 sm_100a sm_120a; do
  expect 0 "$podium" verify sum --quiet --device cuda:emulated:$architecture --contestant blocks --contestant two_stage
  says '^sum/f32 +blocks +right +right on 11 workloads'
  says '^sum/f32 +two_stage +right +right on 11 workloads'
done
