#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# The verdicts of tests/end_to_end/verdict_test.cpp on a machine that has a GPU and no time to compile.
#
#   tests/experiments/packed_verdicts.sh pack FOLDER [FILE...]   where compilers are, after `cmake --preset cuda`
#   FOLDER/packed_verdicts.sh run [ARGUMENT...]                  there; arguments of test_end_to_end
#
# `pack` builds what is needed, compiles the contestants of tests/{cheats,wrong,honest}, those in FILE... alone if any
# are named, for sm_90 (ARCH), and lays programs, tests, sources and products into one archive, FOLDER/packed.tar.xz.
# `run` prints a table of what was expected and what was found, on cuda:0.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
unset CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH # products are kept by what lies there, too

pack() { # FOLDER [FILE...]
  local folder=$1 root build
  root=$(readlink -f "$here/../..")
  build=$root/build/cuda
  shift
  ninja -C "$build" podium_programs test_end_to_end
  local made=$folder/packed
  rm -rf "$made" "$folder/packed.tar.xz"
  mkdir -p "$made/source"
  cmake --install "$build" --prefix "$made/podium" --strip >/dev/null
  rm -rf "$made"/podium/bin/*emulated "$made"/podium/lib/podium/emulated
  strip -o "$made/test_end_to_end" "$build/bin/test_end_to_end"
  cp -r "$root/tests" "$root/kernels" "$made/source"
  mkdir -p "$made/source/suite/problem" # which some of tests/cheats include
  cp -r "$root/suite/protocol" "$made/source/suite"
  install -D "$root/suite/base/verdict.hpp" "$made/source/suite/base/verdict.hpp"
  cp -r "$root/suite/problem/program" "$made/source/suite/problem"
  if [ $# -gt 0 ]; then # helpers stay
    local kept file
    kept=$(for file in "$@"; do readlink -f "$file"; done)
    (cd "$root" && grep -rlE '^(//|#) expect: ' tests/cheats tests/wrong tests/honest) | while read -r file; do
      grep -qxF "$root/$file" <<<"$kept" || rm -f "$made/source/$file"
    done
  fi
  compile "$made" # with the installed podium: PODIUM_INCLUDE counts by its place beside the contestants
  # Compilers that are not there: products are then those that were packed.
  sed -E '/^emulated:/,$d; s#(compiler: ")/[^"]*#\1/not/here#' "$made/podium/share/podium/toolchain.yaml" >"$made/toolchain.yaml"
  mv "$made/toolchain.yaml" "$made/podium/share/podium/toolchain.yaml"
  cp "$here/packed_verdicts.sh" "$folder"
  tar -C "$folder" -c packed | xz -T0 -2 >"$folder/packed.tar.xz"
  rm -rf "$made"
  ls -l "$folder"
}

# Products of all that is packed. A folder that is no problem of kernels/ has one of its own.
compile() { # MADE
  local folder problem files
  export LD_LIBRARY_PATH=$1/podium/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export PODIUM_INCLUDE=$1/source/suite/base/verdict.hpp:$1/source/suite/protocol:$1/source/suite/problem/program
  for folder in "$1"/source/tests/{cheats,wrong,honest}/*/; do
    problem=$(basename "$folder")
    files=()
    while read -r file; do files+=(--contestant "$file"); done < <(
      grep -rlE '^(//|#) (expect:|podium:)' "$folder" | grep -E '\.(cu|gpu\.cpp|sealed\.(yaml|py))$' || true)
    [ ${#files[@]} -gt 0 ] || continue
    local problems=()
    [ ! -f "$folder/problem.yaml" ] || problems=(--problems "$(dirname "$folder")")
    "$1/podium/bin/podium" build "$problem" "${problems[@]}" --backend cuda --arch "${ARCH:-sm_90}" --out "$1/cache" "${files[@]}" >&2
  done
}

run() { # [ARGUMENT...]
  local at=${UNPACKED:-/opt/podium}/packed # workers have a user of their own, and a /tmp of their own
  mkdir -p "$(dirname "$at")"
  [ -d "$at" ] || tar -C "$(dirname "$at")" -xJf "$here/packed.tar.xz"
  export PODIUM_TEST_DEVICE=cuda:0 PODIUM_TEST_PROGRAMS=$at/podium/bin PODIUM_TEST_SOURCE=$at/source
  export PODIUM_TEST_CACHE=$at/cache PODIUM_TOOLCHAIN=$at/podium/share/podium/toolchain.yaml
  export LD_LIBRARY_PATH=$at/podium/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  "$at/test_end_to_end" --gtest_filter='Files/Verdicts.*' "$@"
}

"$@"
