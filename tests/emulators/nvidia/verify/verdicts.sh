#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# What is right is found right, what is wrong wrong, libraries without PTX say so, and nothing is timed.
source "$(dirname "$(readlink -f "$0")")/common.sh"

expect 0 "$podium" verify vector_add sum --quiet --device $device --contestant naive --contestant two_stage
says '^vector_add/f32 +naive +right +right on 9 workloads'
says '^sum/f32 +two_stage +right '
expect 1 "$podium" verify vector_add --quiet --device $device --contestant "$source/tests/wrong/vector_add/one_off.gpu.cpp"
says '^vector_add/f32 +one_off +wrong '
expect 2 "$podium" verify transpose --quiet --device $device --contestant cublas
says 'cublas +missing library .*a library whose kernels come without their source or PTX'
# A workload of another stage.
expect 0 "$podium" verify vector_add --quiet --device $device --contestant vectorized --workload f16/n=1024
says '^vector_add/f16 +vectorized +right +right on 2 workloads'
expect 2 "$podium" run vector_add --device $device
says 'its times mean nothing'
expect 2 "$podium" verify vector_add --device $device --async late
says 'expected lazy, eager or random:SEED'
expect 0 "$podium" list devices
says '^cuda:emulated:sm_100a '
