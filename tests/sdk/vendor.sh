#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# vendor.sh compile|run cuda|hip STANDARD SOURCE_DIR BINARY_DIR: through a vendor's compiler either the portable test
# contestant, as a plugin for each floating type, or the program portable.gpu.cpp, which then runs on the device.
# Exit status 77, with the reason, where there is no such compiler or device.
set -euo pipefail
action=$1 vendor=$2 standard=$3 source=$4 out=$5/vendor.$2.$3
if ! found=$("$source/scripts/compiler" "$vendor" 2>&1); then
  echo "skipped: $found"
  exit 77
fi
mkdir -p "$out"
includes=(-I"$source/sdk" -I"$source/tests/sdk/problem")
case $vendor in
  cuda)
    suffix=cu
    compile=("$found" -arch=sm_90 -Werror all-warnings -Xcompiler "-fPIC,-fvisibility=hidden,-Wall,-Wextra,-Werror")
    ;;
  hip)
    suffix=hip
    compile=("$found/bin/hipcc" --offload-arch=gfx942 -Werror -Wall -Wextra -fPIC -fvisibility=hidden)
    ;;
esac
if [ "$action" = run ]; then
  printf '#include "%s/tests/sdk/portable.gpu.cpp"\n' "$source" > "$out/portable.$suffix"
  "${compile[@]}" -std=c++"$standard" -O3 "${includes[@]}" "$out/portable.$suffix" -o "$out/portable"
  exec "$out/portable"
fi
for type in float podium::f16 podium::bf16; do
  stub=$out/${type##*:}
  printf '#include "%s/tests/sdk/contestants/block.gpu.cpp"\n#include <podium/plugin.hpp>\n' "$source" > "$stub.$suffix"
  "${compile[@]}" -std=c++"$standard" -O3 -shared "${includes[@]}" -DSCALE_REAL=$type "$stub.$suffix" -o "$stub.plugin"
  # The one symbol of its own: what the compiler's run-time library adds is not the SDK's.
  exported=$(nm -D --defined-only "$stub.plugin" | awk '$3 ~ /podium/ { print $3 }')
  [ "$exported" = podium_contestant ] || { echo "$stub.plugin exports: $exported" && exit 1; }
done
# What kernels include is parsed twice for each contestant: <string> alone would take as long as all of CUDA's headers.
if [ "$vendor" = cuda ] && "$found" -std=c++"$standard" "${includes[@]}" -DSCALE_REAL=float -M "$out/float.cu" | grep -q bits/basic_string.h; then
  echo "the SDK's headers include <string>" && exit 1
fi
echo "compiled by $found"
