#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Results do not depend on the order of asynchronous operations.
source "$(dirname "$(readlink -f "$0")")/common.sh"

# A whole problem, all contestants on all test workloads, whatever the order of asynchronous operations.
for mode in eager random:7; do
  expect 0 "$podium" verify sum --quiet --device $device --async $mode
  says '^sum/f32 +cub +right +right on 11 workloads'
  says '^sum/f32 +blocks +right '
done
