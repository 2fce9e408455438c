#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# verify.sh PODIUM SOURCE-FOLDER: the whole way of a user on an emulated device: what is right is found right, what is
# wrong wrong, libraries without PTX say so, and nothing is timed.
set -euo pipefail
podium=$1
source=$2
export PODIUM_PROBLEMS=$source/kernels
device=cuda:emulated:sm_90a
said=$(mktemp)
trap 'rm -f "$said"' EXIT

fail() {
  echo "verify.sh: $*" >&2
  cat "$said" >&2
  exit 1
}
expect() { # STATUS COMMAND...
  local wanted=$1 status=0
  shift
  "$@" >"$said" 2>&1 || status=$?
  [ $status = "$wanted" ] || fail "exit status $status, expected $wanted, of: $*"
}
says() { grep -qE -- "$1" "$said" || fail "nothing like '$1' in:"; }

expect 0 "$podium" verify vector_add sum --quiet --device $device --contestant naive --contestant two_stage
says '^vector_add/f32 +naive +right +right on 9 workloads'
says '^sum/f32 +two_stage +right '
expect 1 "$podium" verify vector_add --quiet --device $device --contestant "$source/tests/wrong/vector_add/one_off.gpu.cpp"
says '^vector_add/f32 +one_off +wrong '
expect 0 "$podium" verify transpose --quiet --device $device --contestant cublas
says 'cublas +missing library .*a library whose kernels come without their source or PTX'
expect 2 "$podium" run vector_add --device $device
says 'its times mean nothing'
expect 2 "$podium" verify vector_add --device $device --async late
says 'expected lazy, eager or random:SEED'
expect 0 "$podium" list devices
says '^cuda:emulated:sm_100a '
