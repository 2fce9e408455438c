# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# NAME PODIUM SOURCE-FOLDER: the whole way of a user on an emulated device. What these scripts share; sourced, never run.
set -euo pipefail
podium=$1
source=$2
export PODIUM_PROBLEMS=$source/kernels
device=cuda:emulated:sm_90a
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
said=$scratch/said

fail() {
  echo "$(basename "$0"): $*" >&2
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
