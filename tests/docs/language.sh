#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# language.sh SOURCE PODIUM EXTENDED: what CONTRIBUTING promises of the language that it adds. EXTENDED is PODIUM with it.
set -euo pipefail
source=$1 podium=$2 extended=$3 here=$(dirname "$(readlink -f "$0")")
scratch=$(mktemp -d) folder=$scratch/checkout
trap 'rm -rf "$scratch"' EXIT

fail() { echo "FAILED: $*" >&2 && exit 1; }

[ "$(uname -m)" = x86_64 ] || { echo "SKIPPED: its contestant is x86-64 assembly" && exit 77; }
status=0
"$here/follow_change.sh" "$source" "$folder" "$extended" 'Add a language' >"$scratch/out" 2>&1 || status=$?
cat "$scratch/out"
[ $status = 0 ] || fail "the contestant in the new language ended with exit status $status"
written=$(cd "$folder" && find suite backends -type f && find "$folder/kernels" -type f | sort | comm -23 - there_before | sed "s#$folder/##")
[ "$written" = "$(printf 'suite/compile/languages/assembly.cpp\nkernels/vector_add/scalar.s')" ] ||
  fail "these files are written, a language and a contestant were promised: $written"
export PODIUM_PROBLEMS=$folder/kernels
said=$("$extended" list problems --format json)
grep -q '"scalar"' <<<"$said" || fail "podium list lacks the contestant"
said=$("$podium" list problems --format json)
grep -q '"scalar"' <<<"$said" && fail "podium has the language without the change"

# What is wrong with a contestant in it is said as of any other.
sed 's/addss/addsss/' "$folder/kernels/vector_add/scalar.s" >"$folder/kernels/vector_add/misspelt.s"
"$extended" verify vector_add --device host --contestant misspelt >"$scratch/out" 2>&1 && fail "a misspelt one is not noticed"
grep -q 'misspelt.s: .*addss' "$scratch/out" || { cat "$scratch/out" && fail "no sentence of the assembler"; }
cp "$folder/kernels/vector_add/scalar.s" "$folder/kernels/vector_add/a.b.s"
said=$("$extended" list problems 2>&1) || true
grep -q 'one of .gpu.cpp, .cu, .hip, .cpp, .s, .kokkos.cpp' <<<"$said" || fail "sentences do not name its suffix"
