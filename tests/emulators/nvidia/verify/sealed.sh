#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Sealed contestants are verified.
source "$(dirname "$(readlink -f "$0")")/common.sh"

# Sealed contestants: from a source, from PTX, and one that remembers in its code's memory; and Triton's where it is.
expect 0 "$podium" verify sum --quiet --device $device --contestant blocks --contestant "$source/tests/honest/sum/prepared.sealed.cu"
says '^sum/f32 +blocks +right +right on 11 workloads'
says '^sum/f32 +prepared +right '
expect 0 "$podium" verify vector_add --quiet --device $device --contestant "$source/tests/honest/vector_add/ptx.sealed.yaml"
says '^vector_add/f32 +ptx +right '
expect 1 "$podium" verify sum --quiet --device $device --contestant "$source/tests/cheats/sum/remembers_in_code.sealed.cu"
says '^sum/f32 +remembers_in_code +wrong '
expect 0 "$podium" verify softmax --quiet --device $device --contestant triton
without_triton='|missing library .*needs triton, which was not found'
[ -z "${PODIUM_TEST_TRITON:-}" ] || without_triton=
says "^softmax/f32 +triton +(right +right on 9 workloads$without_triton)"
