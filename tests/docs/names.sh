#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# names.sh SOURCE: code names no backend but in backends/ and its row, and no language but in its own file and its row.
# Comments may, and sentences to people. scripts/ install and take evidence with tools of one vendor, so they name it.
set -euo pipefail
cd "$1"
status=0

# The importers write problems for backends of today, and know the words of other suites, which PyTorch shares ("cuda").
importers=('importers/podium_import/(flashinfer_bench|gpumode_problem|kernelbench|podium_task|robust_backward)\.py')

# found PATTERN EXCEPT...: lines of code, without comments, of suite/, site/, importers/ and CMake's that hold PATTERN.
found() {
  local pattern=$1 except
  shift
  except=$(printf '^%s|' "$@" "${importers[@]}")
  grep -rnE --include='*.?pp' --include='*.py' --include='*.cmake' --include='CMakeLists.txt' --include='*.js' --include='*.html' "$pattern" \
    suite cmake backends/CMakeLists.txt site importers |
    grep -vE "${except%|}" | sed -E 's#(^[^:]*:[0-9]+:.*)//.*#\1#; s/(^[^:]*:[0-9]+:) *#.*/\1/' | grep -E "^[^:]*:[0-9]+:.*($pattern)" || true
}

# complain WHAT LINES
complain() {
  [ -z "$2" ] || { printf '%s:\n%s\n' "$1" "$2" && status=1; }
}

# A form of references is called host, too.
form_of_references=(suite/problem/formula/form_host.cpp)
for backend in $(cd backends && ls -d */toolchain.cmake | cut -d/ -f1); do
  grep -q "{*\.name = \"$backend\"," suite/base/backend.cpp || { echo "suite/base/backend.cpp has no row for $backend" && status=1; }
  complain "a backend is named, which suite/base/backend.cpp describes" \
    "$(found "[\"']$backend(-[a-z]+)?[\"']" suite/base/backend.cpp 'suite/compile/python/with_' suite/compile/languages/python.cpp "${form_of_references[@]}")"
done

for name in $(grep -ohE '\.name = "[a-z]+"' suite/compile/languages/*.cpp | cut -d'"' -f2 | sort -u); do
  own=$(grep -lE "\.name = \"$name\"" suite/compile/languages/*.cpp)
  case $name in
    native | python) continue ;; # a tier, and a folder
    portable) pattern="\"$name\"" ;; # also a word of English
    *) pattern="\\b$name" ;;
  esac
  # shellcheck disable=SC2086 # one file a word
  complain "a language is named, which $own describes" \
    "$(found "$pattern" $own suite/compile/languages/language.cpp "suite/compile/python/with_$name" \
      cmake/PodiumNeeds.cmake suite/problem/formula/names.cpp)"
done
exit $status
