#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# rocm_roots.sh CHECKOUT: which ROCm is chosen among several, laid out as ROCm 6 and 7 are. No real one is needed: what
# is asked of a root is its hipconfig.
set -euo pipefail
checkout=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# rocm_root NAME VERSION: hipconfig answers as ROCm's does, with the build's name behind the version.
rocm_root() {
  mkdir -p "$work/$1"/{bin,include/hip,lib/cmake/hip}
  printf '#!/bin/sh\n[ "$1" = --version ] && echo %s\n' "$2" >"$work/$1/bin/hipconfig"
  chmod +x "$work/$1/bin/hipconfig"
}
rocm_root rocm-5.7.1 5.7.31921-1949b1621
rocm_root rocm-6.2.1 6.2.41134-65d174c3e
rocm_root rocm-7.1.0 7.1.25424-4179531dcd
ln -s rocm-7.1.0 "$work/rocm" # as /opt/rocm is

expect() { # WHAT ROOT_OR_SENTENCE VARIABLE=VALUE...
  local what=$1 expected=$2 said
  shift 2
  said=$(env -u ROCM_PATH -u CMAKE_PREFIX_PATH PODIUM_PREFIX="$work/none" "$@" "$checkout/scripts/compiler" hip 2>&1) || true
  if [[ $said != $expected ]]; then
    echo "$what: found '$said', expected '$expected'"
    status=1
  fi
}
expect 'ROCM_PATH names ROCm 6' "$work/rocm-6.2.1" ROCM_PATH="$work/rocm-6.2.1"
expect 'ROCM_PATH names ROCm 7 by a link' "$work/rocm" ROCM_PATH="$work/rocm"
expect 'CMAKE_PREFIX_PATH names it among others' "$work/rocm-6.2.1" CMAKE_PREFIX_PATH="$work/none:$work/rocm-6.2.1"
expect 'hipconfig on PATH, by a link' "$work/rocm-7.1.0" PATH="$work/rocm/bin:$PATH"
expect 'ROCM_PATH before PATH' "$work/rocm-6.2.1" ROCM_PATH="$work/rocm-6.2.1" PATH="$work/rocm/bin:$PATH"
expect 'one that is too old is passed over' "$work/rocm-6.2.1" ROCM_PATH="$work/rocm-5.7.1" PATH="$work/rocm-6.2.1/bin:$PATH"

# Where nothing else is installed, the sentence names what was too old.
if [ ! -e /opt/rocm ] && [ ! -e /opt/podium/rocm ] && [ ! -e "${XDG_DATA_HOME:-${HOME:-/}/.local/share}/podium/rocm" ]; then
  expect 'only one that is too old' "no ROCm of version 6.2 or later (too old: $work/rocm-5.7.1 (5.7))*" ROCM_PATH="$work/rocm-5.7.1"
fi
exit $status
