#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# run.sh PODIUM: the column that CONTRIBUTING.md adds is measured, recorded, and shown in every format and on the site.
# Where nothing that makes pages is installed, the site is left out, unless PODIUM_TEST_SITE is set.
set -euo pipefail
source "$(dirname "$(readlink -f "$0")")/../../../scripts/common.sh"
me=tests/docs/metric
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export COLUMNS=300
"$1" run vector_add --device host --quick --rounds 2 --contestant serial --results "$folder" >"$folder/out" 2>&1 ||
  { cat "$folder/out" && exit 1; }
run=$(dirname "$(find "$folder" -name entries.jsonl | head -n 1)")
# Reads all of its input: grep -q would end early, and the program before it by SIGPIPE.
holds() {
  grep -E "$1" >/dev/null || { echo "$2 lacks the column: expected /$1/" && exit 1; }
}
holds '"p95":\{"high":[0-9.]+' "the record" <"$run/entries.jsonl"
"$1" report "$run" --format json | holds '"p95_us": [0-9]' JSON
"$1" report "$run" --format csv | holds ',steady_us,constructor_us,p95_us,skew_us,worst_error' CSV
"$1" report "$run" --format md | holds '\| p95 \|' Markdown
"$1" report "$run" | holds ' p95 ' "the table"
"$1" report "$run" | holds 'p95: 95 % of a round' "the notes"

export PODIUM_SITE_PYTHON=$prefix/publish/bin/python3
if [ -x "$PODIUM_SITE_PYTHON" ]; then
  "$1" publish "$folder" --to "$folder/site" >/dev/null
  page=$folder/site/problem/vector_add.html
  holds '<th [^>]*data-csv="p95_us">p95</th>' "the head of the site's table" <"$page"
  holds '<td [^>]*data-v="[0-9.]+">[0-9.]+ [µmn]?s</td>' "the site's table" <"$page"
  holds '<b>p95</b>: 95 % of a round' "the site's notes" <"$page"
elif [ -n "${PODIUM_TEST_SITE:-}" ]; then
  die 4 "needs what scripts/setup --publish installs"
fi
