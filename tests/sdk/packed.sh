#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# packed.sh cuda|hip SOURCE_DIR BINARY_DIR: for a device, indexing a PackedTensor is the very code that indexing its
# pointer is, and indexing a Tensor is not. Exit status 77, with the reason, where there is no such compiler.
set -euo pipefail
vendor=$1 source=$2 out=$3/packed.$1
if ! found=$("$source/scripts/compiler" "$vendor" 2>&1); then
  echo "skipped: $found"
  exit 77
fi
mkdir -p "$out"
case $vendor in
  cuda)
    suffix=cu
    compile=("$found" -arch=sm_90 -ptx)
    ;;
  hip)
    suffix=hip
    compile=("$found/bin/hipcc" --offload-arch=gfx942 --offload-device-only -S)
    ;;
esac
# code NAME [options...]: the device's code, without what names files and compilations
code() {
  local name=$out/$1
  shift
  cp "$source/tests/sdk/packed.gpu.cpp" "$name.$suffix"
  "${compile[@]}" -std=c++17 -O3 -I"$source/sdk" "$@" "$name.$suffix" -o "$name.s"
  grep -vE '^[[:space:]]*(//|;|\.file|\.ident)|__hip_cuid|cuid' "$name.s" > "$name.code"
}
code packed
code raw -DRAW
code strided -DSTRIDED
diff "$out/raw.code" "$out/packed.code"
if cmp -s "$out/raw.code" "$out/strided.code"; then
  echo "a Tensor's code is its pointer's as well: this test tells nothing"
  exit 1
fi
