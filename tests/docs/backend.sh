#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# backend.sh SOURCE PODIUM EXTENDED FOLDER: what CONTRIBUTING promises of the backend that it adds. EXTENDED is PODIUM with
# it, beside the judge and the worker of FOLDER, where the steps were followed.
set -euo pipefail
source=$1 podium=$2 extended=$3 folder=$4

fail() { echo "FAILED: $*" >&2 && exit 1; }

written=$(cd "$folder" && find suite backends -type f | sort | xargs)
[ "$written" = "backends/stub/CMakeLists.txt backends/stub/device.cpp backends/stub/toolchain.cmake" ] ||
  fail "these files are written, a folder of three was promised: $written"
said=$("$extended" list devices)
grep -qxE 'stub +not available: stub:0 does not exist: no machine has a stub' <<<"$said" ||
  fail "podium list devices lacks it: $said"
grep stub <<<"$("$podium" list devices)" && fail "podium has the backend without the change"
status=0
said=$("$extended" verify vector_add --device stub 2>&1) || status=$?
[ $status = 3 ] && grep -q 'no machine has a stub' <<<"$said" || fail "to verify on it ended with status $status: $said"
said=$("$extended" build vector_add --backend stub --contestant serial 2>&1) || fail "its contestants are not compiled: $said"
grep -q '^2 contestants for stub: ' <<<"$said" || fail "its contestants are not compiled: $said"
problem=$(mktemp -d)
trap 'rm -rf "$problem"' EXIT
cp -r "$source/kernels/vector_add" "$problem"
sed -i 's/^baseline: {/baseline: { stub: serial,/' "$problem/vector_add/problem.yaml"
"$extended" list problems --problems "$problem" >"$problem/out" 2>&1 || fail "problem files cannot name it: $(cat "$problem/out")"
grep -q '^  stub  .*serial' "$problem/out" || fail "its contestants are not listed: $(cat "$problem/out")"
"$podium" list problems --problems "$problem" >"$problem/out" 2>&1 && fail "podium knows it without the change"
said=$("$extended" run --device nosuch 2>&1) || true
grep -q 'cuda, hip, host, stub' <<<"$said" || fail "sentences do not name it: $said"
