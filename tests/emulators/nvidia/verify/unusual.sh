#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# The merely unusual is right.
source "$(dirname "$(readlink -f "$0")")/common.sh"

# The merely unusual: streams, host functions, launches that overlap, a graph of one's own, polling, memory of a stream's.
unusual=(first_call host_step overlapping_launch own_graph polls resident_table stream_memory two_streams waits)
expect 0 "$podium" verify sum --quiet --device $device $(printf -- "--contestant $source/tests/honest/sum/%s.cu " "${unusual[@]}")
for name in "${unusual[@]}"; do says "^sum/f32 +$name +right +right on 11 workloads"; done
