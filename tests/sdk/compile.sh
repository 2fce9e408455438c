#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# compile.sh cuda|hip STANDARD SOURCE_DIR BINARY_DIR: the portable test contestant through a vendor's compiler, as a
# plugin and for each floating type. Exit status 77, with the reason, where there is no such compiler.
set -euo pipefail
vendor=$1 standard=$2 source=$3 out=$4/vendor.$1.$2
if ! found=$("$source/scripts/compiler" "$vendor" 2>&1); then
  echo "skipped: $found"
  exit 77
fi
mkdir -p "$out"
case $vendor in
  cuda) compile=("$found" -arch=sm_90 -Werror all-warnings -Xcompiler "-fPIC,-fvisibility=hidden,-Wall,-Wextra,-Werror") suffix=cu ;;
  hip) compile=("$found/bin/hipcc" --offload-arch=gfx942 -Werror -Wall -Wextra -fPIC -fvisibility=hidden) suffix=hip ;;
esac
for type in float podium::f16 podium::bf16; do
  stub=$out/${type##*:}
  printf '#include "%s/tests/sdk/contestants/block.gpu.cpp"\n#include <podium/plugin.hpp>\n' "$source" > "$stub.$suffix"
  "${compile[@]}" -std=c++"$standard" -O3 -shared -I"$source/sdk" -I"$source/tests/sdk/problem" -DSCALE_REAL=$type \
    "$stub.$suffix" -o "$stub.plugin"
  # The one symbol of its own: what the compiler's run-time library adds is not the SDK's.
  exported=$(nm -D --defined-only "$stub.plugin" | awk '$3 ~ /podium/ { print $3 }')
  [ "$exported" = podium_contestant ] || { echo "$stub.plugin exports: $exported" && exit 1; }
done
echo "compiled by $found"
