#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# tree.sh CHECKOUT: what the documents promise of every file: at most 600 lines of code, and no GPU header in suite/
# but in suite/problem/program, which is compiled for devices; and a row of docs/problems.md for every problem.
set -euo pipefail
cd "$1"
status=0

sources() { find suite backends emulators sdk kernels tests scripts cmake site .ci -type f "$@"; }
while read -r lines file; do
  echo "$file: $lines lines, at most 600 are wanted; split it by what it does"
  status=1
done < <(sources \( -name '*.[ch]pp' -o -name '*.cu' -o -name '*.hip' -o -name '*.py' -o -name '*.sh' -o -name '*.cmake' \
  -o -name CMakeLists.txt -o -path 'scripts/*' ! -name '*.pyc' \) \
  -exec wc -l {} + | awk '$2 != "total" && $1 > 600')

if grep -rnE '#include *<(cuda|hip|cub|cublas|nvrtc)' suite --include='*.?pp' | grep -v '^suite/problem/program/'; then
  echo "suite/ knows no vendor: move what needs these headers to backends/"
  status=1
fi
for problem in kernels/*/; do
  grep -q "^| $(basename "$problem") |" docs/problems.md || { echo "docs/problems.md has no row for $problem" && status=1; }
done
[ "$(sources -name '*.cpp' | wc -l)" -gt 100 ] || { echo "no sources were found under $1" && status=1; }
exit $status
