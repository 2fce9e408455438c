#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# steps.sh SOURCE PODIUM: follows docs/running.md and CONTRIBUTING on adding problems and contestants in a scratch
# checkout, then looks at what the runs recorded, and at README's commands.
set -euo pipefail
source=$1 podium=$2 here=$(dirname "$(readlink -f "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() { echo "FAILED: $*" >&2 && exit 1; }

# A checkout as far as the documents use one: its problems, and scripts/podium with the program already built.
mkdir -p kernels scripts
cp -r "$source/kernels/vector_add" kernels/
cat >scripts/podium <<END
#!/bin/sh
PODIUM_PROBLEMS="$scratch/kernels" PODIUM_RESULTS="$scratch/results" exec "$podium" "\$@"
END
chmod +x scripts/podium

follow() { # DOCUMENT HEADING
  echo "== $1: $2"
  "$here/blocks.sh" "$source/$1" "$2" >steps
  bash -euxo pipefail steps || fail "$1, \"$2\": exit status $?"
}
follow CONTRIBUTING.md 'Add a problem'
follow CONTRIBUTING.md 'Add a contestant'
follow docs/running.md 'Add a contestant'

# recorded PROBLEM CONTESTANT TEXT: an entry of that contestant whose line also holds TEXT.
recorded() {
  cat results/*/*/entries.jsonl | grep "\"problem\":\"$1\"" | grep "\"contestant\":\"$2\"" | grep -e "$3" >/dev/null
}
recorded row_norm serial '"verdict":"right"' || fail "the new problem's baseline is not recorded as right"
recorded row_norm plain '"verdict":"right"' || fail "the new contestant is not recorded as right"
recorded vector_add unrolled '"round":6.*"verdict":"right"\|"verdict":"right".*"round":6' || fail "unrolled was not timed in seven rounds"

# README's two commands, the second of which is CI's; and what its table says is what podium understands.
diff <("$here/blocks.sh" "$source/README.md" 'Two commands' | grep .) <(printf 'scripts/podium run\nscripts/test\n') ||
  fail "README's two commands are others"
grep -q '^run_tests() { scripts/test ' "$source/.ci/run" || fail "CI does not run README's command of tests"
said=0
while read -r command; do
  read -r _ name _ <<<"$command"
  help=$("$podium" "$name" --help) || fail "README: $command: there is no such command"
  for option in $(grep -oE -- ' --[a-z-]+' <<<"$command" | grep -v -- '--error-exitcode'); do
    grep -q -- "$option" <<<"$help" || [ "$name" = new ] || fail "README: $command: there is no $option"
  done
  said=$((said + 1))
done < <(grep -oE 'scripts/podium [a-z]+[^`]*' "$source/README.md")
[ $said -ge 15 ] || fail "README has $said commands of podium; does the search still work?"

# The same steps with a mistake in them must not pass.
sed -i 's/sum += x(i, j) \* x(i, j)/sum += x(i, 0) * x(i, j)/' kernels/row_norm/plain.gpu.cpp
status=0
scripts/podium run row_norm --contestant plain --quick --quiet || status=$?
[ $status = 1 ] || fail "a wrong contestant ended with exit status $status, not 1"
recorded row_norm plain '"verdict":"wrong"' || fail "the wrong contestant is not recorded as wrong"
